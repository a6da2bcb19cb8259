//! How strategies in Python files are started in this process: through which program, with which interpreter and limits.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};

use super::interpreter::Interpreter;
use super::kept::KeptAnswers;

/// How to start Python strategies. Copies share the interpreter that was found and the bound on memory.
#[derive(Clone, Debug)]
pub struct Launcher {
    /// A program that calls [`confine`](super::confine) when its first argument is [`CONFINE`]; `hog` does.
    pub(super) program: PathBuf,
    /// What stands between the program and that argument, as `-m hog_solver` after an interpreter.
    pub(super) arguments: Vec<String>,
    pub(super) trust: bool,
    pub(super) kept: Option<Arc<KeptAnswers>>,
    seconds: u64,
    python: Option<PathBuf>,
    /// Looked for when it is first needed.
    interpreter: Arc<OnceLock<Result<Interpreter, String>>>,
    slots: Arc<Slots>,
}

/// The first argument of the launcher's program.
pub const CONFINE: &str = "__confine";

/// How long a strategy may compute if nobody says otherwise, in seconds.
pub const DEFAULT_SECONDS: u64 = 10;

/// The memory a strategy's process may map, in MiB.
pub(super) const MEMORY_MIB: u64 = 1024;

impl Launcher {
    /// Through a program that calls [`confine`](super::confine) when its first argument is [`CONFINE`]; `hog` does.
    /// Strategies are shut in, and have [`DEFAULT_SECONDS`].
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            trust: false,
            kept: None,
            seconds: DEFAULT_SECONDS,
            python: None,
            interpreter: Arc::default(),
            slots: Arc::default(),
        }
    }

    /// With arguments before [`CONFINE`], for a program that is itself run by another.
    #[must_use]
    pub fn with_arguments(mut self, arguments: Vec<String>) -> Self {
        self.arguments = arguments;
        self
    }

    /// Whether to run strategies that are not shut in. Limits on time and memory stay.
    #[must_use]
    pub fn trusting(mut self, trust: bool) -> Self {
        self.trust = trust;
        self
    }

    /// How long one strategy may compute for 10,000 positions, in seconds of processor time; for larger games so much more.
    #[must_use]
    pub fn within_seconds(mut self, seconds: u64) -> Self {
        self.seconds = seconds;
        self
    }

    /// With this interpreter, or that of the virtual environment in this folder, instead of `python3`.
    #[must_use]
    pub fn with_interpreter(mut self, python: impl Into<PathBuf>) -> Self {
        self.python = Some(python.into());
        self.interpreter = Arc::default();
        self
    }

    /// Keeps answers in this folder, and takes from it those of files that have not changed. Answers of programs that are
    /// trusted are not kept: nobody knows what they depend on.
    #[must_use]
    pub fn keeping_answers_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.kept = Some(Arc::new(KeptAnswers::new(folder.into())));
        self
    }

    /// The interpreter of this machine, looked for once by all copies of this launcher.
    pub(super) fn interpreter(&self) -> Result<&Interpreter, String> {
        self.interpreter.get_or_init(|| Interpreter::find(self.python.as_deref())).as_ref().map_err(Clone::clone)
    }

    /// The limit on processor time for so many positions, in seconds.
    pub(super) fn seconds_for(&self, positions: usize) -> u64 {
        self.seconds.saturating_mul((positions as u64).div_ceil(10_000).max(1))
    }

    /// Waits until another process may run: as many as there are threads, and no more than half of the memory holds.
    pub(super) fn slot(&self) -> Slot<'_> {
        self.slots.take()
    }
}

/// How many processes may be started now.
#[derive(Debug)]
struct Slots {
    free: Mutex<u64>,
    freed: Condvar,
}

/// The right to have one process, until it is dropped.
pub(super) struct Slot<'a>(&'a Slots);

impl Default for Slots {
    fn default() -> Self {
        let most = (memory_mib() / 2 / MEMORY_MIB).clamp(1, rayon::current_num_threads() as u64);
        Self { free: Mutex::new(most), freed: Condvar::new() }
    }
}

impl Slots {
    fn free(&self) -> MutexGuard<'_, u64> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Slot<'_> {
        let waited = self.freed.wait_while(self.free(), |free| *free == 0);
        *waited.unwrap_or_else(PoisonError::into_inner) -= 1;
        Slot(self)
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        *self.0.free() += 1;
        self.0.freed.notify_one();
    }
}

/// The memory of this machine, or of the group this process is in, in MiB; four times that of a strategy if it is not told.
fn memory_mib() -> u64 {
    let of_machine = || {
        let told = std::fs::read_to_string("/proc/meminfo").ok()?;
        let total = told.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        total.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kib| kib >> 10)
    };
    let of_group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let of_group = of_group.and_then(|bytes| bytes.trim().parse::<u64>().ok()).map(|bytes| bytes >> 20);
    of_machine().unwrap_or(4 * MEMORY_MIB).min(of_group.unwrap_or(u64::MAX))
}

/// What the launcher's program is told: how to shut in the process that it becomes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Confinement {
    /// False to set limits only.
    pub shut_in: bool,
    /// The process that asked; without it there is nobody to answer.
    pub parent: u32,
    /// Processor time, in seconds.
    pub seconds: u64,
    /// Memory that may be mapped, in bytes.
    pub memory: u64,
    /// Files, and folders with all in them, that may be read.
    pub readable: Vec<PathBuf>,
    /// Files that may be run.
    pub runnable: Vec<PathBuf>,
    /// The folder to work in, whose names may be listed.
    pub folder: Option<PathBuf>,
    /// The strategy's files, that may be read unless they are links.
    pub files: Vec<PathBuf>,
    /// The program to become.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_games_have_longer() {
        let launcher = Launcher::new("hog").within_seconds(3);
        assert_eq!([0, 1, 10_000, 10_001, 1_000_000].map(|cells| launcher.seconds_for(cells)), [3, 3, 3, 6, 300]);
        assert_eq!(Launcher::new("hog").seconds_for(10_000), DEFAULT_SECONDS);
    }

    #[test]
    fn no_more_processes_than_threads_and_memory_allow() {
        let slots = Slots { free: Mutex::new(2), freed: Condvar::new() };
        let (first, second) = (slots.take(), slots.take());
        assert_eq!(*slots.free(), 0);
        std::thread::scope(|scope| {
            let third = scope.spawn(|| drop(slots.take()));
            drop(first);
            third.join().unwrap();
        });
        drop(second);
        assert_eq!(*slots.free(), 2);
        let most = *Slots::default().free();
        assert!(most >= 1 && (most == 1 || most * MEMORY_MIB <= memory_mib() / 2), "{most}");
    }
}
