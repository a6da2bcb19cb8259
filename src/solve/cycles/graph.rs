//! States with turns that stay among them, read column by column and joined to one graph.

use std::ops::Range;

use crate::dice::Weight;
use crate::solve::components;

/// States and all turns that stay among them.
#[derive(Debug)]
pub(in crate::solve) struct Graph<V, S = Stay> {
    pub nodes: Vec<Node>,
    pub choices: Vec<Choice<V>>,
    pub stays: Vec<S>,
}

/// A state.
#[derive(Debug)]
pub(in crate::solve) struct Node {
    pub side: usize,
    /// The place of its number in the stage.
    pub place: usize,
    pub choices: Range<usize>,
}

/// An action in a state.
#[derive(Debug)]
pub(in crate::solve) struct Choice<V> {
    pub action: usize,
    /// What it is worth if every turn that stays wins.
    pub base: V,
    /// The weight of all its turns.
    pub total: Weight,
    pub stays: Range<usize>,
}

/// A turn that stays.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Stay {
    pub node: u32,
    pub again: bool,
    pub weight: Weight,
}

/// A turn that stays, as it is read: it leads to the place of a state.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct ReadStay {
    /// The stage and the column it leads to.
    pub stage: u32,
    pub column: u32,
    pub place: u32,
    pub side: u8,
    /// Whether the mover goes on.
    pub again: bool,
    pub weight: Weight,
}

/// The states of a column whose turns may stay in the stage, as they are read; where they are few, of all columns from it on.
#[derive(Debug)]
pub(in crate::solve) struct ColumnGraph<T> {
    pub column: usize,
    pub graph: Graph<T, ReadStay>,
    /// The columns that turns lead to, each once at least.
    pub next: Vec<u32>,
}

impl<V, S> Default for Graph<V, S> {
    fn default() -> Self {
        Self { nodes: Vec::new(), choices: Vec::new(), stays: Vec::new() }
    }
}

impl<V> Graph<V> {
    /// One of some columns, `base` being the value of a choice, or none to leave it out. `node_of` numbers their states; where a
    /// turn leads to any other, `settle` takes what that one is worth into the choice's base.
    pub fn join<T>(
        columns: &[&ColumnGraph<T>],
        node_of: impl Fn(&ReadStay) -> Option<u32>,
        base: impl Fn(&Node, &Choice<T>) -> Option<V>,
        settle: impl Fn(V, &ReadStay, Weight) -> V,
    ) -> Self {
        let sum = |count: fn(&Graph<T, ReadStay>) -> usize| columns.iter().map(|read| count(&read.graph)).sum();
        let mut graph = Self {
            nodes: Vec::with_capacity(sum(|read| read.nodes.len())),
            choices: Vec::with_capacity(sum(|read| read.choices.len())),
            stays: Vec::with_capacity(sum(|read| read.stays.len())),
        };
        for (read, node) in columns.iter().flat_map(|read| read.graph.nodes.iter().map(|node| (&read.graph, node))) {
            let first = graph.choices.len();
            for choice in &read.choices[node.choices.clone()] {
                let (Some(mut base), first_stay) = (base(node, choice), graph.stays.len()) else { continue };
                for stay in &read.stays[choice.stays.clone()] {
                    match node_of(stay) {
                        Some(node) => graph.stays.push(Stay { node, again: stay.again, weight: stay.weight }),
                        None => base = settle(base, stay, choice.total),
                    }
                }
                let stays = first_stay..graph.stays.len();
                graph.choices.push(Choice { action: choice.action, base, total: choice.total, stays });
            }
            graph.nodes.push(Node { choices: first..graph.choices.len(), ..*node });
        }
        graph
    }

    /// The nodes that turns of a node lead to.
    fn next(&self, node: usize) -> impl Iterator<Item = usize> {
        let choices = &self.choices[self.nodes[node].choices.clone()];
        choices.iter().flat_map(|choice| &self.stays[choice.stays.clone()]).map(|stay| stay.node as usize)
    }

    /// Whether turns of a node may lead back to itself at once.
    pub fn is_loop(&self, node: usize) -> bool {
        self.next(node).any(|next| next == node)
    }

    /// Calls `solve` with the strongly connected components, each after all that it leads to.
    ///
    /// # Errors
    /// The first of `solve`.
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
