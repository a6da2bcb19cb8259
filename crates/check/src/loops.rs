//! States that can lead to each other: strongly connected components, solved one by one, successors
//! first.

use std::collections::HashMap;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use super::argmax::Argmax;
use super::cell::{Cell, Found, SharedDistribution, Spot, Transition, Transitions, Workspace};
use super::numbers::Numbers;
use super::sweep::Pending;
use super::{CheckError, Steps, component};

/// Solves pending states; returns the number of loops. `done` is the number of sums of scores that
/// are done.
pub(super) fn solve<A: Numbers>(
    workspace: &mut Workspace<'_, A>,
    cells: &[Cell],
    pending: &[Pending],
    steps: &Steps,
    done: usize,
) -> Result<usize, CheckError> {
    let at = |state: &Pending| (cells[state.cell].sum, state.spot);
    let number: HashMap<(usize, Spot), usize> =
        pending.iter().enumerate().map(|(i, state)| (at(state), i)).collect();
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
        let place_of = states.iter().enumerate().map(|(place, state)| (at(state), place)).collect();
        let component = Component { workspace, cells, states, place_of };
        let in_loop = members.len() > 1 || graph.contains_edge(members[0], members[0]);
        loops += usize::from(in_loop);
        let found = if in_loop { component::solve(&component)? } else { component.alone()? };
        let places: Vec<(usize, Spot)> = component.states.iter().map(|state| at(state)).collect();
        for ((sum, spot), found) in places.into_iter().zip(found) {
            workspace.sides[spot.side].stages[sum].set(spot.index, found);
        }
    }
    Ok(loops)
}

/// States that are solved together: a strongly connected component.
pub(super) struct Component<'b, 'a, A: Numbers> {
    pub workspace: &'b Workspace<'a, A>,
    pub cells: &'b [Cell<'a>],
    pub states: Vec<&'b Pending>,
    /// By the sum of the scores and the spot.
    place_of: HashMap<(usize, Spot), usize>,
}

impl<A: Numbers> Component<'_, '_, A> {
    /// Returns the index of the component's state to which a transition from `state` leads; `None`
    /// if it leaves the component.
    pub fn member(&self, state: &Pending, transition: &Transition) -> Option<usize> {
        let spot =
            self.workspace.spot(state.spot.side, transition, self.workspace.theirs(state.place));
        self.place_of.get(&(transition.sum, spot)).copied()
    }

    /// The sum of the scores in a state.
    pub fn sum(&self, state: &Pending) -> usize {
        self.cells[state.cell].sum
    }

    /// The height of a state's stage.
    pub fn height(&self, state: &Pending) -> usize {
        self.workspace.height(self.sum(state))
    }

    /// Returns the transitions of a distribution in a state.
    pub fn transitions(&self, state: &Pending, distribution: &SharedDistribution) -> &Transitions {
        &self.cells[state.cell].transitions[distribution.1]
    }

    /// Returns the error that the component's values do not converge.
    pub fn not_converged(&self) -> CheckError {
        let per_cell = self.workspace.reading.space.per_cell();
        let state =
            self.states.first().map_or(0, |s| self.cells[s.cell].number * per_cell + s.place);
        CheckError::NotConverged { state }
    }

    /// Solves a component of a single state that does not lead to itself.
    fn alone(&self) -> Result<Vec<Found<A::Number>>, CheckError> {
        let [state] = self.states.as_slice() else { return Err(self.not_converged()) };
        let found = Argmax::new(self.workspace, &self.cells[state.cell], state.spot.side)
            .find(&state.distributions, state.place, state.claimed)
            .ok_or_else(|| self.not_converged())?;
        Ok(vec![found])
    }
}
