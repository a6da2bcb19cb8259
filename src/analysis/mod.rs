//! What a game or a strategy is like.

mod explain;

pub use explain::{Explanation, Mistake, Reached, explain};
