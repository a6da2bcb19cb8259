//! Separation of best actions that are too close for doubles, by intervals of more digits.
//!
//! Where values have no common denominator (cycles depend on chance, or totals have no common
//! multiple below 2^63), large games are solved in doubles, and actions closer than the error bound
//! count as ties. Some are real ties: their turns lead to the same states with the same
//! probabilities. The others are separated by solving the game's [full graph](super::full_graph)
//! again in multiprecision floats, each value with a proven error, with more and more digits
//! until no tie is undecided, more digits change nothing, or the game is too large for them.

use std::collections::BTreeMap;
use std::time::Instant;

use dashu_ratio::RBig;
use rayon::prelude::*;

use crate::game::{DiceSet, Game, Plan, Successor};
use crate::linear::{Bits, Scalar, Wide, fraction};

use super::cycles::Intervals;
use super::estimate::{common_base, practical_for_near_ties};
use super::full_graph::{self, FloatValues};
use super::numbers::{Decider, Payoff, Side, opposed, symmetric};
use super::{Arithmetic, Solution, SolveError, Values, Watch};

/// The result of [`separate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NearTies {
    /// The decimal digits of the numbers used last.
    pub digits: usize,
    /// The number of states in which several actions may be best and are not proven to be equal.
    pub open: usize,
}

/// The precisions, ascending.
const LEVELS: [Bits; 3] = [Bits(128), Bits(512), Bits(4096)];

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
    let values = std::iter::once(&solution.own).chain(&solution.other).collect();
    let floats = FloatValues { values, bound: solution.error_bound };
    let may_be_best = |state| floats.may_be_best(game, &sides[0], state);
    let mut known = NearTies { digits: f64::DIGITS as usize, open: undecided(game, may_be_best) };
    let mut best = None;
    for bits in LEVELS {
        let (before, digits) = (known, bits.digits());
        if before.open == 0 || !practical_for_near_ties(game, may_be_best, digits) {
            break;
        }
        let Some((found, open)) = solve_with(bits, game, &sides, &floats, watch)? else { break };
        (known, best) = (NearTies { digits, open }, Some(found));
        // If four times the digits separate nothing more, further digits are not tried.
        if known.open == before.open && before.digits > f64::DIGITS as usize {
            break;
        }
    }
    if let Some(Values { best, choices, .. }) = best {
        (solution.own.best, solution.own.choices) = (best, choices);
        solution.ties = solution.own.ties();
    }
    solution.near_ties = Some(known);
    solution.elapsed += began.elapsed();
    Ok(())
}

/// Whether [`separate`] applies: a solution in floats of a game that integers cannot solve.
pub fn may_separate(game: &Game, solution: &Solution) -> bool {
    solution.arithmetic == Arithmetic::Float && common_base(game).is_none()
}

/// Solves a game with some precision: the first side's values, if proven, and its number of
/// undecided states.
fn solve_with(
    bits: Bits,
    game: &Game,
    sides: &[Side],
    floats: &FloatValues,
    watch: &Watch,
) -> Result<Option<(Values, usize)>, SolveError> {
    let values = Intervals::<Wide>::new(bits, Payoff::WinRate, [0.0; 2]);
    let found = full_graph::solve(
        &values,
        |value| value.value.to_double(),
        game,
        sides,
        Some(floats),
        watch,
    )?;
    Ok(found.map(|(mut values, solved)| {
        (values.swap_remove(0), undecided(game, |state| solved.may_be_best[state]))
    }))
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
    let (first, distribution) =
        (set.trailing_zeros() as usize, |action: usize| game.distribution(state, action));
    let mut others = (first + 1..game.space().actions).filter(|action| set >> action & 1 == 1);
    let same = |action: usize| std::ptr::eq(distribution(first), distribution(action));
    others.all(|action| {
        same(action)
            || successor_chances(game, state, first) == successor_chances(game, state, action)
    })
}

/// The probability of each successor.
fn successor_chances(game: &Game, state: usize, action: usize) -> BTreeMap<Successor, RBig> {
    let (mut chances, total) = (BTreeMap::new(), game.distribution(state, action).total);
    for (weight, to) in game.weighted_successors(state, action) {
        *chances.entry(to).or_insert(RBig::ZERO) += fraction(weight, total);
    }
    chances
}
