//! Strategies in Python files: functions of two scores, asked in the sandbox of `hog-sandbox`.
//!
//! # Reading many files
//!
//! [`plan_from`](super::Strategy::plan_from) turns the [`Strategy`](super::Strategy) of one file
//! into a plan or a fault. For many files, call it from all threads (`par_iter`), with copies of
//! one [`Launcher`].
//!
//! A file named by the user may read the files of its folder ([`PythonFile::new`]). One of several
//! files by different authors in the same folder may not: [`PythonFile::alone`].

mod default_roll;
mod fault;
mod memories;

pub use default_roll::DefaultRolled;
pub use fault::PythonFault;
use fault::SCORES;
pub use hog_sandbox::limits::SECONDS as DEFAULT_SECONDS;
pub use hog_sandbox::{
    At, CONFINE, Fault, Launcher, NotebookCode, Outline, QuestionGrid, ReachedFunction, code,
    confine, is_notebook, read_answers, without_sandbox,
};
use memories::{memories_taken, with_memories};

use std::fmt;
use std::path::{Path, PathBuf};

use hog_sandbox::{Function, NoAnswers, StandIn, is_identifier};

use crate::files;
use crate::game::{Game, Plan};
use crate::solve::{SolveError, Watch};

use super::StrategyError;
use hog_sandbox::limits;

/// The function that is called if no other is named.
const FUNCTION: &str = "final_strategy";

/// The course's modules that a strategy may import without bringing them.
const STAND_INS: [StandIn; 2] = [
    StandIn { name: "dice", source: include_str!("stand_ins/dice.py") },
    StandIn { name: "ucb", source: include_str!("stand_ins/ucb.py") },
];

/// A function of (score, opponent_score) in a Python file, or in a cell of a notebook. Further
/// parameters that have the names of a game's memories, and no default, get their values.
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
        let named =
            text.rsplit_once(':').filter(|(path, name)| !path.is_empty() && is_identifier(name));
        let (path, function) = named.unwrap_or((text, FUNCTION));
        (!path.is_empty()).then(|| Self { function: function.into(), ..Self::new(path) })
    }

    /// Sets a keyword argument; returns false if the name is not an identifier, or is that of a
    /// score.
    pub(super) fn set(&mut self, name: &str, value: i64) -> bool {
        self.keywords.retain(|(known, _)| known != name);
        self.keywords.push((name.to_owned(), value));
        is_identifier(name) && !matches!(name, "score" | "opponent_score")
    }

    fn keywords_in_words(&self) -> String {
        let keywords: Vec<String> =
            self.keywords.iter().map(|(name, value)| format!("{name}={value}")).collect();
        keywords.join(", ")
    }

    /// Reads the file, no part of whose `path` may be a link; of a notebook the code that the
    /// function needs.
    fn read(&self, path: &Path) -> Result<(Vec<u8>, Option<NotebookCode>), String> {
        let source = files::read_without_links(path, limits::FILE_BYTES)
            .map_err(|error| error.to_string())?;
        if !is_notebook(&self.path) {
            return Ok((source, None));
        }
        let code = code(&source, &self.function)?;
        Ok((code.text.clone().into_bytes(), Some(code)))
    }

    /// Returns the outline of the file's code; `None` if it cannot be read.
    pub fn outline(&self) -> Option<Outline> {
        let (source, _) = self.read(&self.path).ok()?;
        Some(Outline::of(&String::from_utf8_lossy(&source)))
    }

    /// Calls the function for all pairs of scores of a game; where dice are kept or the function
    /// takes memories, for all states.
    pub(super) fn plan(
        &self,
        game: &Game,
        launcher: &Launcher,
        follow_links: bool,
        watch: &Watch,
    ) -> Result<Plan, StrategyError> {
        if game.rules().keeps_dice() || !memories_taken(self, game.rules()).is_empty() {
            return memories::plan(self, game, launcher, follow_links, watch);
        }
        let space = game.space();
        let questions = QuestionGrid {
            below: space.goal,
            answers: space.min_dice..=space.dice(space.actions - 1),
        };
        let dice = self
            .answers(&questions, launcher, follow_links, watch)
            .map_err(|failure| self.failed(with_memories(failure, game.rules())))?;
        let action =
            |dice: &i32| space.action(*dice).expect("answers are checked as they come") as u8;
        Ok(Plan::of_scores(game.states(), dice.iter().map(action).collect()))
    }

    /// Asks the function some questions.
    fn answers(
        &self,
        questions: &QuestionGrid,
        launcher: &Launcher,
        follow_links: bool,
        watch: &Watch,
    ) -> Result<Vec<i32>, FileFailure> {
        // From here on no part of the path may be a link: what is executed, what may be read, and
        // what is shown in the sandbox are then the same file.
        // A file in the memory of a tab has no links.
        let path = match follow_links && !cfg!(target_family = "wasm") {
            true => {
                self.path.canonicalize().map_err(|error| FileFailure::File(error.to_string()))?
            }
            false => self.path.clone(),
        };
        let (mut source, notebook) = self.read(&path).map_err(FileFailure::File)?;
        let mut name: &str = &self.function;
        if let Some((function, text)) = &self.appended {
            source.extend_from_slice(text.as_bytes());
            name = function;
        }
        let function = Function {
            path: &path,
            source: &source,
            name,
            parameters: SCORES,
            keywords: if self.appended.is_some() { &[] } else { &self.keywords },
            stand_ins: &STAND_INS,
            reads_its_folder: self.own_folder,
            is_seeded: self.seeded,
            known_as: self.known_as.as_deref(),
        };
        let keep_going = || watch.step(0, 1);
        launcher.ask(&function, questions, &keep_going).map_err(|failure| {
            match (failure, &notebook) {
                (NoAnswers::Fault(fault), Some(code)) => {
                    FileFailure::Answers(NoAnswers::Fault(code.located(fault)))
                }
                (failure, _) => FileFailure::Answers(failure),
            }
        })
    }

    /// Returns the line at fault, or else that which returns what cannot be used, or in which the
    /// function begins.
    fn line_at_fault(&self, fault: &Fault) -> Option<usize> {
        let known = fault.place().0;
        if known.is_some() || is_notebook(&self.path) {
            return known;
        }
        let (source, _) = self.read(&self.path).ok()?;
        let source = String::from_utf8_lossy(&source);
        let returned = match fault {
            Fault::OutOfRange { shown, .. } => line_with(&source, ["return", shown]),
            _ => None,
        };
        returned.or_else(|| line_with(&source, ["def", &self.function]))
    }

    fn failed(&self, failure: FileFailure) -> StrategyError {
        let path = self.path.clone();
        match failure {
            FileFailure::File(reason) => StrategyError::File { path, fault: reason.into() },
            FileFailure::Answers(NoAnswers::Fault(fault)) => {
                let line = self.line_at_fault(&fault);
                StrategyError::Python { path, fault: PythonFault(fault), line }
            }
            FileFailure::Answers(NoAnswers::NotConfined(reason)) => {
                StrategyError::NotConfined(reason)
            }
            FileFailure::Answers(NoAnswers::NoPython(reason)) => StrategyError::NoPython(reason),
            FileFailure::Answers(NoAnswers::NotRun) => StrategyError::NotRun { path },
            FileFailure::Answers(NoAnswers::Cancelled) => {
                StrategyError::Unsolved(SolveError::Cancelled)
            }
        }
    }
}

/// Returns the number of the first line with these words, which are names and numbers.
fn line_with(source: &str, words: [&str; 2]) -> Option<usize> {
    let place = source.lines().position(|line| {
        let own: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        words.iter().all(|word| own.contains(word))
    });
    Some(place? + 1)
}

/// Why a file has not answered.
enum FileFailure {
    File(String),
    Answers(NoAnswers),
}
