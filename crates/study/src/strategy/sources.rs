//! What the name of a strategy or a game may open: nothing, files, or Python files as well.

use std::path::{Path, PathBuf};

use crate::limits;

use super::python::{DEFAULT_SECONDS, Launcher};
use super::{Strategy, StrategyError};

/// The kinds of files that names of games and strategies may open.
#[derive(Clone, Debug)]
pub struct Sources {
    rule_files: bool,
    strategy_files: bool,
    follow_links: bool,
    largest_table: u64,
    python: Option<Launcher>,
    input: Option<PathBuf>,
}

impl Default for Sources {
    fn default() -> Self {
        Self {
            rule_files: false,
            strategy_files: false,
            follow_links: true,
            largest_table: limits::TABLE_BYTES,
            python: None,
            input: None,
        }
    }
}

impl Sources {
    /// Allows only built-in games and strategies; no file is opened.
    pub fn builtin() -> Self {
        Self::default()
    }

    /// Allows rule files and the files of strategies (see [`ENDINGS`](super::ENDINGS)), but not
    /// Python files.
    pub fn files() -> Self {
        Self { rule_files: true, strategy_files: true, ..Self::default() }
    }

    /// Allows the files of strategies other than Python files, and what is read with them: tables
    /// to check, transcripts of games, and folders of submissions to a contest.
    #[must_use]
    pub fn with_strategy_files(mut self) -> Self {
        self.strategy_files = true;
        self
    }

    /// Sets the size limit of a table, in bytes; the default is [`limits::TABLE_BYTES`].
    #[must_use]
    pub fn with_largest_table(mut self, bytes: u64) -> Self {
        self.largest_table = bytes;
        self
    }

    /// Allows Python files, run by this launcher.
    #[must_use]
    pub fn with_python(mut self, launcher: Launcher) -> Self {
        self.python = Some(launcher);
        self
    }

    /// Sets what the name `-` means, as a game or as a strategy: a file with what a program has
    /// read from its standard input, whose ending says what it is.
    #[must_use]
    pub fn with_input(mut self, file: impl Into<PathBuf>) -> Self {
        self.input = Some(file.into());
        self
    }

    /// Returns how long a Python file may compute and wait, in seconds for 10,000 positions.
    pub fn python_seconds(&self) -> u64 {
        self.python.as_ref().map_or(DEFAULT_SECONDS, Launcher::seconds)
    }

    /// Returns what the name `-` means.
    pub fn input(&self) -> Option<&Path> {
        self.input.as_deref()
    }

    /// The same sources, but the answers of Python files are not kept for later.
    pub(super) fn keeping_no_answers(mut self) -> Self {
        self.python = self.python.map(Launcher::keeping_no_answers);
        self
    }

    /// The same sources, but a strategy's file is opened only by a path without links: for paths
    /// that were found in the folders of strangers, who may replace them meanwhile.
    #[must_use]
    pub fn without_links(mut self) -> Self {
        self.follow_links = false;
        self
    }

    /// Whether the path of a strategy's file may contain links.
    pub(super) fn follow_links(&self) -> bool {
        self.follow_links
    }

    /// Whether the name of a game may be the path of a rule file.
    pub fn opens_rule_files(&self) -> bool {
        self.rule_files
    }

    /// Whether names may be paths of the files that [`Self::with_strategy_files`] allows.
    pub fn opens_strategy_files(&self) -> bool {
        self.strategy_files
    }

    /// Returns the size limit of the table that a strategy names.
    pub(super) fn open_table(&self, strategy: &Strategy) -> Result<u64, StrategyError> {
        if self.strategy_files { Ok(self.largest_table) } else { Err(closed(strategy, "a file")) }
    }

    pub(super) fn launcher(&self, strategy: &Strategy) -> Result<&Launcher, StrategyError> {
        self.python.as_ref().ok_or_else(|| closed(strategy, "a Python file"))
    }
}

pub(super) fn closed(strategy: &Strategy, what: &'static str) -> StrategyError {
    StrategyError::Closed { name: strategy.to_string(), what }
}
