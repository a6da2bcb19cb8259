//! All states of a game as one graph, solved component by component, in fractions or in
//! multiprecision floats.
//!
//! Given a first solution in doubles, the graph omits actions whose value in doubles is worse than
//! the best by more than the error bound. Afterwards each omitted action is shown to have a smaller
//! one-step value than the solution found. No policy can make up for that, because it would lose a
//! part of a bounded value each time it uses such an action. The result therefore does not depend
//! on the correctness of the doubles.

use std::cell::Cell;

use crate::dice::Weight;
use crate::game::{DiceSet, Game, Successor};

use super::cycles::{Choice, CycleValues, Edge, Graph, Node, SolvedGraph, solve_graph};
use super::numbers::{Decider, Side};
use super::{SolveError, Values, Watch, action_value};

/// The values of each side in doubles, with the assumed bound on their error.
pub(super) struct FloatValues<'v> {
    pub values: Vec<&'v Values>,
    pub bound: f64,
}

/// The values of each side in doubles, and the solved graph, whose nodes are the states of the
/// first side, then the other.
pub(super) type WholeGame<V> = (Vec<Values>, SolvedGraph<V>);

/// Solves all states; `None` if the values cannot be proven. `floats` show worse actions; `nearest`
/// rounds to a double.
pub(super) fn solve<C: CycleValues>(
    values: &C,
    nearest: impl Fn(&C::Value) -> f64,
    game: &Game,
    sides: &[Side],
    floats: Option<&FloatValues>,
    watch: &Watch,
) -> Result<Option<WholeGame<C::Value>>, SolveError> {
    let states = game.space().states();
    let graph = graph(values, game, sides, floats);
    // Progress is quadratic in the solved states, because fractions grow with them.
    let (all, stopped) = (graph.nodes.len(), Cell::new(false));
    let go_on = |done: usize| {
        stopped.set(!watch.step(done * done, all * all));
        !stopped.get()
    };
    let solved = solve_graph(values, &graph, sides.len() > 1, &go_on);
    if stopped.get() {
        return Err(SolveError::Cancelled);
    }
    let Some(solved) = solved else { return Ok(None) };
    watch.report(1, 1)?;
    let of_side = |nodes: std::ops::Range<usize>| Values {
        win_rates: solved.values[nodes.clone()].iter().map(&nearest).collect(),
        best: solved.sets[nodes.clone()].to_vec(),
        choices: solved.choices[nodes].to_vec(),
    };
    let found: Vec<Values> =
        (0..sides.len()).map(|side| of_side(side * states..(side + 1) * states)).collect();
    let again = FloatValues { values: found.iter().collect(), bound: f64::EPSILON };
    let proven = floats.is_none() || again.omitted_are_worse(game, sides, &graph);
    Ok(proven.then_some((found, solved)))
}

/// Builds the graph of all states of all sides with all actions that may be best.
fn graph<C: CycleValues>(
    values: &C,
    game: &Game,
    sides: &[Side],
    floats: Option<&FloatValues>,
) -> Graph<C::Value> {
    let space = game.space();
    let mut graph = Graph::with_room(sides.len() * space.states());
    for (own, side) in sides.iter().enumerate() {
        for state in 0..space.states() {
            let may_be_best = match (side.decider, floats) {
                (Decider::Best, Some(floats)) => floats.may_be_best(game, own, side.other, state),
                _ => DiceSet::MAX,
            };
            let actions = side.decider.actions(state, space.actions);
            let first = graph.choices.len();
            for action in actions.filter(|action| may_be_best >> action & 1 == 1) {
                let choice = choice(values, game, own, side.other, state, action, &mut graph.edges);
                graph.choices.push(choice);
            }
            graph.nodes.push(Node { side: own, place: state, choices: first..graph.choices.len() });
        }
    }
    graph
}

impl FloatValues<'_> {
    /// Whether no action omitted from the graph may be best.
    fn omitted_are_worse<V>(&self, game: &Game, sides: &[Side], graph: &Graph<V>) -> bool {
        graph.nodes.iter().filter(|node| matches!(sides[node.side].decider, Decider::Best)).all(
            |node| {
                let kept = graph.choices[node.choices.clone()]
                    .iter()
                    .fold(0, |set, choice| set | 1 << choice.action);
                self.may_be_best(game, node.side, sides[node.side].other, node.place) & !kept == 0
            },
        )
    }

    /// Returns the actions of a state that may be best.
    pub fn may_be_best(&self, game: &Game, own: usize, other: usize, state: usize) -> DiceSet {
        // The value of an action and a bound on its error: each term is rounded five times at most.
        let value = |action: usize| {
            let terms = game.distribution(state, action).outcomes.len() as f64;
            let value = action_value(game, self.values[own], self.values[other], state, action);
            (value, self.bound + (terms + 6.0) * f64::EPSILON)
        };
        let values: Vec<(f64, f64)> = (0..game.space().actions).map(value).collect();
        let threshold = values.iter().map(|(value, error)| value - error).fold(0.0, f64::max);
        let best =
            (0..values.len()).filter(|action| values[*action].0 + values[*action].1 >= threshold);
        best.fold(0, |set, action| set | 1 << action)
    }
}

fn choice<C: CycleValues>(
    values: &C,
    game: &Game,
    own: usize,
    other: usize,
    state: usize,
    action: usize,
    edges: &mut Vec<Edge>,
) -> Choice<C::Value> {
    let states = game.space().states();
    let (first, total) = (edges.len(), game.distribution(state, action).total);
    // The mover's share, in halves.
    let mut left = 2 * total;
    for (weight, successor) in game.weighted_successors(state, action) {
        match successor {
            Successor::Next { to, again } => {
                let side = if again { own } else { other };
                edges.push(Edge { node: (side * states + to) as u32, again, weight });
            }
            Successor::End(end) => left -= weight * Weight::from(end.halves_to_opponent()),
        }
    }
    Choice { action, base: values.ratio(left, 2 * total), total, edges: first..edges.len() }
}
