//! What may follow each of some rolls, and which outcomes make the difference between them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two rolls compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct WhyView {
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
    /// The two numbers of dice.
    pub dice: [i32; 2],
    /// The mover's win rates with them.
    pub win_rate: [f64; 2],
    /// All that may follow one of them, in the order of the mover's score.
    pub outcomes: Vec<OutcomeView>,
    /// The difference of the win rates taken apart, largest shares first.
    pub parts: Vec<PartView>,
}

/// What may follow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct OutcomeView {
    /// What kind of outcome it is.
    pub kind: OutcomeKind,
    /// The mover's score then; null where the game ends, whatever the scores.
    pub score: Option<u32>,
    /// The opponent's score then.
    pub opponent: Option<u32>,
    /// The mover's win rate then, after each of the two rolls (memories may differ); null where it does not lead there.
    pub win_rate: [Option<f64>; 2],
    /// How likely each of the two rolls leads there.
    pub chance: [f64; 2],
}

/// A kind of outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
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

/// A part of the difference: neighbouring outcomes that speak for the same roll.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PartView {
    /// What kind of outcomes.
    pub kind: OutcomeKind,
    /// The fewest points among them; null for other kinds than `points`.
    pub least: Option<u32>,
    /// The most points among them.
    pub most: Option<u32>,
    /// How likely each of the two rolls leads to one of them.
    pub chance: [f64; 2],
    /// What of the difference comes from them: the parts add up to it.
    pub share: f64,
}
