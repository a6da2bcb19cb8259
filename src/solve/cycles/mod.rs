//! Cycles within a stage: the states whose turns may leave the sum of the scores unchanged, found and solved.
//!
//! Within a stage, such states form a graph ([`graph`]), which is read column by column ([`read`]). Columns connected
//! by turns form a group; groups are solved in parallel. In a group the strongly connected components are solved one
//! after another, successors first ([`solving`]): a single state by its best action, components without chance by
//! [`retrograde`] analysis, those with chance by policy iteration ([`chance`]). Values in doubles carry an error bound,
//! proven by a [`certificate`] where chance decides. Where the proof fails, or the bound exceeds [`MOST_ERROR`], the
//! group is solved with more digits, if need be in fractions, and rounded once. Which actions are best is decided once
//! all values of a component are known: see
//! [`Topology::drop_stalling`](topology::Topology::drop_stalling).

mod certificate;
mod chance;
mod graph;
mod read;
mod retrograde;
mod solving;
mod topology;
mod values;

use petgraph::unionfind::UnionFind;
use rayon::prelude::*;

use crate::dice::Weight;
use crate::game::DiceSet;
use crate::linear::{Bits, Wide, exact_double};

use super::SolveError;
use super::numbers::{Job, Numbers, Side};
pub(super) use graph::{Choice, Edge, Graph, Node};
use graph::{ColumnGraph, ReadEdge};
pub(super) use solving::{SolvedGraph, solve_graph};
pub(super) use values::{Approximate, CycleValues, ExactNumbers, Intervals};

/// Cycles whose solution in doubles has a larger error bound than this are solved again with more digits.
const MOST_ERROR: f64 = 1.0 / (1u64 << 43) as f64;
/// Smaller stages are not split between threads: they are read as one column and solved as one group.
const MIN_SHARED_STATES: usize = 500;

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

/// Solves all states of a stage whose turns may stay in it, group by group; all other states are already solved. `job`
/// returns the job of a side and a task.
pub(super) fn solve<'j, N: Numbers>(
    numbers: &N,
    sides: &'j [Side<'j>],
    job: impl Fn(usize, usize) -> Job<'j, N::Number> + Sync,
    works: &[Vec<N::Work>],
    go_on: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<SolvedCycles<N::Number>>, SolveError>
where
    N::Number: 'j,
{
    let first = job(0, 0);
    let columns = read::columns(numbers, &job, works);
    if columns.is_empty() {
        return Ok(Vec::new());
    }
    let size = |group: &[&ColumnGraph<N::Number>]| group.iter().map(|column| column.graph.nodes.len()).sum::<usize>();
    let all_columns: Vec<&ColumnGraph<N::Number>> = columns.iter().collect();
    let groups = if size(&all_columns) < MIN_SHARED_STATES { vec![all_columns] } else { groups(&columns) };
    // By side and place: the index of a state in its group.
    let all = first.context.layout.numbers();
    let mut node_of = vec![u32::MAX; all * sides.len()];
    for group in &groups {
        let nodes = group.iter().flat_map(|column| &column.graph.nodes);
        (0..).zip(nodes).for_each(|(number, node)| node_of[node.side * all + node.place] = number);
    }
    let stage = StageCycles { numbers, job: first, sides, all, node_of };
    let solve = |group: &Vec<&ColumnGraph<N::Number>>| stage.solve(group, go_on);
    match groups.len() {
        1 => groups.iter().map(solve).collect(),
        _ => groups.par_iter().map(solve).collect(),
    }
}

/// Groups the columns that are connected by turns.
fn groups<T>(columns: &[ColumnGraph<T>]) -> Vec<Vec<&ColumnGraph<T>>> {
    let index = |column: &u32| columns.binary_search_by_key(&(*column as usize), |read| read.column).ok();
    let mut joined = UnionFind::<usize>::new(columns.len());
    for (at, read) in columns.iter().enumerate() {
        read.next.iter().filter_map(index).for_each(|next| _ = joined.union(at, next));
    }
    let mut groups = vec![Vec::new(); columns.len()];
    columns.iter().enumerate().for_each(|(at, read)| groups[joined.find(at)].push(read));
    groups.retain(|group| !group.is_empty());
    groups
}

/// The context for solving the groups of a stage.
struct StageCycles<'a, N: Numbers> {
    numbers: &'a N,
    /// The job of any task of the stage.
    job: Job<'a, N::Number>,
    sides: &'a [Side<'a>],
    /// The size of a stage, in numbers.
    all: usize,
    /// By side and place: the index in the group; `u32::MAX` for a state that is in none.
    node_of: Vec<u32>,
}

impl<N: Numbers> StageCycles<'_, N> {
    fn solve(&self, group: &[&ColumnGraph<N::Number>], go_on: GoOn) -> Result<SolvedCycles<N::Number>, SolveError> {
        let (numbers, job, stage) = (self.numbers, self.job, self.job.stage);
        let allowance = job.context.allowance;
        let values = numbers.cycle_values(stage, allowance);
        let number = |number: &N::Number| numbers.cycle_value(number);
        let found = self.solve_in(&values, (number, |_, of| Some(number(&of.base))), group, go_on);
        if let Some((graph, solved)) = &found {
            let error = solved.values.iter().map(|value| numbers.cycle_error(value)).fold(0.0, f64::max);
            if error <= MOST_ERROR {
                return Ok(solved.states(graph, |value| numbers.cycle_number(value, stage), error));
            }
        }
        // Even inaccurate values show which actions are worse.
        let best = found.map(|(_, solved)| solved.may_be_best);
        let fractions = numbers.exact_cycle_values(stage, allowance);
        let floats = fractions.in_floats::<Wide>(Bits(128));
        if let Some((graph, solved)) = self.solve_precisely(&floats, best.as_deref(), group, go_on)
            && solved.values.iter().all(|value| floats.to_double(value).error <= f64::EPSILON / 2.0)
        {
            let number = |value: &Approximate<_>| numbers.nearest(&exact_double(floats.to_double(value).value), stage);
            return Ok(solved.states(&graph, number, f64::EPSILON));
        }
        let solved = if go_on() { self.solve_precisely(&fractions, best.as_deref(), group, go_on) } else { None };
        let (graph, solved) = solved.ok_or(SolveError::Cancelled)?;
        Ok(solved.states(&graph, |value| numbers.nearest(value, stage), f64::EPSILON))
    }

    /// Solves a group in other numbers, with all actions or only the `best` ones. The values of leaving are computed
    /// again in these numbers, because their rounding errors would count with every visit.
    fn solve_precisely<C: CycleValues>(
        &self,
        values: &C,
        best: Option<&[DiceSet]>,
        group: &[&ColumnGraph<N::Number>],
        go_on: GoOn,
    ) -> Option<WithGraph<C::Value>> {
        let (numbers, job, layout) = (self.numbers, self.job, &self.job.context.layout);
        let number = |number: &N::Number| values.value_of(&numbers.to_rational(number, job.stage));
        let base = |node: &Node, choice: &Choice<N::Number>| {
            let (side, task) = (&self.sides[node.side], node.place / layout.numbers_of_task());
            let may_be = best.is_none_or(|best| best[self.number(node) as usize] >> choice.action & 1 == 1);
            let job = Job { side, task, ..job };
            may_be.then(|| job.recompute_base((numbers, values), layout.of_place(node.place), choice.action))
        };
        self.solve_in(values, (number, base), group, go_on)
    }

    fn number(&self, node: &Node) -> u32 {
        self.node_of[node.side * self.all + node.place]
    }

    /// The index of a successor in its group; `None` if it is not solved here.
    fn node(&self, edge: &ReadEdge) -> Option<u32> {
        let node = self.node_of[edge.side as usize * self.all + edge.place as usize];
        (edge.stage as usize == self.job.stage && node != u32::MAX).then_some(node)
    }

    fn solve_in<C: CycleValues>(
        &self,
        values: &C,
        (number, base): (impl Fn(&N::Number) -> C::Value, impl Fn(&Node, &Choice<N::Number>) -> Option<C::Value>),
        group: &[&ColumnGraph<N::Number>],
        go_on: GoOn,
    ) -> Option<WithGraph<C::Value>> {
        let known =
            |edge: &ReadEdge| number(&self.job.solved[edge.side as usize][edge.stage as usize][edge.place as usize]);
        let substitute = |base: C::Value, edge: &ReadEdge, total: Weight| {
            values.substitute(base, &known(edge), (edge.again, edge.weight, total))
        };
        let graph = Graph::join(group, |edge| self.node(edge), base, substitute);
        let solved = solve_graph(values, &graph, self.sides.len() > 1, &|_| go_on())?;
        Some((graph, solved))
    }
}

type WithGraph<V> = (Graph<V>, SolvedGraph<V>);
