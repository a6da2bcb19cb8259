//! Analysis of strategies and games: where a strategy loses and why, families of strategies, and
//! what a game is like.

mod compare;
mod describe;
mod explain;
mod misses;
mod reason;
mod simplify;
mod thresholds;
mod tune;

pub use compare::{PositionDifference, compare};
pub use describe::{
    Choices, Comeback, Description, MATTERS, Mean, RuleUse, Skill, describe, game_lengths,
    mean_turns, turns_begun,
};
pub use explain::{Explanation, Mistake, Reached, WrongKeep, explain, worst_keep};
pub use misses::{Answered, Miss, misses};
pub use reason::{AddedPoints, reason};
pub use simplify::{
    Attribute, Benchmark, Comparison, DecisionList, Line, Simplified, Wanted, simplify,
};
pub use thresholds::{Thresholds, thresholds};
pub use tune::rates;

/// Returns the sum of the terms; 0 if there are none, where [`Iterator::sum`] returns -0.
fn sum(terms: impl Iterator<Item = f64>) -> f64 {
    terms.fold(0.0, |sum, term| sum + term)
}
