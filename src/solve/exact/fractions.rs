//! Whole games in reduced fractions, where values have no common denominator: all states as one graph, component by component.
//!
//! Most actions are worse than the best by far more than floats may be off, and are left out beforehand. Afterwards each of them is
//! shown to lead to less than the values found, which no play can make good: whoever takes it again and again loses a part
//! of a bounded value each time. So nothing rests on what floats said.

use dashu_int::UBig;
use dashu_ratio::RBig;

use crate::game::{DiceSet, Game};
use crate::solve::cycles::{Choice, ExactNumbers, Graph, Node, Stay, solve_graph};
use crate::solve::numbers::{Decider, Payoff, Side};
use crate::solve::{SolveError, Values, Watch, action_value};

use super::nearest_double;

/// What was found: the values of each side, the fractions of some states, how many cycles there were.
type OfSides = (Vec<Values>, Vec<Vec<RBig>>, usize);

/// The values of each side in doubles, and how far they are taken to be off.
pub(in crate::solve) struct FloatValues<'v> {
    pub values: &'v [Values],
    pub bound: f64,
}

/// Solves all states of a game, with the fractions of the states `asked`; `floats`, if there are any, spare work.
pub(in crate::solve) fn solve(
    game: &Game,
    (sides, asked): (&[Side], &[usize]),
    floats: Option<&FloatValues>,
    watch: &Watch,
) -> Result<OfSides, SolveError> {
    let states = game.space().states();
    let graph = graph(game, sides, floats);
    let values = ExactNumbers { payoff: Payoff::WinRate, one: RBig::ONE, tolerance: RBig::ZERO, equal: RBig::ZERO };
    // Fractions grow from the end of the game on, as the number of states does: progress is told in work.
    let all = graph.nodes.len();
    let go_on = |done: usize| watch.step(done * done, all * all);
    let solved = solve_graph(&values, &graph, sides.len() > 1, &go_on).ok_or(SolveError::Cancelled)?;
    watch.report(1, 1)?;
    let of_side = |side: usize| -> Values {
        let nodes = side * states..(side + 1) * states;
        let best: Vec<DiceSet> = solved.sets[nodes.clone()].to_vec();
        Values {
            win_rates: solved.values[nodes.clone()].iter().map(nearest_double).collect(),
            best,
            choices: solved.choices[nodes].to_vec(),
        }
    };
    let found: Vec<Values> = (0..sides.len()).map(of_side).collect();
    if floats.is_some() {
        let found = FloatValues { values: &found, bound: f64::EPSILON };
        if !found.are_of_the_whole_game(game, sides, &graph) {
            return solve(game, (sides, asked), None, watch);
        }
    }
    let fraction = |side: usize| asked.iter().map(|state| solved.values[side * states + state].clone()).collect();
    let fractions = (0..sides.len()).map(fraction).collect();
    Ok((found, fractions, solved.count))
}

/// All states of all sides, and all turns.
fn graph(game: &Game, sides: &[Side], floats: Option<&FloatValues>) -> Graph<RBig> {
    let space = game.space();
    let mut graph = Graph { nodes: Vec::new(), choices: Vec::new(), stays: Vec::new() };
    for (own, side) in sides.iter().enumerate() {
        for state in 0..space.states() {
            let actions: Vec<usize> = match (side.decider, floats) {
                (Decider::Best, None) => (0..space.actions).collect(),
                (Decider::Best, Some(floats)) => floats.contenders(game, (own, side.other), state),
                (Decider::Fixed(plan), _) => vec![plan.action(state)],
            };
            let first = graph.choices.len();
            for action in actions {
                let choice = choice(game, (own, side.other), (state, action), &mut graph.stays);
                graph.choices.push(choice);
            }
            graph.nodes.push(Node { side: own, place: state, choices: first..graph.choices.len() });
        }
    }
    graph
}

impl FloatValues<'_> {
    /// Whether no action that was left out of the graph may be best.
    fn are_of_the_whole_game(&self, game: &Game, sides: &[Side], graph: &Graph<RBig>) -> bool {
        graph.nodes.iter().filter(|node| matches!(sides[node.side].decider, Decider::Best)).all(|node| {
            let kept = &graph.choices[node.choices.clone()];
            let contenders = self.contenders(game, (node.side, sides[node.side].other), node.place);
            contenders.iter().all(|action| kept.iter().any(|choice| choice.action == *action))
        })
    }

    /// The actions of a state that may be best.
    fn contenders(&self, game: &Game, (own, other): (usize, usize), state: usize) -> Vec<usize> {
        // What an action is worth, and how far that may be off: each of its terms is rounded five times at most.
        let value = |action: usize| {
            let terms = game.distribution(state, action).1.outcomes.len() as f64;
            let value = action_value(game, (&self.values[own], &self.values[other]), (state, action));
            (value, self.bound + (terms + 6.0) * f64::EPSILON)
        };
        let values: Vec<(f64, f64)> = (0..game.space().actions).map(value).collect();
        let surely = values.iter().map(|(value, error)| value - error).fold(0.0, f64::max);
        (0..values.len()).filter(|action| values[*action].0 + values[*action].1 >= surely).collect()
    }
}

fn choice(
    game: &Game,
    (own, other): (usize, usize),
    (state, action): (usize, usize),
    stays: &mut Vec<Stay>,
) -> Choice<RBig> {
    let states = game.space().states();
    let (first, total) = (stays.len(), game.distribution(state, action).1.total);
    // In halves.
    let mut lost = UBig::ZERO;
    for (weight, successor) in game.weighted_successors(state, action) {
        match successor {
            Ok((to, again)) => {
                let side = if again { own } else { other };
                stays.push(Stay { node: (side * states + to) as u32, again, weight });
            }
            Err(end) => lost += UBig::from(weight) * end.lost_halves(),
        }
    }
    let base = RBig::ONE - RBig::from_parts(lost.into(), UBig::from(total) * 2u8);
    Choice { action, base, total, stays: first..stays.len() }
}
