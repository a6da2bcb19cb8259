//! Tables in files: read whole, written so that a reader finds the old table or the new one, never half of one.

use std::io::Write;
use std::path::Path;

use super::{Table, TableError, TableFault};

/// The largest file that is read as a table.
const LARGEST_FILE: u64 = 4 << 30;

/// Reads a table.
///
/// # Errors
/// If the file cannot be read or is no sound table; the error names the path.
pub fn read(path: &Path) -> Result<Table, TableError> {
    let unreadable = |error| TableError::Unreadable { path: path.to_owned(), error };
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if metadata.len() > LARGEST_FILE {
        return Err(TableError::Faulty { path: path.to_owned(), fault: TableFault::Damaged });
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    Table::from_bytes(&bytes).map_err(|fault| TableError::Faulty { path: path.to_owned(), fault })
}

/// Writes bytes to a file atomically: into a new file beside it, synced, then renamed over it.
///
/// What is not a plain file (a pipe, `/dev/stdout`) is written to directly.
///
/// # Errors
/// If anything fails; the old file is then still there, whole, and no other is left behind.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), TableError> {
    write_atomically(path, bytes).map_err(|error| TableError::Unwritable { path: path.to_owned(), error })
}

fn write_atomically(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let special = std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    if special {
        let mut file = std::fs::OpenOptions::new().write(true).open(path)?;
        file.write_all(bytes)?;
        return file.flush();
    }
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // A table is for sharing: readable as any new file is, not private as temporary files are.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.prefix(".hog-").suffix(".tmp").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
