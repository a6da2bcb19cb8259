//! The win rates of one strategy against another.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The win rates of a strategy against another, from 0 to 1. A game that never ends counts as half
/// a win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct WinRates {
    /// The win rate when it moves first.
    pub first: f64,
    /// The win rate when it moves second.
    pub second: f64,
    /// The average of both: what the course calls the win rate.
    pub average: f64,
    /// The share of games that never end, averaged over moving first and second.
    pub endless: f64,
    /// No win rate here differs from the exact one by more than this.
    pub error_bound: f64,
}

impl WinRates {
    /// Makes the view of the win rates `[first, second, average]`, the shares of endless games when
    /// moving first and second, and the error bound.
    pub fn new([first, second, average]: [f64; 3], endless: [f64; 2], error_bound: f64) -> Self {
        Self { first, second, average, endless: (endless[0] + endless[1]) / 2.0, error_bound }
    }
}
