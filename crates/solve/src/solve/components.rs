//! Strongly connected components of a graph given by its edges.

use petgraph::Directed;
use petgraph::algo::TarjanScc;
use petgraph::csr::Csr;

/// Returns the edges of a graph, sorted, without duplicates.
pub(super) fn edges<I: Iterator<Item = usize>>(
    count: usize,
    next: impl Fn(usize) -> I,
) -> Vec<(u32, u32)> {
    let mut edges = Vec::new();
    for from in 0..count {
        let first = edges.len();
        edges.extend(next(from).map(|to| (from as u32, to as u32)));
        edges[first..].sort_unstable();
    }
    edges.dedup();
    edges
}

/// Calls `each` with each strongly connected component, after all that it leads to (Tarjan, 1972);
/// `edges` are sorted.
pub(super) fn each_component(count: usize, edges: &[(u32, u32)], each: &mut dyn FnMut(&[usize])) {
    let mut graph =
        Csr::<(), (), Directed, u32>::from_sorted_edges(edges).expect("they are sorted");
    while graph.node_count() < count {
        graph.add_node(());
    }
    let mut nodes = Vec::new();
    TarjanScc::new().run(&graph, |component| {
        nodes.clear();
        nodes.extend(component.iter().map(|node| *node as usize));
        each(&nodes);
    });
}
