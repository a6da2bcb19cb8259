//! The round robin: each pair once, on all cores, finished pairs kept.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::game::Game;
use crate::solve::{Contender, PairRate, PairRoom, Rater, SolveError, Watch};

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
}

/// Between two looks at the watch about so much time should pass, and at most so many pairs be rated.
const GLANCE: Duration = Duration::from_millis(100);
const MOST_AT_ONCE: usize = 4096;

/// Plays each entrant against each and itself. Pairs that `kept` knows are not rated again; new ones are told to it,
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
    let rater = Rater::new(game);
    let contenders: Vec<Contender> = entrants.par_iter().map(|entrant| rater.contender(&entrant.plan)).collect();
    let digests: Vec<u64> = entrants.iter().map(|entrant| entrant.plan.fingerprint()).collect();
    let count = entrants.len();
    let blank = PairRate { first: 0.5, second: 0.5 };
    kept.expect(rater.error_bound());
    let mut robin = Robin { rates: vec![vec![blank; count]; count], error_bound: kept.error_bound(), kept: 0 };
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (a, b) in (0..count).flat_map(|a| (a..count).map(move |b| (a, b))) {
        match kept.get(digests[a], digests[b]) {
            Some(rate) => {
                robin.kept += 1;
                robin.set(a, b, rate);
            }
            None => open.push((a, b)),
        }
    }
    let total = count * (count + 1) / 2;
    let rooms: Mutex<Vec<PairRoom<&Game>>> = Mutex::new(Vec::new());
    let (mut open, mut at_once) = (&open[..], 1);
    while !open.is_empty() {
        if !watch.step(total - open.len(), total) {
            save(kept)?;
            return Err(SolveError::Cancelled.into());
        }
        let (batch, rest) = open.split_at(open.len().min(at_once * rayon::current_num_threads()));
        let began = Instant::now();
        let rated: Result<Vec<PairRate>, SolveError> = batch
            .par_iter()
            .with_min_len(at_once.min(8))
            .map_init(
                || Borrowed { room: rooms.lock().ok().and_then(|mut rooms| rooms.pop()), rooms: &rooms },
                |borrowed, (a, b)| {
                    let room = borrowed.room.get_or_insert_with(|| rater.room());
                    room.rate(&contenders[*a], &contenders[*b])
                },
            )
            .collect();
        for ((a, b), rate) in batch.iter().zip(rated?) {
            robin.set(*a, *b, rate);
            kept.add(digests[*a], digests[*b], rate);
        }
        at_once = if began.elapsed() < GLANCE / 2 { (at_once * 2).min(MOST_AT_ONCE) } else { (at_once / 2).max(1) };
        open = rest;
        kept.save_if_due(&mut save)?;
    }
    watch.step(total, total);
    save(kept)?;
    Ok(robin)
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
    fn set(&mut self, a: usize, b: usize, rate: PairRate) {
        self.rates[a][b] = rate;
        if a != b {
            self.rates[b][a] = PairRate { first: 1.0 - rate.second, second: 1.0 - rate.first };
        }
    }

    /// The average win rate of a against b.
    pub fn average(&self, a: usize, b: usize) -> f64 {
        if a == b { 0.5 } else { self.rates[a][b].average() }
    }
}
