//! The results of a contest for a gradebook: a line for each person. It is written as CSV, not as
//! JSON.

/// A table with a line for each person.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GradebookView {
    /// The headings.
    pub headings: Vec<String>,
    /// The lines, with a cell for each heading.
    pub lines: Vec<Vec<String>>,
}
