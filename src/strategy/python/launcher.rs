//! How strategies in Python files are started in this process: through which program, and with which limits.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::interpreter::Interpreter;

/// How to start Python strategies.
#[derive(Clone, Debug)]
pub struct Launcher {
    /// A program that calls [`confine`](super::confine) when its first argument is [`CONFINE`]; `hog` does.
    pub(super) program: PathBuf,
    pub(super) trust: bool,
    seconds: u64,
    /// Looked for when it is first needed.
    interpreter: Arc<OnceLock<Result<Interpreter, String>>>,
}

/// The first argument of the launcher's program.
pub const CONFINE: &str = "__confine";

/// How long a strategy may take if nobody says otherwise, in seconds.
pub const DEFAULT_SECONDS: u64 = 10;

/// The memory a strategy's process may map, in MiB.
pub(super) const MEMORY_MIB: u64 = 1024;

/// How much a strategy may print, in MiB.
pub(super) const PRINTED_MIB: u64 = 8;

impl Launcher {
    /// Through a program that calls [`confine`](super::confine) when its first argument is [`CONFINE`]; `hog` does.
    /// Strategies are shut in, and have [`DEFAULT_SECONDS`].
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), trust: false, seconds: DEFAULT_SECONDS, interpreter: Arc::default() }
    }

    /// Whether to run strategies that are not shut in. Limits on time, memory and output stay.
    #[must_use]
    pub fn trusting(mut self, trust: bool) -> Self {
        self.trust = trust;
        self
    }

    /// How long one strategy may take for 10,000 positions, in seconds; for larger games so much more.
    #[must_use]
    pub fn within_seconds(mut self, seconds: u64) -> Self {
        self.seconds = seconds;
        self
    }

    /// The interpreter of this machine, looked for once by all copies of this launcher.
    pub(super) fn interpreter(&self) -> Result<Interpreter, String> {
        self.interpreter.get_or_init(Interpreter::find).clone()
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
