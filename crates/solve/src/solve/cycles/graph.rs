//! The graph of states with turns among them.

use std::ops::Range;

use crate::dice::Weight;
use crate::solve::components;

/// States, actions, and edges: the outcomes that lead to states of the graph.
#[derive(Debug)]
pub(in crate::solve) struct Graph<V> {
    pub nodes: Vec<Node>,
    pub choices: Vec<Choice<V>>,
    pub edges: Vec<Edge>,
}

#[derive(Debug)]
pub(in crate::solve) struct Node {
    pub side: usize,
    pub place: usize,
    /// In the graph of a stage, those with edges come first: policy iteration starts with the
    /// first.
    pub choices: Range<usize>,
}

#[derive(Debug)]
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

impl<V> Graph<V> {
    /// An empty graph, with room for so many nodes, of two choices and one edge each.
    pub fn with_room(nodes: usize) -> Self {
        let (choices, edges) = (Vec::with_capacity(2 * nodes), Vec::with_capacity(nodes));
        Self { nodes: Vec::with_capacity(nodes), choices, edges }
    }

    /// The nodes that the edges of a node lead to.
    fn next(&self, node: usize) -> impl Iterator<Item = usize> {
        let choices = &self.choices[self.nodes[node].choices.clone()];
        choices
            .iter()
            .flat_map(|choice| &self.edges[choice.edges.clone()])
            .map(|edge| edge.node as usize)
    }

    /// Whether a node has an edge to itself.
    pub fn is_loop(&self, node: usize) -> bool {
        self.next(node).any(|next| next == node)
    }

    /// Calls `solve` with each strongly connected component, after all components that it leads to.
    ///
    /// # Errors
    /// Returns the first error of `solve`.
    pub fn each_component<E>(
        &self,
        mut solve: impl FnMut(&[usize]) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut result, edges) =
            (Ok(()), components::edges(self.nodes.len(), |node| self.next(node)));
        components::each_component(self.nodes.len(), &edges, &mut |component| {
            if result.is_ok() {
                result = solve(component);
            }
        });
        result
    }
}
