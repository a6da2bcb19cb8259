//! Strategies in Python files: asked once about all scores, in a separate process that is shut in.
//!
//! What is guaranteed, and on which kernel, stands in [`confine`]'s module: on Linux 5.13 or later a strategy cannot
//! write, read other files, use the network, start processes or outlive the program; elsewhere it is not run unless it is
//! trusted ([`Launcher::trusting`]). It is asked about every pair of scores twice, in different orders, and one that
//! answers differently is refused. A strategy can lie to the harness that asks it, which runs in its own process, but
//! only about its own answers.

mod answers;
#[cfg(target_os = "linux")]
mod calls;
mod confine;
mod fault;
mod interpreter;
mod launcher;
mod process;

pub use confine::confine;
pub use fault::{At, PythonFault};
pub use launcher::{CONFINE, DEFAULT_SECONDS, Launcher};

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;

use crate::files;
use crate::game::{Game, Plan};

use super::StrategyError;
use answers::{Answers, encode};
use process::Failure;

/// The function that is asked if none is named.
const FUNCTION: &str = "final_strategy";

/// The largest file that is read as a strategy, in bytes.
const LARGEST_FILE: u64 = 16 << 20;

/// A function of (score, opponent_score) in a Python file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PythonFile {
    /// The file.
    pub path: PathBuf,
    /// The function's name.
    pub function: String,
}

impl fmt::Display for PythonFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "python:{}", self.path.display())?;
        if self.function == FUNCTION { Ok(()) } else { write!(f, ":{}", self.function) }
    }
}

impl PythonFile {
    /// The strategy of a file under its usual name.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), function: FUNCTION.into() }
    }

    /// Reads `FILE[:FUNCTION]`; `None` if there is no file.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let named = text.rsplit_once(':').filter(|(path, name)| !path.is_empty() && is_name(name));
        let (path, function) = named.unwrap_or((text, FUNCTION));
        (!path.is_empty()).then(|| Self { path: path.into(), function: function.into() })
    }

    /// Asks it about all scores of a game.
    pub(super) fn plan(&self, game: &Game, launcher: &Launcher) -> Result<Plan, StrategyError> {
        let unreadable = |reason: String| StrategyError::File { path: self.path.clone(), reason };
        let source = files::read(&self.path, LARGEST_FILE).map_err(|error| unreadable(error.to_string()))?;
        let path = self.path.canonicalize().map_err(|error| unreadable(error.to_string()))?;
        let space = game.space();
        // Hard to guess for a strategy that would like to write answers of its own.
        let secret = format!("{:016x}:", RandomState::new().hash_one(&source));
        let range = (space.min_dice, space.dice(space.actions - 1));
        let mut answers = Answers::new(secret.clone(), space.goal, range, self.function.clone());
        let shown = encode(path.to_string_lossy().as_bytes());
        let mut input = format!("{secret}\n{}\n{shown}\n{}\n", self.function, space.goal).into_bytes();
        input.extend(source);
        let seconds = launcher.seconds_for(space.goal * space.goal);
        let asked = process::ask(launcher, &path, input, seconds, &mut answers);
        asked.map_err(|failure| match failure {
            Failure::Fault(fault) => StrategyError::Python { path: self.path.clone(), fault },
            Failure::Machine(reason) => StrategyError::NotShutIn(reason),
        })?;
        let action = |dice: &i32| space.action(*dice).expect("answers are checked as they come") as u8;
        Ok(Plan::of_scores(game, answers.into_dice().iter().map(action).collect()))
    }
}

fn is_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c == '_' || c.is_alphanumeric())
        && !text.is_empty()
}
