//! The round robin: rates each pair once, on all cores, and keeps finished pairs.

use std::cmp::Ordering;
use std::collections::HashSet;

use rayon::prelude::*;

use crate::bid::{self, BidError};
use crate::game::{Game, Plan, Position};
use crate::pairs::{PairRate, Rated, Rater};
use crate::rules::BidRules;
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
    BidRules(#[from] BidError),
}

/// How many groups of pairs each thread rates between two saves: more than one, because groups take
/// different times.
const GROUPS_PER_THREAD: usize = 4;

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
    let digests: Vec<EntrantDigest> = entrants.par_iter().map(Entrant::digest).collect();
    let numbers: Vec<u32> = digests.into_iter().map(|digest| kept.number(digest)).collect();
    let total = pairs_of(numbers.len()).count();
    let open = open_pairs(&numbers, kept);
    let known = pairs_of(numbers.len())
        .filter(|(a, b)| a != b && kept.get(numbers[*a], numbers[*b]).is_some())
        .count();
    let rating = PairRating::new(game, entrants);
    let groups = rating.groups(&open);
    let mut done = total - open.len();
    for batch in groups.chunks(GROUPS_PER_THREAD * rayon::current_num_threads()) {
        // A pair of a large game may take long.
        let rated = rating.rate_all(batch, &watch.of_part(&|_, _| watch.step(done, total)));
        let mut failed = None;
        for (pairs, rated) in batch.iter().zip(rated) {
            match rated {
                Ok(Rated { rates, error_bound }) => {
                    kept.raise_error_bound(error_bound);
                    for ((a, b), rate) in pairs.iter().zip(rates) {
                        kept.add(numbers[*a], numbers[*b], rate);
                    }
                }
                Err(error) => failed = Some(error),
            }
            done += pairs.len();
        }
        if let Some(error) = failed {
            save(kept)?;
            return Err(error);
        }
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
    let mut open = Vec::new();
    for (a, b) in pairs_of(numbers.len()) {
        let low = numbers[a].min(numbers[b]);
        let high = numbers[a].max(numbers[b]);
        if kept.get(low, high).is_none() && seen.insert((low, high)) {
            open.push((a, b));
        }
    }
    open
}

/// Rates pairs of entrants, which are given by their places.
struct PairRating<'g> {
    game: &'g Game,
    entrants: &'g [Entrant],
    plans: Vec<&'g Plan>,
    rater: Rater<&'g Game>,
    bids: Option<Bids<'g>>,
}

impl<'g> PairRating<'g> {
    fn new(game: &'g Game, entrants: &'g [Entrant]) -> Self {
        let plans = entrants.iter().map(|entrant| &entrant.plan).collect();
        Self { game, entrants, plans, rater: Rater::new(game), bids: Bids::new(game) }
    }

    /// Returns the groups in which pairs are rated.
    fn groups(&self, pairs: &[(usize, usize)]) -> Vec<Vec<(usize, usize)>> {
        let groups = self.rater.groups(pairs).into_iter();
        groups.map(|group| group.into_iter().map(|at| pairs[at]).collect()).collect()
    }

    /// Rates groups of pairs, on all cores.
    fn rate_all(
        &self,
        groups: &[Vec<(usize, usize)>],
        watch: &Watch,
    ) -> Vec<Result<Rated, RobinError>> {
        let rated = groups.par_iter().map(|pairs| match &self.bids {
            Some(bids) => bids.rate(self.game, self.entrants, pairs, watch),
            None => Ok(self.rater.rate_group(&self.plans, pairs, watch)?),
        });
        rated.collect()
    }
}

/// Rates pairs in games with bids: all states are evaluated, since a pair may start anywhere.
struct Bids<'g> {
    rule: &'g BidRules,
    solver: Solver<&'g Game>,
}

impl<'g> Bids<'g> {
    fn new(game: &'g Game) -> Option<Self> {
        let rule = game.rules().bid.as_ref()?;
        Some(Self { rule, solver: Solver::new(game, Arithmetic::Float) })
    }

    fn rate(
        &self,
        game: &Game,
        entrants: &[Entrant],
        pairs: &[(usize, usize)],
        watch: &Watch,
    ) -> Result<Rated, RobinError> {
        let mut rated = Rated::default();
        for (a, b) in pairs {
            let entrants = [&entrants[*a], &entrants[*b]];
            let bids = entrants.map(|entrant| entrant.bid.unwrap_or(0));
            let start = bid::start(game.rules(), self.rule, bids)?;
            let (rate, error_bound) = match start.decided(game.rules().goal) {
                Some(Ordering::Greater) => (1.0, 0.0),
                Some(Ordering::Equal) => (0.5, 0.0),
                Some(Ordering::Less) => (0.0, 0.0),
                None => self.rate_from(game, entrants, &start, watch)?,
            };
            rated.rates.push(PairRate { first: rate, second: rate });
            rated.error_bound = rated.error_bound.max(error_bound);
        }
        Ok(rated)
    }

    fn rate_from(
        &self,
        game: &Game,
        [a, b]: [&Entrant; 2],
        start: &bid::Start,
        watch: &Watch,
    ) -> Result<(f64, f64), RobinError> {
        let solved = self.solver.evaluate([&a.plan, &b.plan], watch)?;
        let [own, other] = start.scores;
        let moving = solved.own.win_rates[state_at(game, own, other)];
        let waiting = 1.0 - solved.values().1.win_rates[state_at(game, other, own)];
        let rate = match start.first {
            Some(true) => moving,
            Some(false) => waiting,
            None => (moving + waiting) / 2.0,
        };
        Ok((rate, solved.error_bound))
    }
}

fn state_at(game: &Game, score: u32, opponent: u32) -> usize {
    let position = Position::new(game.rules(), score, opponent).expect("no score is at the goal");
    game.state(&position)
}

impl Robin {
    /// Collects the rates of all pairs, of which `known` were known before.
    fn of(numbers: &[u32], kept: &KeptPairs, known: usize) -> Self {
        let mut rates = Vec::with_capacity(numbers.len());
        for a in 0..numbers.len() {
            let mut row = Vec::with_capacity(numbers.len());
            for b in 0..numbers.len() {
                let rate = kept.get(numbers[a.min(b)], numbers[a.max(b)]);
                let rate = rate.expect("all pairs are rated");
                row.push(if a <= b { rate } else { rate.swapped() });
            }
            rates.push(row);
        }
        Self { rates, error_bound: kept.error_bound(), kept: known }
    }

    /// Returns the average win rate of a against b; one half if they are the same entrant.
    pub fn average(&self, a: usize, b: usize) -> f64 {
        if a == b { 0.5 } else { self.rates[a][b].average() }
    }
}
