//! States that lead back to themselves, found in any graph of them.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// The strongly connected components of nodes that lead to others, each after all that it leads to.
pub(super) fn strong_components<I: Iterator<Item = usize>>(count: usize, next: impl Fn(usize) -> I) -> Vec<Vec<usize>> {
    let edges = (0..count).flat_map(|from| next(from).map(move |to| (from as u32, to as u32)));
    let mut graph = DiGraph::<(), ()>::from_edges(edges);
    while graph.node_count() < count {
        graph.add_node(());
    }
    kosaraju_scc(&graph).into_iter().map(|nodes| nodes.into_iter().map(NodeIndex::index).collect()).collect()
}
