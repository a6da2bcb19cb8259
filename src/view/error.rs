//! Errors as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::Faults;

/// The document that takes the place of a result if there is an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ErrorView {
    /// What went wrong.
    pub error: ErrorDetail,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ErrorDetail {
    /// A message for people that says what to change.
    pub message: String,
    /// Every fault of a rule file with its location; empty for any other error.
    pub faults: Vec<FaultView>,
}

/// One fault of a rule file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FaultView {
    /// The file's path, or the id of a built-in game.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong and what to change.
    pub message: String,
}

impl ErrorDetail {
    /// Summarizes the failures among several things: `of` is the number of things, `what` is the past participle of
    /// what was to be done with them (as in "checked"), and `failed` holds the message and the rule file's faults of
    /// each failure. Returns `None` if nothing failed.
    pub fn of_some(what: &str, of: usize, failed: &[(String, Option<&Faults>)]) -> Option<Self> {
        let messages: String = failed.iter().map(|(message, _)| format!("\n{message}")).collect();
        let faults = failed.iter().filter_map(|(_, faults)| *faults).flat_map(places).collect();
        (!failed.is_empty())
            .then(|| Self { message: format!("{} of {of} could not be {what}:{messages}", failed.len()), faults })
    }
}

impl ErrorView {
    /// An error with a message and, if they are its cause, the faults of a rule file.
    pub fn new(message: String, faults: Option<&Faults>) -> Self {
        Self { error: ErrorDetail { message, faults: faults.map(places).unwrap_or_default() } }
    }
}

fn places(faults: &Faults) -> Vec<FaultView> {
    let message = |message: &str, fix: &str| match fix {
        "" => message.to_owned(),
        fix => format!("{message}; {fix}"),
    };
    let view = |fault: &crate::rules::Fault| FaultView {
        file: faults.origin.clone(),
        line: fault.line,
        column: fault.column,
        message: message(&fault.message, &fault.fix),
    };
    faults.faults.iter().map(view).collect()
}
