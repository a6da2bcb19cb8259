//! Limits on an engine's work, its cancellation and its progress reports.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::game::{GameError, Space, USUAL_MEMORY};
use crate::rules::Rules;
use crate::solve::{SolveError, Watch};

use super::EngineError;

/// The limits of an engine's work. They are enforced from the reading of the rule file on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The largest number of states of a game.
    pub states: u64,
    /// The most memory for the tables of one game, and for each part of the work with it, in
    /// bytes, by an estimate made before they are allocated.
    pub memory: u64,
    /// The most time for one call, checked between steps of the work; `None` means no limit. For
    /// several calls together: [`Engine::within`](super::Engine::within).
    pub time: Option<Duration>,
    /// The largest rule file, in bytes.
    pub rule_file: u64,
    /// The largest table, in bytes, also where a strategy names it.
    pub table_file: u64,
    /// The most memory for cached results of earlier calls, in bytes.
    pub cache: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            states: 1 << 32,
            memory: USUAL_MEMORY,
            time: None,
            rule_file: crate::rules::LARGEST_FILE,
            table_file: crate::table::LARGEST_FILE,
            cache: 256 << 20,
        }
    }
}

/// An estimate of the memory for one state: its win rate, its best rolls, and its share of the
/// tabulated game.
const BYTES_A_STATE: u64 = 16;

impl Limits {
    /// Checks the limits before a game is tabulated: it has at least one state for each pair of
    /// scores.
    pub(super) fn admit_rules(&self, rules: &Rules) -> Result<(), EngineError> {
        self.admit(rules, u64::from(rules.goal).pow(2))
    }

    /// Checks the limits with the number of states known, before the game is solved.
    pub(super) fn admit_game(&self, rules: &Rules, space: Space) -> Result<(), EngineError> {
        self.admit(rules, space.states() as u64)
    }

    fn admit(&self, rules: &Rules, states: u64) -> Result<(), EngineError> {
        let bytes = estimate(states);
        if states <= self.states && bytes <= self.memory {
            return Ok(());
        }
        Err(EngineError::TooLarge {
            game: rules.id.clone(),
            goal: rules.goal,
            states,
            mebibytes: bytes >> 20,
            limits: (self.states, self.memory >> 20),
        })
    }
}

/// Estimates the memory for `states` solved states, in bytes.
fn estimate(states: u64) -> u64 {
    states.saturating_mul(BYTES_A_STATE)
}

/// A token that stops work, also from other threads. Clones share one state.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Creates a token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops all work with this token at its next step. Work begun with it later stops immediately.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether this is a clone of `other`.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether [`Self::cancel`] has been called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A receiver of progress reports of long work.
pub trait Progress: Send + Sync {
    /// Called when `done` of `of` steps of the work called `what` are done.
    fn step(&self, what: &'static str, done: usize, of: usize);

    /// As [`Self::step`], with the name of the file or entrant that the latest step is about.
    fn named_step(&self, what: &'static str, _name: &str, (done, of): (usize, usize)) {
        self.step(what, done, of);
    }

    /// Called when an entrant of a contest was read, by any thread, with the reason why it cannot
    /// take part, if it cannot.
    fn fate(&self, _name: &str, _rejected: Option<&str>) {}

    /// Called when more pairs of a contest are rated. `matrix` returns the average win rate of each
    /// entrant (row) against each other (column), in the order of the entrants; `None` for
    /// pairs that are not rated yet.
    fn rated(&self, _matrix: &dyn Fn() -> Vec<Vec<Option<f64>>>) {}

    /// Called when the work is over, whether it succeeded or not.
    fn end(&self) {}
}

/// One call of the engine: its start time, its limits, and what may stop it.
#[derive(Clone)]
pub(super) struct EngineCall<'e> {
    /// What its progress reports are about; empty if there is only one subject.
    pub about: String,
    pub began: Instant,
    /// The time limit, and when its clock started: at the latest when the call began.
    pub time: Option<(Instant, Duration)>,
    /// The most memory for the tables of one part of the work, in bytes.
    pub memory: u64,
    pub cancel: &'e Cancel,
    pub progress: Option<&'e dyn Progress>,
}

impl EngineCall<'_> {
    /// Returns an error if the work should stop.
    pub fn check(&self) -> Result<(), EngineError> {
        match self.time {
            _ if self.cancel.is_cancelled() => Err(EngineError::Solve(SolveError::Cancelled)),
            Some((began, time)) if began.elapsed() > time => {
                Err(EngineError::Time { seconds: time.as_secs_f64() })
            }
            _ => Ok(()),
        }
    }

    /// Converts the error of rules that do not define a valid game or whose examples do not hold.
    /// If the work was stopped, the result says why.
    pub fn game_error(&self, error: GameError) -> EngineError {
        match error {
            GameError::Faulty(faults) => EngineError::Game(faults),
            GameError::Stopped => {
                self.check().err().unwrap_or(EngineError::Solve(SolveError::Cancelled))
            }
        }
    }

    /// Runs a part of the work with progress reports, until it is finished or should stop.
    pub fn run<T, E: Into<EngineError>>(
        &self,
        what: &'static str,
        work: impl FnOnce(&Watch) -> Result<T, E>,
    ) -> Result<T, EngineError> {
        self.run_named(what, &self.about, work)
    }

    /// Returns this call for work about one of several subjects.
    pub fn about(&self, about: String) -> Self {
        Self { about, ..self.clone() }
    }

    /// As [`Self::run`], with the name of the file that the work is about; empty if there is none.
    pub fn run_named<T, E: Into<EngineError>>(
        &self,
        what: &'static str,
        name: &str,
        work: impl FnOnce(&Watch) -> Result<T, E>,
    ) -> Result<T, EngineError> {
        self.check()?;
        let on_step = |done: usize, of: usize| {
            if let Some(progress) = self.progress {
                progress.named_step(what, name, (done, of));
            }
            self.check().is_ok()
        };
        let result = work(&Watch::new(&on_step).memory(self.memory));
        if let Some(progress) = self.progress {
            progress.end();
        }
        result.map_err(|error| {
            let error = error.into();
            // The error of stopped work does not say why it was stopped.
            if error.is_stop() { self.check().err().unwrap_or(error) } else { error }
        })
    }
}
