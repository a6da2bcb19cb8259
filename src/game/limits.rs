//! Stage 0: what a game will take, estimated from its rules, so that what is too large is refused before it is built.

use crate::rules::{Faults, Hook, Rules};

use super::Space;

/// The most states of a game that is tabulated.
const MOST_STATES: u64 = 2_000_000_000;
/// How many states at most are hoped to become one where memories behave alike.
const MOST_JOINED: u64 = 20;
/// The most combinations of one player's memories, or of the shared ones, before they are joined in classes.
const MOST_COMBINATIONS: u64 = 4096;
/// The most pairs of a total and an opponent's score, over all contexts, that rules on totals are applied to.
const MOST_TOTALS: u64 = 1 << 32;
/// The most kinds of rolls that are looked at for rules on single faces, over all states: minutes.
const MOST_PATTERNS: u64 = 1 << 29;
/// Faces of a die whose sides only a formula tells.
const USUAL_SIDES: u64 = 6;

/// What a game will take, from its rules alone: nothing is tabulated. Memories that behave alike are joined only later, so
/// that a game with memories may turn out many times smaller; numbers too large are `u64::MAX`.
///
/// ```
/// let rules = hog::rules::load("fa21", Default::default())?;
/// assert_eq!(hog::game::SizeEstimate::of(&rules).states, 100 * 100);
/// # Ok::<(), hog::rules::RulesError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeEstimate {
    /// The most states: exact for a game without memories.
    pub states: u64,
    /// About the most bytes of the tables of successors: eight for each total against each opponent's score, in one context.
    pub table_bytes: u64,
    /// The bytes of one float for each state.
    pub value_bytes: u64,
}

impl SizeEstimate {
    /// What a game of these rules will take.
    pub fn of(rules: &Rules) -> Self {
        let [mine, shared] = [true, false].map(|of_player| combinations(rules, of_player));
        let goal = u64::from(rules.goal);
        let states = [goal, goal, mine, mine, shared].into_iter().fold(1, u64::saturating_mul);
        let of_totals = [Hook::Score, Hook::OpponentScore, Hook::Swap, Hook::Again];
        let changes_totals = of_totals.iter().any(|hook| rules.hooked(*hook).next().is_some());
        let totals = goal + u64::from(rules.max_dice.max(0).unsigned_abs()) * USUAL_SIDES;
        let table_bytes = if changes_totals { 8 * goal * totals } else { 0 };
        Self { states, table_bytes, value_bytes: states.saturating_mul(8) }
    }
}

/// How many values the memories of each player, or the shared ones, may have together.
fn combinations(rules: &Rules, of_player: bool) -> u64 {
    let memories = rules.memories.iter().filter(|memory| memory.of_player == of_player);
    memories.map(|memory| memory.max as u64 + 1).fold(1, u64::saturating_mul)
}

/// Refuses rules with too many memories, or with too many states even if most memories behave alike.
pub(super) fn refuse_large(rules: &Rules) -> Result<(), Faults> {
    for combinations in [true, false].map(|of_player| combinations(rules, of_player)) {
        if combinations > MOST_COMBINATIONS {
            let message = format!("the memories have {combinations} combinations of values");
            return Err(rules.fault(None, message, &format!("lower their max: at most {MOST_COMBINATIONS} are held")));
        }
    }
    let states = SizeEstimate::of(rules).states;
    if states > MOST_STATES * MOST_JOINED {
        let (states, most) = (states as f64, MOST_STATES as f64);
        let message = format!("the game has about {states:.0e} states, far more than {most:.0e} are solved");
        return Err(rules.fault(None, message, "lower the goal or the memories' max"));
    }
    Ok(())
}

/// Refuses rules on totals that would have to be applied to too many totals in too many contexts.
pub(super) fn refuse_many_totals(rules: &Rules, totals: usize, contexts: usize) -> Result<(), Faults> {
    let cells = [u64::from(rules.goal), totals as u64, contexts as u64].into_iter().fold(1, u64::saturating_mul);
    if cells > MOST_TOTALS {
        let (cells, most) = (cells as f64, MOST_TOTALS as f64);
        let message =
            format!("the rules on totals apply to about {cells:.0e} totals, more than {most:.0e} are tabulated");
        return Err(rules.fault(
            None,
            message,
            "lower the goal or the points of a turn, or let them read fewer variables",
        ));
    }
    Ok(())
}

/// Refuses rules that look at single faces in too many states: `rolls` kinds of rolls in one of `places`, which are classes of
/// scores with their memories.
pub(super) fn refuse_many_patterns(rules: &Rules, rolls: usize, places: usize) -> Result<(), Faults> {
    let looks = (rolls as u64).saturating_mul(places as u64);
    if looks > MOST_PATTERNS {
        let message = format!(
            "the rules look at single faces: at {rolls} kinds of rolls in each of {places} states that score differently, \
             {:.0e} in all, more than {:.0e} are enumerated",
            looks as f64, MOST_PATTERNS as f64
        );
        let fix = "lower max_dice, the memories' max or the goal, or let the rules on points read fewer of these";
        return Err(rules.fault(None, message, fix));
    }
    Ok(())
}

/// Refuses a game that has too many states after memories are joined.
pub(super) fn refuse_many_states(rules: &Rules, space: &Space) -> Result<(), Faults> {
    if space.states() as u64 > MOST_STATES {
        let message = format!("the game has more than {MOST_STATES} states");
        return Err(rules.fault(None, message, "lower the goal or the memories' max"));
    }
    Ok(())
}
