//! The ranking of a contest, each entrant's worst opponent, and who beats whom in a circle.

use super::WINNING;
use super::robin::Robin;

/// How one entrant did.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Its place in the list of entrants.
    pub entrant: usize,
    /// Its rank, from 1; equal wins share a rank.
    pub rank: usize,
    /// How many others it beats (average win rate above [`WINNING`]).
    pub wins: usize,
    /// How many beat it.
    pub losses: usize,
    /// Its mean win rate against all others; one half if there are none.
    pub mean: f64,
    /// The opponent against which it wins least, and how often.
    pub worst: Option<(usize, f64)>,
}

/// A ranking.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// From the first: by wins, then by mean win rate, then in the order of the entrants.
    pub ranking: Vec<Standing>,
    /// Circles of three, A beats B beats C beats A, by rank of A, who ranks highest; at most [`Self::MOST_CYCLES`].
    pub cycles: Vec<[usize; 3]>,
    /// How many circles of three there are.
    pub all_cycles: usize,
}

impl Standings {
    /// The most circles that are listed.
    pub const MOST_CYCLES: usize = 100;

    /// The ranking of a round robin.
    pub fn of(robin: &Robin) -> Self {
        let count = robin.rates.len();
        let mut ranking: Vec<Standing> = (0..count).map(|entrant| standing(robin, entrant)).collect();
        ranking.sort_by(|a, b| b.wins.cmp(&a.wins).then(b.mean.total_cmp(&a.mean)));
        for place in 0..count {
            let shared = place > 0 && ranking[place - 1].wins == ranking[place].wins;
            ranking[place].rank = if shared { ranking[place - 1].rank } else { place + 1 };
        }
        let order: Vec<usize> = ranking.iter().map(|standing| standing.entrant).collect();
        let (cycles, all_cycles) = cycles(robin, &order);
        Self { ranking, cycles, all_cycles }
    }
}

fn beats(robin: &Robin, a: usize, b: usize) -> bool {
    a != b && robin.average(a, b) > WINNING
}

fn standing(robin: &Robin, entrant: usize) -> Standing {
    let others = || (0..robin.rates.len()).filter(move |other| *other != entrant);
    let rates: Vec<(usize, f64)> = others().map(|other| (other, robin.average(entrant, other))).collect();
    let sum: f64 = rates.iter().map(|(_, rate)| rate).sum();
    Standing {
        entrant,
        rank: 0,
        wins: others().filter(|other| beats(robin, entrant, *other)).count(),
        losses: others().filter(|other| beats(robin, *other, entrant)).count(),
        mean: if rates.is_empty() { 0.5 } else { sum / rates.len() as f64 },
        worst: rates.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)),
    }
}

fn cycles(robin: &Robin, order: &[usize]) -> (Vec<[usize; 3]>, usize) {
    let (mut listed, mut all) = (Vec::new(), 0);
    for (place, a) in order.iter().enumerate() {
        for b in order[place + 1..].iter().filter(|b| beats(robin, *a, **b)) {
            for c in order[place + 1..].iter().filter(|c| beats(robin, *b, **c) && beats(robin, **c, *a)) {
                all += 1;
                if listed.len() < Standings::MOST_CYCLES {
                    listed.push([*a, *b, *c]);
                }
            }
        }
    }
    (listed, all)
}
