//! Cycles within a stage: the states whose turns may leave the sum of the scores unchanged, found
//! and solved.
//!
//! Such states are found column by column ([`read`]); those whose movers cannot gain by such turns
//! are solved already. Columns connected by turns form a group, whose states are solved as one
//! graph ([`graph`](super::graph)), the groups in parallel. Values in doubles carry a proven bound
//! on the error that cycles add; where it is too large, the group is solved with more digits.

mod read;

use petgraph::unionfind::UnionFind;
use rayon::prelude::*;

use crate::game::{DiceSet, Successor};
use crate::limits;
use crate::linear::{Number, each_component};

use super::SolveError;
use super::graph::{self, ComponentBuilder, Digits, GraphProblem, StateGraph, TurnGraph};
use super::stage_solver::{NextState, StageSolver};
pub(super) use read::OpenStage;
use read::{ColumnStates, CyclicState, non_increasing};

pub(super) struct SolvedState<T> {
    pub side: usize,
    /// The place of its number in the stage.
    pub place: usize,
    /// Its index among all states of its side.
    pub state: usize,
    pub value: T,
    pub set: DiceSet,
    /// The chosen action.
    pub choice: u8,
}

/// The solution of a group of states.
pub(super) struct SolvedCycles<T> {
    pub states: Vec<SolvedState<T>>,
    pub count: usize,
    /// By place in `states`, for those on cycles: how far the true value may be below and above, if
    /// the values that leave the stage are exact. `None` if there are no such bounds.
    pub bounds: Option<Vec<(u32, [f64; 2])>>,
    /// A bound on the error due to the solution of the cycles alone.
    pub error: f64,
}

/// The solution of the cycles of a stage.
pub(super) struct SolvedStage<T> {
    pub groups: Vec<SolvedCycles<T>>,
    /// The number of all cycles of the stage.
    pub count: usize,
}

/// Solves the states of a stage whose movers may gain by staying in it, group by group; all others
/// are already solved.
pub(super) fn solve<N: StageSolver>(
    open: &OpenStage<N>,
    go_on: &(dyn Fn() -> bool + Sync),
) -> Result<SolvedStage<N::Number>, SolveError> {
    let columns = open.columns();
    if columns.is_empty() {
        return Ok(SolvedStage { groups: Vec::new(), count: 0 });
    }
    let groups = groups(&columns);
    let mut node_of = vec![u32::MAX; open.task.context.layout.numbers() * open.sides.len()];
    for group in &groups {
        for (number, state) in (0..).zip(group) {
            node_of[open.key(state.side, state.place)] = number;
        }
    }
    let groups: Vec<CycleGroup<N>> =
        groups.iter().map(|states| CycleGroup { open, node_of: &node_of, states }).collect();
    let solved = groups.par_iter().map(|group| group.solve(go_on));
    let solved: Vec<SolvedCycles<_>> = solved.collect::<Result<_, _>>()?;
    let in_groups = solved.iter().map(|group| group.count).sum();
    let count = if open.task.context.staying_loses() { count_cycles(&columns) } else { in_groups };
    Ok(SolvedStage { groups: solved, count })
}

/// Counts the cycles (strongly connected components) of all states, also of those that are solved
/// already.
fn count_cycles(columns: &[ColumnStates]) -> usize {
    let mut nodes: Vec<usize> = Vec::new();
    for column in columns {
        nodes.extend(column.edges.iter().map(|[from, _]| *from));
    }
    nodes.sort_unstable();
    nodes.dedup();
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for [from, to] in columns.iter().flat_map(|column| &column.edges) {
        let from = nodes.binary_search(from).expect("a node");
        // A state that leads nowhere is on no cycle.
        if let Ok(to) = nodes.binary_search(to) {
            edges.push((from as u32, to as u32));
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let count = if edges.is_empty() { 0 } else { nodes.len() };
    let mut cycles = 0;
    let searched = each_component(
        count,
        &|node, targets| {
            let first = edges.partition_point(|(from, _)| (*from as usize) < node);
            let of_node = edges[first..].iter().take_while(|(from, _)| *from as usize == node);
            targets.extend(of_node.map(|(_, to)| *to));
        },
        &mut |component| {
            let is_loop = edges.binary_search(&(component[0], component[0])).is_ok();
            cycles += usize::from(component.len() > 1 || is_loop);
            Ok::<(), ()>(())
        },
    );
    searched.expect("nothing fails");
    cycles
}

/// Groups the states of columns that are connected by turns.
fn groups(columns: &[ColumnStates]) -> Vec<Vec<&CyclicState>> {
    let mut joined = UnionFind::<usize>::new(columns.len());
    for (at, read) in columns.iter().enumerate() {
        for column in &read.next {
            if let Ok(next) = columns.binary_search_by_key(column, |read| read.column) {
                joined.union(at, next);
            }
        }
    }
    let mut groups = vec![Vec::new(); columns.len()];
    for (at, read) in columns.iter().enumerate() {
        groups[joined.find(at)].extend(&read.states);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// A group of states that are solved together.
struct CycleGroup<'a, N: StageSolver> {
    open: &'a OpenStage<'a, N>,
    /// By key: the index in its group; `u32::MAX` for a state that is in none.
    node_of: &'a [u32],
    states: &'a [&'a CyclicState],
}

impl<N: StageSolver> CycleGroup<'_, N> {
    /// The index of a state in the group; `None` for a state that is in no group.
    fn node(&self, next: &NextState) -> Option<usize> {
        if next.stage != self.open.task.stage {
            return None;
        }
        let node = self.node_of[self.open.key(next.side, next.place)];
        (node != u32::MAX).then_some(node as usize)
    }

    fn solve(&self, go_on: &dyn Fn() -> bool) -> Result<SolvedCycles<N::Number>, SolveError> {
        let task = &self.open.task;
        let solver = self.open.solver;
        let tolerance = solver.tolerance(task.stage, task.context.allowance);
        let problem = GraphProblem::new(solver.payoff(), tolerance);
        let digits: &[Digits] = match N::IS_EXACT {
            true => &[Digits::Fractions],
            false => &[Digits::Doubles, Digits::Twofold, Digits::Fractions],
        };
        let solved = graph::solve(
            self,
            digits,
            problem,
            |found| found.error <= limits::LOOP_ERROR,
            &|_| go_on(),
        )?;
        let mut states = Vec::with_capacity(self.states.len());
        for (node, state) in self.states.iter().enumerate() {
            states.push(SolvedState {
                side: state.side,
                place: state.place,
                state: task.context.state(task.stage, state.column, state.memories),
                value: solver.of_cycle(&solved, node, task.stage),
                set: solved.best[node],
                choice: solved.choices[node],
            });
        }
        let error = if N::IS_EXACT { 0.0 } else { solved.error };
        Ok(SolvedCycles { states, count: solved.cycles, bounds: solved.bounds_on_cycles(), error })
    }
}

impl<N: StageSolver> StateGraph for CycleGroup<'_, N> {
    fn count(&self) -> usize {
        self.states.len()
    }

    fn append_targets(&self, node: usize, targets: &mut Vec<u32>) {
        let state = self.states[node];
        let task = self.open.task_of(state);
        for (_, distribution) in self.open.turns(state) {
            for staying in non_increasing(&task, state, distribution) {
                targets.extend(self.node(&staying.next).map(|to| to as u32));
            }
        }
    }
}

impl<N: StageSolver, C: Number> TurnGraph<C> for CycleGroup<'_, N> {
    fn read(&self, node: usize, keep: DiceSet, builder: &mut ComponentBuilder<C>) {
        let state = self.states[node];
        let task = self.open.task_of(state);
        let solver = self.open.solver;
        // What turns that leave the stage are worth is known, but only as exactly as all values of
        // the stage: with more digits, bounds would not hold for what their outcomes lead to.
        let are_known = N::IS_EXACT || C::IS_DOUBLE;
        for (action, distribution) in self.open.turns(state) {
            if keep >> action & 1 == 0 {
                continue;
            }
            if are_known && non_increasing(&task, state, distribution).next().is_none() {
                let workspace = &self.open.workspaces[state.side][task.index];
                let value =
                    solver.action_value(&task, workspace, state.column, state.memories, action);
                builder.begin(action, 1);
                let value = solver.convert(&value, task.stage);
                builder.leave(&value, 0.0, 1, true);
                builder.finish();
                continue;
            }
            builder.begin(action, distribution.total);
            for outcome in &distribution.outcomes {
                match task.next(state.column, state.memories.theirs, outcome) {
                    Successor::End(end) => builder.end(outcome.weight, end.halves_to_opponent()),
                    Successor::Next { to, again } => {
                        if let Some(node) = self.node(&to) {
                            builder.lead(node, outcome.weight, again);
                            continue;
                        }
                        let known = &task.solved[to.side][to.stage][to.place];
                        let value = solver.convert(known, to.stage);
                        builder.leave(&value, 0.0, outcome.weight, again);
                    }
                }
            }
            builder.finish();
        }
    }
}
