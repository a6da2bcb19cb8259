//! Asks a function in two processes with different seeds, whose answers must agree, and diagnoses
//! why they do not.

use std::env::consts::OS;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};

use crate::answers::{Answers, Complete, QuestionOrder};
use crate::fault::{At, Fault};
use crate::hex::encode;
use crate::launcher::{Launcher, POLL_INTERVAL};
use crate::process::{ProcessTask, Unanswered};
use crate::question::{Function, NoAnswers, QuestionGrid, StandIn};
use crate::readable::ReadableFiles;
use crate::system::as_harness_reads;

/// A function, the questions to it, and what follows from both.
pub(super) struct Run<'a> {
    pub launcher: &'a Launcher,
    pub function: &'a Function<'a>,
    pub questions: &'a QuestionGrid,
    /// The text to run.
    pub source: Vec<u8>,
    /// The name of the function in it to call.
    pub called: String,
    pub readable: ReadableFiles,
}

/// The conditions under which one process is run.
#[derive(Clone, Copy)]
struct Trial {
    order: QuestionOrder,
    /// What the clock shows and which random numbers come, as `harness.py` describes: `first` and
    /// `second` differ in both.
    conditions: &'static str,
    /// The value of `PYTHONHASHSEED`.
    hashes: &'static str,
}

const FIRST: Trial = Trial { order: QuestionOrder::Rows, conditions: "first", hashes: "1" };
const SECOND: Trial = Trial { order: QuestionOrder::Scattered, conditions: "second", hashes: "2" };
/// Run if the answers of these two differ: in the order of the first, under the conditions of the
/// second.
const DIAGNOSIS: Trial = Trial { order: QuestionOrder::Rows, conditions: "traced", hashes: "2" };
const SEEDED: Trial = Trial { order: QuestionOrder::Rows, conditions: "seeded", hashes: "0" };

impl Run<'_> {
    /// Runs two processes and returns their answers if they agree.
    pub fn twice(&self, keep_going: &dyn Fn() -> bool) -> Result<Vec<i32>, NoAnswers> {
        let (trial, again) =
            if self.function.is_seeded { (SEEDED, SEEDED) } else { (FIRST, SECOND) };
        let (first, second) = self.both(trial, again, keep_going);
        let first = first?.answers;
        let second = second?.answers;
        match (0..first.len()).find(|cell| first[*cell] != second[*cell]) {
            None => Ok(first),
            Some(cell) => Err(self.diagnose(cell, &first, &second, keep_going)),
        }
    }

    /// Runs two processes at the same time.
    #[cfg(not(target_family = "wasm"))]
    fn both(
        &self,
        trial: Trial,
        again: Trial,
        keep_going: &dyn Fn() -> bool,
    ) -> (Result<Complete, NoAnswers>, Result<Complete, NoAnswers>) {
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (finished, ends) = channel();
            let is_over = &is_over;
            let second = std::thread::Builder::new().spawn_scoped(scope, move || {
                let result = self.once(again, &|| !is_over.load(Ordering::Relaxed));
                // The receiver is gone only if nobody waits for the second process.
                let _ = finished.send(());
                result
            });
            let first = self.once(trial, keep_going);
            let mut goes_on = first.is_ok();
            while goes_on && ends.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                goes_on = keep_going();
            }
            is_over.store(!goes_on, Ordering::Relaxed);
            let second = match second {
                Ok(second) => second.join().expect("it does not panic"),
                // No more threads can be started: one after the other.
                Err(_) => self.once(again, keep_going),
            };
            (first, second)
        })
    }

    /// Asks for both runs; the page decides what runs at the same time.
    #[cfg(target_family = "wasm")]
    fn both(
        &self,
        trial: Trial,
        again: Trial,
        keep_going: &dyn Fn() -> bool,
    ) -> (Result<Complete, NoAnswers>, Result<Complete, NoAnswers>) {
        (self.once(trial, keep_going), self.once(again, keep_going))
    }

    /// Finds out why two processes answer differently.
    fn diagnose(
        &self,
        cell: usize,
        first: &[i32],
        second: &[i32],
        keep_going: &dyn Fn() -> bool,
    ) -> NoAnswers {
        let below = self.questions.below;
        let at = At::Call((cell / below) as u32, (cell % below) as u32);
        let first_answer = first[cell];
        let then = second[cell];
        let changing = Fault::Changing { at, first: first_answer, then };
        if self.function.is_seeded {
            return NoAnswers::Fault(changing);
        }
        NoAnswers::Fault(match self.once(DIAGNOSIS, keep_going) {
            Ok(Complete { drawn: Some(drawn), .. }) => {
                Fault::Random { at, call: drawn.call, line: drawn.line, first: first_answer, then }
            }
            Ok(third) if third.answers == first => Fault::Impure { at, first: first_answer, then },
            Err(stopped @ (NoAnswers::Cancelled | NoAnswers::NotRun)) => return stopped,
            Ok(_) | Err(_) => changing,
        })
    }

    fn once(&self, trial: Trial, keep_going: &dyn Fn() -> bool) -> Result<Complete, NoAnswers> {
        // Marks the harness's lines, so that other output of the file is not taken for answers.
        let secret = format!("{:016x}:", secret_of(&self.source));
        let input = self.input(trial, &secret).map_err(NoAnswers::NoPython)?;
        let seconds = self.launcher.seconds_for(self.questions.count());
        let task = ProcessTask {
            launcher: self.launcher,
            readable: &self.readable,
            input,
            hashes: trial.hashes,
            seconds,
            keep_going,
        };
        let mut was_lost = false;
        loop {
            let mut answers =
                Answers::new(self.function, self.questions, trial.order, secret.clone());
            match task.ask(&mut answers) {
                Ok(()) => return Ok(answers.complete()),
                Err(Unanswered::Reason(reason)) => return Err(reason),
                // Twice in a row is no accident.
                Err(Unanswered::Lost(reason)) if was_lost => return Err(reason),
                Err(Unanswered::Lost(_)) => was_lost = true,
            }
        }
    }

    /// Returns the harness's standard input.
    fn input(&self, trial: Trial, secret: &str) -> Result<Vec<u8>, String> {
        let packages: Vec<String> =
            self.launcher.interpreter()?.packages.iter().map(|path| encoded(path)).collect();
        let stand_ins: Vec<String> = self.function.stand_ins.iter().map(written).collect();
        let lines = [
            secret,
            &self.called,
            &encoded(self.function.path),
            &self.questions.below.to_string(),
            trial.order.name(),
            trial.conditions,
            &packages.join(","),
            &self.readable.folder.as_deref().map(encoded).unwrap_or_default(),
            &stand_ins.join(","),
            "",
            "",
        ];
        Ok([lines.join("\n").as_bytes(), &self.source].concat())
    }
}

/// Returns a path as the harness reads it, in hexadecimal digits.
fn encoded(path: &Path) -> String {
    encode(&as_harness_reads(OS, path))
}

#[cfg(not(target_family = "wasm"))]
fn secret_of(source: &[u8]) -> u64 {
    RandomState::new().hash_one(source)
}

/// In a tab, what was run is found again by its input, so the input is the same each time.
#[cfg(target_family = "wasm")]
fn secret_of(source: &[u8]) -> u64 {
    hog_files::hash::fnv_64(source)
}

/// Writes a module for the harness: its name and its text.
fn written(StandIn { name, source }: &StandIn) -> String {
    format!("{name}:{}", encode(source.as_bytes()))
}
