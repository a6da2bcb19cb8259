//! Maps of a game: best rolls and win rates for every pair of scores.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Best rolls and win rates for every pair of scores, at fixed values of the memories. The index of
/// a pair in each list is `score * goal + opponent`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MapView {
    /// The game's id.
    pub rules: String,
    /// The goal; scores run from 0 to `goal - 1`.
    pub goal: u32,
    /// The fewest dice of a turn.
    pub min_dice: i32,
    /// The most dice of a turn.
    pub max_dice: i32,
    /// The values of the memories by name.
    pub memory: BTreeMap<String, i64>,
    /// The opponent's strategy; null means optimal play.
    pub against: Option<String>,
    /// The different sets of best numbers of dice.
    pub sets: Vec<Vec<i32>>,
    /// For each pair of scores, the index of its best numbers of dice in `sets`.
    pub best: Vec<u32>,
    /// The mover's win rate, rounded to six digits.
    pub win_rate: Vec<f64>,
    /// The win rate of the best number of dice minus that of the worst, rounded to six digits;
    /// null unless requested.
    pub spread: Option<Vec<f64>>,
    /// The expected number of turns per game that start at each pair of scores, however many rolls
    /// they have. Under optimal play the turns of both players count; against a strategy only
    /// those of the best response to it, averaged over moving first and second. Null unless
    /// requested.
    pub met: Option<Vec<f64>>,
    /// When to hold; null unless requested.
    pub hold: Option<HoldMapView>,
    /// The rolls of a strategy; null unless one is named.
    pub strategy: Option<StrategyMapView>,
    /// A description of the source of the numbers.
    pub numbers: String,
}

/// When to hold: the least value of a memory at which no dice are rolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct HoldMapView {
    /// The memory's name.
    pub over: String,
    /// The least value of the memory at which rolling no dice is best, at each pair of scores;
    /// null if there is none.
    pub first: Vec<Option<i64>>,
}

/// The rolls of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct StrategyMapView {
    /// The strategy's name.
    pub name: String,
    /// The number of dice it rolls at each pair of scores.
    pub dice: Vec<i32>,
}
