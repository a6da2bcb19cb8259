//! The values of single actions and outcomes in a solved game.

use crate::dice::{Weight, double_of};
use crate::game::{End, Game, Successor};

use super::Values;

/// Returns the mover's win rate for each action in a state, if both sides then play as solved.
/// `own` holds the values of the states in which the same player moves again, `after` those in
/// which the opponent moves (the same if both sides are alike).
///
/// A best action has the value of the state; any other the mean of its successors' values. An
/// action by which a player who is ahead would stay in a cycle for ever may have the same mean, but
/// is not among the best.
pub fn choices(game: &Game, own: &Values, after: &Values, state: usize) -> Vec<f64> {
    let best = own.best[state];
    let known = own.win_rates[state];
    let mut values = Vec::with_capacity(game.space().actions);
    for action in 0..game.space().actions {
        values.push(match best >> action & 1 == 1 {
            true => known,
            false => action_value(game, own, after, state, action),
        });
    }
    values
}

/// One possible outcome of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// The probability.
    pub chance: f64,
    /// The win rate it leaves to the player who has moved.
    pub win_rate: f64,
}

/// Returns the mover's win rate for an action, from the values of its successors, of which the
/// mover takes the best where there is a choice: `(own, after)` as for [`choices`].
pub fn action_value(game: &Game, own: &Values, after: &Values, state: usize, action: usize) -> f64 {
    let mut sum = 0.0;
    for (weight, to) in best_successors(game, own, after, state, action) {
        sum += double_of(weight) * successor_value(own, after, to);
    }
    sum / game.distribution(state, action).total as f64
}

/// The successors of a state under an action, each with its weight, where the mover keeps the best
/// dice; `(own, after)` as for [`choices`].
pub fn best_successors(
    game: &Game,
    own: &Values,
    after: &Values,
    state: usize,
    action: usize,
) -> impl Iterator<Item = (Weight, Successor)> {
    game.successors_kept(state, action, |to| successor_value(own, after, to))
}

/// Returns all outcomes of an action in a state: their mean is [`action_value`].
pub fn prospects(
    game: &Game,
    own: &Values,
    after: &Values,
    state: usize,
    action: usize,
) -> Vec<Prospect> {
    let total = game.distribution(state, action).total as f64;
    best_successors(game, own, after, state, action)
        .map(|(weight, to)| Prospect {
            chance: double_of(weight) / total,
            win_rate: successor_value(own, after, to),
        })
        .collect()
}

/// Returns the value of a successor to the player who has moved; `(own, after)` as for [`choices`].
pub fn successor_value(own: &Values, after: &Values, successor: Successor) -> f64 {
    successor.value(&own.win_rates, &after.win_rates)
}

/// Returns the probability that an action wins the game in this turn.
pub fn chance_to_win_at_once(game: &Game, state: usize, action: usize) -> f64 {
    let wins =
        game.weighted_successors(state, action).filter(|(_, to)| *to == Successor::End(End::Won));
    wins.map(|(weight, _)| weight).sum::<Weight>() as f64
        / game.distribution(state, action).total as f64
}
