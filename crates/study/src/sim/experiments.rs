//! The handouts' experiments: averages of many trials, each with its confidence interval and the
//! exact value.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{Game, Plan, Position, TurnError, dice_rolled};
use crate::limits;
use crate::solve::{Arithmetic, SolveError, Watch, evaluate};
use crate::strategy::{Strategy, StrategyError};

use super::bulk::simulate;
use super::dice::SeededDice;
use super::estimate::{CONFIDENCE_95, Estimate};
use super::turn::take_turn;

/// The average points of a turn with a number of dice.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TurnAverage {
    /// The number of dice requested.
    pub dice: i32,
    /// The average points of the simulated turns.
    pub simulated: Estimate,
    /// The exact average.
    pub exact: f64,
}

/// Returns the average points of a turn from a position, for every number of dice that the game
/// allows.
///
/// # Errors
/// Returns an error if a turn cannot be played there.
pub fn average_points(
    game: &Game,
    from: &Position,
    trials: u32,
    seed: u64,
) -> Result<Vec<TurnAverage>, TurnError> {
    let space = game.space();
    let state = game.state(from);
    let mut averages = Vec::new();
    for action in 0..space.actions {
        let dice = space.dice(action);
        let mut rolling = SeededDice::stream(seed, action as u64);
        let mut points = Vec::with_capacity(trials as usize);
        for _ in 0..trials {
            points.push(take_turn(game.rules(), from, dice, &mut rolling)?.turn.points as f64);
        }
        let simulated = Estimate::of_results(points, CONFIDENCE_95);
        let exact = game.distribution(state, action).mean_points();
        averages.push(TurnAverage { dice, simulated, exact });
    }
    Ok(averages)
}

/// The win rates of one strategy against another, simulated and exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRate {
    /// The number of simulated games: moving first, moving second.
    pub games: [u64; 2],
    /// The simulated win rate, moving first.
    pub first: Estimate,
    /// The simulated win rate, moving second.
    pub second: Estimate,
    /// The average of both simulated rates, which the course calls the win rate.
    pub average: Estimate,
    /// The computed win rates: first, second, average.
    pub exact: [f64; 3],
    /// The number of simulated games that ended with equal scores.
    pub tied: u64,
    /// The number of simulated games that never end (each counts half a win).
    pub endless: u64,
    /// The average number of turns of a simulated game, of both players.
    pub turns: f64,
}

/// The number of games to simulate, and the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trials {
    /// The total number of games; the strategy moves first in half of them, rounded up.
    pub games: u64,
    /// The seed.
    pub seed: u64,
}

/// `average_win_rate`: simulates games as first and as second player; returns the simulated and the
/// exact win rates.
///
/// # Errors
/// Returns an error if `watch` cancels the work, or the exact rates cannot be computed.
pub fn average_win_rate(
    game: &Game,
    plans: [&Plan; 2],
    trials: Trials,
    watch: &Watch,
) -> Result<WinRate, SolveError> {
    let games = [trials.games.div_ceil(2), trials.games / 2];
    let [first, second] = simulate(game, plans, games, trials.seed, watch)?;
    // Its steps are not those of the games, which are done.
    let all = trials.games as usize;
    let exact =
        evaluate(game, plans, Arithmetic::Float, &watch.of_part(&|_, _| watch.step(all, all)))?;
    let mean = (first.win_rate() + second.win_rate()) / 2.0;
    Ok(WinRate {
        games,
        first: Estimate::of_share(first.win_rate(), first.games(), CONFIDENCE_95),
        second: Estimate::of_share(second.win_rate(), second.games(), CONFIDENCE_95),
        average: Estimate::of_share(mean, trials.games, CONFIDENCE_95),
        exact: [exact.first(), exact.second(), exact.average()],
        tied: first.tied + second.tied,
        endless: first.endless + second.endless,
        turns: (first.turns + second.turns) as f64 / trials.games.max(1) as f64,
    })
}

/// The results of [`run_experiments`].
#[derive(Clone, Debug)]
pub struct Experiments {
    /// For each number of sides of the game's dice: the sides, the scores rolled from, and the
    /// average points by number of dice.
    pub points: Vec<(usize, [u32; 2], Vec<TurnAverage>)>,
    /// The strategy that the others are rated against.
    pub baseline: String,
    /// Strategies and their win rates.
    pub win_rates: Vec<(String, WinRate)>,
}

/// An error of [`run_experiments`].
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// A turn cannot be played.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// A strategy cannot be used.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The exact win rates could not be computed, or the work was cancelled.
    #[error(transparent)]
    Stopped(#[from] SolveError),
}

/// `run_experiments`: measures the average points of every number of dice, for each number of sides
/// of the game's dice, and the win rates of the course's strategies against the baseline.
///
/// # Errors
/// Returns an error if a turn cannot be played, a strategy cannot be used, or `watch` cancels the
/// work.
pub fn run_experiments(
    game: &Game,
    baseline: &Strategy,
    trials: Trials,
    watch: &Watch,
) -> Result<Experiments, ExperimentError> {
    let mut points = Vec::new();
    let turns = trials.games.min(u64::from(limits::AVERAGED_TURNS)) as u32;
    for (sides, from) in kinds_of_dice(game)? {
        let averages = average_points(game, &from, turns, trials.seed)?;
        points.push((sides, [from.score, from.opponent], averages));
    }
    let opponent = baseline.plan(game, &Watch::silent())?;
    let strategies = Strategy::of_the_course(game.rules());
    let mut win_rates = Vec::new();
    for (done, strategy) in strategies.iter().enumerate() {
        let plan = strategy.plan(game, &Watch::silent())?;
        let rate = average_win_rate(
            game,
            [&plan, &opponent],
            trials,
            &watch.of_part(&|_, _| watch.step(done, strategies.len())),
        )?;
        win_rates.push((strategy.to_string(), rate));
        if !watch.step(done + 1, strategies.len()) {
            return Err(SolveError::Cancelled.into());
        }
    }
    Ok(Experiments { points, baseline: baseline.to_string(), win_rates })
}

/// Returns the numbers of sides of the dice that a player with no points rolls, each with the first
/// position where it does.
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
