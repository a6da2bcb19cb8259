//! Running processes: each is ended when its owner is dropped, and all of a launcher when it is
//! told to.
//!
//! A copy of this program that was forked (by multiprocessing in Python) ends none: they are its
//! parent's.

use std::collections::BTreeSet;
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The ids of a launcher's running processes, each the leader of its process group.
#[derive(Debug, Default)]
pub(super) struct RunningProcesses(Mutex<BTreeSet<u32>>);

/// A process that is killed with its group, and waited for, when this is dropped.
#[derive(Debug)]
pub(super) struct Running {
    child: Child,
    /// The process that started it.
    owner: u32,
    all: Arc<RunningProcesses>,
}

impl RunningProcesses {
    fn ids(&self) -> MutexGuard<'_, BTreeSet<u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a process, until the result is dropped.
    pub fn add(self: &Arc<Self>, child: Child) -> Running {
        self.ids().insert(child.id());
        Running { child, owner: std::process::id(), all: self.clone() }
    }

    /// Kills all processes that are running now.
    pub fn end_all(&self) {
        self.ids().iter().for_each(|process| signal::kill_group(*process));
    }
}

impl Running {
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether this process, and not one that it was forked from, started it.
    pub fn is_own(&self) -> bool {
        self.owner == std::process::id()
    }

    /// Signals the process and its group that the time is over, so that the harness can report
    /// where it is.
    pub fn request_stop(&self) {
        signal::request_stop(self.id());
    }

    /// Signals the process and its group that the harness should look for an endless loop.
    pub fn ask_for_loop(&self) {
        signal::ask_for_loop(self.id());
    }

    /// Waits for the process to exit as long as `wait` returns true, and returns its status.
    pub fn status(&mut self, wait: impl Fn() -> bool) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                _ if !wait() => return None,
                _ => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.is_own() {
            return;
        }
        // Errors mean that the processes have already ended.
        signal::kill_group(self.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
        // The first process of a container is the parent of what its children leave behind.
        if self.owner == 1 {
            signal::wait_for_group(self.id());
        }
        self.all.ids().remove(&self.id());
    }
}

#[cfg(unix)]
mod signal {
    use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, waitpgid};

    fn pid(process: u32) -> Option<Pid> {
        Pid::from_raw(i32::try_from(process).ok()?)
    }

    pub fn kill_group(leader: u32) {
        let _ = pid(leader).map(|group| kill_process_group(group, Signal::KILL));
    }

    pub fn request_stop(leader: u32) {
        let _ = pid(leader).map(|group| kill_process_group(group, Signal::XCPU));
    }

    /// The system ignores this signal where nobody expects it.
    pub fn ask_for_loop(leader: u32) {
        let _ = pid(leader).map(|group| kill_process_group(group, Signal::URG));
    }

    /// Waits for all children in a group that was killed.
    pub fn wait_for_group(leader: u32) {
        let Some(group) = pid(leader) else { return };
        while waitpgid(group, WaitOptions::empty()).is_ok_and(|ended| ended.is_some()) {}
    }
}

#[cfg(not(unix))]
mod signal {
    pub fn kill_group(_: u32) {}

    pub fn request_stop(_: u32) {}

    pub fn ask_for_loop(_: u32) {}

    pub fn wait_for_group(_: u32) {}
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
    use std::process::Command;

    use super::*;

    #[test]
    fn the_processes_of_one_launcher_end_and_those_of_others_do_not() {
        let sleeper = || Command::new("sleep").arg("600").process_group(0).spawn().unwrap();
        let own = Arc::new(RunningProcesses::default());
        let others = Arc::new(RunningProcesses::default());
        let mut other = others.add(sleeper());
        let mut first = own.add(sleeper());
        let mut second = own.add(sleeper());
        own.end_all();
        for ended in [&mut first, &mut second] {
            assert_eq!(ended.child().wait().unwrap().signal(), Some(9));
        }
        assert_eq!(other.child().try_wait().unwrap(), None);
        drop((first, second));
        assert!(own.ids().is_empty() && others.ids().len() == 1);
    }
}
