//! Errors as data.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::Error;
use crate::rules::Faults;
use crate::strategy::StrategyError;
use crate::strategy::python::PythonFault;

/// The document that takes the place of a result if there is an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ErrorAnswer {
    /// What went wrong.
    pub error: ErrorDetail,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ErrorDetail {
    /// A message for people that says what to change.
    pub message: String,
    /// What kind of error it is, for programs: one of few words that stay the same.
    pub kind: String,
    /// Every fault of a rule file, or that of a Python file, with its location; empty for any
    /// other error.
    pub faults: Vec<ErrorFault>,
}

/// One fault of a rule file or a Python file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ErrorFault {
    /// The file's path, or the id of a built-in game.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1; null if it is not known.
    pub column: Option<usize>,
    /// What is wrong and what to change.
    pub message: String,
}

impl ErrorDetail {
    /// Summarizes the failures among several things: `of` is the number of things, `what` is the
    /// past participle of what was to be done with them (as in "checked"). The kind is that of the
    /// first failure. Returns `None` if nothing failed.
    pub fn of_some(what: &str, of: usize, failed: &[Error]) -> Option<Self> {
        let kind = failed.first()?.kind().to_owned();
        let messages: String = failed.iter().map(|error| format!("\n{error}")).collect();
        let faults = failed.iter().filter_map(Error::faults);
        Some(Self {
            message: format!("{} of {of} could not be {what}:{messages}", failed.len()),
            kind,
            faults: faults.flat_map(ErrorFault::of_rules).collect(),
        })
    }
}

impl ErrorAnswer {
    /// An error of a kind with a message and, if they are its cause, faults of a file.
    pub fn new(kind: &str, message: String, faults: Vec<ErrorFault>) -> Self {
        Self { error: ErrorDetail { message, kind: kind.to_owned(), faults } }
    }
}

impl Error {
    /// Returns the faults whose place in a rule file or a Python file is known.
    pub fn places(&self) -> Vec<ErrorFault> {
        match self {
            Self::Strategy(StrategyError::Python { path, fault }) => {
                ErrorFault::of_python(path, fault).into_iter().collect()
            }
            _ => self.faults().map(ErrorFault::of_rules).unwrap_or_default(),
        }
    }
}

impl ErrorFault {
    /// The faults of a rule file.
    pub fn of_rules(faults: &Faults) -> Vec<Self> {
        let faults_of_file = faults.faults.iter().map(|fault| Self {
            file: faults.origin.clone(),
            line: fault.line,
            column: Some(fault.column),
            message: match &fault.fix[..] {
                "" => fault.message.clone(),
                fix => format!("{}; {fix}", fault.message),
            },
        });
        faults_of_file.collect()
    }

    /// The fault of a Python file; `None` if its line is not known.
    pub fn of_python(path: &Path, fault: &PythonFault) -> Option<Self> {
        let (line, column) = fault.place();
        Some(Self {
            file: path.display().to_string(),
            line: line?,
            column,
            message: fault.to_string(),
        })
    }
}
