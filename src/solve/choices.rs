//! What each action is worth in one state of a solved game.

use crate::dice::{Weight, double_of};
use crate::game::{End, Game};

use super::Values;

/// The mover's win rate for each action in a state, if all play on as solved; `after` holds the values of the states
/// that the opponent moves in (the same as `own` where both sides are alike).
///
/// Passing where the game then goes on for ever is shown as the position it leads to is worth, although who is ahead
/// must not do it: such an action is never among the best.
pub fn choices(game: &Game, own: &Values, after: &Values, state: usize) -> Vec<f64> {
    let (best, known) = (own.best[state], own.win_rates[state]);
    let value = |action: usize| {
        if best >> action & 1 == 1 { known } else { action_value(game, (own, after), (state, action)) }
    };
    (0..game.space().actions).map(value).collect()
}

/// Something that a turn may lead to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// How likely.
    pub chance: f64,
    /// What it is then worth to the player who has moved.
    pub win_rate: f64,
}

/// The mover's win rate for an action in a state, from the values of the states that it leads to: those in which the mover
/// moves again, and those in which the opponent moves.
pub fn action_value(game: &Game, values: (&Values, &Values), (state, action): (usize, usize)) -> f64 {
    let worth = |(weight, to)| double_of(weight) * successor_value(values, to);
    let sum: f64 = game.weighted_successors(state, action).map(worth).sum();
    sum / game.distribution(state, action).1.total as f64
}

/// All that an action may lead to in a state, outcome by outcome: their mean is [`action_value`].
pub fn prospects(game: &Game, values: (&Values, &Values), (state, action): (usize, usize)) -> Vec<Prospect> {
    let total = game.distribution(state, action).1.total as f64;
    let successors = game.weighted_successors(state, action);
    successors
        .map(|(weight, to)| Prospect { chance: double_of(weight) / total, win_rate: successor_value(values, to) })
        .collect()
}

/// What a successor is worth to the player who has moved; values as for [`choices`].
pub fn successor_value((own, after): (&Values, &Values), successor: Result<(usize, bool), End>) -> f64 {
    match successor {
        Ok((state, true)) => own.win_rates[state],
        Ok((state, false)) => 1.0 - after.win_rates[state],
        Err(end) => 1.0 - end.lost(),
    }
}

/// The chance that an action wins the game in this very turn.
pub fn chance_to_win_at_once(game: &Game, state: usize, action: usize) -> f64 {
    let wins = game.weighted_successors(state, action).filter(|(_, to)| *to == Err(End::Won));
    wins.map(|(weight, _)| weight).sum::<Weight>() as f64 / game.distribution(state, action).1.total as f64
}
