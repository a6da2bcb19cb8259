//! Reads submissions and makes their plans, some at the same time, within a time that all share.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::files::escape;
use crate::game::{Game, Plan};
use crate::solve::{SolveError, Watch};
use crate::strategy::{Sources, Strategy, StrategyError};

use super::invitation::Invitation;
use super::limits;
use super::loading::{OnFate, OnRead};
use super::submissions::Submission;

/// The least time that an entrant has in a round, if all share a limited time: several times what a
/// quick file takes, also on a busy machine.
const LEAST_SHARE: Duration = Duration::from_millis(500);

const NOT_IN_TIME: &str =
    "it was not read: it takes longer than its share of the time for all entrants together";

/// The variable that gives an entrant's bid.
const BID: &str = "final_bid";

/// A submission that plays.
pub(super) struct ReadEntrant {
    pub plan: Plan,
    pub bid: Option<i64>,
    /// Why and where it rolls a default.
    pub failing: Option<String>,
}

/// Why a submission cannot be used.
pub(super) struct Unusable {
    /// The reason, on one line.
    pub reason: String,
    /// Whether the reason is the time that there was.
    pub is_unread: bool,
    /// Whether it imports a package that this Python lacks.
    pub lacks_package: bool,
}

/// What a round has made of a submission.
enum RoundResult {
    Plays(ReadEntrant),
    Refused(Unusable),
    /// None of its kind can be read: the work ends.
    Ends(StrategyError),
    /// Its share of the time was not enough.
    PutOff,
    /// It comes after one that ends the work.
    LeftOut,
}

impl RoundResult {
    fn refused(reason: String) -> Self {
        Self::Refused(Unusable { reason, is_unread: false, lacks_package: false })
    }

    /// Whether an error is that of one submission, or ends the work. A submission without a file is
    /// a strategy given by its name.
    fn failed(error: StrategyError, strategy: &Strategy, file: Option<&Path>) -> Self {
        if error.is_stop() {
            return Self::Ends(error);
        }
        let lacks_package = match &error {
            StrategyError::NotConfined(_)
            | StrategyError::NoPython(_)
            | StrategyError::Closed { .. } => return Self::Ends(error),
            StrategyError::Python { fault, .. } => fault.lacks_package(),
            _ => false,
        };
        let reason = reason(&error, strategy, file);
        Self::Refused(Unusable { reason, is_unread: false, lacks_package })
    }
}

/// The reading of all submissions.
pub(super) struct FieldReader<'a> {
    pub all: &'a [Submission],
    pub names: &'a [String],
    pub game: &'a Game,
    pub sources: &'a Sources,
    /// The memory for each that is read, in bytes.
    pub each: u64,
    pub invitation: &'a Invitation,
    pub on_read: OnRead<'a>,
    pub on_fate: OnFate<'a>,
    /// How many have been read.
    pub done: AtomicUsize,
    /// The place of the first that ends the work.
    pub ended_at: AtomicUsize,
}

impl FieldReader<'_> {
    /// Reads all submissions, on all cores, until one of them ends the work. With a time limit
    /// there are two rounds. In the first, half the time is shared evenly; files that need more
    /// are read in the second. Strategies given by their names come first, and are never left out
    /// for time: the user's own choice.
    pub fn read_all(&self) -> Result<Vec<Result<ReadEntrant, Unusable>>, StrategyError> {
        let mut results: Vec<RoundResult> = self.all.iter().map(|_| RoundResult::PutOff).collect();
        let rounds = if self.invitation.until.is_some() { 2 } else { 1 };
        for round in 1..=rounds {
            let mut open: Vec<usize> = (0..results.len())
                .filter(|at| matches!(results[*at], RoundResult::PutOff))
                .collect();
            open.sort_by_key(|at| self.all[*at].file.is_some());
            for (at, result) in self.round(&open, round == rounds) {
                results[at] = result;
            }
        }
        let mut read = Vec::with_capacity(results.len());
        for result in results {
            match result {
                RoundResult::Plays(entrant) => read.push(Ok(entrant)),
                RoundResult::Refused(unusable) => read.push(Err(unusable)),
                RoundResult::Ends(error) => return Err(error),
                RoundResult::PutOff => unreachable!("in the last round none is put off"),
                RoundResult::LeftOut => unreachable!("it comes after one that ends the work"),
            }
        }
        Ok(read)
    }

    /// Reads the submissions at these places, some at the same time. In the last round none is put
    /// off.
    fn round(&self, open: &[usize], is_last: bool) -> Vec<(usize, RoundResult)> {
        let began = Instant::now();
        let end = self.invitation.until.map(|until| {
            let left = until.saturating_duration_since(began);
            if is_last { until } else { began + left / 2 }
        });
        // A file runs in two processes. More at the same time than the cores have room for would
        // spend each other's time.
        let threads = rayon::current_num_threads();
        let at_once = if end.is_some() { (threads / 2).max(1) } else { threads };
        let next = AtomicUsize::new(0);
        let found = Mutex::new(Vec::with_capacity(open.len()));
        rayon::scope(|scope| {
            for _ in 0..at_once {
                scope.spawn(|_| {
                    loop {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        let Some(at) = open.get(place) else { break };
                        let share = end.filter(|_| self.all[*at].file.is_some()).map(|end| {
                            let runs = (open.len() - place).div_ceil(at_once);
                            self.end_of_share(end, runs as u32)
                        });
                        let result = self.one(*at, share, is_last);
                        found.lock().unwrap_or_else(PoisonError::into_inner).push((*at, result));
                    }
                });
            }
        });
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// When the time of a file is over that begins now, if so many are still to be read one after
    /// another before the end of a round: they share what the quick ones have left.
    fn end_of_share(&self, end_of_round: Instant, runs: u32) -> Instant {
        let now = Instant::now();
        let even = end_of_round.saturating_duration_since(now) / runs;
        self.invitation.until.unwrap_or(end_of_round).min(now + even.max(LEAST_SHARE))
    }

    /// Reports that a submission is read, and returns false if the caller cancels.
    fn goes_on(&self, at: usize, done: usize) -> bool {
        (self.on_read)(done, self.all.len(), &self.names[at])
    }

    /// Whether the reading of a submission may go on.
    fn has_time(&self, at: usize, share: Option<Instant>) -> bool {
        self.goes_on(at, self.done.load(Ordering::Relaxed)) && !is_over(share)
    }

    /// Reads a submission until its share of the time is over.
    fn one(&self, at: usize, share: Option<Instant>, is_last: bool) -> RoundResult {
        // Those before the one that ends the work are still read: the error is that of the first in
        // order.
        if at > self.ended_at.load(Ordering::Relaxed) {
            return RoundResult::LeftOut;
        }
        // One that is refused already needs no time, and is told its own reason.
        let mut result = if self.all[at].strategy.is_err() || self.has_time(at, share) {
            let watch = &|_: usize, _: usize| self.has_time(at, share);
            self.read(&self.all[at], &Watch::new(watch).memory(self.each))
        } else {
            RoundResult::Ends(SolveError::Cancelled.into())
        };
        if let RoundResult::Ends(error) = &result
            && error.is_stop()
            && is_over(share)
        {
            if !is_last {
                return RoundResult::PutOff;
            }
            let reason = NOT_IN_TIME.to_owned();
            result =
                RoundResult::Refused(Unusable { reason, is_unread: true, lacks_package: false });
        }
        if !matches!(result, RoundResult::Ends(_))
            && !self.goes_on(at, self.done.fetch_add(1, Ordering::Relaxed) + 1)
        {
            result = RoundResult::Ends(SolveError::Cancelled.into());
        }
        match &result {
            RoundResult::Plays(_) => (self.on_fate)(&self.names[at], None),
            RoundResult::Refused(unusable) => {
                (self.on_fate)(&self.names[at], Some(&unusable.reason));
            }
            RoundResult::Ends(_) => {
                self.ended_at.fetch_min(at, Ordering::Relaxed);
            }
            RoundResult::PutOff | RoundResult::LeftOut => {}
        }
        result
    }

    fn read(&self, one: &Submission, watch: &Watch) -> RoundResult {
        let (strategy, path) = match &one.strategy {
            Ok(given) => given,
            Err(reason) => return RoundResult::refused(one_line(reason)),
        };
        let bid = match bid(one, self.game) {
            Ok(bid) => bid,
            Err(reason) => return RoundResult::refused(reason),
        };
        let error = match strategy.plan_from(self.sources, self.game, watch) {
            Ok(plan) => return RoundResult::Plays(ReadEntrant { plan, bid, failing: None }),
            Err(error) => error,
        };
        let path = path.as_deref();
        let is_of_scores =
            matches!(&error, StrategyError::Python { fault, .. } if fault.is_of_scores());
        if let Some(default) = self.invitation.default_roll.filter(|_| is_of_scores)
            && let Strategy::Python(file) = strategy
        {
            let rolled = match file.plan_with_default(default, self.game, self.sources, watch) {
                Ok(rolled) => rolled,
                Err(error) => return RoundResult::failed(error, strategy, path),
            };
            let reason = reason(&error, strategy, path);
            let failing = format!(
                "{reason}; it rolls {default} at the {} of {} pairs of scores where it fails",
                rolled.failures, rolled.asked
            );
            return RoundResult::Plays(ReadEntrant {
                plan: rolled.plan,
                bid,
                failing: Some(failing),
            });
        }
        RoundResult::failed(error, strategy, path)
    }
}

fn is_over(share: Option<Instant>) -> bool {
    share.is_some_and(|share| Instant::now() >= share)
}

/// Returns the bid of a submission, in games with bids; an error says what is wrong with it.
fn bid(one: &Submission, game: &Game) -> Result<Option<i64>, String> {
    let Some(rules) = &game.rules().bid else { return Ok(None) };
    let given = one.outline.number(BID);
    if given.is_none() && one.outline.defines(BID) {
        return Err(format!("its {BID} is not a whole number in plain digits, as in `{BID} = 7`"));
    }
    let bid = given.unwrap_or(0);
    if !(0..=rules.max).contains(&bid) {
        let max = rules.max;
        return Err(format!("its {BID} is {bid}; bids go from 0 to {max}"));
    }
    Ok(Some(bid))
}

/// Describes an error on one line, with only the name of the file, as its author knows it.
fn reason(error: &StrategyError, strategy: &Strategy, file: Option<&Path>) -> String {
    match file {
        Some(file) => one_line(&error.to_author_of(strategy, file)),
        None => error.to_string(),
    }
}

/// Puts a reason on one line, and cuts it to [`limits::REASON_CHARS`].
fn one_line(reason: &str) -> String {
    let line = escape::line(reason);
    if line.chars().count() <= limits::REASON_CHARS {
        return line;
    }
    line.chars().take(limits::REASON_CHARS).chain(['…']).collect()
}
