//! Work done while other Python threads run, that Ctrl-C stops.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use hog::Engine;
use hog::engine::{Cancel, EngineError, Limits, Progress, Sources};
use hog::strategy::python::Launcher;
use pyo3::prelude::*;

use crate::errors::raised;

/// How often signals are looked for and progress is told.
const GLANCE: Duration = Duration::from_millis(50);

static LAUNCHER: Mutex<Option<(PathBuf, Vec<String>)>> = Mutex::new(None);

/// Says which program shuts in strategies in Python files, with its first arguments. Counts until the engine is first used.
#[pyfunction]
pub fn set_launcher(program: PathBuf, arguments: Vec<String>) {
    *LAUNCHER.lock().unwrap_or_else(PoisonError::into_inner) = Some((program, arguments));
}

fn launcher() -> Option<Launcher> {
    let known = LAUNCHER.lock().unwrap_or_else(PoisonError::into_inner);
    known.clone().map(|(program, arguments)| Launcher::new(program).with_arguments(arguments))
}

/// Runs the `hog` command with these arguments, the first the program's name; returns its exit status.
#[pyfunction]
pub fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let launcher = launcher().unwrap_or_else(|| Launcher::new("hog"));
    py.detach(|| hog::cli::run_arguments(arguments, launcher))
}

/// The one engine of the process.
pub fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let sources = match launcher() {
            Some(launcher) => Sources::files().with_python(launcher),
            None => Sources::files(),
        };
        Engine::builder().limits(Limits::default()).sources(sources).build()
    })
}

/// Short work in this thread, without the interpreter's lock.
pub fn quick<T: Send>(py: Python<'_>, work: impl FnOnce(&Engine) -> Result<T, EngineError> + Send) -> PyResult<T> {
    py.detach(|| work(engine())).map_err(|error| raised(py, &error))
}

/// Long work in a thread of its own, while this one looks for signals and tells `progress` (a function of what, done, of).
pub fn long<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Engine) -> Result<T, EngineError> + Send,
) -> PyResult<T> {
    let (cancel, steps) = (Cancel::new(), Arc::new(Steps::default()));
    let own = engine().clone().cancelled_by(cancel.clone()).reporting_to(Arc::clone(&steps) as Arc<dyn Progress>);
    let progress = progress.map(|progress| progress.clone().unbind());
    let (result, stopped) = py.detach(|| {
        std::thread::scope(|scope| {
            let (finished, finish) = channel();
            let handle = scope.spawn(move || {
                let result = work(&own);
                // Nobody waits any more if the other side is gone.
                let _ = finished.send(());
                result
            });
            let mut stopped = None;
            while stopped.is_none() && finish.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
                stopped = Python::attach(|py| {
                    let told = progress.as_ref().map_or(Ok(()), |progress| steps.tell(py, progress));
                    told.and_then(|()| py.check_signals()).err()
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
        steps.tell(py, progress)?;
    }
    result.map_err(|error| raised(py, &error))
}

/// How far long work is.
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
    fn tell(&self, py: Python<'_>, progress: &Py<PyAny>) -> PyResult<()> {
        let of = self.of.load(Ordering::Relaxed);
        if of == 0 {
            return Ok(());
        }
        let what = self.what.lock().map(|what| *what).unwrap_or_default();
        progress.call1(py, (what, self.done.load(Ordering::Relaxed), of)).map(drop)
    }
}
