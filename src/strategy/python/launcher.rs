//! How strategies in Python files are started in this process: through which program, and with which limits.

use std::path::PathBuf;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

/// How to start Python strategies; set once for the whole process with [`Launcher::install`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    /// A program that calls [`confine`](super::confine) when its first argument is [`CONFINE`]; `hog` does.
    pub program: PathBuf,
    /// Whether to run strategies that are not shut in. Limits on time, memory and output stay.
    pub trust: bool,
    /// How long one strategy may take for 10,000 positions, in seconds; for larger games so much more.
    pub seconds: u64,
}

/// The first argument of the launcher's program.
pub const CONFINE: &str = "__confine";

/// How long a strategy may take if nobody says otherwise, in seconds.
pub const DEFAULT_SECONDS: u64 = 10;

/// The memory a strategy's process may map, in MiB.
pub(super) const MEMORY_MIB: u64 = 1024;

/// How much a strategy may print, in MiB.
pub(super) const PRINTED_MIB: u64 = 8;

static INSTALLED: OnceLock<Launcher> = OnceLock::new();

impl Launcher {
    /// Makes this the launcher of the process; the first one stays.
    pub fn install(self) {
        let _ = INSTALLED.set(self);
    }

    /// The installed one.
    pub(super) fn installed() -> Option<&'static Self> {
        INSTALLED.get()
    }

    /// The limit on time for so many positions, in seconds.
    pub(super) fn seconds_for(&self, positions: usize) -> u64 {
        self.seconds.saturating_mul((positions as u64).div_ceil(10_000).max(1))
    }
}

/// What the launcher's program is told: how to shut in the process that it becomes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Confinement {
    /// False to set limits only.
    pub shut_in: bool,
    /// Processor time, in seconds.
    pub seconds: u64,
    /// Memory that may be mapped, in bytes.
    pub memory: u64,
    /// Files and folders that may be read.
    pub readable: Vec<PathBuf>,
    /// Files that may be run.
    pub runnable: Vec<PathBuf>,
    /// The program to become.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
}
