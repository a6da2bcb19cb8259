//! The figures of one game for the survey of all games: its equilibrium, and win rates against its
//! baseline strategy.

use std::time::{Duration, Instant};

use crate::WinRates;
use crate::bid::{self, BidError};
use crate::game::{Game, Plan};
use crate::solve::{Arithmetic, Solution, SolveError, Solver, Watch, endless, equilibrium};
use crate::strategy::{Strategy, StrategyError, that_ends};

/// The figures of a game.
#[derive(Clone, Debug)]
pub struct Figures {
    /// The win rates if both players play optimally.
    pub equilibrium: WinRates,
    /// All best numbers of dice at the start.
    pub first_roll: Vec<i32>,
    /// The arithmetic in which the equilibrium was solved.
    pub arithmetic: Arithmetic,
    /// The number of states with more than one best number of dice.
    pub ties: usize,
    /// The share of states in which each number of dice is the lowest best one; numbers with no
    /// such state are left out.
    pub best_dice: Vec<(i32, f64)>,
    /// The number of states.
    pub states: usize,
    /// The win rates against the baseline, if the rules name one that can be played.
    pub baseline: Option<AgainstBaseline>,
    /// The equilibrium probability of each bid, if the game begins with bidding; the doubles
    /// nearest to the exact values.
    pub bids: Vec<(i64, f64)>,
    /// The time from `began` until the equilibrium was solved.
    pub solved_in: Duration,
}

/// Win rates against the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgainstBaseline {
    /// The win rates of the best response to the baseline.
    pub best_response: WinRates,
    /// The win rates of equilibrium play.
    pub equilibrium: WinRates,
}

/// An error of [`figures`].
#[derive(Debug, thiserror::Error)]
pub enum SurveyError {
    /// The game could not be solved.
    #[error(transparent)]
    Unsolved(#[from] SolveError),
    /// The baseline or the equilibrium cannot be played.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The bidding could not be solved.
    #[error(transparent)]
    Bid(#[from] BidError),
}

/// Computes the figures of a game: the equilibrium in `arithmetic`, all else in floats. `began` is
/// when the work on the game began, for [`Figures::solved_in`].
///
/// # Errors
/// Returns an error if the game cannot be solved in that arithmetic, its baseline cannot be played,
/// its bidding cannot be solved, or `watch` cancels the work.
pub fn figures(
    game: &Game,
    began: Instant,
    arithmetic: Arithmetic,
    watch: &Watch,
) -> Result<Figures, SurveyError> {
    let solution = equilibrium(game, arithmetic, watch)?;
    let solved_in = began.elapsed();
    let plan = that_ends(game, solution.plan(), None, watch)?;
    Ok(Figures {
        equilibrium: found(game, &solution, [&plan, &plan], watch)?,
        first_roll: first_rolls(game, &solution),
        arithmetic,
        ties: game.ties(&solution.own.best),
        best_dice: best_dice(game, &solution),
        states: game.space().states(),
        baseline: against_baseline(game, &plan, watch)?,
        bids: bids(game, watch)?,
        solved_in,
    })
}

fn found(
    game: &Game,
    solution: &Solution,
    plans: [&Plan; 2],
    watch: &Watch,
) -> Result<WinRates, SolveError> {
    let rates = [solution.first(), solution.second(), solution.average()];
    Ok(WinRates::new(rates, endless(game, plans, watch)?, solution.error_bound))
}

fn best_dice(game: &Game, solution: &Solution) -> Vec<(i32, f64)> {
    let mut counts = vec![0_usize; game.space().actions];
    for (state, set) in solution.own.best.iter().enumerate() {
        counts[game.choices_in(state, *set).trailing_zeros() as usize] += 1;
    }
    let mut shares = Vec::new();
    for (action, count) in counts.into_iter().enumerate().filter(|(_, count)| *count > 0) {
        shares.push((game.space().dice(action), count as f64 / game.space().states() as f64));
    }
    shares
}

fn bids(game: &Game, watch: &Watch) -> Result<Vec<(i64, f64)>, SurveyError> {
    match game.rules().bid {
        Some(_) => Ok(bid::equilibrium(game, watch)?.shares_as_doubles()),
        None => Ok(Vec::new()),
    }
}

fn against_baseline(
    game: &Game,
    plan: &Plan,
    watch: &Watch,
) -> Result<Option<AgainstBaseline>, SurveyError> {
    let Some(name) = &game.rules().baseline else { return Ok(None) };
    let baseline = match name.parse::<Strategy>()?.plan(game, watch) {
        // The game does not allow the number of dice that the baseline rolls.
        Err(StrategyError::Impossible { .. }) => return Ok(None),
        plan => plan?,
    };
    match rated_against(game, plan, &baseline, watch) {
        Ok(rated) => Ok(Some(rated)),
        // The equilibrium is still worth its row.
        Err(SolveError::Unproven(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Returns the best numbers of dice at the start; where dice are kept, that is the whole hand.
pub fn first_rolls(game: &Game, solution: &Solution) -> Vec<i32> {
    let rules = game.rules();
    let mut dice = game.space().dice_in(game.choices_in(game.start(), solution.first_roll()));
    if rules.keeps_dice() {
        for request in dice.iter_mut().filter(|request| **request > 0) {
            *request = rules.dice_of_hand() as i32;
        }
    }
    dice
}

fn rated_against(
    game: &Game,
    plan: &Plan,
    baseline: &Plan,
    watch: &Watch,
) -> Result<AgainstBaseline, SolveError> {
    let solver = Solver::new(game, Arithmetic::Float);
    let answer = solver.best_response(baseline, watch)?;
    let rate = solver.evaluate([plan, baseline], watch)?;
    Ok(AgainstBaseline {
        best_response: found(game, &answer, [&answer.plan(), baseline], watch)?,
        equilibrium: found(game, &rate, [plan, baseline], watch)?,
    })
}
