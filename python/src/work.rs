//! Runs work without holding the interpreter's lock, so that other Python threads run meanwhile and
//! Ctrl-C stops it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use hog::Engine;
use hog::engine::{Cancel, Error, Limits, Progress, Sources};
use hog::strategy::python::Launcher;
use pyo3::prelude::*;

use crate::errors::raised;

/// The interval at which signals are checked and progress is reported.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

static LAUNCHER: Mutex<Option<(PathBuf, Vec<String>)>> = Mutex::new(None);

/// Sets the program, with its first arguments, that runs strategies in Python files in a sandbox.
/// It has no effect on the engine after its first use.
#[pyfunction]
pub fn set_launcher(program: PathBuf, arguments: Vec<String>) {
    *LAUNCHER.lock().unwrap_or_else(PoisonError::into_inner) = Some((program, arguments));
}

/// Returns the launcher, with the interpreter that the environment variable `HOG_PYTHON` names.
fn launcher() -> Option<Launcher> {
    let (program, arguments) = LAUNCHER.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
    let launcher = Launcher::new(program).with_arguments(arguments);
    let python = std::env::var_os("HOG_PYTHON").filter(|named| !named.is_empty());
    Some(python.into_iter().fold(launcher, Launcher::with_interpreter))
}

/// Runs the `hog` command with these arguments, of which the first is the program's name, and
/// returns its exit status.
#[pyfunction]
pub fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let launcher = launcher().unwrap_or_else(|| Launcher::new("hog"));
    py.detach(|| hog::cli::run_arguments(arguments, launcher))
}

/// Returns the version of the package.
#[pyfunction]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Returns the process's engine.
pub fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let sources = match launcher() {
            Some(launcher) => Sources::files().with_python(launcher),
            None => Sources::files(),
        };
        Engine::builder().limits(Limits::of_machine()).sources(sources).build()
    })
}

/// Runs work without the interpreter's lock: in this thread if it is short, and otherwise as
/// [`long`] work.
pub fn run<T: Send>(
    py: Python<'_>,
    is_short: bool,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Engine) -> Result<T, Error> + Send,
) -> PyResult<T> {
    if is_short {
        py.detach(|| work(engine())).map_err(|error| raised(py, &error))
    } else {
        long(py, progress, work)
    }
}

/// Runs long work in a thread of its own, while this thread checks signals and calls
/// `progress(what, done, of)`.
pub fn long<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Engine) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let (cancel, steps) = (Cancel::new(), Arc::new(Steps::default()));
    let own = engine()
        .clone()
        .cancelled_by(cancel.clone())
        .reporting_to(Arc::clone(&steps) as Arc<dyn Progress>);
    let progress = progress.map(|progress| progress.clone().unbind());
    let (result, stopped) = py.detach(|| {
        std::thread::scope(|scope| {
            let (finished, finish) = channel();
            let handle = scope.spawn(move || {
                let result = work(&own);
                // Sending fails only if the receiver is gone, and then nobody waits for the result.
                let _ = finished.send(());
                result
            });
            let mut stopped = None;
            while stopped.is_none()
                && finish.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout)
            {
                stopped = Python::attach(|py| {
                    let reported =
                        progress.as_ref().map_or(Ok(()), |progress| steps.report(py, progress));
                    reported.and_then(|()| py.check_signals()).err()
                });
                if stopped.is_some() {
                    cancel.cancel();
                }
            }
            let result = handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (result, stopped)
        })
    });
    if let Some(stopped) = stopped {
        return Err(stopped);
    }
    if let Some(progress) = &progress {
        steps.report(py, progress)?;
    }
    result.map_err(|error| raised(py, &error))
}

/// The latest progress of long work.
#[derive(Default)]
struct Steps {
    what: Mutex<&'static str>,
    done: AtomicUsize,
    of: AtomicUsize,
}

impl Progress for Steps {
    fn step(&self, what: &'static str, done: usize, of: usize) {
        if let Ok(mut known) = self.what.lock() {
            *known = what;
        }
        self.done.store(done, Ordering::Relaxed);
        self.of.store(of, Ordering::Relaxed);
    }
}

impl Steps {
    fn report(&self, py: Python<'_>, progress: &Py<PyAny>) -> PyResult<()> {
        let of = self.of.load(Ordering::Relaxed);
        if of == 0 {
            return Ok(());
        }
        let what = self.what.lock().map(|what| *what).unwrap_or_default();
        progress.call1(py, (what, self.done.load(Ordering::Relaxed), of)).map(drop)
    }
}
