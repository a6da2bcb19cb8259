//! Reads from the game the states of a stage whose turns may stay in it or lead to lower stages,
//! and these turns.

use rayon::prelude::*;

use crate::game::{Distribution, Outcome, Successor};
use crate::solve::layout::Memories;
use crate::solve::numbers::{Job, NextState, Numbers, Payoff, Side};

/// Stages with fewer states in columns that may have cycles are not split between threads: they are
/// read as one column.
const MIN_SHARED_STATES: usize = 500;

/// A stage solved as if successors within it or below were wins (or losses); its cycles are not
/// solved yet.
pub(in crate::solve) struct OpenStage<'a, N: Numbers> {
    pub numbers: &'a N,
    /// The job of any side and task.
    pub job: Job<'a, N::Number>,
    pub sides: &'a [Side<'a>],
    /// By side and task.
    pub works: &'a [Vec<N::Work>],
}

/// A state whose mover may gain by a turn that does not raise the sum of the scores.
#[derive(Clone, Copy, Debug)]
pub(super) struct CyclicState {
    pub side: usize,
    /// The place of its number in the stage.
    pub place: usize,
    /// Its column and memory classes.
    pub at: (usize, Memories),
}

/// Such states of one column; of all, if the stage is small.
#[derive(Debug)]
pub(super) struct ColumnStates {
    pub column: usize,
    pub states: Vec<CyclicState>,
    /// The columns that turns within the stage lead to, possibly with duplicates.
    pub next: Vec<usize>,
    /// All turns within the stage, also of other states, as keys (see [`OpenStage::key`]); empty
    /// unless they lose.
    pub edges: Vec<[usize; 2]>,
}

impl<'a, N: Numbers> OpenStage<'a, N> {
    /// Reads all columns that may have such states, ascending; as a single one if the stage is
    /// small.
    pub(super) fn columns(&self) -> Vec<ColumnStates> {
        let context = &self.job.context;
        let stage = self.job.stage;
        let may_not_increase = |column: &usize| {
            let set = context.game.action_set_number_at(stage - column, *column);
            context.game.action_sets()[set].may_not_increase
        };
        let columns: Vec<usize> = context.layout.columns(stage).filter(may_not_increase).collect();
        let read = |columns: &[usize]| {
            let room = columns.len() * context.space().per_cell();
            let states = Vec::with_capacity(room);
            let next = Vec::with_capacity(room);
            let mut found =
                ColumnStates { column: columns[0], states, next, edges: Vec::with_capacity(room) };
            columns.iter().for_each(|column| self.read_column(*column, &mut found));
            found.next.dedup();
            found
        };
        if columns.len() * context.space().per_cell() < MIN_SHARED_STATES {
            columns.chunks(columns.len().max(1)).map(read).collect()
        } else {
            columns.par_chunks(1).map(read).collect()
        }
    }

    fn read_column(&self, column: usize, found: &mut ColumnStates) {
        let layout = &self.job.context.layout;
        let of_side = |side: usize| layout.memories().map(move |memories| (side, memories));
        for (side, memories) in (0..self.sides.len()).flat_map(of_side) {
            let state =
                CyclicState { side, place: layout.at(column, memories), at: (column, memories) };
            let job = self.job_of(&state);
            let mut is_open = false;
            let turns = self
                .turns(&state)
                .filter(|(_, distribution)| !distribution.non_increasing.is_empty());
            for Staying { next, again, .. } in
                turns.flat_map(|(_, distribution)| non_increasing(&job, &state, distribution))
            {
                is_open = is_open || self.may_gain(&state, &next, again);
                found.next.extend((next.stage == job.stage).then_some(next.column));
                let edge = || {
                    [(side, state.place), (next.side, next.place)]
                        .map(|(side, place)| self.key(side, place))
                };
                found.edges.extend(job.context.staying_loses().then(edge));
            }
            found.states.extend(is_open.then_some(state));
        }
    }

    /// The index of a state of the stage, given as side and place, among those of all sides.
    pub(super) fn key(&self, side: usize, place: usize) -> usize {
        side * self.job.context.layout.numbers() + place
    }

    /// Whether the mover may gain by a turn that does not raise the sum. Where such turns count as
    /// losses, no state is worth less than it is now, so passing is worth at most the
    /// complement of that. Moving again has no such bound.
    fn may_gain(&self, state: &CyclicState, next: &NextState, again: bool) -> bool {
        let context = &self.job.context;
        if !context.staying_loses() || self.numbers.payoff() == Payoff::Endless || again {
            return true;
        }
        let stage = self.job.stage;
        let own = &self.job.solved[state.side][stage][state.place];
        let next = &self.job.solved[next.side][stage][next.place];
        self.numbers.may_gain(own, next, stage, context.allowance)
    }

    /// The job of a state's side and task.
    pub(super) fn job_of(&self, state: &CyclicState) -> Job<'a, N::Number> {
        let task = state.place / self.job.context.layout.numbers_of_task();
        Job { side: &self.sides[state.side], task, ..self.job }
    }

    /// The actions that a state's mover may choose, with what they roll.
    pub(super) fn turns(
        &self,
        state: &CyclicState,
    ) -> impl Iterator<Item = (usize, &'a Distribution)> + use<'a, N> {
        let context = self.job.context;
        let (column, memories) = state.at;
        let set = context.action_set(self.job.stage, column, memories);
        let number = context.state(self.job.stage, column, memories);
        let actions = self.sides[state.side].decider.actions(number, set.len());
        actions.map(move |action| (action, &context.game.distributions()[set[action] as usize]))
    }
}

/// A state that a turn may lead to without raising the sum of the scores.
pub(super) struct Staying {
    pub next: NextState,
    /// Whether the same player moves again.
    pub again: bool,
}

/// The states that a turn may lead to without raising the sum of the scores.
pub(super) fn non_increasing<'j, T>(
    job: &'j Job<'_, T>,
    state: &CyclicState,
    distribution: &'j Distribution,
) -> impl Iterator<Item = Staying> {
    let (column, memories) = state.at;
    let next = move |outcome: &Outcome| match job.next(column, memories.2, outcome) {
        Successor::Next { to: next, again } if next.stage <= job.stage => {
            Some(Staying { next, again })
        }
        _ => None,
    };
    distribution.non_increasing.iter().filter_map(next)
}
