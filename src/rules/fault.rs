//! What is wrong with a rule file: every fault at once, each with its place and what to change.

use std::fmt;

/// One fault of a rule file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to change.
    pub fix: String,
}

/// All faults of one rule file, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Faults {
    /// The file's path, or the id of a built-in game.
    pub origin: String,
    /// At least one fault.
    pub faults: Vec<Fault>,
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.faults.len();
        write!(f, "{}: {count} fault{} in the rules", self.origin, if count == 1 { "" } else { "s" })?;
        for fault in &self.faults {
            write!(f, "\n  {}:{}:{}: {}", self.origin, fault.line, fault.column, fault.message)?;
            if !fault.fix.is_empty() {
                write!(f, "; {}", fault.fix)?;
            }
        }
        Ok(())
    }
}

/// Gathers faults while a text is read, turning byte offsets into lines and columns.
pub struct FaultList<'a> {
    text: &'a str,
    found: Vec<(usize, Fault)>,
}

impl<'a> FaultList<'a> {
    /// No faults yet in `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, found: Vec::new() }
    }

    /// Adds a fault at a byte offset.
    pub fn add(&mut self, offset: usize, message: impl Into<String>, fix: impl Into<String>) {
        let before = self.text.get(..offset.min(self.text.len())).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        self.found.push((offset, Fault { line, column, message: message.into(), fix: fix.into() }));
    }

    /// True while nothing was added.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The faults in the order of the text, under the name of where it came from.
    pub fn into_error(mut self, origin: &str) -> Faults {
        self.found.sort_by_key(|(offset, _)| *offset);
        self.found.dedup_by(|a, b| a == b);
        Faults { origin: origin.to_owned(), faults: self.found.into_iter().map(|(_, fault)| fault).collect() }
    }
}
