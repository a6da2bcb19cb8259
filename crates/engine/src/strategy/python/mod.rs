//! Strategies in Python files: called for all pairs of scores, in separate sandboxed processes.
//!
//! The module of [`confine`] documents the guarantees and the kernels they need. On Linux 5.13 or
//! later a strategy cannot write, read other files, use the network, start processes or outlive the
//! program; elsewhere it is not run unless it is trusted ([`Launcher::trusting`]). Two processes
//! answer for every pair of scores, in different orders and with different random numbers, and a
//! strategy whose answers differ is refused. A strategy can deceive the harness that calls it,
//! which runs in the same process, but only about its own answers.
//!
//! # Reading many files
//!
//! [`plan_from`](super::Strategy::plan_from) turns the [`Strategy`](super::Strategy) of one file
//! into a plan or a fault. For many files, call it from all threads (`par_iter`). Copies of a
//! [`Launcher`] share the interpreter, which is searched for once, the answers kept from earlier
//! runs ([`Launcher::keeping_answers_in`]), and a limit on the number of concurrent processes, so
//! that they use at most half of the machine's memory.
//!
//! A file named by the user may read the files of its folder ([`PythonFile::new`]). One of several
//! files by different authors in the same folder may not: [`PythonFile::alone`].

mod answers;
#[cfg(target_os = "linux")]
mod calls;
mod confine;
mod fault;
mod interpreter;
mod kept;
mod launcher;
mod notebook;
mod process;
mod readable;
#[cfg(target_os = "linux")]
mod root;
mod running;
mod twice;

pub use answers::read_answers;
pub use confine::confine;
pub use fault::{At, PythonFault};
pub use launcher::{CONFINE, DEFAULT_SECONDS, Launcher};
pub use notebook::cell;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::files::{self, has_extension};
use crate::game::{Game, Plan};
use crate::solve::{SolveError, Watch};

use super::StrategyError;
use answers::Questions;
use kept::Key;
use process::Failure;
use readable::ReadableFiles;
use twice::StrategyRun;

/// The names of the two arguments of a function, as in the handouts.
const SCORES: &str = "score, opponent_score";

/// The function that is called if no other is named.
const FUNCTION: &str = "final_strategy";

/// The size limit of a strategy's file, in bytes, and of all its other files together if its
/// answers are to be kept.
pub(super) const LARGEST_FILE: u64 = 16 << 20;

/// A function of (score, opponent_score) in a Python file, or in a cell of a notebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PythonFile {
    /// The file.
    pub path: PathBuf,
    /// The function's name.
    pub function: String,
    /// Whether it may use random numbers: every process then starts with the same fixed seed and
    /// asks in the same order. Written `seeded:FILE`.
    pub seeded: bool,
    /// Whether it may read the files of its folder.
    own_folder: bool,
    /// What identifies it from run to run; `None` for its path.
    known_as: Option<String>,
    /// Keyword arguments that are passed in addition to the scores.
    keywords: Vec<(String, i64)>,
    /// Text that is appended to the file's, and the function in it to call.
    appended: Option<(&'static str, String)>,
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
    /// The function `final_strategy` of a file, which may read the files of its folder.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            function: FUNCTION.into(),
            seeded: false,
            own_folder: true,
            known_as: None,
            keywords: Vec::new(),
            appended: None,
        }
    }

    /// A function in a text that is appended to the file's, in place of one of its own.
    #[must_use]
    pub(super) fn calling(mut self, function: &'static str, text: &str) -> Self {
        self.appended = Some((function, text.to_owned()));
        self
    }

    /// The same strategy, in a folder that is removed after its use: its path is never the same
    /// again.
    #[must_use]
    pub fn temporary(mut self) -> Self {
        self.known_as =
            Some(self.path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        self
    }

    /// Sets the name of a [temporary](Self::temporary) file that is the same in every run, such as
    /// its path in an archive. Files with different names never share a kept result, even if
    /// their contents are the same.
    #[must_use]
    pub fn known_as(mut self, name: &str) -> Self {
        self.known_as = self.known_as.map(|_| name.to_owned());
        self
    }

    /// The same strategy, restricted to reading its own file.
    #[must_use]
    pub fn alone(mut self) -> Self {
        self.own_folder = false;
        self
    }

    /// The same strategy, allowed to use random numbers, which come from a fixed seed.
    #[must_use]
    pub fn seeded(mut self) -> Self {
        self.seeded = true;
        self
    }

    /// Parses `FILE[:FUNCTION]`; returns `None` if the file is empty.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let named = text.rsplit_once(':').filter(|(path, name)| !path.is_empty() && is_name(name));
        let (path, function) = named.unwrap_or((text, FUNCTION));
        (!path.is_empty()).then(|| Self { function: function.into(), ..Self::new(path) })
    }

    /// Sets a keyword argument; returns false if the name is not an identifier, or is that of a
    /// score.
    pub(super) fn set(&mut self, name: &str, value: i64) -> bool {
        self.keywords.retain(|(known, _)| known != name);
        self.keywords.push((name.to_owned(), value));
        is_name(name) && !matches!(name, "score" | "opponent_score")
    }

    /// Returns the names of the arguments with which the function is called.
    fn arguments(&self) -> String {
        let keywords = self.keywords.iter().map(|(name, _)| name.as_str());
        [SCORES].into_iter().chain(keywords).collect::<Vec<_>>().join(", ")
    }

    fn keywords_in_words(&self) -> String {
        let keywords: Vec<String> =
            self.keywords.iter().map(|(name, value)| format!("{name}={value}")).collect();
        keywords.join(", ")
    }

    /// Returns the source to run and the function to call. With keyword arguments, a function that
    /// passes them is appended to the file's text.
    fn called(&self, mut source: Vec<u8>) -> (Vec<u8>, String) {
        if let Some((function, text)) = &self.appended {
            source.extend_from_slice(text.as_bytes());
            return (source, (*function).into());
        }
        if self.keywords.is_empty() {
            return (source, self.function.clone());
        }
        let (passing, name, keywords) =
            ("_with_numbers_given", &self.function, self.keywords_in_words());
        let head = format!("\n\n\ndef {passing}(score, opponent_score):\n");
        source.extend_from_slice(head.as_bytes());
        source.extend_from_slice(
            format!("    return {name}(score, opponent_score, {keywords})\n").as_bytes(),
        );
        (source, passing.into())
    }

    /// Calls the function for all pairs of scores of a game.
    pub(super) fn plan(
        &self,
        game: &Game,
        launcher: &Launcher,
        follow_links: bool,
        watch: &Watch,
    ) -> Result<Plan, StrategyError> {
        let unreadable = |error: std::io::Error| StrategyError::File {
            path: self.path.clone(),
            reason: error.to_string(),
        };
        // From here on no part of the path may be a link: what is executed, what may be read, and
        // what is shown in the sandbox are then the same file.
        let path = match follow_links {
            true => self.path.canonicalize().map_err(unreadable)?,
            false => self.path.clone(),
        };
        let mut source = files::read_without_links(&path, LARGEST_FILE).map_err(unreadable)?;
        if is_notebook(&self.path) {
            let unusable = |reason: String| StrategyError::File { path: self.path.clone(), reason };
            source = cell(&source, &self.function).map_err(unusable)?.into_bytes();
        }
        let (source, function) = self.called(source);
        let readable = if self.own_folder {
            ReadableFiles::own_folder(&path)
        } else {
            ReadableFiles::alone(&path)
        };
        let space = game.space();
        let questions = Questions {
            function,
            arguments: self.arguments(),
            folder: path.parent().unwrap_or(&path).to_owned(),
            goal: space.goal,
            range: (space.min_dice, space.dice(space.actions - 1)),
            readable: without_place(&readable),
        };
        let run = StrategyRun {
            launcher,
            path: &path,
            source: &source,
            readable: &readable,
            questions,
            known_as: self.known_as.as_deref(),
            seeded: self.seeded,
        };
        let dice = kept_or(&run, || run.twice(watch)).map_err(|failure| match failure {
            Failure::Fault(fault) => StrategyError::Python { path: self.path.clone(), fault },
            Failure::NotShutIn(reason) if !launcher.trust => StrategyError::NotShutIn(reason),
            Failure::NotShutIn(reason) | Failure::NoPython(reason) => {
                StrategyError::NoPython(reason)
            }
            Failure::Stopped => StrategyError::Unsolved(SolveError::Cancelled),
        })?;
        let action =
            |dice: &i32| space.action(*dice).expect("answers are checked as they come") as u8;
        Ok(Plan::of_scores(game.states(), dice.iter().map(action).collect()))
    }
}

/// Describes what a strategy may read, the same wherever its folder is.
fn without_place(readable: &ReadableFiles) -> String {
    let place = readable.folder.as_ref().map(|folder| folder.display().to_string());
    place.map_or_else(
        || readable.description(),
        |place| readable.description().replace(&place, "its folder"),
    )
}

/// Returns the result of an earlier run if there is one; otherwise calls `find`, and keeps its
/// result.
fn kept_or(
    run: &StrategyRun,
    find: impl FnOnce() -> Result<Vec<i32>, Failure>,
) -> Result<Vec<i32>, Failure> {
    let kept = run.launcher.kept.as_deref().filter(|_| !run.launcher.trust);
    let Some((kept, key)) = kept.and_then(|kept| Some((kept, key(run)?))) else { return find() };
    let Questions { goal, range, .. } = run.questions;
    if let Some(result) = kept.read(&key, goal * goal, range) {
        return result.map_err(Failure::Fault);
    }
    let result = find();
    let to_keep = match &result {
        Ok(dice) => Ok(&dice[..]),
        Err(Failure::Fault(fault)) => Err(fault),
        Err(_) => return result,
    };
    // What has changed or gone meanwhile may be the reason for the result.
    if self::key(run).is_some_and(|again| again == key) {
        kept.write(&key, to_keep);
    }
    result
}

/// Digests everything that the result depends on; `None` if some of it cannot be read or is too
/// large.
fn key(run: &StrategyRun) -> Option<Key> {
    let interpreter = run.launcher.interpreter().ok()?;
    let Questions { function, goal, range, .. } = &run.questions;
    let numbers =
        format!("{goal} {range:?} {} {}", run.launcher.seconds_for(goal * goal), run.seeded);
    let mut key =
        Key::new().with(env!("CARGO_PKG_VERSION").as_bytes()).with(process::HARNESS.as_bytes());
    key =
        key.with(interpreter.version.as_bytes()).with(function.as_bytes()).with(numbers.as_bytes());
    for packages in &interpreter.packages {
        let changed = packages.metadata().and_then(|metadata| metadata.modified()).ok()?;
        key = key
            .with(packages.as_os_str().as_encoded_bytes())
            .with(format!("{changed:?}").as_bytes());
    }
    // Of a file in a temporary folder, the names of the other files count as seen from its folder.
    let (known_as, folder) = match run.known_as {
        Some(known_as) => (known_as.as_bytes(), run.path.parent()),
        None => (run.path.as_os_str().as_encoded_bytes(), None),
    };
    key = key
        .with(&[u8::from(folder.is_some())])
        .with(known_as)
        .with(&files::read_without_links(run.path, LARGEST_FILE).ok()?);
    key = key.with(run.source).with(run.questions.readable.as_bytes());
    let mut left = LARGEST_FILE;
    for file in run.readable.files.iter().filter(|file| *file != run.path) {
        let bytes = files::read_without_links(file, left).ok()?;
        left -= bytes.len() as u64;
        let name = folder.and_then(|folder| file.strip_prefix(folder).ok()).unwrap_or(file);
        key = key.with(name.as_os_str().as_encoded_bytes()).with(&bytes);
    }
    Some(key)
}

/// Whether a file has the extension of notebooks, of which one cell is the strategy.
pub fn is_notebook(path: &Path) -> bool {
    has_extension(path, "ipynb")
}

/// Whether a text is an identifier of Python.
fn is_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c == '_' || c.is_alphanumeric())
        && !text.is_empty()
}
