//! What this machine gives the program: folders, and limits that it sets.

use std::io;
use std::path::{Path, PathBuf};

/// The least stack that the program needs, in bytes: nested rules and formulas are read by
/// functions that call themselves.
const LEAST_STACK: u64 = 1 << 20;

/// The least memory that the program needs besides its tables, in bytes: its own code, threads, and
/// the room that its allocator reserves. Without memory a program can only be ended by the system.
const LEAST_MEMORY: u64 = 384 << 20;

/// Checks the host's limits on this process that no work could be told about.
///
/// # Errors
/// Returns an error that names the limit.
#[cfg(unix)]
pub(super) fn check_limits() -> anyhow::Result<()> {
    use rustix::process::{Resource, getrlimit};
    for (resource, option, least) in
        [(Resource::Stack, "-s", LEAST_STACK), (Resource::As, "-v", LEAST_MEMORY)]
    {
        let Some(limit) = getrlimit(resource).current.filter(|limit| *limit < least) else {
            continue;
        };
        let [limit, least] = [limit, least].map(|bytes| bytes >> 10);
        anyhow::bail!(
            "this shell allows a program {limit} KiB (ulimit {option}), and hog needs at least \
             {least}"
        );
    }
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn check_limits() -> anyhow::Result<()> {
    Ok(())
}

/// What a panic says if the system starts no more threads: libraries that start some do not ask.
const NO_THREADS: &str = "Resource temporarily unavailable";

/// From now on, a thread that cannot be started ends the program with a sentence and this status.
pub(super) fn refuse_without_threads(status: i32) {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.to_string().contains(NO_THREADS) {
            eprintln!("error: {TOO_FEW_THREADS}");
            std::process::exit(status);
        }
        report(panic);
    }));
}

/// What to say where the system starts no more threads.
pub(super) const TOO_FEW_THREADS: &str =
    "the system starts no more threads: allow more processes (ulimit -u)";

/// Returns hog's folder in the user's cache folder, as [`cache_place`] does, and makes it if it is
/// missing.
pub(super) fn cache_folder() -> Option<PathBuf> {
    let folder = cache_place()?;
    make_private(&folder).ok()?;
    Some(folder)
}

/// Makes a folder, and those that it is in, for this user alone.
pub(super) fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Returns hog's folder in the user's cache folder of each system, which may be missing; three
/// variables need no library.
///
/// `None` if somebody else could put something into it, as when root has another user's `HOME`:
/// what is kept there is believed, even which interpreter is run.
pub(super) fn cache_place() -> Option<PathBuf> {
    let caches = folder_in("XDG_CACHE_HOME").or_else(|| match std::env::consts::OS {
        "windows" => folder_in("LOCALAPPDATA"),
        "macos" => folder_in("HOME").map(|home| home.join("Library/Caches")),
        _ => folder_in("HOME").map(|home| home.join(".cache")),
    })?;
    private(&caches.join("hog"))
}

fn folder_in(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Returns a folder, without links in its path if it exists, if it is missing or belongs to the
/// effective user, and only this user or root can write to it or replace a part of its path.
#[cfg(unix)]
fn private(folder: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt as _;

    /// Who may write besides the owner, and the bit by which each may remove only what is their
    /// own.
    const OTHERS_WRITE: u32 = 0o022;
    const STICKY: u32 = 0o1000;

    let user = rustix::process::geteuid().as_raw();
    let there = folder.ancestors().find(|part| part.exists())?.canonicalize().ok()?;
    for part in there.ancestors() {
        let found = part.metadata().ok()?;
        let is_shared = found.mode() & OTHERS_WRITE != 0 && found.mode() & STICKY == 0;
        if is_shared || ![0, user].contains(&found.uid()) {
            return None;
        }
    }
    if !folder.exists() {
        return Some(folder.to_owned());
    }
    let found = there.metadata().ok()?;
    (found.uid() == user && found.mode() & OTHERS_WRITE == 0).then_some(there)
}

/// Elsewhere these folders are the user's own.
#[cfg(not(unix))]
fn private(folder: &Path) -> Option<PathBuf> {
    Some(folder.to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt as _, chown, symlink};

    use super::*;

    #[test]
    fn only_a_folder_that_nobody_else_can_change_is_used() {
        let top = tempfile::tempdir().unwrap();
        let at = |name: &str| top.path().join(name);
        assert_eq!(private(&at("a/hog")), Some(at("a/hog")), "it may be made");
        make_private(&at("a/hog")).unwrap();
        assert_eq!(at("a/hog").metadata().unwrap().permissions().mode() & 0o777, 0o700);
        let made = private(&at("a/hog")).unwrap();
        symlink(at("a"), at("link")).unwrap();
        assert_eq!(private(&at("link/hog")), Some(made), "a link of one's own");
        for (part, mode, is_used) in [
            ("a/hog", 0o755, true),
            ("a/hog", 0o775, false),
            ("a/hog", 0o1777, false),
            ("a/hog", 0o700, true),
            ("a", 0o707, false),
            ("a", 0o770, false),
            ("a", 0o1777, true),
        ] {
            std::fs::set_permissions(at(part), Permissions::from_mode(mode)).unwrap();
            assert_eq!(private(&at("a/hog")).is_some(), is_used, "{part} {mode:o}");
        }
        assert_eq!(private(Path::new("/dev/null/hog")), None);
        if rustix::process::geteuid().is_root() {
            chown(at("a/hog"), Some(65534), None).unwrap();
            assert_eq!(private(&at("a/hog")), None, "another user's");
            chown(at("a"), Some(65534), None).unwrap();
            assert_eq!(private(&at("a/new")), None, "in another user's");
        }
    }
}
