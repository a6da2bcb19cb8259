//! What can be wrong with a strategy in a Python file: one clear line each, with the scores at which it happened.

use std::fmt;

/// Where a strategy was when it went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// While its file was being loaded, before the first question.
    Loading,
    /// When it was asked about these scores: its own, the opponent's.
    Scores(u32, u32),
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loading => f.write_str("while its file is loaded"),
            Self::Scores(score, opponent) => write!(f, "at {score}-{opponent}"),
        }
    }
}

/// Why the answers of a strategy in a Python file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PythonFault {
    /// The file is no Python.
    #[error("line {line}: it is no Python: {message}")]
    Syntax {
        /// The line, from 1; 0 if unknown.
        line: usize,
        /// What the interpreter says.
        message: String,
    },
    /// It has no function of the name asked for.
    #[error("it defines no function `{name}`{}", others(.known))]
    Missing {
        /// The name.
        name: String,
        /// The functions it has, with commas.
        known: String,
    },
    /// It raises an exception.
    #[error("{at}: it raises {error}{}", in_line(*.line))]
    Raised {
        /// Where.
        at: At,
        /// The exception.
        error: String,
        /// The line, from 1; 0 if unknown.
        line: usize,
    },
    /// It does what a strategy that is shut in may not do.
    #[error(
        "{at}: {error}{}; a strategy may not read other files, write, start processes or use the network",
        in_line(*.line)
    )]
    Forbidden {
        /// Where.
        at: At,
        /// The exception that came of it.
        error: String,
        /// The line, from 1; 0 if unknown.
        line: usize,
    },
    /// It returns something that is no whole number.
    #[error("{at}: it returns {shown}, a {kind}; return a whole number of dice (an int){}", unreturned(.kind))]
    NotWhole {
        /// Where.
        at: At,
        /// The value as Python shows it.
        shown: String,
        /// Its type.
        kind: String,
    },
    /// It returns a number of dice that the game does not allow.
    #[error("{at}: it rolls {shown} dice; the game allows {min} to {max}")]
    OutOfRange {
        /// Where.
        at: At,
        /// The number as Python shows it.
        shown: String,
        /// The fewest dice.
        min: i32,
        /// The most dice.
        max: i32,
    },
    /// It answers the same question in two ways.
    #[error("{at}: it is not pure: asked again, in another order, it rolls {then} dice instead of {first}")]
    Impure {
        /// Where.
        at: At,
        /// The first answer.
        first: i32,
        /// The second.
        then: i32,
    },
    /// It takes too long.
    #[error("{at}: it was stopped after {seconds} s; a strategy has that long for all scores")]
    TooLong {
        /// Where.
        at: At,
        /// The limit in seconds.
        seconds: u64,
    },
    /// It prints too much.
    #[error("{at}: it was stopped after printing more than {mebibytes} MiB; let it print less")]
    Printed {
        /// Where.
        at: At,
        /// The limit in MiB.
        mebibytes: u64,
    },
    /// It takes too much memory.
    #[error("{at}: it takes more than {mebibytes} MiB of memory")]
    Memory {
        /// Where.
        at: At,
        /// The limit in MiB.
        mebibytes: u64,
    },
    /// Its process ended before all questions were answered.
    #[error("{at}: it ends the program ({how}) instead of answering")]
    Ended {
        /// Where.
        at: At,
        /// Its exit status or signal.
        how: String,
    },
    /// It writes into the channel of the answers.
    #[error("{at}: it writes into files that it has not opened")]
    Meddled {
        /// Where.
        at: At,
    },
}

fn others(known: &str) -> String {
    if known.is_empty() {
        return "; it has no functions at all".into();
    }
    format!("; it has {known}: name one, as in python:FILE:{}", known.split(", ").next().unwrap_or_default())
}

fn in_line(line: usize) -> String {
    if line == 0 { String::new() } else { format!(" in line {line}") }
}

fn unreturned(kind: &str) -> &'static str {
    if kind == "NoneType" { "; is a `return` missing?" } else { "" }
}
