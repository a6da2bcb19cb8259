//! The rules under the names that the handouts give them: each asks the one rules engine.

use crate::dice::Die;
use crate::game::{self, Position, PositionError, Turn, TurnError, dice_rolled, settle};
use crate::rules::Rules;
use crate::rules::formula::functions;

use super::dice::{Dice, roll_together};
use super::play::Rolled;

/// The position of those scores with the memories as they start.
///
/// # Errors
/// If a score is at or above the goal.
pub fn position(rules: &Rules, score: u32, opponent: u32) -> Result<Position, PositionError> {
    Position::new(rules, score, opponent)
}

/// `roll_dice`: the points that this many dice give, before any rule rewrites them (so without `fa19`'s Feral Hogs).
///
/// # Errors
/// If the game allows no such roll here, or the dice show what its die does not have.
pub fn roll_dice(rules: &Rules, from: &Position, num_rolls: i32, dice: &mut dyn Dice) -> Result<i64, TurnError> {
    Ok(take_turn(rules, from, num_rolls, dice)?.turn.rolled)
}

/// `take_turn`: rolls exactly the dice asked for (or as many as a rule allows) and plays the turn to its end.
///
/// # Errors
/// If the game allows no such move here, or the dice show what its die does not have.
pub fn take_turn(rules: &Rules, from: &Position, num_rolls: i32, dice: &mut dyn Dice) -> Result<Rolled, TurnError> {
    let (number, die) = dice_rolled(rules, from, num_rolls)?;
    let faces = roll_together(dice, &die, number);
    // A request that a rule has lowered is played as what is left of it.
    let request = if num_rolls > 0 { number as i32 } else { num_rolls };
    let turn = game::take_turn(rules, from, &faces, request)?;
    Ok(Rolled { request: num_rolls, die, faces, turn })
}

/// The points of rolling no dice against an opponent with that score, before any rule rewrites them.
///
/// # Errors
/// If the score is at or above the goal, or a rule has no value there.
pub fn zero_dice(rules: &Rules, opponent: u32) -> Result<i64, PlaceError> {
    Ok(game::take_turn(rules, &position(rules, 0, opponent)?, &[], 0)?.rolled)
}

/// `free_bacon`: see [`zero_dice`].
///
/// # Errors
/// As there.
pub fn free_bacon(rules: &Rules, opponent: u32) -> Result<i64, PlaceError> {
    zero_dice(rules, opponent)
}

/// `picky_piggy`: see [`zero_dice`].
///
/// # Errors
/// As there.
pub fn picky_piggy(rules: &Rules, opponent: u32) -> Result<i64, PlaceError> {
    zero_dice(rules, opponent)
}

/// `select_dice`: the die that is rolled from those scores.
///
/// # Errors
/// If a score is at or above the goal, or a rule has no value there.
pub fn select_dice(rules: &Rules, score: u32, opponent: u32) -> Result<Die, PlaceError> {
    Ok(dice_rolled(rules, &position(rules, score, opponent)?, rules.max_dice)?.1)
}

/// `is_swap`: whether totals that a turn has reached, the mover's first, change places. They may be past the goal.
///
/// # Errors
/// If a rule has no value there.
pub fn is_swap(rules: &Rules, score: u32, opponent: u32) -> Result<bool, TurnError> {
    Ok(totals(rules, score, opponent)?.swapped)
}

/// `swine_swap`: see [`is_swap`].
///
/// # Errors
/// As there.
pub fn swine_swap(rules: &Rules, score: u32, opponent: u32) -> Result<bool, TurnError> {
    is_swap(rules, score, opponent)
}

/// `hog_pile`: what the rules on totals add to the total that the mover has reached.
///
/// # Errors
/// If a rule has no value there.
pub fn hog_pile(rules: &Rules, score: u32, opponent: u32) -> Result<i64, TurnError> {
    Ok(totals(rules, score, opponent)?.score - i64::from(score))
}

fn totals(rules: &Rules, score: u32, opponent: u32) -> Result<Turn, TurnError> {
    settle(rules, (score, opponent), 0)
}

/// `is_prime`.
pub fn is_prime(n: u32) -> bool {
    functions::is_prime(n)
}

/// Why a rule has no answer at some scores.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// The scores are none of the game's.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A rule has no value there.
    #[error(transparent)]
    Turn(#[from] TurnError),
}
