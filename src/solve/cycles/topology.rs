//! A component of states that lead back to themselves, as a game between a first and a second player: who moves where, and
//! where each action may lead. What it is worth is told apart, by numbers of several kinds.
//!
//! These are the recursive games of Everett (1957) with perfect information; play that never leaves is worth one half.

use std::ops::Range;

use crate::dice::Weight;

use super::graph::Graph;

/// Who moves at a node.
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

/// The nodes of a component with their actions.
#[derive(Debug, Default)]
pub(in crate::solve) struct Topology {
    pub owner: Vec<Owner>,
    /// By node: its actions, at least one.
    pub actions: Vec<Range<usize>>,
    /// By action: its edges, to nodes that differ.
    pub edges: Vec<Range<usize>>,
    /// By action: whether it may leave the component.
    pub leaves: Vec<bool>,
    /// By edge: the node it leads to.
    pub to: Vec<usize>,
}

/// Where a component's nodes and actions come from in a graph.
pub(in crate::solve) struct Members {
    pub topology: Topology,
    /// By node: that of the graph.
    pub nodes: Vec<usize>,
    /// By action: the graph's choice.
    pub choices: Vec<usize>,
    /// By edge: the weight of the turns that take it.
    pub weights: Vec<Weight>,
}

/// That a node of a graph is not in the component.
const OUTSIDE: usize = usize::MAX;

impl Members {
    /// The nodes of a component with the player who moves there. Where both sides share their numbers, the players take turns
    /// along the cycle; a state may then appear once for each of them. `place` is scratch, all of it [`usize::MAX`].
    pub fn new<V>(graph: &Graph<V>, component: &[usize], two_sided: bool, place: &mut [[usize; 2]]) -> Self {
        const INSIDE: usize = usize::MAX - 1;
        let player_of = |node: usize| if two_sided { graph.nodes[node].side } else { 0 };
        component.iter().for_each(|node| place[*node] = [INSIDE; 2]);
        let mut members = vec![(component[0], player_of(component[0]))];
        place[members[0].0][members[0].1] = 0;
        let count = component.iter().map(|node| graph.nodes[*node].choices.len()).sum();
        let (edges, leaves) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let topology = Topology { edges, leaves, ..Topology::default() };
        let mut found = Self { topology, nodes: Vec::new(), choices: Vec::with_capacity(count), weights: Vec::new() };
        let topology = &mut found.topology;
        let mut next = 0;
        while let Some((node, player)) = members.get(next).copied() {
            let first_action = found.choices.len();
            for choice in graph.nodes[node].choices.clone() {
                let first_edge = topology.to.len();
                let mut inside = 0;
                for stay in &graph.stays[graph.choices[choice].stays.clone()] {
                    let mover = match (two_sided, stay.again) {
                        (true, _) => graph.nodes[stay.node as usize].side,
                        (false, true) => player,
                        (false, false) => 1 - player,
                    };
                    let at = match place[stay.node as usize][mover] {
                        OUTSIDE => continue,
                        INSIDE => {
                            members.push((stay.node as usize, mover));
                            place[stay.node as usize][mover] = members.len() - 1;
                            members.len() - 1
                        }
                        known => known,
                    };
                    inside += stay.weight;
                    match topology.to[first_edge..].iter().position(|to| *to == at) {
                        Some(known) => found.weights[first_edge + known] += stay.weight,
                        None => {
                            topology.to.push(at);
                            found.weights.push(stay.weight);
                        }
                    }
                }
                topology.edges.push(first_edge..topology.to.len());
                topology.leaves.push(inside < graph.choices[choice].total);
                found.choices.push(choice);
            }
            topology.actions.push(first_action..found.choices.len());
            topology.owner.push(Owner::BOTH[player]);
            next += 1;
        }
        found.nodes = members.into_iter().map(|(node, _)| node).collect();
        component.iter().for_each(|node| place[*node] = [OUTSIDE; 2]);
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

    /// The nodes that an action may lead to.
    pub fn targets(&self, action: usize) -> &[usize] {
        &self.to[self.edges[action].clone()]
    }

    /// Whether every action surely leaves, or surely leads to one node.
    pub fn is_deterministic(&self) -> bool {
        self.edges.iter().zip(&self.leaves).all(|(edges, leaves)| edges.is_empty() || (!leaves && edges.len() == 1))
    }

    /// Whether an action may lead out of some nodes.
    fn escapes(&self, action: usize, held: &[bool]) -> bool {
        self.leaves[action] || self.targets(action).iter().any(|to| !held[*to])
    }

    /// Drops from the `optimal` actions those that would let play stay for ever where their player is ahead: `ahead` tells by
    /// node who is. An action may be as good in one step and yet be no way to win a won game; any choice among those left, at
    /// any time, is worth the value.
    ///
    /// # Errors
    /// If the other player can hold play where one is ahead, whatever that one does: then the values are none. Those are nodes
    /// where the other can, each with the action that does.
    pub fn keep_progress(&self, ahead: &[Option<Owner>], optimal: &mut [bool]) -> Result<(), Vec<(usize, usize)>> {
        for owner in Owner::BOTH {
            let mut held: Vec<bool> = ahead.iter().map(|ahead| *ahead == Some(owner)).collect();
            while self.release(owner, optimal, &mut held) {
                let mut dropped = false;
                for node in self.nodes_of(owner).filter(|node| held[*node]) {
                    let escapes = |action: &usize| optimal[*action] && self.escapes(*action, &held);
                    if self.actions[node].clone().any(|action| escapes(&action)) {
                        let staying: Vec<usize> = self.actions[node].clone().filter(|at| !escapes(at)).collect();
                        staying.into_iter().for_each(|action| optimal[action] = false);
                        dropped = true;
                    }
                }
                if !dropped {
                    return Err(self.held(owner.opponent(), &held));
                }
            }
        }
        Ok(())
    }

    /// Frees nodes, one after another, whose every action may lead out of the held ones, for `owner` of the optimal ones;
    /// whether any is left.
    fn release(&self, owner: Owner, optimal: &[bool], held: &mut [bool]) -> bool {
        loop {
            let free = |node: usize, held: &[bool]| {
                let mine = self.owner[node] == owner;
                self.actions[node].clone().filter(|at| !mine || optimal[*at]).all(|action| self.escapes(action, held))
            };
            let mut freed = false;
            for node in self.nodes() {
                if held[node] && free(node, held) {
                    (held[node], freed) = (false, true);
                }
            }
            if !freed {
                return held.contains(&true);
            }
        }
    }

    fn held(&self, by: Owner, held: &[bool]) -> Vec<(usize, usize)> {
        let staying = |node: usize| self.actions[node].clone().find(|action| !self.escapes(*action, held));
        let nodes = self.nodes_of(by).filter(|node| held[*node]);
        nodes.filter_map(|node| Some((node, staying(node)?))).collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// An action of a test: what leaving by it is worth, or the node that it surely leads to.
    pub enum Way<V> {
        Leave(V),
        Pass(usize),
    }

    pub fn leave<V>(value: V) -> Way<V> {
        Way::Leave(value)
    }

    pub fn pass<V>(node: usize) -> Way<V> {
        Way::Pass(node)
    }

    /// Nodes with their actions, and by action what leaving by it is worth.
    pub fn topology<V: Clone + Default>(nodes: &[(Owner, Vec<Way<V>>)]) -> (Topology, Vec<V>) {
        let (mut topology, mut leaving) = (Topology::default(), Vec::new());
        for (owner, ways) in nodes {
            let first = leaving.len();
            for way in ways {
                let edge = topology.to.len();
                match way {
                    Way::Leave(value) => leaving.push(value.clone()),
                    Way::Pass(node) => {
                        topology.to.push(*node);
                        leaving.push(V::default());
                    }
                }
                topology.edges.push(edge..topology.to.len());
                topology.leaves.push(matches!(way, Way::Leave(_)));
            }
            topology.owner.push(*owner);
            topology.actions.push(first..leaving.len());
        }
        (topology, leaving)
    }

    #[test]
    fn passing_for_ever_is_no_way_to_win_a_won_game() {
        // Leaving wins, and passing leads to an opponent who loses by leaving: worth the same in one step.
        let (topology, _) =
            topology(&[(Owner::First, vec![leave(10), pass(1)]), (Owner::Second, vec![leave(10), pass(0)])]);
        let mut optimal = [true; 4];
        assert_eq!(topology.keep_progress(&[Some(Owner::First); 2], &mut optimal), Ok(()));
        assert_eq!(optimal, [true, false, true, true], "only leaving wins; the lost side may do either");
    }

    #[test]
    fn who_is_held_for_ever_is_not_ahead() {
        let (topology, _) =
            topology(&[(Owner::First, vec![leave(3), pass(1)]), (Owner::Second, vec![leave(10), pass(0)])]);
        let mut optimal = [false, true, true, true];
        let held = topology.keep_progress(&[Some(Owner::First); 2], &mut optimal);
        assert_eq!(held, Err(vec![(1, 3)]), "the second passes back");
    }
}
