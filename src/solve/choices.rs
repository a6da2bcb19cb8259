//! What each action is worth in one state of a solved game.

use crate::game::{End, Game, Successor, TurnOutcome};

use super::Values;

/// The mover's win rate for each action in a state, if all play on as solved; `after` holds the values of the states
/// that the opponent moves in (the same as `own` where both sides are alike).
///
/// Passing where the game then goes on for ever is shown as the position it leads to is worth, although who is ahead
/// must not do it: such an action is never among the best.
pub fn choices(game: &Game, own: &Values, after: &Values, state: usize) -> Vec<f64> {
    let space = game.space();
    let (cell, (_, _, theirs)) = space.parts(state);
    let worth = |landing: &TurnOutcome| match game.successor(cell, landing) {
        Successor::End(End::Won) => 1.0,
        Successor::End(End::Lost) => 0.0,
        Successor::End(End::Tied) => 0.5,
        Successor::Passed { cell, shared, theirs: left } => {
            1.0 - after.win_rates[space.state(cell, shared, left, theirs)]
        }
        Successor::Again { cell, shared, mine } => own.win_rates[space.state(cell, shared, theirs, mine)],
    };
    let value = |action: usize| {
        let (offer, lottery) = game.distribution(state, action);
        let outcomes = lottery.outcomes.iter();
        let sum: f64 = outcomes.map(|(at, weight)| *weight as f64 * worth(&offer.outcomes[usize::from(*at)])).sum();
        sum / lottery.total as f64
    };
    let best = own.best[state];
    let known = own.win_rates[state];
    (0..space.actions).map(|action| if best >> action & 1 == 1 { known } else { value(action) }).collect()
}
