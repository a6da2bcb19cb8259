//! Strategies in Python files: asked about all scores, in separate processes that are shut in.
//!
//! What is guaranteed, and on which kernel, stands in [`confine`]'s module: on Linux 5.13 or later a strategy cannot
//! write, read other files, use the network, start processes or outlive the program; elsewhere it is not run unless it is
//! trusted ([`Launcher::trusting`]). Two processes are asked about every pair of scores, in different orders and with
//! different random numbers, and a strategy that answers differently is refused. It can lie to the harness that asks it,
//! which runs in its own process, but only about its own answers.
//!
//! # Reading many files
//!
//! A file is read by turning its [`Strategy`](super::Strategy) into a plan
//! ([`plan_from`](super::Strategy::plan_from)): a plan or a fault for each. Call it for many files from as many threads
//! as there are (`par_iter`), and tell of each by name as it comes back. Copies of a [`Launcher`] share the interpreter,
//! which is looked for once, the answers kept from earlier runs ([`Launcher::keeping_answers_in`]), and a bound on
//! how many processes run at once, so no more than half of the machine's memory is taken.
//!
//! A file named by the user may read what lies in its folder ([`PythonFile::new`]). One of several in a folder, whose
//! authors do not know each other, may not: [`PythonFile::alone`].

mod answers;
mod beside;
#[cfg(target_os = "linux")]
mod calls;
mod confine;
mod fault;
mod interpreter;
mod kept;
mod launcher;
mod process;
#[cfg(target_os = "linux")]
mod root;
mod running;
mod twice;

pub use answers::read_answers;
pub use confine::confine;
pub use fault::{At, PythonFault};
pub use launcher::{CONFINE, DEFAULT_SECONDS, Launcher};
pub use running::end_all;

use std::fmt;
use std::path::PathBuf;

use crate::files;
use crate::game::{Game, Plan};
use crate::solve::{SolveError, Watch};

use super::StrategyError;
use answers::Questions;
use beside::Beside;
use kept::Key;
use process::Failure;
use twice::Consultation;

/// The function that is asked if none is named.
const FUNCTION: &str = "final_strategy";

/// The largest file that is read as a strategy, in bytes; so much may lie beside one whose answers are kept.
const LARGEST_FILE: u64 = 16 << 20;

/// A function of (score, opponent_score) in a Python file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PythonFile {
    /// The file.
    pub path: PathBuf,
    /// The function's name.
    pub function: String,
    /// Whether it may use random numbers: each position is then asked once, with a fixed seed. Written `seeded:FILE`.
    pub seeded: bool,
    /// Whether it may read the files of its folder.
    own_folder: bool,
    /// Numbers that it is given by name beside the scores.
    keywords: Vec<(String, i64)>,
}

impl fmt::Display for PythonFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", if self.seeded { "seeded" } else { "python" }, self.path.display())?;
        if self.function != FUNCTION || !self.keywords.is_empty() {
            write!(f, ":{}", self.function)?;
        }
        if self.keywords.is_empty() { Ok(()) } else { write!(f, "({})", self.keywords_in_words()) }
    }
}

impl PythonFile {
    /// The strategy of a file under its usual name, that may read what lies beside it.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), function: FUNCTION.into(), seeded: false, own_folder: true, keywords: Vec::new() }
    }

    /// The same strategy, that may read its own file only.
    #[must_use]
    pub fn alone(mut self) -> Self {
        self.own_folder = false;
        self
    }

    /// The same strategy, that may use random numbers: each position is asked once, with a fixed seed.
    #[must_use]
    pub fn seeded(mut self) -> Self {
        self.seeded = true;
        self
    }

    /// Reads `FILE[:FUNCTION]`; `None` if there is no file.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let named = text.rsplit_once(':').filter(|(path, name)| !path.is_empty() && is_name(name));
        let (path, function) = named.unwrap_or((text, FUNCTION));
        (!path.is_empty()).then(|| Self { function: function.into(), ..Self::new(path) })
    }

    /// Gives it a number by name; false if that is no name.
    pub(super) fn set(&mut self, name: &str, value: i64) -> bool {
        self.keywords.retain(|(known, _)| known != name);
        self.keywords.push((name.to_owned(), value));
        is_name(name) && !matches!(name, "score" | "opponent_score")
    }

    fn keywords_in_words(&self) -> String {
        let keywords: Vec<String> = self.keywords.iter().map(|(name, value)| format!("{name}={value}")).collect();
        keywords.join(", ")
    }

    /// The file's text and the function to ask: where numbers are given by name, one at the end that passes them on.
    fn called(&self, mut source: Vec<u8>) -> (Vec<u8>, String) {
        if self.keywords.is_empty() {
            return (source, self.function.clone());
        }
        let (passing, name, keywords) = ("_with_numbers_given", &self.function, self.keywords_in_words());
        let head = format!("\n\n\ndef {passing}(score, opponent_score):\n");
        source.extend_from_slice(head.as_bytes());
        source.extend_from_slice(format!("    return {name}(score, opponent_score, {keywords})\n").as_bytes());
        (source, passing.into())
    }

    /// Asks it about all scores of a game.
    pub(super) fn plan(&self, game: &Game, launcher: &Launcher, watch: &Watch) -> Result<Plan, StrategyError> {
        let unreadable =
            |error: std::io::Error| StrategyError::File { path: self.path.clone(), reason: error.to_string() };
        let source = files::read(&self.path, LARGEST_FILE).map_err(unreadable)?;
        let (source, function) = self.called(source);
        let path = self.path.canonicalize().map_err(unreadable)?;
        let beside = if self.own_folder { Beside::own_folder(&path) } else { Beside::alone(&path) };
        let space = game.space();
        let questions = Questions {
            function,
            goal: space.goal,
            range: (space.min_dice, space.dice(space.actions - 1)),
            readable: beside.in_words(),
        };
        let asked =
            Consultation { launcher, path: &path, source: &source, beside: &beside, questions, seeded: self.seeded };
        let dice = kept_or(&asked, || asked.twice(watch)).map_err(|failure| match failure {
            Failure::Fault(fault) => StrategyError::Python { path: self.path.clone(), fault },
            Failure::NotShutIn(reason) if !launcher.trust => StrategyError::NotShutIn(reason),
            Failure::NotShutIn(reason) | Failure::NoPython(reason) => StrategyError::NoPython(reason),
            Failure::Stopped => StrategyError::Unsolved(SolveError::Cancelled),
        })?;
        let action = |dice: &i32| space.action(*dice).expect("answers are checked as they come") as u8;
        Ok(Plan::of_scores(game, dice.iter().map(action).collect()))
    }
}

/// The answers of an earlier run if there are any, else those that are found now, which are kept.
fn kept_or(asked: &Consultation, find: impl FnOnce() -> Result<Vec<i32>, Failure>) -> Result<Vec<i32>, Failure> {
    let kept = asked.launcher.kept.as_deref().filter(|_| !asked.launcher.trust);
    let Some((kept, key)) = kept.and_then(|kept| Some((kept, key(asked)?))) else { return find() };
    let Questions { goal, range, .. } = asked.questions;
    if let Some(dice) = kept.read(&key, goal * goal, range) {
        return Ok(dice);
    }
    let dice = find()?;
    kept.write(&key, &dice);
    Ok(dice)
}

/// All that the answers depend on; none if it cannot be told, or is too much to read.
fn key(asked: &Consultation) -> Option<Key> {
    let interpreter = asked.launcher.interpreter().ok()?;
    let Questions { function, goal, range, .. } = &asked.questions;
    let numbers = format!("{goal} {range:?} {} {}", asked.launcher.seconds_for(goal * goal), asked.seeded);
    let mut key = Key::new().with(env!("CARGO_PKG_VERSION").as_bytes()).with(process::HARNESS.as_bytes());
    key = key.with(interpreter.version.as_bytes()).with(function.as_bytes()).with(numbers.as_bytes());
    for packages in &interpreter.packages {
        let changed = packages.metadata().and_then(|metadata| metadata.modified()).ok()?;
        key = key.with(packages.as_os_str().as_encoded_bytes()).with(format!("{changed:?}").as_bytes());
    }
    key = key.with(asked.path.as_os_str().as_encoded_bytes()).with(asked.source);
    let mut left = LARGEST_FILE;
    for file in asked.beside.files.iter().filter(|file| *file != asked.path) {
        let bytes = files::read(file, left).ok()?;
        left -= bytes.len() as u64;
        key = key.with(file.as_os_str().as_encoded_bytes()).with(&bytes);
    }
    Some(key)
}

fn is_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c == '_' || c.is_alphanumeric())
        && !text.is_empty()
}
