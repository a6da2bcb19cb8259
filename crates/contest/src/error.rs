//! Why a contest could not be held.

use crate::engine::Error;

use super::{FieldError, KeepError, RobinError, RosterError};

/// Why a contest could not be held, besides what may happen to any question.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContestError {
    /// A request names nobody.
    #[error("there are no entrants: name strategies as `entrants`, or send `files`")]
    NoEntrants,
    /// More entrants than the limit.
    #[error("{entrants} entrants: contests here have at most {most}")]
    TooManyEntrants {
        /// The number of entrants.
        entrants: usize,
        /// The limit.
        most: usize,
    },
    /// The default roll is none of the game.
    #[error("the default roll {default} is none of {game}: it takes one of {least} to {most} dice")]
    DefaultRoll {
        /// The default.
        default: i32,
        /// The game's id.
        game: String,
        /// The fewest dice of a turn.
        least: i32,
        /// The most.
        most: i32,
    },
    /// Where dice are kept, strategies are asked for more than a roll.
    #[error("a default roll is for games in which no dice are kept")]
    DefaultOfKept,
    /// There are no strategies in what was named.
    #[error(
        "there are no entrants: no .py, .csv, .npy, .txt, .strat or .hog file, and no folder \
         with one, in {names}"
    )]
    NobodyPlays {
        /// The names that were given.
        names: String,
    },
    /// Not all pairs could be rated.
    #[error(transparent)]
    Robin(#[from] RobinError),
    /// The roster could not be read.
    #[error(transparent)]
    Roster(#[from] RosterError),
    /// The finished pairs cannot be read or saved.
    #[error(transparent)]
    Keep(#[from] KeepError),
    /// A file that took part in the contest that is shown could not be read again, or one more
    /// takes part.
    #[error("others take part now than in the contest that is shown: run it again")]
    OtherEntrants,
    /// The contest that is shown is not the answer to a contest.
    #[error("`shown` is not an answer of `contest`: {0}")]
    NotShown(serde_json::Error),
    /// The pages are too large for one archive.
    #[error(
        "the reports are too large to download: send fewer entrants, or write the reports to a \
         folder"
    )]
    ReportsTooLarge,
    /// The roster has no column for the points, or several.
    #[error("`{heading}` is no column of the roster, or several; it has {}", .known.join(", "))]
    NoGradeColumn {
        /// The heading that was asked for.
        heading: String,
        /// The headings of the roster.
        known: Vec<String>,
    },
    /// There are no points for a column of the roster.
    #[error("there are no points for `grade_column`: say how many by `points`")]
    NoPoints,
}

impl ContestError {
    /// Whether the request itself is wrong, whatever its files hold.
    pub fn is_of_request(&self) -> bool {
        self.kind() == "request" || matches!(self, Self::TooManyEntrants { .. })
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::NoEntrants
            | Self::NotShown(_)
            | Self::NoGradeColumn { .. }
            | Self::NoPoints
            | Self::DefaultRoll { .. }
            | Self::DefaultOfKept => "request",
            Self::TooManyEntrants { .. } | Self::ReportsTooLarge => "limit",
            Self::Roster(_) | Self::Keep(_) | Self::Robin(RobinError::Keep(_)) => "file",
            Self::NobodyPlays { .. } | Self::OtherEntrants | Self::Robin(_) => "contest",
        }
    }
}

impl ContestError {
    /// The parameter of the request that it is about.
    fn parameter(&self) -> Option<&'static str> {
        match self {
            Self::NoEntrants | Self::TooManyEntrants { .. } | Self::NobodyPlays { .. } => {
                Some("entrants")
            }
            Self::DefaultRoll { .. } | Self::DefaultOfKept => Some("default_roll"),
            Self::Roster(_) => Some("roster"),
            Self::NotShown(_) | Self::OtherEntrants => Some("shown"),
            Self::NoGradeColumn { .. } => Some("grade_column"),
            Self::NoPoints => Some("points"),
            Self::Robin(_) | Self::Keep(_) | Self::ReportsTooLarge => None,
        }
    }
}

impl From<ContestError> for Error {
    fn from(error: ContestError) -> Self {
        Self::Other { kind: error.kind(), parameter: error.parameter(), error: Box::new(error) }
    }
}

impl From<FieldError> for Error {
    fn from(error: FieldError) -> Self {
        match error {
            FieldError::Strategy(error) => error.into(),
            FieldError::Roster(error) => ContestError::Roster(error).into(),
        }
    }
}

impl From<RobinError> for Error {
    fn from(error: RobinError) -> Self {
        ContestError::Robin(error).into()
    }
}

impl From<KeepError> for Error {
    fn from(error: KeepError) -> Self {
        ContestError::Keep(error).into()
    }
}
