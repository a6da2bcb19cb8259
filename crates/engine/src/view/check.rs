//! The result of checking tables.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ErrorDetail;

/// The verdict on some tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct CheckView {
    /// True if every table is correct.
    pub ok: bool,
    /// The verdict on each table that could be read, in the order of the request.
    pub tables: Vec<CheckedView>,
    /// The errors of the tables that could not be read; omitted if all could.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorDetail>,
}

impl CheckView {
    /// Combines the verdicts on tables and the errors of those that could not be read.
    pub fn new(tables: Vec<CheckedView>, error: Option<ErrorDetail>) -> Self {
        Self { ok: error.is_none() && tables.iter().all(|table| table.ok), tables, error }
    }
}

/// The verdict on one table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct CheckedView {
    /// The table's file, or the game whose shipped table it is.
    pub table: String,
    /// The id of its rules.
    pub rules: String,
    /// True if its rules are the built-in ones with this id.
    pub published: bool,
    /// The differences between its rules and the built-in ones with this id, in words; empty if no
    /// built-in game has it.
    pub differences: Vec<String>,
    /// The name of the strategy that the table is a best response to; null for an equilibrium.
    /// That strategy's rolls are stored in the table: no file is opened for them.
    pub against: Option<String>,
    /// True if all claims of the table hold.
    pub ok: bool,
    /// The number of states compared.
    pub states: usize,
    /// The largest difference between a win rate in the table and the recomputed one.
    pub worst_difference: f64,
    /// The number of wrong win rates.
    pub wrong_values: usize,
    /// The number of wrong sets of best rolls.
    pub wrong_rolls: usize,
    /// The faults found, with their positions.
    pub faults: Vec<String>,
    /// What was proven; if `ok` is false, what should hold.
    pub proven: String,
    /// The time taken, in seconds.
    pub seconds: f64,
}
