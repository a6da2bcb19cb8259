//! Tables in files: read whole, written so that a reader finds the old table or the new one, never half of one.

use std::path::Path;

use super::{Table, TableError};
use crate::files;

/// The largest file that is read as a table, in bytes, if nobody says otherwise.
pub const LARGEST_FILE: u64 = 4 << 30;

/// Reads a table from a file of at most `limit` bytes.
///
/// # Errors
/// If the file cannot be read or is no sound table; the error names the path.
pub fn read_within(path: &Path, limit: u64) -> Result<Table, TableError> {
    let unreadable = |error| TableError::Unreadable { path: path.to_owned(), error };
    let bytes = files::read(path, limit).map_err(unreadable)?;
    Table::from_bytes(&bytes).map_err(|fault| TableError::Faulty { path: path.to_owned(), fault })
}

/// [`read_within`] of a file of at most [`LARGEST_FILE`] bytes.
///
/// # Errors
/// As [`read_within`].
pub fn read(path: &Path) -> Result<Table, TableError> {
    read_within(path, LARGEST_FILE)
}

/// Writes bytes to a file atomically: see [`files::write`].
///
/// # Errors
/// If anything fails; the old file is then still there, whole. The error names the path.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), TableError> {
    files::write(path, bytes).map_err(|error| TableError::Unwritable { path: path.to_owned(), error })
}
