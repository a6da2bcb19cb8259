//! Ctrl-C, and signals that ask the program to end: they end it immediately, but never while a file
//! is being written, and restore the terminal.

use std::io::{self, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use crate::engine::Cancel;
use crate::strategy::python::Launcher;
use crossterm::cursor::{Hide, Show};
use crossterm::execute;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use tempfile::TempDir;

use super::progress::Bar;

/// Held while a file is written.
static WRITING: Mutex<()> = Mutex::new(());

/// The folders to remove when the program is interrupted.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// What stops the engine's work: the first interrupt stops the work instead of the program if its
/// best result so far is kept.
static WORK: OnceLock<Cancel> = OnceLock::new();

/// The work that uses folders which are to be removed, and must end before them.
static IN_FOLDERS: Mutex<Vec<Cancel>> = Mutex::new(Vec::new());

/// Notified when such work has ended.
static LEFT_FOLDER: Condvar = Condvar::new();

/// How long an interrupt waits for such work. It stops at its next step, unless the disk hangs.
const LONGEST_STEP: Duration = Duration::from_secs(10);

/// Whether an interrupt is ending the program.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Whether the program uses the full screen.
static FULL_SCREEN: AtomicBool = AtomicBool::new(false);

/// The exit status of a program ended by a signal: this and the signal's number.
const ENDED: i32 = 128;

/// The number of the signal of Ctrl-C.
const INTERRUPT: i32 = 2;

/// Whether an interrupt is the regular end of the program.
static SUCCEEDS: AtomicBool = AtomicBool::new(false);

/// Makes interrupts end the program with exit status 0 from now on.
pub(super) fn succeed_on_interrupt() {
    SUCCEEDS.store(true, Ordering::SeqCst);
}

/// Installs the interrupt handler, which clears the progress bar, ends the strategies of the
/// launcher, and removes the folders that are used no more. Call it once, at the start of the
/// program.
///
/// # Errors
/// Returns an error if no thread can be started for it.
pub(super) fn install(progress: Bar, launcher: Launcher) -> io::Result<()> {
    on_signal(move |signal| {
        if let Some(work) = WORK.get()
            && work.has_result()
            && !work.is_cancelled()
        {
            return work.cancel();
        }
        // From here on, whatever the work reports is a consequence of the interrupt.
        ENDING.store(true, Ordering::SeqCst);
        progress.stop();
        in_folders().iter().for_each(Cancel::cancel);
        launcher.end_all();
        let waited =
            LEFT_FOLDER.wait_timeout_while(in_folders(), LONGEST_STEP, |used| !used.is_empty());
        drop(waited);
        let _writing = WRITING.lock();
        restore_screen();
        remove_folders();
        std::process::exit(if SUCCEEDS.load(Ordering::SeqCst) { 0 } else { ENDED + signal });
    })
}

/// Calls a function, in a thread of its own, for each signal that asks the program to end.
#[cfg(unix)]
fn on_signal(handle: impl Fn(i32) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([INTERRUPT, SIGTERM, SIGHUP])?;
    let thread = std::thread::Builder::new().name("signals".into());
    thread.spawn(move || signals.forever().for_each(handle)).map(|_| ())
}

#[cfg(not(unix))]
fn on_signal(handle: impl Fn(i32) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || handle(INTERRUPT)).map_err(io::Error::other)
}

/// Waits for the end of the program if an interrupt is ending it. Call it before anything is
/// reported.
pub(super) fn wait_if_ending() {
    while ENDING.load(Ordering::SeqCst) {
        std::thread::park();
    }
}

/// A folder that is removed when this is dropped, or after an interrupt when the work in it has
/// ended.
pub(super) struct WorkFolder {
    folder: Option<TempDir>,
    cancel: Cancel,
}

impl WorkFolder {
    /// Makes a folder for work that `cancel` stops.
    ///
    /// # Errors
    /// Returns the error of `make`.
    pub fn new(make: impl FnOnce() -> io::Result<TempDir>, cancel: Cancel) -> io::Result<Self> {
        let folder = removed_on_interrupt(make)?;
        in_folders().push(cancel.clone());
        Ok(Self { folder: Some(folder), cancel })
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        self.folder.as_ref().expect("it is taken when this is dropped").path()
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        self.folder.take();
        in_folders().retain(|used| !used.is(&self.cancel));
        LEFT_FOLDER.notify_all();
    }
}

fn in_folders() -> MutexGuard<'static, Vec<Cancel>> {
    IN_FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `write`, and holds back interrupts until it is done.
pub(super) fn uninterrupted<T>(write: impl FnOnce() -> T) -> T {
    let _writing = WRITING.lock();
    write()
}

/// Makes a folder that is removed when it is dropped, or when the program is interrupted: no
/// interrupt comes between making it and the note of it.
///
/// # Errors
/// Returns the error of `make`.
pub(super) fn removed_on_interrupt(
    make: impl FnOnce() -> io::Result<TempDir>,
) -> io::Result<TempDir> {
    uninterrupted(|| {
        let folder = make()?;
        if let Ok(mut folders) = FOLDERS.lock() {
            folders.push(folder.path().to_owned());
        }
        Ok(folder)
    })
}

fn remove_folders() {
    for folder in FOLDERS.lock().iter().flat_map(|folders| folders.iter()) {
        // If this fails, the folder remains among the system's temporary files.
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// Returns what stops the engine's work.
pub(super) fn work() -> Cancel {
    WORK.get_or_init(Cancel::new).clone()
}

fn restore_screen() {
    if FULL_SCREEN.swap(false, Ordering::SeqCst) {
        // If this fails, there is nothing left to try.
        let _ = disable_raw_mode();
        let _ = execute!(stdout(), LeaveAlternateScreen, Show);
    }
}

/// A guard for the time in which the program uses the full screen; dropping it restores the
/// terminal.
pub(super) struct FullScreen(());

impl FullScreen {
    pub fn begin() -> io::Result<Self> {
        // The report of a panic would disappear with the full screen.
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore_screen();
            report(panic);
        }));
        FULL_SCREEN.store(true, Ordering::SeqCst);
        let screen = Self(());
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, Hide)?;
        Ok(screen)
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        restore_screen();
    }
}
