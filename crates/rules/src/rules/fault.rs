//! Faults of a rule file, all reported together, each with its place and a suggested fix.

use crate::limits;
use std::fmt;

/// One fault of a rule file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFileFault {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
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
    pub faults: Vec<RuleFileFault>,
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.faults.len();
        write!(
            f,
            "{}: {count} fault{} in the rules",
            self.origin,
            if count == 1 { "" } else { "s" }
        )?;
        for fault in &self.faults {
            write!(f, "\n  {}:{}:{}: {}", self.origin, fault.line, fault.column, fault.message)?;
            if !fault.fix.is_empty() {
                write!(f, "; {}", fault.fix)?;
            }
        }
        Ok(())
    }
}

impl Faults {
    /// Adds other faults of the same file.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.faults.extend(other.faults);
        self.faults.sort_by_key(|fault| (fault.line, fault.column));
        self
    }
}

/// Finds the known name that is most similar to another, if they are similar enough for a typing
/// error.
pub(super) fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let lower = name.to_lowercase();
    let nearest = known.iter().filter_map(|known| Some((edits(&lower, known)?, *known))).min();
    nearest.filter(|(distance, _)| *distance <= name.len().div_ceil(3)).map(|(_, known)| known)
}

/// Returns the number of typing errors between a name and a known one; `None` for a name so long
/// that it is no misspelt one, since comparing it takes long.
pub fn edits(name: &str, known: &str) -> Option<usize> {
    (name.len() <= limits::MISSPELT_BYTES).then(|| strsim::damerau_levenshtein(name, known))
}

/// Collects faults while a text is read. Their byte offsets are converted to lines and columns at
/// the end.
pub struct FaultList<'a> {
    text: &'a str,
    found: Vec<(usize, String, String)>,
}

impl<'a> FaultList<'a> {
    /// Creates an empty list for `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, found: Vec::new() }
    }

    /// Adds a fault at a byte offset.
    pub fn add(&mut self, offset: usize, message: impl Into<String>, fix: impl Into<String>) {
        self.found.push((offset, message.into(), fix.into()));
    }

    /// Whether no fault was added.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The number of faults added.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Converts the list to an error for the text's `origin`: the faults in the order of the text,
    /// without duplicates. At most a hundred are listed; the others are only counted.
    pub fn into_error(mut self, origin: &str) -> Faults {
        self.found.sort_by_key(|(offset, ..)| *offset);
        self.found.dedup();
        let unreported = self.found.len().saturating_sub(limits::REPORTED_FAULTS);
        self.found.truncate(limits::REPORTED_FAULTS);
        // A single pass over the text, from each fault to the next.
        let mut walked = 0;
        let mut line = 1;
        let mut column = 1;
        let mut faults = Vec::with_capacity(self.found.len());
        for (offset, message, fix) in self.found {
            let between = self.text.get(walked..offset).unwrap_or_default();
            walked += between.len();
            line += between.matches('\n').count();
            column = match between.rsplit_once('\n') {
                Some((_, last)) => last.chars().count() + 1,
                None => column + between.chars().count(),
            };
            faults.push(RuleFileFault { line, column, message, fix });
        }
        if let Some(last) = faults.last().filter(|_| unreported > 0) {
            let message = format!("{unreported} more faults from here on");
            let fix = "correct those above first".into();
            faults.push(RuleFileFault { line: last.line, column: last.column, message, fix });
        }
        Faults { origin: origin.to_owned(), faults }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str, offsets: &[usize]) -> Vec<(usize, usize)> {
        let mut list = FaultList::new(text);
        offsets.iter().for_each(|offset| list.add(*offset, "wrong", ""));
        list.into_error("a").faults.iter().map(|fault| (fault.line, fault.column)).collect()
    }

    #[test]
    fn a_long_name_is_no_misspelt_one() {
        assert_eq!(nearest("gaol", &["id", "goal"]), Some("goal"));
        assert_eq!(edits(&"a".repeat(5_000_000), "a"), None);
        assert_eq!(nearest(&"goal".repeat(1_000_000), &["id", "goal"]), None);
    }

    #[test]
    fn lines_and_columns_are_counted_in_characters_from_one() {
        let text = "ab\né\u{1f600}c\n\nd";
        assert_eq!(
            places(text, &[0, 1, 2, 3, 5, 9, 11, 12]),
            [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (4, 1)]
        );
        assert_eq!(places(text, &[12, 0, 12, 0]), [(1, 1), (4, 1)], "sorted, without duplicates");
        assert_eq!(
            places(text, &[text.len(), 1000]),
            [(4, 2), (4, 2)],
            "offsets past the end are at the end"
        );
        assert_eq!(places("", &[0]), [(1, 1)]);
    }

    #[test]
    fn only_the_first_hundred_faults_are_reported_and_the_others_counted() {
        let text = "x\n".repeat(5000);
        let mut list = FaultList::new(&text);
        (0..5000).for_each(|line| list.add(2 * line, format!("fault {line}"), ""));
        let faults = list.into_error("a").faults;
        assert_eq!(faults.len(), 101);
        assert_eq!((faults[99].line, faults[99].message.as_str()), (100, "fault 99"));
        assert_eq!(faults[100].message, "4900 more faults from here on");
    }
}
