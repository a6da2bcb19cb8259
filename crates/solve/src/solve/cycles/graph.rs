//! The graph of states with turns among them.

use std::ops::Range;

use crate::dice::Weight;

/// States, and the turns among them, as the solver reads them: node by node. A graph may be a
/// stored [`Graph`] or derive its turns from the game each time they are read.
pub(in crate::solve) trait Turns {
    type Value;

    /// The number of nodes.
    fn count(&self) -> usize;
    /// The side that moves at a node.
    fn side(&self, node: usize) -> usize;
    /// Appends the nodes that the turns of a node may lead to, possibly with duplicates.
    fn append_targets(&self, node: usize, targets: &mut Vec<u32>);
    /// Appends the choices of a node.
    fn append_choices(&self, node: usize, choices: &mut Choices<Self::Value>);
}

/// Actions with their edges: the outcomes that lead to nodes of the graph.
#[derive(Debug)]
pub(in crate::solve) struct Choices<V> {
    pub list: Vec<Choice<V>>,
    pub edges: Vec<Edge>,
}

/// A stored graph of the states of a stage.
#[derive(Debug)]
pub(in crate::solve) struct Graph<V> {
    pub nodes: Vec<Node>,
    pub choices: Choices<V>,
}

#[derive(Debug)]
pub(in crate::solve) struct Node {
    pub side: usize,
    pub place: usize,
    /// Those with edges come first: policy iteration starts with the first.
    pub choices: Range<usize>,
}

#[derive(Clone, Debug)]
pub(in crate::solve) struct Choice<V> {
    pub action: usize,
    /// The value of the action if every edge counts as a win of the mover; without meaning if it
    /// certainly takes one.
    pub base: V,
    /// The sum of the weights of all outcomes. Only weights of edges are compared with it; without
    /// edges it may be 1.
    pub total: Weight,
    pub edges: Range<usize>,
}

/// An outcome that leads to a state of the graph; `again` if the same player moves there.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Edge {
    pub node: u32,
    pub again: bool,
    pub weight: Weight,
}

impl<V> Choices<V> {
    pub fn with_room(choices: usize, edges: usize) -> Self {
        Self { list: Vec::with_capacity(choices), edges: Vec::with_capacity(edges) }
    }

    pub fn clear(&mut self) {
        self.list.clear();
        self.edges.clear();
    }

    /// The edges of a choice.
    pub fn edges_of(&self, choice: &Choice<V>) -> &[Edge] {
        &self.edges[choice.edges.clone()]
    }
}

impl<V> Graph<V> {
    /// An empty graph, with room for so many nodes, of two choices and one edge each.
    pub fn with_room(nodes: usize) -> Self {
        Self { nodes: Vec::with_capacity(nodes), choices: Choices::with_room(2 * nodes, nodes) }
    }
}

impl<V: Clone> Turns for Graph<V> {
    type Value = V;

    fn count(&self) -> usize {
        self.nodes.len()
    }

    fn side(&self, node: usize) -> usize {
        self.nodes[node].side
    }

    fn append_targets(&self, node: usize, targets: &mut Vec<u32>) {
        for choice in &self.choices.list[self.nodes[node].choices.clone()] {
            targets.extend(self.choices.edges_of(choice).iter().map(|edge| edge.node));
        }
    }

    fn append_choices(&self, node: usize, choices: &mut Choices<V>) {
        for choice in &self.choices.list[self.nodes[node].choices.clone()] {
            let first = choices.edges.len();
            choices.edges.extend_from_slice(self.choices.edges_of(choice));
            choices.list.push(Choice { edges: first..choices.edges.len(), ..choice.clone() });
        }
    }
}
