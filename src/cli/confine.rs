//! `hog __confine`: for hog's own use, becomes the interpreter of a strategy in a Python file, shut in.

use std::io::Write;
use std::process::ExitCode;

use hog::strategy::python::{self, Launcher};

use super::Shared;

/// The status of a launcher that could not become the interpreter.
const REFUSED: u8 = 126;

/// If this is a launcher, becomes the interpreter; returns only if it cannot, or if it is none.
pub(super) fn if_asked() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != python::CONFINE {
        return None;
    }
    let told = arguments.next().unwrap_or_default();
    let reason = python::confine(&told.to_string_lossy());
    // Nobody is left to be told if this cannot be written.
    let _ = writeln!(std::io::stderr(), "{reason}");
    Some(ExitCode::from(REFUSED))
}

/// How strategies in Python files are started: through this program.
pub(super) fn launcher(shared: &Shared) -> Launcher {
    let program = std::env::current_exe().unwrap_or_else(|_| "hog".into());
    Launcher::new(program).trusting(shared.trust).within_seconds(shared.strategy_seconds)
}
