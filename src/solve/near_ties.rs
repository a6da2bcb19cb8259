//! Best actions that doubles leave open, by intervals of as many digits as it takes.
//!
//! Where chance closes loops, games of some size are solved in doubles, and actions closer than their bound count as ties. Some
//! are: their turns lead to the same states with the same chances. The others are told apart by solving the [whole
//! game](super::whole) again in multiprecision floats, each value with a proven error as in doubles, until none is left, more
//! digits change nothing, or the game is too large for them.

use std::collections::BTreeMap;
use std::time::Instant;

use dashu_ratio::RBig;
use rayon::prelude::*;

use crate::game::{DiceSet, End, Game, Plan};
use crate::linear::{Float, Scalar, Wide};

use super::cycles::Intervals;
use super::estimate::{common_base, practical_in_digits};
use super::numbers::{Decider, Payoff, Side, opposed, symmetric};
use super::whole::{self, FloatValues};
use super::{Arithmetic, Solution, SolveError, Values, Watch};

/// What is known of actions that doubles left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NearTies {
    /// How many decimal digits were counted with.
    pub digits: usize,
    /// In how many of the states more than one action may be best, and these are not known to be worth the same.
    pub open: usize,
}

/// A way to solve a game again: the first side's values, if they are proven, and how many of its states stay open.
type Level = fn(&Game, &[Side], &FloatValues, &Watch) -> Result<Option<(Values, usize)>, SolveError>;

/// By how many digits.
const LEVELS: [(usize, Level); 3] =
    [(Wide::<128>::DIGITS, level::<128>), (Wide::<512>::DIGITS, level::<512>), (Wide::<4096>::DIGITS, level::<4096>)];

/// Narrows the best actions of a solution in floats to those that are not proven to be worse than another, and its plan to the best
/// of them; values stay. It tells what is then known, in [`Solution::near_ties`]. Only where chance closes loops, and the game
/// is not too large: elsewhere exact numbers are the better way. `against` is the plan answered, if it is a best response.
///
/// # Errors
/// If `watch` stops it; the solution is as it was.
pub fn separate(game: &Game, against: Option<&Plan>, solution: &mut Solution, watch: &Watch) -> Result<(), SolveError> {
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
    let may_be_best = |state| floats.contenders(game, (0, sides[0].other), state);
    let mut known = NearTies { digits: <f64 as Float>::DIGITS, open: open(game, may_be_best) };
    let mut best = None;
    for (digits, level) in LEVELS {
        let before = known;
        if before.open == 0 || !practical_in_digits(game, digits) {
            break;
        }
        let Some((found, open)) = level(game, &sides, &floats, watch)? else { break };
        (known, best) = (NearTies { digits, open }, Some(found));
        // What four times the digits leave as it was is taken to be the same for ever.
        if known.open == before.open && before.digits > <f64 as Float>::DIGITS {
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

/// Whether there is anything to tell apart that exact integers would not tell sooner.
pub fn may_separate(game: &Game, solution: &Solution) -> bool {
    solution.arithmetic == Arithmetic::Float && common_base(game).is_none()
}

/// Solves a game in floats of so many bits.
fn level<const BITS: usize>(
    game: &Game,
    sides: &[Side],
    floats: &FloatValues,
    watch: &Watch,
) -> Result<Option<(Values, usize)>, SolveError> {
    let values = Intervals::<Wide<BITS>>::new(Payoff::WinRate, [0.0; 2]);
    let found = whole::solve((&values, |value| value.value.to_double()), (game, sides), Some(floats), watch)?;
    Ok(found.map(|(mut values, solved)| (values.swap_remove(0), open(game, |state| solved.contenders[state]))))
}

/// In how many states the actions that may be best are not known to be worth the same.
fn open(game: &Game, may_be_best: impl Fn(usize) -> DiceSet + Sync) -> usize {
    (0..game.space().states()).into_par_iter().filter(|state| !alike(game, *state, may_be_best(*state))).count()
}

/// Whether some actions lead to the same states with the same chances.
fn alike(game: &Game, state: usize, set: DiceSet) -> bool {
    let (first, distribution) = (set.trailing_zeros() as usize, |action: usize| game.distribution(state, action).1);
    let mut others = (first + 1..game.space().actions).filter(|action| set >> action & 1 == 1);
    let same = |action: usize| std::ptr::eq(distribution(first), distribution(action));
    others.all(|action| same(action) || turn(game, state, first) == turn(game, state, action))
}

/// The chances of an action, by the state it leads to and whether the mover goes on, or by how the game ends.
fn turn(game: &Game, state: usize, action: usize) -> BTreeMap<Result<(usize, bool), u8>, RBig> {
    let (mut chances, total) = (BTreeMap::new(), game.distribution(state, action).1.total);
    for (weight, to) in game.weighted_successors(state, action) {
        *chances.entry(to.map_err(End::lost_halves)).or_insert(RBig::ZERO) += <RBig as Scalar>::ratio(weight, total);
    }
    chances
}
