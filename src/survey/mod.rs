//! One game's figures for a page of all: its equilibrium, and how its baseline fares against best play.

use std::time::{Duration, Instant};

use crate::bid::{self, BidError};
use crate::game::{Game, Plan};
use crate::solve::{Arithmetic, SolveError, Solver, Watch, endless, equilibrium};
use crate::strategy::{Strategy, StrategyError};

/// What is told of a game.
#[derive(Clone, Debug)]
pub struct Figures {
    /// The first player's win rate if both play to win.
    pub first: f64,
    /// All best numbers of dice at the start.
    pub first_roll: Vec<i32>,
    /// The bound on the error of every win rate here.
    pub error_bound: f64,
    /// In which numbers the equilibrium was solved.
    pub arithmetic: Arithmetic,
    /// States with more than one best number of dice.
    pub ties: usize,
    /// All states.
    pub states: usize,
    /// The share of games between equilibrium players that never end, on average of both seats.
    pub endless: f64,
    /// Against the baseline, if the rules name one.
    pub baseline: Option<AgainstBaseline>,
    /// Where the game begins with a bidding: how often to make each bid, exact shares as the nearest doubles.
    pub bids: Vec<(i64, f64)>,
    /// How long the equilibrium took, from the rules on.
    pub solved_in: Duration,
}

/// Average win rates against the baseline.
#[derive(Clone, Debug)]
pub struct AgainstBaseline {
    /// The baseline.
    pub strategy: String,
    /// Of its best response: nothing wins more.
    pub best_response: f64,
    /// Of equilibrium play.
    pub equilibrium: f64,
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
    let plan = solution.plan(game);
    let never = endless(game, [&plan, &plan], watch)?;
    let space = game.space();
    let (baseline, bound) = against_baseline(game, &plan, watch)?.unzip();
    Ok(Figures {
        first: solution.first(),
        first_roll: space.dice_in(solution.first_roll()),
        error_bound: bound.unwrap_or(0.0).max(solution.error_bound),
        arithmetic,
        ties: solution.ties,
        states: space.states(),
        endless: (never[0] + never[1]) / 2.0,
        baseline,
        bids: bids(game, watch)?,
        solved_in,
    })
}

fn bids(game: &Game, watch: &Watch) -> Result<Vec<(i64, f64)>, SurveyError> {
    match game.rules().bid {
        Some(_) => Ok(bid::equilibrium(game, watch)?.shares_as_doubles()),
        None => Ok(Vec::new()),
    }
}

fn against_baseline(game: &Game, plan: &Plan, watch: &Watch) -> Result<Option<(AgainstBaseline, f64)>, SurveyError> {
    let Some(name) = &game.rules().baseline else { return Ok(None) };
    let baseline = name.parse::<Strategy>()?.plan(game, watch)?;
    let solver = Solver::new(game, Arithmetic::Float);
    let (answer, rate) = (solver.best_response(&baseline, watch)?, solver.evaluate([plan, &baseline], watch)?);
    let bound = answer.error_bound.max(rate.error_bound);
    let figures =
        AgainstBaseline { strategy: name.clone(), best_response: answer.average(), equilibrium: rate.average() };
    Ok(Some((figures, bound)))
}
