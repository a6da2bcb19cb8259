//! What a name may open: nothing but what is built in, or files too, or Python as well.

use super::python::Launcher;
use super::{Strategy, StrategyError};

/// What names of games and strategies may open.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    rule_files: bool,
    tables: bool,
    python: Option<Launcher>,
}

impl Sources {
    /// Only what is built in: no file is looked at.
    pub fn builtin() -> Self {
        Self::default()
    }

    /// Rule files by their paths, and tables in every form that a strategy is read from.
    pub fn files() -> Self {
        Self { rule_files: true, tables: true, python: None }
    }

    /// Whether the name of a game may be the path of a rule file.
    #[must_use]
    pub fn with_rule_files(mut self, allowed: bool) -> Self {
        self.rule_files = allowed;
        self
    }

    /// Whether the name of a strategy may be the path of a table, and that of an entrant the path of a folder.
    #[must_use]
    pub fn with_tables(mut self, allowed: bool) -> Self {
        self.tables = allowed;
        self
    }

    /// Python files too, started through this launcher.
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
