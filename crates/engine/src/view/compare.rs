//! A comparison of two games.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::DescribeView;
use crate::analysis::Difference;

/// The descriptions of two games, and where best play differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct CompareView {
    /// The description of each game.
    pub games: [DescribeView; 2],
    /// The number of positions compared: all pairs of scores below the lower goal, if both games
    /// have a pot with each pot that can be met in both, and with the other memories of the
    /// games' start.
    pub compared: usize,
    /// The number of these positions at which no roll is best in both games.
    pub differing: usize,
    /// The positions at which the difference costs most.
    pub positions: Vec<DifferenceView>,
}

/// A position where best play differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DifferenceView {
    /// The score of the player to move.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// The pot; null unless both games have one.
    pub pot: Option<i64>,
    /// The best numbers of dice in each game.
    pub best: [Vec<i32>; 2],
    /// The loss in win rate, in each game, of a best roll of the other game; null if that roll is
    /// not allowed.
    pub costs: [Option<f64>; 2],
}

impl CompareView {
    /// Combines both descriptions with the first `top` differences.
    pub fn new(
        games: [DescribeView; 2],
        (compared, differences): (usize, &[Difference]),
        top: usize,
    ) -> Self {
        let position = |difference: &Difference| DifferenceView {
            score: difference.scores.0,
            opponent: difference.scores.1,
            pot: difference.pot,
            best: difference.best.clone(),
            costs: difference.costs,
        };
        Self {
            games,
            compared,
            differing: differences.len(),
            positions: differences.iter().take(top).map(position).collect(),
        }
    }
}
