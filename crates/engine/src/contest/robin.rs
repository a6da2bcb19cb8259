//! The round robin: rates each pair once, on all cores, and keeps finished pairs.

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::bid::{self, BidError};
use crate::game::{Game, Position};
use crate::pairs::{Contender, PairRate, PairRoom, Rater};
use crate::rules::Bid;
use crate::solve::{Arithmetic, SolveError, Solver, Watch};

use super::digest::EntrantDigest;
use super::keep::{KeepError, KeptPairs};
use super::loading::Entrant;

/// The rates of all pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Robin {
    /// `rates[a][b]`: the win rates of a against b, also for a = b.
    pub rates: Vec<Vec<PairRate>>,
    /// The largest absolute error of any rate.
    pub error_bound: f64,
    /// The number of pairs of different entrants that were known before.
    pub kept: usize,
}

/// Why a contest could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum RobinError {
    /// A pair could not be rated.
    #[error(transparent)]
    Unsolved(#[from] SolveError),
    /// The file of finished pairs could not be written.
    #[error(transparent)]
    Keep(#[from] KeepError),
    /// Two bids do not determine a start.
    #[error(transparent)]
    Bid(#[from] BidError),
}

/// The target for the time between two checks of the watch, and the largest number of pairs per
/// thread between them.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);
const MOST_PER_THREAD: usize = 4096;

/// Rates each entrant against every entrant, itself included. In games with bids a pair starts
/// where both bids lead, and its rates for moving first and second are equal. Pairs in `kept` are
/// not rated again; new ones are added to it, and `save` is called periodically and at the end.
///
/// # Errors
/// Returns an error if a pair cannot be rated, if `watch` cancels the work (finished pairs are
/// saved), or if `save` fails.
pub fn round_robin(
    game: &Game,
    entrants: &[Entrant],
    kept: &mut KeptPairs,
    watch: &Watch,
    mut save: impl FnMut(&KeptPairs) -> Result<(), KeepError>,
) -> Result<Robin, RobinError> {
    let rater = PairMethod::new(game);
    let contenders: Vec<Contender> =
        entrants.par_iter().map(|entrant| rater.rater.contender(&entrant.plan)).collect();
    let digests: Vec<EntrantDigest> = entrants.par_iter().map(Entrant::digest).collect();
    let numbers: Vec<u32> = digests.into_iter().map(|digest| kept.number(digest)).collect();
    let (total, open) = (pairs_of(numbers.len()).count(), open_pairs(&numbers, kept));
    let is_known = |(a, b): &(usize, usize)| a != b && kept.get(numbers[*a], numbers[*b]).is_some();
    let known = pairs_of(numbers.len()).filter(is_known).count();
    let rooms: Mutex<Vec<PairRoom<&Game>>> = Mutex::new(Vec::new());
    let (mut open, mut per_thread) = (&open[..], 1);
    while !open.is_empty() {
        // A pair of a large game may take long.
        let rated_before = total - open.len();
        let on_step = |_: usize, _: usize| watch.step(rated_before, total);
        let going_on = watch.of_part(&on_step);
        if !watch.step(total - open.len(), total) {
            save(kept)?;
            return Err(SolveError::Cancelled.into());
        }
        let (batch, rest) =
            open.split_at(open.len().min(per_thread * rayon::current_num_threads()));
        let began = Instant::now();
        let rated: Result<Vec<PairRate>, RobinError> = batch
            .par_iter()
            .with_min_len(per_thread.min(8))
            .map_init(
                || Borrowed {
                    room: rooms.lock().ok().and_then(|mut rooms| rooms.pop()),
                    rooms: &rooms,
                },
                |borrowed, (a, b)| match &rater.bids {
                    Some(bids) => bids.rate(game, [&entrants[*a], &entrants[*b]], &going_on),
                    None => {
                        let room = borrowed.room.get_or_insert_with(|| rater.rater.room());
                        Ok(room.rate_watched(&contenders[*a], &contenders[*b], &going_on)?)
                    }
                },
            )
            .collect();
        for ((a, b), rate) in batch.iter().zip(rated?) {
            kept.add(numbers[*a], numbers[*b], rate);
        }
        // Cycles raise the bound while pairs are rated.
        kept.raise_error_bound(rater.rater.error_bound());
        let is_fast = began.elapsed() < CHECK_INTERVAL / 2;
        per_thread =
            if is_fast { (per_thread * 2).min(MOST_PER_THREAD) } else { (per_thread / 2).max(1) };
        open = rest;
        kept.save_if_due(&mut save)?;
    }
    watch.step(total, total);
    save(kept)?;
    Ok(Robin::of(&numbers, kept, known))
}

/// Returns all pairs (a, b) with a <= b < `count`.
fn pairs_of(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (a..count).map(move |b| (a, b)))
}

/// Returns the pairs to rate: one for each pair of the entrants' numbers, which are equal if they
/// play alike. Rating a pair of equal strategies separately, or with its sides exchanged, could
/// change the last digits of its rates, and the result of a resumed run would differ from that of
/// an uninterrupted one.
fn open_pairs(numbers: &[u32], kept: &KeptPairs) -> Vec<(usize, usize)> {
    let mut seen: HashSet<(u32, u32)> = HashSet::new();
    let is_open = |(a, b): &(usize, usize)| {
        let (a, b) = (numbers[*a], numbers[*b]);
        kept.get(a, b).is_none() && seen.insert((a.min(b), a.max(b)))
    };
    pairs_of(numbers.len()).filter(is_open).collect()
}

/// The method by which pairs are rated.
struct PairMethod<'g> {
    rater: Rater<&'g Game>,
    bids: Option<Bids<'g>>,
}

/// Rates pairs in games with bids: all states are evaluated, since a pair may start anywhere.
struct Bids<'g> {
    rule: &'g Bid,
    solver: Solver<&'g Game>,
}

impl<'g> PairMethod<'g> {
    fn new(game: &'g Game) -> Self {
        let bids = game.rules().bid.as_ref();
        let bids = bids.map(|rule| Bids { rule, solver: Solver::new(game, Arithmetic::Float) });
        Self { rater: Rater::new(game), bids }
    }
}

impl Bids<'_> {
    fn rate(
        &self,
        game: &Game,
        entrants: [&Entrant; 2],
        watch: &Watch,
    ) -> Result<PairRate, RobinError> {
        let bids = entrants.map(|entrant| entrant.bid.unwrap_or(0));
        let start = bid::start(game.rules(), self.rule, bids)?;
        let rate = match start.decided(game.rules().goal) {
            Some(rate) => rate,
            None => self.rate_from(game, entrants, &start, watch)?,
        };
        Ok(PairRate { first: rate, second: rate })
    }

    fn rate_from(
        &self,
        game: &Game,
        [a, b]: [&Entrant; 2],
        start: &bid::Start,
        watch: &Watch,
    ) -> Result<f64, RobinError> {
        let solved = self.solver.evaluate([&a.plan, &b.plan], watch)?;
        let [own, other] = start.scores;
        let state = |score: u32, opponent: u32| {
            let position =
                Position::new(game.rules(), score, opponent).expect("no score is at the goal");
            game.state(&position)
        };
        let moving = solved.own.win_rates[state(own, other)];
        let waiting = 1.0 - solved.values().1.win_rates[state(other, own)];
        Ok(match start.first {
            Some(true) => moving,
            Some(false) => waiting,
            None => (moving + waiting) / 2.0,
        })
    }
}

/// A workspace that returns to the pool when dropped.
struct Borrowed<'a, 'r> {
    room: Option<PairRoom<'r, &'r Game>>,
    rooms: &'a Mutex<Vec<PairRoom<'r, &'r Game>>>,
}

impl Drop for Borrowed<'_, '_> {
    fn drop(&mut self) {
        if let Ok(mut rooms) = self.rooms.lock() {
            rooms.extend(self.room.take());
        }
    }
}

impl Robin {
    /// Collects the rates of all pairs, of which `known` were known before.
    fn of(numbers: &[u32], kept: &KeptPairs, known: usize) -> Self {
        let rate = |a: &u32, b: &u32| kept.get(*a, *b).expect("all pairs are rated");
        let row = |(at, own): (usize, &u32)| {
            let other = |(place, other): (usize, &u32)| {
                if at <= place { rate(own, other) } else { rate(other, own).swapped() }
            };
            numbers.iter().enumerate().map(other).collect()
        };
        let rates = numbers.iter().enumerate().map(row).collect();
        Self { rates, error_bound: kept.error_bound(), kept: known }
    }

    /// Returns the average win rate of a against b; one half if they are the same entrant.
    pub fn average(&self, a: usize, b: usize) -> f64 {
        if a == b { 0.5 } else { self.rates[a][b].average() }
    }
}
