//! Whole games as one graph of all states, solved component by component, in fractions or in multiprecision floats.
//!
//! Most actions are worse than the best by far more than doubles may be off, and are left out beforehand. Afterwards each of
//! them is shown to lead to less than the values found, which no play can make good: whoever takes it again and again loses a
//! part of a bounded value each time. So nothing rests on what doubles said.

use std::cell::Cell;

use crate::dice::Weight;
use crate::game::{DiceSet, Game};

use super::cycles::{Choice, CycleValues, Graph, Node, SolvedGraph, Stay, solve_graph};
use super::numbers::{Decider, Side};
use super::{SolveError, Values, Watch, action_value};

/// The values of each side in doubles, and how far they are taken to be off.
pub(super) struct FloatValues<'v> {
    pub values: Vec<&'v Values>,
    pub bound: f64,
}

/// What is found of each side in doubles, and of each state of each side, one side after the other.
pub(super) type WholeGame<V> = (Vec<Values>, SolvedGraph<V>);

/// Solves all states of a game; `None` if that is not proven. `floats`, if there are any, spare work; `nearest` tells doubles.
pub(super) fn solve<C: CycleValues>(
    (values, nearest): (&C, impl Fn(&C::Value) -> f64),
    (game, sides): (&Game, &[Side]),
    floats: Option<&FloatValues>,
    watch: &Watch,
) -> Result<Option<WholeGame<C::Value>>, SolveError> {
    let states = game.space().states();
    let graph = graph(values, (game, sides), floats);
    // Fractions grow from the end of the game on, as the number of states does: progress is told in work.
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
    let found: Vec<Values> = (0..sides.len()).map(|side| of_side(side * states..(side + 1) * states)).collect();
    let again = FloatValues { values: found.iter().collect(), bound: f64::EPSILON };
    let whole = floats.is_none() || again.are_of_the_whole_game(game, sides, &graph);
    Ok(whole.then_some((found, solved)))
}

/// All states of all sides, and all turns that may be best.
fn graph<C: CycleValues>(values: &C, (game, sides): (&Game, &[Side]), floats: Option<&FloatValues>) -> Graph<C::Value> {
    let space = game.space();
    let mut graph = Graph::default();
    for (own, side) in sides.iter().enumerate() {
        for state in 0..space.states() {
            let actions = match (side.decider, floats) {
                (Decider::Best, None) => DiceSet::MAX,
                (Decider::Best, Some(floats)) => floats.contenders(game, (own, side.other), state),
                (Decider::Fixed(plan), _) => 1 << plan.action(state),
            };
            let first = graph.choices.len();
            for action in (0..space.actions).filter(|action| actions >> action & 1 == 1) {
                let choice = choice(values, (game, own, side.other), (state, action), &mut graph.stays);
                graph.choices.push(choice);
            }
            graph.nodes.push(Node { side: own, place: state, choices: first..graph.choices.len() });
        }
    }
    graph
}

impl FloatValues<'_> {
    /// Whether no action that was left out of the graph may be best.
    fn are_of_the_whole_game<V>(&self, game: &Game, sides: &[Side], graph: &Graph<V>) -> bool {
        graph.nodes.iter().filter(|node| matches!(sides[node.side].decider, Decider::Best)).all(|node| {
            let kept = graph.choices[node.choices.clone()].iter().fold(0, |set, choice| set | 1 << choice.action);
            self.contenders(game, (node.side, sides[node.side].other), node.place) & !kept == 0
        })
    }

    /// The actions of a state that may be best.
    pub fn contenders(&self, game: &Game, (own, other): (usize, usize), state: usize) -> DiceSet {
        // What an action is worth, and how far that may be off: each of its terms is rounded five times at most.
        let value = |action: usize| {
            let terms = game.distribution(state, action).1.outcomes.len() as f64;
            let value = action_value(game, (self.values[own], self.values[other]), (state, action));
            (value, self.bound + (terms + 6.0) * f64::EPSILON)
        };
        let values: Vec<(f64, f64)> = (0..game.space().actions).map(value).collect();
        let surely = values.iter().map(|(value, error)| value - error).fold(0.0, f64::max);
        let best = (0..values.len()).filter(|action| values[*action].0 + values[*action].1 >= surely);
        best.fold(0, |set, action| set | 1 << action)
    }
}

fn choice<C: CycleValues>(
    values: &C,
    (game, own, other): (&Game, usize, usize),
    (state, action): (usize, usize),
    stays: &mut Vec<Stay>,
) -> Choice<C::Value> {
    let states = game.space().states();
    let (first, total) = (stays.len(), game.distribution(state, action).1.total);
    // In halves.
    let mut left = 2 * total;
    for (weight, successor) in game.weighted_successors(state, action) {
        match successor {
            Ok((to, again)) => {
                let side = if again { own } else { other };
                stays.push(Stay { node: (side * states + to) as u32, again, weight });
            }
            Err(end) => left -= weight * Weight::from(end.lost_halves()),
        }
    }
    Choice { action, base: values.ratio(left, 2 * total), total, stays: first..stays.len() }
}
