//! Whole games in reduced fractions, where values have no common denominator: all states as one graph, component by component.

use dashu_int::UBig;
use dashu_ratio::RBig;

use crate::game::{DiceSet, End, Game, Successor};
use crate::solve::cycles::{Choice, Fractions, Graph, Node, Stay, solve_graph};
use crate::solve::numbers::{Decider, Payoff, Side};
use crate::solve::{SolveError, Values, Watch};

use super::nearest_double;

/// What was found: the values of each side, the fractions of some states, how many cycles there were.
type OfSides = (Vec<Values>, Vec<Vec<RBig>>, usize);

/// Solves all states of a game, with the fractions of the states `asked`.
pub(in crate::solve) fn solve(
    game: &Game,
    (sides, asked): (&[Side], &[usize]),
    watch: &Watch,
) -> Result<OfSides, SolveError> {
    let states = game.space().states();
    let graph = graph(game, sides);
    let values = Fractions { payoff: Payoff::WinRate, tolerance: RBig::ZERO, equal: RBig::ZERO };
    let solved = solve_graph(&values, &graph, sides.len() > 1, &|| watch.step(0, 1)).ok_or(SolveError::Cancelled)?;
    watch.report(1, 1)?;
    let of_side = |side: usize| {
        let nodes = side * states..(side + 1) * states;
        let best: Vec<DiceSet> = solved.sets[nodes.clone()].to_vec();
        Values {
            win_rates: solved.values[nodes.clone()].iter().map(nearest_double).collect(),
            best,
            choices: solved.choices[nodes].to_vec(),
        }
    };
    let fraction = |side: usize| asked.iter().map(|state| solved.values[side * states + state].clone()).collect();
    Ok(((0..sides.len()).map(of_side).collect(), (0..sides.len()).map(fraction).collect(), solved.count))
}

/// All states of all sides, and all turns.
fn graph(game: &Game, sides: &[Side]) -> Graph<RBig> {
    let space = game.space();
    let mut graph = Graph { nodes: Vec::new(), choices: Vec::new(), stays: Vec::new() };
    for (own, side) in sides.iter().enumerate() {
        for state in 0..space.states() {
            let actions = match side.decider {
                Decider::Best => 0..space.actions,
                Decider::Fixed(plan) => plan.action(state)..plan.action(state) + 1,
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

fn choice(
    game: &Game,
    (own, other): (usize, usize),
    (state, action): (usize, usize),
    stays: &mut Vec<Stay>,
) -> Choice<RBig> {
    let space = game.space();
    let (_, (_, _, theirs)) = space.parts(state);
    let (first, total) = (stays.len(), game.distribution(state, action).1.total);
    // In halves.
    let mut lost = UBig::ZERO;
    for (weight, successor) in game.weighted_successors(state, action) {
        let (node, again) = match successor {
            Successor::End(End::Won) => continue,
            Successor::End(end) => {
                lost += UBig::from(weight) * if end == End::Lost { 2u8 } else { 1u8 };
                continue;
            }
            Successor::Passed { cell, shared, theirs: left } => {
                (other * space.states() + space.state(cell, shared, left, theirs), false)
            }
            Successor::Again { cell, shared, mine } => {
                (own * space.states() + space.state(cell, shared, theirs, mine), true)
            }
        };
        stays.push(Stay { node, again, weight });
    }
    let base = RBig::ONE - RBig::from_parts(lost.into(), UBig::from(total) * 2u8);
    Choice { action, base, total, stays: first..stays.len() }
}
