//! A student's strategy, tried.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ExplainView, LossView, Rate};

/// How good a strategy is, how good it could be, where it loses, and what changed since it was last tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TryView {
    /// The game's id.
    pub rules: String,
    /// The strategy.
    pub strategy: String,
    /// What it plays against.
    pub against: String,
    /// Its win rates.
    pub win_rate: Rate,
    /// The best that anybody can do against the same opponent.
    pub best_response: Rate,
    /// Equilibrium play against the same opponent.
    pub optimal: Rate,
    /// The win rate that the course asks for, in its words.
    pub target: Option<String>,
    /// The positions that cost most, on average of moving first and second.
    pub worst: Vec<LossView>,
    /// How many positions are met.
    pub positions_met: usize,
    /// The win rates when it was last tried at these rules against this opponent, if that is known.
    pub previous: Option<Rate>,
    /// In how many pairs of scores it rolls otherwise than then, if that is known.
    pub changed: Option<usize>,
}

impl TryView {
    /// Of where a strategy loses, how equilibrium play does, and what the course asks for.
    pub fn new(explained: ExplainView, optimal: Rate, target: Option<String>) -> Self {
        Self {
            rules: explained.rules,
            strategy: explained.strategy,
            against: explained.against,
            win_rate: explained.win_rate,
            best_response: explained.best_response,
            optimal,
            target,
            worst: explained.worst,
            positions_met: explained.positions_met,
            previous: None,
            changed: None,
        }
    }

    /// With what is known of the last time: its win rates, and how many rolls are others now.
    pub fn since(&mut self, previous: Rate, changed: Option<usize>) {
        (self.previous, self.changed) = (Some(previous), changed);
    }

    /// The number that the course's target begins with, if it does.
    pub fn target_rate(&self) -> Option<f64> {
        let first = self.target.as_deref()?.split_whitespace().next()?;
        first.parse().ok().filter(|rate| (0.0..=1.0).contains(rate))
    }
}
