//! Two games side by side.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::DescribeView;
use crate::analysis::Difference;

/// What two games are like, and where best play differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct CompareView {
    /// What each is like.
    pub games: [DescribeView; 2],
    /// How many pairs of scores were compared: all below the lower goal, with the memories as they start.
    pub compared: usize,
    /// In how many of them no roll is best in both.
    pub differing: usize,
    /// The costliest of these.
    pub positions: Vec<DifferenceView>,
}

/// A pair of scores where best play differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DifferenceView {
    /// The score of the player to move.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// The best numbers of dice in each game.
    pub best: [Vec<i32>; 2],
    /// What the best roll of the other game costs in each; null where that is not allowed.
    pub costs: [Option<f64>; 2],
}

impl CompareView {
    /// Of both descriptions and the differences, of which the first `top` are told.
    pub fn new(games: [DescribeView; 2], (compared, differences): (usize, &[Difference]), top: usize) -> Self {
        let position = |difference: &Difference| DifferenceView {
            score: difference.scores.0,
            opponent: difference.scores.1,
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
