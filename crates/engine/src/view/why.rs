//! A comparison of two rolls: the outcomes of each, and which of them make the difference.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A comparison of two rolls in one position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct WhyView {
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
    /// The two numbers of dice.
    pub dice: [i32; 2],
    /// The mover's win rate with each.
    pub win_rate: [f64; 2],
    /// The outcomes of both rolls: first those that end the game, then the others, ascending by
    /// the mover's score.
    pub outcomes: Vec<OutcomeView>,
    /// The parts that add up to the difference of the win rates, the largest in absolute value
    /// first.
    pub parts: Vec<PartView>,
}

/// An outcome of one or both rolls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct OutcomeView {
    /// The kind of outcome.
    pub kind: OutcomeKind,
    /// The mover's score after the turn; null if the game is over.
    pub score: Option<u32>,
    /// The opponent's score after the turn; null if the game is over.
    pub opponent: Option<u32>,
    /// The mover's win rate after this outcome of each of the two rolls (the memories may differ);
    /// null for a roll that cannot lead to it.
    pub win_rate: [Option<f64>; 2],
    /// The probability of this outcome for each of the two rolls.
    pub chance: [f64; 2],
}

/// A kind of outcome.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OutcomeKind {
    /// Points are added, and the opponent moves.
    Points,
    /// A rule changes more than the mover's points, and the opponent moves.
    Changed,
    /// The mover moves again.
    Again,
    /// The mover wins.
    Won,
    /// The game ends with equal scores.
    Tied,
    /// The mover loses.
    Lost,
}

/// A part of the difference: consecutive points that favour the same roll, or all outcomes of
/// another kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PartView {
    /// The kind of these outcomes.
    pub kind: OutcomeKind,
    /// The fewest points among them; null unless the kind is `points`.
    pub least: Option<u32>,
    /// The most points among them; null unless the kind is `points`.
    pub most: Option<u32>,
    /// The probability of these outcomes for each of the two rolls.
    pub chance: [f64; 2],
    /// The contribution of these outcomes to the difference of the win rates.
    pub share: f64,
}
