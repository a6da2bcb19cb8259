//! What exact numbers would take, before any is made.

use crate::dice::Weight;
use crate::game::{Game, Order};
use crate::rules::{Hook, Rules};

use super::backward::BAND;
use super::{Arithmetic, SolveError, exact};
use crate::kernel::Kernel;

/// Exact numbers where they take at most this many 64-bit words, about ten seconds of work on one core.
const PRACTICAL_WORDS: f64 = 1e8;
/// The most memory that exact numbers may take, in GiB.
const MOST_GIB: f64 = 16.0;
/// Fractions where they take at most so much work, see [`work_in_fractions`]: some seconds on one core.
const PRACTICAL_WORK: f64 = 1e11;
/// The most work in fractions: some minutes.
const MOST_WORK: f64 = 1e13;
/// The most states of a game whose turns may lower the sum of scores that are solved in fractions, all being one loop, and
/// the most where nobody asked for fractions.
const MOST_RECURRENT_STATES: usize = 100_000;
const PRACTICAL_RECURRENT_STATES: usize = 10_000;
/// And the most bits of a roll, times the states that such turns lead to: all loops go through those.
const PRACTICAL_RETURNS: f64 = 6000.0;
/// The most digits of all outcomes of all states in multiprecision floats: about a minute on one core, and 2 GB.
const MOST_DIGITS: usize = 600_000_000;

/// Whether values may have a common denominator, one for each stage: not if chance closes loops.
pub(super) fn has_denominators(game: &Game) -> bool {
    !matches!(game.order(), Order::Cyclic { random: true } | Order::Recurrent)
}

/// How many states turns that lower the sum of scores lead to.
fn returns(game: &Game) -> usize {
    let (space, sum) = (game.space(), |state: usize| game.space().sum(game.space().parts(state).0));
    let turns = (0..space.states()).flat_map(|state| (0..space.actions).map(move |action| (state, action)));
    let below = turns.flat_map(|(state, action)| {
        let next = game.weighted_successors(state, action).filter_map(|(_, to)| Some(to.ok()?.0));
        next.filter(move |to| sum(*to) < sum(state))
    });
    below.collect::<std::collections::HashSet<usize>>().len()
}

/// What the denominator of a stage is multiplied by in the next, if values have one.
pub(super) fn common_base(game: &Game) -> Option<u64> {
    let sets = game.action_sets().iter().flat_map(|actions| &actions.by_shared);
    let totals = sets.flat_map(|set| &set.distributions).map(|distribution| distribution.total);
    exact::common_multiple(totals).filter(|_| has_denominators(game))
}

/// The arithmetic to solve a game in if nobody says: exact, unless the game is too large for it.
pub fn practical_arithmetic(game: &Game) -> Arithmetic {
    let space = game.space();
    let practical = match common_base(game) {
        // A number of height h has about h log2(D) bits.
        Some(base) => {
            let bits = (base as f64).log2() * space.stages() as f64 / 2.0;
            space.states() as f64 * bits / 64.0 <= PRACTICAL_WORDS
        }
        _ if game.order() == Order::Recurrent => {
            let bits = (largest(game).1 as f64).log2();
            space.states() <= PRACTICAL_RECURRENT_STATES && returns(game) as f64 * bits <= PRACTICAL_RETURNS
        }
        _ => work_in_fractions(game) <= PRACTICAL_WORK,
    };
    if practical { Arithmetic::Exact } else { Arithmetic::Float }
}

/// Refuses rules whose exact values would not fit, before a game is made of them; what passes may still be refused. It is
/// taken that the points of the highest roll are added, so only rules that nothing is known to lower are judged.
///
/// # Errors
/// If they would take too much memory.
pub fn admit_exact(rules: &Rules) -> Result<(), SolveError> {
    let hooked = |hooks: &[Hook]| hooks.iter().any(|hook| rules.hooked(*hook).next().is_some());
    if rules.max_dice < 1 || hooked(&[Hook::Die, Hook::MaxDice, Hook::MinDice, Hook::Points, Hook::FacePoints]) {
        return Ok(());
    }
    // Six-sided dice whose sum is added: what the highest roll reaches is kept.
    let dice = rules.max_dice as usize;
    admit(rules.goal as usize, dice as f64 * 6f64.log2(), (6 * dice, 1))
}

/// What solving in reduced fractions would take, where chance closes loops: states, times outcomes, times the square of the
/// words of a fraction, as sums reduce each term. A fraction has at most one outcome's factor for each state on the longest way
/// through the game.
fn work_in_fractions(game: &Game) -> f64 {
    let (space, (outcomes, total)) = (game.space(), largest(game));
    let words = (space.stages() * 2 * space.per_cell()) as f64 * (total as f64).log2() / 64.0;
    space.states() as f64 * outcomes as f64 * words * words
}

/// Whether a game without common denominators is small enough for floats of so many digits.
pub(super) fn practical_in_digits(game: &Game, digits: usize) -> bool {
    let (states, (outcomes, _)) = (game.space().states(), largest(game));
    states * outcomes * digits <= MOST_DIGITS
        && (game.order() != Order::Recurrent || states <= PRACTICAL_RECURRENT_STATES)
}

/// The most outcomes and the largest total of a distribution.
fn largest(game: &Game) -> (usize, Weight) {
    let sets = game.action_sets().iter().flat_map(|actions| &actions.by_shared);
    sets.flat_map(|set| &set.distributions).fold((1, 2), |(outcomes, total), distribution| {
        (outcomes.max(distribution.outcomes.len()), total.max(distribution.total))
    })
}

/// Refuses a game whose exact values have no common denominator, if its fractions would take too much.
pub(super) fn admit_fractions(game: &Game) -> Result<(), SolveError> {
    let states = game.space().states();
    let refused = match game.order() {
        Order::Recurrent => states > MOST_RECURRENT_STATES,
        _ => work_in_fractions(game) > MOST_WORK,
    };
    let message = || {
        format!(
            "the exact values of this game have no common denominator (its loops depend on chance, or its dice have too \
             many rolls), and {states} states of them would grow without measure: lower the goal or solve it in floating \
             point"
        )
    };
    if refused { Err(SolveError::TooLarge(message())) } else { Ok(()) }
}

/// Refuses a game if the numbers of two sides would take too much, the table of denominators included.
pub(super) fn admit_integers(game: &Game, kernel: &Kernel, base: u64) -> Result<(), SolveError> {
    let space = kernel.space;
    admit(space.goal, (base as f64).log2(), (game.most_increment().min(space.stages()), space.per_cell()))
}

/// Refuses numbers of a game to a goal, so many bits more with each height, of which so many are kept in each column, and of so
/// many states a cell.
fn admit(goal: usize, bits: f64, (stages, per_cell): (usize, usize)) -> Result<(), SolveError> {
    let heights = 2 * goal - 1;
    let limbs = |height: usize| 1.0 + height as f64 * bits / 64.0;
    let cells = |height: usize| height.min(goal).min(2 * goal - height) as f64;
    let most = (1..=heights).map(|height| cells(height) * limbs(height)).fold(0.0, f64::max);
    let kept = stages.max(BAND) * per_cell;
    let gib = 8.0 * (2.0 * kept as f64 * most + limbs(heights) * heights as f64) / (1u64 << 30) as f64;
    if gib <= MOST_GIB {
        return Ok(());
    }
    let message =
        format!("exact values of this game take {gib:.0} GiB or more; lower the goal or solve it in floating point");
    Err(SolveError::TooLarge(message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Overrides, load};

    #[test]
    fn rules_are_refused_before_they_are_tabulated_where_their_numbers_would_be_too_long() {
        for id in ["fa21", "nju21", "su15", "sp15", "fa19"] {
            let rules = |goal: u32| load(id, Overrides { goal: Some(goal), max_dice: None }).expect("a built-in game");
            assert_eq!(admit_exact(&rules(100)), Ok(()), "{id}");
        }
        let rules = |goal: u32| load("fa21", Overrides { goal: Some(goal), max_dice: None }).expect("a built-in game");
        assert!(admit_exact(&rules(20_000)).unwrap_err().to_string().contains("GiB"));
    }
}
