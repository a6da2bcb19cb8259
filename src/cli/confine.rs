//! `hog __confine`, for hog's own use: becomes the interpreter in which Python strategies are run.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::strategy::python::{self, Launcher};

use super::machine::cache_folder;
use super::shared::Shared;

/// The environment variable that names an interpreter other than `python3`, unless an option does.
const VARIABLE: &str = "HOG_PYTHON";

/// The exit status of a launcher that could not become the interpreter.
const NOT_STARTED: u8 = 126;

/// Becomes the interpreter if the arguments ask for it. Returns the exit status if that fails, and
/// `None` if they do not ask.
pub(super) fn if_asked(arguments: &[OsString]) -> Option<u8> {
    let mut arguments = arguments.iter().skip(1);
    if arguments.next()? != python::CONFINE {
        return None;
    }
    python::confine();
    Some(NOT_STARTED)
}

/// Applies the options of the command line to the launcher of Python strategies.
pub(super) fn launcher(launcher: Launcher, shared: &Shared) -> Launcher {
    let mut launcher = launcher.trusting(shared.trust).within_seconds(shared.strategy_seconds);
    let of_environment = std::env::var_os(VARIABLE).filter(|named| !named.is_empty());
    if let Some(python) = shared.python.clone().or(of_environment.map(PathBuf::from)) {
        launcher = launcher.with_interpreter(python);
    }
    let cache = if shared.no_cache { None } else { cache_folder() };
    match cache {
        Some(folder) => launcher.keeping_answers_in(folder.join("answers")),
        None => launcher,
    }
}
