//! The faults of strategies in Python files, each with a message of one line that gives the scores
//! at which it occurred.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::SCORES;
use crate::rules::fault::edits;

/// Where a strategy failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum At {
    /// While its file was loaded, before the first call.
    Loading,
    /// When called with these scores: its own, the opponent's.
    Scores(u32, u32),
    /// At these scores or one of the next calls: the process ended before it reported all its
    /// answers.
    After(u32, u32),
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loading => f.write_str("while its file is loaded"),
            Self::Scores(score, opponent) => write!(f, "at {score}-{opponent}"),
            Self::After(score, opponent) => write!(f, "at or after {score}-{opponent}"),
        }
    }
}

/// Why the answers of a strategy in a Python file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum PythonFault {
    /// The file is not valid Python.
    #[error("{}it is not valid Python: {message}", if *line == 0 { String::new() } else { format!("line {line}: ") })]
    Syntax {
        /// The line, from 1; 0 if unknown.
        line: usize,
        /// The interpreter's message.
        message: String,
        /// The column in characters, from 1; 0 if unknown.
        column: usize,
    },
    /// The function does not take the arguments with which it is called.
    #[error("it takes ({takes}){}", called_with(.given))]
    Arguments {
        /// The line of its definition.
        line: usize,
        /// The names of the arguments that it takes.
        takes: String,
        /// The names of the arguments with which it is called.
        given: String,
    },
    /// The strategy imports a module that is not installed.
    #[error(
        "{at}: {error}{}; {}", in_line(*.line), module_advice(.error)
    )]
    NoModule {
        /// Where.
        at: At,
        /// The exception, which names the module.
        error: String,
        /// The line, from 1; 0 if unknown.
        line: usize,
    },
    /// The file does not define the function.
    #[error("it defines no function `{name}`{}", others(.name, .known, *.is_method))]
    Missing {
        /// The function's name.
        name: String,
        /// The functions that it defines, separated by commas.
        known: String,
        /// Whether it is a method of a class.
        is_method: bool,
    },
    /// The strategy raises an exception.
    #[error("{at}: it raises {error}{}", in_line(*.line))]
    Raised {
        /// Where.
        at: At,
        /// The exception.
        error: String,
        /// The line, from 1; 0 if unknown.
        line: usize,
    },
    /// The strategy does something that the sandbox forbids.
    #[error("{at}: {error}{}; a strategy may read {readable}, and may not write, start processes or use the network", in_line(*.line))]
    Forbidden {
        /// Where.
        at: At,
        /// The exception that was raised.
        error: String,
        /// The line, from 1; 0 if unknown.
        line: usize,
        /// A description of what it may read.
        readable: String,
    },
    /// The strategy returns something that is not an integer.
    #[error("{at}: it returns {shown}, a {kind}; return a whole number of dice (an int){}", unreturned(.kind))]
    NotWhole {
        /// Where.
        at: At,
        /// The value as Python shows it.
        shown: String,
        /// Its type.
        kind: String,
    },
    /// The strategy returns a number of dice that the game does not allow.
    #[error("{at}: it rolls {shown} dice; the game allows {min} to {max}")]
    OutOfRange {
        /// Where.
        at: At,
        /// The number as Python shows it.
        shown: String,
        /// The smallest number of dice.
        min: i32,
        /// The largest number of dice.
        max: i32,
    },
    /// The strategy's answers depend on the order of the calls.
    #[error(
        "{at}: it is not pure: asked again, in another order, it rolls {then} dice instead of {first}"
    )]
    Impure {
        /// Where.
        at: At,
        /// The first answer.
        first: i32,
        /// The second.
        then: i32,
    },
    /// The strategy's answers differ between processes, and it draws random numbers.
    #[error(
        "{at}: it uses random numbers ({call}{}): {first} dice, asked again {then}; `seeded:FILE` runs it with \
         a fixed seed", in_line(*.line)
    )]
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
    /// The strategy's answers differ between processes for another reason.
    #[error(
        "{at}: it is not pure: started again, it rolls {then} dice instead of {first}; it may depend on the clock, the \
         order of a set, or random numbers of its own"
    )]
    Changing {
        /// Where.
        at: At,
        /// The first answer.
        first: i32,
        /// The second.
        then: i32,
    },
    /// The strategy exceeded its limit of processor time.
    #[error("{at}: it was stopped after {seconds} s{}; a strategy may compute that long for all scores", in_line(*.line))]
    TooLong {
        /// Where.
        at: At,
        /// The line, from 1; 0 if unknown.
        line: usize,
        /// The limit in seconds.
        seconds: u64,
    },
    /// The strategy exceeded its limit by waiting.
    #[error("{at}: it was stopped after {seconds} s of waiting and computing{}; a strategy must not wait", in_line(*.line))]
    Waits {
        /// Where.
        at: At,
        /// The line, from 1; 0 if unknown.
        line: usize,
        /// The limit in seconds.
        seconds: u64,
    },
    /// The strategy uses too much memory.
    #[error("{at}: it takes more than {mebibytes} MiB of memory")]
    Memory {
        /// Where.
        at: At,
        /// The limit in MiB.
        mebibytes: u64,
    },
    /// The process ended before it gave all answers.
    #[error("{at}: it ends the program ({how}) instead of answering")]
    Ended {
        /// Where.
        at: At,
        /// The process's exit status or signal.
        how: String,
    },
    /// Output that the harness did not write appeared among the answers.
    #[error("{at}: it writes into files that it has not opened")]
    Meddled {
        /// Where.
        at: At,
    },
}

impl PythonFault {
    /// Returns the line and the column in the strategy's file, from 1, if they are known.
    pub fn place(&self) -> (Option<usize>, Option<usize>) {
        let known = |number: usize| (number > 0).then_some(number);
        match self {
            Self::Syntax { line, column, .. } => (known(*line), known(*column)),
            Self::Arguments { line, .. }
            | Self::NoModule { line, .. }
            | Self::Raised { line, .. }
            | Self::Forbidden { line, .. }
            | Self::Random { line, .. }
            | Self::TooLong { line, .. }
            | Self::Waits { line, .. } => (known(*line), None),
            _ => (None, None),
        }
    }

    /// Whether the same file has this fault in every run, so that it need not be run again. Time
    /// spent waiting, memory and the end of a process may depend on what else the machine does;
    /// processor time does not.
    pub(super) fn is_repeatable(&self) -> bool {
        match self {
            Self::Waits { .. }
            | Self::Memory { .. }
            | Self::Ended { .. }
            | Self::Meddled { .. } => false,
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
            | Self::TooLong { .. } => true,
        }
    }
}

/// Modules that the course hands out with its project and with its contest, apart from those that
/// hog replaces.
const OF_PROJECT: [&str; 7] =
    ["hog", "hog_eval", "hog_gui", "hog_ui", "hog_contest", "calc", "play_hog"];
const OF_CONTEST: [&str; 3] = ["compare_strategies", "hoglib", "hogconv"];

/// Returns a module that is not found, which the exception names in quotation marks, and what it
/// comes with if it is one of the course.
fn missing_module(error: &str) -> (&str, Option<&'static str>) {
    let module = error.split('\'').nth(1).unwrap_or_default().split('.').next().unwrap_or_default();
    let origin = match module {
        _ if OF_PROJECT.contains(&module) => Some("project"),
        _ if OF_CONTEST.contains(&module) => Some("contest"),
        _ => None,
    };
    (module, origin)
}

fn module_advice(error: &str) -> String {
    match missing_module(error) {
        (module, Some(origin)) => format!(
            "{module} comes with the starter files of the course's {origin}: hand it in together with the strategy, \
             or leave out the import"
        ),
        (_, None) => {
            "install it in the interpreter that is used, or name another interpreter or a virtual \
                      environment that has it"
                .into()
        }
    }
}

fn called_with(given: &str) -> String {
    if given == SCORES {
        format!("; take ({SCORES})")
    } else {
        format!(", and is called with ({given})")
    }
}

/// Returns the function whose name is nearest to a mistyped one.
fn similar<'k>(name: &str, known: &'k str) -> Option<&'k str> {
    let known = known.split(", ").filter_map(|known| Some((edits(name, known)?, known)));
    let (edits, nearest) = known.min_by_key(|(edits, _)| *edits)?;
    (edits * 3 <= name.chars().count()).then_some(nearest)
}

fn others(name: &str, known: &str, is_method: bool) -> String {
    if let Some(meant) = similar(name, known) {
        return format!("; did you mean `{meant}`?");
    }
    let method = match is_method {
        true => "; it is a method of a class: define it outside of the class",
        false if known.is_empty() => "; it has no functions at all",
        false => "",
    };
    if known.is_empty() { method.into() } else { format!("{method}; it has {known}") }
}

impl PythonFault {
    /// Whether the interpreter lacks a package, and another interpreter may have it.
    pub fn lacks_package(&self) -> bool {
        matches!(self, Self::NoModule { error, .. } if missing_module(error).1.is_none())
    }

    /// Returns what to write instead of `path`, to be put after the message.
    pub(crate) fn advice(&self, path: &Path) -> String {
        let Self::Missing { name, known, .. } = self else { return String::new() };
        if similar(name, known).is_some() {
            return String::new();
        }
        let first = known.split(", ").next().filter(|first| !first.is_empty());
        first.map_or_else(String::new, |first| {
            format!("; name one, as in {}:{first}", path.display())
        })
    }
}

fn in_line(line: usize) -> String {
    if line == 0 { String::new() } else { format!(" in line {line}") }
}

fn unreturned(kind: &str) -> &'static str {
    if kind == "NoneType" { "; is a `return` missing?" } else { "" }
}
