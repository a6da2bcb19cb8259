//! Exact win rates of each strategy of a family; work that all pairs share is done once.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::game::{Game, Plan};
use crate::pairs::{PairRate, Rater};
use crate::solve::SolveError;

/// Returns the win rates of `of` plans against one, in order, and the bound on their error.
///
/// `make` returns the plan of a number below `of`. `on_step` is called with the number of plans
/// rated so far, and returns false to cancel the work. A plan is made by the thread that rates it,
/// so that no more plans than threads are in memory.
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
    let (opponent, done) = (rater.contender(against), AtomicUsize::new(0));
    let rated = (0..of).into_par_iter().map_init(
        || rater.room(),
        |room, number| {
            let plan = make(number)?;
            let rate = room.rate(&rater.contender(&plan), &opponent)?;
            if !on_step(done.fetch_add(1, Ordering::Relaxed) + 1) {
                return Err(SolveError::Cancelled.into());
            }
            Ok(rate)
        },
    );
    Ok((rated.collect::<Result<_, E>>()?, rater.error_bound()))
}
