//! All states of a game as one graph, solved component by component, in fractions or in
//! multiprecision floats.
//!
//! Given a first solution in doubles, the graph omits actions whose value in doubles is worse than
//! the best by more than the error bound. Afterwards each omitted action is shown to have a smaller
//! one-step value than the solution found. No policy can make up for that, because it would lose a
//! part of a bounded value each time it uses such an action. The result therefore does not depend
//! on the correctness of the doubles.

use std::cell::Cell;
use std::collections::HashMap;

use crate::dice::Weight;
use crate::game::{ActionSet, DiceSet, Game, Order, Successor};

use super::cycles::{Choice, Choices, CycleValues, Edge, SolvedGraph, Turns, solve_graph};
use super::numbers::{Decider, Payoff, Side};
use super::{SolveError, Values, Watch, action_value};

/// The values of each side in doubles, with the assumed bound on their error.
pub(super) struct FloatValues<'v> {
    pub values: Vec<&'v Values>,
    pub bound: f64,
}

/// The values of each side in doubles, and the solved graph, whose nodes are the states of the
/// first side, then the other.
pub(super) type WholeGame<V> = (Vec<Values>, SolvedGraph<V>);

/// Estimates the memory to solve a game in doubles, in bytes, if all states are one component.
pub(super) fn bytes(game: &Game, sides: usize) -> u64 {
    let space = game.space();
    let outcomes: Vec<usize> =
        game.distributions().iter().map(|distribution| distribution.outcomes.len()).collect();
    let of_cell = |set: &ActionSet| -> usize {
        let of_sets = set.all().iter().map(|number| outcomes[*number as usize]).sum::<usize>();
        of_sets * space.per_cell() * space.actions / set.all().len()
    };
    let of_sets: Vec<usize> = game.action_sets().iter().map(of_cell).collect();
    let edges: usize =
        (0..space.goal * space.goal).map(|cell| of_sets[game.action_set_number(cell)]).sum();
    // By node: marks of the search, results, and the numbers of sweeps. By edge: a node, a chance.
    (sides * (space.states() * 120 + edges * 12)) as u64
}

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
    let whole = Whole { values, game, sides, floats };
    // Progress is quadratic in the solved states where fractions grow with them.
    let (all, stopped) = (whole.count(), Cell::new(false));
    let power = if values.as_double(&values.endless()).is_some() { 1 } else { 2 };
    let go_on = |done: usize| {
        stopped.set(!watch.step(done.pow(power), all.pow(power)));
        !stopped.get()
    };
    let solved = solve_graph(values, &whole, sides.len() > 1, &go_on);
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
    let mut found: Vec<Values> =
        (0..sides.len()).map(|side| of_side(side * states..(side + 1) * states)).collect();
    // Within a stage, the dropped actions are those that the checker drops, too.
    let is_recurrent = game.order() == Order::Recurrent;
    for (side, values) in found.iter_mut().enumerate().filter(|_| is_recurrent) {
        let of_side = side * states..(side + 1) * states;
        share_sets(game, values, &solved.may_be_best[of_side]);
    }
    let again = FloatValues { values: found.iter().collect(), bound: f64::EPSILON };
    let proven = floats.is_none() || again.omitted_are_worse(&whole);
    Ok(proven.then_some((found, solved)))
}

/// The graph of all states of all sides with all actions that may be best, derived from the game.
struct Whole<'w, C> {
    values: &'w C,
    game: &'w Game,
    sides: &'w [Side<'w>],
    /// Shows which actions are worse; without it, all are listed.
    floats: Option<&'w FloatValues<'w>>,
}

impl<C: CycleValues> Whole<'_, C> {
    /// The side that moves at a node, and its state.
    fn at(&self, node: usize) -> (&Side<'_>, usize) {
        let states = self.game.space().states();
        (&self.sides[node / states], node % states)
    }

    /// The actions of a node that may be best.
    fn actions(&self, node: usize) -> impl Iterator<Item = usize> + use<C> {
        let (side, state) = self.at(node);
        let may_be_best = match (side.decider, self.floats) {
            (Decider::Best, Some(floats)) => floats.may_be_best(self.game, side, state),
            _ => DiceSet::MAX,
        };
        let actions = side.decider.actions(state, self.game.space().actions);
        actions.filter(move |action| may_be_best >> action & 1 == 1)
    }

    /// The successors of a node under an action, with their weights: nodes, or ends of the game.
    fn successors(
        &self,
        node: usize,
        action: usize,
    ) -> impl Iterator<Item = (Weight, Successor<u32>)> {
        let ((side, state), states) = (self.at(node), self.game.space().states());
        let (own, other) = (side.own, side.other);
        self.game.weighted_successors(state, action).map(move |(weight, next)| {
            let of_side = |again: bool| if again { own } else { other };
            (weight, next.map(|to, again| (of_side(again) * states + to) as u32))
        })
    }
}

impl<C: CycleValues> Turns for Whole<'_, C> {
    type Value = C::Value;

    fn count(&self) -> usize {
        self.sides.len() * self.game.space().states()
    }

    fn side(&self, node: usize) -> usize {
        self.at(node).0.own
    }

    fn append_targets(&self, node: usize, targets: &mut Vec<u32>) {
        for action in self.actions(node) {
            targets.extend(self.successors(node, action).filter_map(|(_, next)| next.state()));
        }
    }

    fn append_choices(&self, node: usize, choices: &mut Choices<C::Value>) {
        let (_, state) = self.at(node);
        for action in self.actions(node) {
            let (first, total) = (choices.edges.len(), self.game.distribution(state, action).total);
            // The mover's share, in halves.
            let mut left = 2 * total;
            for (weight, successor) in self.successors(node, action) {
                match successor {
                    Successor::Next { to, again } => {
                        choices.edges.push(Edge { node: to, again, weight });
                    }
                    Successor::End(end) => left -= weight * Weight::from(end.halves_to_opponent()),
                }
            }
            let base = match self.values.payoff() {
                Payoff::WinRate => self.values.ratio(left, 2 * total),
                Payoff::Endless => self.values.ratio(0, 1),
            };
            let edges = first..choices.edges.len();
            choices.list.push(Choice { action, base, total, edges });
        }
    }
}

/// Gives states of a cell whose turns lead to the same states the same best actions: they may differ
/// where actions that may be best were dropped, because they let play stay on a cycle for ever,
/// which not all of these states are on.
fn share_sets(game: &Game, values: &mut Values, may_be_best: &[DiceSet]) {
    let space = game.space();
    for first in (0..space.states()).step_by(space.per_cell()) {
        let cell = first..first + space.per_cell();
        if cell.clone().all(|state| values.best[state] == may_be_best[state]) {
            continue;
        }
        // By turns: the shared set, and the states.
        let mut shared = HashMap::new();
        for state in cell {
            let actions = 0..space.actions;
            let turns = actions.flat_map(|action| game.weighted_successors(state, action));
            let turns: Vec<(Weight, Successor)> = turns.collect();
            let (best, states) = shared.entry(turns).or_insert((values.best[state], Vec::new()));
            // Sets without a common action, as rounding might give, are kept.
            *best =
                if *best & values.best[state] == 0 { *best } else { *best & values.best[state] };
            states.push(state);
        }
        for (best, states) in shared.into_values() {
            for state in states {
                if values.best[state] & best == 0 {
                    continue;
                }
                values.best[state] = best;
                if best >> values.choices[state] & 1 == 0 {
                    values.choices[state] = best.trailing_zeros() as u8;
                }
            }
        }
    }
}

impl FloatValues<'_> {
    /// Whether no action omitted from a graph may be best.
    fn omitted_are_worse<C: CycleValues>(&self, whole: &Whole<C>) -> bool {
        (0..whole.count()).all(|node| {
            let (side, state) = whole.at(node);
            matches!(side.decider, Decider::Fixed(_)) || {
                let kept = whole.actions(node).fold(0, |set: DiceSet, action| set | 1 << action);
                self.may_be_best(whole.game, side, state) & !kept == 0
            }
        })
    }

    /// Returns the actions of a state that may be best.
    pub fn may_be_best(&self, game: &Game, side: &Side, state: usize) -> DiceSet {
        // The value of an action and a bound on its error: each term is rounded five times at most.
        let value = |action: usize| {
            let terms = game.distribution(state, action).outcomes.len() as f64;
            let value =
                action_value(game, self.values[side.own], self.values[side.other], state, action);
            (value, self.bound + (terms + 6.0) * f64::EPSILON)
        };
        let values: Vec<(f64, f64)> = (0..game.space().actions).map(value).collect();
        let threshold = values.iter().map(|(value, error)| value - error).fold(0.0, f64::max);
        let best =
            (0..values.len()).filter(|action| values[*action].0 + values[*action].1 >= threshold);
        best.fold(0, |set, action| set | 1 << action)
    }
}
