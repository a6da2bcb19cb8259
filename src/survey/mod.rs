//! One game's figures for a page of all: its equilibrium, and how its baseline fares against best play.

use std::time::{Duration, Instant};

use crate::bid::{self, BidError};
use crate::game::{Game, Plan};
use crate::solve::{Arithmetic, Solution, SolveError, Solver, Watch, endless, equilibrium};
use crate::strategy::{Strategy, StrategyError};

/// What is told of a game.
#[derive(Clone, Debug)]
pub struct Figures {
    /// The first player's win rates if both play to win.
    pub equilibrium: FoundRate,
    /// All best numbers of dice at the start.
    pub first_roll: Vec<i32>,
    /// In which numbers the equilibrium was solved.
    pub arithmetic: Arithmetic,
    /// States with more than one best number of dice.
    pub ties: usize,
    /// How often each number of dice is the fewest best, as a share of all states; those that are never are left out.
    pub best_dice: Vec<(i32, f64)>,
    /// All states.
    pub states: usize,
    /// Against the baseline, if the rules name one.
    pub baseline: Option<AgainstBaseline>,
    /// Where the game begins with a bidding: how often to make each bid, exact shares as the nearest doubles.
    pub bids: Vec<(i64, f64)>,
    /// How long the equilibrium took, from the rules on.
    pub solved_in: Duration,
}

/// Win rates with all that says how good they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundRate {
    /// Moving first, moving second, on average.
    pub rates: [f64; 3],
    /// The share of games that never end: moving first, moving second.
    pub endless: [f64; 2],
    /// No win rate is further than this from the exact one.
    pub error_bound: f64,
}

/// Win rates against the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgainstBaseline {
    /// Of its best response: nothing wins more.
    pub best_response: FoundRate,
    /// Of equilibrium play.
    pub equilibrium: FoundRate,
}

/// Why a game has no figures.
#[derive(Debug, thiserror::Error)]
pub enum SurveyError {
    /// It could not be solved.
    #[error(transparent)]
    Unsolved(#[from] SolveError),
    /// Its baseline cannot be played.
    #[error(transparent)]
    Baseline(#[from] StrategyError),
    /// Its bidding could not be solved.
    #[error(transparent)]
    Bid(#[from] BidError),
}

/// The figures of a game whose making `began` then; the equilibrium in `arithmetic`, all else in floats.
///
/// # Errors
/// If the game cannot be solved in that arithmetic, its baseline cannot be played, or `watch` stops the work.
pub fn figures(game: &Game, began: Instant, arithmetic: Arithmetic, watch: &Watch) -> Result<Figures, SurveyError> {
    let solution = equilibrium(game, arithmetic, watch)?;
    let solved_in = began.elapsed();
    let plan = solution.plan();
    Ok(Figures {
        equilibrium: found(game, &solution, [&plan, &plan], watch)?,
        first_roll: game.space().dice_in(solution.first_roll()),
        arithmetic,
        ties: solution.ties,
        best_dice: best_dice(game, &solution),
        states: game.space().states(),
        baseline: against_baseline(game, &plan, watch)?,
        bids: bids(game, watch)?,
        solved_in,
    })
}

fn found(game: &Game, solution: &Solution, plans: [&Plan; 2], watch: &Watch) -> Result<FoundRate, SolveError> {
    let rates = [solution.first(), solution.second(), solution.average()];
    Ok(FoundRate { rates, endless: endless(game, plans, watch)?, error_bound: solution.error_bound })
}

fn best_dice(game: &Game, solution: &Solution) -> Vec<(i32, f64)> {
    let mut counts = vec![0_usize; game.space().actions];
    for set in &solution.own.best {
        counts[set.trailing_zeros() as usize] += 1;
    }
    let share = |count: usize| count as f64 / game.space().states() as f64;
    let found = counts.into_iter().enumerate().filter(|(_, count)| *count > 0);
    found.map(|(action, count)| (game.space().dice(action), share(count))).collect()
}

fn bids(game: &Game, watch: &Watch) -> Result<Vec<(i64, f64)>, SurveyError> {
    match game.rules().bid {
        Some(_) => Ok(bid::equilibrium(game, watch)?.shares_as_doubles()),
        None => Ok(Vec::new()),
    }
}

fn against_baseline(game: &Game, plan: &Plan, watch: &Watch) -> Result<Option<AgainstBaseline>, SurveyError> {
    let Some(name) = &game.rules().baseline else { return Ok(None) };
    let baseline = match name.parse::<Strategy>()?.plan(game, watch) {
        // With fewer dice than it rolls there is nobody to rate against.
        Err(StrategyError::Impossible { .. }) => return Ok(None),
        plan => plan?,
    };
    let solver = Solver::new(game, Arithmetic::Float);
    let (answer, rate) = (solver.best_response(&baseline, watch)?, solver.evaluate([plan, &baseline], watch)?);
    Ok(Some(AgainstBaseline {
        best_response: found(game, &answer, [&answer.plan(), &baseline], watch)?,
        equilibrium: found(game, &rate, [plan, &baseline], watch)?,
    }))
}
