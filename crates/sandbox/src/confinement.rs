//! What a process and the launcher's program tell each other: what to execute and within which
//! limits, and whether that worked.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ChildStderr;

use serde::{Deserialize, Serialize};

use crate::limits;

use super::system::limits_memory;

/// The first argument of the launcher's program.
pub const CONFINE: &str = "__confine";

/// The launcher's message when it is prepared; more follows only if the interpreter cannot be
/// executed.
pub(super) const READY: &str = "ready\n";

/// Returns the memory that a file's process may map, in bytes: [`limits::MEMORY_MIB`], or what the
/// host allows (`ulimit -v`) if that is less.
pub(super) fn most_memory() -> u64 {
    #[cfg(unix)]
    return allowed(rustix::process::Resource::As, limits::MEMORY_MIB << 20);
    #[cfg(not(unix))]
    return limits::MEMORY_MIB << 20;
}

/// Returns a limit for a process of a file, or the host's if that is less: only root can raise it.
#[cfg(unix)]
pub(super) fn allowed(resource: rustix::process::Resource, wanted: u64) -> u64 {
    rustix::process::getrlimit(resource).maximum.map_or(wanted, |most| most.min(wanted))
}

/// The instructions to the launcher's program: what to execute, and within which limits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Confinement {
    /// The process that started the launcher; the program ends with it.
    pub parent: u32,
    /// The limits of a file that runs in this process; `None` for a program that runs files in
    /// processes of their own.
    pub limits: Option<ProcessLimits>,
    /// The working directory.
    pub folder: AnyPath,
    /// The program to execute.
    pub program: AnyPath,
    /// The program's arguments.
    pub arguments: Vec<String>,
}

/// The limits of a process.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct ProcessLimits {
    /// Processor time, in seconds.
    pub seconds: u64,
    /// Memory that may be mapped, in bytes; `None` where the system does not limit it.
    pub memory: Option<u64>,
}

impl ProcessLimits {
    /// The limits of a trusted file on this system, by its name.
    pub fn of_trusted(os: &str, seconds: u64) -> Self {
        Self { seconds, memory: limits_memory(os).then(most_memory) }
    }
}

/// A path that is serialized as bytes: names of files need not be text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<u8>", into = "Vec<u8>")]
pub(super) struct AnyPath(PathBuf);

impl From<PathBuf> for AnyPath {
    fn from(path: PathBuf) -> Self {
        Self(path)
    }
}

impl AsRef<Path> for AnyPath {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl From<AnyPath> for Vec<u8> {
    fn from(path: AnyPath) -> Self {
        path.0.into_os_string().into_encoded_bytes()
    }
}

impl From<Vec<u8>> for AnyPath {
    #[cfg(unix)]
    fn from(bytes: Vec<u8>) -> Self {
        Self(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes).into())
    }

    /// Only Unix has launchers that read a [`Confinement`].
    #[cfg(not(unix))]
    fn from(bytes: Vec<u8>) -> Self {
        Self(String::from_utf8_lossy(&bytes).into_owned().into())
    }
}

/// Reads the launcher's message: an error unless it became the interpreter.
pub(super) fn read_message(stderr: Option<ChildStderr>) -> Result<(), String> {
    if !cfg!(unix) {
        return Ok(());
    }
    let mut message = String::new();
    let _ = stderr.map(|stderr| stderr.take(limits::MESSAGE_BYTES).read_to_string(&mut message));
    if message == READY {
        return Ok(());
    }
    let reason = message.strip_prefix(READY).unwrap_or(&message).trim();
    Err(if reason.is_empty() { SILENT } else { reason }.to_owned())
}

pub(super) const SILENT: &str = "the program that sandboxes files ended without a message";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_limited_where_the_system_can() {
        assert_eq!(ProcessLimits::of_trusted("linux", 7).memory, Some(most_memory()));
        assert!(most_memory() <= 1 << 30);
        let of_macos = ProcessLimits::of_trusted("macos", 7);
        assert_eq!((of_macos.seconds, of_macos.memory), (7, None));
    }
}
