//! How good each strategy of a family is: every pair rated exactly, what all share done once.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::game::{Game, Plan};
use crate::pairs::{PairRate, Rater};
use crate::solve::SolveError;

/// Win rates of many plans against one, in order, and the bound on their error.
///
/// `make` tells the plan of a number below `of`; `on_step` is told how many are rated, and stops the work by false. Plans
/// are made where they are rated, so no more of them are held at once than there are threads.
///
/// # Errors
/// The first that `make` has, or if the work is stopped.
pub fn rates<E: Send + From<SolveError>>(
    game: &Game,
    (against, of): (&Plan, usize),
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
