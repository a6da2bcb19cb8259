//! The result of trying a student's strategy.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ExplainView, HandoutView, LossView, MistakeView};
use crate::queries::WinRates;

/// How good a strategy is, how good it could be, where it loses, and what changed since it was last
/// tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TryView {
    /// The game's id.
    pub rules: String,
    /// The strategy.
    pub strategy: String,
    /// The opponent's strategy.
    pub against: String,
    /// The strategy's win rates.
    pub win_rate: WinRates,
    /// The highest possible win rates against the same opponent.
    pub best_response: WinRates,
    /// The win rates of equilibrium play against the same opponent.
    pub optimal: WinRates,
    /// The win rate that the course asks for, in its words.
    pub target: Option<String>,
    /// The loss by kind of mistake, compared with the highest possible win rate.
    pub mistakes: Vec<MistakeView>,
    /// The positions that cost most, averaged over moving first and second.
    pub worst: Vec<LossView>,
    /// The number of positions that are reached with positive probability.
    pub positions_met: usize,
    /// The win rates of the last try under these rules against this opponent, if known.
    pub previous: Option<WinRates>,
    /// The number of pairs of scores at which it rolls a different number of dice than in the last
    /// try, if known.
    pub changed: Option<usize>,
    /// How the functions in the strategy's file compare with those of the handout.
    pub handout: HandoutView,
}

impl TryView {
    /// Combines where a strategy loses, the win rates of equilibrium play, and the course's target.
    pub fn new(explained: ExplainView, optimal: WinRates, target: Option<String>) -> Self {
        Self {
            rules: explained.rules,
            strategy: explained.strategy,
            against: explained.against,
            win_rate: explained.win_rate,
            best_response: explained.best_response,
            optimal,
            target,
            mistakes: explained.mistakes,
            worst: explained.worst,
            positions_met: explained.positions_met,
            previous: None,
            changed: None,
            handout: explained.handout,
        }
    }

    /// Sets the results of the last try: its win rates, and at how many pairs of scores the rolls
    /// have changed since.
    pub fn since(&mut self, previous: WinRates, changed: Option<usize>) {
        (self.previous, self.changed) = (Some(previous), changed);
    }

    /// Returns the costliest kind of mistake, if there is one.
    pub fn costliest(&self) -> Option<&MistakeView> {
        let made =
            self.mistakes.iter().filter(|mistake| mistake.positions > 0 && mistake.loss > 0.0);
        made.max_by(|a, b| a.loss.total_cmp(&b.loss))
    }

    /// Returns the win rate that the course's target begins with, if it begins with one.
    pub fn target_rate(&self) -> Option<f64> {
        let first = self.target.as_deref()?.split_whitespace().next()?;
        first.parse().ok().filter(|rate| (0.0..=1.0).contains(rate))
    }
}
