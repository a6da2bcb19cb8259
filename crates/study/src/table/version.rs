//! The versions of the format of tables.

/// The format version of equilibria, and of best responses that were written before version 2.
pub const VERSION: u32 = 1;
/// The format version of best responses that hold the rolls of the strategy that they answer.
pub const ANSWER_VERSION: u32 = 2;
/// The format version of tables that hold the bounds of loops, and the opponent's rolls if there
/// are any.
pub const BOUNDS_VERSION: u32 = 3;
