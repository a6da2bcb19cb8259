//! Why strategies cannot be used.

use std::path::{Path, PathBuf};

use super::Strategy;
use super::python::PythonFault;
use crate::files::escape::shortened_to;
use crate::game::PolicyError;
use crate::limits;
use crate::partial::HiddenError;
use crate::solve::SolveError;
use crate::table::TableError;

/// Why a strategy cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StrategyError {
    /// The text is not the name of a strategy.
    #[error("unknown strategy `{}`; {reason}", shortened_to(text, limits::SHOWN_NAME_CHARS))]
    Unknown {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The text is not a family of strategies.
    #[error("`{}`: {reason}", shortened_to(text, limits::SHOWN_NAME_CHARS))]
    NoFamily {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// There is no shipped table for these rules.
    #[error(
        "no table is shipped for {game} with goal {goal} and at most {max_dice} dice; use \
         `optimal`, which solves it"
    )]
    NotShipped {
        /// The game's id.
        game: String,
        /// The goal of these rules.
        goal: u32,
        /// The largest number of dice of these rules.
        max_dice: i32,
    },
    /// The game's baseline cannot be played with the game's numbers of dice.
    #[error(
        "{game}'s baseline {baseline} cannot be played: {reason}; name another strategy to play \
         against"
    )]
    BaselineMisfit {
        /// The game's id.
        game: String,
        /// The baseline.
        baseline: String,
        /// Why it cannot be played.
        reason: String,
    },
    /// The game names no baseline.
    #[error("{game} names no baseline; name a strategy to play against")]
    NoBaseline {
        /// The game's id.
        game: String,
    },
    /// A game in which dice are kept may never end between players who keep them by win rates: of
    /// equal ones they may take one that leads nowhere, so that the win rates are not reached.
    #[error(
        "{game} may never end between these players: of equally good dice they may keep those that \
         lead nowhere; let `again` go on after a roll, let `min_dice` ask for a roll where the pot \
         is empty, as in Pig, and let every choice of dice score"
    )]
    KeepsMayStall {
        /// The game's id.
        game: String,
    },
    /// The strategy would open a file of a kind that [`Sources`](super::Sources) does not allow.
    #[error("`{name}` would open {what}, which is not allowed here")]
    Closed {
        /// The strategy's name.
        name: String,
        /// The kind of file that it would open.
        what: &'static str,
    },
    /// The strategy chooses a number of dice that the game does not allow.
    #[error("the strategy {name} cannot be played {error}")]
    Impossible {
        /// The strategy's name.
        name: String,
        /// The position, and the reason.
        error: PolicyError,
    },
    /// The strategy was made for another game.
    #[error("the strategy {name} is not for {game}: it has other states or numbers of dice")]
    Misfit {
        /// The strategy's name.
        name: String,
        /// The game's id.
        game: String,
    },
    /// The game lacks a rule that the strategy needs.
    #[error("the strategy {name} cannot be played at {game}: {needs}")]
    NoRule {
        /// The strategy's name.
        name: String,
        /// The game's id, or the path of its rules.
        game: String,
        /// What the game lacks.
        needs: String,
    },
    /// A `.hog` table could not be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A file of rolls could not be read.
    #[error("the file {}: {fault}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: FileFault,
    },
    /// The answers of a Python file cannot be used.
    #[error("the strategy {}: {fault}{}", .path.display(), .fault.advice(.path))]
    Python {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        fault: PythonFault,
        /// The line at fault, or else that which returns what cannot be used, or in which the
        /// function begins; `None` if it is not known.
        line: Option<usize>,
    },
    /// This system cannot sandbox Python strategies.
    #[error("Python strategies cannot be sandboxed here: {0}")]
    NotConfined(String),
    /// This system cannot run Python strategies, for example because it has no interpreter.
    #[error("Python strategies cannot be run here: {0}")]
    NoPython(String),
    /// In a browser's tab, where the page runs a Python strategy after the question and asks again.
    #[error("{} has not been run yet", .path.display())]
    NotRun {
        /// The file.
        path: PathBuf,
    },
    /// A strategy that has to be solved could not be.
    #[error(transparent)]
    Unsolved(#[from] SolveError),
    /// The search for a table against a mixture of strategies failed.
    #[error(transparent)]
    Unanswered(#[from] HiddenError),
}

/// What is wrong with a file of rolls.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", .line.map_or_else(String::new, |line| format!("line {line}: ")))]
pub struct FileFault {
    /// The line, from 1; `None` if it is not one line, or not known.
    pub line: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

impl FileFault {
    /// What is wrong with a line.
    pub(super) fn at(line: usize, reason: impl Into<String>) -> Self {
        Self { line: Some(line), reason: reason.into() }
    }
}

impl From<String> for FileFault {
    fn from(reason: String) -> Self {
        Self { line: None, reason }
    }
}

impl StrategyError {
    /// Whether the work was stopped by its watch.
    pub fn is_stop(&self) -> bool {
        let (Self::Unsolved(error) | Self::Unanswered(HiddenError::Unsolved(error))) = self else {
            return false;
        };
        *error == SolveError::Cancelled
    }

    /// Describes the error to the author of a strategy's file, who knows it by its name alone and
    /// cannot choose another function.
    pub fn to_author_of(&self, strategy: &Strategy, file: &Path) -> String {
        let text = match self {
            Self::Python { path, fault, .. } => format!("{}: {fault}", path.display()),
            other => other.to_string(),
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let text = text.replace(&strategy.to_string(), &name);
        let text = text.replace(&file.display().to_string(), &name);
        ["the strategy ", "the file "]
            .into_iter()
            .find_map(|start| text.strip_prefix(start))
            .unwrap_or(&text)
            .to_owned()
    }
}
