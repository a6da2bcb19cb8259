//! What can be wrong with a strategy in a Python file: one clear line each, with the scores at which it happened.

use std::fmt;

/// Where a strategy was when it went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// While its file was being loaded, before the first question.
    Loading,
    /// When it was asked about these scores: its own, the opponent's.
    Scores(u32, u32),
    /// Then, or at one of the next questions: its process ended before it told.
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
    #[error("{at}: {error}{}; a strategy may read {readable}, and may not write, start processes or use the network", in_line(*.line))]
    Forbidden {
        /// Where.
        at: At,
        /// The exception that came of it.
        error: String,
        /// The line, from 1; 0 if unknown.
        line: usize,
        /// What it may read.
        readable: String,
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
    /// It answers the same question in two ways, by the order of the questions.
    #[error("{at}: it is not pure: asked again, in another order, it rolls {then} dice instead of {first}")]
    Impure {
        /// Where.
        at: At,
        /// The first answer.
        first: i32,
        /// The second.
        then: i32,
    },
    /// It answers the same question in two ways, and draws random numbers.
    #[error(
        "{at}: it uses random numbers ({call}{}): {first} dice, asked again {then}; `seeded:FILE` asks each position \
         once, with a fixed seed", in_line(*.line)
    )]
    Random {
        /// Where.
        at: At,
        /// The function that drew the first of them.
        call: String,
        /// The line of the file, from 1; 0 if unknown.
        line: usize,
        /// The first answer.
        first: i32,
        /// The second.
        then: i32,
    },
    /// It answers the same question in two ways, by something that is different each time it is started.
    #[error(
        "{at}: it is not pure: started again, it rolls {then} dice instead of {first}; it may look at the clock, the \
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
    /// It computes for too long.
    #[error("{at}: it was stopped after {seconds} s{}; a strategy may compute that long for all scores", in_line(*.line))]
    TooLong {
        /// Where.
        at: At,
        /// The line, from 1; 0 if unknown.
        line: usize,
        /// The limit in seconds.
        seconds: u64,
    },
    /// It waits for too long.
    #[error("{at}: it was stopped after waiting for {seconds} s{} without computing; let it wait for nothing", in_line(*.line))]
    Waits {
        /// Where.
        at: At,
        /// The line, from 1; 0 if unknown.
        line: usize,
        /// The limit in seconds.
        seconds: u64,
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
