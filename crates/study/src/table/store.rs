//! Tables in files: reading, and atomic writing.

use std::path::Path;

use super::{Table, TableError, TableFault};
use crate::files;
use crate::game::Game;
use crate::limits;

/// Reads the bytes of a file of at most `limit` bytes.
///
/// # Errors
/// Returns an error, which names the path, if the file cannot be read.
pub fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, TableError> {
    files::read(path, limit)
        .map_err(|error| TableError::Unreadable { path: path.to_owned(), error })
}

/// Reads a table from a file of at most [`limits::TABLE_BYTES`].
///
/// # Errors
/// Returns an error, which names the path, if the file cannot be read or is not a valid table.
pub fn read(path: &Path) -> Result<Table, TableError> {
    Table::from_bytes(&read_bytes(path, limits::TABLE_BYTES)?).map_err(|fault| faulty(path, fault))
}

/// Reads a table of the given game from the bytes of the file `path`; see [`Table::for_game`].
///
/// # Errors
/// Returns an error, which names the path, if they are not a valid table of the game.
pub fn of_bytes_for(bytes: &[u8], path: &Path, game: &Game) -> Result<Table, TableError> {
    Table::for_game(bytes, game).map_err(|fault| faulty(path, fault))
}

fn faulty(path: &Path, fault: TableFault) -> TableError {
    TableError::Faulty { path: path.to_owned(), fault }
}

/// Writes bytes to a file atomically: see [`files::write`].
///
/// # Errors
/// Returns an error, which names the path, if the file cannot be written; an old file then stays
/// unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), TableError> {
    files::write(path, bytes)
        .map_err(|error| TableError::Unwritable { path: path.to_owned(), error })
}
