//! Why a claim could not be checked, and the report of progress that may end a check.

use hog_rules::turn::Position;

/// Why a claim could not be checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// The progress callback cancelled the check.
    #[error("stopped before the end")]
    Cancelled,
    /// The claim is not about this game.
    #[error("the claim does not fit the game: {0}")]
    Misfit(String),
    /// A rule's formula has no value, or one out of its range.
    #[error("the rule {rule} at {score}-{opponent}: {fault}")]
    Rule {
        /// The rule's name.
        rule: String,
        /// The mover's score then.
        score: i64,
        /// The opponent's score then.
        opponent: i64,
        /// What is wrong.
        fault: String,
    },
    /// The game numbers two positions as one state although they are not equivalent.
    #[error("the game numbers {} and {} as one state, but {dice} dice differ \
             there", place(.one), place(.other))]
    Unlike {
        /// A position.
        one: Position,
        /// The position that represents it.
        other: Position,
        /// The number of dice that distinguishes them.
        dice: i32,
    },
    /// A loop of the game has no bounds that could be verified.
    #[error(
        "it brings no bounds for the loops of its game that could be verified: older versions of \
         hog wrote none, packed tables hold none, and where play lasts too long none can be proven"
    )]
    NoBounds,
    /// A best response to a plan of which only the rolls are known, where dice are kept.
    #[error(
        "it does not hold which dice the strategy keeps that it answers: only those of built-in \
         strategies are known"
    )]
    NothingKept,
    /// Too many states, or exact numbers that would not fit in memory.
    #[error("{0}")]
    TooLarge(String),
    /// The values of a loop did not converge.
    #[error("the values of the loop through state {state} do not converge")]
    NotConverged {
        /// A state in it.
        state: usize,
    },
}

/// Reports progress: the number of sums of scores that are done, and their total.
pub(super) struct Steps<'a> {
    pub on_step: &'a dyn Fn(usize, usize) -> bool,
    pub total: usize,
}

impl Steps<'_> {
    pub fn report(&self, done: usize) -> Result<(), CheckError> {
        if (self.on_step)(done, self.total) { Ok(()) } else { Err(CheckError::Cancelled) }
    }
}

/// Returns a position as text, for messages.
pub(super) fn place(position: &Position) -> String {
    let memory = if position.memory.is_empty() {
        String::new()
    } else {
        format!(" with memories {:?}", position.memory)
    };
    format!("{}-{}{memory}", position.score, position.opponent)
}
