//! Ctrl-C: ends the program at once, but never in the middle of writing a file or with the terminal left in disorder.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Held while a file is written.
static WRITING: Mutex<()> = Mutex::new(());

/// Whether the program has the whole screen.
static FULL_SCREEN: AtomicBool = AtomicBool::new(false);

/// The status of a program ended by an interrupt: 128 + SIGINT.
const INTERRUPTED: i32 = 130;

/// Whether an interrupt is how the program is meant to end.
static ENDS_WELL: AtomicBool = AtomicBool::new(false);

/// From now on an interrupt ends the program as done.
pub(super) fn ends_well() {
    ENDS_WELL.store(true, Ordering::SeqCst);
}

/// Installs the handler, once, at the start of the program.
pub(super) fn install() {
    // Without a handler Ctrl-C still ends the program, as the system does.
    let _ = ctrlc::set_handler(|| {
        let _writing = WRITING.lock();
        give_back_screen();
        std::process::exit(if ENDS_WELL.load(Ordering::SeqCst) { 0 } else { INTERRUPTED });
    });
}

/// Runs `write` with interrupts held back until it is done.
pub(super) fn undisturbed<T>(write: impl FnOnce() -> T) -> T {
    let _writing = WRITING.lock();
    write()
}

fn give_back_screen() {
    if FULL_SCREEN.swap(false, Ordering::SeqCst) {
        // Nothing is left to do if even this fails.
        let _ = ratatui::try_restore();
    }
}

/// The time in which the program has the whole screen; at its end the terminal is as it was.
pub(super) struct FullScreen(());

impl FullScreen {
    pub fn begin() -> Self {
        FULL_SCREEN.store(true, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        give_back_screen();
    }
}
