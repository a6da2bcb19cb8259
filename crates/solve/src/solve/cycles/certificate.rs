//! The proof of the values that policy iteration in floats has found.
//!
//! Let x be the values found and e errors with `e = step + P e` under the policies found, where P
//! are the transition probabilities: each turn costs `step`, and leaving costs the error of its
//! value. If no action of the first player leads from `x + e` to more than that, and no action of
//! the second player from `x - e` to less than that, rounding included, then the true values are
//! between them (interval iteration: Baier et al. 2017). Each turn loses a little of the interval,
//! so no play can stay at its edge for ever, and endless games need no argument of their own. Where
//! the proof fails, as when play may stay for ever, the values are computed again in exact
//! fractions.

use crate::linear::Float;

use super::GoOn;
use super::chance::{ChanceGame, NodeOrder, Policies};
use super::topology::Owner;

/// Returns bounds on the errors of the values found, in units; `None` if they cannot be proven.
/// `leave_errors` are by action: bounds on the errors of the values of leaving.
pub(super) fn errors<F: Float>(
    game: &ChanceGame<F>,
    order: &NodeOrder,
    found: &Policies<F>,
    leave_errors: &[f64],
    go_on: GoOn,
) -> Option<Vec<f64>> {
    if found.closed {
        return None;
    }
    // A value is a sum of products up to 1; probabilities, products and sums are rounded.
    let rounding = |action: usize| (game.topology.edges[action].len() + 4) as f64;
    let most = (0..leave_errors.len()).map(rounding).fold(0.0, f64::max);
    let (precision, in_units) = (game.precision, |number: &F| number.in_units(game.precision));
    let step = 2.0 * most + in_units(&game.margin);
    let costs: Vec<F> =
        leave_errors.iter().map(|error| F::units(precision, error + step)).collect();
    let (errors, _) = game.evaluate(order, &found.policy, &costs, go_on)?;
    let proven = game.topology.nodes().all(|node| {
        game.topology.actions[node].clone().all(|action| {
            let played = action == found.policy[node];
            let next = game.value(action, &game.leave[action], &found.values);
            let tolerance =
                in_units(&game.value(action, &F::units(precision, leave_errors[action]), &errors));
            let tolerance = tolerance * (1.0 + 1e-12) + rounding(action);
            let (gain, error) =
                (in_units(&next.minus(&found.values[node])), in_units(&errors[node]));
            let (not_above, not_below) = (gain + tolerance <= error, gain - tolerance >= -error);
            match game.topology.owner[node] {
                _ if played => not_above && not_below,
                Owner::First => not_above,
                Owner::Second => not_below,
            }
        })
    });
    let errors: Vec<f64> = errors.iter().map(in_units).collect();
    (proven && errors.iter().all(|error| error.is_finite())).then_some(errors)
}
