//! States that can lead to each other. A game that never ends counts as half a
//! win for each player.
//!
//! Strongly connected components are solved one by one, successors first. In a *pass loop*, two
//! states pass to each other with certainty (or one state passes to itself), and there is a closed
//! form. Let `x` and `y` be the values of leaving the loop from either state. If `x + y >= 1`, both
//! players leave, and these are the values. Otherwise one value is the median of `x`, 1/2 and `1 -
//! y`, and the other is its complement.

use std::collections::HashMap;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use hog_rules::states::DiceSet;

use super::argmax::Argmax;
use super::cell::{Cell, Found, SharedDistribution, Spot, Transition, Transitions, Workspace};
use super::numbers::Numbers;
use super::sweep::Pending;
use super::{CheckError, component};

/// Solves pending states; returns the number of loops.
pub(super) fn solve<A: Numbers>(
    workspace: &mut Workspace<'_, A>,
    cells: &[Cell],
    pending: &[Pending],
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
        // In the order of `pending`: memories ascending in each cell.
        members.sort_unstable();
        let states: Vec<&Pending> = members.iter().map(|node| &pending[node.index()]).collect();
        let place_of = states.iter().enumerate().map(|(place, state)| (at(state), place)).collect();
        let component = Component { workspace, cells, states, place_of };
        let in_loop = members.len() > 1 || graph.contains_edge(members[0], members[0]);
        loops += usize::from(in_loop);
        let found = if in_loop { component.in_loop()? } else { component.alone()? };
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

/// The options in a state of a pass loop: the value of leaving (`None` if no action leaves), the
/// actions that leave with their values, and the actions that pass.
struct Leaving<N> {
    value: Option<N>,
    distributions: Vec<(DiceSet, N)>,
    passing: DiceSet,
}

impl<A: Numbers> Component<'_, '_, A> {
    /// Returns the index of the component's state to which a transition from `state` leads; `None`
    /// if it leaves the component.
    pub fn member(&self, state: &Pending, transition: &Transition) -> Option<usize> {
        let spot =
            self.workspace.spot(state.spot.side, transition, self.workspace.theirs(state.place));
        self.place_of.get(&(transition.sum, spot)).copied()
    }

    /// The height of a state's stage.
    pub fn height(&self, state: &Pending) -> usize {
        self.workspace.height(self.cells[state.cell].sum)
    }

    /// Returns the transitions of a distribution in a state.
    pub fn transitions(&self, state: &Pending, distribution: &SharedDistribution) -> &Transitions {
        &self.cells[state.cell].transitions[distribution.1]
    }

    /// Returns by how much the lowest of the values of the wrongly listed actions falls short of
    /// the best value.
    fn shortfall(
        &self,
        height: usize,
        best: &A::Number,
        wrong: impl Iterator<Item = A::Number>,
    ) -> f64 {
        wrong
            .map(|value| self.workspace.numbers.shortfall(height, best, &value))
            .fold(0.0, f64::max)
    }

    /// Returns the error that the component's values do not converge.
    pub fn not_converged(&self) -> CheckError {
        let per_cell = self.workspace.reading.space.per_cell();
        let state =
            self.states.first().map_or(0, |s| self.cells[s.cell].number * per_cell + s.place);
        CheckError::NotConverged { state }
    }

    fn in_loop(&self) -> Result<Vec<Found<A::Number>>, CheckError> {
        if self.is_pass_loop() { self.pass_loop() } else { component::solve(self) }
    }

    /// Solves a component of a single state that does not lead to itself.
    fn alone(&self) -> Result<Vec<Found<A::Number>>, CheckError> {
        let [state] = self.states.as_slice() else { return Err(self.not_converged()) };
        let found = Argmax::new(self.workspace, &self.cells[state.cell], state.spot.side)
            .find(&state.distributions, state.place, state.claimed)
            .ok_or_else(|| self.not_converged())?;
        Ok(vec![found])
    }

    /// Returns true if every turn that may stay in the component passes with certainty to the other
    /// state (to the same state, if there is only one).
    fn is_pass_loop(&self) -> bool {
        let partner = |i: usize| if self.states.len() == 1 { 0 } else { 1 - i };
        self.states.len() <= 2
            && self.states.iter().enumerate().all(|(i, state)| {
                state
                    .distributions
                    .iter()
                    .map(|distribution| self.transitions(state, distribution))
                    .all(|transitions| {
                        let mut stays = transitions.continuing.iter().filter_map(|transition| {
                            Some((transition, self.member(state, transition)?))
                        });
                        stays.all(|(transition, to)| {
                            transition.passed
                                && to == partner(i)
                                && transition.weight == transitions.total
                        })
                    })
            })
    }

    fn leaving(&self, state: &Pending) -> Leaving<A::Number> {
        let (mut distributions, mut passing) = (Vec::new(), 0);
        for distribution in &state.distributions {
            let transitions = self.transitions(state, distribution);
            if transitions
                .continuing
                .iter()
                .any(|transition| self.member(state, transition).is_some())
            {
                passing |= distribution.0;
            } else {
                let theirs = self.workspace.theirs(state.place);
                distributions.push((
                    distribution.0,
                    self.workspace.exact(
                        state.spot.side,
                        self.cells[state.cell].sum,
                        transitions,
                        theirs,
                    ),
                ));
            }
        }
        let value = distributions.iter().map(|(_, value)| value).fold(
            None,
            |most: Option<&A::Number>, value| match most {
                Some(most) if most >= value => Some(most),
                _ => Some(value),
            },
        );
        Leaving { value: value.cloned(), distributions, passing }
    }

    fn pass_loop(&self) -> Result<Vec<Found<A::Number>>, CheckError> {
        let leaving: Vec<Leaving<A::Number>> =
            self.states.iter().map(|state| self.leaving(state)).collect();
        let (Some(one), Some(other)) = (leaving.first(), leaving.last()) else {
            return Err(self.not_converged());
        };
        // Numbers that depend on it have only loops of one sum.
        let height = self.height(self.states[0]);
        let complement = |n: &A::Number| self.workspace.numbers.complement(height, n);
        let half = self.workspace.numbers.half(height);
        // Exact on either side.
        let nothing = self
            .workspace
            .numbers
            .number(height, &dashu_ratio::RBig::ZERO)
            .unwrap_or_else(|| half.clone());
        let x = one.value.clone().unwrap_or_else(|| nothing.clone());
        let y = other.value.clone().unwrap_or(nothing);
        let complement_y = complement(&y);
        let values = if x >= complement_y {
            [x, y]
        } else {
            let median = if x >= half {
                x
            } else if complement_y <= half {
                complement_y
            } else {
                half.clone()
            };
            let other = complement(&median);
            [median, other]
        };
        let mut found = Vec::with_capacity(self.states.len());
        for (i, state) in self.states.iter().enumerate() {
            let partner = &values[if self.states.len() == 1 { 0 } else { 1 - i }];
            found.push(self.best_in_pass_loop(
                state,
                &leaving[i],
                &values[i],
                &complement(partner),
                &half,
            ));
        }
        Ok(found)
    }

    /// Returns the solution of a state of a pass loop. A player who is ahead must not pass: the
    /// other would pass back for ever.
    fn best_in_pass_loop(
        &self,
        state: &Pending,
        leaving: &Leaving<A::Number>,
        value: &A::Number,
        by_passing: &A::Number,
        half: &A::Number,
    ) -> Found<A::Number> {
        let ahead = value > half;
        let mut best = leaving
            .distributions
            .iter()
            .filter(|(_, leaving)| leaving == value)
            .fold(0, |sets, (set, _)| sets | set);
        if (by_passing == value && !ahead) || best == 0 {
            best |= leaving.passing;
        }
        let wrong = state.claimed & !best;
        let left = leaving
            .distributions
            .iter()
            .filter(|(set, _)| set & wrong != 0)
            .map(|(_, value)| value.clone());
        let passed = (leaving.passing & wrong != 0)
            .then(|| if ahead { half.clone() } else { by_passing.clone() });
        let height = self.height(state);
        let shortfall = self.shortfall(height, value, left.chain(passed));
        let near = self.workspace.numbers.nearest(height, value);
        Found { value: value.clone(), near, best, shortfall }
    }
}
