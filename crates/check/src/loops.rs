//! States that can lead to each other: strongly connected components, solved one by one, successors
//! first.

use std::collections::HashMap;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use super::cell::{Cell, Spot, Workspace};
use super::component::{self, Component, Pending};
use super::error::{CheckError, Steps};
use super::numbers::RateArithmetic;

/// Solves pending states; returns the number of loops. `done` is the number of sums of scores that
/// are done.
pub(super) fn solve<A: RateArithmetic>(
    workspace: &mut Workspace<'_, A>,
    cells: &[Cell],
    pending: &[Pending],
    steps: &Steps,
    done: usize,
) -> Result<usize, CheckError> {
    let number: HashMap<(usize, Spot), usize> =
        pending.iter().enumerate().map(|(i, state)| (state.at(cells), i)).collect();
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    let nodes: Vec<_> = pending.iter().map(|_| graph.add_node(())).collect();
    for (state, node) in pending.iter().zip(&nodes) {
        let theirs = workspace.theirs(state.place);
        for transitions in state
            .distributions
            .iter()
            .map(|(_, distribution)| &cells[state.cell].transitions[*distribution])
        {
            for transition in &transitions.continuing {
                let spot = workspace.spot(state.spot.side, transition, theirs);
                if let Some(next) = number.get(&(transition.sum, spot)) {
                    graph.update_edge(*node, nodes[*next], ());
                }
            }
        }
    }
    let mut loops = 0;
    for mut members in kosaraju_scc(&graph) {
        steps.report(done)?;
        // In the order of `pending`: memories ascending in each cell.
        members.sort_unstable();
        let states: Vec<&Pending> = members.iter().map(|node| &pending[node.index()]).collect();
        let numbered = states.iter().enumerate();
        let place_of = numbered.map(|(place, state)| (state.at(cells), place)).collect();
        let component = Component { workspace, cells, states, place_of };
        let in_loop = members.len() > 1 || graph.contains_edge(members[0], members[0]);
        loops += usize::from(in_loop);
        let found = if in_loop { component::solve(&component)? } else { component.alone()? };
        let places: Vec<(usize, Spot)> =
            component.states.iter().map(|state| state.at(cells)).collect();
        for ((sum, spot), found) in places.into_iter().zip(found) {
            workspace.sides[spot.side].stages[sum].set(spot.index, found);
        }
    }
    Ok(loops)
}
