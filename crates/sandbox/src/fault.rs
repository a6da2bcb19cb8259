//! What is wrong with a function, and at which call. How it is said to people is the caller's
//! concern.

use serde::{Deserialize, Serialize};

/// Where a function failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum At {
    /// While its file was loaded, before the first call.
    Loading,
    /// When called with these numbers.
    Call(u32, u32),
    /// When called with these numbers, or at one of the next calls: the process ended before it
    /// reported all its answers.
    AfterCall(u32, u32),
}

/// A line of a function that was called by another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InnerLine {
    /// The function's name.
    pub function: String,
    /// The line, from 1.
    pub line: usize,
}

/// Why the answers of a function cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    /// The file is not valid Python.
    Syntax {
        /// The line, from 1; 0 if unknown.
        line: usize,
        /// The interpreter's message.
        message: String,
        /// The column in characters, from 1; 0 if unknown.
        column: usize,
    },
    /// The function does not take the arguments with which it is called.
    Arguments {
        /// The line of its definition.
        line: usize,
        /// The names of the arguments that it takes.
        takes: String,
        /// The names of the arguments with which it is called.
        given: String,
    },
    /// The file imports a module that is not installed.
    NoModule {
        /// Where.
        at: At,
        /// The exception, which names the module.
        error: String,
        /// The line, from 1; 0 if unknown.
        line: usize,
    },
    /// The file does not define the function.
    Missing {
        /// The function's name.
        name: String,
        /// The functions that it defines, separated by commas.
        known: String,
        /// What has this name instead: `method` for one of a class, or the type of a value; empty
        /// if nothing has it.
        found: String,
    },
    /// The function raises an exception.
    Raised {
        /// Where.
        at: At,
        /// The exception.
        error: String,
        /// The line, from 1; 0 if unknown.
        line: usize,
    },
    /// The function does something that the sandbox forbids.
    Forbidden {
        /// Where.
        at: At,
        /// The exception that was raised.
        error: String,
        /// The line, from 1; 0 if unknown.
        line: usize,
        /// Whether it may read the other files of its folder, and not only its own.
        reads_its_folder: bool,
    },
    /// The function returns something that is not an integer.
    NotWhole {
        /// Where.
        at: At,
        /// The value as Python shows it.
        shown: String,
        /// Its type.
        kind: String,
    },
    /// The function returns a number that is not allowed.
    OutOfRange {
        /// Where.
        at: At,
        /// The number as Python shows it.
        shown: String,
        /// The smallest number that is allowed.
        min: i32,
        /// The largest.
        max: i32,
    },
    /// The answers depend on the order of the calls.
    Impure {
        /// Where.
        at: At,
        /// The first answer.
        first: i32,
        /// The second.
        then: i32,
    },
    /// The answers differ between processes, and the function draws random numbers.
    Random {
        /// Where.
        at: At,
        /// The function that drew the first random number.
        call: String,
        /// The line of the file, from 1; 0 if unknown.
        line: usize,
        /// The first answer.
        first: i32,
        /// The second.
        then: i32,
    },
    /// The answers differ between processes for another reason.
    Changing {
        /// Where.
        at: At,
        /// The first answer.
        first: i32,
        /// The second.
        then: i32,
    },
    /// The function is in a `while` loop that nothing ends.
    Endless {
        /// Where.
        at: At,
        /// The line of the loop, from 1; 0 if unknown.
        line: usize,
    },
    /// The function exceeded its limit of processor time.
    TooLong {
        /// Where.
        at: At,
        /// The line of the function itself, from 1; 0 if unknown.
        line: usize,
        /// Where it was in a function that it called.
        #[serde(default)]
        inner: Option<InnerLine>,
        /// The limit in seconds.
        seconds: u64,
    },
    /// The function exceeded its limit by waiting.
    Waits {
        /// Where.
        at: At,
        /// The line of the function itself, from 1; 0 if unknown.
        line: usize,
        /// Where it was in a function that it called.
        #[serde(default)]
        inner: Option<InnerLine>,
        /// The limit in seconds.
        seconds: u64,
    },
    /// The function uses too much memory.
    Memory {
        /// Where.
        at: At,
        /// The limit in MiB.
        mebibytes: u64,
    },
    /// The process ended before it gave all answers.
    Ended {
        /// Where.
        at: At,
        /// The process's exit status or signal.
        how: String,
    },
    /// Output that the harness did not write appeared among the answers.
    ForgedOutput {
        /// Where.
        at: At,
    },
}

impl Fault {
    /// Returns the line and the column in the file, from 1, if they are known.
    pub fn place(&self) -> (Option<usize>, Option<usize>) {
        let column = if let Self::Syntax { column, .. } = self { *column } else { 0 };
        let line = self.clone().line_mut().map_or(0, |line| *line);
        (Some(line).filter(|line| *line > 0), Some(column).filter(|column| *column > 0))
    }

    /// The line, if it has one.
    pub(crate) fn line_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::Syntax { line, .. }
            | Self::Arguments { line, .. }
            | Self::NoModule { line, .. }
            | Self::Raised { line, .. }
            | Self::Forbidden { line, .. }
            | Self::Random { line, .. }
            | Self::Endless { line, .. }
            | Self::TooLong { line, .. }
            | Self::Waits { line, .. } => Some(line),
            _ => None,
        }
    }

    /// The line in a function that was called by another one, if it has one.
    pub(crate) fn inner_mut(&mut self) -> Option<&mut InnerLine> {
        match self {
            Self::TooLong { inner, .. } | Self::Waits { inner, .. } => inner.as_mut(),
            _ => None,
        }
    }

    /// Adds words to the interpreter's message, if it has one.
    pub(crate) fn add_words(&mut self, words: &str) {
        match self {
            Self::Syntax { message: text, .. }
            | Self::NoModule { error: text, .. }
            | Self::Raised { error: text, .. }
            | Self::Forbidden { error: text, .. } => *text += words,
            _ => {}
        }
    }

    /// Returns where it occurred, for a caller who knows the place by other numbers.
    pub fn at_mut(&mut self) -> Option<&mut At> {
        match self {
            Self::Syntax { .. } | Self::Arguments { .. } | Self::Missing { .. } => None,
            Self::NoModule { at, .. }
            | Self::Raised { at, .. }
            | Self::Forbidden { at, .. }
            | Self::NotWhole { at, .. }
            | Self::OutOfRange { at, .. }
            | Self::Impure { at, .. }
            | Self::Random { at, .. }
            | Self::Changing { at, .. }
            | Self::Endless { at, .. }
            | Self::TooLong { at, .. }
            | Self::Waits { at, .. }
            | Self::Memory { at, .. }
            | Self::Ended { at, .. }
            | Self::ForgedOutput { at } => Some(at),
        }
    }

    /// Whether the same file has this fault in every run, so that it need not be run again. Time
    /// spent waiting, memory and the end of a process may depend on what else the machine does;
    /// processor time does not.
    pub(crate) fn is_repeatable(&self) -> bool {
        match self {
            Self::Waits { .. }
            | Self::Memory { .. }
            | Self::Ended { .. }
            | Self::ForgedOutput { .. } => false,
            Self::Syntax { .. }
            | Self::Arguments { .. }
            | Self::NoModule { .. }
            | Self::Missing { .. }
            | Self::Raised { .. }
            | Self::Forbidden { .. }
            | Self::NotWhole { .. }
            | Self::OutOfRange { .. }
            | Self::Impure { .. }
            | Self::Random { .. }
            | Self::Changing { .. }
            | Self::Endless { .. }
            | Self::TooLong { .. } => true,
        }
    }
}
