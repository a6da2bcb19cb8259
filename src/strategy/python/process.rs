//! A strategy's process: started, asked, watched, and ended whatever it does.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use super::answers::Answers;
use super::fault::PythonFault;
use super::interpreter::Interpreter;
use super::launcher::{CONFINE, Confinement, Launcher, MEMORY_MIB, PRINTED_MIB};

/// The program that asks the strategy.
const HARNESS: &str = include_str!("harness.py");

/// How the launcher begins what it says when it cannot shut a process in.
pub(super) const REFUSAL: &[u8] = b"cannot shut in: ";

/// Why there are no answers.
pub(super) enum Failure {
    /// The strategy is at fault.
    Fault(PythonFault),
    /// The machine is: there is no interpreter, or no way to shut it in.
    Machine(String),
}

/// What happens while a strategy is asked.
enum Event {
    Answers(Vec<u8>),
    AnswersEnded,
    PrintedTooMuch,
}

/// Starts the interpreter on `input`, reads the answers, and makes an end of it.
pub(super) fn ask(
    launcher: &Launcher,
    path: &Path,
    input: Vec<u8>,
    seconds: u64,
    answers: &mut Answers,
) -> Result<(), Failure> {
    let interpreter = launcher.interpreter().map_err(Failure::Machine)?;
    let mut child = Started(start(launcher, &interpreter, path, seconds).map_err(Failure::Machine)?);
    let (sender, events) = channel();
    let streams = (child.0.stdin.take(), child.0.stdout.take(), child.0.stderr.take());
    let (Some(mut questions), Some(printed), Some(answered)) = streams else {
        return Err(Failure::Machine("the interpreter has no streams".into()));
    };
    // A process that ends early closes its ends; these threads end with it.
    std::thread::spawn(move || questions.write_all(&input));
    let counting = sender.clone();
    std::thread::spawn(move || count(printed, &counting));
    std::thread::spawn(move || pass_on(answered, &sender));
    let deadline = Instant::now() + Duration::from_secs(seconds);
    let ending = follow(&events, deadline, seconds, answers);
    let status = child.end(&events, ending.is_err() || answers.are_complete());
    match ending {
        Err(failure) => Err(failure),
        Ok(()) if answers.are_complete() => Ok(()),
        Ok(()) => Err(Failure::Fault(ended(status, seconds, answers))),
    }
}

/// A process that is ended and waited for however this ends.
struct Started(Child);

impl Started {
    /// Ends the process, at once or when it has closed its streams and its time is up.
    fn end(&mut self, events: &Receiver<Event>, at_once: bool) -> Option<ExitStatus> {
        if !at_once {
            // It has closed the channel, so it is ending; a moment for it to say how.
            let patience = Instant::now() + Duration::from_secs(1);
            while Instant::now() < patience {
                if let Ok(Some(status)) = self.0.try_wait() {
                    return Some(status);
                }
                let _ = events.recv_timeout(Duration::from_millis(5));
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        let _ = self.0.kill();
        self.0.wait().ok()
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // Both fail only if the process is gone already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(launcher: &Launcher, interpreter: &Interpreter, path: &Path, seconds: u64) -> Result<Child, String> {
    let mut readable = interpreter.readable.clone();
    readable.push(path.to_owned());
    let confinement = Confinement {
        shut_in: !launcher.trust,
        seconds: seconds + 1,
        memory: MEMORY_MIB << 20,
        readable,
        runnable: interpreter.runnable.clone(),
        program: interpreter.program.clone(),
        arguments: ["-s", "-B", "-c", HARNESS].map(str::to_owned).into(),
    };
    let mut command = if cfg!(unix) {
        let told = serde_json::to_string(&confinement).map_err(|error| error.to_string())?;
        let mut command = Command::new(&launcher.program);
        command.args([CONFINE, &told]);
        command
    } else {
        let mut command = Command::new(&confinement.program);
        command.args(&confinement.arguments);
        command
    };
    // The same hashes every time; one thread in libraries that would like more; UTF-8.
    command.env_clear().envs([("PYTHONHASHSEED", "0"), ("PYTHONUTF8", "1"), ("PYTHONDONTWRITEBYTECODE", "1")]);
    command.envs([("OMP_NUM_THREADS", "1"), ("OPENBLAS_NUM_THREADS", "1"), ("LC_ALL", "C.UTF-8")]);
    command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|error| format!("cannot start {}: {error}", launcher.program.display()))
}

/// Counts what is printed, keeping none of it.
fn count(mut printed: impl Read, events: &Sender<Event>) {
    let mut buffer = vec![0; 1 << 16];
    let mut counted = 0;
    while let Ok(length) = printed.read(&mut buffer) {
        counted += length as u64;
        if length == 0 {
            return;
        }
        if counted > PRINTED_MIB << 20 {
            let _ = events.send(Event::PrintedTooMuch);
            return;
        }
    }
}

fn pass_on(mut answered: impl Read, events: &Sender<Event>) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(length) = answered.read(&mut buffer) {
        if length == 0 || events.send(Event::Answers(buffer[..length].to_vec())).is_err() {
            break;
        }
    }
    let _ = events.send(Event::AnswersEnded);
}

/// Takes in answers until they are complete, wrong, too late, or there are no more.
fn follow(events: &Receiver<Event>, deadline: Instant, seconds: u64, answers: &mut Answers) -> Result<(), Failure> {
    let mut head: Option<Vec<u8>> = Some(Vec::new());
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match events.recv_timeout(left) {
            Ok(Event::Answers(bytes)) => {
                let bytes = match refused(&mut head, bytes)? {
                    Some(bytes) => bytes,
                    None => continue,
                };
                answers.read(&bytes).map_err(Failure::Fault)?;
                if answers.are_complete() {
                    return Ok(());
                }
            }
            Ok(Event::AnswersEnded) => {
                let refusal = head.filter(|head| head.starts_with(REFUSAL));
                let said = |head: Vec<u8>| String::from_utf8_lossy(&head[REFUSAL.len()..]).trim().to_owned();
                return refusal.map_or(Ok(()), |head| Err(Failure::Machine(said(head))));
            }
            Ok(Event::PrintedTooMuch) => {
                return Err(Failure::Fault(PythonFault::Printed { at: answers.at(), mebibytes: PRINTED_MIB }));
            }
            Err(RecvTimeoutError::Timeout) => {
                return Err(Failure::Fault(PythonFault::TooLong { at: answers.at(), seconds }));
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}

/// Holds back what may be the launcher's refusal; the bytes that are none.
fn refused(head: &mut Option<Vec<u8>>, bytes: Vec<u8>) -> Result<Option<Vec<u8>>, Failure> {
    let Some(mut held) = head.take() else { return Ok(Some(bytes)) };
    held.extend(bytes);
    let common = held.len().min(REFUSAL.len());
    if held[..common] != REFUSAL[..common] {
        return Ok(Some(held));
    }
    *head = Some(held);
    Ok(None)
}

/// What is wrong with a process that ended without all answers.
fn ended(status: Option<ExitStatus>, seconds: u64, answers: &Answers) -> PythonFault {
    let at = answers.at();
    #[cfg(unix)]
    if let Some(signal) = status.and_then(|status| std::os::unix::process::ExitStatusExt::signal(&status)) {
        return match signal {
            libc_signal::XCPU => PythonFault::TooLong { at, seconds },
            libc_signal::SEGV => PythonFault::Ended { at, how: "the interpreter crashes: signal 11".into() },
            other => PythonFault::Ended { at, how: format!("signal {other}") },
        };
    }
    let _ = seconds;
    let how = status.and_then(|status| status.code()).map_or("it closes its streams".into(), |code| match code {
        0 => "it exits".into(),
        code => format!("exit status {code}"),
    });
    PythonFault::Ended { at, how }
}

/// Numbers of signals, the same on all systems that have them.
#[cfg(unix)]
mod libc_signal {
    pub const SEGV: i32 = 11;
    pub const XCPU: i32 = 24;
}
