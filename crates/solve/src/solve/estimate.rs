//! Estimates of the memory and time that a solution would take, made before any number is computed.

use std::collections::BTreeSet;

use dashu_base::{BitTest as _, Gcd as _};
use dashu_int::UBig;

use crate::dice::Weight;
use crate::game::{Game, Order, Outcome, Successor};
use crate::limits;
use crate::linear::each_component;
use crate::rules::{Hook, Rules};

use super::backward::FLUSH_STAGES;
use super::{Arithmetic, SolveError, exact};

/// The 64-bit words of exact integers that one core computes in about a second.
const WORDS_IN_A_SECOND: f64 = 3e6;
/// The work in fractions (see [`practical_in_fractions`]) that one core does in a second: at least,
/// and mostly. Who allows [`MANY_SECONDS`] can wait for some more.
const LEAST_WORK_IN_A_SECOND: f64 = 1e8;
const WORK_IN_A_SECOND: f64 = 2e9;
const MANY_SECONDS: f64 = 10.0;
/// Fractions that take at most about so long replace floats that prove nothing.
pub(super) const SECONDS_FOR_PROOF: f64 = 100.0;

/// The common multiple of the totals of all distributions: the factor of the denominator from a
/// stage to the next. `None` if there is none below 2^63, or values have no common denominator
/// because cycles depend on chance.
pub(super) fn common_base(game: &Game) -> Option<u64> {
    let random = matches!(game.order(), Order::Cyclic { random: true } | Order::Recurrent);
    let totals = game.distributions().iter().map(|distribution| distribution.total);
    exact::common_multiple(totals).filter(|_| !random)
}

/// The states of games in which dice are kept that fractions solve in a second, at least.
const KEPT_STATES_IN_A_SECOND: f64 = 8000.0;

/// The arithmetic for a game: exact, unless that would take longer than about so many seconds on
/// one core.
pub fn practical_arithmetic(game: &Game, seconds: f64) -> Arithmetic {
    let space = game.space();
    let practical = match common_base(game) {
        _ if game.rules().keeps_dice() => {
            space.states() as f64 <= seconds * KEPT_STATES_IN_A_SECOND
        }
        // A number of height h has about h log2(D) bits.
        Some(base) => {
            let bits = (base as f64).log2() * space.stages() as f64 / 2.0;
            space.states() as f64 * bits / 64.0 <= seconds * WORDS_IN_A_SECOND
        }
        _ => practical_in_fractions(game, seconds),
    };
    if practical { Arithmetic::Exact } else { Arithmetic::Float }
}

/// Refuses rules whose exact values would be too large, before a game is compiled from them; rules
/// that pass may still be refused later. The estimate assumes that the points of the highest roll
/// are added, so rules that change dice or points are not judged.
///
/// # Errors
/// Returns an error if the values would take too much memory.
pub fn admit_exact(rules: &Rules) -> Result<(), SolveError> {
    let changing = [Hook::Die, Hook::MaxDice, Hook::MinDice, Hook::Points, Hook::FacePoints];
    let is_changed = changing.iter().any(|hook| rules.hooked(*hook).next().is_some());
    if rules.max_dice < 1 || rules.keeps_dice() || is_changed {
        return Ok(());
    }
    // Six-sided dice whose points are added: turns reach as many stages up as the highest roll has
    // points.
    let dice = rules.max_dice as usize;
    admit(rules.goal as usize, dice as f64 * 6f64.log2(), 6 * dice, 1)
}

/// Whether fractions take at most about so many seconds on one core. For each state, outcomes are
/// added, and the state is eliminated from the others of its loop.
pub(super) fn practical_in_fractions(game: &Game, seconds: f64) -> bool {
    let space = game.space();
    let path = match game.order() {
        Order::Recurrent => space.states(),
        _ => space.stages() * 2 * space.per_cell(),
    };
    // Totals without a common factor are all in the denominators of what is reached by several.
    let totals = game.distributions().iter().map(|distribution| UBig::from(distribution.total));
    let base = totals.fold(UBig::ONE, |base, total| &base / (&base).gcd(&total) * total);
    let words = (path * base.bit_len()) as f64 / 64.0;
    let in_a_second =
        if seconds < MANY_SECONDS { LEAST_WORK_IN_A_SECOND } else { WORK_IN_A_SECOND };
    let states = space.states() as f64;
    let most = seconds * in_a_second;
    let outcomes = largest(game).0;
    if states * outcomes as f64 * words * words > most {
        return false;
    }
    let of_loop = largest_loop(game);
    states * (outcomes + of_loop * of_loop) as f64 * words * words <= most
}

/// The number of states of the largest strongly connected component.
fn largest_loop(game: &Game) -> usize {
    let space = game.space();
    largest_component(space.states(), &|state, targets| {
        for action in 0..space.actions {
            let next = game.weighted_successors(state, action);
            targets.extend(next.filter_map(|(_, to)| Some(to.state()? as u32)));
        }
    })
}

/// The number of nodes of the largest strongly connected component; `append_targets` appends the
/// nodes that a node leads to.
fn largest_component(nodes: usize, append_targets: &dyn Fn(usize, &mut Vec<u32>)) -> usize {
    let mut largest = 0;
    let searched = each_component(nodes, append_targets, &mut |component| {
        largest = largest.max(component.len());
        Ok::<(), ()>(())
    });
    searched.expect("nothing fails");
    largest
}

/// Estimates the work of solving in reduced fractions: states, times outcomes, times the square of
/// the words of a fraction, because each addition reduces.
fn work_in_fractions(game: &Game) -> f64 {
    let outcomes = largest(game).0;
    let words = words_of_fractions(game);
    game.space().states() as f64 * outcomes as f64 * words * words
}

/// Estimates the words of the denominator of a reduced fraction: it has at most one total as a
/// factor for each state on the longest path through the game.
fn words_of_fractions(game: &Game) -> f64 {
    let space = game.space();
    (space.stages() * 2 * space.per_cell()) as f64 * (largest(game).1 as f64).log2() / 64.0
}

/// Whether near ties can be told apart in pairs of doubles.
pub(super) fn practical_for_near_ties(game: &Game) -> bool {
    game.space().states() * largest(game).0 <= limits::NEAR_TIE_OUTCOMES
}

/// About what solving a game takes on one core.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// The time, in seconds.
    pub seconds: f64,
    /// The memory, in bytes, with that of the game.
    pub bytes: u64,
}

/// Estimates what an equilibrium takes in the arithmetic of [`practical_arithmetic`], by what games
/// of about a million states took.
pub fn cost(game: &Game) -> Cost {
    let states = game.space().states() as f64;
    let (microseconds, bytes) = match game.order() {
        Order::Cyclic { random: true } => {
            (0.8 * states + 0.015 * turns_in_all_states(game), 80.0 * states)
        }
        Order::Recurrent => {
            let swept = states_in_a_loop(game) as f64;
            (2.0 * states + 6.0 * swept, 40.0 * states + 300.0 * swept)
        }
        _ => (0.2 * states, 40.0 * states),
    };
    let exact = practical_arithmetic(game, 1.0) == Arithmetic::Exact;
    let (least, integers) = if exact { (1.0, exact_bytes(game)) } else { (0.0, 0) };
    Cost { seconds: (microseconds / 1e6).max(least), bytes: game.bytes() + bytes as u64 + integers }
}

/// The number of outcomes of all actions in all states, with those that a choice of dice leads to.
fn turns_in_all_states(game: &Game) -> f64 {
    let turns = game.in_all_cells(|set| {
        let mut outcomes = 0;
        for number in set.all() {
            let distribution = &game.distributions()[*number as usize];
            outcomes += distribution.outcomes.len();
            outcomes += distribution.menus.iter().map(|(_, options)| options.len()).sum::<usize>();
        }
        outcomes
    });
    turns as f64
}

/// A bound on the number of states in the largest loop: the pairs of scores that can lead back to
/// themselves, times the shared memories that can, times those of the players.
fn states_in_a_loop(game: &Game) -> usize {
    let space = game.space();
    let mut of_sets: Vec<Vec<Outcome>> = Vec::new();
    for set in game.action_sets() {
        let mut found: Vec<Outcome> = Vec::new();
        for number in set.distinct() {
            found.extend(&game.distributions()[number as usize].outcomes);
        }
        game.keep_one_of_alike(&mut found);
        of_sets.push(found);
    }
    let cells = largest_component(space.goal * space.goal, &|cell, targets| {
        let (score, opponent) = space.scores(cell);
        let mut cells = BTreeSet::new();
        for outcome in &of_sets[game.action_set_number(cell)] {
            if let Successor::Next { to, .. } = game.next(score, opponent, 0, outcome) {
                cells.insert((to.score * space.goal + to.opponent) as u32);
            }
        }
        targets.extend(cells);
    });
    let shared = largest_component(space.shared, &|shared, targets| {
        let mut next = BTreeSet::new();
        for set in game.action_sets() {
            let length = set.all().len() / space.shared;
            for number in &set.all()[shared * length..][..length] {
                for outcome in &game.distributions()[*number as usize].outcomes {
                    next.extend(game.classes()[outcome.class].shared.map(u32::from));
                }
            }
        }
        targets.extend(next);
    });
    cells * shared * space.mine * space.mine
}

/// The largest number of outcomes and the largest total of any distribution.
fn largest(game: &Game) -> (usize, Weight) {
    game.distributions().iter().fold((1, 2), |(outcomes, total), distribution| {
        (outcomes.max(distribution.outcomes.len()), total.max(distribution.total))
    })
}

/// Refuses a game without common denominators if its fractions would take too much work.
pub(super) fn admit_fractions(game: &Game) -> Result<(), SolveError> {
    let states = game.space().states();
    let refused = match game.order() {
        _ if game.rules().keeps_dice() => states > limits::KEPT_FRACTION_STATES,
        Order::Recurrent => states > limits::RECURRENT_FRACTION_STATES,
        _ => work_in_fractions(game) > limits::FRACTION_WORK,
    };
    if refused {
        return Err(SolveError::TooLarge(format!(
            "the exact values of this game have no common denominator (its loops depend on \
             chance, or its dice have too many rolls), and {states} states of them would grow \
             without bound: lower the goal or solve it in floating point"
        )));
    }
    Ok(())
}

/// Refuses a game if the integers of two sides and the table of denominators would take too much
/// memory.
pub(super) fn admit_integers(game: &Game, base: u64) -> Result<(), SolveError> {
    let space = game.space();
    admit(
        space.goal,
        (base as f64).log2(),
        game.most_increment().min(space.stages()),
        space.per_cell(),
    )
}

/// Refuses integers that grow by `bits` with each height, if `stages` stages of `per_cell` states a
/// cell are kept.
fn admit(goal: usize, bits: f64, stages: usize, per_cell: usize) -> Result<(), SolveError> {
    let gib = integer_bytes(goal, bits, stages, per_cell) / (1u64 << 30) as f64;
    if gib <= limits::INTEGER_GIB {
        return Ok(());
    }
    let message = format!(
        "exact values of this game take {gib:.0} GiB or more; lower the goal or solve it in \
         floating point"
    );
    Err(SolveError::TooLarge(message))
}

/// Estimates the memory of exact values and of what is kept while they are computed, in bytes.
pub fn exact_bytes(game: &Game) -> u64 {
    let space = game.space();
    let bytes = match common_base(game) {
        Some(base) => {
            let stages = game.most_increment().min(space.stages());
            integer_bytes(space.goal, (base as f64).log2(), stages, space.per_cell())
        }
        // Numerators and denominators of two sides.
        None => space.states() as f64 * 4.0 * 8.0 * words_of_fractions(game),
    };
    bytes as u64
}

/// Estimates the memory of integers: see [`admit`].
fn integer_bytes(goal: usize, bits: f64, stages: usize, per_cell: usize) -> f64 {
    let heights = 2 * goal - 1;
    let mut most: f64 = 0.0;
    let mut limbs = 0.0;
    for height in 1..=heights {
        limbs = 1.0 + height as f64 * bits / 64.0;
        let cells = height.min(goal).min(2 * goal - height);
        most = most.max(cells as f64 * limbs);
    }
    let kept = stages.max(FLUSH_STAGES) * per_cell;
    8.0 * (2.0 * kept as f64 * most + limbs * heights as f64)
}
