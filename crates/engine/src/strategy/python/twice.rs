//! Runs a strategy in two processes with different seeds, whose answers must agree, and diagnoses
//! why they do not.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};

use crate::solve::Watch;

use super::answers::{Answers, Complete, QuestionOrder, Questions, encode};
use super::fault::{At, PythonFault};
use super::launcher::{Launcher, POLL_INTERVAL};
use super::process::{Failure, Task};
use super::readable::ReadableFiles;

/// A strategy and the questions to it.
pub(super) struct StrategyRun<'a> {
    pub launcher: &'a Launcher,
    /// The absolute path of its file.
    pub path: &'a Path,
    pub source: &'a [u8],
    pub readable: &'a ReadableFiles,
    pub questions: Questions,
    /// What identifies its file from run to run; `None` for its path.
    pub known_as: Option<&'a str>,
    /// Whether it may use random numbers.
    pub seeded: bool,
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

impl StrategyRun<'_> {
    /// Runs two processes and returns their answers if they agree, at index `score * goal +
    /// opponent`.
    pub fn twice(&self, watch: &Watch) -> Result<Vec<i32>, Failure> {
        let (trial, again) = if self.seeded { (SEEDED, SEEDED) } else { (FIRST, SECOND) };
        let is_over = AtomicBool::new(false);
        let (first, second) = std::thread::scope(|scope| {
            let (finished, ends) = channel();
            let is_over = &is_over;
            let second = scope.spawn(move || {
                let result = self.once(again, &|| !is_over.load(Ordering::Relaxed));
                // The receiver is gone only if nobody waits for the second process.
                let _ = finished.send(());
                result
            });
            let first = self.once(trial, &|| watch.step(0, 1));
            let mut goes_on = first.is_ok();
            while goes_on && ends.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                goes_on = watch.step(0, 1);
            }
            is_over.store(!goes_on, Ordering::Relaxed);
            (first, second.join().expect("it does not panic"))
        });
        let (first, second) = (first?.dice, second?.dice);
        match (0..first.len()).find(|cell| first[*cell] != second[*cell]) {
            None => Ok(first),
            Some(cell) => Err(self.diagnose(cell, &first, &second, watch)),
        }
    }

    /// Finds out why two processes answer differently.
    fn diagnose(&self, cell: usize, first: &[i32], second: &[i32], watch: &Watch) -> Failure {
        let goal = self.questions.goal;
        let at = At::Scores((cell / goal) as u32, (cell % goal) as u32);
        let (first_dice, then) = (first[cell], second[cell]);
        let changing = PythonFault::Changing { at, first: first_dice, then };
        if self.seeded {
            return Failure::Fault(changing);
        }
        Failure::Fault(match self.once(DIAGNOSIS, &|| watch.step(0, 1)) {
            Ok(Complete { drawn: Some(drawn), .. }) => PythonFault::Random {
                at,
                call: drawn.call,
                line: drawn.line,
                first: first_dice,
                then,
            },
            Ok(third) if third.dice == first => PythonFault::Impure { at, first: first_dice, then },
            Err(Failure::Stopped) => return Failure::Stopped,
            Ok(_) | Err(_) => changing,
        })
    }

    fn once(&self, trial: Trial, keep_going: &dyn Fn() -> bool) -> Result<Complete, Failure> {
        // Marks the harness's lines, so that other output of the strategy is not taken for answers.
        let secret = format!("{:016x}:", RandomState::new().hash_one(self.source));
        let input = self.input(trial, &secret).map_err(Failure::NoPython)?;
        let mut answers = Answers::new(&self.questions, trial.order, secret);
        let seconds = self.launcher.seconds_for(self.questions.goal * self.questions.goal);
        let task = Task {
            launcher: self.launcher,
            readable: self.readable,
            input,
            hashes: trial.hashes,
            seconds,
            keep_going,
        };
        task.ask(&mut answers)?;
        Ok(answers.complete())
    }

    /// Returns the harness's standard input.
    fn input(&self, trial: Trial, secret: &str) -> Result<Vec<u8>, String> {
        let Questions { function, goal, .. } = &self.questions;
        let name = |path: &Path| encode(path.as_os_str().as_encoded_bytes());
        let packages: Vec<String> =
            self.launcher.interpreter()?.packages.iter().map(|path| name(path)).collect();
        let (file, order, conditions) = (name(self.path), trial.order.name(), trial.conditions);
        let folder = self.readable.folder.as_deref().map(name).unwrap_or_default();
        let packages = packages.join(",");
        let head = format!(
            "{secret}\n{function}\n{file}\n{goal}\n{order}\n{conditions}\n{packages}\n{folder}\n\n"
        );
        Ok([head.as_bytes(), self.source].concat())
    }
}
