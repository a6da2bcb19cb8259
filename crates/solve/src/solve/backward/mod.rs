//! The backward pass: solves the stages from the highest sum of scores down, the tasks of each
//! stage in parallel.
//!
//! For each stage, [`StageSolver::solve`] computes the values and best actions of all states, as if
//! successors within the stage were wins or losses ([`PassContext::staying_loses`]); then
//! [`cycles`] solves states that may gain by staying. Lists of stages that are no longer read are
//! reused, and results are copied in batches ([`results`]).

mod results;

use rayon::prelude::*;

use crate::game::{DiceSet, Order};

use super::cycles::{self, SolvedCycles};
use super::stage_solver::{PassContext, Side, StageSolver, StageTask};
use super::{Bounds, RunResult, SolveError, Watch};
pub(super) use results::FLUSH_STAGES;
use results::PassResults;

/// A stage is split between threads if its numbers have at least this many words times actions;
/// with less, waking them costs more.
const MIN_SHARED_WORK: usize = 20_000;

/// The numbers and actions of one side, by stage; a stage's lists are empty before it is solved and
/// after their last use.
pub(super) struct Store<T> {
    pub numbers: Vec<Vec<T>>,
    pub sets: Vec<Vec<DiceSet>>,
    pub choices: Vec<Vec<u8>>,
}

impl<T> Store<T> {
    /// Takes the numbers of one stage, and the sets and choices of another, to reuse their memory.
    fn take(&mut self, [numbers, decisions]: [usize; 2]) -> (Vec<T>, Vec<DiceSet>, Vec<u8>) {
        (
            take(&mut self.numbers, numbers),
            take(&mut self.sets, decisions),
            take(&mut self.choices, decisions),
        )
    }
}

fn take<T>(lists: &mut [Vec<T>], stage: usize) -> Vec<T> {
    let mut list = lists.get_mut(stage).map_or(Vec::new(), std::mem::take);
    list.clear();
    list
}

struct BackwardPass<'a, N: StageSolver> {
    context: PassContext<'a>,
    solver: &'a N,
    sides: &'a [Side<'a>],
    stores: Vec<Store<N::Number>>,
    /// By side and task.
    workspaces: Vec<Vec<N::Workspace>>,
    /// The bounds of the states on cycles so far (see [`Bounds::states`]); `None` if some have
    /// none.
    bounds: Option<Vec<(u32, [f64; 2])>>,
    /// Lists this many stages above the current one are no longer read: `[numbers, sets and
    /// choices]`.
    retired: [usize; 2],
}

/// Solves a game whose turns never lower the sum of the scores; of exact numbers, also returns
/// those of the requested states.
pub(super) fn solve<N: StageSolver>(
    context: PassContext,
    solver: &N,
    sides: &[Side],
    requested: &[usize],
    watch: &Watch,
) -> Result<RunResult, SolveError> {
    // While a stage is solved, the successors of the totals of the next one are read, up to
    // `most_increment` above it.
    let retired = [context.game.most_increment().max(FLUSH_STAGES) + 2, FLUSH_STAGES + 1];
    let mut pass = BackwardPass::new(context, solver, sides, retired);
    let mut results = PassResults::new(&pass, requested);
    let cycles = pass.sweep(&|done, all| watch.step(done, all), |pass, stage| {
        results.copy_requested(pass, stage);
        if stage % FLUSH_STAGES == 0 {
            results.flush(pass, stage..stage + FLUSH_STAGES);
        }
    })?;
    let error_bound = solver.error_bound() + pass.context.allowance;
    let bounds = pass.bounds.map(|mut bounds| {
        bounds.sort_unstable_by_key(|(state, _)| *state);
        Bounds::new(bounds.into_iter())
    });
    Ok(RunResult {
        method: N::METHOD,
        values: results.values,
        fractions: N::IS_EXACT.then_some(results.fractions),
        cycles,
        error_bound,
        bounds,
    })
}

fn stage_task<'s, T>(
    context: PassContext<'s>,
    side: &'s Side<'s>,
    stage: usize,
    index: usize,
    stores: &'s [Store<T>],
) -> StageTask<'s, T> {
    let [first, last] = [&stores[0].numbers, &stores[stores.len() - 1].numbers];
    StageTask { context, side, stage, index, solved: [first, last] }
}

/// Whether the work may go on, as a result.
fn check(goes_on: bool) -> Result<(), SolveError> {
    if goes_on { Ok(()) } else { Err(SolveError::Cancelled) }
}

impl<'a, N: StageSolver> BackwardPass<'a, N> {
    fn new(
        context: PassContext<'a>,
        solver: &'a N,
        sides: &'a [Side<'a>],
        retired: [usize; 2],
    ) -> Self {
        let stages = context.layout.stages();
        let mut stores = Vec::with_capacity(sides.len());
        for _ in sides {
            stores.push(Store {
                numbers: vec![Vec::new(); stages],
                sets: vec![Vec::new(); stages],
                choices: vec![Vec::new(); stages],
            });
        }
        let has_bounds = context.game.order() != Order::Acyclic && !N::IS_EXACT;
        Self {
            context,
            solver,
            sides,
            bounds: has_bounds.then(Vec::new),
            stores,
            workspaces: Vec::new(),
            retired,
        }
    }

    /// Solves all stages and calls `each` after each one; returns the number of cycles. `report`
    /// receives the work done and the total, and returns false to stop.
    pub fn sweep(
        &mut self,
        report: &(dyn Fn(usize, usize) -> bool + Sync),
        mut each: impl FnMut(&mut Self, usize),
    ) -> Result<usize, SolveError> {
        let layout = self.context.layout;
        let stages = layout.stages();
        // Progress counts words of numbers, not stages: those in the middle have the most columns,
        // the last ones the longest numbers.
        let mut words = Vec::with_capacity(stages);
        for stage in 0..stages {
            words.push(layout.space.scores_in(stage).len() * self.solver.words(stage));
        }
        let all = words.iter().sum();
        let mut done = 0;
        let mut cycles = 0;
        self.workspaces.clear();
        for side in self.sides {
            let workspaces =
                (0..layout.tasks()).map(|task| self.solver.workspace(&self.context, side, task));
            self.workspaces.push(workspaces.collect());
        }
        for stage in (stages..=self.context.game.facts().highest_stage).rev() {
            check(report(0, all))?;
            self.past_the_goal(stage);
        }
        for stage in (0..stages).rev() {
            check(report(done, all))?;
            done += words[stage];
            cycles += self.solve(stage, &|| report(done, all))?;
            each(self, stage);
        }
        check(report(all, all))?;
        Ok(cycles)
    }

    /// Updates the workspaces for a stage in which all totals are past the goal.
    fn past_the_goal(&mut self, stage: usize) {
        for side in 0..self.sides.len() {
            for (index, workspace) in self.workspaces[side].iter_mut().enumerate() {
                let task = stage_task(self.context, &self.sides[side], stage, index, &self.stores);
                self.solver.solve(&task, workspace, &mut [], &mut []);
            }
        }
    }

    /// Runs tasks of a stage, in parallel if it has enough work to split.
    fn run<T: Send>(
        &self,
        stage: usize,
        tasks: impl Iterator<Item = T>,
        run: impl Fn(T) + Send + Sync,
    ) {
        let space = self.context.space();
        let words = self.context.layout.space.scores_in(stage).len()
            * space.per_cell()
            * self.solver.words(stage);
        if words * space.actions >= MIN_SHARED_WORK && self.context.layout.tasks() > 1 {
            tasks.collect::<Vec<T>>().into_par_iter().for_each(run);
        } else {
            tasks.for_each(run);
        }
    }

    /// Solves a stage; returns the number of its cycles.
    fn solve(
        &mut self,
        stage: usize,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<usize, SolveError> {
        (0..self.sides.len()).for_each(|index| self.solve_side(index, stage));
        match self.context.game.order() {
            Order::Acyclic => Ok(0),
            _ => self.solve_cycles(stage, go_on),
        }
    }

    fn solve_side(&mut self, index: usize, stage: usize) {
        let context = self.context;
        let layout = self.context.layout;
        let all = layout.numbers();
        let of_task = layout.numbers_of_task();
        let (mut numbers, mut sets, mut choices) =
            self.stores[index].take(self.retired.map(|above| stage.saturating_add(above)));
        numbers.resize(all, N::Number::default());
        sets.resize(all, 0);
        let side = &self.sides[index];
        let stores = &self.stores;
        let solver = self.solver;
        let mut workspaces = std::mem::take(&mut self.workspaces[index]);
        let out = numbers.chunks_mut(of_task).zip(sets.chunks_mut(of_task));
        let tasks = workspaces.iter_mut().zip(out).enumerate();
        self.run(stage, tasks, |(index, (workspace, (numbers, sets)))| {
            let task = stage_task(context, side, stage, index, stores);
            solver.solve(&task, workspace, numbers, sets);
        });
        let of_workspaces =
            workspaces.iter().filter_map(|workspace| self.solver.choices(workspace));
        of_workspaces.for_each(|of_work| choices.extend_from_slice(of_work));
        if choices.is_empty() {
            choices.extend(sets.iter().map(|set| set.trailing_zeros() as u8));
        }
        self.workspaces[index] = workspaces;
        let store = &mut self.stores[index];
        store.numbers[stage] = numbers;
        store.sets[stage] = sets;
        store.choices[stage] = choices;
    }

    fn solve_cycles(
        &mut self,
        stage: usize,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<usize, SolveError> {
        let task = stage_task(self.context, &self.sides[0], stage, 0, &self.stores);
        let solver = self.solver;
        let sides = self.sides;
        let workspaces = &self.workspaces[..];
        let solved = cycles::solve(&cycles::OpenStage { solver, task, sides, workspaces }, go_on)?;
        let error = solved.groups.iter().map(|group| group.error).fold(0.0, f64::max);
        let of_side = self.context.space().states();
        for SolvedCycles { states, bounds, .. } in solved.groups {
            match (&mut self.bounds, bounds) {
                (Some(all), Some(bounds)) => {
                    all.extend(bounds.into_iter().map(|(place, bounds)| {
                        let state = &states[place as usize];
                        ((state.side * of_side + state.state) as u32, bounds)
                    }))
                }
                // Those of some loops alone prove nothing.
                _ => self.bounds = None,
            }
            for state in states {
                let store = &mut self.stores[state.side];
                store.numbers[stage][state.place] = state.value;
                store.sets[stage][state.place] = state.set;
                store.choices[stage][state.place] = state.choice;
            }
        }
        self.context.allowance += error;
        Ok(solved.count)
    }
}
