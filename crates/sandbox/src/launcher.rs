//! How the processes of Python files are started: the launcher's program, the interpreter, and how
//! many run at once.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use crate::limits;

use super::interpreter::Interpreter;
use super::kept::KeptAnswers;
use super::running::RunningProcesses;
#[cfg(all(target_os = "linux", feature = "confine"))]
use super::server::Servers;

/// Starts and asks Python files. Copies share the interpreter that was found, the limit on
/// concurrent processes, and the list of those that run.
#[derive(Clone, Debug)]
pub struct Launcher {
    /// A program that calls [`confine`](crate::confine()) when its first argument is
    /// [`CONFINE`](crate::CONFINE).
    pub(super) program: PathBuf,
    /// Arguments between the program and [`CONFINE`](crate::CONFINE), such as `-m hog_solver`
    /// after an interpreter.
    pub(super) arguments: Vec<String>,
    pub(super) trust: bool,
    /// Whether files may run as another user where Landlock is missing.
    pub(super) or_as_nobody: bool,
    pub(super) kept: Option<Arc<KeptAnswers>>,
    /// The limit on processor time for 10,000 questions, and on waiting for any number.
    pub(super) seconds: u64,
    python: Option<PathBuf>,
    /// Searched for at first use.
    interpreter: Arc<OnceLock<Result<Interpreter, String>>>,
    /// Counted at first use: by then the number of threads is decided.
    slots: Arc<LazyLock<Slots>>,
    pub(super) running: Arc<RunningProcesses>,
    /// Those of the interpreter.
    #[cfg(all(target_os = "linux", feature = "confine"))]
    pub(super) servers: Arc<Servers>,
}

/// The interval between checks of a process's limits and of cancellation.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(100);

impl Launcher {
    /// Creates a launcher that runs `program`, which must call [`confine`](crate::confine()) when
    /// its first argument is [`CONFINE`](crate::CONFINE). Files are sandboxed, with the time limit
    /// [`limits::SECONDS`].
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            trust: false,
            or_as_nobody: false,
            kept: None,
            seconds: limits::SECONDS,
            python: None,
            interpreter: Arc::default(),
            slots: Arc::new(LazyLock::new(Slots::of_machine)),
            running: Arc::default(),
            #[cfg(all(target_os = "linux", feature = "confine"))]
            servers: Arc::default(),
        }
    }

    /// Sets arguments that precede [`CONFINE`](crate::CONFINE), for a program that is run by an
    /// interpreter.
    #[must_use]
    pub fn with_arguments(mut self, arguments: Vec<String>) -> Self {
        self.arguments = arguments;
        self
    }

    /// Sets whether files run without the sandbox. Limits on time and memory still apply.
    #[must_use]
    pub fn trusting(mut self, trust: bool) -> Self {
        self.trust = trust;
        self
    }

    /// Where the kernel has no Landlock and this program runs as root, runs files as the user
    /// `nobody`: seccomp still keeps them from writing, the network and other processes, but they
    /// may read whatever everybody may. For a machine on which nobody else's work can be read, such
    /// as the container of an autograder.
    #[must_use]
    pub fn or_as_nobody(mut self) -> Self {
        self.or_as_nobody = true;
        self
    }

    /// Sets the limit on processor time, in seconds for each 10,000 questions (rounded up).
    #[must_use]
    pub fn within_seconds(mut self, seconds: u64) -> Self {
        self.seconds = seconds;
        self
    }

    /// Returns the limit on processor time, in seconds for each 10,000 questions.
    pub fn seconds(&self) -> u64 {
        self.seconds
    }

    /// Sets the interpreter, or the folder of a virtual environment, to use instead of `python3`.
    #[must_use]
    pub fn with_interpreter(mut self, python: impl Into<PathBuf>) -> Self {
        self.python = Some(python.into());
        self.interpreter = Arc::default();
        #[cfg(all(target_os = "linux", feature = "confine"))]
        {
            self.servers = Arc::default();
        }
        self
    }

    /// Keeps answers in a folder, and reuses those of files that have not changed. Answers of
    /// trusted files are not kept: they may depend on anything.
    #[must_use]
    pub fn keeping_answers_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.kept = Some(Arc::new(KeptAnswers::new(folder.into())));
        self
    }

    /// Neither keeps answers nor uses kept ones: for files whose path is never the same again,
    /// since the answers may depend on it.
    #[must_use]
    pub fn keeping_no_answers(mut self) -> Self {
        self.kept = None;
        self
    }

    /// Kills all processes that this launcher and its copies are running; for a program that exits
    /// without dropping what started them.
    pub fn end_all(&self) {
        self.running.end_all();
    }

    /// Returns the interpreter, which all copies of this launcher search for only once.
    pub(super) fn interpreter(&self) -> Result<&Interpreter, String> {
        self.interpreter
            .get_or_init(|| Interpreter::find(self.python.as_deref(), self.kept.as_deref()))
            .as_ref()
            .map_err(Clone::clone)
    }

    /// Returns the limit on processor time for a number of questions, in seconds.
    pub(super) fn seconds_for(&self, questions: usize) -> u64 {
        self.seconds.saturating_mul((questions as u64).div_ceil(10_000).max(1))
    }

    /// Waits until another process may run; returns `None` if `keep_going`, called periodically,
    /// returns false. There are at most as many processes as threads, and as fit into half of
    /// the memory.
    pub(super) fn slot(&self, keep_going: &dyn Fn() -> bool) -> Option<Slot<'_>> {
        self.slots.take(keep_going)
    }
}

/// A semaphore that counts how many more processes may run.
#[derive(Debug)]
struct Slots {
    free: Mutex<u64>,
    freed: Condvar,
}

/// A permit to run one process, returned when dropped.
pub(super) struct Slot<'a>(&'a Slots);

impl Slots {
    fn of_machine() -> Self {
        let most =
            (memory_mib() / 2 / limits::MEMORY_MIB).clamp(1, rayon::current_num_threads() as u64);
        Self { free: Mutex::new(most), freed: Condvar::new() }
    }

    fn free(&self) -> MutexGuard<'_, u64> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, keep_going: &dyn Fn() -> bool) -> Option<Slot<'_>> {
        while keep_going() {
            let waited =
                self.freed.wait_timeout_while(self.free(), POLL_INTERVAL, |free| *free == 0);
            let (mut free, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if *free > 0 {
                *free -= 1;
                return Some(Slot(self));
            }
        }
        None
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        *self.0.free() += 1;
        self.0.freed.notify_one();
    }
}

/// Returns the memory of this machine, or of the process's control group if that is less, in MiB.
/// If the system does not report it, four times [`limits::MEMORY_MIB`] is assumed.
fn memory_mib() -> u64 {
    let of_group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let of_group =
        of_group.and_then(|bytes| bytes.trim().parse::<u64>().ok()).map(|bytes| bytes >> 20);
    machine_mib().unwrap_or(4 * limits::MEMORY_MIB).min(of_group.unwrap_or(u64::MAX))
}

fn machine_mib() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    total.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kib| kib >> 10)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn the_time_limit_grows_with_the_number_of_questions() {
        let launcher = Launcher::new("program").within_seconds(3);
        assert_eq!(
            [0, 1, 10_000, 10_001, 1_000_000].map(|cells| launcher.seconds_for(cells)),
            [3, 3, 3, 6, 300]
        );
        assert_eq!(Launcher::new("program").seconds_for(10_000), limits::SECONDS);
    }

    #[test]
    fn processes_are_limited_by_threads_and_memory() {
        let slots = Slots { free: Mutex::new(2), freed: Condvar::new() };
        let go_on = || true;
        let (first, second) = (slots.take(&go_on).unwrap(), slots.take(&go_on).unwrap());
        assert_eq!(*slots.free(), 0);
        std::thread::scope(|scope| {
            let third = scope.spawn(|| drop(slots.take(&go_on).unwrap()));
            drop(first);
            third.join().unwrap();
        });
        drop(second);
        assert_eq!(*slots.free(), 2);
        let most = *Slots::of_machine().free();
        assert!(
            most >= 1 && (most == 1 || most * limits::MEMORY_MIB <= memory_mib() / 2),
            "{most}"
        );
    }

    /// Of a function's two processes only the first learns of cancellation from the caller, and it
    /// may be the one that waits.
    #[test]
    fn waiting_for_a_slot_is_cancelled() {
        let slots = Slots { free: Mutex::new(0), freed: Condvar::new() };
        let polls = AtomicUsize::new(0);
        assert!(slots.take(&|| polls.fetch_add(1, Ordering::Relaxed) < 2).is_none());
        assert_eq!((polls.into_inner(), *slots.free()), (3, 0));
    }
}
