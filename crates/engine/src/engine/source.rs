//! Where the numbers of an answer are from, and how exact they are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
        let rated = Self::rated(error_bound);
        Self { words: format!("solved just now, {}", rated.words), ..rated }
    }

    /// Those of two strategies, rated in floats.
    pub(crate) fn rated(error_bound: f64) -> Self {
        let bound = rounded_up(error_bound);
        Self {
            words: format!("every win rate within {bound} of the exact one"),
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

/// The arithmetic in which a game was solved.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ArithmeticKind {
    /// Integers or fractions: each win rate is the double nearest to the exact value.
    Exact,
    /// Doubles with a proven bound on their error.
    Float,
}

impl ArithmeticKind {
    /// Returns `exact` or `float`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Float => "float",
        }
    }
}

impl From<Arithmetic> for ArithmeticKind {
    fn from(arithmetic: Arithmetic) -> Self {
        match arithmetic {
            Arithmetic::Exact => Self::Exact,
            Arithmetic::Float => Self::Float,
        }
    }
}

impl From<ArithmeticKind> for Arithmetic {
    fn from(kind: ArithmeticKind) -> Self {
        match kind {
            ArithmeticKind::Exact => Self::Exact,
            ArithmeticKind::Float => Self::Float,
        }
    }
}

/// Formats an error bound with two digits, rounded up: what is printed is a bound as well.
pub fn rounded_up(bound: f64) -> String {
    let nearest = format!("{bound:.1e}");
    let parts = nearest
        .split_once('e')
        .and_then(|(digits, power)| Some((digits.parse::<f64>().ok()?, power)));
    match parts {
        Some((digits, power)) if nearest.parse::<f64>().is_ok_and(|nearest| nearest < bound) => {
            let next = format!("{:.1}e{power}", digits + 0.1);
            next.parse::<f64>().map_or(nearest, |next| format!("{next:.1e}"))
        }
        _ => nearest,
    }
}
