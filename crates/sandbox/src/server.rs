//! Interpreters that have loaded the harness and fork a process for each run (`server.py`):
//! starting an interpreter takes longer than most files.
//!
//! A server runs one file at a time, and waits for the next when that has ended by itself. One
//! whose file had to be ended is ended with it. The order of sets is fixed when an interpreter
//! starts, so that each of a function's two processes has servers of its own.

use std::io::{self, IoSlice, PipeReader, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};

use crate::confinement::read_message;
use crate::plan::RunPlan;
use crate::question::NoAnswers;
use crate::running::Running;

/// The servers of an interpreter that wait for a run.
#[derive(Debug, Default)]
pub(super) struct Servers(Mutex<Vec<PythonServer>>);

/// A server, or a process that it has forked for a run.
#[derive(Debug)]
pub(super) struct PythonServer {
    pub running: Running,
    /// Runs go to the server, and the statuses of their processes come from it.
    socket: UnixStream,
    hashes: &'static str,
}

impl Servers {
    fn idle(&self) -> MutexGuard<'_, Vec<PythonServer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a server with this value of `PYTHONHASHSEED`, if one waits.
    pub fn take(&self, hashes: &str) -> Option<PythonServer> {
        let mut idle = self.idle();
        idle.retain(|server| server.running.is_own());
        let at = idle.iter().position(|server| server.hashes == hashes)?;
        Some(idle.swap_remove(at))
    }

    /// Keeps a server whose last run has ended for the next one.
    pub fn give_back(&self, server: PythonServer) {
        self.idle().push(server);
    }
}

/// How a run has ended.
pub(super) enum RunEnd {
    /// With this status.
    Run(ExitStatus),
    /// Not within the time given.
    NotYet,
    /// The server has ended, and its run with it: somebody else has ended them, unless it says why.
    Server(String),
}

/// The interval between checks of whether to wait longer for the end of a run.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

impl PythonServer {
    /// Starts a server by the launcher's program, which reads `confinement` first.
    pub fn start(
        mut command: Command,
        hashes: &'static str,
        confinement: &[u8],
        add: impl FnOnce(Child) -> Running,
    ) -> Result<Self, NoAnswers> {
        let (mut socket, of_server) =
            UnixStream::pair().map_err(|error| NoAnswers::NoPython(error.to_string()))?;
        command.env("PYTHONHASHSEED", hashes);
        command.stdin(OwnedFd::from(of_server)).stdout(Stdio::null());
        let child = start_in_lasting_thread(command).map_err(NoAnswers::NoPython)?;
        let mut running = add(child);
        // Fails if the program has ended, which its message explains.
        let _ = socket.write_all(confinement);
        read_message(running.child().stderr.take()).map_err(NoAnswers::NotConfined)?;
        socket
            .set_read_timeout(Some(POLL_INTERVAL))
            .map_err(|error| NoAnswers::NoPython(error.to_string()))?;
        Ok(Self { running, socket, hashes })
    }

    /// Begins a run, and returns its output.
    ///
    /// # Errors
    /// Returns an error if the server has ended.
    pub fn begin(&self, plan: RunPlan, input: &[u8]) -> io::Result<PipeReader> {
        let (output, answers) = io::pipe()?;
        let text = [&plan.lines[..], input].concat();
        let ruleset = plan.ruleset.as_ref().map(AsFd::as_fd);
        let passed: Vec<BorrowedFd> = [answers.as_fd()].into_iter().chain(ruleset).collect();
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
        let mut message = SendAncillaryBuffer::new(&mut space);
        message.push(SendAncillaryMessage::ScmRights(&passed));
        let length = (text.len() as u64).to_le_bytes();
        sendmsg(&self.socket, &[IoSlice::new(&length)], &mut message, SendFlags::NOSIGNAL)?;
        let mut socket = self.socket.try_clone()?;
        // When the server ends, so does this thread.
        std::thread::Builder::new().spawn(move || socket.write_all(&text))?;
        Ok(output)
    }

    /// Waits for the run to end as long as `wait` returns true.
    pub fn end(&mut self, mut wait: impl FnMut() -> bool) -> RunEnd {
        let mut line = Vec::new();
        loop {
            let mut byte = [0];
            match self.socket.read(&mut byte) {
                Ok(0) => break,
                Ok(_) if byte == *b"\n" => break,
                Ok(_) => line.push(byte[0]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => break,
                Err(_) if !wait() => return RunEnd::NotYet,
                Err(_) => {}
            }
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        match line.parse() {
            Ok(status) => RunEnd::Run(ExitStatus::from_raw(status)),
            Err(_) => RunEnd::Server(line),
        }
    }
}

/// A command to start, and where the process is sent.
type StartOrder = (Command, Sender<io::Result<Child>>);

/// Starts a process in a thread that lasts as long as this program: the system ends processes that
/// must not outlive it when the thread ends that has started them.
fn start_in_lasting_thread(command: Command) -> Result<Child, String> {
    let program = command.get_program().to_owned();
    start_by_thread(command)
        .map_err(|reason| format!("cannot start {}: {reason}", program.display()))
}

fn start_by_thread(command: Command) -> Result<Child, String> {
    /// The thread, and the process that it belongs to: threads are not forked.
    static STARTER: Mutex<Option<(u32, Sender<StartOrder>)>> = Mutex::new(None);
    let (sender, started) = channel();
    {
        let mut starter = STARTER.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if starter.as_ref().is_none_or(|(owner, _)| *owner != process) {
            let (orders, received) = channel::<StartOrder>();
            let thread = std::thread::Builder::new().name("starter".into()).spawn(move || {
                for (mut command, sender) in received {
                    // It is waited for below.
                    let _ = sender.send(command.spawn());
                }
            });
            thread.map_err(|error| error.to_string())?;
            *starter = Some((process, orders));
        }
        if let Some((_, orders)) = starter.as_ref() {
            let _ = orders.send((command, sender));
        }
    }
    let child = started.recv().map_err(|error| error.to_string())?;
    child.map_err(|error| error.to_string())
}
