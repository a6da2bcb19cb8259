//! Limits on an engine's work, its cancellation and its progress reports.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;

use crate::game::{BYTES_A_STATE, Space, USUAL_MEMORY, fewest_states, most_states};
use crate::rules::{Overrides, Rules};

use super::Error;
use super::loading::read_rules;

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
    /// The most entrants of a contest: its answer has the win rates of all pairs.
    pub entrants: usize,
    /// The most positions that an answer lists.
    pub listed: usize,
    /// The largest file that is a part of an answer in JSON, in bytes.
    pub file: usize,
    /// Whether near ties are resolved with more digits, which may take minutes.
    pub near_ties: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            states: 1 << 32,
            memory: USUAL_MEMORY,
            time: None,
            rule_file: crate::rules::limits::FILE_BYTES,
            table_file: hog_study::limits::TABLE_BYTES,
            cache: 256 << 20,
            entrants: usize::MAX,
            listed: usize::MAX,
            file: 192 << 20,
            near_ties: true,
        }
    }
}

impl Limits {
    /// The usual limits with the memory that this machine has for new work, where that is known.
    pub fn of_machine() -> Self {
        let usual = Self::default();
        Self { memory: memory_available().unwrap_or(usual.memory), ..usual }
    }

    /// Checks the limits before a game is tabulated, with the fewest states that it may have.
    pub(crate) fn admit_rules(&self, rules: &Rules) -> Result<(), Error> {
        let most = most_states(rules);
        self.admit(rules, most).or_else(|_| self.admit(rules, fewest_states(rules)))
    }

    /// Checks the limits with the number of states known, before the game is solved.
    pub(super) fn admit_game(&self, rules: &Rules, space: Space) -> Result<(), Error> {
        self.admit(rules, space.states() as u64)
    }

    fn admit(&self, rules: &Rules, states: u64) -> Result<(), Error> {
        let most = self.most_states();
        if states <= most {
            return Ok(());
        }
        Err(Error::TooLarge {
            game: rules.id.clone(),
            goal: rules.goal,
            step: rules.step,
            states,
            most,
            largest_goal: self.largest_goal(rules),
        })
    }

    fn most_states(&self) -> u64 {
        self.states.min(self.memory / BYTES_A_STATE)
    }

    /// The largest goal below that of the rules with which the game is within the limits, by the
    /// upper bound on its states.
    fn largest_goal(&self, rules: &Rules) -> u32 {
        let mut fits = 0;
        let mut exceeds = rules.goal / rules.step;
        while exceeds - fits > 1 {
            let middle = u32::midpoint(fits, exceeds);
            if self.admits_goal(rules, middle * rules.step) {
                fits = middle;
            } else {
                exceeds = middle;
            }
        }
        fits * rules.step
    }

    fn admits_goal(&self, rules: &Rules, goal: u32) -> bool {
        let max_dice = u32::try_from(rules.max_dice).ok();
        let overrides = Overrides { goal: Some(goal), max_dice };
        read_rules(&rules.text, &rules.id, overrides)
            .is_ok_and(|smaller| most_states(&smaller) <= self.most_states())
    }
}

/// The memory available for new work, in bytes: as Linux reports it, or a part of the
/// process's own limit (`ulimit -v`) if that is less; `None` where neither is known.
fn memory_available() -> Option<u64> {
    [free_memory(), own_limit()].into_iter().flatten().min()
}

fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

/// Three quarters of the limit: it also counts the program itself and what its threads reserve.
#[cfg(unix)]
fn own_limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::As).current.map(|limit| limit - limit / 4)
}

#[cfg(not(unix))]
fn own_limit() -> Option<u64> {
    None
}

/// A token that stops work, also from other threads. Clones share one state.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<CancelState>);

#[derive(Debug, Default)]
struct CancelState {
    cancelled: AtomicBool,
    has_result: AtomicBool,
}

impl Cancel {
    /// Creates a token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops all work with this token at its next step. Work begun with it later stops immediately.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }

    /// Says whether the work would have a result if it were stopped now.
    pub(crate) fn set_result(&self, has_result: bool) {
        self.0.has_result.store(has_result, Ordering::Relaxed);
    }

    /// Whether the work has a result if it is stopped now, such as the best table found so far.
    pub fn has_result(&self) -> bool {
        self.0.has_result.load(Ordering::Relaxed)
    }

    /// Whether this is a clone of `other`.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether [`Self::cancel`] has been called.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }
}

/// A receiver of progress reports of long work.
pub trait Progress: Send + Sync {
    /// Called when `done` of `of` steps of the work called `what` are done.
    fn step(&self, what: &'static str, done: usize, of: usize);

    /// As [`Self::step`], with the name of the file or entrant that the latest step is about.
    fn named_step(&self, what: &'static str, _name: &str, done: usize, of: usize) {
        self.step(what, done, of);
    }

    /// Called by any thread when an item of a list is known before the answer, such as an entrant
    /// of a contest that was read. `item` makes it as JSON.
    fn item(&self, _list: &'static str, _item: &dyn Fn() -> Value) {}

    /// As [`Self::step`], with the part of the answer that is known by now. `part` makes it as
    /// JSON.
    fn partial(
        &self,
        _what: &'static str,
        _done: usize,
        _of: usize,
        _name: &'static str,
        _part: &dyn Fn() -> Value,
    ) {
    }

    /// Called when the work is over, whether it succeeded or not.
    fn end(&self) {}
}
