//! Solves a graph of states, one strongly connected component after another, successors first.

use crate::dice::Weight;
use crate::game::DiceSet;
use crate::solve::numbers::Payoff;

use super::graph::{Graph, Node};
use super::topology::{Members, Owner};
use super::values::CycleValues;
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
pub(in crate::solve) fn solve_graph<C: CycleValues>(
    values: &C,
    graph: &Graph<C::Value>,
    two_sided: bool,
    go_on: &dyn Fn(usize) -> bool,
) -> Option<SolvedGraph<C::Value>> {
    let count = graph.nodes.len();
    let sets = || vec![0; count];
    let found = SolvedGraph {
        values: vec![values.endless(); count],
        may_be_best: sets(),
        sets: sets(),
        choices: vec![0; count],
        count: 0,
    };
    let mut solving = Solving { values, graph, solved: vec![false; count], found };
    let mut place = vec![[usize::MAX; 2]; count];
    let mut done = 0;
    let solve = |component: &[usize]| {
        let before = done;
        done += component.len();
        if before / CHECK_EVERY != done / CHECK_EVERY && !go_on(before) {
            return Err(());
        }
        if let [node] = component
            && !graph.is_loop(*node)
        {
            (solving.found.values[*node], solving.solved[*node]) =
                (solving.solve_single(*node), true);
            return Ok(());
        }
        let members = Members::new(graph, component, two_sided, &mut place);
        solving.solve_component(&members, &|| go_on(before)).ok_or(())
    };
    graph.each_component(solve).ok()?;
    Some(solving.found)
}

struct Solving<'a, C: CycleValues> {
    values: &'a C,
    graph: &'a Graph<C::Value>,
    solved: Vec<bool>,
    found: SolvedGraph<C::Value>,
}

impl<C: CycleValues> Solving<'_, C> {
    /// The value of a choice if edges to nodes that are not yet solved count as wins of the mover.
    fn value(&self, choice: usize) -> C::Value {
        let choice = &self.graph.choices[choice];
        let known = self.graph.edges[choice.edges.clone()]
            .iter()
            .filter(|edge| self.solved[edge.node as usize]);
        known.fold(choice.base.clone(), |base, edge| {
            self.values.substitute(
                base,
                &self.found.values[edge.node as usize],
                (edge.again, edge.weight, choice.total),
            )
        })
    }

    /// Appends the values of all choices of a node to `values`; returns the index of the best. Of
    /// equals it is the last, which in the graph of a stage leaves if any of them does.
    fn choices(&self, node: usize, values: &mut Vec<C::Value>) -> usize {
        let first = values.len();
        values.extend(self.graph.nodes[node].choices.clone().map(|choice| self.value(choice)));
        (first + 1..values.len()).fold(first, |best, at| {
            if self.values.compare(&values[at], &values[best]).is_ge() { at } else { best }
        })
    }

    /// Decides a node whose successors have their values; returns its value.
    fn solve_single(&mut self, node: usize) -> C::Value {
        let (values, mut of_actions) = (self.values, Vec::new());
        let best = self.choices(node, &mut of_actions);
        self.decide(node, &of_actions, best, |at| values.ties(&of_actions[best], &of_actions[at]));
        values.best_of(&of_actions[best], &of_actions)
    }

    fn solve_component(&mut self, members: &Members, go_on: GoOn) -> Option<()> {
        self.found.count += 1;
        let (values, topology) = (self.values, &members.topology);
        let bases: Vec<(C::Value, Weight)> = members
            .choices
            .iter()
            .map(|choice| (self.value(*choice), self.graph.choices[*choice].total))
            .collect();
        let of_first_player = |owner: Owner, value: &C::Value| match (values.payoff(), owner) {
            (Payoff::WinRate, Owner::Second) => values.complement(value),
            _ => value.clone(),
        };
        // If the payoff is the probability of endless play, both policies are fixed.
        let of_first = if topology.is_deterministic() {
            let leave = topology
                .nodes()
                .flat_map(|node| topology.actions[node].clone().map(move |action| (node, action)));
            let leave: Vec<C::Value> = leave
                .map(|(node, action)| of_first_player(topology.owner[node], &bases[action].0))
                .collect();
            let compare = |a: &C::Value, b: &C::Value| values.compare(a, b);
            let found = retrograde::solve(topology, &leave, &values.endless(), &compare);
            found.iter().map(|value| values.best_of(value, &leave)).collect()
        } else {
            values.solve_chance(members, &bases, go_on)?
        };
        for ((node, owner), value) in members.nodes.iter().zip(&topology.owner).zip(&of_first) {
            self.found.values[*node] = of_first_player(*owner, value);
            self.solved[*node] = true;
        }
        self.decide_all(members);
        Some(())
    }

    /// Finds the best actions at the nodes of a component whose values are known.
    fn decide_all(&mut self, members: &Members) {
        let (values, topology) = (self.values, &members.topology);
        let mut of_actions = Vec::with_capacity(members.choices.len());
        let best: Vec<usize> =
            members.nodes.iter().map(|node| self.choices(*node, &mut of_actions)).collect();
        let mut optimal = vec![false; of_actions.len()];
        for (actions, best) in topology.actions.iter().zip(&best) {
            actions
                .clone()
                .for_each(|at| optimal[at] = values.ties(&of_actions[*best], &of_actions[at]));
        }
        if values.payoff() == Payoff::WinRate && topology.leaves.contains(&false) {
            let half = values.endless();
            let ahead = members.nodes.iter().zip(&topology.owner).map(|(node, owner)| {
                let value = &self.found.values[*node];
                let more = values.compare(value, &half).is_gt();
                let tied = if more { values.ties(value, &half) } else { values.ties(&half, value) };
                (!tied).then(|| if more { *owner } else { owner.opponent() })
            });
            let ahead: Vec<Option<Owner>> = ahead.collect();
            if topology.drop_stalling(&ahead, &mut optimal).is_err() {
                // Within the tolerance, no set of actions may keep the values; only the best ones
                // are kept.
                optimal.fill(false);
                best.iter().for_each(|at| optimal[*at] = true);
            }
        }
        for (at, node) in members.nodes.iter().enumerate() {
            let actions = topology.actions[at].clone();
            let first = actions.start;
            self.decide(*node, &of_actions[actions], best[at] - first, |at| optimal[first + at]);
        }
    }

    /// Records the optimal actions of a node and the chosen one: the one of fewest dice that equals
    /// the best of them.
    fn decide(
        &mut self,
        node: usize,
        of_node: &[C::Value],
        best: usize,
        optimal: impl Fn(usize) -> bool,
    ) {
        let choices = &self.graph.choices[self.graph.nodes[node].choices.clone()];
        let listed = || (0..choices.len()).filter(|at| optimal(*at));
        let most = listed().fold(None, |most: Option<usize>, at| match most {
            Some(most) if self.values.compare(&of_node[at], &of_node[most]).is_le() => Some(most),
            _ => Some(at),
        });
        let most = most.unwrap_or(best);
        let equal = listed().filter(|at| self.values.equal(&of_node[most], &of_node[*at]));
        let first = equal.map(|at| choices[at].action).min().unwrap_or(choices[most].action);
        let near = (0..choices.len()).filter(|at| self.values.ties(&of_node[best], &of_node[*at]));
        self.found.may_be_best[node] = near.fold(0, |set, at| set | 1 << choices[at].action);
        self.found.sets[node] =
            listed().fold(1 << choices[most].action, |set, at| set | 1 << choices[at].action);
        self.found.choices[node] = first as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Approximate, Choice, Edge, Intervals};
    use super::*;
    use crate::linear::UNIT;

    /// Solves states with two choices, given as (value, error); the second of each has one of the
    /// edges, if there are.
    fn solved(nodes: &[[(f64, f64); 2]], edges: &[Edge]) -> SolvedGraph<Approximate<f64>> {
        let mut graph = Graph::with_room(nodes.len());
        for (place, bases) in nodes.iter().enumerate() {
            for (action, (value, error)) in bases.iter().copied().enumerate() {
                let first = graph.edges.len();
                graph.edges.extend(edges.get(place).filter(|_| action == 1));
                let edges = first..graph.edges.len();
                graph.choices.push(Choice {
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
