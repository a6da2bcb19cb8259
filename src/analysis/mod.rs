//! What a game or a strategy is like.

mod explain;
mod misses;
mod reason;

pub use explain::{Explanation, Mistake, Reached, explain};
pub use misses::{Answered, MOST_MISSES, Miss, misses};
pub use reason::reason;
