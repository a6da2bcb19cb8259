//! A file's process: starting it, reading its answers, enforcing its limits, and ending it in
//! any case.

use std::env::consts::OS;
#[cfg(all(target_os = "linux", feature = "confine"))]
use std::io::{BufRead as _, BufReader};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use crate::answers::Answers;
#[cfg(all(target_os = "linux", feature = "confine"))]
use crate::confinement::SILENT;
use crate::confinement::{CONFINE, Confinement, ProcessLimits, read_message};
#[cfg(all(target_os = "linux", feature = "confine"))]
use crate::fault::At;
use crate::fault::Fault;
use crate::interpreter::{Interpreter, variable};
use crate::launcher::{Launcher, POLL_INTERVAL};
#[cfg(all(target_os = "linux", feature = "confine"))]
use crate::plan::RunPlan;
use crate::question::NoAnswers;
use crate::readable::ReadableFiles;
use crate::running::Running;
#[cfg(all(target_os = "linux", feature = "confine"))]
use crate::server::{PythonServer, RunEnd};
use crate::system::{as_harness_reads, needed_variables};

/// The Python program that calls the function.
#[cfg(target_family = "wasm")]
pub(super) const HARNESS: &str = include_str!("harness.py");
/// That program with what its input comes from: standard input, or a run of the server's socket.
const DIRECT: &str = concat!(include_str!("harness.py"), "\n\n", include_str!("direct.py"));
pub(super) const SERVER: &str =
    concat!(include_str!("harness.py"), "\n\n", include_str!("server.py"));

/// A process to run.
pub(super) struct ProcessTask<'a> {
    pub launcher: &'a Launcher,
    pub readable: &'a ReadableFiles,
    /// The harness's standard input.
    pub input: Vec<u8>,
    /// The value of `PYTHONHASHSEED`, which determines the order of sets of strings.
    pub hashes: &'static str,
    /// The limit on processor time, in seconds.
    pub seconds: u64,
    /// Called periodically; returns false to cancel.
    pub keep_going: &'a dyn Fn() -> bool,
}

/// Why there are no answers of a process.
pub(super) enum Unanswered {
    Reason(NoAnswers),
    /// Its server was ended by somebody else, perhaps by a system without memory: what to say if
    /// that happens again.
    #[cfg_attr(
        not(all(target_os = "linux", feature = "confine")),
        allow(dead_code, reason = "there are no servers")
    )]
    Lost(NoAnswers),
}

impl From<NoAnswers> for Unanswered {
    fn from(reason: NoAnswers) -> Self {
        Self::Reason(reason)
    }
}

/// An event on the process's standard output.
enum Event {
    Answers(Vec<u8>),
    AnswersEnded,
}

/// Capacity of the queue between the process's output and its reader, in chunks; a process that
/// writes faster blocks.
const QUEUE: usize = 16;

/// How often a process is asked whether it is in an endless loop: most files have answered before
/// the first time. What it computes and waits counts.
const LOOP_INTERVAL: Duration = Duration::from_secs(2);

/// How long a process that was asked to stop may take to report where it was; time spent waiting
/// for a processor does not count.
const STOP_GRACE: Duration = Duration::from_millis(500);

/// How long a process that has closed its output may take to exit; time spent waiting for a
/// processor does not count.
const EXIT_GRACE: Duration = Duration::from_secs(1);

/// How long a process that has given all answers, or a fault, may take to exit before it is ended
/// together with its server.
#[cfg(all(target_os = "linux", feature = "confine"))]
const REUSE_GRACE: Duration = Duration::from_millis(100);

/// How long any process may wait, for example for a disk.
const LEAST_WAITING: Duration = Duration::from_secs(1);

/// The limit on elapsed time, as a multiple of that on processor time, where the system does not
/// report how long a process waits.
const IDLE_DIVISOR: u32 = 6;

#[cfg(not(target_family = "wasm"))]
impl ProcessTask<'_> {
    /// Runs the function, reads its answers and ends its process in any case.
    pub fn ask(&self, answers: &mut Answers) -> Result<(), Unanswered> {
        let interpreter = self.launcher.interpreter().map_err(NoAnswers::NoPython)?;
        let _slot = self.launcher.slot(self.keep_going).ok_or(NoAnswers::Cancelled)?;
        if self.launcher.trust {
            return Ok(self.ask_directly(interpreter, answers)?);
        }
        #[cfg(all(target_os = "linux", feature = "confine"))]
        return self.ask_by_server(interpreter, answers);
        #[cfg(not(all(target_os = "linux", feature = "confine")))]
        Err(NoAnswers::NotConfined(
            "the sandbox exists on Linux only, where the program is built with it".into(),
        )
        .into())
    }

    /// Runs a trusted file in a process of the launcher.
    fn ask_directly(
        &self,
        interpreter: &Interpreter,
        answers: &mut Answers,
    ) -> Result<(), NoAnswers> {
        let limits = ProcessLimits::of_trusted(OS, self.seconds);
        let folder = self.readable.folder.as_deref().unwrap_or(Path::new("/"));
        let mut command = self.command(interpreter, DIRECT);
        if !cfg!(unix) {
            // Elsewhere the launcher's program enters it.
            let folder = String::from_utf8_lossy(&as_harness_reads(OS, folder)).into_owned();
            command.current_dir(folder);
        }
        command.env("PYTHONHASHSEED", self.hashes).stdin(Stdio::piped()).stdout(Stdio::piped());
        let child = command.spawn().map_err(|error| {
            let program = command.get_program().display();
            NoAnswers::NotConfined(format!("cannot start {program}: {error}"))
        })?;
        let mut running = self.launcher.running.add(child);
        let child = running.child();
        let (Some(stdin), Some(stdout), stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(NoAnswers::NotConfined("the interpreter has no streams".into()));
        };
        let confinement = confinement(interpreter, DIRECT, Some(limits), folder)
            .map_err(NoAnswers::NotConfined)?;
        let input = self.input.clone();
        // When the process ends, its pipes close, and these threads end.
        std::thread::spawn(move || write_input(stdin, &confinement, &input));
        read_message(stderr).map_err(NoAnswers::NotConfined)?;
        let events = forward(stdout);
        let mut clock = self.clock(running.id());
        self.follow(&events, &mut clock, &running, answers)?;
        if answers.are_complete() {
            return Ok(());
        }
        let last = clock.own_time() + EXIT_GRACE;
        let status = running.exit_status(|| clock.own_time() < last);
        Err(NoAnswers::Fault(ended(status, &clock, answers)))
    }

    /// Returns a command that becomes the interpreter with one of the programs in Python.
    fn command(&self, interpreter: &Interpreter, text: &str) -> Command {
        let program = if cfg!(unix) { &self.launcher.program } else { &interpreter.program };
        let mut command = Command::new(program);
        if cfg!(unix) {
            command.args(&self.launcher.arguments).arg(CONFINE).stderr(Stdio::piped());
        } else {
            command.args(ARGUMENTS).arg(text).stderr(Stdio::null());
        }
        // In its own process group: processes that a trusted program starts end with it, and Ctrl-C
        // reaches only this program.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // Numerical libraries use one thread; text is UTF-8.
        command.env_clear().envs(needed_variables(OS).iter().map(|name| (name, variable(name))));
        command.envs([
            ("PYTHONUTF8", "1"),
            ("PYTHONSAFEPATH", "1"),
            ("OMP_NUM_THREADS", "1"),
            ("OPENBLAS_NUM_THREADS", "1"),
            ("LC_ALL", "C.UTF-8"),
        ]);
        command
    }

    fn clock(&self, process: u32) -> Clock {
        Clock::new(process, self.seconds, Duration::from_secs(self.launcher.seconds))
    }

    /// Reads answers until they are complete, one is invalid, the time is over, the work is
    /// cancelled or the output ends.
    fn follow(
        &self,
        events: &Receiver<Event>,
        clock: &mut Clock,
        running: &Running,
        answers: &mut Answers,
    ) -> Result<(), NoAnswers> {
        // The own time of the process at which it is no longer waited for.
        let mut last: Option<Duration> = None;
        let limit = Duration::from_secs(self.seconds);
        let mut asks_next = LOOP_INTERVAL;
        let mut polled = Instant::now();
        loop {
            match events.recv_timeout(POLL_INTERVAL) {
                Ok(Event::Answers(bytes)) => {
                    answers.read(&bytes).map_err(|fault| NoAnswers::Fault(clock.timed(fault)))?;
                    if answers.are_complete() {
                        return Ok(());
                    }
                }
                Ok(Event::AnswersEnded) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            // Checked by the clock, so that a process that writes continuously is checked too.
            if polled.elapsed() < POLL_INTERVAL {
                continue;
            }
            polled = Instant::now();
            match last {
                _ if !(self.keep_going)() => return Err(NoAnswers::Cancelled),
                Some(last) if clock.own_time() > last => {
                    return Err(NoAnswers::Fault(clock.stopped(answers)));
                }
                None if clock.is_over() => {
                    running.request_stop();
                    last = Some(clock.own_time() + STOP_GRACE);
                }
                // Near its limit the limit is told.
                None if clock.own_time() > asks_next && asks_next < limit => {
                    running.ask_for_loop();
                    asks_next += LOOP_INTERVAL;
                }
                _ => {}
            }
        }
    }
}

#[cfg(all(target_os = "linux", feature = "confine"))]
impl ProcessTask<'_> {
    /// Runs the file in a process of a server, which runs another file when this one has ended by
    /// itself.
    fn ask_by_server(
        &self,
        interpreter: &Interpreter,
        answers: &mut Answers,
    ) -> Result<(), Unanswered> {
        let servers = &self.launcher.servers;
        // One that has waited may have been ended meanwhile.
        let waiting = match servers.take(self.hashes) {
            Some(server) => self.begin(server, self.plan(interpreter)?)?.ok(),
            None => None,
        };
        let Begun { mut server, process, events } = match waiting {
            Some(begun) => begun,
            None => self
                .begin(self.start_server(interpreter)?, self.plan(interpreter)?)?
                .map_err(|reason| unstarted(NoAnswers::NotConfined(reason)))?,
        };
        let mut clock = self.clock(process);
        let result = self.follow(&events, &mut clock, &server.running, answers);
        let is_open = result.is_ok() && !answers.are_complete();
        let last = clock.own_time();
        let grace = if is_open { EXIT_GRACE } else { REUSE_GRACE };
        let end = match &result {
            Err(NoAnswers::Cancelled) => RunEnd::NotYet,
            _ => server.end(|| clock.own_time() < last + grace),
        };
        let status = match end {
            RunEnd::Run(status) => Some(status),
            RunEnd::NotYet => None,
            RunEnd::Server(_) if is_open => {
                let at = answers.after();
                let how = "it is killed".to_owned();
                return Err(Unanswered::Lost(NoAnswers::Fault(Fault::Ended { at, how })));
            }
            RunEnd::Server(_) => None,
        };
        if status.is_some_and(|status| status.success()) {
            servers.give_back(server);
        }
        result?;
        if is_open { Err(NoAnswers::Fault(ended(status, &clock, answers)).into()) } else { Ok(()) }
    }

    fn plan(&self, interpreter: &Interpreter) -> Result<RunPlan, NoAnswers> {
        let or_as_nobody = self.launcher.or_as_nobody;
        RunPlan::new(interpreter, self.readable, self.seconds, or_as_nobody)
            .map_err(NoAnswers::NotConfined)
    }

    fn start_server(&self, interpreter: &Interpreter) -> Result<PythonServer, Unanswered> {
        let confinement = confinement(interpreter, SERVER, None, Path::new("/"))
            .map_err(NoAnswers::NotConfined)?;
        let command = self.command(interpreter, SERVER);
        PythonServer::start(command, self.hashes, &confinement, |child| {
            self.launcher.running.add(child)
        })
        .map_err(unstarted)
    }

    /// Returns why a server has ended.
    fn why_ended(&self, mut server: PythonServer) -> Result<String, NoAnswers> {
        match server.end(|| (self.keep_going)()) {
            RunEnd::Server(reason) if !reason.is_empty() => Ok(reason),
            RunEnd::NotYet => Err(NoAnswers::Cancelled),
            RunEnd::Run(_) | RunEnd::Server(_) => Ok(SILENT.to_owned()),
        }
    }

    /// Begins the run; returns a reason if the server has ended.
    fn begin(
        &self,
        server: PythonServer,
        plan: RunPlan,
    ) -> Result<Result<Begun, String>, NoAnswers> {
        let Ok(output) = server.begin(plan, &self.input) else {
            return Ok(Err(self.why_ended(server)?));
        };
        let (first_line, begins) = std::sync::mpsc::channel();
        let (sender, events) = sync_channel(QUEUE);
        let reading = std::thread::Builder::new().spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            let _ = output.by_ref().take(crate::limits::MESSAGE_BYTES).read_until(b'\n', &mut line);
            let _ = first_line.send(String::from_utf8_lossy(&line).trim().to_owned());
            forward_output(output, &sender);
        });
        // Where no more threads can be started, this costs the file and not all others.
        if let Err(error) = reading {
            let how = format!("it could not be read: {error}");
            return Err(NoAnswers::Fault(Fault::Ended { at: At::Loading, how }));
        }
        // Nothing of the file is run before this line is written.
        let line = loop {
            match begins.recv_timeout(POLL_INTERVAL) {
                Ok(line) => break line,
                Err(RecvTimeoutError::Disconnected) => return Ok(Err(self.why_ended(server)?)),
                Err(RecvTimeoutError::Timeout) if (self.keep_going)() => {}
                Err(RecvTimeoutError::Timeout) => return Err(NoAnswers::Cancelled),
            }
        };
        match line.strip_prefix("ready ").and_then(|process| process.parse().ok()) {
            Some(process) => Ok(Ok(Begun { server, process, events })),
            None if line.is_empty() => Ok(Err(self.why_ended(server)?)),
            None => Err(NoAnswers::NotConfined(line)),
        }
    }
}

/// Returns why a server did not begin a run; one that did not say why was ended by somebody else.
#[cfg(all(target_os = "linux", feature = "confine"))]
fn unstarted(reason: NoAnswers) -> Unanswered {
    let was_lost = reason == NoAnswers::NotConfined(SILENT.to_owned());
    if was_lost { Unanswered::Lost(reason) } else { reason.into() }
}

/// A run that has begun.
#[cfg(all(target_os = "linux", feature = "confine"))]
struct Begun {
    server: PythonServer,
    /// The process that the server has forked.
    process: u32,
    events: Receiver<Event>,
}

/// The interpreter's arguments before the program: no site packages or user settings, and no byte
/// code is written. The harness receives the folders of packages in its input.
const ARGUMENTS: [&str; 4] = ["-s", "-S", "-B", "-c"];

/// Serializes the [`Confinement`] for the launcher, preceded by its length; empty where there is no
/// launcher.
fn confinement(
    interpreter: &Interpreter,
    text: &str,
    limits: Option<ProcessLimits>,
    folder: &Path,
) -> Result<Vec<u8>, String> {
    if !cfg!(unix) {
        return Ok(Vec::new());
    }
    let confinement = Confinement {
        parent: std::process::id(),
        limits,
        folder: folder.to_owned().into(),
        program: interpreter.program.clone().into(),
        arguments: ARGUMENTS.into_iter().chain([text]).map(str::to_owned).collect(),
    };
    let text = serde_json::to_vec(&confinement).map_err(|error| error.to_string())?;
    let length = u32::try_from(text.len()).map_err(|error| error.to_string())?;
    Ok([&length.to_le_bytes()[..], &text].concat())
}

fn write_input(mut stdin: ChildStdin, confinement: &[u8], input: &[u8]) {
    // Fails if the process has ended, which is reported elsewhere.
    let _ = stdin.write_all(confinement).and_then(|()| stdin.write_all(input));
}

/// Forwards output to a queue.
fn forward(output: impl Read + Send + 'static) -> Receiver<Event> {
    let (sender, events) = sync_channel(QUEUE);
    std::thread::spawn(move || forward_output(output, &sender));
    events
}

fn forward_output(mut stdout: impl Read, events: &SyncSender<Event>) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(length) = stdout.read(&mut buffer) {
        if length == 0 || events.send(Event::Answers(buffer[..length].to_vec())).is_err() {
            break;
        }
    }
    let _ = events.send(Event::AnswersEnded);
}

/// Limits the time that a process computes and waits together. The system limits its processor
/// time. Time spent waiting for a processor does not count, so that a process is not penalised on a
/// busy machine: where the host of a virtual machine takes its processors away, no system reports
/// how long, so a process waits only between checks of which the second finds it not runnable.
struct Clock {
    began: Instant,
    process: u32,
    seconds: u64,
    /// The longest that it may wait, however many questions there are.
    most_waiting: Duration,
    /// The processor time used until the last check.
    cpu_time: Duration,
    /// The time until the last check that it has queued for a processor.
    queued: Duration,
    /// The time until the last check that it neither computed nor is known to have queued.
    idle: Duration,
    /// The part of it that it waited.
    waited: Duration,
    /// Whether the process exceeded its limit by waiting.
    waits: bool,
}

impl Clock {
    fn new(process: u32, seconds: u64, most_waiting: Duration) -> Self {
        Self {
            began: Instant::now(),
            process,
            seconds,
            most_waiting,
            cpu_time: Duration::ZERO,
            queued: Duration::ZERO,
            idle: Duration::ZERO,
            waited: Duration::ZERO,
            waits: false,
        }
    }

    fn is_over(&mut self) -> bool {
        let limit = Duration::from_secs(self.seconds);
        self.own_time();
        self.waits = if times(self.process).is_some() {
            self.waited > self.most_waiting || waits_too_long(limit, self.cpu_time, self.waited)
        } else {
            self.began.elapsed() / IDLE_DIVISOR > limit
        };
        self.waits
    }

    /// Returns how long the process has computed and waited.
    fn own_time(&mut self) -> Duration {
        let times = times(self.process);
        // Of a process that has ended nothing new is known.
        let (cpu_time, queued) = times.unwrap_or((self.cpu_time, self.queued));
        let idle = self.began.elapsed().saturating_sub(cpu_time + queued);
        if times.is_none() || !is_runnable(self.process) {
            self.waited += idle.saturating_sub(self.idle);
        }
        self.cpu_time = cpu_time;
        self.queued = queued;
        self.idle = idle;
        self.cpu_time + self.waited
    }

    /// Adds the time limit to a fault, and distinguishes a process that was stopped while idle.
    fn timed(&self, fault: Fault) -> Fault {
        match fault {
            Fault::TooLong { at, line, inner, .. } if self.waits => {
                let seconds = self.seconds.min(self.most_waiting.as_secs());
                Fault::Waits { at, line, inner, seconds }
            }
            Fault::TooLong { at, line, inner, .. } => {
                Fault::TooLong { at, line, inner, seconds: self.seconds }
            }
            fault => fault,
        }
    }

    /// Returns the fault of a process that was stopped and did not report its line.
    fn stopped(&self, answers: &Answers) -> Fault {
        self.timed(Fault::TooLong {
            at: answers.after(),
            line: 0,
            inner: None,
            seconds: self.seconds,
        })
    }
}

/// Whether a process has waited for longer than is left of its limit.
fn waits_too_long(limit: Duration, computed: Duration, waited: Duration) -> bool {
    waited > limit.saturating_sub(computed).max(LEAST_WAITING)
}

/// Returns how long a process has run on a processor, and how long it has waited for one; `None`
/// where the system does not report this.
fn times(process: u32) -> Option<(Duration, Duration)> {
    let text = std::fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?;
    let mut nanoseconds = text.split(' ').map(|text| text.trim().parse().map(Duration::from_nanos));
    Some((nanoseconds.next()?.ok()?, nanoseconds.next()?.ok()?))
}

/// Whether a process computes, or would if there were a processor for it.
fn is_runnable(process: u32) -> bool {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The state follows the name of the program, which may have any characters.
    text.rsplit_once(") ").is_some_and(|(_, state)| state.starts_with('R'))
}

/// Returns the fault of a process that ended without giving all answers.
fn ended(status: Option<ExitStatus>, clock: &Clock, answers: &Answers) -> Fault {
    let at = answers.after();
    #[cfg(unix)]
    if let Some(signal) =
        status.and_then(|status| std::os::unix::process::ExitStatusExt::signal(&status))
    {
        // The system sends SIGXCPU at the limit and SIGKILL a second later; only the last signal is
        // in the status.
        let at_limit = clock.cpu_time + Duration::from_secs(1) > Duration::from_secs(clock.seconds);
        return match signal {
            of_system::XCPU => clock.stopped(answers),
            of_system::KILL if at_limit => clock.stopped(answers),
            of_system::SEGV => {
                Fault::Ended { at, how: "the interpreter crashes: signal 11".into() }
            }
            other => Fault::Ended { at, how: format!("signal {other}") },
        };
    }
    let _ = clock;
    let how =
        status.and_then(|status| status.code()).map_or("it closes its streams".into(), |code| {
            match code {
                0 => "it exits".into(),
                code => format!("exit status {code}"),
            }
        });
    Fault::Ended { at, how }
}

/// The numbers of signals, the same on all Unix systems.
#[cfg(unix)]
mod of_system {
    pub const KILL: i32 = 9;
    pub const SEGV: i32 = 11;
    pub const XCPU: i32 = 24;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computing_and_waiting_share_a_limit() {
        let seconds = Duration::from_secs;
        let too_long =
            |computed, waited| waits_too_long(seconds(10), seconds(computed), seconds(waited));
        assert!(!too_long(0, 10) && too_long(0, 11));
        assert!(!too_long(9, 1) && too_long(9, 2), "not nine seconds of each");
        assert!(!too_long(10, 1) && too_long(10, 2), "the system limits the time it computes");
    }
    /// On a busy machine, and on a virtual one that gets no processor from its host, too.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_computes_does_not_wait() {
        let waited = |program: &str| {
            let mut shell = Command::new("sh");
            shell.args(["-c", program]).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = shell.spawn().unwrap();
            child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
            let mut clock = Clock::new(child.id(), 1, Duration::from_secs(1));
            for _ in 0..10 {
                std::thread::sleep(Duration::from_millis(20));
                clock.own_time();
            }
            child.kill().unwrap();
            child.wait().unwrap();
            clock.waited
        };
        assert_eq!(waited("echo; while :; do :; done"), Duration::ZERO);
        assert!(waited("echo; read word") > Duration::ZERO);
    }
}
