//! One turn with its roll, by the rules engine.

use crate::dice::Die;
use crate::game::{self, Keep, Position, TurnError, TurnResult, dice_rolled, hand_left, keeps};
use crate::rules::Rules;

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

impl Rolled {
    /// The turn after which dice of a hand were kept.
    pub(super) fn of_hand(rules: &Rules, request: i32, faces: Vec<u32>, keep: Keep) -> Self {
        let Keep { kept, turn } = keep;
        Self { request, die: rules.hand[0].die.clone(), faces, kept, turn }
    }

    /// The whole roll, with a 0 for each die that was not kept.
    pub fn marked(&self) -> Vec<u32> {
        let dice = self.faces.iter().zip(&self.kept);
        dice.map(|(face, kept)| if *kept { *face } else { 0 }).collect()
    }
}

/// Rolls exactly the number of dice requested (or as many as a rule allows), and plays
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
