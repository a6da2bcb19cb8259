//! Exact win rates of each strategy of a family; work that all pairs share is done once.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::game::{Game, Plan};
use crate::pairs::{PairRate, Rated, Rater};
use crate::solve::{SolveError, Watch};

/// Returns the win rates of `of` plans against one, in order, and the bound on their error.
///
/// `make` returns the plan of a number below `of`. `on_step` is called with the number of plans
/// rated so far, and returns false to cancel the work. Plans are made by the thread that rates
/// them, so that no more than a group of pairs for each thread are in memory.
///
/// # Errors
/// Returns an error of `make`, or an error if the work is cancelled.
pub fn rates<E: Send + From<SolveError>>(
    game: &Game,
    against: &Plan,
    of: usize,
    make: impl Fn(usize) -> Result<Plan, E> + Sync,
    on_step: &(impl Fn(usize) -> bool + Sync),
) -> Result<(Vec<PairRate>, f64), E> {
    let rater = Rater::new(game);
    let done = AtomicUsize::new(0);
    let groups: Vec<usize> = (0..of).step_by(rater.side()).collect();
    let rated = groups.into_par_iter().map(|first| {
        let numbers = first..of.min(first + rater.side());
        let count = numbers.len();
        let made = numbers.map(&make).collect::<Result<Vec<Plan>, E>>()?;
        let plans: Vec<&Plan> = made.iter().chain([against]).collect();
        let pairs: Vec<(usize, usize)> = (0..count).map(|number| (number, count)).collect();
        let rated = rater.rate_group(
            &plans,
            &pairs,
            &Watch::new(&|_, _| on_step(done.load(Ordering::Relaxed))),
        )?;
        if !on_step(done.fetch_add(count, Ordering::Relaxed) + count) {
            return Err(SolveError::Cancelled.into());
        }
        Ok(rated)
    });
    let rated: Vec<Rated> = rated.collect::<Result<_, E>>()?;
    let error_bound = rated.iter().map(|group| group.error_bound).fold(0.0, f64::max);
    Ok((rated.into_iter().flat_map(|group| group.rates).collect(), error_bound))
}
