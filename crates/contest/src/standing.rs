//! The ranking of a contest, each entrant's worst opponent, and circles of three entrants that beat
//! each other.

use fixedbitset::FixedBitSet;
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::WINNING;
use super::limits;
use super::points::PointsRule;
use super::robin::Robin;

/// How a contest is scored: in a request, on the command line and in Python. Courses differ; the
/// default is that of CS 61A since 2018. A rate within the error bound of one half is always a tie;
/// points do not change the ranking.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema, clap::Args)]
#[serde(default)]
pub struct Scoring {
    /// The average win rate above which an entrant wins
    #[serde(deserialize_with = "win_above")]
    #[schemars(range(min = 0.5, max = 1.0))]
    #[arg(long, value_name = "RATE", default_value_t = WINNING, value_parser = win_threshold)]
    pub win_above: f64,
    /// What to rank by
    #[arg(long, value_enum, default_value_t = RankBy::Wins)]
    pub rank_by: RankBy,
    /// How to break ties in the ranking
    #[arg(long, value_enum, default_value_t = TieBreak::Share)]
    pub break_ties: TieBreak,
    /// Give points: for each of plays, baseline and mean, those of the best tier reached.
    /// `baseline=2` is for a win against the game's baseline, `baseline:0.6=3` and
    /// `mean:0.5=1` for at least this win rate
    #[arg(long, value_name = "TIER=POINTS,...")]
    pub points: Option<PointsRule>,
}

/// Reads [`Scoring::win_above`] of a request.
fn win_above<'de, D: Deserializer<'de>>(given: D) -> Result<f64, D::Error> {
    admit_win_above(f64::deserialize(given)?).map_err(D::Error::custom)
}

/// Reads [`Scoring::win_above`] on the command line.
fn win_threshold(text: &str) -> Result<f64, String> {
    let rate = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    Ok(admit_win_above(rate)?)
}

fn admit_win_above(rate: f64) -> Result<f64, &'static str> {
    if (0.5..1.0).contains(&rate) {
        Ok(rate)
    } else {
        Err("the rate must be at least 0.5 and below 1")
    }
}

impl Scoring {
    /// Whether it needs the entrants' win rates against the game's baseline.
    pub fn needs_baseline(&self) -> bool {
        self.break_ties == TieBreak::Baseline
            || self.points.as_ref().is_some_and(PointsRule::needs_baseline)
    }
}

/// The count by which entrants are ranked.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum RankBy {
    /// Wins; a tie counts as a loss
    #[default]
    Wins,
    /// Wins; a tie counts as half a win
    Points,
    /// The mean win rate against all others
    Mean,
}

/// How entrants with the same count are ordered.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// Nothing: they share a rank
    #[default]
    Share,
    /// The mean win rate against all others
    Mean,
    /// The win rate against the game's baseline
    Baseline,
}

impl Default for Scoring {
    fn default() -> Self {
        Self {
            win_above: WINNING,
            rank_by: RankBy::default(),
            break_ties: TieBreak::default(),
            points: None,
        }
    }
}

/// The result of one entrant.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The entrant's index in the list of entrants.
    pub entrant: usize,
    /// The rank, from 1; equal entrants share a rank.
    pub rank: usize,
    /// The number of other entrants that it beats.
    pub wins: usize,
    /// The number of other entrants that beat it.
    pub losses: usize,
    /// The number of other entrants for which it is neither a win nor a loss.
    pub ties: usize,
    /// The mean win rate against all other entrants; one half if there are no others.
    pub mean: f64,
    /// The opponent against which its win rate is lowest, and this rate; `None` if there are no
    /// others.
    pub worst: Option<(usize, f64)>,
    /// The win rate against the game's baseline, if the scoring needs it.
    pub baseline: Option<f64>,
    /// The points for a gradebook, if the scoring gives any.
    pub points: Option<f64>,
}

/// A ranking.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// The entrants from the best to the worst: by the count, the tie break, the mean win rate,
    /// and the order of the entrants.
    pub ranking: Vec<Standing>,
    /// Circles `[A, B, C]` in which A beats B, B beats C and C beats A. A ranks highest of the
    /// three, and circles are in the order of its rank. At most [`limits::CYCLES`].
    pub cycles: Vec<[usize; 3]>,
    /// The number of all circles of three.
    pub all_cycles: usize,
}

impl Standings {
    /// Ranks the entrants of a round robin. `baseline` are the entrants' win rates against the
    /// game's baseline, if the scoring needs them ([`Scoring::needs_baseline`]).
    pub fn of(robin: &Robin, scoring: &Scoring, baseline: &[f64]) -> Self {
        let table = HeadToHead { robin, winning: scoring.win_above.max(0.5 + robin.error_bound) };
        let count = robin.rates.len();
        let mut ranking: Vec<Standing> =
            (0..count).map(|entrant| table.standing(entrant)).collect();
        for standing in &mut ranking {
            standing.baseline = baseline.get(standing.entrant).copied();
            let against = standing.baseline.unwrap_or(0.0);
            standing.points = scoring
                .points
                .as_ref()
                .map(|rule| rule.points(standing.mean, against, table.winning));
        }
        ranking.sort_by(|a, b| {
            let (one, first) = scoring.key(a);
            let (other, second) = scoring.key(b);
            other.total_cmp(&one).then(second.total_cmp(&first)).then(b.mean.total_cmp(&a.mean))
        });
        for place in 0..count {
            let shared =
                place > 0 && scoring.key(&ranking[place - 1]) == scoring.key(&ranking[place]);
            ranking[place].rank = if shared { ranking[place - 1].rank } else { place + 1 };
        }
        let order: Vec<usize> = ranking.iter().map(|standing| standing.entrant).collect();
        let (cycles, all_cycles) = table.cycles(&order);
        Self { ranking, cycles, all_cycles }
    }
}

impl Scoring {
    /// Returns the number by which an entrant is ranked, and that which breaks ties.
    fn key(&self, standing: &Standing) -> (f64, f64) {
        let counted = match self.rank_by {
            RankBy::Wins => standing.wins as f64,
            RankBy::Points => standing.wins as f64 + standing.ties as f64 / 2.0,
            RankBy::Mean => standing.mean,
        };
        let decider = match self.break_ties {
            TieBreak::Share => 0.0,
            TieBreak::Mean => standing.mean,
            TieBreak::Baseline => standing.baseline.unwrap_or(0.0),
        };
        (counted, decider)
    }
}

/// The relation of which entrant beats which.
struct HeadToHead<'r> {
    robin: &'r Robin,
    winning: f64,
}

impl HeadToHead<'_> {
    fn beats(&self, a: usize, b: usize) -> bool {
        a != b && self.robin.average(a, b) > self.winning
    }

    fn standing(&self, entrant: usize) -> Standing {
        let mut rates = Vec::with_capacity(self.robin.rates.len());
        let mut wins = 0;
        let mut losses = 0;
        for other in (0..self.robin.rates.len()).filter(|other| *other != entrant) {
            rates.push((other, self.robin.average(entrant, other)));
            wins += usize::from(self.beats(entrant, other));
            losses += usize::from(self.beats(other, entrant));
        }
        // Summed in ascending order: entrants that play the same have equal rates, and so the same
        // mean to the last bit.
        let mut ascending: Vec<f64> = rates.iter().map(|(_, rate)| *rate).collect();
        ascending.sort_by(f64::total_cmp);
        let sum: f64 = ascending.iter().sum();
        Standing {
            entrant,
            rank: 0,
            wins,
            losses,
            ties: rates.len() - wins - losses,
            mean: if rates.is_empty() { 0.5 } else { sum / rates.len() as f64 },
            worst: rates.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)),
            baseline: None,
            points: None,
        }
    }

    /// Returns the first circles of three and the number of all, for entrants from the best to the
    /// worst.
    fn cycles(&self, order: &[usize]) -> (Vec<[usize; 3]>, usize) {
        let places = 0..order.len();
        let mut beaten: Vec<FixedBitSet> = Vec::with_capacity(order.len());
        for a in order {
            beaten.push(places.clone().filter(|b| self.beats(*a, order[*b])).collect());
        }
        let mut listed = Vec::new();
        let mut all = 0;
        for a in places.clone() {
            // Those behind A that beat it.
            let back: FixedBitSet =
                (a + 1..order.len()).filter(|c| beaten[*c].contains(a)).collect();
            for b in beaten[a].ones().filter(|b| *b > a) {
                all += beaten[b].intersection_count(&back);
                let unlisted = limits::CYCLES - listed.len();
                listed.extend(
                    beaten[b]
                        .intersection(&back)
                        .take(unlisted)
                        .map(|c| [order[a], order[b], order[c]]),
                );
            }
        }
        (listed, all)
    }
}
