//! Running processes: each is ended when its owner is dropped, and all when the program exits.

use std::collections::BTreeSet;
use std::process::{Child, ExitStatus};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The ids of the running processes, each the leader of its process group.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// How long a process that has closed its output may take to exit.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);

/// A process that is killed with its group, and waited for, when this is dropped.
pub(super) struct Running(Child);

/// Kills all processes of strategies that are running now; for a program that exits without dropping their owners.
pub fn end_all() {
    for process in RUNNING.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        signal::kill_group(*process);
    }
}

impl Running {
    pub fn new(child: Child) -> Self {
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).insert(child.id());
        Self(child)
    }

    pub fn child(&mut self) -> &mut Child {
        &mut self.0
    }

    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Signals the process that its time is over, so that the harness can report where it is.
    pub fn request_stop(&self) {
        signal::request_stop(self.id());
    }

    /// Waits up to [`EXIT_TIMEOUT`] for the process to exit, and returns its status.
    pub fn status(&mut self) -> Option<ExitStatus> {
        let began = Instant::now();
        while began.elapsed() < EXIT_TIMEOUT {
            if let Ok(Some(status)) = self.0.try_wait() {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        None
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Errors mean that the processes have already ended.
        signal::kill_group(self.id());
        let _ = self.0.kill();
        let _ = self.0.wait();
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id());
    }
}

#[cfg(unix)]
mod signal {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group};

    fn pid(process: u32) -> Option<Pid> {
        Pid::from_raw(i32::try_from(process).ok()?)
    }

    pub fn kill_group(leader: u32) {
        let _ = pid(leader).map(|group| kill_process_group(group, Signal::KILL));
    }

    pub fn request_stop(process: u32) {
        let _ = pid(process).map(|process| kill_process(process, Signal::XCPU));
    }
}

#[cfg(not(unix))]
mod signal {
    pub fn kill_group(_: u32) {}

    pub fn request_stop(_: u32) {}
}
