//! What is wrong with a formula, and where.

/// A fault of a formula and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaFault {
    /// Byte offset in the formula's text.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
    /// What to change.
    pub fix: String,
}

impl FormulaFault {
    pub(super) fn new(offset: usize, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { offset, message: message.into(), fix: fix.into() }
    }
}
