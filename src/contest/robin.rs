//! The round robin: each pair once, on all cores, finished pairs kept.

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::bid::{self, BidError};
use crate::game::{Game, Position};
use crate::pairs::{Contender, PairRate, PairRoom, Rater};
use crate::rules::Bid;
use crate::solve::{Arithmetic, SolveError, Solver, Watch};

use super::keep::{KeepError, KeptPairs};
use super::loading::Entrant;

/// The rates of all pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Robin {
    /// `rates[a][b]`: the win rates of a against b. A strategy against itself wins half on average.
    pub rates: Vec<Vec<PairRate>>,
    /// No rate is further than this from the exact one.
    pub error_bound: f64,
    /// How many pairs were known already.
    pub kept: usize,
}

/// Why a contest came to no end.
#[derive(Debug, thiserror::Error)]
pub enum RobinError {
    /// A pair could not be rated.
    #[error(transparent)]
    Unsolved(#[from] SolveError),
    /// The file of finished pairs could not be written.
    #[error(transparent)]
    Keep(#[from] KeepError),
    /// Two bids lead to no start.
    #[error(transparent)]
    Bid(#[from] BidError),
}

/// Between two looks at the watch about so much time should pass, and at most so many pairs be rated.
const GLANCE: Duration = Duration::from_millis(100);
const MOST_AT_ONCE: usize = 4096;

/// Plays each entrant against each and itself; in games that have bids for the start, from the start that both bids lead
/// to, so that moving first and second are one. Pairs that `kept` knows are not rated again; new ones are told to it,
/// and `save` is called from time to time, and at the end.
///
/// # Errors
/// If `watch` stops it (what is finished is saved), or `save` fails.
pub fn round_robin(
    game: &Game,
    entrants: &[Entrant],
    kept: &mut KeptPairs,
    watch: &Watch,
    mut save: impl FnMut(&KeptPairs) -> Result<(), KeepError>,
) -> Result<Robin, RobinError> {
    let rater = PairMethod::new(game);
    let contenders: Vec<Contender> = entrants.par_iter().map(|entrant| rater.rater.contender(&entrant.plan)).collect();
    let digests: Vec<u64> = entrants.iter().map(Entrant::digest).collect();
    kept.expect(rater.rater.error_bound());
    let (total, open) = (pairs_of(digests.len()).count(), open_pairs(&digests, kept));
    let known = pairs_of(digests.len()).filter(|(a, b)| kept.get(digests[*a], digests[*b]).is_some()).count();
    let rooms: Mutex<Vec<PairRoom<&Game>>> = Mutex::new(Vec::new());
    let (mut open, mut at_once) = (&open[..], 1);
    while !open.is_empty() {
        if !watch.step(total - open.len(), total) {
            save(kept)?;
            return Err(SolveError::Cancelled.into());
        }
        let (batch, rest) = open.split_at(open.len().min(at_once * rayon::current_num_threads()));
        let began = Instant::now();
        let rated: Result<Vec<PairRate>, RobinError> = batch
            .par_iter()
            .with_min_len(at_once.min(8))
            .map_init(
                || Borrowed { room: rooms.lock().ok().and_then(|mut rooms| rooms.pop()), rooms: &rooms },
                |borrowed, (a, b)| match &rater.bids {
                    Some(bids) => bids.rate(game, [&entrants[*a], &entrants[*b]]),
                    None => {
                        let room = borrowed.room.get_or_insert_with(|| rater.rater.room());
                        Ok(room.rate(&contenders[*a], &contenders[*b])?)
                    }
                },
            )
            .collect();
        for ((a, b), rate) in batch.iter().zip(rated?) {
            kept.add(digests[*a], digests[*b], rate);
        }
        at_once = if began.elapsed() < GLANCE / 2 { (at_once * 2).min(MOST_AT_ONCE) } else { (at_once / 2).max(1) };
        open = rest;
        kept.save_if_due(&mut save)?;
    }
    watch.step(total, total);
    save(kept)?;
    Ok(Robin::of(&digests, kept, known))
}

/// All pairs of so many, each with itself too.
fn pairs_of(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (a..count).map(move |b| (a, b)))
}

/// The pairs to be rated. Those who play what two others play are not: they would come to other last digits, and a run
/// that goes on from kept pairs to others than one that was never stopped.
fn open_pairs(digests: &[u64], kept: &KeptPairs) -> Vec<(usize, usize)> {
    let mut begun: HashSet<(u64, u64)> = HashSet::new();
    let is_open = |(a, b): &(usize, usize)| {
        let (a, b) = (digests[*a], digests[*b]);
        kept.get(a, b).is_none() && begun.insert((a.min(b), a.max(b)))
    };
    pairs_of(digests.len()).filter(is_open).collect()
}

impl Entrant {
    /// A number that tells apart entrants that play or bid differently.
    pub fn digest(&self) -> u64 {
        let bid = self.bid.map_or(0, |bid| (bid as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        self.plan.fingerprint() ^ bid
    }
}

/// How pairs are rated.
struct PairMethod<'g> {
    rater: Rater<&'g Game>,
    bids: Option<Bids<'g>>,
}

/// Pairs of games with bids for the start: all states of a pair are evaluated, for it may start anywhere.
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
    fn rate(&self, game: &Game, entrants: [&Entrant; 2]) -> Result<PairRate, RobinError> {
        let bids = entrants.map(|entrant| entrant.bid.unwrap_or(0));
        let start = bid::start(game.rules(), self.rule, bids)?;
        let rate = match start.decided(game.rules().goal) {
            Some(rate) => rate,
            None => self.rate_from(game, entrants, &start)?,
        };
        Ok(PairRate { first: rate, second: rate })
    }

    fn rate_from(&self, game: &Game, [a, b]: [&Entrant; 2], start: &bid::Start) -> Result<f64, RobinError> {
        let solved = self.solver.evaluate([&a.plan, &b.plan], &Watch::silent())?;
        let [own, other] = start.scores;
        let state = |score: u32, opponent: u32| {
            let position = Position::new(game.rules(), score, opponent).expect("no score is at the goal");
            game.state(&position)
        };
        let moving = solved.own.win_rates[state(own, other)];
        let waiting = 1.0 - solved.other.as_ref().unwrap_or(&solved.own).win_rates[state(other, own)];
        Ok(match start.first {
            Some(true) => moving,
            Some(false) => waiting,
            None => (moving + waiting) / 2.0,
        })
    }
}

/// Room that goes back for the next to use.
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
    /// From the rates of all pairs, of which so many were known before.
    fn of(digests: &[u64], kept: &KeptPairs, known: usize) -> Self {
        let rate = |a: &u64, b: &u64| kept.get(*a, *b).expect("all pairs are rated");
        let row = |(at, own): (usize, &u64)| {
            let other =
                |(place, other): (usize, &u64)| if at <= place { rate(own, other) } else { rate(other, own).swapped() };
            digests.iter().enumerate().map(other).collect()
        };
        let rates = digests.iter().enumerate().map(row).collect();
        Self { rates, error_bound: kept.error_bound(), kept: known }
    }

    /// The average win rate of a against b.
    pub fn average(&self, a: usize, b: usize) -> f64 {
        if a == b { 0.5 } else { self.rates[a][b].average() }
    }
}
