//! Processes that end when their handle is dropped; a launcher can end all of its own.
//!
//! A copy of this program that was forked (by multiprocessing in Python) ends none: they are its
//! parent's.

use std::collections::BTreeSet;
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use signal::Signal;

/// The ids of a launcher's running processes, each the leader of its process group.
#[derive(Debug, Default)]
pub(super) struct RunningProcesses(Mutex<BTreeSet<u32>>);

/// A process that is killed with its group, and waited for, when this is dropped.
#[derive(Debug)]
pub(super) struct Running {
    child: Child,
    /// The id of the process that started it.
    started_by: u32,
    all: Arc<RunningProcesses>,
}

impl RunningProcesses {
    fn ids(&self) -> MutexGuard<'_, BTreeSet<u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a process, until the result is dropped.
    pub fn add(self: &Arc<Self>, child: Child) -> Running {
        self.ids().insert(child.id());
        Running { child, started_by: std::process::id(), all: self.clone() }
    }

    /// Kills all processes that are running now.
    pub fn end_all(&self) {
        for process in self.ids().iter() {
            signal::send(*process, Signal::KILL);
        }
    }
}

impl Running {
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// False in a fork of the process that started it.
    pub fn is_own(&self) -> bool {
        self.started_by == std::process::id()
    }

    /// Signals the process and its group that the time is over, so that the harness can report
    /// where it is.
    pub fn request_stop(&self) {
        signal::send(self.id(), Signal::XCPU);
    }

    /// Signals the process and its group that the harness should look for an endless loop. The
    /// system ignores this signal where nobody expects it.
    pub fn ask_for_loop(&self) {
        signal::send(self.id(), Signal::URG);
    }

    /// Waits for the process to exit as long as `keep_waiting` returns true, ends its group, and
    /// returns its status.
    pub fn exit_status(&mut self, mut keep_waiting: impl FnMut() -> bool) -> Option<ExitStatus> {
        while !signal::has_exited(&mut self.child) {
            if !keep_waiting() {
                return None;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.end();
        self.child.wait().ok()
    }

    /// Kills the process and its group, and waits for it.
    fn end(&mut self) {
        // Another process may have its id as soon as it was waited for, so it leaves the list
        // before that. What is not in the list has been killed: `end_all` waits for the lock.
        let mut running = self.all.ids();
        if !running.remove(&self.id()) {
            return;
        }
        signal::send(self.id(), Signal::KILL);
        drop(running);
        // Errors mean that it has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
        // The first process of a container is the parent of what its children leave behind.
        if self.started_by == 1 {
            signal::wait_for_group(self.id());
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.is_own() {
            self.end();
        }
    }
}

#[cfg(unix)]
mod signal {
    use std::process::Child;

    pub use rustix::process::Signal;
    use rustix::process::{
        Pid, WaitId, WaitIdOptions, WaitOptions, kill_process_group, waitid, waitpgid,
    };

    fn pid(process: u32) -> Option<Pid> {
        Pid::from_raw(i32::try_from(process).ok()?)
    }

    /// Sends a signal to a process group; one that has ended already gets none.
    pub fn send(leader: u32, signal: Signal) {
        if let Some(group) = pid(leader) {
            let _ = kill_process_group(group, signal);
        }
    }

    /// Whether a process has exited; it keeps its id until it is waited for.
    pub fn has_exited(child: &mut Child) -> bool {
        let Some(process) = pid(child.id()) else { return true };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error means that it was waited for.
        waitid(WaitId::Pid(process), options).map_or(true, |exited| exited.is_some())
    }

    /// Waits for all children in a group that was killed.
    pub fn wait_for_group(leader: u32) {
        let Some(group) = pid(leader) else { return };
        while waitpgid(group, WaitOptions::empty()).is_ok_and(|ended| ended.is_some()) {}
    }
}

#[cfg(not(unix))]
mod signal {
    use std::process::Child;

    /// The signals that are sent elsewhere.
    pub enum Signal {
        KILL,
        XCPU,
        URG,
    }

    pub fn send(_: u32, _: Signal) {}

    pub fn has_exited(child: &mut Child) -> bool {
        !matches!(child.try_wait(), Ok(None))
    }

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

    /// Its id may be another's from then on.
    #[test]
    fn a_process_whose_status_was_read_is_signalled_no_more() {
        let all = Arc::new(RunningProcesses::default());
        let child = Command::new("sh").args(["-c", "exit 3"]).process_group(0).spawn().unwrap();
        let mut process = all.add(child);
        assert_eq!(process.exit_status(|| true).unwrap().code(), Some(3));
        assert!(all.ids().is_empty());
    }

    #[test]
    fn a_process_that_is_no_longer_waited_for_runs_on() {
        let all = Arc::new(RunningProcesses::default());
        let child = Command::new("sleep").arg("600").process_group(0).spawn().unwrap();
        let mut process = all.add(child);
        assert_eq!(process.exit_status(|| false), None);
        assert_eq!(all.ids().len(), 1);
    }
}
