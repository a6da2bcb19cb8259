//! What a game or a strategy is like.

mod compare;
mod describe;
mod explain;
mod misses;
mod reason;
mod tune;

pub use compare::{Difference, compare};
pub use describe::{Description, MATTERS, SkillRate, Statistic, describe, game_lengths};
pub use explain::{Explanation, Mistake, Reached, explain};
pub use misses::{Answered, MOST_MISSES, Miss, misses};
pub use reason::reason;
pub use tune::rates;

/// A sum that is 0 where there is nothing; the library's is -0.
fn sum(terms: impl Iterator<Item = f64>) -> f64 {
    terms.fold(0.0, |sum, term| sum + term)
}
