//! What each action is worth in one state of a solved game.

use crate::game::{End, Game, Successor};

use super::Values;

/// The mover's win rate for each action in a state, if all play on as solved; `after` holds the values of the states
/// that the opponent moves in (the same as `own` where both sides are alike).
///
/// Passing where the game then goes on for ever is shown as the position it leads to is worth, although who is ahead
/// must not do it: such an action is never among the best.
pub fn choices(game: &Game, own: &Values, after: &Values, state: usize) -> Vec<f64> {
    let space = game.space();
    let (cell, place) = (state / space.per_cell(), state % space.per_cell());
    let (mine, rest) = (place % space.mine, place / space.mine);
    let (theirs, shared) = (rest % space.mine, rest / space.mine);
    let panel = game.panel(cell);
    let offer = &panel.offers[shared];
    let worth = |landing: u16| match game.successor(cell, &offer.landings[usize::from(landing)]) {
        Successor::End(End::Won) => 1.0,
        Successor::End(End::Lost) => 0.0,
        Successor::End(End::Tied) => 0.5,
        Successor::Passed { cell, shared, theirs: left } => {
            1.0 - after.win_rates[space.state(cell, shared, left, theirs)]
        }
        Successor::Again { cell, shared, mine } => own.win_rates[space.state(cell, shared, theirs, mine)],
    };
    let value = |action: usize| {
        let lottery = &offer.lotteries[usize::from(panel.lotteries(&space, (shared, mine, theirs))[action])];
        let sum: f64 = lottery.outcomes.iter().map(|(landing, weight)| *weight as f64 * worth(*landing)).sum();
        sum / lottery.total as f64
    };
    let best = own.best[state];
    let known = own.win_rates[state];
    (0..space.actions).map(|action| if best >> action & 1 == 1 { known } else { value(action) }).collect()
}
