//! What the second reading of tables found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The verdict on some tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct CheckView {
    /// True if every table holds.
    pub ok: bool,
    /// The verdict on each, in the order asked.
    pub tables: Vec<CheckedView>,
}

impl CheckView {
    /// Of these tables.
    pub fn new(tables: Vec<CheckedView>) -> Self {
        Self { ok: tables.iter().all(|table| table.ok), tables }
    }
}

/// The verdict on one table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct CheckedView {
    /// The table's file, or its game.
    pub table: String,
    /// The id of its rules.
    pub rules: String,
    /// True if its rules are those that are published under this id.
    pub published: bool,
    /// True if all that it claims holds.
    pub ok: bool,
    /// How many states were compared.
    pub states: usize,
    /// The largest difference between a win rate in the table and the one found afresh.
    pub worst_difference: f64,
    /// How many win rates are wrong.
    pub wrong_values: usize,
    /// How many sets of best rolls are wrong.
    pub wrong_rolls: usize,
    /// What is wrong, and where.
    pub faults: Vec<String>,
    /// What was proven, in words.
    pub proven: String,
    /// Time taken.
    pub seconds: f64,
}
