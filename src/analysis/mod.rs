//! What a game or a strategy is like.

mod explain;
mod reason;

pub use explain::{Explanation, Mistake, Reached, explain};
pub use reason::reason;
