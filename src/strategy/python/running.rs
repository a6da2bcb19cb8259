//! Processes that run: each ends with what holds it, and all with the program.

use std::collections::BTreeSet;
use std::process::{Child, ExitStatus};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The processes that run now, each the leader of a group.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// How long a process that has closed its streams may take to end.
const PATIENCE: Duration = Duration::from_secs(1);

/// A process that is ended, with its group, and waited for however this ends.
pub(super) struct Running(Child);

/// Ends all processes of strategies: for a program that exits without returning. Others may be started afterwards.
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

    /// Tells it that its time is over, so that it may say where it is.
    pub fn tell_to_stop(&self) {
        signal::tell_to_stop(self.id());
    }

    /// How it ended, if it does within a moment.
    pub fn status(&mut self) -> Option<ExitStatus> {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
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
        // These fail only if nothing is left to end.
        signal::kill_group(self.id());
        let _ = self.0.kill();
        let _ = self.0.wait();
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id());
    }
}

#[cfg(unix)]
mod signal {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group};

    fn named(process: u32) -> Option<Pid> {
        Pid::from_raw(i32::try_from(process).ok()?)
    }

    pub fn kill_group(leader: u32) {
        let _ = named(leader).map(|group| kill_process_group(group, Signal::KILL));
    }

    pub fn tell_to_stop(process: u32) {
        let _ = named(process).map(|process| kill_process(process, Signal::XCPU));
    }
}

#[cfg(not(unix))]
mod signal {
    pub fn kill_group(_: u32) {}

    pub fn tell_to_stop(_: u32) {}
}
