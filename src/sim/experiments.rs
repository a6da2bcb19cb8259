//! Experiments of the handouts: averages of many trials, each with its interval and the exact value beside it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{Game, Plan, Position, TurnError, dice_rolled};
use crate::rules::Rules;
use crate::solve::{Arithmetic, SolveError, Watch, endless, evaluate};
use crate::strategy::{Strategy, StrategyError};

use super::bulk::{GameTally, simulate};
use super::dice::{Dice, SeededDice};
use super::estimate::{CONFIDENCE_95, Estimate};
use super::handout::{roll_dice, take_turn};

/// `make_averaged`: a function that calls `original_function` so many times on its arguments and averages the results.
pub fn make_averaged<A: Clone>(
    mut original_function: impl FnMut(A) -> f64,
    trials_count: u32,
) -> impl FnMut(A) -> Estimate {
    move |arguments| {
        let results = (0..trials_count).map(|_| original_function(arguments.clone()));
        Estimate::of_results(results, CONFIDENCE_95)
    }
}

/// `max_scoring_num_rolls`: the number of dice, from 1 up, with the highest average of [`roll_dice`]; the lowest if
/// several tie.
///
/// # Errors
/// If the game allows no such roll here, or the dice show what its die does not have.
pub fn max_scoring_num_rolls(
    rules: &Rules,
    from: &Position,
    dice: &mut dyn Dice,
    trials_count: u32,
) -> Result<i32, TurnError> {
    let (mut best, mut highest) = (1, f64::NEG_INFINITY);
    for num_rolls in 1..=rules.max_dice {
        let mut sum = 0;
        for _ in 0..trials_count {
            sum += roll_dice(rules, from, num_rolls, dice)?;
        }
        // Sums of as many trials compare as their averages do, without rounding.
        if sum as f64 > highest {
            (best, highest) = (num_rolls, sum as f64);
        }
    }
    Ok(best)
}

/// A number of dice and the points of its turn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TurnAverage {
    /// How many dice are asked for.
    pub dice: i32,
    /// The average points of the turns played.
    pub simulated: Estimate,
    /// The exact average.
    pub exact: f64,
}

/// The average points of a turn from a position, for every number of dice from 0 or the fewest up.
///
/// # Errors
/// If a turn cannot be played there.
pub fn average_points(game: &Game, from: &Position, trials: u32, seed: u64) -> Result<Vec<TurnAverage>, TurnError> {
    let (space, state) = (game.space(), game.state(from));
    let mut averages = Vec::new();
    for action in 0..space.actions {
        let dice = space.dice(action);
        let mut rolling = SeededDice::stream(seed, action as u64);
        let points = |_| Ok(take_turn(game.rules(), from, dice, &mut rolling)?.turn.points as f64);
        let points = (0..trials).map(points).collect::<Result<Vec<f64>, TurnError>>()?;
        let (offer, distribution) = game.distribution(state, action);
        let weighed = distribution.outcomes.iter().map(|(outcome, weight)| {
            f64::from(offer.outcomes[usize::from(*outcome)].points) * (*weight as f64 / distribution.total as f64)
        });
        let simulated = Estimate::of_results(points, CONFIDENCE_95);
        averages.push(TurnAverage { dice, simulated, exact: weighed.sum() });
    }
    Ok(averages)
}

/// Win rates of one strategy against another, played and exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRate {
    /// Games in which it moved first, and second.
    pub games: [u64; 2],
    /// Played: moving first.
    pub first: Estimate,
    /// Played: moving second.
    pub second: Estimate,
    /// Played: the average of both, which the course calls the win rate.
    pub average: Estimate,
    /// Computed: first, second, average.
    pub exact: [f64; 3],
    /// Played: how many games ended with equal scores.
    pub tied: u64,
    /// Played: how many games never end (each counts half a win).
    pub endless: u64,
    /// Computed: the share of games that never end.
    pub exact_endless: f64,
    /// Played: the average number of turns of a game, of both players.
    pub turns: f64,
}

/// How many games to play, and from which seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trials {
    /// Games in all; the strategy moves first in half of them, and in the odd one.
    pub games: u64,
    /// The seed.
    pub seed: u64,
}

/// `average_win_rate`: games played, as first and as second player, with the exact rates beside them.
///
/// # Errors
/// If `watch` stops it.
pub fn average_win_rate(game: &Game, plans: [&Plan; 2], trials: Trials, watch: &Watch) -> Result<WinRate, SolveError> {
    let games = [trials.games.div_ceil(2), trials.games / 2];
    let [first, second] = simulate(game, plans, (games, trials.seed), watch)?;
    let exact = evaluate(game, plans, Arithmetic::Float, &Watch::silent())?;
    let exact_endless = endless(game, plans, &Watch::silent())?;
    let share = |tally: &GameTally| Estimate::of_share(tally.win_rate(), tally.games(), CONFIDENCE_95);
    let mean = (first.win_rate() + second.win_rate()) / 2.0;
    Ok(WinRate {
        games,
        first: share(&first),
        second: share(&second),
        average: Estimate::of_share(mean, trials.games, CONFIDENCE_95),
        exact: [exact.first(), exact.second(), exact.average()],
        tied: first.tied + second.tied,
        endless: first.endless + second.endless,
        exact_endless: (exact_endless[0] + exact_endless[1]) / 2.0,
        turns: (first.turns + second.turns) as f64 / trials.games.max(1) as f64,
    })
}

/// What `run_experiments` finds out about a game.
#[derive(Clone, Debug)]
pub struct Experiments {
    /// For each kind of die: the sides, the scores it was rolled from, and the average points by number of dice.
    pub points: Vec<(usize, [u32; 2], Vec<TurnAverage>)>,
    /// The strategy that the others are rated against.
    pub baseline: String,
    /// Strategies and their win rates.
    pub win_rates: Vec<(String, WinRate)>,
}

/// Why experiments cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// A turn cannot be played.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// A strategy cannot be used.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] SolveError),
}

/// `run_experiments`: the average points of every number of dice, for each kind of die the game rolls, and the win
/// rates of the course's strategies against the baseline.
///
/// # Errors
/// If a strategy cannot be used, or `watch` stops it.
pub fn run_experiments(
    game: &Game,
    baseline: &Strategy,
    trials: Trials,
    watch: &Watch,
) -> Result<Experiments, ExperimentError> {
    let mut points = Vec::new();
    let turns = trials.games.min(u64::from(MOST_TURNS)) as u32;
    for (sides, from) in kinds_of_dice(game)? {
        let averages = average_points(game, &from, turns, trials.seed)?;
        points.push((sides, [from.score, from.opponent], averages));
    }
    let opponent = baseline.plan(game, &Watch::silent())?;
    let strategies = Strategy::of_the_course(game.rules());
    let mut win_rates = Vec::new();
    for (done, strategy) in strategies.iter().enumerate() {
        let plan = strategy.plan(game, &Watch::silent())?;
        let rate = average_win_rate(game, [&plan, &opponent], trials, &Watch::silent())?;
        win_rates.push((strategy.to_string(), rate));
        if !watch.step(done + 1, strategies.len()) {
            return Err(SolveError::Cancelled.into());
        }
    }
    Ok(Experiments { points, baseline: baseline.to_string(), win_rates })
}

/// Turns played for one average: enough for two digits.
const MOST_TURNS: u32 = 10_000;

/// The kinds of dice that the game rolls, by sides, each with the first scores that it is rolled from.
fn kinds_of_dice(game: &Game) -> Result<Vec<(usize, Position)>, TurnError> {
    let mut kinds = Vec::new();
    for opponent in 0..game.rules().goal {
        let Ok(from) = Position::new(game.rules(), 0, opponent) else { break };
        let sides = dice_rolled(game.rules(), &from, game.rules().max_dice)?.1.sides();
        if kinds.iter().all(|(known, _)| *known != sides) {
            kinds.push((sides, from));
        }
    }
    Ok(kinds)
}
