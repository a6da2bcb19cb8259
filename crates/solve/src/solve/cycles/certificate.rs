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
//! leaving the error of its value. Actions that lead to the value of their node alone need no
//! rounding, so they cost nothing where no margin is needed: loops of them, as where both players pass
//! for ever, are proven too. Where another action of the first player, about as good, leads to more
//! than U, it replaces the one found, and u is solved again.

use crate::linear::{Float, Scalar};

use super::GoOn;
use super::chance::{ChanceGame, NodeOrder, Policies, Rewards};
use super::topology::Owner;

/// The most times that errors are solved for one player.
const MOST_ROUNDS: usize = 40;
/// The most sweeps to make the errors of equal values equal.
const MOST_SETTLING: usize = 100;
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
    // Doubles suffice for the errors, unless play lasts so long that these differ too little from one
    // turn to the next.
    if let Some(doubles) = &game.doubles {
        let in_units = |number: &F| number.in_units(game.precision);
        let proof = Proof::new(game, doubles, &in_units, order, found, leave_errors);
        if let Some(errors) = proof.errors(go_on) {
            return Some(errors);
        }
    }
    let unit = F::units(game.precision, 1.0);
    let in_units = |number: &F| number.over(&unit);
    Proof::new(game, game, &in_units, order, found, leave_errors).errors(go_on)
}

/// The search for bounds on the errors of values. The numbers are in units of those of the values.
struct Proof<'p, E: Scalar> {
    game: &'p ChanceGame<'p, E>,
    order: &'p NodeOrder,
    policy: &'p [usize],
    /// By node: whether play never leaves under the policies found.
    endless: Vec<bool>,
    /// By node: how much more than endless play it is worth, to the first player.
    lead: Vec<E>,
    /// By node: how much more a certain win of each player is worth, rounded up.
    room: Vec<[E; 2]>,
    /// By action: how much its value exceeds that of its node, to the first player.
    gain: Vec<E>,
    /// By action: the errors of its turn; none if it stays and leads to the node's value alone.
    own: Vec<Option<E>>,
    margin: E,
    /// Factors for rounding up and down.
    more: E,
    less: E,
}

impl<'p, E: Scalar> Proof<'p, E> {
    /// Prepares the proof of a game's values; `in_errors` is the same game in the numbers of the
    /// errors, and `in_units` converts to them.
    fn new<F: Float>(
        game: &ChanceGame<F>,
        in_errors: &'p ChanceGame<'p, E>,
        in_units: &dyn Fn(&F) -> E,
        order: &'p NodeOrder,
        found: &'p Policies<F>,
        leave_errors: &[f64],
    ) -> Self {
        let (topology, values) = (game.topology, &found.values);
        let rounding = E::units(in_errors.precision, ROUNDED);
        let margin = in_units(&game.margin);
        let (mut gain, mut own) = (Vec::new(), Vec::new());
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
                let is_free = level.is_some() && value == values[node];
                gain.push(in_units(&value.minus(&values[node])));
                // A value is a sum of products up to 1; probabilities, products and sums are rounded.
                let of_turn = leave_errors[action] + (targets.len() + 4) as f64;
                let of_turn = E::from_double(in_errors.precision, of_turn);
                own.push(Some(of_turn).filter(|_| !is_free));
            }
        }
        let more = E::ONE.plus(&rounding);
        let room = |value: &F| {
            [F::ONE.minus(value), value.clone()].map(|room| in_units(&room).times(&more))
        };
        Self {
            game: in_errors,
            order,
            policy: &found.policy,
            endless: game.endless_nodes(&found.policy),
            lead: values.iter().map(|value| in_units(&value.minus(&game.endless))).collect(),
            room: values.iter().map(room).collect(),
            less: E::ONE.minus(&rounding),
            more,
            gain,
            own,
            margin,
        }
    }

    /// Returns bounds on the errors, by node; `None` if they are not proven.
    fn errors(&self, go_on: GoOn) -> Option<Vec<f64>> {
        let [above, below] = Owner::BOTH.map(|owner| self.errors_above(owner, go_on));
        let [above, below] =
            [above?, below?].map(|errors| errors.iter().map(E::to_double).collect::<Vec<f64>>());
        let are_finite = above.iter().chain(&below).all(|error| error.is_finite());
        are_finite.then(|| above.iter().zip(below).map(|(above, below)| above.max(below)).collect())
    }

    /// Returns errors above the values of the player `owner`, by node; `None` if they are not proven.
    fn errors_above(&self, owner: Owner, go_on: GoOn) -> Option<Vec<E>> {
        let topology = self.game.topology;
        let (mut policy, mut endless) = (self.policy.to_vec(), self.endless.clone());
        for _ in 0..MOST_ROUNDS {
            let errors = self.solve(owner, &policy, &endless, go_on)?;
            let mut changed = false;
            for node in topology.nodes() {
                // Nothing is worth more than a certain win.
                if errors[node] >= self.room[node][owner as usize] {
                    continue;
                }
                // Of the other player, only one action must hold: the one found.
                let (mut worst, mut most) = (None, &errors[node]);
                let excesses: Vec<(usize, E)> = topology.actions[node]
                    .clone()
                    .filter(|action| topology.owner[node] == owner || *action == policy[node])
                    .map(|action| (action, self.excess(owner, node, action, &errors)))
                    .collect();
                for (action, excess) in &excesses {
                    if excess > most {
                        (worst, most) = (Some(*action), excess);
                    }
                }
                if let Some(worst) = worst {
                    if worst == policy[node] || endless[node] {
                        return None;
                    }
                    (policy[node], changed) = (worst, true);
                }
            }
            if !changed {
                return Some(errors);
            }
            // A loop of other actions that cost errors would raise them for ever.
            endless = self.game.endless_nodes(&policy);
            let costs = |node: &usize| self.cost(owner, *node, policy[*node]) != E::ZERO;
            if topology.nodes().filter(|node| endless[*node]).any(|node| costs(&node)) {
                return None;
            }
        }
        None
    }

    /// A difference of values of the first player as one of `owner`.
    fn signed(owner: Owner, difference: &E) -> E {
        match owner {
            Owner::First => difference.clone(),
            Owner::Second => E::ZERO.minus(difference),
        }
    }

    /// The errors of a turn by an action from a node, if the bounds are on the side of `owner`.
    fn cost(&self, owner: Owner, node: usize, action: usize) -> E {
        match &self.own[action] {
            Some(own) => own.plus(&self.margin),
            None if Self::signed(owner, &self.lead[node]) < E::ZERO => self.margin.clone(),
            None => E::ZERO,
        }
    }

    /// How much more an action may be worth than the value of its node, given the errors.
    fn excess(&self, owner: Owner, node: usize, action: usize, errors: &[E]) -> E {
        let (mut mean, mut most) = (E::ZERO, &E::ZERO);
        for edge in self.game.topology.edges[action].clone() {
            let error = &errors[self.game.topology.to[edge]];
            mean = mean.plus(&self.game.chance[edge].times(error));
            most = if error > most { error } else { most };
        }
        // No mean is larger than its largest number, however it is rounded.
        mean = mean.times(&self.more);
        if mean > *most {
            mean = most.clone();
        }
        let gain = Self::signed(owner, &self.gain[action]);
        let factor = if gain > E::ZERO { &self.more } else { &self.less };
        mean.plus(&self.cost(owner, node, action)).plus(&gain.times(factor))
    }

    /// Returns the errors under policies, with a second margin for each turn that costs errors, so that
    /// there is room for rounding.
    fn solve(
        &self,
        owner: Owner,
        policy: &[usize],
        endless: &[bool],
        go_on: GoOn,
    ) -> Option<Vec<E>> {
        let cost = |(node, action): (usize, &usize)| {
            let (cost, gain) =
                (self.cost(owner, node, *action), Self::signed(owner, &self.gain[*action]));
            let costs = if cost == E::ZERO { cost } else { cost.plus(&self.margin) };
            if gain > E::ZERO { costs.plus(&gain) } else { costs }
        };
        let costs: Vec<E> = policy.iter().enumerate().map(cost).collect();
        let enough = E::from_double(self.game.precision, ENOUGH).times(&self.margin);
        let solve = |leave: &[E], endless: &E| {
            self.game.values(self.order, policy, &Rewards { leave, endless }, &enough, go_on)
        };
        let mut errors = solve(&costs, &E::ZERO)?;
        if endless.contains(&true) {
            // The errors of endless play must exceed those of other actions there.
            let to_endless = solve(&vec![E::ZERO; costs.len()], &self.margin)?;
            let of_endless = self.of_endless(owner, endless, &errors, &to_endless)?;
            for (error, part) in errors.iter_mut().zip(&to_endless) {
                *error = error.plus(&part.times(&of_endless));
            }
        }
        self.settle(owner, policy, &mut errors);
        Some(errors)
    }

    /// The error of endless play that suffices for all actions where it goes on, in margins; `None` if
    /// none does. `to_endless` are the errors if that of endless play is the margin, and no other is.
    fn of_endless(
        &self,
        owner: Owner,
        endless: &[bool],
        errors: &[E],
        to_endless: &[E],
    ) -> Option<E> {
        let topology = self.game.topology;
        let mut most = E::ZERO;
        for node in topology.nodes_of(owner).filter(|node| endless[*node]) {
            for action in topology.actions[node].clone() {
                let excess = self.excess(owner, node, action, errors);
                let edges = topology.edges[action].clone();
                let away = edges.fold(self.margin.clone(), |away, edge| {
                    away.minus(&self.game.chance[edge].times(&to_endless[topology.to[edge]]))
                });
                if excess > E::ZERO && excess > most.times(&away) {
                    if away <= E::ZERO {
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
    fn settle(&self, owner: Owner, policy: &[usize], errors: &mut [E]) {
        let is_free = |(node, action): &(usize, usize)| {
            self.own[*action].is_none() && self.cost(owner, *node, *action) == E::ZERO
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
