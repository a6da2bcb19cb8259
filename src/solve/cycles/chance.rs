//! Components in which chance decides, by policy iteration.
//!
//! **Evaluation.** A pair of policies is a linear system. Few nodes lead round to each other: take away a small set of them
//! (*feedback* nodes, as the starts of both players' turns in Pig) and no cycle is left, so that every other node's value is an
//! affine form of theirs, found in one sweep; what is left is a small system of the feedback nodes, solved by elimination.
//! No step subtracts one chance from another, so that slow loops keep their accuracy.
//!
//! **Improvement.** Strategy iteration (Hoffman and Karp, 1966): the second player answers each policy of the first with a best
//! response, node by node; in the first rounds both improve at once, which mostly ends sooner and proves nothing. Where no
//! action does better in one step, one thing may still be wrong: a player who is ahead may be held for ever by the other,
//! which is worth one half (Everett's condition). Then the other switches to the actions that hold it, and the iteration goes
//! on. Each round that improves one player's answer changes its value in one direction only, so no policy comes back; it ends,
//! and what it ends with is the value: see [`Topology::keep_progress`].

use std::cmp::Ordering;

use crate::linear::{Component, Scalar};
use crate::solve::components::{each_component, edges};

use super::topology::{Owner, Topology};

/// A component with its chances; values are the first player's.
pub(super) struct ChanceGame<'t, F> {
    pub topology: &'t Topology,
    /// By action: what leaving by it is worth, times the chance to leave.
    pub leave: Vec<F>,
    /// By action: the chance to leave by it.
    pub exit: Vec<F>,
    /// By edge: its chance.
    pub chance: Vec<F>,
    /// What play that never leaves is worth.
    pub endless: F,
    /// By how much an action must be better to be taken instead.
    pub margin: F,
    /// Roundings may keep the iteration from its end: after so many rounds it is given up.
    pub most_rounds: usize,
}

/// A pair of policies, the action of each node, and what the nodes are worth under them.
pub(super) struct Policies<F> {
    pub policy: Vec<usize>,
    pub values: Vec<F>,
    /// Whether play may stay for ever under them.
    pub closed: bool,
}

/// Rounds in which both players improve at once.
const TOGETHER: usize = 30;
/// More feedback nodes than these are no shortcut: all nodes are eliminated one after another instead.
const MOST_FEEDBACK: usize = 64;

/// The order in which nodes are evaluated.
pub(super) struct Sweep {
    /// Each after all that it leads to, feedback nodes apart.
    interior: Vec<usize>,
    feedback: Vec<usize>,
    /// By node: its place among the feedback nodes.
    place: Vec<Option<usize>>,
}

impl Sweep {
    /// Of a strongly connected component: nodes are taken away until no cycle is left.
    pub fn new(topology: &Topology) -> Self {
        let count = topology.owner.len();
        let mut sweep = Self { interior: Vec::with_capacity(count), feedback: Vec::new(), place: vec![None; count] };
        let next = |node: usize| topology.actions[node].clone().flat_map(|action| topology.targets(action)).copied();
        let mut edges = edges(count, next);
        let mut cyclic = vec![(0..count).collect::<Vec<usize>>()];
        while !cyclic.is_empty() {
            sweep.take_away(&cyclic, &edges);
            if sweep.feedback.len() > MOST_FEEDBACK {
                let feedback = (0..count).collect();
                return Self { interior: Vec::new(), feedback, place: (0..count).map(Some).collect() };
            }
            edges.retain(|(from, to)| sweep.keeps(*from) && sweep.keeps(*to));
            cyclic = sweep.order(&edges, count);
        }
        sweep
    }

    fn keeps(&self, node: u32) -> bool {
        self.place[node as usize].is_none()
    }

    /// Orders what is left; the components that still are cycles.
    fn order(&mut self, left: &[(u32, u32)], count: usize) -> Vec<Vec<usize>> {
        self.interior.clear();
        let (place, interior, mut cyclic) = (&self.place, &mut self.interior, Vec::new());
        each_component(count, left, |component| match component {
            [node] if left.binary_search(&(*node as u32, *node as u32)).is_err() => {
                interior.extend(Some(*node).filter(|node| place[*node].is_none()));
            }
            cycle => cyclic.push(cycle.to_vec()),
        });
        cyclic
    }

    /// Takes a node out of each of some components: the one with the most ways through it.
    fn take_away(&mut self, components: &[Vec<usize>], edges: &[(u32, u32)]) {
        let mut component_of = vec![None; self.place.len()];
        for (number, component) in components.iter().enumerate() {
            component.iter().for_each(|node| component_of[*node] = Some(number));
        }
        let (mut from, mut to) = (vec![0u64; self.place.len()], vec![0u64; self.place.len()]);
        for (source, target) in edges.iter().map(|(source, target)| (*source as usize, *target as usize)) {
            if component_of[source].is_some() && component_of[source] == component_of[target] {
                (from[source], to[target]) = (from[source] + 1, to[target] + 1);
            }
        }
        for component in components {
            let ways = |node: &&usize| (from[**node] * to[**node], std::cmp::Reverse(**node));
            let node = *component.iter().max_by_key(ways).expect("it has a node");
            self.place[node] = Some(self.feedback.len());
            self.feedback.push(node);
        }
    }
}

impl<F: Scalar> ChanceGame<'_, F> {
    /// Solves it, from the first action of each node on or from some policy. `go_on` is asked between rounds; `None` if it says
    /// no.
    pub fn solve(&self, sweep: &Sweep, from: Option<Vec<usize>>, go_on: &dyn Fn() -> bool) -> Option<Policies<F>> {
        let first = || self.topology.actions.iter().map(|actions| actions.start).collect();
        let mut policy = from.unwrap_or_else(first);
        for round in 0.. {
            if !go_on() {
                return None;
            }
            let (values, closed) = self.evaluate(sweep, &policy, &self.leave);
            let together = round < TOGETHER;
            let second = self.improve(Owner::Second, &values, &mut policy);
            let first = together && self.improve(Owner::First, &values, &mut policy);
            // The second's answer is whole before the first improves alone.
            let changed = first
                || second
                || self.hold(Owner::Second, &values, &mut policy)
                || (!together && self.improve(Owner::First, &values, &mut policy))
                || self.hold(Owner::First, &values, &mut policy);
            if !changed || round > self.most_rounds {
                return Some(Policies { policy, values, closed });
            }
        }
        unreachable!("it returns")
    }

    /// The value of an action, all nodes being worth `values`.
    pub fn value(&self, action: usize, leave: &F, values: &[F]) -> F {
        let edges = self.topology.edges[action].clone();
        let chances = self.topology.to[edges.clone()].iter().zip(&self.chance[edges]);
        chances.fold(leave.clone(), |sum, (to, chance)| sum.plus(&chance.times(&values[*to])))
    }

    /// What the nodes are worth under a pair of policies that leave with these values, and whether play may stay for ever.
    pub fn evaluate(&self, sweep: &Sweep, policy: &[usize], leave: &[F]) -> (Vec<F>, bool) {
        let (topology, wide) = (self.topology, sweep.feedback.len());
        // By node: the value and the chance of leaving, and the chances to come to the feedback nodes first.
        let mut leaving = vec![(F::ZERO, F::ZERO); topology.owner.len()];
        let mut forms = vec![F::ZERO; topology.owner.len() * wide];
        let mut form = vec![F::ZERO; wide];
        for node in sweep.interior.iter().chain(&sweep.feedback) {
            let action = policy[*node];
            let mut own = (leave[action].clone(), self.exit[action].clone());
            form.iter_mut().for_each(|chance| *chance = F::ZERO);
            for edge in topology.edges[action].clone() {
                let (to, chance) = (topology.to[edge], &self.chance[edge]);
                if let Some(place) = sweep.place[to] {
                    form[place] = form[place].plus(chance);
                    continue;
                }
                own = (own.0.plus(&chance.times(&leaving[to].0)), own.1.plus(&chance.times(&leaving[to].1)));
                for (sum, further) in form.iter_mut().zip(&forms[to * wide..(to + 1) * wide]) {
                    *sum = sum.plus(&chance.times(further));
                }
            }
            leaving[*node] = own;
            forms[node * wide..(node + 1) * wide].clone_from_slice(&form);
        }
        let system: Vec<(&(F, F), &[F])> =
            sweep.feedback.iter().map(|node| (&leaving[*node], &forms[node * wide..(node + 1) * wide])).collect();
        let (feedback, closed) = self.solve_system(&system);
        let mut values = vec![F::ZERO; topology.owner.len()];
        sweep.feedback.iter().zip(&feedback).for_each(|(node, value)| values[*node] = value.clone());
        for node in &sweep.interior {
            values[*node] = self.value(policy[*node], &leave[policy[*node]], &values);
        }
        (values, closed)
    }

    /// The values of the feedback nodes, from what leaving is worth, its chance, and the chances of each to come next.
    fn solve_system(&self, system: &[(&(F, F), &[F])]) -> (Vec<F>, bool) {
        let held = held_for_ever(system);
        let (mut component, mut leaving) =
            (Component { next: Vec::new(), leaving: Vec::new() }, Vec::with_capacity(system.len()));
        for (node, ((value, exit), chances)) in system.iter().enumerate() {
            let next = chances.iter().enumerate().filter(|(to, chance)| *to != node && **chance > F::ZERO);
            let (next, exit, value) = match held[node] {
                true => (Vec::new(), F::ONE, self.endless.clone()),
                false => (next.map(|(to, chance)| (to, chance.clone())).collect(), exit.clone(), value.clone()),
            };
            component.next.push(next);
            component.leaving.push(exit);
            leaving.push(value);
        }
        let eliminated = component.eliminate(|_| Ok::<_, ()>(())).expect("nobody stops it");
        (eliminated.values(leaving), held.contains(&true))
    }

    /// Switches each node of `owner` to a better action, if there is one; whether any was.
    fn improve(&self, owner: Owner, values: &[F], policy: &mut [usize]) -> bool {
        let mut improved = false;
        for node in self.topology.nodes_of(owner) {
            let value_of = |action: usize| self.value(action, &self.leave[action], values);
            let mut best = value_of(policy[node]);
            for action in self.topology.actions[node].clone() {
                let value = value_of(action);
                let gain = match owner {
                    Owner::First => value.minus(&best),
                    Owner::Second => best.minus(&value),
                };
                if gain > self.margin {
                    (best, policy[node], improved) = (value, action, true);
                }
            }
        }
        improved
    }

    /// Switches nodes of `player` to actions that hold play for ever where the other is ahead and cannot help it; whether
    /// there are any.
    fn hold(&self, player: Owner, values: &[F], policy: &mut [usize]) -> bool {
        if !self.topology.leaves.contains(&false) {
            return false;
        }
        let half = F::ratio(1, 2);
        let close = |a: &F, b: &F| a.minus(b) <= self.margin && b.minus(a) <= self.margin;
        let ahead = values.iter().map(|value| match value.partial_cmp(&half) {
            Some(Ordering::Greater) if !close(value, &half) => Some(Owner::First),
            Some(Ordering::Less) if !close(value, &half) => Some(Owner::Second),
            _ => None,
        });
        let ahead: Vec<Option<Owner>> = ahead.map(|ahead| ahead.filter(|owner| *owner != player)).collect();
        let mut optimal = vec![false; self.leave.len()];
        for node in self.topology.nodes() {
            for action in self.topology.actions[node].clone() {
                optimal[action] = close(&self.value(action, &self.leave[action], values), &values[node]);
            }
        }
        let Err(held) = self.topology.keep_progress(&ahead, &mut optimal) else { return false };
        let mut switched = false;
        for (node, action) in held {
            (policy[node], switched) = (action, switched || policy[node] != action);
        }
        switched
    }
}

/// The rows of a system from which play never leaves.
fn held_for_ever<F: Scalar>(system: &[(&(F, F), &[F])]) -> Vec<bool> {
    let mut held: Vec<bool> = system.iter().map(|((_, exit), _)| *exit == F::ZERO).collect();
    loop {
        let free = |node: usize, held: &[bool]| {
            system[node].1.iter().zip(held).any(|(chance, held)| !held && *chance > F::ZERO)
        };
        let freed: Vec<usize> = (0..held.len()).filter(|node| held[*node] && free(*node, &held)).collect();
        if freed.is_empty() {
            return held;
        }
        freed.into_iter().for_each(|node| held[node] = false);
    }
}
