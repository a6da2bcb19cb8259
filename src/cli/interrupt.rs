//! Ctrl-C: ends the program at once, but never in the middle of writing a file or with the terminal left in disorder.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use hog::engine::Cancel;

/// Held while a file is written.
static WRITING: Mutex<()> = Mutex::new(());

/// Folders that last as long as the program.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// What is stopped by the first interrupt instead of the program, so that what it has found is kept.
static KEPT: Mutex<Option<Cancel>> = Mutex::new(None);

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
        if let Some(work) = KEPT.lock().ok().and_then(|mut kept| kept.take()) {
            return work.cancel();
        }
        let _writing = WRITING.lock();
        give_back_screen();
        hog::strategy::python::end_all();
        remove_folders();
        std::process::exit(if ENDS_WELL.load(Ordering::SeqCst) { 0 } else { INTERRUPTED });
    });
}

/// Runs `write` with interrupts held back until it is done.
pub(super) fn undisturbed<T>(write: impl FnOnce() -> T) -> T {
    let _writing = WRITING.lock();
    write()
}

/// Removes this folder if the program is interrupted.
pub(super) fn remove_at_the_end(folder: &Path) {
    if let Ok(mut folders) = FOLDERS.lock() {
        folders.push(folder.to_owned());
    }
}

fn remove_folders() {
    for folder in FOLDERS.lock().iter().flat_map(|folders| folders.iter()) {
        // What is left of it is in the system's folder for such things.
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// Runs work that has an answer at any time: the first interrupt stops it, the next one ends the program.
pub(super) fn keeping<T>(cancel: &Cancel, work: impl FnOnce() -> T) -> T {
    let keep = |work: Option<Cancel>| *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = work;
    keep(Some(cancel.clone()));
    let found = work();
    keep(None);
    found
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
