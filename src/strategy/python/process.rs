//! A strategy's process: started, asked, watched, and ended whatever it does.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::answers::Answers;
use super::beside::Beside;
use super::confine::READY;
use super::fault::PythonFault;
use super::interpreter::Interpreter;
use super::launcher::{CONFINE, Confinement, Launcher, MEMORY_MIB};
use super::running::Running;

/// The program that asks the strategy.
pub(super) const HARNESS: &str = include_str!("harness.py");

/// Why there are no answers.
pub(super) enum Failure {
    /// The strategy is at fault.
    Fault(PythonFault),
    /// There is no interpreter.
    NoPython(String),
    /// There is no way to shut it in.
    NotShutIn(String),
    /// Whoever asked no longer wants to know.
    Stopped,
}

/// A process to be asked.
pub(super) struct Task<'a> {
    pub launcher: &'a Launcher,
    pub beside: &'a Beside,
    /// What the harness reads.
    pub input: Vec<u8>,
    /// The seed of the hashes of texts, which orders sets.
    pub hashes: &'static str,
    /// Processor time, in seconds.
    pub seconds: u64,
    /// Asked now and then whether to go on.
    pub goes_on: &'a dyn Fn() -> bool,
}

/// What happens while a strategy is asked.
enum Event {
    Answers(Vec<u8>),
    AnswersEnded,
}

/// As many pieces of what a process writes wait to be read; one that writes faster waits itself.
const QUEUE: usize = 16;

/// How often a process is looked at, whatever it says.
const GLANCE: Duration = Duration::from_millis(100);

/// How long a process that was told to stop may take to say where it was.
const LAST_WORD: Duration = Duration::from_millis(500);

/// Longest that a process may take, as a multiple of its processor time, if the system does not tell how long it waits.
const UNTOLD: u32 = 6;

/// The launcher's longest word, in bytes.
const LONGEST_WORD: u64 = 4096;

impl Task<'_> {
    /// Starts the interpreter, reads the answers, and makes an end of it.
    pub fn ask(self, answers: &mut Answers) -> Result<(), Failure> {
        let interpreter = self.launcher.interpreter().map_err(Failure::NoPython)?;
        let _slot = self.launcher.slot();
        if !(self.goes_on)() {
            return Err(Failure::Stopped);
        }
        let mut running = Running::new(self.start(interpreter).map_err(Failure::NotShutIn)?);
        let child = running.child();
        let (Some(questions), Some(answered), word) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(Failure::NotShutIn("the interpreter has no streams".into()));
        };
        let (sender, events) = sync_channel(QUEUE);
        let told = self.told(interpreter).map_err(Failure::NotShutIn)?;
        let input = self.input.clone();
        // A process that ends early closes its ends; these threads end with it.
        std::thread::spawn(move || put(questions, &told, &input));
        if cfg!(unix) {
            let mut said = String::new();
            let _ = word.map(|word| word.take(LONGEST_WORD).read_to_string(&mut said));
            if said != READY {
                let reason = said.strip_prefix(READY).unwrap_or(&said).trim().to_owned();
                let silent = "the program that shuts strategies in ends without a word".to_owned();
                return Err(Failure::NotShutIn(if reason.is_empty() { silent } else { reason }));
            }
        }
        std::thread::spawn(move || pass_on(answered, &sender));
        let mut clock = Clock::new(running.id(), self.seconds);
        self.follow(&events, &mut clock, &running, answers)?;
        if answers.are_complete() {
            return Ok(());
        }
        Err(Failure::Fault(ended(running.status(), &clock, answers)))
    }

    fn start(&self, interpreter: &Interpreter) -> Result<Child, String> {
        let program = if cfg!(unix) { &self.launcher.program } else { &interpreter.program };
        let mut command = Command::new(program);
        if cfg!(unix) {
            command.args(&self.launcher.arguments).arg(CONFINE).stderr(Stdio::piped());
        } else {
            command.args(ARGUMENTS).stderr(Stdio::null());
        }
        // A group of its own: what a trusted program starts ends with it, and Ctrl-C is for hog to hear.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // One thread in libraries that would like more; UTF-8.
        command.env_clear().envs([("PYTHONHASHSEED", self.hashes), ("PYTHONUTF8", "1"), ("PYTHONSAFEPATH", "1")]);
        command.envs([("OMP_NUM_THREADS", "1"), ("OPENBLAS_NUM_THREADS", "1"), ("LC_ALL", "C.UTF-8")]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.spawn().map_err(|error| format!("cannot start {}: {error}", program.display()))
    }

    /// What the launcher is told, its length first; nothing where there is no launcher.
    fn told(&self, interpreter: &Interpreter) -> Result<Vec<u8>, String> {
        if !cfg!(unix) {
            return Ok(Vec::new());
        }
        let confinement = Confinement {
            shut_in: !self.launcher.trust,
            parent: std::process::id(),
            seconds: self.seconds,
            memory: MEMORY_MIB << 20,
            readable: [&interpreter.readable[..], &interpreter.packages].concat(),
            runnable: interpreter.runnable.clone(),
            folder: self.beside.folder.clone(),
            files: self.beside.files.clone(),
            program: interpreter.program.clone(),
            arguments: ARGUMENTS.map(str::to_owned).into(),
        };
        let text = serde_json::to_vec(&confinement).map_err(|error| error.to_string())?;
        let length = u32::try_from(text.len()).map_err(|error| error.to_string())?;
        Ok([&length.to_le_bytes()[..], &text].concat())
    }

    /// Takes in answers until they are complete, wrong, too late, or there are no more.
    fn follow(
        &self,
        events: &Receiver<Event>,
        clock: &mut Clock,
        running: &Running,
        answers: &mut Answers,
    ) -> Result<(), Failure> {
        let (mut told_to_stop, mut glanced): (Option<Instant>, _) = (None, Instant::now());
        loop {
            match events.recv_timeout(GLANCE) {
                Ok(Event::Answers(bytes)) => {
                    answers.read(&bytes).map_err(|fault| Failure::Fault(clock.timed(fault)))?;
                    if answers.are_complete() {
                        return Ok(());
                    }
                }
                Ok(Event::AnswersEnded) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            // One that says a little now and then is looked at as well.
            if glanced.elapsed() < GLANCE {
                continue;
            }
            glanced = Instant::now();
            match told_to_stop {
                _ if !(self.goes_on)() => return Err(Failure::Stopped),
                Some(when) if when.elapsed() > LAST_WORD => return Err(Failure::Fault(clock.stopped(answers))),
                None if clock.is_over() => {
                    running.tell_to_stop();
                    told_to_stop = Some(Instant::now());
                }
                _ => {}
            }
        }
    }
}

/// No packages or settings of the user, no byte code left behind; the library's folders are told to the harness.
const ARGUMENTS: [&str; 5] = ["-s", "-S", "-B", "-c", HARNESS];

fn put(mut questions: ChildStdin, told: &[u8], input: &[u8]) {
    // Fails if the process has ended, which is told elsewhere.
    let _ = questions.write_all(told).and_then(|()| questions.write_all(input));
}

fn pass_on(mut answered: impl Read, events: &SyncSender<Event>) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(length) = answered.read(&mut buffer) {
        if length == 0 || events.send(Event::Answers(buffer[..length].to_vec())).is_err() {
            break;
        }
    }
    let _ = events.send(Event::AnswersEnded);
}

/// How long a process has taken. The system counts and bounds its processor time; here is bounded how long it waits for
/// anything but a processor, so that one among many on a busy machine loses nothing.
struct Clock {
    began: Instant,
    process: u32,
    seconds: u64,
    /// The processor time it had when last looked at.
    computed: Duration,
    waits: bool,
}

impl Clock {
    fn new(process: u32, seconds: u64) -> Self {
        Self { began: Instant::now(), process, seconds, computed: Duration::ZERO, waits: false }
    }

    fn is_over(&mut self) -> bool {
        let (limit, elapsed) = (Duration::from_secs(self.seconds), self.began.elapsed());
        let idle = match times(self.process) {
            Some((computed, queued)) => {
                self.computed = computed;
                elapsed.saturating_sub(computed + queued)
            }
            None => elapsed / UNTOLD,
        };
        self.waits = idle > limit;
        self.waits
    }

    /// A fault with the time that was allowed; a process that was told to stop while it waited did not compute.
    fn timed(&self, fault: PythonFault) -> PythonFault {
        match fault {
            PythonFault::TooLong { at, line, .. } if self.waits => {
                PythonFault::Waits { at, line, seconds: self.seconds }
            }
            PythonFault::TooLong { at, line, .. } => PythonFault::TooLong { at, line, seconds: self.seconds },
            fault => fault,
        }
    }

    /// The fault of one that did not say where it was.
    fn stopped(&self, answers: &Answers) -> PythonFault {
        self.timed(PythonFault::TooLong { at: answers.after(), line: 0, seconds: self.seconds })
    }
}

/// How long a process has had a processor, and how long it has waited for one.
fn times(process: u32) -> Option<(Duration, Duration)> {
    let told = std::fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?;
    let mut nanoseconds = told.split(' ').map(|text| text.trim().parse().map(Duration::from_nanos));
    Some((nanoseconds.next()?.ok()?, nanoseconds.next()?.ok()?))
}

/// What is wrong with a process that ended without all answers.
fn ended(status: Option<ExitStatus>, clock: &Clock, answers: &Answers) -> PythonFault {
    let at = answers.after();
    #[cfg(unix)]
    if let Some(signal) = status.and_then(|status| std::os::unix::process::ExitStatusExt::signal(&status)) {
        // The system kills what goes on after the first signal, and tells only of the second.
        let at_limit = clock.computed + Duration::from_secs(1) > Duration::from_secs(clock.seconds);
        return match signal {
            of_system::XCPU => clock.stopped(answers),
            of_system::KILL if at_limit => clock.stopped(answers),
            of_system::SEGV => PythonFault::Ended { at, how: "the interpreter crashes: signal 11".into() },
            other => PythonFault::Ended { at, how: format!("signal {other}") },
        };
    }
    let _ = clock;
    let how = status.and_then(|status| status.code()).map_or("it closes its streams".into(), |code| match code {
        0 => "it exits".into(),
        code => format!("exit status {code}"),
    });
    PythonFault::Ended { at, how }
}

/// Numbers of signals, the same on all systems that have them.
#[cfg(unix)]
mod of_system {
    pub const KILL: i32 = 9;
    pub const SEGV: i32 = 11;
    pub const XCPU: i32 = 24;
}
