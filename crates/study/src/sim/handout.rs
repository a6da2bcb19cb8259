//! The rules under the names that the handouts give them; each function calls the one rules engine.

use crate::dice::Die;
use crate::game::{
    self, Keep, Position, PositionError, TurnError, TurnResult, dice_rolled, hand_left, keeps,
    settle,
};
use crate::rules::Rules;
use crate::rules::formula::functions;

use super::dice::{DiceSource, SeededDice, roll_together};

/// A turn with its roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rolled {
    /// The number of dice requested.
    pub request: i32,
    /// The die of this turn.
    pub die: Die,
    /// The faces that the dice showed.
    pub faces: Vec<u32>,
    /// By die: whether it was kept. Empty in turns in which no dice of a hand are rolled.
    pub kept: Vec<bool>,
    /// The turn.
    pub turn: TurnResult,
}

/// Returns the position with these scores, with the memories at their starting values.
///
/// # Errors
/// Returns an error if a score is at or above the goal.
pub fn position(rules: &Rules, score: u32, opponent: u32) -> Result<Position, PositionError> {
    Position::new(rules, score, opponent)
}

/// `roll_dice`: returns the points of a roll of `num_rolls` dice, before any rule changes them (so
/// without `fa19`'s Feral Hogs).
///
/// # Errors
/// Returns an error if the game does not allow this roll here, or the dice show a face that the die
/// does not have.
pub fn roll_dice(
    rules: &Rules,
    from: &Position,
    num_rolls: i32,
    dice: &mut dyn DiceSource,
) -> Result<i64, TurnError> {
    Ok(take_turn(rules, from, num_rolls, dice)?.turn.rolled)
}

/// `take_turn`: rolls exactly the number of dice requested (or as many as a rule allows), and plays
/// the turn to its end.
///
/// # Errors
/// Returns an error if the game does not allow this move here, or the dice show a face that the die
/// does not have.
pub fn take_turn(
    rules: &Rules,
    from: &Position,
    num_rolls: i32,
    dice: &mut dyn DiceSource,
) -> Result<Rolled, TurnError> {
    let (number, die) = dice_rolled(rules, from, num_rolls)?;
    let faces = roll_together(dice, &die, number);
    // If a rule changes the number of dice, the turn is played as a request for that number.
    let request = if number > 0 { number as i32 } else { num_rolls.min(0) };
    let turn = game::take_turn(rules, from, &faces, request)?;
    Ok(Rolled { request: num_rolls, die, faces, kept: Vec::new(), turn })
}

/// Plays a turn in which some of the dice rolled may be kept: `keep` returns the index of the
/// choice among all that are allowed. In other games it is [`take_turn`].
///
/// # Errors
/// Returns the errors of [`take_turn`].
pub fn take_turn_keeping(
    rules: &Rules,
    from: &Position,
    num_rolls: i32,
    dice: &mut SeededDice,
    keep: impl FnOnce(&[Keep], &mut SeededDice) -> usize,
) -> Result<Rolled, TurnError> {
    let Some(faces) = roll_hand(rules, from, num_rolls, dice)? else {
        return take_turn(rules, from, num_rolls, dice);
    };
    let mut keeps = keeps(rules, from, &faces)?;
    let choice = if keeps.len() == 1 { 0 } else { keep(&keeps, dice) };
    Ok(Rolled::of_hand(rules, num_rolls, faces, keeps.swap_remove(choice)))
}

/// Rolls the dice left of a hand, kind by kind; `None` if no dice of a hand are rolled.
///
/// # Errors
/// Returns an error if the game does not allow a roll here.
pub fn roll_hand(
    rules: &Rules,
    from: &Position,
    num_rolls: i32,
    dice: &mut dyn DiceSource,
) -> Result<Option<Vec<u32>>, TurnError> {
    if !rules.keeps_dice() || dice_rolled(rules, from, num_rolls)?.0 == 0 {
        return Ok(None);
    }
    let mut faces = Vec::new();
    for (of_kind, left) in rules.hand.iter().zip(hand_left(rules, from)) {
        faces.extend(roll_together(dice, &of_kind.die, left as usize));
    }
    Ok(Some(faces))
}

/// Returns the points of rolling zero dice against an opponent with this score, before any rule
/// changes them.
///
/// # Errors
/// Returns an error if the score is at or above the goal, or a rule has no value there.
pub fn zero_dice(rules: &Rules, opponent: u32) -> Result<i64, PlaceError> {
    Ok(game::take_turn(rules, &position(rules, 0, opponent)?, &[], 0)?.rolled)
}

/// `free_bacon`: see [`zero_dice`].
///
/// # Errors
/// Returns the errors of [`zero_dice`].
pub fn free_bacon(rules: &Rules, opponent: u32) -> Result<i64, PlaceError> {
    zero_dice(rules, opponent)
}

/// `picky_piggy`: see [`zero_dice`].
///
/// # Errors
/// Returns the errors of [`zero_dice`].
pub fn picky_piggy(rules: &Rules, opponent: u32) -> Result<i64, PlaceError> {
    zero_dice(rules, opponent)
}

/// `select_dice`: returns the die that is rolled at these scores.
///
/// # Errors
/// Returns an error if a score is at or above the goal, or a rule has no value there.
pub fn select_dice(rules: &Rules, score: u32, opponent: u32) -> Result<Die, PlaceError> {
    Ok(dice_rolled(rules, &position(rules, score, opponent)?, rules.max_dice)?.1)
}

/// `is_swap`: returns whether the totals after a turn, the mover's first, are swapped. They may be
/// past the goal.
///
/// # Errors
/// Returns an error if a rule has no value there.
pub fn is_swap(rules: &Rules, score: u32, opponent: u32) -> Result<bool, TurnError> {
    Ok(totals(rules, score, opponent)?.swapped)
}

/// `swine_swap`: see [`is_swap`].
///
/// # Errors
/// Returns the errors of [`is_swap`].
pub fn swine_swap(rules: &Rules, score: u32, opponent: u32) -> Result<bool, TurnError> {
    is_swap(rules, score, opponent)
}

/// `hog_pile`: returns the points that the rules on totals add to the mover's total.
///
/// # Errors
/// Returns an error if a rule has no value there.
pub fn hog_pile(rules: &Rules, score: u32, opponent: u32) -> Result<i64, TurnError> {
    Ok(totals(rules, score, opponent)?.score - i64::from(score))
}

fn totals(rules: &Rules, score: u32, opponent: u32) -> Result<TurnResult, TurnError> {
    settle(rules, score, opponent, 0)
}

/// `is_prime`: returns whether a number is prime.
pub fn is_prime(n: u32) -> bool {
    functions::is_prime(n)
}

/// An error of evaluating a rule at some scores.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// The scores are not a position of the game.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A rule has no value there.
    #[error(transparent)]
    Turn(#[from] TurnError),
}
