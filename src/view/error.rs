//! What went wrong, as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::Faults;

/// A document in place of a result.
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
    /// One message for people that names what to change.
    pub message: String,
    /// Every fault of a rule file with its place; empty if something else is wrong.
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
    /// Of several things of which some could not be used: what was to be done, how many there were, and the message and
    /// the rule file's faults of each that failed; `None` if none did.
    pub fn of_some(what: &str, of: usize, failed: &[(String, Option<&Faults>)]) -> Option<Self> {
        let messages: String = failed.iter().map(|(message, _)| format!("\n{message}")).collect();
        let faults = failed.iter().filter_map(|(_, faults)| *faults).flat_map(places).collect();
        (!failed.is_empty())
            .then(|| Self { message: format!("{} of {of} could not be {what}:{messages}", failed.len()), faults })
    }
}

impl ErrorView {
    /// Of a message and the faults of a rule file, if those are what is wrong.
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
