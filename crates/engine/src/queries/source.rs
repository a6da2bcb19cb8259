//! Where the numbers of an answer are from, and how exact they are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ArithmeticKind, rounded_up};
use crate::solve::Arithmetic;

/// Where numbers are from, and how exact they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Numbers {
    /// The same in a sentence.
    #[serde(rename = "numbers")]
    pub words: String,
    /// Where they are from.
    pub source: NumberSource,
    /// The arithmetic in which win rates were computed.
    pub arithmetic: ArithmeticKind,
    /// No win rate differs from the exact one by more than this.
    pub error_bound: f64,
}

/// Where numbers are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NumberSource {
    /// The table that comes with hog.
    ShippedTable,
    /// Solved for this answer.
    Solved,
}

impl Numbers {
    /// Those of a game solved in floats.
    pub(crate) fn solved(error_bound: f64) -> Self {
        let bound = rounded_up(error_bound);
        Self {
            words: format!("solved just now, every win rate within {bound} of the exact one"),
            source: NumberSource::Solved,
            arithmetic: ArithmeticKind::Float,
            error_bound,
        }
    }

    /// Those of a shipped table in this arithmetic; a packed one has no win rates, which were
    /// computed in floats.
    pub(crate) fn shipped(table: Arithmetic, is_packed: bool, error_bound: f64) -> Self {
        let (words, arithmetic) = match (table, is_packed) {
            (Arithmetic::Exact, false) => (
                "the shipped table: win rates exact, best rolls and ties proven",
                ArithmeticKind::Exact,
            ),
            (Arithmetic::Exact, true) => (
                "the shipped table: best rolls and ties proven, win rates in floating point",
                ArithmeticKind::Float,
            ),
            (Arithmetic::Float, _) => {
                ("the shipped table, solved in floating point", ArithmeticKind::Float)
            }
        };
        let words = words.to_owned();
        Self { words, source: NumberSource::ShippedTable, arithmetic, error_bound }
    }
}
