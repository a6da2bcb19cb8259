//! Asking a strategy twice, so that two processes with different seeds must agree; and where they do not, finding out why.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::solve::Watch;

use super::answers::{Answers, Complete, QuestionOrder, Questions, encode};
use super::beside::Beside;
use super::fault::{At, PythonFault};
use super::launcher::Launcher;
use super::process::{Failure, Task};

/// A strategy and what it is asked.
pub(super) struct Consultation<'a> {
    pub launcher: &'a Launcher,
    /// Its file, by its full path.
    pub path: &'a Path,
    pub source: &'a [u8],
    pub beside: &'a Beside,
    pub questions: Questions,
    /// Whether it may use random numbers.
    pub seeded: bool,
}

/// One way to ask.
#[derive(Clone, Copy)]
struct Trial {
    order: QuestionOrder,
    /// What is done about random numbers: nothing (`free`), a seed (`seeded`), or a look at what draws them (`traced`).
    random: &'static str,
    /// The seed of the hashes of texts.
    hashes: &'static str,
}

const FIRST: Trial = Trial { order: QuestionOrder::Rows, random: "free", hashes: "1" };
const SECOND: Trial = Trial { order: QuestionOrder::Scattered, random: "free", hashes: "2" };
/// Asked if those two differ: in the order of the first, with the seed of the second.
const WHY: Trial = Trial { order: QuestionOrder::Rows, random: "traced", hashes: "2" };
const SEEDED: Trial = Trial { order: QuestionOrder::Rows, random: "seeded", hashes: "0" };

impl Consultation<'_> {
    /// The answers of two processes that agree, the mover's score counting slowest.
    pub fn twice(&self, watch: &Watch) -> Result<Vec<i32>, Failure> {
        let (way, again) = if self.seeded { (SEEDED, SEEDED) } else { (FIRST, SECOND) };
        let failed = AtomicBool::new(false);
        let (first, second) = std::thread::scope(|scope| {
            let second = scope.spawn(|| self.once(again, &|| !failed.load(Ordering::Relaxed)));
            let first = self.once(way, &|| watch.step(0, 1));
            failed.store(first.is_err(), Ordering::Relaxed);
            (first, second.join().expect("it does not panic"))
        });
        let (first, second) = (first?.dice, second?.dice);
        match (0..first.len()).find(|cell| first[*cell] != second[*cell]) {
            None => Ok(first),
            Some(cell) => Err(self.why(cell, &first, &second, watch)),
        }
    }

    /// Why two processes answer differently.
    fn why(&self, cell: usize, first: &[i32], second: &[i32], watch: &Watch) -> Failure {
        let goal = self.questions.goal;
        let at = At::Scores((cell / goal) as u32, (cell % goal) as u32);
        let (first_dice, then) = (first[cell], second[cell]);
        let changing = PythonFault::Changing { at, first: first_dice, then };
        if self.seeded {
            return Failure::Fault(changing);
        }
        Failure::Fault(match self.once(WHY, &|| watch.step(0, 1)) {
            Ok(Complete { drawn: Some(drawn), .. }) => {
                PythonFault::Random { at, call: drawn.call, line: drawn.line, first: first_dice, then }
            }
            Ok(third) if third.dice == first => PythonFault::Impure { at, first: first_dice, then },
            Err(Failure::Stopped) => return Failure::Stopped,
            Ok(_) | Err(_) => changing,
        })
    }

    fn once(&self, way: Trial, goes_on: &dyn Fn() -> bool) -> Result<Complete, Failure> {
        // What the strategy writes by accident is no answer.
        let secret = format!("{:016x}:", RandomState::new().hash_one(self.source));
        let input = self.input(way, &secret).map_err(Failure::NoPython)?;
        let mut answers = Answers::new(&self.questions, way.order, secret);
        let seconds = self.launcher.seconds_for(self.questions.goal * self.questions.goal);
        let task = Task { launcher: self.launcher, beside: self.beside, input, hashes: way.hashes, seconds, goes_on };
        task.ask(&mut answers)?;
        Ok(answers.complete())
    }

    /// What the harness reads.
    fn input(&self, way: Trial, secret: &str) -> Result<Vec<u8>, String> {
        let Questions { function, goal, .. } = &self.questions;
        let name = |path: &Path| encode(path.as_os_str().as_encoded_bytes());
        let packages: Vec<String> = self.launcher.interpreter()?.packages.iter().map(|path| name(path)).collect();
        let (file, order, random) = (name(self.path), way.order.name(), way.random);
        let folder = self.beside.folder.as_deref().map(name).unwrap_or_default();
        let packages = packages.join(",");
        let head = format!("{secret}\n{function}\n{file}\n{goal}\n{order}\n{random}\n{packages}\n{folder}\n\n");
        Ok([head.as_bytes(), self.source].concat())
    }
}
