//! Games played, with the exact rates beside the averages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::sim::{Estimate, Experiments, TurnAverage, WinRate};

/// One strategy played against another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SimulateView {
    /// The game's id.
    pub rules: String,
    /// The strategy that is rated.
    pub strategy: String,
    /// What it plays against.
    pub against: String,
    /// Games in all.
    pub games: u64,
    /// Where the dice began.
    pub seed: u64,
    /// The games in which the strategy moved first.
    pub first: PlayedView,
    /// Those in which it moved second.
    pub second: PlayedView,
    /// The average of first and second: what the course calls the win rate.
    pub average: PlayedView,
    /// Games that ended with equal scores.
    pub tied: u64,
    /// Games that never end.
    pub endless: u64,
    /// Turns of a game, of both players, on average.
    pub turns: f64,
    /// Time taken.
    pub seconds: f64,
}

/// An average of games played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PlayedView {
    /// The average.
    pub win_rate: f64,
    /// The lower end of the interval that holds the true rate 95 times in 100.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// The exact rate.
    pub exact: f64,
    /// Whether it lies in the interval.
    pub in_interval: bool,
}

impl PlayedView {
    fn new(played: &Estimate, exact: f64) -> Self {
        let Estimate { mean, low, high } = *played;
        Self { win_rate: mean, low, high, exact, in_interval: played.holds(exact) }
    }
}

/// Who played what, how often, and how long it took.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// The game's id.
    pub rules: String,
    /// The strategy that is rated.
    pub strategy: String,
    /// What it plays against.
    pub against: String,
    /// Where the dice began.
    pub seed: u64,
    /// Time taken.
    pub seconds: f64,
}

impl SimulateView {
    /// Of games that were played.
    pub fn new(what: Simulated, rate: &WinRate) -> Self {
        let [first, second, average] = rate.exact;
        Self {
            rules: what.rules,
            strategy: what.strategy,
            against: what.against,
            games: rate.games[0] + rate.games[1],
            seed: what.seed,
            first: PlayedView::new(&rate.first, first),
            second: PlayedView::new(&rate.second, second),
            average: PlayedView::new(&rate.average, average),
            tied: rate.tied,
            endless: rate.endless,
            turns: rate.turns,
            seconds: what.seconds,
        }
    }
}

/// The experiments of the handouts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ExperimentsView {
    /// The game's id.
    pub rules: String,
    /// What the strategies play against.
    pub baseline: String,
    /// Games for each win rate.
    pub games: u64,
    /// Where the dice began.
    pub seed: u64,
    /// The points of a turn, for each kind of die.
    pub points: Vec<PointsView>,
    /// The win rates of the course's strategies.
    pub win_rates: Vec<RatedView>,
}

/// The points of a turn by number of dice, from some scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PointsView {
    /// The mover's score.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// The sides of the die rolled there.
    pub sides: usize,
    /// The number of dice with the highest average played; the fewest if several tie.
    pub max_scoring_num_rolls: i32,
    /// The averages, by number of dice.
    pub averages: Vec<TurnAverage>,
}

/// A strategy's average win rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RatedView {
    /// The strategy.
    pub strategy: String,
    /// Its average of moving first and second.
    #[serde(flatten)]
    pub average: PlayedView,
}

impl ExperimentsView {
    /// Of experiments with so many games from a seed.
    pub fn new(rules: String, (games, seed): (u64, u64), found: Experiments) -> Self {
        let points = found.points.into_iter().map(|(sides, [score, opponent], averages)| {
            let rolled = averages.iter().filter(|average| average.dice > 0);
            let best = rolled.fold((0, f64::NEG_INFINITY), |best, next| {
                if next.simulated.mean > best.1 { (next.dice, next.simulated.mean) } else { best }
            });
            PointsView { score, opponent, sides, max_scoring_num_rolls: best.0, averages }
        });
        let rated = |(strategy, rate): (String, WinRate)| RatedView {
            strategy,
            average: PlayedView::new(&rate.average, rate.exact[2]),
        };
        let win_rates = found.win_rates.into_iter().map(rated).collect();
        Self { rules, baseline: found.baseline, games, seed, points: points.collect(), win_rates }
    }
}
