//! Stages solved cell by cell, for numbers that take long by themselves.

use std::cmp::Ordering;

use crate::game::DiceSet;
use crate::solve::layout::Memories;
use crate::solve::numbers::{Decider, Job, Numbers};

use super::integers::compare;
use super::scaled::{Scaled, ScaledWork};

/// Solves the cells of a task; numbers and sets lie as in [`Numbers::solve`].
pub(super) fn solve_cells(
    numbers: &Scaled,
    job: &Job<u64>,
    work: &mut ScaledWork,
    (out, sets): (&mut [u64], &mut [DiceSet]),
) {
    if job.columns().is_empty() {
        return;
    }
    let (space, layout, words) = (job.context.space(), &job.context.layout, numbers.words(job.stage));
    let first = layout.columns_of_task(job.task).start;
    for column in job.columns() {
        let mut known = Vec::new();
        for row in 0..space.shared * space.mine {
            let memories = (row / space.mine, row % space.mine, job.theirs());
            let (best, set) = decide(numbers, job, (column, memories), (work, &mut known));
            let place = row * layout.width() + column - first;
            out[place * words..(place + 1) * words].clone_from_slice(best);
            sets[place] = set;
        }
    }
}

/// Distributions and their means at one cell.
type Known = Vec<(u32, Vec<u64>)>;

/// Takes the best action, or the policy's, in a state.
fn decide<'k>(
    numbers: &Scaled,
    job: &Job<u64>,
    (column, memories): (usize, Memories),
    (work, known): (&mut ScaledWork, &'k mut Known),
) -> (&'k [u64], DiceSet) {
    let offered = job.context.action_set(job.stage, column, memories);
    let actions = match job.side.decider {
        Decider::Best => 0..offered.len(),
        Decider::Fixed(plan) => {
            let action = plan.action(job.context.state(job.stage, column, memories));
            action..action + 1
        }
    };
    let (mut best, mut set) = (None, 0);
    for action in actions {
        let place = known.iter().position(|(distribution, _)| *distribution == offered[action]).unwrap_or_else(|| {
            let distribution = &job.context.kernel.distributions[offered[action] as usize];
            known.push((
                offered[action],
                numbers.mean(job, (column, memories.2), distribution, (work.kept.as_ref(), &mut work.sum)),
            ));
            known.len() - 1
        });
        match best.map_or(Ordering::Greater, |best: usize| compare(&known[place].1, &known[best].1)) {
            Ordering::Greater => (best, set) = (Some(place), 1 << action),
            Ordering::Equal => set |= 1 << action,
            Ordering::Less => {}
        }
    }
    (&known[best.expect("an action, at least")].1, set)
}
