//! The round robin: rates each pair once, on all cores, and keeps finished pairs.

use std::collections::HashSet;

use rayon::prelude::*;

use crate::bid::{self, BidError};
use crate::game::{Game, Plan, Position};
use crate::pairs::{PairRate, Rated, Rater};
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
    let rater = Rater::new(game);
    let bids = Bids::new(game);
    let plans: Vec<&Plan> = entrants.iter().map(|entrant| &entrant.plan).collect();
    let digests: Vec<EntrantDigest> = entrants.par_iter().map(Entrant::digest).collect();
    let numbers: Vec<u32> = digests.into_iter().map(|digest| kept.number(digest)).collect();
    let total = pairs_of(numbers.len()).count();
    let open = open_pairs(&numbers, kept);
    let is_known = |(a, b): &(usize, usize)| a != b && kept.get(numbers[*a], numbers[*b]).is_some();
    let known = pairs_of(numbers.len()).filter(is_known).count();
    let groups: Vec<Vec<(usize, usize)>> = rater
        .groups(&open)
        .into_iter()
        .map(|group| group.into_iter().map(|index| open[index]).collect())
        .collect();
    let mut done = total - open.len();
    for batch in groups.chunks(GROUPS_PER_THREAD * rayon::current_num_threads()) {
        // A pair of a large game may take long.
        let on_step = |_: usize, _: usize| watch.step(done, total);
        let going_on = watch.of_part(&on_step);
        let rate = |pairs: &Vec<(usize, usize)>| match &bids {
            Some(bids) => bids.rate(game, entrants, pairs, &going_on),
            None => Ok(rater.rate_group(&plans, pairs, &going_on)?),
        };
        let rated: Vec<Result<Rated, RobinError>> = batch.par_iter().map(rate).collect();
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
    let is_open = |(a, b): &(usize, usize)| {
        let a = numbers[*a];
        let b = numbers[*b];
        kept.get(a, b).is_none() && seen.insert((a.min(b), a.max(b)))
    };
    pairs_of(numbers.len()).filter(is_open).collect()
}

/// Rates pairs in games with bids: all states are evaluated, since a pair may start anywhere.
struct Bids<'g> {
    rule: &'g Bid,
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
                Some(rate) => (rate, 0.0),
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
        let state = |score: u32, opponent: u32| {
            let position =
                Position::new(game.rules(), score, opponent).expect("no score is at the goal");
            game.state(&position)
        };
        let moving = solved.own.win_rates[state(own, other)];
        let waiting = 1.0 - solved.values().1.win_rates[state(other, own)];
        let rate = match start.first {
            Some(true) => moving,
            Some(false) => waiting,
            None => (moving + waiting) / 2.0,
        };
        Ok((rate, solved.error_bound))
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
