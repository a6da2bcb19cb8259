//! How much an engine may take, and how it is stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::game::{GameError, Space};
use crate::rules::Rules;
use crate::solve::{SolveError, Watch};

use super::EngineError;

/// The bounds of an engine's work. All hold from the rule file on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The most states of a game.
    pub states: u64,
    /// The most memory that the tables of one game may take, in bytes, by an estimate made before they are.
    pub memory: u64,
    /// How long one call may take; checked between steps of the work.
    pub time: Option<Duration>,
    /// The largest rule file, in bytes.
    pub rule_file: u64,
    /// The largest table, in bytes.
    pub table_file: u64,
    /// The most memory for what is kept of earlier calls, in bytes, by the same estimate.
    pub cache: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            states: 1 << 32,
            memory: 4 << 30,
            time: None,
            rule_file: crate::rules::LARGEST_FILE,
            table_file: crate::table::LARGEST_FILE,
            cache: 256 << 20,
        }
    }
}

/// A state's win rate, its best rolls, and what the game itself holds for it.
const BYTES_A_STATE: u64 = 16;

impl Limits {
    /// Before anything is tabulated: a game has at least a state for each pair of scores.
    pub(super) fn admit_rules(&self, rules: &Rules) -> Result<(), EngineError> {
        self.admit(rules, u64::from(rules.goal).pow(2))
    }

    /// Once the states are counted, before any is solved.
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

/// The memory that so many states take, solved.
pub(super) fn estimate(states: u64) -> u64 {
    states.saturating_mul(BYTES_A_STATE)
}

/// Stops work from anywhere: all copies of a token are one.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A token that nobody has used yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops, at its next step, all work that holds this token, and whatever is begun with it later.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was used.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Told how far long work is.
pub trait Progress: Send + Sync {
    /// So many of so many steps of this are done.
    fn step(&self, what: &'static str, done: usize, of: usize);

    /// So many of so many steps are done, and this one was the last: a file's name, or an entrant's.
    fn named_step(&self, what: &'static str, _name: &str, (done, of): (usize, usize)) {
        self.step(what, done, of);
    }

    /// Pairs of a contest have been rated: `matrix` gives the average win rates that are known, row against column, by the
    /// places of the entrants.
    fn rated(&self, _matrix: &dyn Fn() -> Vec<Vec<Option<f64>>>) {}

    /// The work is over, however it ended.
    fn end(&self) {}
}

/// One call: when it began, and what may stop it.
pub(super) struct EngineCall<'e> {
    pub began: Instant,
    pub time: Option<Duration>,
    pub cancel: &'e Cancel,
    pub progress: Option<&'e dyn Progress>,
}

impl EngineCall<'_> {
    /// Whether the work should stop.
    pub fn check(&self) -> Result<(), EngineError> {
        match self.time {
            _ if self.cancel.is_cancelled() => Err(EngineError::Solve(SolveError::Cancelled)),
            Some(time) if self.began.elapsed() > time => Err(EngineError::Time { seconds: time.as_secs_f64() }),
            _ => Ok(()),
        }
    }

    /// Why rules did not make a game, or their examples did not hold.
    pub fn no_game(&self, error: GameError) -> EngineError {
        match error {
            GameError::Faulty(faults) => EngineError::Game(faults),
            GameError::Stopped => self.check().err().unwrap_or(EngineError::Solve(SolveError::Cancelled)),
        }
    }

    /// Runs a part of the work, watched.
    pub fn run<T, E: Into<EngineError>>(
        &self,
        what: &'static str,
        work: impl FnOnce(&Watch) -> Result<T, E>,
    ) -> Result<T, EngineError> {
        self.check()?;
        let on_step = |done: usize, of: usize| {
            if let Some(progress) = self.progress {
                progress.step(what, done, of);
            }
            self.check().is_ok()
        };
        let result = work(&Watch::new(&on_step));
        if let Some(progress) = self.progress {
            progress.end();
        }
        result.map_err(|error| {
            let error = error.into();
            // Work that was stopped says only that; why, is known here.
            if error.is_stop() { self.check().err().unwrap_or(error) } else { error }
        })
    }
}
