//! Files: bounded reads, atomic writes, escaping of untrusted text for each output format
//! ([`escape`]), and a short hash ([`hash`]).
//!
//! Only plain files are read. A directory, pipe or device is refused, since it could block or never
//! end.
//!
//! This crate is a part of `hog-solver`, whose documentation says what is stable. Everything else
//! here may change in any release.

pub mod escape;
pub mod hash;

use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
#[cfg(target_os = "linux")]
use std::os::fd::OwnedFd;
use std::path::Path;

/// Returns whether a path has an extension (without a dot), in upper or lower case.
///
/// ```
/// assert!(hog_files::has_extension("hog/Strategy.PY", "py"));
/// assert!(!hog_files::has_extension("strategy.py.bak", "py"));
/// assert!(!hog_files::has_extension("py", "py"));
/// ```
pub fn has_extension(path: impl AsRef<Path>, extension: &str) -> bool {
    path.as_ref().extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Reads a plain file of at most `limit` bytes.
///
/// # Errors
/// Returns an error, which does not name the path, if the file cannot be read, is not a plain file,
/// or is larger.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    all_of(open(path, limit)?, limit)
}

/// Reads a plain file of at most `limit` bytes, as [`open_without_links`] opens it.
///
/// # Errors
/// Returns the errors of [`open_without_links`].
pub fn read_without_links(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    all_of(open_without_links(path, limit)?, limit)
}

fn all_of(file: File, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // The file may grow while it is read.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(bytes.len() as u64, limit)) } else { Ok(bytes) }
}

/// Opens a plain file that has at most `limit` bytes now.
///
/// # Errors
/// Returns the errors of [`read`].
pub fn open(path: &Path, limit: u64) -> io::Result<File> {
    plain(open_without_blocking(path)?, limit)
}

/// Opens a plain file that has at most `limit` bytes now. Links in the path are refused, since the
/// owner of a folder may place one at any time. Without `openat2`, which Linux has, only the last
/// part of the path is checked.
///
/// # Errors
/// Returns the errors of [`read`], or an error if a part of the path is a link.
pub fn open_without_links(path: &Path, limit: u64) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    let file = {
        use rustix::fs::OFlags;
        open_fd_without_links(path, OFlags::RDONLY | OFlags::NONBLOCK)?.into()
    };
    #[cfg(not(target_os = "linux"))]
    let file = if std::fs::symlink_metadata(path)?.is_symlink() {
        return Err(io::Error::other(A_LINK));
    } else {
        open_without_blocking(path)?
    };
    plain(file, limit)
}

const A_LINK: &str = "it is a link, and links are not followed; hand in the file itself";
const A_DIRECTORY: &str = "it is a directory; name a file";

/// Returns a reference to a file or folder, by which it can be named but not read (`O_PATH`). No
/// part of the path may be a link, as in [`open_without_links`].
///
/// # Errors
/// Returns an error if there is no such file, or a part of the path is a link.
#[cfg(target_os = "linux")]
pub fn refer_without_links(path: &Path) -> io::Result<OwnedFd> {
    open_fd_without_links(path, rustix::fs::OFlags::PATH)
}

/// Opens a file or folder with these flags, by a path of which no part is a link.
#[cfg(target_os = "linux")]
fn open_fd_without_links(path: &Path, flags: rustix::fs::OFlags) -> io::Result<OwnedFd> {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
    use rustix::io::Errno;
    let flags = flags | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let opened = match openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
        // Some containers forbid the call.
        Err(Errno::NOSYS | Errno::PERM) => openat(CWD, path, flags, Mode::empty()),
        opened => opened,
    };
    opened.map_err(|error| match error {
        Errno::LOOP => io::Error::other(A_LINK),
        error => error.into(),
    })
}

/// Returns a file if it is plain and has at most `limit` bytes now.
fn plain(file: File, limit: u64) -> io::Result<File> {
    let metadata = file.metadata()?;
    match refusal(&metadata) {
        Some(what) => Err(io::Error::other(what)),
        None if metadata.len() > limit => Err(too_large(metadata.len(), limit)),
        None => Ok(file),
    }
}

/// Reads a plain UTF-8 file of at most `limit` bytes.
///
/// # Errors
/// Returns the errors of [`read`], or an error if the file is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(read(path, limit)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not text in UTF-8"))
}

/// Opens a file without waiting for the other end of a pipe.
#[cfg(target_os = "linux")]
fn open_without_blocking(path: &Path) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    File::options().read(true).custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(path)
}

/// Opens a file, after a check, since opening a pipe may block for ever.
#[cfg(not(target_os = "linux"))]
fn open_without_blocking(path: &Path) -> io::Result<File> {
    match refusal(&std::fs::metadata(path)?) {
        Some(what) => Err(io::Error::other(what)),
        None => File::open(path),
    }
}

/// Returns why a file is refused; `None` for a plain file.
fn refusal(metadata: &Metadata) -> Option<&'static str> {
    if metadata.is_file() {
        None
    } else if metadata.is_dir() {
        Some(A_DIRECTORY)
    } else {
        Some("it is a pipe, a socket or a device; name a plain file")
    }
}

fn too_large(size: u64, limit: u64) -> io::Error {
    io::Error::new(
        io::ErrorKind::FileTooLarge,
        format!("it has {size} bytes; at most {limit} are read"),
    )
}

/// Writes bytes to a file atomically: to a temporary file in the same directory, which is synced
/// and then renamed.
///
/// A file that is not plain (a pipe, `/dev/stdout`) is written to directly.
///
/// # Errors
/// Returns an error if a step fails; an old file then stays unchanged, and the temporary file is
/// removed.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_special(path) {
        let mut file = File::options().write(true).open(path)?;
        file.write_all(bytes)?;
        return file.flush();
    }
    write_through(temporary_in_folder_of(path)?, bytes, path)
}

/// A file that does not have its final name yet.
trait Unnamed: Write {
    /// Waits until all bytes written are on the disk.
    fn sync(&mut self) -> io::Result<()>;
    /// Renames the file, replacing any file of that name; if that fails, the file is removed.
    fn rename_to(self, path: &Path) -> io::Result<()>;
}

impl Unnamed for tempfile::NamedTempFile {
    fn sync(&mut self) -> io::Result<()> {
        self.as_file().sync_all()
    }

    fn rename_to(self, path: &Path) -> io::Result<()> {
        Ok(self.persist(path).map(|_| ())?)
    }
}

/// Writes all bytes, syncs them to the disk, then renames the file; this order makes the write
/// atomic.
fn write_through(mut file: impl Unnamed, bytes: &[u8], path: &Path) -> io::Result<()> {
    let written = file.write_all(bytes).and_then(|()| file.sync());
    written.and_then(|()| file.rename_to(path)).map_err(without_its_path)
}

/// Checks that [`write()`] could write to a path, before long work is begun. It leaves nothing
/// behind.
///
/// # Errors
/// Returns an error if the path is that of a directory, or no file can be made in its folder.
pub fn can_write(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(io::Error::other(A_DIRECTORY)),
        Ok(metadata) if !metadata.is_file() => Ok(()),
        _ => temporary_in_folder_of(path).map(|_| ()),
    }
}

/// Whether a path is that of a pipe, a socket or a device, to which [`write()`] writes directly, so
/// that writing may block.
pub fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Makes a temporary folder that no other user of this machine can read or change, whatever the
/// umask. It is removed when it is dropped.
///
/// # Errors
/// Returns an error if it cannot be made.
pub fn private_folder(prefix: &str) -> io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

/// Creates a temporary file in the directory of `path`; it is removed when dropped, unless it has
/// been renamed.
fn temporary_in_folder_of(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder =
        path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // The permissions of an ordinary new file; those of a temporary file would be private.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.prefix(".hog-").suffix(".tmp").tempfile_in(folder).map_err(without_its_path)
}

/// Removes the name of the temporary file from an error of creating or writing it.
fn without_its_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path \"") {
        Some((reason, _)) => io::Error::new(error.kind(), reason.to_owned()),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_private_folder_is_closed_to_others() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = private_folder("hog-test-").unwrap();
        let mode = std::fs::metadata(folder.path()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

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

    #[test]
    fn an_error_does_not_tell_the_temporary_name() {
        let (_, path) = tempfile::NamedTempFile::new().unwrap().into_parts();
        // It cannot be written.
        let file = tempfile::NamedTempFile::from_parts(File::open(&path).unwrap(), path);
        let name = file.path().file_name().unwrap().to_string_lossy().into_owned();
        let error = write_through(file, b"12345", Path::new("nowhere")).unwrap_err();
        assert!(!error.to_string().contains(&name), "{error}");
    }

    /// A file on a disk with `room` free bytes, which records the calls of its methods.
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
            if taken == 0 {
                Err(io::ErrorKind::StorageFull.into())
            } else {
                self.file.write(&bytes[..taken])
            }
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

        fn rename_to(self, path: &Path) -> io::Result<()> {
            self.steps.borrow_mut().push("rename");
            self.file.rename_to(path)
        }
    }

    #[test]
    fn a_file_is_renamed_only_after_all_of_it_is_on_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let (path, steps) = (folder.path().join("file"), Default::default());
        let file =
            Watched { file: temporary_in_folder_of(&path).unwrap(), room: 1000, steps: &steps };
        write_through(file, &[7; 150], &path).unwrap();
        assert_eq!(*steps.borrow(), ["write", "write", "sync", "rename"]);
        assert_eq!(std::fs::read(&path).unwrap(), [7; 150]);
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(50))]
        #[test]
        fn if_the_disk_fills_up_at_any_byte_only_the_old_file_is_left(room in 0usize..5000) {
            let folder = tempfile::tempdir().unwrap();
            let (path, steps) = (folder.path().join("file"), Default::default());
            write(&path, b"old").unwrap();
            let file = temporary_in_folder_of(&path).unwrap();
            let file = Watched { file, room, steps: &steps };
            let error = write_through(file, &[7; 5000], &path).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull);
            assert_eq!(std::fs::read(&path).unwrap(), b"old");
            let left = std::fs::read_dir(folder.path()).unwrap().count();
            assert_eq!(left, 1, "nothing else is left");
            assert!(!steps.borrow().contains(&"rename"));
        }
    }

    #[test]
    fn directories_and_devices_are_refused_with_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(folder.path(), 9).unwrap_err().to_string().contains("directory"));
        assert!(can_write(folder.path()).is_err());
        assert!(write(folder.path(), b"12345").is_err());
        assert!(!is_special(folder.path()));
        let missing = can_write(&folder.path().join("no/file")).unwrap_err().to_string();
        assert!(!missing.contains(".hog-"), "{missing}");
        assert!(can_write(&folder.path().join("file")).is_ok());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
        #[cfg(unix)]
        assert!(read(Path::new("/dev/zero"), 9).unwrap_err().to_string().contains("device"));
    }

    /// Opening a pipe without a writer must not block.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_pipe_is_refused_without_blocking() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(read(&path, 9).unwrap_err().to_string().contains("pipe"));
    }
}
