//! `hog __confine`: for hog's own use, becomes the interpreter of a strategy in a Python file, shut in.

use std::ffi::OsString;
use std::path::PathBuf;

use hog::strategy::python::{self, Launcher};

use super::Shared;

/// The status of a launcher that could not become the interpreter.
const REFUSED: u8 = 126;

/// If this is a launcher, becomes the interpreter; returns only if it cannot, or if it is none.
pub(super) fn if_asked(arguments: &[OsString]) -> Option<u8> {
    let mut arguments = arguments.iter().skip(1);
    if arguments.next()? != python::CONFINE {
        return None;
    }
    python::confine();
    Some(REFUSED)
}

/// How strategies in Python files are started, with the options of the command line.
pub(super) fn launcher(launcher: Launcher, shared: &Shared) -> Launcher {
    let mut launcher = launcher.trusting(shared.trust).within_seconds(shared.strategy_seconds);
    if let Some(python) = &shared.python {
        launcher = launcher.with_interpreter(python);
    }
    match cache_folder().filter(|_| !shared.no_cache) {
        Some(folder) => launcher.keeping_answers_in(folder.join("hog").join("answers")),
        None => launcher,
    }
}

/// Where programs keep what they could find out again: `XDG_CACHE_HOME`, or `.cache` at home.
fn cache_folder() -> Option<PathBuf> {
    let named = |variable| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")))
}
