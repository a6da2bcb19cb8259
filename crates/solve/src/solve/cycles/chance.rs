//! Components with chance, by policy iteration.
//!
//! **Evaluation.** A pair of policies gives a linear system. Removing a small set of nodes
//! (*feedback* nodes, in Pig the starts of both players' turns) leaves no cycle, so the value of
//! every other node is an affine form of theirs, computed in one sweep; the remaining small system
//! of the feedback nodes is solved by elimination. Where many nodes would have to be removed, all are
//! eliminated, along the edges of the policies alone, which are few. No operation subtracts one
//! probability from another, so slow cycles keep their accuracy. In numbers of more digits, such a
//! system is solved in doubles and refined.
//!
//! **Improvement.** Strategy iteration (Hoffman and Karp, 1966): the second player answers each
//! policy of the first with a best response, improving node by node. In the first rounds both
//! players improve together, which usually ends sooner but proves nothing. When no action is better
//! in one step, one error may remain: the opponent of a player who is ahead may be able to keep
//! play in the component for ever, which is worth one half (Everett's condition). Then the opponent
//! switches to the actions that do so, and the iteration continues. Each round that improves one
//! player's answer changes its value in one direction only, so no policy is repeated; the iteration
//! ends, and its result is the value: see [`Topology::drop_stalling`].

use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

use crate::linear::{Component, Elimination, Scalar};
use crate::solve::components::each_component;

use super::GoOn;
use super::topology::{Owner, Topology};

/// A component with its probabilities; values are the first player's.
pub(super) struct ChanceGame<'t, F: Scalar> {
    pub topology: &'t Topology,
    pub precision: F::Precision,
    /// By action: the value of leaving by it, times the probability of leaving.
    pub leave: Vec<F>,
    /// By action: the probability of leaving.
    pub exit: Vec<F>,
    /// By edge: its probability.
    pub chance: Vec<F>,
    /// The value of endless play.
    pub endless: F,
    /// The least improvement for which a policy switches to another action.
    pub margin: F,
    /// The most rounds: in floats, rounding may prevent the iteration from ending.
    pub most_rounds: usize,
    /// Values are rounded to multiples of this, so that equal ones are equal in all digits.
    pub grain: Option<F>,
    /// The same game in doubles, if systems of many nodes are solved in doubles and refined.
    pub doubles: Option<Box<ChanceGame<'t, f64>>>,
    /// The last system of many nodes: those of the same policies are needed several times in a row.
    pub last: RefCell<Option<Rc<System<F>>>>,
}

/// A pair of policies (the action of each node), and the values of the nodes under them.
pub(super) struct Policies<F> {
    pub policy: Vec<usize>,
    pub values: Vec<F>,
}

/// What play under a pair of policies yields.
#[derive(Clone, Copy)]
pub(super) struct Rewards<'r, F> {
    /// By node: the value of leaving, times its probability.
    pub leave: &'r [F],
    /// The value of endless play.
    pub endless: &'r F,
}

/// The equations of the values under a pair of policies, with all nodes eliminated.
pub(super) struct System<F> {
    policy: Vec<usize>,
    eliminated: Elimination<F>,
    /// By node: whether play never leaves from it.
    endless: Vec<bool>,
}

/// The least improvement for which a policy in floats switches to another action, in units.
pub(super) const MARGIN: f64 = 4.0;
/// The most rounds in doubles that are only a start.
const MOST_FIRST_ROUNDS: usize = 60;
/// The rounds in which both players improve together.
const JOINT_ROUNDS: usize = 30;
/// With more feedback nodes than this, all nodes are eliminated one after another instead, along the
/// edges of the policies alone.
const MOST_FEEDBACK: usize = 64;
/// Values are refined until no equation is off by more than so many units, and at most so many times.
const REFINED: f64 = 64.0;
const MOST_REFINEMENTS: usize = 60;

/// The feedback nodes of a component, and the order in which the others are evaluated.
pub(in crate::solve) struct NodeOrder {
    /// All other nodes, each after all interior nodes that it leads to.
    interior: Vec<usize>,
    feedback: Vec<usize>,
    /// By node: its index in `feedback`.
    place: Vec<Option<usize>>,
}

impl NodeOrder {
    /// Removes nodes from a strongly connected component until no cycle is left.
    pub fn new(topology: &Topology) -> Self {
        let count = topology.owner.len();
        let next = topology.all_next();
        let mut order = Self {
            interior: Vec::with_capacity(count),
            feedback: Vec::new(),
            place: vec![None; count],
        };
        // Each of these cycles needs a feedback node of its own.
        if disjoint_short_cycles(&next) > MOST_FEEDBACK {
            return Self::all(count);
        }
        let mut cyclic = vec![(0..count as u32).collect::<Vec<u32>>()];
        while !cyclic.is_empty() {
            order.remove_feedback_nodes(&cyclic, &next);
            if order.feedback.len() > MOST_FEEDBACK {
                return Self::all(count);
            }
            cyclic = order.order_interior(&next);
        }
        order
    }

    /// All nodes as feedback nodes.
    fn all(count: usize) -> Self {
        Self {
            interior: Vec::new(),
            feedback: (0..count).collect(),
            place: (0..count).map(Some).collect(),
        }
    }

    /// Whether all nodes are feedback nodes.
    pub fn eliminates_all(&self) -> bool {
        self.interior.is_empty()
    }

    /// Orders the interior nodes along the remaining edges; returns the components that still have
    /// cycles.
    fn order_interior(&mut self, next: &[Vec<u32>]) -> Vec<Vec<u32>> {
        self.interior.clear();
        let (place, interior, mut cyclic) = (&self.place, &mut self.interior, Vec::new());
        let is_interior = |node: u32| place[node as usize].is_none();
        let remaining = |node: u32| {
            let targets = if is_interior(node) { &next[node as usize][..] } else { &[] };
            targets.iter().copied().filter(|to| is_interior(*to))
        };
        each_component::<()>(
            place.len(),
            |node, targets| targets.extend(remaining(node as u32)),
            |component| {
                match *component {
                    [node] if remaining(node).all(|to| to != node) => {
                        interior.extend(Some(node as usize).filter(|_| is_interior(node)));
                    }
                    _ => cyclic.push(component.to_vec()),
                }
                Ok(())
            },
        )
        .expect("nothing fails");
        cyclic
    }

    /// Removes one node from each component: the one with the most paths through it (edges in times
    /// edges out).
    fn remove_feedback_nodes(&mut self, components: &[Vec<u32>], next: &[Vec<u32>]) {
        let mut component_of = vec![None; self.place.len()];
        for (number, component) in components.iter().enumerate() {
            component.iter().for_each(|node| component_of[*node as usize] = Some(number));
        }
        let (mut from, mut to) = (vec![0u64; self.place.len()], vec![0u64; self.place.len()]);
        for source in components.iter().flatten().map(|node| *node as usize) {
            for target in next[source].iter().map(|node| *node as usize) {
                if component_of[target] == component_of[source] {
                    from[source] += 1;
                    to[target] += 1;
                }
            }
        }
        for component in components {
            let paths = |node: &usize| (from[*node] * to[*node], std::cmp::Reverse(*node));
            let node = component.iter().map(|node| *node as usize).max_by_key(paths);
            let node = node.expect("a component has a node");
            self.place[node] = Some(self.feedback.len());
            self.feedback.push(node);
        }
    }
}

/// Counts cycles of one or two nodes that share no node, taken as they are found.
fn disjoint_short_cycles(next: &[Vec<u32>]) -> usize {
    let mut is_free: Vec<bool> =
        next.iter().zip(0..).map(|(targets, node)| !targets.contains(&node)).collect();
    let mut count = is_free.iter().filter(|is_free| !**is_free).count();
    for node in 0..next.len() {
        let mut targets = next[node].iter().map(|to| *to as usize);
        let returns = |to: &usize| is_free[*to] && next[*to].contains(&(node as u32));
        if is_free[node]
            && let Some(to) = targets.find(returns)
        {
            (is_free[node], is_free[to]) = (false, false);
            count += 1;
        }
    }
    count
}

impl<'t, F: Scalar> ChanceGame<'t, F> {
    /// The same game in doubles, for the first policies.
    pub fn in_doubles(&self) -> ChanceGame<'t, f64> {
        let doubles = |numbers: &[F]| numbers.iter().map(F::to_double).collect();
        ChanceGame {
            topology: self.topology,
            precision: (),
            leave: doubles(&self.leave),
            exit: doubles(&self.exit),
            chance: doubles(&self.chance),
            endless: self.endless.to_double(),
            margin: f64::units((), MARGIN),
            most_rounds: MOST_FIRST_ROUNDS,
            grain: None,
            doubles: None,
            last: RefCell::default(),
        }
    }

    /// The first action of each node, or the best if the nodes have given values.
    pub fn first_policy(&self, near: Option<&[F]>) -> Vec<usize> {
        let mut policy: Vec<usize> =
            self.topology.actions.iter().map(|actions| actions.start).collect();
        if let Some(near) = near {
            for owner in Owner::BOTH {
                self.improve(owner, near, &mut policy);
            }
        }
        policy
    }

    /// Solves the component, from given actions; `None` if `go_on`, called between rounds, returns
    /// false.
    pub fn solve(
        &self,
        order: &NodeOrder,
        mut policy: Vec<usize>,
        go_on: GoOn,
    ) -> Option<Policies<F>> {
        for round in 0.. {
            if !go_on() {
                return None;
            }
            let values = self.evaluate(order, &policy, go_on)?;
            let joint = round < JOINT_ROUNDS;
            let second = self.improve(Owner::Second, &values, &mut policy);
            let first = joint && self.improve(Owner::First, &values, &mut policy);
            // After the joint rounds, the first player improves only once the second's answer is
            // complete.
            let changed = first
                || second
                || self.force_endless_play(Owner::Second, &values, &mut policy)
                || (!joint && self.improve(Owner::First, &values, &mut policy))
                || self.force_endless_play(Owner::First, &values, &mut policy);
            if !changed || round > self.most_rounds {
                return Some(Policies { policy, values });
            }
        }
        unreachable!("the last round returns")
    }

    /// The value of an action, given the values of the nodes.
    pub fn value(&self, action: usize, leave: &F, values: &[F]) -> F {
        let edges = self.topology.edges[action].clone();
        let chances = self.topology.to[edges.clone()].iter().zip(&self.chance[edges]);
        chances.fold(leave.clone(), |sum, (to, chance)| sum.plus(&chance.times(&values[*to])))
    }

    /// Returns the nodes' values under a pair of policies; `None` if `go_on` returns false.
    fn evaluate(&self, order: &NodeOrder, policy: &[usize], go_on: GoOn) -> Option<Vec<F>> {
        let leave: Vec<F> = policy.iter().map(|action| self.leave[*action].clone()).collect();
        let enough = F::units(self.precision, REFINED);
        let rewards = Rewards { leave: &leave, endless: &self.endless };
        let mut values = self.values(order, policy, &rewards, &enough, go_on)?;
        if let Some(grain) = &self.grain {
            // Values that are equal shall be equal in all digits.
            let coarse = grain.over(&F::units(self.precision, 1.0));
            values.iter_mut().for_each(|value| *value = value.plus(&coarse).minus(&coarse));
        }
        Some(values)
    }

    /// Returns the nodes' values under a pair of policies with given rewards; `None` if `go_on` returns
    /// false. Where they are refined, no equation is off by more than `enough`.
    pub fn values(
        &self,
        order: &NodeOrder,
        policy: &[usize],
        rewards: &Rewards<F>,
        enough: &F,
        go_on: GoOn,
    ) -> Option<Vec<F>> {
        if !order.eliminates_all() {
            return self.values_in_order(order, policy, rewards, go_on);
        }
        if let Some(doubles) = &self.doubles
            && let Some(values) = self.refined(doubles, policy, rewards, enough, go_on)
        {
            return Some(values);
        }
        Some(self.system(policy, go_on)?.values(rewards))
    }

    /// Returns the equations under a pair of policies; `None` if `go_on` returns false.
    fn system(&self, policy: &[usize], go_on: GoOn) -> Option<Rc<System<F>>> {
        if let Some(last) = self.last.borrow().as_ref().filter(|last| last.policy == policy) {
            return Some(last.clone());
        }
        let (topology, endless) = (self.topology, self.endless_nodes(policy));
        let mut component = Component {
            next: Vec::with_capacity(policy.len()),
            leaving: Vec::with_capacity(policy.len()),
        };
        for (node, action) in policy.iter().enumerate() {
            if endless[node] {
                component.next.push(Vec::new());
                component.leaving.push(F::ratio(self.precision, 1, 1));
                continue;
            }
            let edges = topology.edges[*action].clone();
            let edges = edges.filter(|edge| topology.to[*edge] != node);
            let mut next: Vec<(usize, F)> =
                edges.map(|edge| (topology.to[edge], self.chance[edge].clone())).collect();
            next.sort_unstable_by_key(|(to, _)| *to);
            component.next.push(next);
            component.leaving.push(self.exit[*action].clone());
        }
        let eliminated = component.eliminate(|_| if go_on() { Ok(()) } else { Err(()) }).ok()?;
        let system = Rc::new(System { policy: policy.to_vec(), eliminated, endless });
        self.last.replace(Some(system.clone()));
        Some(system)
    }

    /// As [`Self::values`], solved in doubles and refined by what the equations are then off, which is
    /// computed in the numbers of this game (Wilkinson, 1963). As elimination in doubles keeps the
    /// accuracy of slow cycles, each refinement gives many digits; `None` if the cycles are too slow.
    fn refined(
        &self,
        doubles: &ChanceGame<f64>,
        policy: &[usize],
        rewards: &Rewards<F>,
        enough: &F,
        go_on: GoOn,
    ) -> Option<Vec<F>> {
        let system = doubles.system(policy, go_on)?;
        let mut values: Vec<F> =
            system.endless.iter().map(|is| rewards.of_endless(*is, &F::ZERO).clone()).collect();
        let mut before = f64::INFINITY;
        for _ in 0..MOST_REFINEMENTS {
            let off = |node: usize| match system.endless[node] {
                true => F::ZERO,
                false => {
                    self.value(policy[node], &rewards.leave[node], &values).minus(&values[node])
                }
            };
            let off: Vec<F> = (0..policy.len()).map(off).collect();
            let largest = off.iter().map(|off| off.over(enough).to_double().abs());
            let largest = largest.fold(0.0, f64::max);
            if largest <= 1.0 {
                return Some(values);
            }
            if largest > before / 2.0 || !go_on() {
                return None;
            }
            before = largest;
            // Of one sign each, so that nothing is subtracted.
            let change = |sign: f64| {
                let of_sign = off.iter().map(|off| (sign * off.to_double()).max(0.0));
                let leave: Vec<f64> = of_sign.collect();
                system.values(&Rewards { leave: &leave, endless: &0.0 })
            };
            for ((value, up), down) in values.iter_mut().zip(change(1.0)).zip(change(-1.0)) {
                // Chances too small for doubles are 0 there, and their quotients no numbers.
                let change = Some(up - down).filter(|change| change.is_finite())?;
                *value = value.plus(&F::from_double(self.precision, change));
            }
        }
        None
    }

    /// By node: whether play under a pair of policies never leaves the component.
    pub fn endless_nodes(&self, policy: &[usize]) -> Vec<bool> {
        let mut from = vec![Vec::new(); policy.len()];
        let (mut ends, mut endless) = (Vec::new(), vec![true; policy.len()]);
        for (node, action) in policy.iter().enumerate() {
            self.topology.targets(*action).iter().for_each(|to| from[*to].push(node));
            if self.topology.leaves[*action] {
                endless[node] = false;
                ends.push(node);
            }
        }
        while let Some(node) = ends.pop() {
            for before in &from[node] {
                if std::mem::replace(&mut endless[*before], false) {
                    ends.push(*before);
                }
            }
        }
        endless
    }

    /// Returns the nodes' values under a pair of policies, by eliminating the feedback nodes.
    fn values_in_order(
        &self,
        order: &NodeOrder,
        policy: &[usize],
        rewards: &Rewards<F>,
        go_on: GoOn,
    ) -> Option<Vec<F>> {
        let (topology, wide) = (self.topology, order.feedback.len());
        // By node: the value and probability of leaving before any feedback node, and that of
        // reaching each of them first.
        let mut leaving = vec![(F::ZERO, F::ZERO); topology.owner.len()];
        let mut forms = vec![F::ZERO; topology.owner.len() * wide];
        let mut form = vec![F::ZERO; wide];
        for node in order.interior.iter().chain(&order.feedback) {
            let action = policy[*node];
            let mut own = (rewards.leave[*node].clone(), self.exit[action].clone());
            form.iter_mut().for_each(|chance| *chance = F::ZERO);
            for edge in topology.edges[action].clone() {
                let (to, chance) = (topology.to[edge], &self.chance[edge]);
                if let Some(place) = order.place[to] {
                    form[place] = form[place].plus(chance);
                    continue;
                }
                own = (
                    own.0.plus(&chance.times(&leaving[to].0)),
                    own.1.plus(&chance.times(&leaving[to].1)),
                );
                for (sum, further) in form.iter_mut().zip(&forms[to * wide..(to + 1) * wide]) {
                    *sum = sum.plus(&chance.times(further));
                }
            }
            leaving[*node] = own;
            forms[node * wide..(node + 1) * wide].clone_from_slice(&form);
        }
        let system: Vec<(&(F, F), &[F])> = order
            .feedback
            .iter()
            .map(|node| (&leaving[*node], &forms[node * wide..(node + 1) * wide]))
            .collect();
        let feedback = self.solve_system(&system, rewards.endless, go_on)?;
        let mut values = vec![F::ZERO; topology.owner.len()];
        order
            .feedback
            .iter()
            .zip(&feedback)
            .for_each(|(node, value)| values[*node] = value.clone());
        for node in &order.interior {
            values[*node] = self.value(policy[*node], &rewards.leave[*node], &values);
        }
        Some(values)
    }

    /// Returns the values of the feedback nodes. Each row has the value and the probability of leaving,
    /// and the probabilities of each feedback node to come next.
    fn solve_system(
        &self,
        system: &[(&(F, F), &[F])],
        of_endless: &F,
        go_on: GoOn,
    ) -> Option<Vec<F>> {
        let endless = endless_rows(system);
        let (mut component, mut leaving) =
            (Component { next: Vec::new(), leaving: Vec::new() }, Vec::with_capacity(system.len()));
        for (node, ((value, exit), chances)) in system.iter().enumerate() {
            let next =
                chances.iter().enumerate().filter(|(to, chance)| *to != node && **chance > F::ZERO);
            let (next, exit, value) = match endless[node] {
                true => (Vec::new(), F::ratio(self.precision, 1, 1), of_endless.clone()),
                false => (
                    next.map(|(to, chance)| (to, chance.clone())).collect(),
                    exit.clone(),
                    value.clone(),
                ),
            };
            component.next.push(next);
            component.leaving.push(exit);
            leaving.push(value);
        }
        let eliminated = component.eliminate(|_| if go_on() { Ok(()) } else { Err(()) }).ok()?;
        Some(eliminated.values(leaving))
    }

    /// Switches each node of `owner` to a better action, if there is one; returns whether any was
    /// switched.
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

    /// Switches nodes of `player` to actions that keep play in the component where the other player
    /// is ahead and cannot prevent it; returns whether any was switched.
    fn force_endless_play(&self, player: Owner, values: &[F], policy: &mut [usize]) -> bool {
        if !self.topology.leaves.contains(&false) {
            return false;
        }
        let half = F::ratio(self.precision, 1, 2);
        let close = |a: &F, b: &F| a.minus(b) <= self.margin && b.minus(a) <= self.margin;
        let ahead = values.iter().map(|value| match value.partial_cmp(&half) {
            Some(Ordering::Greater) if !close(value, &half) => Some(Owner::First),
            Some(Ordering::Less) if !close(value, &half) => Some(Owner::Second),
            _ => None,
        });
        let ahead: Vec<Option<Owner>> =
            ahead.map(|ahead| ahead.filter(|owner| *owner != player)).collect();
        let mut optimal = vec![false; self.leave.len()];
        for node in self.topology.nodes() {
            for action in self.topology.actions[node].clone() {
                optimal[action] =
                    close(&self.value(action, &self.leave[action], values), &values[node]);
            }
        }
        let Err(endless) = self.topology.drop_stalling(&ahead, &mut optimal) else { return false };
        let mut switched = false;
        for (node, action) in endless {
            (policy[node], switched) = (action, switched || policy[node] != action);
        }
        switched
    }
}

impl<F: Scalar> Rewards<'_, F> {
    /// The reward of endless play, or another one.
    fn of_endless<'f>(&'f self, is_endless: bool, other: &'f F) -> &'f F {
        if is_endless { self.endless } else { other }
    }
}

impl<F: Scalar> System<F> {
    /// Returns the nodes' values.
    fn values(&self, rewards: &Rewards<F>) -> Vec<F> {
        let rewards = rewards
            .leave
            .iter()
            .zip(&self.endless)
            .map(|(leave, is_endless)| rewards.of_endless(*is_endless, leave).clone());
        self.eliminated.values(rewards.collect())
    }
}

/// Returns which rows of a system play never leaves from.
fn endless_rows<F: Scalar>(system: &[(&(F, F), &[F])]) -> Vec<bool> {
    let mut endless: Vec<bool> = system.iter().map(|((_, exit), _)| *exit == F::ZERO).collect();
    loop {
        let free = |node: usize, endless: &[bool]| {
            system[node]
                .1
                .iter()
                .zip(endless)
                .any(|(chance, endless)| !endless && *chance > F::ZERO)
        };
        let freed: Vec<usize> =
            (0..endless.len()).filter(|node| endless[*node] && free(*node, &endless)).collect();
        if freed.is_empty() {
            return endless;
        }
        freed.into_iter().for_each(|node| endless[node] = false);
    }
}
