//! The result of writing a table in another format.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A table that was written to a file in another format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ExportView {
    /// The game's id.
    pub rules: String,
    /// The goal of its rules.
    pub goal: u32,
    /// The opponent's strategy if the table is a best response; `null` for an equilibrium.
    pub against: Option<String>,
    /// The format: `python`, `csv`, `json`, `npy`, `txt` or `drn`.
    pub form: String,
    /// The number of states.
    pub states: usize,
    /// The file's path.
    pub output: String,
}
