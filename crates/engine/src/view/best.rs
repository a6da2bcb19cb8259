//! The best rolls in a position, and the win rate of each number of dice.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The best rolls and all choices in one position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct BestView {
    /// The game's id.
    pub rules: String,
    /// The score of the player to move.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// The values of the memories by name.
    pub memory: BTreeMap<String, i64>,
    /// The opponent's strategy; null means optimal play.
    pub against: Option<String>,
    /// The win rate of the player to move, rolling a best number of dice.
    pub win_rate: f64,
    /// The best numbers of dice, ascending; several if they tie.
    pub best: Vec<i32>,
    /// Every number of dice with its win rate, ascending by dice.
    pub choices: Vec<ChoiceView>,
    /// A description of the source of the numbers.
    pub numbers: String,
}

/// One number of dice and its win rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ChoiceView {
    /// The number of dice; negative for moves that roll nothing.
    pub dice: i32,
    /// The win rate of rolling them and playing optimally from there on.
    pub win_rate: f64,
}
