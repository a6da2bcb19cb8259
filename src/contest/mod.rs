//! Strategies against each other: exact round robins and rankings.
//!
//! What was handed in ([`field`]: files, folders, archives, under names that can be shown) is rated pair by pair
//! ([`round_robin`]) and ranked by the rules of a course's contest ([`Standings`], [`Scoring`]).

mod archive;
mod gradescope;
mod keep;
mod loading;
mod naming;
mod outline;
mod paths;
mod robin;
mod roster;
mod standing;
mod submissions;

pub use keep::{KeepError, KeptPairs};
pub use loading::{Entrant, Field, FieldError, Invitation, OnRead, Rejected, field};
pub use naming::{LONGEST_NAME, Naming};
pub use robin::{Robin, RobinError, round_robin};
pub use roster::RosterError;
pub use standing::{RankBy, Scoring, Standing, Standings, TieBreak};

/// What a pair's average win rate must exceed to count as a win unless something else is said, as in the course's contests.
pub const WINNING: f64 = 0.500001;
