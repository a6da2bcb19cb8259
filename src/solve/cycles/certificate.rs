//! The proof of what policy iteration in floats has found.
//!
//! Let x be the values found and e errors with `e = step + P e` under the policies found: each turn costs `step`, and so do the
//! errors of what leaving is worth. If no action of the first player leads from `x + e` to more than `x + e`, and no action of the
//! second from `x - e` to less than `x - e`, roundings included, then the true values lie between (interval iteration: Baier
//! et al. 2017). Each turn loses a little of the interval, so that no play can stay for ever at its edge, and games that never
//! end need no argument of their own. Where the proof fails, as where play may stay for ever, exact fractions are called for.

use crate::linear::Float;

use super::chance::{ChanceGame, Policies, Sweep};
use super::topology::Owner;

/// Bounds on the errors of the values found, in units, `of_leaving` being those of what leaving is worth by action; `None` if they
/// are not proven.
pub(super) fn errors<F: Float>(
    game: &ChanceGame<F>,
    sweep: &Sweep,
    found: &Policies<F>,
    of_leaving: &[f64],
) -> Option<Vec<f64>> {
    if found.closed {
        return None;
    }
    // A value is a sum of products no larger than 1; both chances and sums are rounded.
    let rounding = |action: usize| (game.topology.edges[action].len() + 4) as f64;
    let most = (0..of_leaving.len()).map(rounding).fold(0.0, f64::max);
    let step = 2.0 * most + game.margin.in_units();
    let costs: Vec<F> = of_leaving.iter().map(|error| F::units(error + step)).collect();
    let (errors, _) = game.evaluate(sweep, &found.policy, &costs);
    let proven = game.topology.nodes().all(|node| {
        game.topology.actions[node].clone().all(|action| {
            let played = action == found.policy[node];
            let next = game.value(action, &game.leave[action], &found.values);
            let slack = game.value(action, &F::units(of_leaving[action]), &errors).in_units();
            let slack = slack * (1.0 + 1e-12) + rounding(action);
            let (gain, error) = (next.minus(&found.values[node]).in_units(), errors[node].in_units());
            let (not_above, not_below) = (gain + slack <= error, gain - slack >= -error);
            match game.topology.owner[node] {
                _ if played => not_above && not_below,
                Owner::First => not_above,
                Owner::Second => not_below,
            }
        })
    });
    let errors: Vec<f64> = errors.iter().map(F::in_units).collect();
    (proven && errors.iter().all(|error| error.is_finite())).then_some(errors)
}
