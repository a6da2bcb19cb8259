//! The graph of states with turns among them: read column by column, then joined.

use std::ops::Range;

use crate::dice::Weight;
use crate::solve::components;

/// States, actions, and edges: the outcomes that lead to states of the graph.
#[derive(Debug)]
pub(in crate::solve) struct Graph<V, S = Edge> {
    pub nodes: Vec<Node>,
    pub choices: Vec<Choice<V>>,
    pub edges: Vec<S>,
}

#[derive(Debug)]
pub(in crate::solve) struct Node {
    pub side: usize,
    pub place: usize,
    pub choices: Range<usize>,
}

#[derive(Debug)]
pub(in crate::solve) struct Choice<V> {
    pub action: usize,
    /// The value of the action if every edge counts as a win of the mover.
    pub base: V,
    /// The sum of the weights of all outcomes.
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

/// An edge as it is read: it leads to the place of a state.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct ReadEdge {
    pub stage: u32,
    pub column: u32,
    pub place: u32,
    pub side: u8,
    /// Whether the same player moves again.
    pub again: bool,
    pub weight: Weight,
}

/// The states of one column (of all, if the stage is small) whose turns may stay in the stage, as they are read.
#[derive(Debug)]
pub(in crate::solve) struct ColumnGraph<T> {
    pub column: usize,
    pub graph: Graph<T, ReadEdge>,
    /// The columns that edges lead to, possibly with duplicates.
    pub next: Vec<u32>,
}

impl<V, S> Default for Graph<V, S> {
    fn default() -> Self {
        Self { nodes: Vec::new(), choices: Vec::new(), edges: Vec::new() }
    }
}

impl<V> Graph<V> {
    /// Joins some columns. `base` gives the value of a choice, or `None` to omit it; `node_of` the index of a
    /// successor. Where there is none, `substitute` replaces the edge's win by the successor's value.
    pub fn join<T>(
        columns: &[&ColumnGraph<T>],
        node_of: impl Fn(&ReadEdge) -> Option<u32>,
        base: impl Fn(&Node, &Choice<T>) -> Option<V>,
        substitute: impl Fn(V, &ReadEdge, Weight) -> V,
    ) -> Self {
        let sum = |count: fn(&Graph<T, ReadEdge>) -> usize| columns.iter().map(|read| count(&read.graph)).sum();
        let mut graph = Self {
            nodes: Vec::with_capacity(sum(|read| read.nodes.len())),
            choices: Vec::with_capacity(sum(|read| read.choices.len())),
            edges: Vec::with_capacity(sum(|read| read.edges.len())),
        };
        for (read, node) in columns.iter().flat_map(|read| read.graph.nodes.iter().map(|node| (&read.graph, node))) {
            let first = graph.choices.len();
            for choice in &read.choices[node.choices.clone()] {
                let (Some(mut base), first_edge) = (base(node, choice), graph.edges.len()) else { continue };
                for edge in &read.edges[choice.edges.clone()] {
                    match node_of(edge) {
                        Some(node) => graph.edges.push(Edge { node, again: edge.again, weight: edge.weight }),
                        None => base = substitute(base, edge, choice.total),
                    }
                }
                let edges = first_edge..graph.edges.len();
                graph.choices.push(Choice { action: choice.action, base, total: choice.total, edges });
            }
            graph.nodes.push(Node { choices: first..graph.choices.len(), ..*node });
        }
        graph
    }

    /// The nodes that the edges of a node lead to.
    fn next(&self, node: usize) -> impl Iterator<Item = usize> {
        let choices = &self.choices[self.nodes[node].choices.clone()];
        choices.iter().flat_map(|choice| &self.edges[choice.edges.clone()]).map(|edge| edge.node as usize)
    }

    /// Whether a node has an edge to itself.
    pub fn is_loop(&self, node: usize) -> bool {
        self.next(node).any(|next| next == node)
    }

    /// Calls `solve` with each strongly connected component, after all components that it leads to.
    ///
    /// # Errors
    /// Returns the first error of `solve`.
    pub fn each_component<E>(&self, mut solve: impl FnMut(&[usize]) -> Result<(), E>) -> Result<(), E> {
        let (mut result, edges) = (Ok(()), components::edges(self.nodes.len(), |node| self.next(node)));
        components::each_component(self.nodes.len(), &edges, |component| {
            if result.is_ok() {
                result = solve(component);
            }
        });
        result
    }
}
