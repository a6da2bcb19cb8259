//! Errors as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::Error;
use crate::rules::Faults;
use crate::sim::ExperimentError;
use crate::strategy::StrategyError;

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
    /// The parameter of the request that it is about; null if it is about none or several, or if
    /// that is not known.
    pub parameter: Option<String>,
    /// Every fault of a rule file, or that of a strategy's file, with its location; empty for any
    /// other error.
    pub faults: Vec<ErrorFault>,
}

/// One fault of a rule file or a strategy's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ErrorFault {
    /// The file's path, or the id of a built-in game.
    pub file: String,
    /// What kind of fault it is: `random` of a function that uses random numbers, or else the kind
    /// of the error.
    pub kind: String,
    /// The line, from 1. Where no line of a function in Python is at fault, but what it returns,
    /// the line that returns it, or in which the function begins.
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
            parameter: None,
            faults: faults.flat_map(ErrorFault::of_rules).collect(),
        })
    }
}

impl ErrorAnswer {
    /// An error of a kind with a message.
    pub fn new(kind: &str, message: impl Into<String>) -> Self {
        let kind = kind.to_owned();
        let faults = Vec::new();
        Self { error: ErrorDetail { message: message.into(), kind, parameter: None, faults } }
    }
}

impl From<&Error> for ErrorAnswer {
    fn from(error: &Error) -> Self {
        let mut answer = Self::new(error.kind(), error.to_string());
        answer.error.parameter = error.parameter().map(str::to_owned);
        answer.error.faults = error.places();
        answer
    }
}

impl Error {
    /// Returns the faults whose place in a rule file or a strategy's file is known.
    fn places(&self) -> Vec<ErrorFault> {
        match self {
            Self::Strategy(error) | Self::Experiment(ExperimentError::Strategy(error)) => {
                ErrorFault::of_strategy(error).into_iter().collect()
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
            kind: "rules".to_owned(),
            line: fault.line,
            column: Some(fault.column),
            message: match &fault.fix[..] {
                "" => fault.message.clone(),
                fix => format!("{}; {fix}", fault.message),
            },
        });
        faults_of_file.collect()
    }

    /// The fault of a strategy's file; `None` if its line is not known.
    fn of_strategy(error: &StrategyError) -> Option<Self> {
        let (path, line, column, message) = match error {
            StrategyError::File { path, fault } => (path, fault.line, None, &fault.reason),
            StrategyError::Python { path, fault, line } => {
                (path, *line, fault.0.place().1, &fault.to_string())
            }
            _ => return None,
        };
        let is_random = matches!(error, StrategyError::Python { fault, .. } if fault.is_random());
        let kind = if is_random { "random" } else { Error::kind_of_strategy(error) };
        Some(Self {
            file: path.display().to_string(),
            kind: kind.to_owned(),
            line: line?,
            column,
            message: message.clone(),
        })
    }
}
