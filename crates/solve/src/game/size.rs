//! Phase 0: estimates the size of a game from its rules, so that too large games are refused before
//! they are built.

use std::collections::HashSet;

use crate::limits;
use crate::rules::{Faults, Memory, Place, Rules};
use crate::turn::{Position, points_without_dice};

use super::{Budget, Space};

/// The least memory that a state takes while its game is tabulated and solved, in bytes: its win
/// rate, its best actions, and its share of the tables.
pub const BYTES_A_STATE: u64 = 16;
/// The most memory for the tables of a game, in bytes, unless the caller sets another limit.
pub const USUAL_MEMORY: u64 = 4 << 30;

/// The factor by which joining memories that behave alike is assumed to reduce the number of
/// states, at best.
const MOST_JOINED: u64 = 20;

/// An upper bound on the number of states of the game that these rules describe; exact for a game
/// without memories. Memories that behave alike are joined only later, so a game with memories may
/// turn out many times smaller. A number that overflows is `u64::MAX`.
///
/// ```
/// let rules = hog_rules::rules::load("fa21", Default::default())?;
/// assert_eq!(hog_solve::game::most_states(&rules), 100 * 100);
/// # Ok::<(), hog_rules::rules::RulesError>(())
/// ```
pub fn most_states(rules: &Rules) -> u64 {
    of_classes(rules, [true, false].map(|of_player| combinations(rules, of_player)))
}

/// A lower bound on the number of states after memories that behave alike are joined, found without
/// tabulating the game: two values stay apart if a turn without dice leads to different scores from
/// one of two pairs of scores. The pots of Pig are told apart so, numbers of rounds are not.
pub fn fewest_states(rules: &Rules) -> u64 {
    of_classes(rules, [true, false].map(|of_player| fewest_classes(rules, of_player)))
}

/// The states of a game with so many classes of a player's memories, and of the shared ones.
fn of_classes(rules: &Rules, [mine, shared]: [u64; 2]) -> u64 {
    let goal = u64::from(rules.goal / rules.step);
    [goal, goal, mine, mine, shared].into_iter().fold(1, u64::saturating_mul)
}

/// A lower bound on the number of classes into which the values of one player's memories
/// (`of_player`), or of the shared ones, are joined: see [`fewest_states`].
fn fewest_classes(rules: &Rules, of_player: bool) -> u64 {
    let middle = rules.goal / rules.step / 2 * rules.step;
    let starts: Vec<Position> =
        [0, middle].iter().filter_map(|&score| Position::new(rules, score, score).ok()).collect();
    // The places of these memories in a position: the mover's value comes before the opponent's.
    let mut place = 0;
    let mut varied: Vec<(usize, &Memory)> = Vec::new();
    for memory in &rules.memories {
        if memory.of_player == of_player {
            varied.push((place, memory));
        }
        place += if memory.of_player { 2 } else { 1 };
    }
    // Games with more are refused: see `refuse_large`.
    let all = combinations(rules, of_player).min(most_combinations(of_player));
    let mut told_apart = HashSet::new();
    for number in 0..all {
        let after = starts.iter().map(|start| {
            let mut position = start.clone();
            let mut rest = number as i64;
            for (place, memory) in &varied {
                let values = memory.max / memory.step + 1;
                position.memory[*place] = rest % values * memory.step;
                rest /= values;
            }
            let score = points_without_dice(rules, &position).ok()?.1;
            Some(score.min(i64::from(rules.goal)))
        });
        told_apart.insert(after.collect::<Vec<_>>());
    }
    told_apart.len() as u64
}

/// The number of combinations of values of one player's memories (`of_player`), or of the shared
/// ones.
fn combinations(rules: &Rules, of_player: bool) -> u64 {
    let memories = rules.memories.iter().filter(|memory| memory.of_player == of_player);
    memories.map(|memory| (memory.max / memory.step) as u64 + 1).fold(1, u64::saturating_mul)
}

/// The most combinations of one player's memories, which count twice in the states, or of the
/// shared ones, before they are joined into classes.
fn most_combinations(of_player: bool) -> u64 {
    if of_player { 1 << 12 } else { 1 << 16 }
}

/// Returns an error if memories have too many combinations, or there are too many states even after
/// joining memories.
pub(super) fn refuse_large(rules: &Rules) -> Result<(), Faults> {
    for of_player in [true, false] {
        let combinations = combinations(rules, of_player);
        let most = most_combinations(of_player);
        if combinations > most {
            let first = rules.memories.iter().position(|memory| memory.of_player == of_player);
            let message = format!("the memories have {combinations} combinations of values");
            let fix = format!("lower their max: at most {most} are allowed");
            return Err(rules.fault(first.map_or(Place::File, Place::Next), message, &fix));
        }
    }
    let states = most_states(rules);
    if states > limits::STATES * MOST_JOINED {
        let states = states as f64;
        let most = limits::STATES as f64;
        let message = format!(
            "the game has about {states:.0e} states, far more than the {most:.0e} that can be \
             solved"
        );
        return Err(rules.fault(Place::File, message, "lower the goal or the memories' max"));
    }
    Ok(())
}

/// Returns an error if rules on totals would have to be applied to too many totals, counted over
/// all contexts.
pub(super) fn refuse_many_totals(
    rules: &Rules,
    totals: usize,
    contexts: usize,
) -> Result<(), Faults> {
    let cells = [u64::from(rules.goal), totals as u64, contexts as u64]
        .into_iter()
        .fold(1, u64::saturating_mul);
    if cells > limits::TOTALS {
        let cells = cells as f64;
        let most = limits::TOTALS as f64;
        let message = format!(
            "the rules on totals apply to about {cells:.0e} totals, more than the {most:.0e} that \
             can be tabulated"
        );
        return Err(rules.fault(
            Place::File,
            message,
            "lower the goal or the points of a turn, or let them read fewer variables",
        ));
    }
    Ok(())
}

/// Returns an error if rules that read single faces would enumerate too many rolls: `rolls`
/// distinct rolls in each of `places` combinations of a class of scores and memories.
pub(super) fn refuse_many_patterns(
    rules: &Rules,
    rolls: usize,
    places: usize,
) -> Result<(), Faults> {
    let looks = (rolls as u64).saturating_mul(places as u64);
    if looks > limits::PATTERNS {
        let message = format!(
            "the rules look at single faces: at {rolls} kinds of rolls in each of {places} states \
             that score differently, {:.0e} in all, more than the {:.0e} that can be enumerated",
            looks as f64,
            limits::PATTERNS as f64
        );
        let fix = "lower max_dice, the memories' max or the goal, or let the rules on points read \
                   fewer patterns";
        return Err(rules.fault(Place::File, message, fix));
    }
    Ok(())
}

/// Returns an error if the actions at a pair of scores have too many distributions or outcomes.
pub(super) fn refuse_many_kinds(rules: &Rules, kinds: usize) -> Result<(), Faults> {
    if kinds <= limits::DISTRIBUTIONS {
        return Ok(());
    }
    let message = "a pair of scores has more than 65,536 distributions or outcomes".to_owned();
    Err(rules.fault(Place::File, message, "lower the memories' max"))
}

/// Returns an error if the tables of one phase take at least `bytes`, and that is more than the
/// budget.
pub(super) fn refuse_much_memory(
    rules: &Rules,
    bytes: usize,
    budget: Budget,
) -> Result<(), Faults> {
    if bytes as u64 <= budget.memory {
        return Ok(());
    }
    let needed = bytes.div_ceil(1 << 20);
    let most = budget.memory >> 20;
    let message = format!(
        "the tables of this game take about {needed} MiB of memory or more; {most} MiB are allowed"
    );
    let fix = "lower the goal or the memories' max, or let the rules read fewer variables";
    Err(rules.fault(Place::File, message, fix))
}

/// Returns an error if there are too many states after memories are joined, or they take more
/// memory than the budget.
pub(super) fn refuse_many_states(
    rules: &Rules,
    space: &Space,
    budget: Budget,
) -> Result<(), Faults> {
    let bytes = (space.states() as u64).saturating_mul(BYTES_A_STATE);
    refuse_much_memory(rules, bytes as usize, budget)?;
    if space.states() as u64 > limits::STATES {
        let message = format!("the game has more than {} states", limits::STATES);
        return Err(rules.fault(Place::File, message, "lower the goal or the memories' max"));
    }
    Ok(())
}
