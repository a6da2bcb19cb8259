//! A game seen at once: a number for every pair of scores.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Every pair of scores, at one value of each memory. Pair (score, opponent) stands at place `score * goal + opponent`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MapView {
    /// The game's id.
    pub rules: String,
    /// Scores run from 0 to this, exclusive.
    pub goal: u32,
    /// The fewest dice of a turn.
    pub min_dice: i32,
    /// The most dice of a turn.
    pub max_dice: i32,
    /// The memories' values by name.
    pub memory: BTreeMap<String, i64>,
    /// The strategy the other side plays; null if it plays to win.
    pub against: Option<String>,
    /// The sets of best numbers of dice that come up.
    pub sets: Vec<Vec<i32>>,
    /// For each pair of scores the place of its best numbers of dice in `sets`.
    pub best: Vec<u32>,
    /// The mover's win rate, rounded to six digits.
    pub win_rate: Vec<f64>,
    /// How far the worst number of dice is below the best, rounded to six digits; null unless asked for.
    pub spread: Option<Vec<f64>>,
    /// How often the pair comes up in a game, whoever is to move (against a strategy: when the side that answers it is to
    /// move, on average of moving first and second); null unless asked for.
    pub met: Option<Vec<f64>>,
    /// What a strategy rolls; null unless one is named.
    pub strategy: Option<StrategyMapView>,
    /// Where the numbers come from, in words.
    pub numbers: String,
}

/// What a strategy rolls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct StrategyMapView {
    /// Its name.
    pub name: String,
    /// Its number of dice for each pair of scores.
    pub dice: Vec<i32>,
}
