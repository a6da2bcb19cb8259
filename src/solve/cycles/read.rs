//! Reads from the kernel the states of a stage whose turns may stay in it or lead to lower stages, and these turns.

use rayon::prelude::*;

use crate::dice::Weight;
use crate::kernel::{Distribution, Outcome};
use crate::solve::layout::Memories;
use crate::solve::numbers::{Decider, Job, Next, Numbers, Side};

use super::MIN_SHARED_STATES;

/// A stage whose states are solved, as if successors within the stage or below were wins.
pub(in crate::solve) struct SolvedStage<'a, N: Numbers> {
    pub numbers: &'a N,
    /// The job of any side and task.
    pub job: Job<'a, N::Number>,
    pub sides: &'a [Side<'a>],
    /// By side and task.
    pub works: &'a [Vec<N::Work>],
}

/// A state of a stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub side: usize,
    /// The place of its number in the stage.
    pub place: usize,
    /// Its column and memory classes.
    pub at: (usize, Memories),
}

/// The states of one column (of all, if the stage is small) with turns that may not raise the sum of the scores.
#[derive(Debug)]
pub(super) struct Column {
    pub column: usize,
    pub states: Vec<State>,
    /// The columns that turns within the stage lead to, possibly with duplicates.
    pub next: Vec<usize>,
}

/// An outcome that does not raise the sum of the scores.
#[derive(Clone, Copy, Debug)]
pub(super) struct NonIncreasing {
    /// The successor's stage, column, side and place.
    pub stage: usize,
    pub column: usize,
    pub side: usize,
    pub place: usize,
    /// Whether the same player moves again.
    pub again: bool,
    pub weight: Weight,
}

impl<'a, N: Numbers> SolvedStage<'a, N> {
    /// Reads all columns with such states, ascending; as a single one if the stage is small.
    pub(super) fn columns(&self) -> Vec<Column> {
        let (context, stage) = (&self.job.context, self.job.stage);
        let may_not_increase = |column: &usize| {
            context.kernel.may_not_increase(context.game.action_set_number_at(stage - column, *column))
        };
        let columns: Vec<usize> = context.layout.columns(stage).filter(may_not_increase).collect();
        let read = |columns: &[usize]| {
            let mut found = Column { column: columns[0], states: Vec::new(), next: Vec::new() };
            columns.iter().for_each(|column| self.read_column(*column, &mut found));
            found.next.dedup();
            found
        };
        let found: Vec<Column> = if columns.len() * context.space().per_cell() < MIN_SHARED_STATES {
            columns.chunks(columns.len().max(1)).map(read).collect()
        } else {
            columns.par_chunks(1).map(read).collect()
        };
        found.into_iter().filter(|column| !column.states.is_empty()).collect()
    }

    fn read_column(&self, column: usize, found: &mut Column) {
        let layout = &self.job.context.layout;
        let of_side = |side: usize| layout.memories().map(move |memories| (side, memories));
        for (side, memories) in (0..self.sides.len()).flat_map(of_side) {
            let state = State { side, place: layout.at(column, memories), at: (column, memories) };
            let (job, mut is_found) = (self.job_of(&state), false);
            for outcome in self.turns(&state).flat_map(|(_, distribution)| non_increasing(&job, &state, distribution)) {
                is_found = true;
                found.next.extend((outcome.stage == job.stage).then_some(outcome.column));
            }
            found.states.extend(is_found.then_some(state));
        }
    }

    /// The job of a state's side and task.
    pub(super) fn job_of(&self, state: &State) -> Job<'a, N::Number> {
        let task = state.place / self.job.context.layout.numbers_of_task();
        Job { side: &self.sides[state.side], task, ..self.job }
    }

    /// The actions that a state's mover may choose, with what they roll.
    pub(super) fn turns(&self, state: &State) -> impl Iterator<Item = (usize, &'a Distribution)> + use<'a, N> {
        let (context, (column, memories)) = (self.job.context, state.at);
        let set = context.action_set(self.job.stage, column, memories);
        let actions = match self.sides[state.side].decider {
            Decider::Best => 0..set.len(),
            Decider::Fixed(plan) => {
                let action = plan.action(context.state(self.job.stage, column, memories));
                action..action + 1
            }
        };
        actions.map(move |action| (action, &context.kernel.distributions[set[action] as usize]))
    }
}

/// The outcomes of a turn that do not raise the sum of the scores.
pub(super) fn non_increasing<'j, T>(
    job: &'j Job<'_, T>,
    state: &State,
    distribution: &'j Distribution,
) -> impl Iterator<Item = NonIncreasing> {
    let (column, memories) = state.at;
    let found = move |outcome: &Outcome| match job.next((column, memories.2), outcome) {
        Next::State { side, stage, column, place, again } if stage <= job.stage => {
            Some(NonIncreasing { stage, column, side, place, again, weight: outcome.weight })
        }
        _ => None,
    };
    distribution.non_increasing.iter().filter_map(found)
}
