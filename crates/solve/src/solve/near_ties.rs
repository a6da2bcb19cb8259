//! Separation of best actions that are too close for doubles, by intervals of twice the digits.
//!
//! Where values have no common denominator (cycles depend on chance, or totals have no common
//! multiple below 2^63), large games are solved in doubles, and actions closer than the error bound
//! count as ties. Some are real ties: their turns lead to the same states with the same
//! probabilities. The others are separated by solving the game's [full graph](super::full_graph)
//! again in pairs of doubles, each value with a proven error, unless the game is too large.

use std::collections::BTreeMap;
use std::time::Instant;

use dashu_ratio::RBig;
use rayon::prelude::*;

use crate::component::{Near, Tolerance};
use crate::game::{DiceSet, Game, Plan, Successor};
use crate::limits;
use crate::linear::fraction;

use super::estimate::{common_base, practical_for_near_ties};
use super::full_graph;
use super::graph::{Digits, GraphProblem, SolvedStates};
use super::stage_solver::{Decider, Payoff, Side, opposed, symmetric};
use super::{Arithmetic, Solution, SolveError, Watch, action_value};

/// The result of [`separate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Separation {
    /// The decimal digits of the numbers used.
    pub digits: usize,
    /// The number of states in which several actions may be best and are not proven to be equal.
    pub open: usize,
}

/// Narrows the best actions of a solution in floats to those not proven to be worse than another,
/// and its plan to the best of these; win rates are unchanged. The result is stored in
/// [`Solution::near_ties`]. Does nothing if integers can solve the game, which is then better, and
/// separates nothing if the game is too large. `against` is the plan answered, if the solution is a
/// best response.
///
/// # Errors
/// Returns an error if `watch` cancels the work; the solution is then unchanged.
pub fn separate(
    game: &Game,
    against: Option<&Plan>,
    solution: &mut Solution,
    watch: &Watch,
) -> Result<(), SolveError> {
    if !may_separate(game, solution) {
        return Ok(());
    }
    let began = Instant::now();
    let sides = match against {
        None => symmetric(Decider::Best).to_vec(),
        Some(plan) => opposed([Decider::Best, Decider::Fixed(plan)]).to_vec(),
    };
    let states = game.space().states();
    let keep: Vec<DiceSet> = (0..sides.len() * states)
        .into_par_iter()
        .map(|node| may_be_best(game, solution, node / states, node % states))
        .collect();
    let open = undecided(game, |state| keep[state]);
    let mut known = Separation { digits: Digits::Doubles.count(), open };
    if open > 0
        && let Some(found) = in_more_digits(game, &sides, &keep, solution, watch)?
    {
        let open = undecided(game, |state| found.may_be_best[state]);
        known = Separation { digits: found.digits, open };
        solution.own.best = found.best[..states].to_vec();
        solution.own.choices = found.choices[..states].to_vec();
        solution.ties = solution.own.ties();
    }
    solution.near_ties = Some(known);
    solution.elapsed += began.elapsed();
    Ok(())
}

/// Whether [`separate`] applies: a solution in floats of a game that integers cannot solve.
pub fn may_separate(game: &Game, solution: &Solution) -> bool {
    solution.arithmetic == Arithmetic::Float
        && common_base(game).is_none()
        && !game.rules().keeps_dice()
}

/// Returns the actions of a state that may be best, by the values of a solution and their bound.
fn may_be_best(game: &Game, solution: &Solution, side: usize, state: usize) -> DiceSet {
    let (own, other) = solution.values();
    let [own, other] = if side == 0 { [own, other] } else { [other, own] };
    let mut values = Vec::with_capacity(game.space().actions);
    let mut threshold: f64 = 0.0;
    for action in 0..game.space().actions {
        // Each term is rounded five times at most.
        let terms = game.distribution(state, action).outcomes.len() as f64;
        let error = solution.error_bound + (terms + 6.0) * f64::EPSILON;
        let value = action_value(game, own, other, state, action);
        threshold = threshold.max(value - error);
        values.push(value + error);
    }
    let mut set = 0;
    for (action, most) in values.into_iter().enumerate() {
        set |= if most >= threshold { 1 << action } else { 0 };
    }
    set
}

/// Solves all states in pairs of doubles, from the values of a solution and by the actions in
/// `keep`; `None` if the game is too large for that, or its values are not proven then.
fn in_more_digits(
    game: &Game,
    sides: &[Side],
    keep: &[DiceSet],
    solution: &Solution,
    watch: &Watch,
) -> Result<Option<SolvedStates>, SolveError> {
    if !practical_for_near_ties(game) {
        return Ok(None);
    }
    let of_sides = std::iter::once(&solution.own).chain(&solution.other);
    let near: Vec<f64> = of_sides.flat_map(|side| side.win_rates.iter().copied()).collect();
    let problem = GraphProblem {
        keep: Some(keep),
        near: Some(Near { values: &near, off: f64::INFINITY }),
        most_nodes: limits::NEAR_TIE_STATES,
        ..GraphProblem::new(Payoff::WinRate, Tolerance::default())
    };
    let solved = full_graph::solve(game, sides, &[Digits::Twofold], problem, |_| true, watch);
    match solved {
        Ok(found) => Ok(Some(found)),
        Err(SolveError::Unproven(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Counts the states in which the actions that may be best are not proven to be equal.
fn undecided(game: &Game, may_be_best: impl Fn(usize) -> DiceSet + Sync) -> usize {
    (0..game.space().states())
        .into_par_iter()
        .filter(|state| !equivalent(game, *state, may_be_best(*state)))
        .count()
}

/// Whether all actions of a set lead to the same states with the same probabilities.
fn equivalent(game: &Game, state: usize, set: DiceSet) -> bool {
    let first = set.trailing_zeros() as usize;
    let distribution = game.distribution(state, first);
    let mut others = (first + 1..game.space().actions).filter(|action| set >> action & 1 == 1);
    others.all(|action| {
        std::ptr::eq(distribution, game.distribution(state, action))
            || successor_chances(game, state, first) == successor_chances(game, state, action)
    })
}

/// The probability of each successor.
fn successor_chances(game: &Game, state: usize, action: usize) -> BTreeMap<Successor, RBig> {
    let mut chances = BTreeMap::new();
    let total = game.distribution(state, action).total;
    for (weight, to) in game.weighted_successors(state, action) {
        *chances.entry(to).or_insert(RBig::ZERO) += fraction(weight, total);
    }
    chances
}
