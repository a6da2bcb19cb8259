//! The dice of a turn in games in which a player chooses, after a roll, which of them to keep.

use std::fmt;

use crate::dice::Die;

use super::Rules;

/// Equal dice of a hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandDice {
    /// The name of the memory that counts how many of them are left to be rolled.
    pub name: String,
    /// The number of these dice, at least 1.
    pub count: u32,
    /// The die.
    pub die: Die,
}

impl fmt::Display for HandDice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weights: Vec<u32> =
            (1..=self.die.sides() as u32).map(|face| self.die.weight(face)).collect();
        write!(f, "{} {} {weights:?}", self.count, self.name)
    }
}

impl Rules {
    /// Whether a player chooses after a roll which dice to keep.
    pub fn keeps_dice(&self) -> bool {
        !self.hand.is_empty()
    }

    /// The number of dice of a whole hand.
    pub fn dice_of_hand(&self) -> u32 {
        self.hand.iter().map(|dice| dice.count).sum()
    }

    /// The index among the memories of the number of dice left of a kind.
    pub fn memory_of_kind(&self, kind: usize) -> usize {
        // They follow those of the file.
        self.memories.len() - self.hand.len() + kind
    }
}
