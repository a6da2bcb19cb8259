//! States whose turns may leave the sum of scores as it is: found, and solved.
//!
//! Within a stage, such states form a graph ([`graph`]), read column by column. Columns that turns lead between are a group; groups
//! are solved side by side. In a group the strongly connected components are solved one after another, those that others
//! lead to first: a single state by its best action; states without chance by [`retrograde`] analysis; where chance decides by
//! policy iteration ([`chance`]). Doubles carry a bound on their error, by a [`certificate`] where chance decides; where that
//! fails, or the bound passes [`MOST_ERROR`], the group is solved in longer floats, if need be in fractions, and rounded once. Then all values are known, and
//! with them which actions are best: see [`Topology::keep_progress`](topology::Topology::keep_progress).

mod certificate;
mod chance;
mod graph;
mod read;
mod retrograde;
mod topology;
mod values;

use petgraph::unionfind::UnionFind;
use rayon::prelude::*;

use crate::dice::Weight;
use crate::game::DiceSet;
use crate::linear::{Wide, exact_double};

use super::SolveError;
use super::numbers::{Job, Numbers, Payoff, Side};
pub(super) use graph::{Choice, Graph, Node, Stay};
use graph::{ColumnGraph, ReadStay};
pub(super) use topology::Members;
use topology::Owner;
pub(super) use values::{Approximate, CycleValues, ExactNumbers, Intervals};

/// Cycles whose solution in doubles may be further off than this are solved again, in more digits.
const MOST_ERROR: f64 = 1.0 / (1u64 << 40) as f64;
/// Fewer states than these are not worth sharing between threads: they are one group, whatever leads where.
const WORTH_SHARING: usize = 500;
/// It is asked whether to go on once in so many states, and between the rounds of policy iteration.
const ASKED_EVERY: usize = 64;
/// A group of more states is solved alone, and asks between its steps whether to go on.
const LARGE: usize = 5000;

/// A state's value and best actions.
pub(super) struct SolvedState<T> {
    pub side: usize,
    /// The place of its number in the stage.
    pub place: usize,
    pub value: T,
    pub set: DiceSet,
    /// The action to take.
    pub choice: u8,
}

/// What solving a group of states found.
pub(super) struct SolvedCycles<T> {
    pub states: Vec<SolvedState<T>>,
    /// How many cycles there were.
    pub count: usize,
    /// How far values may be off by their solution alone.
    pub error: f64,
}

/// Solves all states of a stage whose turns may stay in it, group by group; all others are solved. `go_on` is asked now and then.
pub(super) fn solve<'j, N: Numbers>(
    numbers: &N,
    sides: &'j [Side<'j>],
    job: impl Fn(usize, usize) -> Job<'j, N::Number> + Sync,
    works: &[Vec<N::Work>],
    go_on: &dyn Fn() -> bool,
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
    let whole: Vec<&ColumnGraph<N::Number>> = columns.iter().collect();
    let groups = if size(&whole) < WORTH_SHARING { vec![whole] } else { groups(&columns) };
    // By side and place: the number of a state in its group.
    let all = first.context.layout.numbers();
    let mut node_of = vec![u32::MAX; all * sides.len()];
    for group in &groups {
        let nodes = group.iter().flat_map(|column| &column.graph.nodes);
        (0..).zip(nodes).for_each(|(number, node)| node_of[node.side * all + node.place] = number);
    }
    let stage = StageCycles { numbers, job: first, sides, all, node_of };
    let (large, small): (Vec<_>, Vec<_>) = groups.iter().partition(|group| size(group) > LARGE);
    let solve = |group: &Vec<&ColumnGraph<N::Number>>| stage.solve(group, &|| true);
    let mut solved: Vec<SolvedCycles<N::Number>> = match small.len() {
        ..=1 => small.into_iter().map(solve).collect::<Result<_, _>>()?,
        _ => small.into_par_iter().map(solve).collect::<Result<_, _>>()?,
    };
    for group in large {
        solved.push(stage.solve(group, go_on)?);
    }
    Ok(solved)
}

/// Columns that turns lead between, together.
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

/// A stage that is being solved.
struct StageCycles<'a, N: Numbers> {
    numbers: &'a N,
    /// Any of its tasks.
    job: Job<'a, N::Number>,
    sides: &'a [Side<'a>],
    /// The places of one side.
    all: usize,
    node_of: Vec<u32>,
}

impl<N: Numbers> StageCycles<'_, N> {
    fn solve(
        &self,
        group: &[&ColumnGraph<N::Number>],
        go_on: &dyn Fn() -> bool,
    ) -> Result<SolvedCycles<N::Number>, SolveError> {
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
        // Values may be too far off, and yet show which actions are worse.
        let best = found.map(|(_, solved)| solved.sets);
        let fractions = numbers.exact_cycle_values(stage, allowance);
        let long = fractions.in_floats::<Wide<128>>();
        if let Some((graph, solved)) = self.solve_anew(&long, best.as_deref(), group, go_on)
            && solved.values.iter().all(|value| value.to_double().error <= f64::EPSILON / 2.0)
        {
            let number = |value: &Approximate<_>| numbers.nearest(&exact_double(value.to_double().value), stage);
            return Ok(solved.states(&graph, number, f64::EPSILON));
        }
        let solved = if go_on() { self.solve_anew(&fractions, best.as_deref(), group, go_on) } else { None };
        let (graph, solved) = solved.ok_or(SolveError::Cancelled)?;
        Ok(solved.states(&graph, |value| numbers.nearest(value, stage), f64::EPSILON))
    }

    /// In numbers of more digits, of all actions or of those that may be `best`. Roundings of what leaving is worth would count
    /// with every visit: it is found anew.
    fn solve_anew<C: CycleValues>(
        &self,
        values: &C,
        best: Option<&[DiceSet]>,
        group: &[&ColumnGraph<N::Number>],
        go_on: &dyn Fn() -> bool,
    ) -> Option<WithGraph<C::Value>> {
        let (numbers, job, layout) = (self.numbers, self.job, &self.job.context.layout);
        let number = |number: &N::Number| values.of_fraction(&numbers.to_rational(number, job.stage));
        let base = |node: &Node, choice: &Choice<N::Number>| {
            let (side, task) = (&self.sides[node.side], node.place / layout.numbers_of_task());
            let may_be = best.is_none_or(|best| best[self.number(node) as usize] >> choice.action & 1 == 1);
            let job = Job { side, task, ..job };
            may_be.then(|| job.base_anew((numbers, values), layout.of_place(node.place), choice.action))
        };
        self.solve_in(values, (number, base), group, go_on)
    }

    /// The number of a state in its group.
    fn number(&self, node: &Node) -> u32 {
        self.node_of[node.side * self.all + node.place]
    }

    /// The number of a state in its group, if it is one of those that are solved here.
    fn node(&self, stay: &ReadStay) -> Option<u32> {
        let node = self.node_of[stay.side as usize * self.all + stay.place as usize];
        (stay.stage as usize == self.job.stage && node != u32::MAX).then_some(node)
    }

    fn solve_in<C: CycleValues>(
        &self,
        values: &C,
        (number, base): (impl Fn(&N::Number) -> C::Value, impl Fn(&Node, &Choice<N::Number>) -> Option<C::Value>),
        group: &[&ColumnGraph<N::Number>],
        go_on: &dyn Fn() -> bool,
    ) -> Option<WithGraph<C::Value>> {
        let known =
            |stay: &ReadStay| number(&self.job.solved[stay.side as usize][stay.stage as usize][stay.place as usize]);
        let settle = |base: C::Value, stay: &ReadStay, total: Weight| {
            values.settle(base, &known(stay), (stay.again, stay.weight, total))
        };
        let graph = Graph::join(group, |stay| self.node(stay), base, settle);
        let solved = solve_graph(values, &graph, self.sides.len() > 1, &|_| go_on())?;
        Some((graph, solved))
    }
}

/// A graph and what was found of it.
type WithGraph<V> = (Graph<V>, SolvedGraph<V>);

/// The values and best actions of a graph's nodes.
pub(super) struct SolvedGraph<V> {
    pub values: Vec<V>,
    pub sets: Vec<DiceSet>,
    /// The actions to take.
    pub choices: Vec<u8>,
    /// How many cycles there were.
    pub count: usize,
}

impl<V> SolvedGraph<V> {
    fn states<T>(&self, graph: &Graph<V>, number: impl Fn(&V) -> T, error: f64) -> SolvedCycles<T> {
        let state = |(at, node): (usize, &Node)| SolvedState {
            side: node.side,
            place: node.place,
            value: number(&self.values[at]),
            set: self.sets[at],
            choice: self.choices[at],
        };
        SolvedCycles { states: graph.nodes.iter().enumerate().map(state).collect(), count: self.count, error }
    }
}

/// Solves a graph; `None` if `go_on`, told how many nodes are solved, says no, or if floats cannot prove what they find.
pub(super) fn solve_graph<C: CycleValues>(
    values: &C,
    graph: &Graph<C::Value>,
    two_sided: bool,
    go_on: &dyn Fn(usize) -> bool,
) -> Option<SolvedGraph<C::Value>> {
    let count = graph.nodes.len();
    let found =
        SolvedGraph { values: vec![values.endless(); count], sets: vec![0; count], choices: vec![0; count], count: 0 };
    let mut solving = Solving { values, graph, solved: vec![false; count], found, scratch: Vec::new() };
    let mut place = vec![[usize::MAX; 2]; count];
    let mut done = 0;
    let solve = |component: &[usize]| {
        let before = done;
        done += component.len();
        if before / ASKED_EVERY != done / ASKED_EVERY && !go_on(before) {
            return Err(());
        }
        if let [node] = component
            && !graph.is_loop(*node)
        {
            solving.solve_alone(*node);
            return Ok(());
        }
        let members = Members::new(graph, component, two_sided, &mut place);
        solving.solve_component(&members, &|| go_on(before)).ok_or(())
    };
    graph.each_component(solve).ok()?;
    Some(solving.found)
}

/// A graph on its way to be solved.
struct Solving<'a, C: CycleValues> {
    values: &'a C,
    graph: &'a Graph<C::Value>,
    solved: Vec<bool>,
    found: SolvedGraph<C::Value>,
    /// The values of a node's choices.
    scratch: Vec<C::Value>,
}

impl<C: CycleValues> Solving<'_, C> {
    /// What a choice is worth if every turn that stays where nothing is solved wins.
    fn value(&self, choice: usize) -> C::Value {
        let choice = &self.graph.choices[choice];
        let known = self.graph.stays[choice.stays.clone()].iter().filter(|stay| self.solved[stay.node as usize]);
        known.fold(choice.base.clone(), |base, stay| {
            self.values.settle(base, &self.found.values[stay.node as usize], (stay.again, stay.weight, choice.total))
        })
    }

    /// Adds the values of all choices of a node whose turns lead to solved nodes; the place of the best of them.
    fn choices(&self, node: usize, values: &mut Vec<C::Value>) -> usize {
        let first = values.len();
        values.extend(self.graph.nodes[node].choices.clone().map(|choice| self.value(choice)));
        (first + 1..values.len())
            .fold(first, |best, at| if self.values.compare(&values[at], &values[best]).is_gt() { at } else { best })
    }

    fn solve_alone(&mut self, node: usize) {
        let (values, mut of_actions) = (self.values, std::mem::take(&mut self.scratch));
        of_actions.clear();
        let best = self.choices(node, &mut of_actions);
        self.found.values[node] = values.best_of(&of_actions[best], &of_actions);
        self.solved[node] = true;
        self.decide(node, (&of_actions, best), |at| values.ties(&of_actions[best], &of_actions[at]));
        self.scratch = of_actions;
    }

    fn solve_component(&mut self, members: &Members, go_on: &dyn Fn() -> bool) -> Option<()> {
        self.found.count += 1;
        let (values, topology) = (self.values, &members.topology);
        let bases: Vec<(C::Value, Weight)> =
            members.choices.iter().map(|choice| (self.value(*choice), self.graph.choices[*choice].total)).collect();
        let first_view = |owner: Owner, value: &C::Value| match (values.payoff(), owner) {
            (Payoff::WinRate, Owner::Second) => values.complement(value),
            _ => value.clone(),
        };
        // Where the chance that play never ends is asked for, both players' moves are fixed.
        let of_first = if topology.is_deterministic() {
            let leave =
                topology.nodes().flat_map(|node| topology.actions[node].clone().map(move |action| (node, action)));
            let leave: Vec<C::Value> =
                leave.map(|(node, action)| first_view(topology.owner[node], &bases[action].0)).collect();
            let compare = |a: &C::Value, b: &C::Value| values.compare(a, b);
            let found = retrograde::solve(topology, &leave, &values.endless(), &compare);
            found.iter().map(|value| values.best_of(value, &leave)).collect()
        } else {
            values.solve_chance(members, &bases, go_on)?
        };
        for ((node, owner), value) in members.nodes.iter().zip(&topology.owner).zip(&of_first) {
            self.found.values[*node] = first_view(*owner, value);
            self.solved[*node] = true;
        }
        self.decide_all(members);
        Some(())
    }

    /// Which actions are best at the nodes of a component whose values are known.
    fn decide_all(&mut self, members: &Members) {
        let (values, topology) = (self.values, &members.topology);
        let mut of_actions = Vec::with_capacity(members.choices.len());
        let best: Vec<usize> = members.nodes.iter().map(|node| self.choices(*node, &mut of_actions)).collect();
        let mut optimal = vec![false; of_actions.len()];
        for (actions, best) in topology.actions.iter().zip(&best) {
            actions.clone().for_each(|at| optimal[at] = values.ties(&of_actions[*best], &of_actions[at]));
        }
        if values.payoff() == Payoff::WinRate && topology.leaves.contains(&false) {
            let half = values.endless();
            let ahead = members.nodes.iter().zip(&topology.owner).map(|(node, owner)| {
                let value = &self.found.values[*node];
                let (more, less) = (values.compare(value, &half).is_gt(), values.compare(value, &half).is_lt());
                let tied = if more { values.ties(value, &half) } else { values.ties(&half, value) };
                (!tied).then(|| if more { *owner } else { owner.opponent() }).filter(|_| more || less)
            });
            let ahead: Vec<Option<Owner>> = ahead.collect();
            if topology.keep_progress(&ahead, &mut optimal).is_err() {
                // Values within the tolerance may promise what no play keeps; the best alone are left.
                optimal.fill(false);
                best.iter().for_each(|at| optimal[*at] = true);
            }
        }
        for (at, node) in members.nodes.iter().enumerate() {
            let actions = topology.actions[at].clone();
            let first = actions.start;
            self.decide(*node, (&of_actions[actions], best[at] - first), |at| optimal[first + at]);
        }
    }

    /// Notes the optimal actions of a node, and the one to take: the first of them that is as good as the best.
    fn decide(&mut self, node: usize, (of_node, best): (&[C::Value], usize), optimal: impl Fn(usize) -> bool) {
        let choices = &self.graph.choices[self.graph.nodes[node].choices.clone()];
        let listed = || (0..choices.len()).filter(|at| optimal(*at));
        let most = listed().fold(None, |most: Option<usize>, at| match most {
            Some(most) if self.values.compare(&of_node[at], &of_node[most]).is_le() => Some(most),
            _ => Some(at),
        });
        let most = most.unwrap_or(best);
        let first = listed().find(|at| self.values.equal(&of_node[most], &of_node[*at])).unwrap_or(most);
        self.found.sets[node] = listed().fold(1 << choices[most].action, |set, at| set | 1 << choices[at].action);
        self.found.choices[node] = choices[first].action as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::UNIT;

    #[test]
    fn a_state_may_be_as_far_off_as_any_of_its_choices() {
        let values = Intervals::<f64>::new(Payoff::WinRate, [0.0; 2]);
        let choice = |action: usize, (value, error): (f64, f64)| Choice {
            action,
            base: Approximate { value, error },
            total: 1,
            stays: 0..0,
        };
        let choices = vec![choice(0, (0.5, 0.0)), choice(1, (0.499, 0.01 / UNIT))];
        let graph = Graph { nodes: vec![Node { side: 0, place: 0, choices: 0..2 }], choices, stays: Vec::new() };
        let solved = solve_graph(&values, &graph, false, &|_| true).expect("nobody stops it");
        assert_eq!(
            (solved.values[0].value, solved.values[0].error),
            (0.5, 0.01 / UNIT),
            "the second may be worth 0.509"
        );
        assert_eq!(solved.sets, [0b11]);
    }
}
