//! Why an engine has no answer. No message names an option of a command line: who has options adds them.

use std::path::PathBuf;

use crate::bid::BidError;
use crate::check::CheckError;
use crate::contest::{FieldError, KeepError, RobinError, RosterError};
use crate::game::{PositionError, TurnError};
use crate::partial::HiddenError;
use crate::rules::{Faults, RulesError};
use crate::sim::ExperimentError;
use crate::sim::session::TranscriptError;
use crate::solve::SolveError;
use crate::strategy::StrategyError;
use crate::survey::SurveyError;
use crate::table::TableError;

/// Why an engine has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// Rules could not be had.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Rules were read and do not make a game.
    #[error(transparent)]
    Game(#[from] Faults),
    /// A name would open a file, and none may be opened.
    #[error("`{name}` would open a file, which is not allowed here")]
    Closed {
        /// The name.
        name: String,
    },
    /// A game is past the limits.
    #[error(
        "{game} with goal {goal} has {states} states or more, which take {mebibytes} MiB of memory or more; the limits \
         are {} states and {} MiB: lower the goal", .limits.0, .limits.1
    )]
    TooLarge {
        /// The game's id.
        game: String,
        /// Its goal.
        goal: u32,
        /// How many states it has at least.
        states: u64,
        /// The memory they take at least.
        mebibytes: u64,
        /// The most states, and the most memory in MiB.
        limits: (u64, u64),
    },
    /// The work took too long.
    #[error("stopped after {seconds} seconds, the limit")]
    Time {
        /// The limit.
        seconds: f64,
    },
    /// Scores or memories that are none of the game's.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A turn that cannot be played.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// A strategy that cannot be used.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The game could not be solved, or the work was stopped.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// No table that sees less than everything could be found.
    #[error(transparent)]
    Search(#[from] HiddenError),
    /// A fraction is asked for, in floats.
    #[error("a fraction takes exact numbers, not floats")]
    FractionInFloats,
    /// A table that sees less than the game remembers is sought, against nobody.
    #[error("{game} has a memory: a table that sees only scores is sought against a strategy; name one")]
    NobodyToAnswer {
        /// The game's id.
        game: String,
    },
    /// A table that sees less than the game remembers is sought, in exact numbers.
    #[error("{game} has a memory: a table that sees only scores is sought in floats, without a fraction")]
    SearchIsInFloats {
        /// The game's id.
        game: String,
    },
    /// A table's rules cannot be changed.
    #[error("a goal and a number of dice change rules, not a table that is solved already")]
    SolvedAlready,
    /// A number of dice that the game does not allow.
    #[error("a roll of {dice} dice: the game allows {least} to {most}")]
    NoSuchRoll {
        /// The number.
        dice: i32,
        /// The fewest.
        least: i32,
        /// The most.
        most: i32,
    },
    /// A game that goes on and on.
    #[error("the game is not over after {most} turns, the limit")]
    TooManyTurns {
        /// The limit.
        most: usize,
    },
    /// More rolls than the game has turns.
    #[error("the game is over after {turns} turns, and a roll of {dice} dice is left: leave it out")]
    RollAfterTheEnd {
        /// How many turns it has.
        turns: usize,
        /// The first roll too many.
        dice: i32,
    },
    /// A number where the faces of dice belong.
    #[error("dice is {dice}: give the faces in brackets, as in [2,5]")]
    FacesWanted {
        /// The number.
        dice: i32,
    },
    /// The bids for the start could not be solved.
    #[error(transparent)]
    Bid(#[from] BidError),
    /// A contest came to no end.
    #[error(transparent)]
    Contest(#[from] RobinError),
    /// The people of a contest could not be read.
    #[error(transparent)]
    Roster(#[from] RosterError),
    /// Finished pairs of a contest cannot be kept.
    #[error(transparent)]
    Keep(#[from] KeepError),
    /// There is nobody in a contest.
    #[error("there is nobody to play: no .py, .csv, .npy, .txt or .hog file, and no folder with one, in {names}")]
    NobodyPlays {
        /// What was named.
        names: String,
    },
    /// A table could not be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A best response does not hold what it answers.
    #[error("the table {name} does not hold the rolls of the strategy it answers (format version 1): solve it again")]
    RollsMissing {
        /// The table's name.
        name: String,
    },
    /// No table comes with hog for a game.
    #[error("no table is shipped for {game}; name the file of one")]
    NoTable {
        /// The game's id.
        game: String,
    },
    /// A table could not be checked.
    #[error("cannot check {table}: {error}")]
    Check {
        /// Its name.
        table: String,
        /// Why.
        error: CheckError,
    },
    /// A game has no figures.
    #[error("{game}: {error}")]
    Survey {
        /// The game's id.
        game: String,
        /// Why.
        error: SurveyError,
    },
    /// Experiments could not be run.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A game cannot be played once more.
    #[error("cannot replay {}: {error}", .path.display())]
    Replay {
        /// The file.
        path: PathBuf,
        /// Why.
        error: ReplayError,
    },
}

/// Why a game cannot be played once more.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// Its file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] std::io::Error),
    /// Its file holds something else.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
}

impl From<FieldError> for EngineError {
    fn from(error: FieldError) -> Self {
        match error {
            FieldError::Strategy(error) => Self::Strategy(error),
            FieldError::Roster(error) => Self::Roster(error),
        }
    }
}

impl EngineError {
    /// The faults of a rule file, if that is what is wrong.
    pub fn faults(&self) -> Option<&Faults> {
        match self {
            Self::Rules(RulesError::Faulty(faults)) | Self::Game(faults) => Some(faults),
            _ => None,
        }
    }

    /// Whether the work was stopped from outside, rather than failed.
    pub fn is_stop(&self) -> bool {
        let stopped = |error: &SolveError| *error == SolveError::Cancelled;
        match self {
            Self::Solve(error) | Self::Strategy(StrategyError::Unsolved(error)) => stopped(error),
            Self::Contest(RobinError::Unsolved(error)) | Self::Experiment(ExperimentError::Stopped(error)) => {
                stopped(error)
            }
            Self::Bid(BidError::Unsolved(error)) => stopped(error),
            Self::Check { error, .. } => *error == CheckError::Cancelled,
            Self::Time { .. } => true,
            _ => false,
        }
    }
}
