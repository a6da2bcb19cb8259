//! Ctrl-C: ends the program at once, but never in the middle of writing a file.

use std::sync::Mutex;

/// Held while a file is written.
static WRITING: Mutex<()> = Mutex::new(());

/// The status of a program ended by an interrupt: 128 + SIGINT.
const INTERRUPTED: i32 = 130;

/// Installs the handler, once, at the start of the program.
pub(super) fn install() {
    // Without a handler Ctrl-C still ends the program, as the system does.
    let _ = ctrlc::set_handler(|| {
        let _writing = WRITING.lock();
        std::process::exit(INTERRUPTED);
    });
}

/// Runs `write` with interrupts held back until it is done.
pub(super) fn undisturbed<T>(write: impl FnOnce() -> T) -> T {
    let _writing = WRITING.lock();
    write()
}
