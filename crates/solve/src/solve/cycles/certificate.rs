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
use super::chance::{ChanceGame, NodeOrder, Policies};
use super::topology::Owner;

/// The most times that errors are solved for one player.
const MOST_ROUNDS: usize = 40;
/// The most sweeps to make the errors of equal values equal.
const MOST_SETTLING: usize = 100;
/// Endless play that another action leaves with less than this probability is not proven.
const LEAST_AWAY: f64 = 1e-9;
/// More than the rounding of a mean of errors, in units of it.
const ROUNDED: f64 = 9000.0;
/// Errors are refined until no equation is off by more than this part of the margin.
const ENOUGH: f64 = 1.0 / 1024.0;

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
    let in_units = |error: &F| error.in_units(game.precision);
    let above: Vec<f64> = above?.iter().map(in_units).collect();
    let errors: Vec<f64> =
        above.iter().zip(&below?).map(|(above, below)| above.max(in_units(below))).collect();
    errors.iter().all(|error| error.is_finite()).then_some(errors)
}

/// The search for bounds on the errors of values.
struct Proof<'p, F: Float> {
    game: &'p ChanceGame<'p, F>,
    order: &'p NodeOrder,
    found: &'p Policies<F>,
    /// By node: whether play never leaves under the policies found.
    endless: Vec<bool>,
    /// By action: how much its value exceeds that of its node, to the first player.
    gain: Vec<F>,
    /// By action: the errors of its turn and a margin; none if it stays and leads to one value alone.
    own: Vec<Option<F>>,
    /// More than the rounding of a mean of errors, as a factor.
    rounded: F,
}

impl<'p, F: Float> Proof<'p, F> {
    fn new(
        game: &'p ChanceGame<'p, F>,
        order: &'p NodeOrder,
        found: &'p Policies<F>,
        leave_errors: &[f64],
    ) -> Self {
        let (topology, values, precision) = (game.topology, &found.values, game.precision);
        let rounded = F::units(precision, ROUNDED);
        let mut proof = Self {
            game,
            order,
            found,
            endless: game.endless_nodes(&found.policy),
            gain: Vec::with_capacity(leave_errors.len()),
            own: Vec::with_capacity(leave_errors.len()),
            rounded: F::ONE.plus(&rounded),
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
                proof.gain.push(value.minus(&values[node]));
                // A value is a sum of products up to 1; probabilities, products and sums are rounded.
                let rounding = leave_errors[action] + (targets.len() + 4) as f64;
                let own = F::units(precision, rounding).plus(&game.margin);
                proof.own.push(Some(own).filter(|_| level.is_none()));
            }
        }
        proof
    }

    /// A difference of values of the first player as one of `owner`.
    fn signed(&self, owner: Owner, difference: &F) -> F {
        match owner {
            Owner::First => difference.clone(),
            Owner::Second => F::ZERO.minus(difference),
        }
    }

    /// The errors of a turn by an action from a node, if the bounds are on the side of `owner`.
    fn cost(&self, owner: Owner, node: usize, action: usize) -> F {
        let lead = self.found.values[node].minus(&self.game.endless);
        match &self.own[action] {
            Some(own) => own.clone(),
            None if self.signed(owner, &lead) < F::ZERO => self.game.margin.clone(),
            None => F::ZERO,
        }
    }

    /// How much more an action may be worth than the value of its node, given the errors.
    fn excess(&self, owner: Owner, node: usize, action: usize, errors: &[F]) -> F {
        let edges = self.game.topology.edges[action].clone();
        let (mut mean, mut most) = (F::ZERO, F::ZERO);
        for edge in edges {
            let error = &errors[self.game.topology.to[edge]];
            mean = mean.plus(&self.game.chance[edge].times(error));
            if *error > most {
                most = error.clone();
            }
        }
        // No mean is larger than its largest number, however it is rounded.
        mean = mean.times(&self.rounded);
        if mean > most {
            mean = most;
        }
        let cost = self.cost(owner, node, action);
        mean.plus(&cost).plus(&self.signed(owner, &self.gain[action]))
    }

    /// Returns errors above the values of the player `owner`, by node; `None` if they are not proven.
    fn errors(&self, owner: Owner, go_on: GoOn) -> Option<Vec<F>> {
        let topology = self.game.topology;
        let mut policy = self.found.policy.clone();
        for _ in 0..MOST_ROUNDS {
            let errors = self.solve(owner, &policy, go_on)?;
            let mut changed = false;
            for node in
                topology.nodes().filter(|node| !self.is_certain(owner, *node, &errors[*node]))
            {
                // Of the other player, only one action must hold: the one found.
                let (mut worst, mut most) = (None, errors[node].clone());
                let mine = topology.owner[node] == owner;
                for action in topology.actions[node].clone() {
                    if mine || action == policy[node] {
                        let excess = self.excess(owner, node, action, &errors);
                        if excess > most {
                            (worst, most) = (Some(action), excess);
                        }
                    }
                }
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

    /// Whether the bound of a node is that of a certain win, than which nothing is worth more.
    fn is_certain(&self, owner: Owner, node: usize, error: &F) -> bool {
        let value = &self.found.values[node];
        match owner {
            Owner::First => value.plus(error) >= F::ONE,
            Owner::Second => *value <= *error,
        }
    }

    /// Returns the errors under policies, with twice the cost of each turn, so that there is room for
    /// rounding.
    fn solve(&self, owner: Owner, policy: &[usize], go_on: GoOn) -> Option<Vec<F>> {
        let cost = |(node, action): (usize, &usize)| {
            let (cost, gain) =
                (self.cost(owner, node, *action), self.signed(owner, &self.gain[*action]));
            let twice = cost.plus(&cost);
            if gain > F::ZERO { twice.plus(&gain) } else { twice }
        };
        let costs: Vec<F> = policy.iter().enumerate().map(cost).collect();
        let enough = F::from_double(self.game.precision, ENOUGH).times(&self.game.margin);
        let solve = |leave: &[F], endless: &F| {
            self.game.values(self.order, policy, leave, endless, &enough, go_on)
        };
        let mut errors = solve(&costs, &F::ZERO)?;
        if self.endless.contains(&true) {
            // The errors of endless play must exceed those of other actions there.
            let to_endless = solve(&vec![F::ZERO; costs.len()], &F::ONE)?;
            let of_endless = self.of_endless(owner, &errors, &to_endless)?;
            for (error, part) in errors.iter_mut().zip(&to_endless) {
                *error = error.plus(&part.times(&of_endless));
            }
        }
        self.settle(owner, policy, &mut errors);
        Some(errors)
    }

    /// The error of endless play that suffices for all actions where it goes on; `None` if none does.
    fn of_endless(&self, owner: Owner, errors: &[F], to_endless: &[F]) -> Option<F> {
        let topology = self.game.topology;
        let mut most = F::ZERO;
        for node in topology.nodes_of(owner).filter(|node| self.endless[*node]) {
            for action in topology.actions[node].clone() {
                let excess = self.excess(owner, node, action, errors);
                let edges = topology.edges[action].clone();
                let away = edges.fold(F::ONE, |away, edge| {
                    away.minus(&self.game.chance[edge].times(&to_endless[topology.to[edge]]))
                });
                if excess > F::ZERO && excess > most.times(&away) {
                    if away.to_double() < LEAST_AWAY {
                        return None;
                    }
                    most = excess.plus(&excess).over(&away);
                }
            }
        }
        Some(most)
    }

    /// Gives nodes whose action costs nothing at least the errors that it leads to: they have no room
    /// for rounding.
    fn settle(&self, owner: Owner, policy: &[usize], errors: &mut [F]) {
        let is_free = |(node, action): &(usize, usize)| {
            self.own[*action].is_none() && self.cost(owner, *node, *action) == F::ZERO
        };
        let free: Vec<(usize, usize)> =
            policy.iter().copied().enumerate().filter(is_free).collect();
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
