//! All states of a game as one graph: where turns may lower the sum of the scores, where values
//! have no common denominator, and to separate near ties.

use crate::dice::Weight;
use crate::game::{DiceSet, Game, Successor};
use crate::linear::Number;

use super::graph::{
    self, ComponentBuilder, Digits, GraphProblem, SolvedStates, StateGraph, TurnGraph,
};
use super::stage_solver::{Decider, Side};
use super::{SolveError, Watch};

/// Estimates the memory to solve a game in doubles, in bytes, if all states are one component.
pub(super) fn bytes(game: &Game, sides: usize) -> u64 {
    let space = game.space();
    let edges = game.in_all_cells(|set| {
        let of_all = set.all().iter().map(|number| &game.distributions()[*number as usize]);
        let all: usize = of_all.map(|distribution| distribution.outcomes.len()).sum();
        all * space.per_cell() * space.actions / set.all().len()
    });
    // By node: marks of the search, results, and the numbers of sweeps. By edge: a node, a chance.
    (sides * (space.states() * 160 + edges * 12)) as u64
}

/// Solves all states, whose nodes are those of the first side, then of the other: in the first of
/// some arithmetics, and in the next ones while the result is not `enough`.
///
/// # Errors
/// Returns an error if `watch` cancels the work, or the values cannot be proven.
pub(super) fn solve(
    game: &Game,
    sides: &[Side],
    digits: &[Digits],
    problem: GraphProblem,
    enough: impl Fn(&SolvedStates) -> bool,
    watch: &Watch,
) -> Result<SolvedStates, SolveError> {
    let whole = WholeGame { game, sides };
    let all = whole.count();
    let solved = graph::solve(&whole, digits, problem, enough, &|done| watch.step(done, all))?;
    watch.report(1, 1)?;
    Ok(solved)
}

/// The graph of all states of all sides, derived from the game.
struct WholeGame<'w> {
    game: &'w Game,
    sides: &'w [Side<'w>],
}

impl WholeGame<'_> {
    /// The side that moves at a node, and its state.
    fn at(&self, node: usize) -> (&Side<'_>, usize) {
        let states = self.game.space().states();
        (&self.sides[node / states], node % states)
    }

    /// The actions that may be chosen at a node.
    fn actions(&self, node: usize) -> std::ops::Range<usize> {
        let (side, state) = self.at(node);
        side.decider.actions(state, self.game.space().actions)
    }

    /// The successors of a node under an action, with their weights: nodes, or ends of the game.
    fn successors(
        &self,
        node: usize,
        action: usize,
    ) -> impl Iterator<Item = (Weight, Successor<usize>)> {
        let (side, state) = self.at(node);
        let states = self.game.space().states();
        let own = side.own;
        let other = side.other;
        self.game.weighted_successors(state, action).map(move |(weight, next)| {
            (weight, next.map(|to, again| if again { own } else { other } * states + to))
        })
    }
}

impl StateGraph for WholeGame<'_> {
    fn count(&self) -> usize {
        self.sides.len() * self.game.space().states()
    }

    fn append_targets(&self, node: usize, targets: &mut Vec<u32>) {
        for action in self.actions(node) {
            let nodes = self.successors(node, action).filter_map(|(_, next)| next.state());
            targets.extend(nodes.map(|node| node as u32));
        }
    }
}

impl<N: Number> TurnGraph<N> for WholeGame<'_> {
    fn read(&self, node: usize, keep: DiceSet, builder: &mut ComponentBuilder<N>) {
        let (side, state) = self.at(node);
        for action in self.actions(node) {
            if keep >> action & 1 == 0 && matches!(side.decider, Decider::Best) {
                continue;
            }
            builder.begin(action, self.game.distribution(state, action).total);
            for (weight, successor) in self.successors(node, action) {
                match successor {
                    Successor::Next { to, again } => builder.lead(to, weight, again),
                    Successor::End(end) => builder.end(weight, end.halves_to_opponent()),
                }
            }
            builder.finish();
        }
    }
}
