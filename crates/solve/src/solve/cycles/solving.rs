//! Solves a graph of states, one strongly connected component after another, successors first.

use std::ops::Range;

use crate::dice::Weight;
use crate::game::DiceSet;
use crate::solve::components;
use crate::solve::numbers::Payoff;

use super::chance::NodeOrder;
use super::graph::{Choice, Choices, Edge, Graph, Node, Turns};
use super::sweeps::{self, Inside};
use super::topology::{Members, Owner};
use super::values::{Approximate, CycleValues};
use super::{GoOn, SolvedCycles, SolvedState, retrograde};

/// Cancellation is checked once for this many states, and between the rounds of policy iteration.
const CHECK_EVERY: usize = 64;

/// The values and best actions of a graph's nodes.
pub(in crate::solve) struct SolvedGraph<V> {
    pub values: Vec<V>,
    /// All actions that may be best, including those that let play stay in the component for ever.
    pub may_be_best: Vec<DiceSet>,
    pub sets: Vec<DiceSet>,
    pub choices: Vec<u8>,
    pub count: usize,
}

impl<V> SolvedGraph<V> {
    pub fn states<T>(
        &self,
        graph: &Graph<V>,
        number: impl Fn(&V) -> T,
        error: f64,
    ) -> SolvedCycles<T> {
        let state = |(at, node): (usize, &Node)| SolvedState {
            side: node.side,
            place: node.place,
            value: number(&self.values[at]),
            set: self.sets[at],
            choice: self.choices[at],
        };
        SolvedCycles {
            states: graph.nodes.iter().enumerate().map(state).collect(),
            count: self.count,
            error,
        }
    }
}

/// Solves a graph; `None` if `go_on`, called with the number of solved nodes, returns false or
/// values are not proven.
pub(in crate::solve) fn solve_graph<C: CycleValues, T: Turns<Value = C::Value>>(
    values: &C,
    turns: &T,
    two_sided: bool,
    go_on: &dyn Fn(usize) -> bool,
) -> Option<SolvedGraph<C::Value>> {
    let count = turns.count();
    let sets = || vec![0; count];
    let found = SolvedGraph {
        values: vec![values.endless(); count],
        may_be_best: sets(),
        sets: sets(),
        choices: vec![0; count],
        count: 0,
    };
    let mut solving = Solving {
        values,
        turns,
        two_sided,
        solved: vec![false; count],
        place: vec![OUTSIDE; count],
        choices: Choices::with_room(0, 0),
        of_choices: Vec::new(),
        found,
    };
    let mut done = 0;
    let solve = |component: &[u32]| {
        let before = done;
        done += component.len();
        if before / CHECK_EVERY != done / CHECK_EVERY && !go_on(before) {
            return Err(());
        }
        solving.solve(component, &|part| go_on(before + (part * component.len() as f64) as usize))
    };
    let append_targets = |node: usize, targets: &mut Vec<u32>| turns.append_targets(node, targets);
    components::each_component(count, append_targets, solve).ok()?;
    Some(solving.found)
}

/// Marks a node that is not in the component.
const OUTSIDE: u32 = u32::MAX;

/// Components of more nodes are solved by sweeps alone; others if many nodes would have to be
/// eliminated to solve a linear system, and they have more than a few.
const MOST_ORDERED: usize = 20_000;
const FEW_NODES: usize = 64;
/// The most edges of a component that is swept when all else has failed: a few seconds.
const MOST_SWEPT: usize = 1_000_000;

/// A strongly connected component with its choices.
pub(in crate::solve) struct Component<V> {
    /// By node: the side that moves.
    pub sides: Vec<usize>,
    /// By node: its choices.
    pub of_node: Vec<Range<usize>>,
    pub choices: Choices<V>,
    /// By edge: the place of its node in the component; `None` outside.
    pub inside: Vec<Option<usize>>,
}

struct Solving<'a, C: CycleValues, T> {
    values: &'a C,
    turns: &'a T,
    two_sided: bool,
    solved: Vec<bool>,
    /// By node of the graph: its place in the component that is being solved.
    place: Vec<u32>,
    /// Buffers for a node: its choices, and their values.
    choices: Choices<C::Value>,
    of_choices: Vec<C::Value>,
    found: SolvedGraph<C::Value>,
}

impl<C: CycleValues, T: Turns<Value = C::Value>> Solving<'_, C, T> {
    /// Solves a component; an error if `go_on`, called with the part of it that is done, returns
    /// false or its values are not proven.
    fn solve(&mut self, nodes: &[u32], go_on: &dyn Fn(f64) -> bool) -> Result<(), ()> {
        if let [node] = *nodes {
            self.read(node as usize);
            if self.choices.edges.iter().all(|edge| edge.node != node) {
                let best = self.decide_known(node as usize);
                self.found.values[node as usize] =
                    self.values.best_of(&self.of_choices[best], &self.of_choices);
                self.solved[node as usize] = true;
                return Ok(());
            }
        }
        self.found.count += 1;
        (0..).zip(nodes).for_each(|(at, node)| self.place[*node as usize] = at);
        let solved = self.solve_component(nodes, go_on);
        nodes.iter().for_each(|node| self.place[*node as usize] = OUTSIDE);
        solved.ok_or(())
    }

    /// Reads the choices of a node into the buffer.
    fn read(&mut self, node: usize) {
        self.choices.clear();
        self.turns.append_choices(node, &mut self.choices);
    }

    /// The value of a choice if edges to nodes that are not yet solved count as wins of the mover.
    fn value(&self, choices: &Choices<C::Value>, choice: &Choice<C::Value>) -> C::Value {
        let edges = choices.edges_of(choice).iter();
        edges.filter(|edge| self.solved[edge.node as usize]).fold(
            choice.base.clone(),
            |base, edge| {
                let known = &self.found.values[edge.node as usize];
                self.values.substitute(base, known, (edge.again, edge.weight, choice.total))
            },
        )
    }

    /// The index of the best of some values. Of equals it is the last, which in the graph of a
    /// stage leaves if any of them does.
    fn best(&self, of_choices: &[C::Value]) -> usize {
        (1..of_choices.len()).fold(0, |best, at| {
            if self.values.compare(&of_choices[at], &of_choices[best]).is_ge() { at } else { best }
        })
    }

    /// Decides a node, whose choices have been read, and whose successors have their values; returns
    /// the index of the best choice. The values of its choices are in the buffer then.
    fn decide_known(&mut self, node: usize) -> usize {
        let mut of_choices = std::mem::take(&mut self.of_choices);
        of_choices.clear();
        let list = self.choices.list.iter();
        of_choices.extend(list.map(|choice| self.value(&self.choices, choice)));
        let best = self.best(&of_choices);
        let values = self.values;
        let optimal = |at: usize| values.ties(&of_choices[best], &of_choices[at]);
        self.found.decide(values, node, &self.choices.list, &of_choices, best, optimal);
        self.of_choices = of_choices;
        best
    }

    fn solve_component(&mut self, nodes: &[u32], go_on: &dyn Fn(f64) -> bool) -> Option<()> {
        let in_doubles = self.values.as_double(&self.values.endless()).is_some();
        if in_doubles && nodes.len() > MOST_ORDERED {
            return self.sweep(nodes, false, go_on).ok();
        }
        let component = self.component(nodes);
        let members = Members::new(&component, self.two_sided);
        let is_random = !members.topology.is_deterministic();
        let order = is_random.then(|| NodeOrder::new(&members.topology));
        let eliminates_all = order.as_ref().is_some_and(NodeOrder::eliminates_all);
        let sweeps_first = in_doubles && eliminates_all && nodes.len() > FEW_NODES;
        let mut near = None;
        if sweeps_first {
            match self.sweep(nodes, true, go_on) {
                Ok(()) => return Some(()),
                Err(values) => near = Some(values),
            }
        }
        if !go_on(0.0) {
            return None;
        }
        let mut eliminate = || {
            self.eliminate(nodes, &component, &members, order.as_ref(), near.as_deref(), &|| {
                go_on(0.0)
            })
        };
        if eliminate().is_some() {
            return Some(());
        }
        // Patient sweeps prove some games that are even for ever.
        let is_small = component.choices.edges.len() <= MOST_SWEPT;
        if in_doubles && is_small && go_on(0.0) {
            self.sweep(nodes, false, go_on).ok()
        } else {
            None
        }
    }

    /// Reads a component.
    fn component(&self, nodes: &[u32]) -> Component<C::Value> {
        let mut component = Component {
            sides: nodes.iter().map(|node| self.turns.side(*node as usize)).collect(),
            of_node: Vec::with_capacity(nodes.len()),
            choices: Choices::with_room(2 * nodes.len(), 4 * nodes.len()),
            inside: Vec::new(),
        };
        for node in nodes {
            let first = component.choices.list.len();
            self.turns.append_choices(*node as usize, &mut component.choices);
            component.of_node.push(first..component.choices.list.len());
        }
        let place = |edge: &Edge| self.place_of(edge).map(|place| place as usize);
        component.inside = component.choices.edges.iter().map(place).collect();
        component
    }

    /// The place in the component of the node that an edge leads to.
    fn place_of(&self, edge: &Edge) -> Option<u32> {
        Some(self.place[edge.node as usize]).filter(|place| *place != OUTSIDE)
    }

    /// Solves a component with chance by sweeps, in doubles; an error with the values found if they
    /// are not proven, or if they are to be `quick`, not proven soon.
    fn sweep(
        &mut self,
        nodes: &[u32],
        quick: bool,
        go_on: &dyn Fn(f64) -> bool,
    ) -> Result<(), Vec<f64>> {
        let (values, in_doubles) = (self.values, "sweeps are in doubles");
        let endless = values.as_double(&values.endless()).expect(in_doubles).value;
        let mut inside = Inside::with_room(nodes.len(), endless);
        for node in nodes {
            self.read(*node as usize);
            for choice in &self.choices.list {
                let edges = self.choices.edges_of(choice).iter();
                let edges = edges.filter_map(|edge| Some((self.place_of(edge)?, edge)));
                let staying: Weight = edges.clone().map(|(_, edge)| edge.weight).sum();
                let base = self.value(&self.choices, choice);
                let leaving = values.leaving(&base, staying, choice.total);
                let leaving = values.as_double(&leaving).expect(in_doubles);
                inside.push_choice(leaving, choice.total, edges);
            }
            inside.end_node();
        }
        let opposed = values.payoff() == Payoff::WinRate;
        let swept = sweeps::solve(&inside, opposed, quick, go_on)?;
        for (node, value) in nodes.iter().zip(swept.values) {
            self.found.values[*node as usize] = values.of_double(value);
            self.solved[*node as usize] = true;
        }
        if swept.may_stall {
            let component = self.component(nodes);
            self.decide_all(nodes, &component, &Members::new(&component, self.two_sided));
            return Ok(());
        }
        for node in nodes {
            self.read(*node as usize);
            self.decide_known(*node as usize);
        }
        Ok(())
    }

    /// Solves a component of few nodes, or whose cycles few nodes close; without an `order`, one
    /// without chance. `near` are values of the movers to start from, by node of the component.
    fn eliminate(
        &mut self,
        nodes: &[u32],
        component: &Component<C::Value>,
        members: &Members,
        order: Option<&NodeOrder>,
        near: Option<&[f64]>,
        go_on: GoOn,
    ) -> Option<()> {
        let (values, topology) = (self.values, &members.topology);
        let base =
            |choice: &Choice<C::Value>| (self.value(&component.choices, choice), choice.total);
        let bases: Vec<(C::Value, Weight)> = component.choices.list.iter().map(base).collect();
        let of_action = |action: usize| &bases[members.choices[action]];
        let of_first_player = |owner: Owner, value: &C::Value| match (values.payoff(), owner) {
            (Payoff::WinRate, Owner::Second) => values.complement(value),
            _ => value.clone(),
        };
        let near = near.map(|near| {
            let near = members.nodes.iter().zip(&topology.owner).map(|(place, owner)| {
                let value = values.of_double(Approximate { value: near[*place], error: 0.0 });
                of_first_player(*owner, &value)
            });
            near.collect::<Vec<_>>()
        });
        // If the payoff is the probability of endless play, both policies are fixed.
        let of_first = if let Some(order) = order {
            let bases: Vec<(C::Value, Weight)> =
                (0..members.choices.len()).map(|action| of_action(action).clone()).collect();
            values.solve_chance(members, order, &bases, near.as_deref(), go_on)?
        } else {
            let leave = topology
                .nodes()
                .flat_map(|node| topology.actions[node].clone().map(move |action| (node, action)));
            let leave: Vec<C::Value> = leave
                .map(|(node, action)| of_first_player(topology.owner[node], &of_action(action).0))
                .collect();
            let compare = |a: &C::Value, b: &C::Value| values.compare(a, b);
            let found = retrograde::solve(topology, &leave, &values.endless(), &compare);
            found.iter().map(|value| values.best_of(value, &leave)).collect()
        };
        for ((place, owner), value) in members.nodes.iter().zip(&topology.owner).zip(&of_first) {
            let node = nodes[*place] as usize;
            self.found.values[node] = of_first_player(*owner, value);
            self.solved[node] = true;
        }
        self.decide_all(nodes, component, members);
        Some(())
    }

    /// Finds the best actions at the nodes of a component whose values are known.
    fn decide_all(&mut self, nodes: &[u32], component: &Component<C::Value>, members: &Members) {
        let (values, topology, list) = (self.values, &members.topology, &component.choices.list);
        let of_choices: Vec<C::Value> =
            list.iter().map(|choice| self.value(&component.choices, choice)).collect();
        let mut optimal = vec![false; of_choices.len()];
        let mut best = Vec::with_capacity(nodes.len());
        for choices in &component.of_node {
            let most = choices.start + self.best(&of_choices[choices.clone()]);
            choices
                .clone()
                .for_each(|at| optimal[at] = values.ties(&of_choices[most], &of_choices[at]));
            best.push(most);
        }
        if values.payoff() == Payoff::WinRate && topology.leaves.contains(&false) {
            let half = values.endless();
            let ahead = members.nodes.iter().zip(&topology.owner).map(|(place, owner)| {
                let value = &self.found.values[nodes[*place] as usize];
                let more = values.compare(value, &half).is_gt();
                let tied = if more { values.ties(value, &half) } else { values.ties(&half, value) };
                (!tied).then(|| if more { *owner } else { owner.opponent() })
            });
            let ahead: Vec<Option<Owner>> = ahead.collect();
            let mut of_actions: Vec<bool> =
                members.choices.iter().map(|choice| optimal[*choice]).collect();
            if topology.drop_stalling(&ahead, &mut of_actions).is_ok() {
                for (choice, kept) in members.choices.iter().zip(of_actions) {
                    optimal[*choice] = kept;
                }
            } else {
                // Within the tolerance, no set of actions may keep the values; only the best ones
                // are kept.
                optimal.fill(false);
                best.iter().for_each(|at| optimal[*at] = true);
            }
        }
        for ((node, choices), best) in nodes.iter().zip(&component.of_node).zip(best) {
            let first = choices.start;
            self.found.decide(
                values,
                *node as usize,
                &list[choices.clone()],
                &of_choices[choices.clone()],
                best - first,
                |at| optimal[first + at],
            );
        }
    }
}

impl<V> SolvedGraph<V> {
    /// Records the optimal actions of a node and the chosen one: the one of fewest dice that equals
    /// the best of them.
    fn decide<C: CycleValues<Value = V>>(
        &mut self,
        values: &C,
        node: usize,
        choices: &[Choice<V>],
        of_choices: &[V],
        best: usize,
        optimal: impl Fn(usize) -> bool,
    ) {
        let listed = || (0..choices.len()).filter(|at| optimal(*at));
        let most = listed().fold(None, |most: Option<usize>, at| match most {
            Some(most) if values.compare(&of_choices[at], &of_choices[most]).is_le() => Some(most),
            _ => Some(at),
        });
        let most = most.unwrap_or(best);
        let equal = listed().filter(|at| values.equal(&of_choices[most], &of_choices[*at]));
        let first = equal.map(|at| choices[at].action).min().unwrap_or(choices[most].action);
        let near = (0..choices.len()).filter(|at| values.ties(&of_choices[best], &of_choices[*at]));
        self.may_be_best[node] = near.fold(0, |set, at| set | 1 << choices[at].action);
        self.sets[node] =
            listed().fold(1 << choices[most].action, |set, at| set | 1 << choices[at].action);
        self.choices[node] = first as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Approximate, Intervals};
    use super::*;
    use crate::linear::UNIT;

    /// Solves states with two choices, given as (value, error); the second of each has one of the
    /// edges, if there are.
    fn solved(nodes: &[[(f64, f64); 2]], edges: &[Edge]) -> SolvedGraph<Approximate<f64>> {
        let mut graph = Graph::with_room(nodes.len());
        for (place, bases) in nodes.iter().enumerate() {
            for (action, (value, error)) in bases.iter().copied().enumerate() {
                let first = graph.choices.edges.len();
                graph.choices.edges.extend(edges.get(place).filter(|_| action == 1));
                let edges = first..graph.choices.edges.len();
                graph.choices.list.push(Choice {
                    action,
                    base: Approximate { value, error },
                    total: 1,
                    edges,
                });
            }
            graph.nodes.push(Node { side: 0, place, choices: 2 * place..2 * place + 2 });
        }
        solve_graph(&Intervals::new((), Payoff::WinRate, [0.0; 2]), &graph, false, &|_| true)
            .expect("the callback never stops it")
    }

    #[test]
    fn the_error_of_a_state_is_the_largest_of_its_choices() {
        let solved = solved(&[[(0.5, 0.0), (0.499, 0.01 / UNIT)]], &[]);
        let Approximate { value, error } = solved.values[0];
        assert_eq!((value, error), (0.5, 0.01 / UNIT), "the value of the second may be 0.509");
        assert_eq!(solved.sets, [0b11]);
    }

    #[test]
    fn endless_play_is_not_best_for_the_player_who_is_ahead() {
        let solved =
            solved(&[[(0.75, 0.0), (1.0, 0.0)]], &[Edge { node: 0, again: true, weight: 1 }]);
        let found = (solved.values[0].value, &solved.sets[..], &solved.may_be_best[..]);
        assert_eq!(found, (0.75, &[0b01][..], &[0b11][..]));
    }
}
