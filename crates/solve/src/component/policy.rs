//! Components with chance, by policy iteration.
//!
//! **Evaluation.** A choice for each place leaves a Markov chain, whose system is solved without a
//! subtraction ([`Equations`]), so that slow cycles keep their accuracy.
//!
//! **Improvement.** Strategy iteration (Hoffman and Karp, 1966): the second player answers each
//! policy of the first with a best response, improving place by place. In the first rounds both
//! players improve together, which usually ends sooner but proves nothing. When no choice is better
//! in one step, one error may remain: the opponent of a player who is ahead may be able to keep
//! play in the component for ever, which is worth one half (Everett's condition). Then the opponent
//! switches to the choices that do so, and the iteration continues. Each round that improves one
//! player's answer changes its value in one direction only, so no policy is repeated; the iteration
//! ends, and its result is the value.

use std::rc::Rc;

use crate::linear::{Equations, GoOn, Number, Order};

use super::places::{Player, shrink};
use super::{Component, Limits, Solved, Unsolved, proof};

/// The least improvement for which a policy in floats switches to another choice, in units.
const MARGIN: f64 = 4.0;
/// The rounds in which both players improve together.
const JOINT_ROUNDS: usize = 30;
/// Values are refined until no equation is off by more than so many units.
const REFINED: f64 = 64.0;

/// Solves a component; `order` is the order of its places under all choices, if there is one, `near`
/// are the movers' values to start from.
pub(super) fn solve<N: Number>(
    component: &Component<N>,
    order: Option<Rc<Order>>,
    near: Option<&[f64]>,
    limits: &Limits,
    go_on: GoOn,
) -> Result<Solved<N>, Unsolved> {
    let reached = component.reached();
    let policy = match component.as_doubles() {
        Some(doubles) => first_policy(doubles, near),
        None => {
            // The policies found in doubles are usually optimal already.
            let doubles = component.in_doubles();
            let first = first_policy(&doubles, near);
            let play = Iteration { component: &doubles, reached: &reached, order: &order, go_on };
            play.run(first, limits)?.0
        }
    };
    let iteration = Iteration { component, reached: &reached, order: &order, go_on };
    let (policy, values) = iteration.run(policy, limits)?;
    let mut values = component.of_movers(&reached, &values);
    if N::IS_EXACT {
        return Ok(Solved { errors: vec![[0.0; 2]; values.len()], values });
    }
    values.iter_mut().for_each(|value| *value = value.to_grain());
    let of_first = |node: usize| policy[2 * node + usize::from(reached[2 * node + 1])];
    let of_nodes: Vec<u32> = (0..component.nodes()).map(of_first).collect();
    match proof::by_elimination(component, &values, &of_nodes, order.as_ref(), go_on)? {
        Some(errors) => Ok(Solved { values, errors }),
        None => Err(Unsolved::Unproven(values.iter().map(N::to_double).collect())),
    }
}

/// The best choice of each place if the movers' values are near those given, or all one half.
fn first_policy(component: &Component<f64>, near: Option<&[f64]>) -> Vec<u32> {
    let mut policy = Vec::with_capacity(component.places());
    let mut values = Vec::with_capacity(component.places());
    for place in 0..component.places() {
        policy.push(component.choices(place / 2).start as u32);
        let value = near.map_or(component.endless, |near| near[place / 2]);
        values.push(if Player::at(place) == Player::First { value } else { 1.0 - value });
    }
    let all = vec![true; component.places()];
    for player in Player::BOTH {
        improve(component, &all, player, &values, &0.0, &mut policy);
    }
    policy
}

/// Switches each place of a player to a better choice, if there is one by more than `margin`; returns
/// whether any was switched.
fn improve<N: Number>(
    component: &Component<N>,
    reached: &[bool],
    player: Player,
    values: &[N],
    margin: &N,
    policy: &mut [u32],
) -> bool {
    let mut improved = false;
    for place in 0..reached.len() {
        let choices = component.choices(place / 2);
        if !reached[place] || Player::at(place) != player || choices.len() == 1 {
            continue;
        }
        let mut best = component.value_at(place, policy[place] as usize, values);
        for choice in choices {
            let value = component.value_at(place, choice, values);
            let gain = match player {
                Player::First => value.minus(&best),
                Player::Second => best.minus(&value),
            };
            if gain > *margin {
                best = value;
                policy[place] = choice as u32;
                improved = true;
            }
        }
    }
    improved
}

struct Iteration<'i, N: Number> {
    component: &'i Component<N>,
    /// By place: see [`Component::reached`].
    reached: &'i [bool],
    order: &'i Option<Rc<Order>>,
    go_on: GoOn<'i>,
}

impl<N: Number> Iteration<'_, N> {
    /// Improves a policy until it is optimal; returns it with the first player's values by place.
    fn run(&self, mut policy: Vec<u32>, limits: &Limits) -> Result<(Vec<u32>, Vec<N>), Unsolved> {
        let margin = N::units(self.component.precision, MARGIN);
        for round in 0.. {
            if !(self.go_on)() {
                return Err(Unsolved::Stopped);
            }
            let values = self.evaluate(&policy)?;
            let joint = round < JOINT_ROUNDS;
            let second = self.improve(Player::Second, &values, &margin, &mut policy);
            let first = joint && self.improve(Player::First, &values, &margin, &mut policy);
            // After the joint rounds, the first player improves only once the second's answer is
            // complete.
            let changed = first
                || second
                || self.force_endless_play(Player::Second, &values, &margin, &mut policy)
                || (!joint && self.improve(Player::First, &values, &margin, &mut policy))
                || self.force_endless_play(Player::First, &values, &margin, &mut policy);
            // In floats, rounding may prevent the iteration from ending.
            if !changed || (!N::IS_EXACT && round >= limits.rounds) {
                return Ok((policy, values));
            }
        }
        unreachable!("the last round returns")
    }

    fn improve(&self, player: Player, values: &[N], margin: &N, policy: &mut [u32]) -> bool {
        improve(self.component, self.reached, player, values, margin, policy)
    }

    /// Returns the first player's values under a policy, by place.
    fn evaluate(&self, policy: &[u32]) -> Result<Vec<N>, Unsolved> {
        let precision = self.component.precision;
        let chain = self.component.chain(self.reached, policy);
        let mut leaving = Vec::with_capacity(policy.len());
        for (place, choice) in policy.iter().enumerate() {
            leaving.push(self.component.leaving_at(place, *choice as usize));
        }
        let mut equations = Equations::new(precision, chain, self.order.as_ref(), self.go_on)?;
        let enough = N::units(precision, REFINED);
        Ok(equations.values(leaving, &self.component.endless, &enough, self.go_on)?)
    }

    /// Switches places of `player` to choices that keep play in the component where the other player
    /// is ahead and cannot prevent it by choices that are best now; returns whether any was switched.
    fn force_endless_play(
        &self,
        player: Player,
        values: &[N],
        margin: &N,
        policy: &mut [u32],
    ) -> bool {
        let component = self.component;
        let places = component.places();
        let endless = &component.endless;
        let is_behind = |place: usize| match player {
            _ if !self.reached[place] => false,
            Player::First => endless.minus(&values[place]) > *margin,
            Player::Second => values[place].minus(endless) > *margin,
        };
        let mut trap: Vec<bool> = (0..places).map(is_behind).collect();
        let may_stay = component.exit.contains(&N::ZERO);
        if !may_stay || !trap.contains(&true) {
            return false;
        }
        // By place: its first entry among the choices of all places, each of which is best now or not.
        let mut first = Vec::with_capacity(places);
        let mut is_best = Vec::new();
        for place in 0..places {
            first.push(is_best.len());
            // Only those of the other player in the trap count.
            if !trap[place] || Player::at(place) == player {
                continue;
            }
            for choice in component.choices(place / 2) {
                let off = component.value_at(place, choice, values).minus(&values[place]);
                is_best.push(off <= *margin && N::ZERO.minus(&off) <= *margin);
            }
        }
        let is_close = |place: usize, choice: usize| {
            is_best[first[place] + choice - component.choices(place / 2).start]
        };
        let stays = |place: usize, choice: usize, trap: &[bool]| {
            !component.may_leave(choice) && component.next(place, choice).all(|(to, _)| trap[to])
        };
        // The other player leaves the trap where a choice that is best leads out, and then no longer
        // stays there: these places are no part of it.
        let mut is_free = vec![false; places];
        loop {
            shrink(&mut trap, |place, trap| {
                let mut choices = component.choices(place / 2);
                if Player::at(place) == player {
                    choices.any(|choice| stays(place, choice, trap))
                } else {
                    !is_free[place]
                        && choices.any(|choice| {
                            stays(place, choice, trap) && is_close(place, choice)
                        })
                }
            });
            let mut freed = false;
            for place in 0..places {
                if trap[place] && Player::at(place) != player {
                    let mut choices = component.choices(place / 2);
                    is_free[place] = choices
                        .any(|choice| is_close(place, choice) && !stays(place, choice, &trap));
                    freed |= is_free[place];
                }
            }
            if !freed {
                break;
            }
        }
        let mut switched = false;
        for place in (0..places).filter(|place| trap[*place] && Player::at(*place) == player) {
            if let Some(choice) = component.choices(place / 2).find(|choice| stays(place, *choice, &trap)) {
                switched |= policy[place] != choice as u32;
                policy[place] = choice as u32;
            }
        }
        switched
    }
}
