//! The best roll in a position, and what each number of dice is worth.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// All choices of one position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct BestView {
    /// The game's id.
    pub rules: String,
    /// The score of the player to move.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// The memories' values by name.
    pub memory: BTreeMap<String, i64>,
    /// The strategy the other side plays; null if it plays to win.
    pub against: Option<String>,
    /// The win rate of the player to move, rolling a best number of dice.
    pub win_rate: f64,
    /// The best numbers of dice: all that tie, ascending.
    pub best: Vec<i32>,
    /// Every number of dice, ascending.
    pub choices: Vec<ChoiceView>,
    /// Where the numbers come from, in words.
    pub numbers: String,
}

/// One number of dice.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ChoiceView {
    /// How many dice; below 0 for moves that roll nothing.
    pub dice: i32,
    /// The win rate after rolling them and playing best from there on.
    pub win_rate: f64,
}
