//! Writes answers as text and as JSON, and tables in other formats.

#[doc(hidden)]
pub mod style;

pub use style::{columns_of, counted, fit, paint, thousands, without_blank_ends};

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::files::escape;

/// A result that can be written as text for people.
pub trait Text {
    /// Writes the result as text with colours, which a caller must strip if `out` is not a
    /// terminal.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    fn text(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Whether the result is what was asked for, as the exit status of a command says it.
    fn verdict(&self) -> Verdict<'_> {
        Verdict::Yes
    }

    /// Notes that the result was written to a file of `size` bytes.
    fn wrote(&mut self, _file: &Path, _size: usize) {}
}

/// Whether a result is what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<'a> {
    /// It is.
    Yes,
    /// It is not: what was checked is wrong, or what was sought was not found.
    No,
    /// Some of it could not be had, for this reason.
    Partly(&'a str),
}

/// Writes an answer as [`Text`], without spaces at the ends of lines. Control characters, which
/// names from other people's files may contain, are escaped; see [`escape::terminal`].
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn text(answer: &dyn Text, out: &mut dyn Write) -> io::Result<()> {
    let mut bytes = Vec::new();
    answer.text(&mut bytes)?;
    let text = escape::terminal(&String::from_utf8_lossy(&bytes));
    out.write_all(without_blank_ends(&text).as_bytes())
}

/// Writes an answer as one JSON document on one line; every double reads back as the same double.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn json(answer: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    json_without_end(answer, out)?;
    writeln!(out)
}

/// Writes an answer like [`json`], without the end of the line. All answers are serialised here, so
/// that their code is compiled for one kind of output only.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn json_without_end(answer: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    Ok(serde_json::to_writer(out, answer)?)
}
