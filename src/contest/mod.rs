//! Strategies against each other: exact round robins and rankings.

mod keep;
mod loading;
mod robin;
mod standing;

pub use keep::{KeepError, KeptPairs};
pub use loading::{Entrant, Rejected, entrants};
pub use robin::{Robin, RobinError, round_robin};
pub use standing::{Standing, Standings};

/// What a pair's average win rate must exceed to count as a win, as in the course's contests.
pub const WINNING: f64 = 0.500001;
