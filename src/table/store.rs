//! Tables in files: read whole, written so that a reader finds the old table or the new one, never half of one.

use std::path::Path;

use super::{Table, TableError, TableFault};
use crate::files;
use crate::game::Game;

/// The largest file that is read as a table, in bytes, if nobody says otherwise.
pub const LARGEST_FILE: u64 = 2 << 30;

/// The bytes of a file of at most `limit` bytes.
///
/// # Errors
/// If the file cannot be read; the error names the path.
pub fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, TableError> {
    files::read(path, limit).map_err(|error| TableError::Unreadable { path: path.to_owned(), error })
}

/// Reads a table from a file of at most [`LARGEST_FILE`] bytes.
///
/// # Errors
/// If the file cannot be read or is no sound table; the error names the path.
pub fn read(path: &Path) -> Result<Table, TableError> {
    Table::from_bytes(&read_bytes(path, LARGEST_FILE)?).map_err(|fault| faulty(path, fault))
}

/// Reads a table of this very game: of one of another game only as much as tells how its rules differ.
///
/// # Errors
/// If the file cannot be read, or is no sound table of the game; the error names the path.
pub fn read_for(path: &Path, game: &Game) -> Result<Table, TableError> {
    Table::for_game(&read_bytes(path, LARGEST_FILE)?, game).map_err(|fault| faulty(path, fault))
}

fn faulty(path: &Path, fault: TableFault) -> TableError {
    TableError::Faulty { path: path.to_owned(), fault }
}

/// Writes bytes to a file atomically: see [`files::write`].
///
/// # Errors
/// If anything fails; the old file is then still there, whole. The error names the path.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), TableError> {
    files::write(path, bytes).map_err(|error| TableError::Unwritable { path: path.to_owned(), error })
}
