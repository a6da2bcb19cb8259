//! The proof of the values that policy iteration in floats has found.
//!
//! Let x be the values found, of the first player, and U = x + u. U is an upper bound of the true
//! values if no action of the first player leads to more than U, nor one action of the second at each
//! node of theirs, with all errors of rounding and of leaving added, and if this holds with a margin
//! wherever U is less than endless play is worth (interval iteration: Baier et al. 2017). For then U is
//! a supermartingale of any play against those actions of the second player, and falls wherever
//! endless play would be better than it, so that no play stays there for ever. Lower bounds are the
//! upper bounds of the other player.
//!
//! The errors u solve `u = cost + P u` under the policies found, where each turn costs its rounding and
//! leaving the error of its value. Actions that lead to one value alone need no rounding, so they
//! cost nothing where no margin is needed: loops of them, as where both players pass for ever, are
//! proven too. Where another action of the first player, about as good, leads to more than U, it
//! replaces the one found, and u is solved again.

use crate::linear::Float;

use super::GoOn;
use super::chance::{COARSE, ChanceGame, NodeOrder, Policies};
use super::topology::Owner;

/// The most times that errors are solved for one player.
const MOST_ROUNDS: usize = 40;
/// The most sweeps to make the errors of equal values equal.
const MOST_SETTLING: usize = 100;
/// More than the rounding of the errors themselves, as a factor.
const ROUNDED: f64 = 1.0 + 1e-12;

/// Returns bounds on the errors of the values found, in units; `None` if they cannot be proven.
/// `leave_errors` are by action: bounds on the errors of the values of leaving.
pub(super) fn errors<F: Float>(
    game: &ChanceGame<F>,
    order: &NodeOrder,
    found: &Policies<F>,
    leave_errors: &[f64],
    go_on: GoOn,
) -> Option<Vec<f64>> {
    let proof = Proof::new(game, order, found, leave_errors);
    let [above, below] = Owner::BOTH.map(|owner| proof.errors(owner, go_on));
    let errors: Vec<f64> =
        above?.into_iter().zip(below?).map(|(above, below)| above.max(below)).collect();
    errors.iter().all(|error| error.is_finite()).then_some(errors)
}

/// The numbers are in units.
struct Proof<'p, F: Float> {
    game: &'p ChanceGame<'p, F>,
    order: &'p NodeOrder,
    found: &'p Policies<F>,
    /// By node: whether play never leaves under the policies found.
    endless: Vec<bool>,
    /// By node: how much the first player's value exceeds that of endless play.
    lead: Vec<f64>,
    /// By action: how much its value exceeds that of its node, to the first player.
    gain: Vec<f64>,
    /// By action: the errors of its turn; none if it stays and leads to one value alone.
    own: Vec<f64>,
    /// By which bounds fall wherever endless play would be better.
    margin: f64,
}

impl<'p, F: Float> Proof<'p, F> {
    fn new(
        game: &'p ChanceGame<'p, F>,
        order: &'p NodeOrder,
        found: &'p Policies<F>,
        leave_errors: &[f64],
    ) -> Self {
        let (topology, values) = (game.topology, &found.values);
        let in_units = |number: &F| number.in_units(game.precision);
        let mut proof = Self {
            game,
            order,
            found,
            endless: game.endless_nodes(&found.policy),
            lead: values.iter().map(|value| in_units(&value.minus(&game.endless))).collect(),
            gain: Vec::with_capacity(leave_errors.len()),
            own: Vec::with_capacity(leave_errors.len()),
            margin: if game.doubles.is_some() { COARSE } else { in_units(&game.margin) },
        };
        for node in topology.nodes() {
            for action in topology.actions[node].clone() {
                let targets = topology.targets(action);
                let level = targets.first().map(|to| &values[*to]).filter(|value| {
                    !topology.leaves[action] && targets.iter().all(|to| values[*to] == **value)
                });
                let value = match level {
                    Some(value) => value.clone(),
                    None => game.value(action, &game.leave[action], values),
                };
                proof.gain.push(in_units(&value.minus(&values[node])));
                // A value is a sum of products up to 1; probabilities, products and sums are rounded.
                let rounding = leave_errors[action] + (targets.len() + 4) as f64;
                proof.own.push(if level.is_some() { 0.0 } else { rounding });
            }
        }
        proof
    }

    /// The errors of a turn by an action from a node, if the bounds are on the side of `owner`.
    fn cost(&self, owner: Owner, node: usize, action: usize) -> f64 {
        let (lead, own) = (signed(owner, self.lead[node]), self.own[action]);
        if own > 0.0 || lead < 0.0 { own + self.margin } else { 0.0 }
    }

    /// How much more an action may be worth than the value of its node, given the errors.
    fn excess(&self, owner: Owner, node: usize, action: usize, errors: &[f64]) -> f64 {
        let edges = self.game.topology.edges[action].clone();
        let (mut mean, mut most): (f64, f64) = (0.0, 0.0);
        for edge in edges {
            let error = errors[self.game.topology.to[edge]];
            mean += self.game.chance[edge].to_double() * error;
            most = most.max(error);
        }
        // No mean is larger than its largest number, however it is rounded.
        let mean = (mean * ROUNDED).min(most);
        mean + self.cost(owner, node, action) + signed(owner, self.gain[action])
    }

    /// Returns errors above the values of the player `owner`, by node; `None` if they are not proven.
    fn errors(&self, owner: Owner, go_on: GoOn) -> Option<Vec<f64>> {
        let topology = self.game.topology;
        let mut policy = self.found.policy.clone();
        // Nothing is worth more than a certain win, which endless play is not worth.
        let room: Vec<f64> = self
            .found
            .values
            .iter()
            .map(|value| match owner {
                Owner::First => F::ONE.minus(value).in_units(self.game.precision),
                Owner::Second => value.in_units(self.game.precision),
            })
            .collect();
        for _ in 0..MOST_ROUNDS {
            let errors = self.solve(owner, &policy, go_on)?;
            let mut changed = false;
            for node in topology.nodes() {
                let is_above = |action: &usize| {
                    let excess = self.excess(owner, node, *action, &errors);
                    excess > errors[node] && errors[node] < room[node]
                };
                if topology.owner[node] != owner {
                    // Only one action must hold, the one found.
                    if is_above(&policy[node]) {
                        return None;
                    }
                    continue;
                }
                let above = topology.actions[node].clone().filter(is_above);
                let worst = above.max_by(|one, other| {
                    let excess = |action: &usize| self.excess(owner, node, *action, &errors);
                    excess(one).total_cmp(&excess(other))
                });
                if let Some(worst) = worst {
                    if worst == policy[node] || self.endless[node] {
                        return None;
                    }
                    (policy[node], changed) = (worst, true);
                }
            }
            if !changed {
                return Some(errors);
            }
            // A loop of other actions would raise its own errors for ever.
            let endless = self.game.endless_nodes(&policy);
            if endless.iter().zip(&self.endless).any(|(now, before)| *now && !before) {
                return None;
            }
        }
        None
    }

    /// Returns the errors under policies, with twice the cost of each turn, so that there is room for
    /// rounding.
    fn solve(&self, owner: Owner, policy: &[usize], go_on: GoOn) -> Option<Vec<f64>> {
        let doubles = self.game.doubles.as_deref();
        let costs: Vec<f64> = policy
            .iter()
            .enumerate()
            .map(|(node, action)| {
                2.0 * self.cost(owner, node, *action) + signed(owner, self.gain[*action]).max(0.0)
            })
            .collect();
        let solve = |leave: &[f64], endless: f64| match doubles {
            Some(doubles) => {
                doubles.system(self.order, policy, go_on)?.values(leave, &endless, go_on)
            }
            None => {
                let in_units = |count: &f64| F::units(self.game.precision, *count);
                let leave: Vec<F> = leave.iter().map(in_units).collect();
                let system = self.game.system(self.order, policy, go_on)?;
                let values = system.values(&leave, &in_units(&endless), go_on)?;
                Some(values.iter().map(|value| value.in_units(self.game.precision)).collect())
            }
        };
        let mut errors: Vec<f64> = solve(&costs, 0.0)?;
        if self.endless.contains(&true) {
            // The errors of endless play must exceed those of other actions there.
            let to_endless: Vec<f64> = solve(&vec![0.0; costs.len()], 1.0)?;
            let of_endless = self.of_endless(owner, &errors, &to_endless)?;
            for (error, part) in errors.iter_mut().zip(&to_endless) {
                *error += part * of_endless;
            }
        }
        self.settle(owner, policy, &mut errors);
        Some(errors)
    }

    /// The error of endless play that suffices for all actions where it goes on; `None` if none does.
    fn of_endless(&self, owner: Owner, errors: &[f64], to_endless: &[f64]) -> Option<f64> {
        let topology = self.game.topology;
        let mut most: f64 = 0.0;
        for node in topology.nodes_of(owner).filter(|node| self.endless[*node]) {
            for action in topology.actions[node].clone() {
                let excess = self.excess(owner, node, action, errors);
                let edges = topology.edges[action].clone();
                let part = |edge: usize| {
                    self.game.chance[edge].to_double() * to_endless[topology.to[edge]]
                };
                let back: f64 = edges.map(part).sum();
                if excess > most * (1.0 - back) {
                    if back > 1.0 - 1e-9 {
                        return None;
                    }
                    most = 2.0 * excess / (1.0 - back);
                }
            }
        }
        Some(most)
    }

    /// Gives nodes whose action costs nothing at least the errors that it leads to: they have no room
    /// for rounding.
    fn settle(&self, owner: Owner, policy: &[usize], errors: &mut [f64]) {
        let free: Vec<(usize, usize)> = policy
            .iter()
            .copied()
            .enumerate()
            .filter(|(node, action)| self.cost(owner, *node, *action) == 0.0)
            .collect();
        for _ in 0..MOST_SETTLING {
            let mut settled = true;
            for (node, action) in free.iter().copied() {
                let excess = self.excess(owner, node, action, errors);
                if excess > errors[node] {
                    (errors[node], settled) = (excess, false);
                }
            }
            if settled {
                break;
            }
        }
    }
}

/// A difference of values of the first player as one of the player `owner`.
fn signed(owner: Owner, difference: f64) -> f64 {
    match owner {
        Owner::First => difference,
        Owner::Second => -difference,
    }
}
