//! Files: read whole and within a limit, written so that a reader finds the old file or the new one, never half of one,
//! and the texts of strangers put into each format ([`escape`]).
//!
//! What is read must be a plain file: a folder, a pipe or a device is refused before it can block or never end.

pub mod escape;

use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::path::Path;

/// Reads a plain file of at most `limit` bytes.
///
/// # Errors
/// If it cannot be opened, is no plain file, or is larger; the message does not name the path.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // It may grow while it is read.
    open(path, limit)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(bytes.len() as u64, limit)) } else { Ok(bytes) }
}

/// Opens a plain file that has at most `limit` bytes now.
///
/// # Errors
/// As [`read`].
pub fn open(path: &Path, limit: u64) -> io::Result<File> {
    let file = open_at_once(path)?;
    let metadata = file.metadata()?;
    match no_plain_file(&metadata) {
        Some(what) => Err(io::Error::other(what)),
        None if metadata.len() > limit => Err(too_large(metadata.len(), limit)),
        None => Ok(file),
    }
}

/// [`read`] of a file in UTF-8.
///
/// # Errors
/// As [`read`], or if it is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is no text in UTF-8");
    String::from_utf8(read(path, limit)?).map_err(not_text)
}

/// Opens without waiting for the other end of a pipe.
#[cfg(target_os = "linux")]
fn open_at_once(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)
}

/// Looks before it opens, for opening a pipe may wait for ever.
#[cfg(not(target_os = "linux"))]
fn open_at_once(path: &Path) -> io::Result<File> {
    match no_plain_file(&std::fs::metadata(path)?) {
        Some(what) => Err(io::Error::other(what)),
        None => File::open(path),
    }
}

fn no_plain_file(metadata: &Metadata) -> Option<&'static str> {
    if metadata.is_file() {
        None
    } else if metadata.is_dir() {
        Some("it is a directory; name a file")
    } else {
        Some("it is a pipe, a socket or a device; name a plain file")
    }
}

fn too_large(size: u64, limit: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it has {size} bytes; at most {limit} are read"))
}

/// Writes bytes to a file atomically: into a new file beside it, synced, then renamed over it.
///
/// What is not a plain file (a pipe, `/dev/stdout`) is written to directly.
///
/// # Errors
/// If anything fails; the old file is then still there, whole, and no other is left behind.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_special(path) {
        let mut file = File::options().write(true).open(path)?;
        file.write_all(bytes)?;
        return file.flush();
    }
    put(beside(path)?, bytes, path)
}

/// A file that is not yet found under the name it is meant for.
trait Unnamed: Write {
    /// Returns once all that was written is on the disk.
    fn sync(&mut self) -> io::Result<()>;
    /// Gives it its name, in place of any file of that name; if it fails nothing of it is left.
    fn name(self, path: &Path) -> io::Result<()>;
}

impl Unnamed for tempfile::NamedTempFile {
    fn sync(&mut self) -> io::Result<()> {
        self.as_file().sync_all()
    }

    fn name(self, path: &Path) -> io::Result<()> {
        Ok(self.persist(path).map(|_| ())?)
    }
}

/// The order that makes it atomic: whole, then on the disk, then under its name.
fn put(mut file: impl Unnamed, bytes: &[u8], path: &Path) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync()?;
    file.name(path)
}

/// Writes a new file, whole or not at all; one that is there is left as it is.
///
/// # Errors
/// If it is there ([`io::ErrorKind::AlreadyExists`]) or cannot be written.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = beside(path)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path)?;
    Ok(())
}

/// Finds out whether [`write()`] could write there, so that long work is not begun in vain. Nothing is left behind.
///
/// # Errors
/// Why it could not.
pub fn can_write(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(io::Error::other("it is a directory; name a file")),
        Ok(metadata) if !metadata.is_file() => Ok(()),
        _ => beside(path).map(|_| ()),
    }
}

fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

/// A new file in the same folder, which goes away unless it is renamed.
fn beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // A result is for sharing: readable as any new file is, not private as temporary files are.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.prefix(".hog-").suffix(".tmp").tempfile_in(folder).map_err(without_its_path)
}

/// An error of making a temporary file without the name of that file, which nobody asked for.
fn without_its_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path \"") {
        Some((reason, _)) => io::Error::new(error.kind(), reason.to_owned()),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_within_the_limit_is_read_and_a_larger_one_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("five");
        write(&path, b"12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        assert_eq!(read(&path, 4).unwrap_err().to_string(), "it has 5 bytes; at most 4 are read");
        assert!(read_text(&path, 5).is_ok());
        write(&path, b"\xff\xfe").unwrap();
        assert!(read_text(&path, 5).unwrap_err().to_string().contains("UTF-8"));
    }

    /// A file on a disk with room for so many bytes, which writes down what is done with it.
    struct Watched<'a> {
        file: tempfile::NamedTempFile,
        room: usize,
        steps: &'a std::cell::RefCell<Vec<&'static str>>,
    }

    impl Write for Watched<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(self.room).min(100);
            self.room -= taken;
            self.steps.borrow_mut().push("write");
            if taken == 0 { Err(io::ErrorKind::StorageFull.into()) } else { self.file.write(&bytes[..taken]) }
        }

        fn flush(&mut self) -> io::Result<()> {
            self.file.flush()
        }
    }

    impl Unnamed for Watched<'_> {
        fn sync(&mut self) -> io::Result<()> {
            self.steps.borrow_mut().push("sync");
            self.file.sync()
        }

        fn name(self, path: &Path) -> io::Result<()> {
            self.steps.borrow_mut().push("name");
            self.file.name(path)
        }
    }

    #[test]
    fn a_file_gets_its_name_when_all_of_it_is_on_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let (path, steps) = (folder.path().join("file"), Default::default());
        let file = Watched { file: beside(&path).unwrap(), room: 1000, steps: &steps };
        put(file, &[7; 150], &path).unwrap();
        assert_eq!(*steps.borrow(), ["write", "write", "sync", "name"]);
        assert_eq!(std::fs::read(&path).unwrap(), [7; 150]);
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(50))]
        #[test]
        fn a_disk_that_is_full_at_any_byte_leaves_the_old_file_and_no_other(room in 0usize..5000) {
            let folder = tempfile::tempdir().unwrap();
            let (path, steps) = (folder.path().join("file"), Default::default());
            write(&path, b"old").unwrap();
            let file = Watched { file: beside(&path).unwrap(), room, steps: &steps };
            let error = put(file, &[7; 5000], &path).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull);
            assert_eq!(std::fs::read(&path).unwrap(), b"old");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
            assert!(!steps.borrow().contains(&"name"));
        }
    }

    #[test]
    fn directories_and_devices_are_refused_in_words() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(folder.path(), 9).unwrap_err().to_string().contains("directory"));
        assert!(can_write(folder.path()).is_err());
        let missing = can_write(&folder.path().join("no/file")).unwrap_err().to_string();
        assert!(!missing.contains(".hog-"), "{missing}");
        assert!(can_write(&folder.path().join("file")).is_ok());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
        #[cfg(unix)]
        assert!(read(Path::new("/dev/zero"), 9).unwrap_err().to_string().contains("device"));
    }

    /// A pipe nobody writes to: opening it must not wait.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_pipe_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(read(&path, 9).unwrap_err().to_string().contains("pipe"));
    }

    #[test]
    fn a_new_file_never_replaces_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        write_new(&path, b"first").unwrap();
        assert_eq!(write_new(&path, b"second").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read(&path).unwrap(), b"first");
    }
}
