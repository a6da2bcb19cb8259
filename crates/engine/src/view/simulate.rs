//! The results of simulations, next to the exact values.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::sim::{Estimate, Experiments, TurnAverage, WinRate};

/// Simulated games of one strategy against another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SimulateView {
    /// The game's id.
    pub rules: String,
    /// The strategy that is rated.
    pub strategy: String,
    /// The opponent's strategy.
    pub against: String,
    /// The number of games.
    pub games: u64,
    /// The seed of the dice.
    pub seed: u64,
    /// The games in which the strategy moved first.
    pub first: PlayedView,
    /// The games in which the strategy moved second.
    pub second: PlayedView,
    /// The average of first and second: what the course calls the win rate.
    pub average: PlayedView,
    /// The number of games that ended with equal scores.
    pub tied: u64,
    /// The number of games that never end.
    pub endless: u64,
    /// The mean number of turns per game, counting both players' turns. In a game with a pot, a
    /// turn ends when the other player is to move.
    pub turns: f64,
    /// The time taken, in seconds.
    pub seconds: f64,
}

/// The win rate in simulated games, with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PlayedView {
    /// The mean over the simulated games.
    pub win_rate: f64,
    /// The lower end of the 95% confidence interval.
    pub low: f64,
    /// The upper end of the 95% confidence interval.
    pub high: f64,
    /// The exact win rate.
    pub exact: f64,
    /// Whether the exact win rate lies in the interval.
    pub in_interval: bool,
}

impl PlayedView {
    fn new(played: &Estimate, exact: f64) -> Self {
        let Estimate { mean, low, high } = *played;
        Self { win_rate: mean, low, high, exact, in_interval: played.holds(exact) }
    }
}

/// What was simulated.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// The game's id.
    pub rules: String,
    /// The strategy that is rated.
    pub strategy: String,
    /// The opponent's strategy.
    pub against: String,
    /// The seed of the dice.
    pub seed: u64,
    /// The time taken, in seconds.
    pub seconds: f64,
}

impl SimulateView {
    /// Makes the view of simulated games.
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

/// The results of the handouts' experiments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ExperimentsView {
    /// The game's id.
    pub rules: String,
    /// The opponent of all strategies.
    pub baseline: String,
    /// The number of games for each win rate.
    pub games: u64,
    /// The seed of the dice.
    pub seed: u64,
    /// The average points of a turn, for each kind of die.
    pub points: Vec<PointsView>,
    /// The win rates of the course's strategies.
    pub win_rates: Vec<RatedView>,
}

/// The average points of a turn at one pair of scores, by number of dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PointsView {
    /// The mover's score.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// The number of sides of the die rolled there.
    pub sides: usize,
    /// The number of dice with the highest simulated average; the smallest if several tie.
    pub max_scoring_num_rolls: i32,
    /// The averages for each number of dice.
    pub averages: Vec<TurnAverage>,
}

/// A strategy's win rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RatedView {
    /// The strategy.
    pub strategy: String,
    /// The win rate, averaged over moving first and second.
    #[serde(flatten)]
    pub average: PlayedView,
}

impl ExperimentsView {
    /// Makes the view of experiments with a number of games for each win rate and a seed.
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
