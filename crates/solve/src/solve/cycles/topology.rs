//! A component as a game between a first and a second player: who moves where, and where each
//! action may lead. Values are kept apart, so that they may be numbers of several types.
//!
//! This is a recursive game (Everett, 1957) with perfect information; play that never leaves is
//! worth one half.

use std::ops::Range;

use crate::dice::Weight;

use super::solving::Component;

/// The player who moves at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solve) enum Owner {
    /// Maximizes the first player's win rate.
    First,
    /// Minimizes it.
    Second,
}

impl Owner {
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    pub fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

#[derive(Debug, Default)]
pub(in crate::solve) struct Topology {
    pub owner: Vec<Owner>,
    /// By node: its actions, at least one.
    pub actions: Vec<Range<usize>>,
    /// By action: its edges, each to a different node.
    pub edges: Vec<Range<usize>>,
    /// By action: whether it may leave the component.
    pub leaves: Vec<bool>,
    /// By edge: the node it leads to.
    pub to: Vec<usize>,
}

/// A component's topology, with the corresponding nodes and choices of the component.
pub(in crate::solve) struct Members {
    pub topology: Topology,
    /// By node: its place in the component.
    pub nodes: Vec<usize>,
    /// By action: the component's choice.
    pub choices: Vec<usize>,
    /// By edge: the weight of the outcomes that take it.
    pub weights: Vec<Weight>,
}

impl Members {
    /// Collects the nodes of a component. If both sides share their values (`two_sided` is false),
    /// the players alternate along a cycle, so a state may appear once for each.
    pub fn new<V>(component: &Component<V>, two_sided: bool) -> Self {
        const NEW: usize = usize::MAX;
        let player_of = |node: usize| if two_sided { component.sides[node] } else { 0 };
        let mut place = vec![[NEW; 2]; component.sides.len()];
        let mut members = vec![(0, player_of(0))];
        place[0][player_of(0)] = 0;
        let count = component.choices.list.len();
        let (edges, leaves) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let topology = Topology { edges, leaves, ..Topology::default() };
        let mut found = Self {
            topology,
            nodes: Vec::new(),
            choices: Vec::with_capacity(count),
            weights: Vec::new(),
        };
        let topology = &mut found.topology;
        let mut next = 0;
        while let Some((node, player)) = members.get(next).copied() {
            let first_action = found.choices.len();
            for number in component.of_node[node].clone() {
                let choice = &component.choices.list[number];
                let first_edge = topology.to.len();
                let mut inside = 0;
                for number in choice.edges.clone() {
                    let edge = &component.choices.edges[number];
                    let Some(to) = component.inside[number] else { continue };
                    let mover = match (two_sided, edge.again) {
                        (true, _) => component.sides[to],
                        (false, true) => player,
                        (false, false) => 1 - player,
                    };
                    if place[to][mover] == NEW {
                        place[to][mover] = members.len();
                        members.push((to, mover));
                    }
                    let at = place[to][mover];
                    inside += edge.weight;
                    match topology.to[first_edge..].iter().position(|to| *to == at) {
                        Some(known) => found.weights[first_edge + known] += edge.weight,
                        None => {
                            topology.to.push(at);
                            found.weights.push(edge.weight);
                        }
                    }
                }
                topology.edges.push(first_edge..topology.to.len());
                topology.leaves.push(inside < choice.total);
                found.choices.push(number);
            }
            topology.actions.push(first_action..found.choices.len());
            topology.owner.push(Owner::BOTH[player]);
            next += 1;
        }
        found.nodes = members.into_iter().map(|(node, _)| node).collect();
        found
    }
}

impl Topology {
    pub fn nodes(&self) -> Range<usize> {
        0..self.owner.len()
    }

    pub fn nodes_of(&self, owner: Owner) -> impl Iterator<Item = usize> {
        self.nodes().filter(move |node| self.owner[*node] == owner)
    }

    pub fn targets(&self, action: usize) -> &[usize] {
        &self.to[self.edges[action].clone()]
    }

    /// By node: the nodes that its actions may lead to, each once, in the order of their last edges.
    pub fn all_next(&self) -> Vec<Vec<u32>> {
        // By node: the last node that was found to lead to it.
        let mut seen_from = vec![usize::MAX; self.owner.len()];
        let next = |node: usize| {
            let targets = self.actions[node].clone().flat_map(|action| self.targets(action));
            let mut next: Vec<u32> = targets
                .rev()
                .filter(|to| std::mem::replace(&mut seen_from[**to], node) != node)
                .map(|to| *to as u32)
                .collect();
            next.reverse();
            next
        };
        self.nodes().map(next).collect()
    }

    /// Whether every action leaves with certainty, or leads to one node with certainty.
    pub fn is_deterministic(&self) -> bool {
        self.edges
            .iter()
            .zip(&self.leaves)
            .all(|(edges, leaves)| edges.is_empty() || (!leaves && edges.len() == 1))
    }

    /// Whether an action may lead out of a set of nodes.
    fn escapes(&self, action: usize, trap: &[bool]) -> bool {
        self.leaves[action] || self.targets(action).iter().any(|to| !trap[*to])
    }

    /// Removes from the `optimal` actions those by which a player who is ahead would let play stay
    /// in the component for ever; `ahead` gives the player who is ahead at each node. Such an
    /// action has the same one-step value but never wins. Any choice among the remaining
    /// actions, at any time, keeps the value.
    ///
    /// # Errors
    /// Returns an error if the opponent of a player who is ahead can keep play inside for ever:
    /// then the values are not correct. It lists the nodes where the opponent moves, each with
    /// an action that keeps play inside.
    pub fn drop_stalling(
        &self,
        ahead: &[Option<Owner>],
        optimal: &mut [bool],
    ) -> Result<(), Vec<(usize, usize)>> {
        for owner in Owner::BOTH {
            let mut trap: Vec<bool> = ahead.iter().map(|ahead| *ahead == Some(owner)).collect();
            while self.shrink_trap(owner, optimal, &mut trap) {
                let mut dropped = false;
                for node in self.nodes_of(owner).filter(|node| trap[*node]) {
                    let escapes = |action: &usize| optimal[*action] && self.escapes(*action, &trap);
                    if self.actions[node].clone().any(|action| escapes(&action)) {
                        let staying: Vec<usize> =
                            self.actions[node].clone().filter(|at| !escapes(at)).collect();
                        staying.into_iter().for_each(|action| optimal[action] = false);
                        dropped = true;
                    }
                }
                if !dropped {
                    return Err(self.trapping_actions(owner.opponent(), &trap));
                }
            }
        }
        Ok(())
    }

    /// Removes nodes from `trap` until each remaining node has an action that stays in it with
    /// certainty; of the actions of `owner`, only optimal ones count. Returns whether any node
    /// remains.
    fn shrink_trap(&self, owner: Owner, optimal: &[bool], trap: &mut [bool]) -> bool {
        loop {
            let escaping = |node: usize, trap: &[bool]| {
                let mine = self.owner[node] == owner;
                self.actions[node]
                    .clone()
                    .filter(|at| !mine || optimal[*at])
                    .all(|action| self.escapes(action, trap))
            };
            let mut removed = false;
            for node in self.nodes() {
                if trap[node] && escaping(node, trap) {
                    (trap[node], removed) = (false, true);
                }
            }
            if !removed {
                return trap.contains(&true);
            }
        }
    }

    fn trapping_actions(&self, by: Owner, trap: &[bool]) -> Vec<(usize, usize)> {
        let staying =
            |node: usize| self.actions[node].clone().find(|action| !self.escapes(*action, trap));
        let nodes = self.nodes_of(by).filter(|node| trap[*node]);
        nodes.filter_map(|node| Some((node, staying(node)?))).collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use TestAction::*;

    /// An action of a test: leaving with a value, or moving to a node with certainty.
    pub enum TestAction<V> {
        Leave(V),
        MoveTo(usize),
    }

    /// Builds a topology from nodes with their actions; also returns the value of leaving by each
    /// action.
    pub fn topology<V: Clone + Default>(
        nodes: &[(Owner, Vec<TestAction<V>>)],
    ) -> (Topology, Vec<V>) {
        let (mut topology, mut leaving) = (Topology::default(), Vec::new());
        for (owner, actions) in nodes {
            let first = leaving.len();
            for action in actions {
                let edge = topology.to.len();
                match action {
                    Leave(value) => leaving.push(value.clone()),
                    MoveTo(node) => {
                        topology.to.push(*node);
                        leaving.push(V::default());
                    }
                }
                topology.edges.push(edge..topology.to.len());
                topology.leaves.push(matches!(action, Leave(_)));
            }
            topology.owner.push(*owner);
            topology.actions.push(first..leaving.len());
        }
        (topology, leaving)
    }

    #[test]
    fn passing_for_ever_is_not_optimal_for_the_player_who_is_ahead() {
        // Leaving wins. Passing leads to an opponent who loses by leaving: the same one-step value.
        let (topology, _) = topology(&[
            (Owner::First, vec![Leave(10), MoveTo(1)]),
            (Owner::Second, vec![Leave(10), MoveTo(0)]),
        ]);
        let mut optimal = [true; 4];
        assert_eq!(topology.drop_stalling(&[Some(Owner::First); 2], &mut optimal), Ok(()));
        assert_eq!(
            optimal,
            [true, false, true, true],
            "only leaving wins; the losing player may do either"
        );
    }

    #[test]
    fn a_player_who_cannot_leave_is_not_ahead() {
        let (topology, _) = topology(&[
            (Owner::First, vec![Leave(3), MoveTo(1)]),
            (Owner::Second, vec![Leave(10), MoveTo(0)]),
        ]);
        let mut optimal = [false, true, true, true];
        let held = topology.drop_stalling(&[Some(Owner::First); 2], &mut optimal);
        assert_eq!(held, Err(vec![(1, 3)]), "the second player passes back");
    }
}
