//! What the name of a strategy or a game may open: nothing, files, or Python files as well.

use super::python::Launcher;
use super::{Strategy, StrategyError};

/// The kinds of files that names of games and strategies may open.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    rule_files: bool,
    tables: bool,
    python: Option<Launcher>,
}

impl Sources {
    /// Allows only built-in games and strategies; no file is opened.
    pub fn builtin() -> Self {
        Self::default()
    }

    /// Allows rule files and tables (see [`ENDINGS`](super::ENDINGS)), but not Python files.
    pub fn files() -> Self {
        Self { rule_files: true, tables: true, python: None }
    }

    /// Sets whether the name of a game may be the path of a rule file.
    #[must_use]
    pub fn with_rule_files(mut self, allowed: bool) -> Self {
        self.rule_files = allowed;
        self
    }

    /// Sets whether the name of a strategy may be the path of a table, and that of a contest's entrant the path of a
    /// folder.
    #[must_use]
    pub fn with_tables(mut self, allowed: bool) -> Self {
        self.tables = allowed;
        self
    }

    /// Allows Python files, run by this launcher.
    #[must_use]
    pub fn with_python(mut self, launcher: Launcher) -> Self {
        self.python = Some(launcher);
        self
    }

    /// Whether the name of a game may be the path of a rule file.
    pub fn opens_rule_files(&self) -> bool {
        self.rule_files
    }

    /// Whether the name of a strategy may be the path of a table.
    pub fn opens_tables(&self) -> bool {
        self.tables
    }

    pub(super) fn open_table(&self, strategy: &Strategy) -> Result<(), StrategyError> {
        if self.tables { Ok(()) } else { Err(closed(strategy, "a file")) }
    }

    pub(super) fn launcher(&self, strategy: &Strategy) -> Result<&Launcher, StrategyError> {
        self.python.as_ref().ok_or_else(|| closed(strategy, "a Python file"))
    }
}

fn closed(strategy: &Strategy, what: &'static str) -> StrategyError {
    StrategyError::Closed { name: strategy.to_string(), what }
}
