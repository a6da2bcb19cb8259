//! Reads from the game the states of a stage whose turns may stay in it or lead to lower stages,
//! and these turns.

use rayon::prelude::*;

use crate::game::{Distribution, Successor};
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
    pub workspaces: &'a [Vec<N::Workspace>],
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
        let mut columns: Vec<usize> = context.layout.columns(stage).collect();
        columns.retain(|column| {
            let set = context.game.action_set_number_at(stage - column, *column);
            context.game.action_sets()[set].may_not_increase
        });
        if columns.len() * context.space().per_cell() < MIN_SHARED_STATES {
            columns.chunks(columns.len().max(1)).map(|columns| self.read(columns)).collect()
        } else {
            columns.par_chunks(1).map(|columns| self.read(columns)).collect()
        }
    }

    fn read(&self, columns: &[usize]) -> ColumnStates {
        let room = columns.len() * self.job.context.space().per_cell();
        let mut found = ColumnStates {
            column: columns[0],
            states: Vec::with_capacity(room),
            next: Vec::with_capacity(room),
            edges: Vec::with_capacity(room),
        };
        for column in columns {
            self.read_column(*column, &mut found);
        }
        found.next.dedup();
        found
    }

    fn read_column(&self, column: usize, found: &mut ColumnStates) {
        let layout = &self.job.context.layout;
        for side in 0..self.sides.len() {
            for memories in layout.memories() {
                let place = layout.at(column, memories);
                self.read_state(CyclicState { side, place, at: (column, memories) }, found);
            }
        }
    }

    fn read_state(&self, state: CyclicState, found: &mut ColumnStates) {
        let job = self.job_of(&state);
        let mut is_open = false;
        for (_, distribution) in self.turns(&state) {
            for Staying { next, again, .. } in non_increasing(&job, &state, distribution) {
                is_open = is_open || self.may_gain(&state, &next, again);
                if next.stage == job.stage {
                    found.next.push(next.column);
                }
                if job.context.staying_loses() {
                    let from = self.key(state.side, state.place);
                    found.edges.push([from, self.key(next.side, next.place)]);
                }
            }
        }
        if is_open {
            found.states.push(state);
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
    distribution.non_increasing.iter().filter_map(move |outcome| {
        match job.next(column, memories.2, outcome) {
            Successor::Next { to: next, again } if next.stage <= job.stage => {
                Some(Staying { next, again })
            }
            _ => None,
        }
    })
}
