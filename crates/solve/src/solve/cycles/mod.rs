//! Cycles within a stage: the states whose turns may leave the sum of the scores unchanged, found
//! and solved.
//!
//! Such states are found column by column ([`read`]); those whose movers cannot gain by such turns
//! are solved already. Columns connected by turns form a group; the states of a group form a graph
//! ([`graph`]), and groups are solved in parallel. In a group the strongly connected components are
//! solved one after another, successors first ([`solving`]): a single state by its best action,
//! components without chance by [`retrograde`] analysis, and those with chance by policy iteration
//! ([`chance`]). Values in doubles carry an error bound, proven by a [`certificate`] where chance
//! decides. Where the proof fails, or the bound exceeds [`MOST_ERROR`], the group is solved with
//! more digits, if need be in fractions, and rounded once. Which actions are best is decided once
//! all values of a component are known: see
//! [`Topology::drop_stalling`](topology::Topology::drop_stalling).

mod certificate;
mod chance;
mod graph;
mod read;
mod retrograde;
mod solving;
mod sweeps;
mod topology;
mod values;

use petgraph::unionfind::UnionFind;
use rayon::prelude::*;

use crate::game::DiceSet;
use crate::linear::{Bits, Wide, exact_double};

use super::numbers::{Job, NextState, Numbers};
use super::{SolveError, components};
pub(super) use graph::{Choice, Choices, Edge, Turns};
use graph::{Graph, Node};
pub(super) use read::OpenStage;
use read::{ColumnStates, CyclicState, Staying, non_increasing};
pub(super) use solving::{SolvedGraph, solve_graph};
pub(super) use values::{Approximate, CycleValues, ExactNumbers, Intervals};

/// Cycles whose solution in doubles has a larger error bound than this are solved again with more
/// digits.
const MOST_ERROR: f64 = 1.0 / (1u64 << 43) as f64;

/// A callback that is called periodically and returns false to cancel.
type GoOn<'g> = &'g dyn Fn() -> bool;

pub(super) struct SolvedState<T> {
    pub side: usize,
    /// The place of its number in the stage.
    pub place: usize,
    pub value: T,
    pub set: DiceSet,
    /// The chosen action.
    pub choice: u8,
}

/// The solution of a group of states.
pub(super) struct SolvedCycles<T> {
    pub states: Vec<SolvedState<T>>,
    pub count: usize,
    /// A bound on the error due to the solution of the cycles alone.
    pub error: f64,
}

/// The groups of a stage, and the number of all its cycles.
type SolvedStage<T> = (Vec<SolvedCycles<T>>, usize);

/// Solves the states of a stage whose movers may gain by staying in it, group by group; all others
/// are already solved.
pub(super) fn solve<N: Numbers>(
    open: &OpenStage<N>,
    go_on: &(dyn Fn() -> bool + Sync),
) -> Result<SolvedStage<N::Number>, SolveError> {
    let columns = open.columns();
    if columns.is_empty() {
        return Ok((Vec::new(), 0));
    }
    let (groups, all) = (groups(&columns), open.job.context.layout.numbers());
    let mut node_of = vec![u32::MAX; all * open.sides.len()];
    for group in &groups {
        (0..)
            .zip(group)
            .for_each(|(number, state)| node_of[open.key(state.side, state.place)] = number);
    }
    let cycles = StageCycles { open, node_of };
    let solve = |group: &Vec<&CyclicState>| cycles.solve(group, go_on);
    let solved: Vec<SolvedCycles<_>> = match groups.len() {
        0 | 1 => groups.iter().map(solve).collect::<Result<_, _>>()?,
        _ => groups.par_iter().map(solve).collect::<Result<_, _>>()?,
    };
    let in_groups = || solved.iter().map(|group| group.count).sum();
    let count = if open.job.context.staying_loses() { count_cycles(&columns) } else { in_groups() };
    Ok((solved, count))
}

/// Counts the cycles (strongly connected components) of all states, also of those that are solved
/// already.
fn count_cycles(columns: &[ColumnStates]) -> usize {
    let all = || columns.iter().flat_map(|read| &read.edges);
    let mut nodes: Vec<usize> = all().map(|[from, _]| *from).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let node = |key: &usize| nodes.binary_search(key).ok().map(|node| node as u32);
    // A state that leads nowhere is on no cycle.
    let mut edges: Vec<(u32, u32)> =
        all().filter_map(|[from, to]| Some((node(from)?, node(to)?))).collect();
    edges.sort_unstable();
    edges.dedup();
    let (count, mut cycles) = (if edges.is_empty() { 0 } else { nodes.len() }, 0);
    let append_targets = |node: usize, targets: &mut Vec<u32>| {
        let first = edges.partition_point(|(from, _)| (*from as usize) < node);
        let of_node = edges[first..].iter().take_while(|(from, _)| *from as usize == node);
        targets.extend(of_node.map(|(_, to)| *to));
    };
    let count_component = |component: &[u32]| {
        let is_loop = edges.binary_search(&(component[0], component[0])).is_ok();
        cycles += usize::from(component.len() > 1 || is_loop);
        Ok::<(), ()>(())
    };
    components::each_component(count, append_targets, count_component).expect("nothing fails");
    cycles
}

/// Groups the states of columns that are connected by turns.
fn groups(columns: &[ColumnStates]) -> Vec<Vec<&CyclicState>> {
    let index = |column: &usize| columns.binary_search_by_key(column, |read| read.column).ok();
    let mut joined = UnionFind::<usize>::new(columns.len());
    for (at, read) in columns.iter().enumerate() {
        read.next.iter().filter_map(index).for_each(|next| _ = joined.union(at, next));
    }
    let mut groups = vec![Vec::new(); columns.len()];
    columns.iter().enumerate().for_each(|(at, read)| groups[joined.find(at)].extend(&read.states));
    groups.retain(|group| !group.is_empty());
    groups
}

/// The context for solving the groups of a stage.
struct StageCycles<'a, N: Numbers> {
    open: &'a OpenStage<'a, N>,
    /// By key: the index in the group; `u32::MAX` for a state that is in none.
    node_of: Vec<u32>,
}

impl<N: Numbers> StageCycles<'_, N> {
    fn solve(
        &self,
        group: &[&CyclicState],
        go_on: GoOn,
    ) -> Result<SolvedCycles<N::Number>, SolveError> {
        let (numbers, job, stage) = (self.open.numbers, &self.open.job, self.open.job.stage);
        let allowance = job.context.allowance;
        let values = numbers.cycle_values(stage, allowance);
        let number = |number: &N::Number| numbers.cycle_value(number);
        let base = |job: &Job<_>, node: usize, action| {
            let work = &self.open.works[group[node].side][job.task];
            let (column, memories) = group[node].at;
            Some(number(&numbers.base(job, work, column, memories, action)))
        };
        let found = self.solve_in(&values, number, base, group, go_on);
        if let Some((graph, solved)) = &found {
            let error =
                solved.values.iter().map(|value| numbers.cycle_error(value)).fold(0.0, f64::max);
            if error <= MOST_ERROR {
                return Ok(solved.states(graph, |value| numbers.cycle_number(value, stage), error));
            }
        }
        // Even inaccurate values show which actions are worse. Without these there may be more cycles.
        let (best, count) = match found {
            Some((_, solved)) => (Some(solved.may_be_best), Some(solved.count)),
            None => (None, None),
        };
        let of_all_actions = |mut states: SolvedCycles<N::Number>| {
            states.count = count.unwrap_or(states.count);
            states
        };
        let fractions = numbers.exact_cycle_values(stage, allowance);
        let floats = fractions.in_floats::<Wide>(Bits(128));
        if let Some((graph, solved)) = self.solve_precisely(&floats, best.as_deref(), group, go_on)
            && solved.values.iter().all(|value| floats.to_double(value).error <= f64::EPSILON / 2.0)
        {
            let number = |value: &Approximate<_>| {
                numbers.nearest(&exact_double(floats.to_double(value).value), stage)
            };
            return Ok(of_all_actions(solved.states(&graph, number, f64::EPSILON)));
        }
        let solved = if go_on() {
            self.solve_precisely(&fractions, best.as_deref(), group, go_on)
        } else {
            None
        };
        let (graph, solved) = solved.ok_or(SolveError::Cancelled)?;
        let number = |value: &_| numbers.nearest(value, stage);
        Ok(of_all_actions(solved.states(&graph, number, f64::EPSILON)))
    }

    /// Solves a group in other numbers, with all actions or only the `best` ones. The values of
    /// leaving are computed again in these numbers, because their rounding errors would count
    /// with every visit.
    fn solve_precisely<C: CycleValues>(
        &self,
        values: &C,
        best: Option<&[DiceSet]>,
        group: &[&CyclicState],
        go_on: GoOn,
    ) -> Option<WithGraph<C::Value>> {
        let (numbers, stage) = (self.open.numbers, self.open.job.stage);
        let number = |number: &N::Number| values.value_of(&numbers.to_rational(number, stage));
        let base = |job: &Job<_>, node: usize, action| {
            let may_be = best.is_none_or(|best| best[node] >> action & 1 == 1);
            may_be.then(|| job.recompute_base(numbers, values, group[node].at, action))
        };
        self.solve_in(values, number, base, group, go_on)
    }

    /// Solves a group. `number` converts numbers; `base` gives a node's action its
    /// [base](Numbers::base), or `None`.
    fn solve_in<C: CycleValues>(
        &self,
        values: &C,
        number: impl Fn(&N::Number) -> C::Value,
        base: impl Fn(&Job<N::Number>, usize, usize) -> Option<C::Value>,
        group: &[&CyclicState],
        go_on: GoOn,
    ) -> Option<WithGraph<C::Value>> {
        let (mut graph, mut exits) =
            (Graph::with_room(group.len()), Vec::with_capacity(DiceSet::BITS as usize));
        let choices = &mut graph.choices;
        for (node, state) in group.iter().enumerate() {
            let (job, first) = (self.open.job_of(state), choices.list.len());
            for (action, distribution) in self.open.turns(state) {
                let (Some(mut value), first_edge) = (base(&job, node, action), choices.edges.len())
                else {
                    continue;
                };
                for Staying { next, again, weight } in non_increasing(&job, state, distribution) {
                    let NextState { side, stage, place, .. } = next;
                    let to = self.node_of[self.open.key(side, place)];
                    if stage == job.stage && to != u32::MAX {
                        choices.edges.push(Edge { node: to, again, weight });
                    } else {
                        let known = number(&job.solved[side][stage][place]);
                        value =
                            values.substitute(value, &known, (again, weight, distribution.total));
                    }
                }
                match first_edge..choices.edges.len() {
                    edges if edges.is_empty() => exits.push((action, value)),
                    edges => choices.list.push(Choice {
                        action,
                        base: value,
                        total: distribution.total,
                        edges,
                    }),
                }
            }
            // Of the actions that leave, only those that may be the best of them are kept.
            if let Some((_, best)) =
                exits.iter().max_by(|(_, one), (_, other)| values.compare(one, other)).cloned()
            {
                exits.retain(|(_, value)| values.ties(&best, value));
            }
            let exits = exits.drain(..).map(|(action, base)| Choice {
                action,
                base,
                total: 1,
                edges: 0..0,
            });
            choices.list.extend(exits);
            let choices = first..choices.list.len();
            graph.nodes.push(Node { side: state.side, place: state.place, choices });
        }
        let solved = solve_graph(values, &graph, self.open.sides.len() > 1, &|_| go_on())?;
        Some((graph, solved))
    }
}

type WithGraph<V> = (Graph<V>, SolvedGraph<V>);
