//! Reads from the game the states of a stage whose turns may stay in it or lead to lower stages,
//! and these turns.

use rayon::prelude::*;

use crate::game::{Distribution, StateMemories, Successor};
use crate::solve::stage_solver::{NextState, Payoff, Side, StageSolver, StageTask};

/// Stages with fewer states in columns that may have cycles are not split between threads: they are
/// read as one column.
const MIN_SHARED_STATES: usize = 500;

/// A stage solved as if successors within it or below were wins (or losses); its cycles are not
/// solved yet.
pub(in crate::solve) struct OpenStage<'a, N: StageSolver> {
    pub solver: &'a N,
    /// The stage's task, of any side and index.
    pub task: StageTask<'a, N::Number>,
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
    pub column: usize,
    pub memories: StateMemories,
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

impl<'a, N: StageSolver> OpenStage<'a, N> {
    /// Reads all columns that may have such states, ascending; as a single one if the stage is
    /// small.
    pub(super) fn columns(&self) -> Vec<ColumnStates> {
        let context = &self.task.context;
        let stage = self.task.stage;
        let mut columns: Vec<usize> = context.layout.space.scores_in(stage).collect();
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
        let room = columns.len() * self.task.context.space().per_cell();
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
        let layout = &self.task.context.layout;
        for side in 0..self.sides.len() {
            for memories in layout.memories() {
                let place = layout.at(column, memories);
                self.read_state(CyclicState { side, place, column, memories }, found);
            }
        }
    }

    fn read_state(&self, state: CyclicState, found: &mut ColumnStates) {
        let task = self.task_of(&state);
        let mut is_open = false;
        for (_, distribution) in self.turns(&state) {
            for Staying { next, again, .. } in non_increasing(&task, &state, distribution) {
                is_open = is_open || self.may_gain(&state, &next, again);
                if next.stage == task.stage {
                    found.next.push(next.column);
                }
                if task.context.staying_loses() {
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
        side * self.task.context.layout.numbers() + place
    }

    /// Whether the mover may gain by a turn that does not raise the sum. Where such turns count as
    /// losses, no state is worth less than it is now, so passing is worth at most the
    /// complement of that. Moving again has no such bound.
    fn may_gain(&self, state: &CyclicState, next: &NextState, again: bool) -> bool {
        let context = &self.task.context;
        if !context.staying_loses() || self.solver.payoff() == Payoff::Endless || again {
            return true;
        }
        let stage = self.task.stage;
        let own = &self.task.solved[state.side][stage][state.place];
        let next = &self.task.solved[next.side][stage][next.place];
        self.solver.may_gain(own, next, stage, context.allowance)
    }

    /// The task of a state.
    pub(super) fn task_of(&self, state: &CyclicState) -> StageTask<'a, N::Number> {
        let index = state.place / self.task.context.layout.numbers_of_task();
        StageTask { side: &self.sides[state.side], index, ..self.task }
    }

    /// The actions that a state's mover may choose, with what they roll.
    pub(super) fn turns(
        &self,
        state: &CyclicState,
    ) -> impl Iterator<Item = (usize, &'a Distribution)> + use<'a, N> {
        let context = self.task.context;
        let set = context.action_set(self.task.stage, state.column, state.memories);
        let number = context.state(self.task.stage, state.column, state.memories);
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
    task: &'j StageTask<'_, T>,
    state: &CyclicState,
    distribution: &'j Distribution,
) -> impl Iterator<Item = Staying> {
    let CyclicState { column, memories, .. } = *state;
    distribution.non_increasing.iter().filter_map(move |outcome| {
        match task.next(column, memories.theirs, outcome) {
            Successor::Next { to: next, again } if next.stage <= task.stage => {
                Some(Staying { next, again })
            }
            _ => None,
        }
    })
}
