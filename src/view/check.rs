//! What the second reading of tables found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ErrorDetail;

/// The verdict on some tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct CheckView {
    /// True if every table holds.
    pub ok: bool,
    /// The verdict on each that could be read, in the order asked.
    pub tables: Vec<CheckedView>,
    /// What is wrong with the others; left out if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorDetail>,
}

impl CheckView {
    /// Of these tables, and of what could not be read.
    pub fn new(tables: Vec<CheckedView>, error: Option<ErrorDetail>) -> Self {
        Self { ok: error.is_none() && tables.iter().all(|table| table.ok), tables, error }
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
    /// How its rules differ from those that are published under this id, in words; empty if there are none of this id.
    pub differences: Vec<String>,
    /// The strategy it is a best response to, as it names it: its rolls are in the table, and no file is opened. Null for
    /// an equilibrium.
    pub against: Option<String>,
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
