//! The ranking of a contest, each entrant's worst opponent, and who beats whom in a circle.

use super::WINNING;
use super::robin::Robin;

/// How a contest is scored. Courses differ; unless something else is said it is as CS 61A has done it since 2018.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scoring {
    /// What an average win rate must exceed to be a win. Whatever is said here, a pair whose rate is not told from one half
    /// by the bound on its error is a tie.
    pub win_above: f64,
    /// What the ranking counts.
    pub rank_by: RankBy,
    /// What decides between equals.
    pub break_ties: TieBreak,
}

/// What a ranking counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RankBy {
    /// Wins; a tie counts as a loss.
    #[default]
    Wins,
    /// Wins, and half of one for a tie.
    Points,
    /// The mean win rate against all others.
    Mean,
}

/// What decides between entrants with the same count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieBreak {
    /// Nothing: they share a rank, and are listed by mean win rate.
    #[default]
    Share,
    /// The mean win rate against all others.
    Mean,
    /// The win rate against the game's baseline.
    Baseline,
}

impl Default for Scoring {
    fn default() -> Self {
        Self { win_above: WINNING, rank_by: RankBy::default(), break_ties: TieBreak::default() }
    }
}

/// How one entrant did.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Its place in the list of entrants.
    pub entrant: usize,
    /// Its rank, from 1; equals share a rank.
    pub rank: usize,
    /// How many others it beats.
    pub wins: usize,
    /// How many beat it.
    pub losses: usize,
    /// How many neither beat it nor are beaten.
    pub ties: usize,
    /// Its mean win rate against all others; one half if there are none.
    pub mean: f64,
    /// The opponent against which it wins least, and how often.
    pub worst: Option<(usize, f64)>,
}

/// A ranking.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// From the first: by the count, then by what decides between equals, then by mean win rate, then in the order of the
    /// entrants.
    pub ranking: Vec<Standing>,
    /// Circles of three, A beats B beats C beats A, by rank of A, who ranks highest; at most [`Self::MOST_CYCLES`].
    pub cycles: Vec<[usize; 3]>,
    /// How many circles of three there are.
    pub all_cycles: usize,
}

impl Standings {
    /// The most circles that are listed.
    pub const MOST_CYCLES: usize = 100;

    /// The ranking of a round robin. `baseline` are the entrants' win rates against the game's baseline, which
    /// [`TieBreak::Baseline`] asks for.
    pub fn of(robin: &Robin, scoring: &Scoring, baseline: &[f64]) -> Self {
        let table = HeadToHead { robin, winning: scoring.win_above.max(0.5 + robin.error_bound) };
        let count = robin.rates.len();
        let mut ranking: Vec<Standing> = (0..count).map(|entrant| table.standing(entrant)).collect();
        // The first number counts, the second decides between equals.
        let key = |standing: &Standing| {
            let counted = match scoring.rank_by {
                RankBy::Wins => standing.wins as f64,
                RankBy::Points => standing.wins as f64 + standing.ties as f64 / 2.0,
                RankBy::Mean => standing.mean,
            };
            let decider = match scoring.break_ties {
                TieBreak::Share => 0.0,
                TieBreak::Mean => standing.mean,
                TieBreak::Baseline => baseline.get(standing.entrant).copied().unwrap_or(0.0),
            };
            (counted, decider)
        };
        ranking.sort_by(|a, b| {
            let ((one, first), (other, second)) = (key(a), key(b));
            other.total_cmp(&one).then(second.total_cmp(&first)).then(b.mean.total_cmp(&a.mean))
        });
        for place in 0..count {
            let shared = place > 0 && key(&ranking[place - 1]) == key(&ranking[place]);
            ranking[place].rank = if shared { ranking[place - 1].rank } else { place + 1 };
        }
        let order: Vec<usize> = ranking.iter().map(|standing| standing.entrant).collect();
        let (cycles, all_cycles) = table.cycles(&order);
        Self { ranking, cycles, all_cycles }
    }
}

/// Who beats whom.
struct HeadToHead<'r> {
    robin: &'r Robin,
    winning: f64,
}

impl HeadToHead<'_> {
    fn beats(&self, a: usize, b: usize) -> bool {
        a != b && self.robin.average(a, b) > self.winning
    }

    fn standing(&self, entrant: usize) -> Standing {
        let others = || (0..self.robin.rates.len()).filter(move |other| *other != entrant);
        let rates: Vec<(usize, f64)> = others().map(|other| (other, self.robin.average(entrant, other))).collect();
        let sum: f64 = rates.iter().map(|(_, rate)| rate).sum();
        let wins = others().filter(|other| self.beats(entrant, *other)).count();
        let losses = others().filter(|other| self.beats(*other, entrant)).count();
        Standing {
            entrant,
            rank: 0,
            wins,
            losses,
            ties: rates.len() - wins - losses,
            mean: if rates.is_empty() { 0.5 } else { sum / rates.len() as f64 },
            worst: rates.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)),
        }
    }

    fn cycles(&self, order: &[usize]) -> (Vec<[usize; 3]>, usize) {
        let (mut listed, mut all) = (Vec::new(), 0);
        for (place, a) in order.iter().enumerate() {
            for b in order[place + 1..].iter().filter(|b| self.beats(*a, **b)) {
                for c in order[place + 1..].iter().filter(|c| self.beats(*b, **c) && self.beats(**c, *a)) {
                    all += 1;
                    if listed.len() < Standings::MOST_CYCLES {
                        listed.push([*a, *b, *c]);
                    }
                }
            }
        }
        (listed, all)
    }
}
