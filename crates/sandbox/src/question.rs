//! A function, the questions to it, and why there are no answers.

use std::ops::RangeInclusive;
use std::path::Path;

use crate::fault::Fault;

/// A function in a Python file.
#[derive(Clone, Copy, Debug)]
pub struct Function<'a> {
    /// The absolute path of the file.
    pub path: &'a Path,
    /// The text to run: the file's, or what was made of it.
    pub source: &'a [u8],
    /// The function's name.
    pub name: &'a str,
    /// The names of its two arguments, separated by a comma, for messages.
    pub parameters: &'a str,
    /// Keyword arguments that are passed in addition.
    pub keywords: &'a [(String, i64)],
    /// Modules that it can import although they are not beside its file.
    pub stand_ins: &'a [StandIn],
    /// Whether it may read the other files of its folder, and not only its own.
    pub reads_its_folder: bool,
    /// Whether it may use random numbers: every process then starts with the same fixed seed and
    /// asks in the same order.
    pub is_seeded: bool,
    /// What identifies the file from run to run; `None` for its path.
    pub known_as: Option<&'a str>,
}

/// A module that a file can import unless there is one of this name in its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandIn {
    /// The module's name.
    pub name: &'static str,
    /// Its text in Python.
    pub source: &'static str,
}

/// The questions: what a function returns for every pair of whole numbers from 0 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionGrid {
    /// Both numbers are below this one.
    pub below: usize,
    /// The answers that are allowed.
    pub answers: RangeInclusive<i32>,
}

impl QuestionGrid {
    /// The number of questions.
    pub fn count(&self) -> usize {
        self.below * self.below
    }
}

/// Why there are no answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswers {
    /// The function is at fault.
    Fault(Fault),
    /// No interpreter was found, or a trusted file's could not be started.
    NoPython(String),
    /// The process could not be sandboxed.
    NotConfined(String),
    /// It has not been run yet, but the page of the tab is told to.
    NotRun,
    /// The caller cancelled the work.
    Cancelled,
}

/// The function that passes keyword arguments, as `harness.py` knows it.
const PASSING: &str = "_with_numbers_given";

impl Function<'_> {
    /// Returns the source to run and the function to call. With keyword arguments, a function that
    /// passes them is appended to the text.
    pub(crate) fn called(&self) -> (Vec<u8>, String) {
        let mut source = self.source.to_vec();
        if self.keywords.is_empty() {
            return (source, self.name.to_owned());
        }
        let keywords: Vec<String> =
            self.keywords.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let name = self.name;
        let parameters = self.parameters;
        let keywords = keywords.join(", ");
        let passing = format!(
            "\n\n\ndef {PASSING}({parameters}):\n    return {name}({parameters}, {keywords})\n"
        );
        source.extend_from_slice(passing.as_bytes());
        (source, PASSING.to_owned())
    }

    /// Returns the names of the arguments with which the function is called.
    pub(crate) fn arguments(&self) -> String {
        let keywords = self.keywords.iter().map(|(name, _)| name.as_str());
        [self.parameters].into_iter().chain(keywords).collect::<Vec<_>>().join(", ")
    }
}

/// Whether a text is an identifier of Python.
pub fn is_identifier(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c == '_' || c.is_alphanumeric())
        && !text.is_empty()
}
