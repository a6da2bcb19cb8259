//! Policy iteration.
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

use crate::linear::{EliminationOrder, Equations, GoOn, Number};

use super::places::{Player, shrink};
use super::{Component, Solved, Tolerance, Unsolved, proof, sweeps};

/// The least improvement for which a policy in floats switches to another choice at first, in
/// units, or in grains where these are larger.
const LEAST_GAIN: f64 = 4.0;
/// The rounds of policy iteration in which both players improve together: most components are
/// solved by then.
const JOINT_ROUNDS: usize = 30;
/// The rounds of policy iteration in floats after which an improvement must be twice as large, so
/// that it ends. In exact numbers it ends by itself.
const ROUNDS: usize = 32;
/// How far values that policy iteration starts from may be off, in units: those of sweeps, and of
/// fewer digits.
const NEAR: f64 = (1u32 << 20) as f64;
/// Values are refined until no equation is off by more than so many units.
const REFINED: f64 = 64.0;

/// Solves a component; `order` is the order of its places under all choices, if there is one,
/// `near` are the movers' values to start from.
pub(super) fn solve<N: Number>(
    component: &Component<N>,
    order: Option<Rc<EliminationOrder>>,
    near: Option<&[f64]>,
    go_on: GoOn,
) -> Result<Solved<N>, Unsolved> {
    let reached = component.reached();
    // What players who answer each other at once come to may be worse than what is near already.
    let joint = if near.is_none() { JOINT_ROUNDS } else { 0 };
    let (policy, values) = match component.as_doubles() {
        Some(doubles) => {
            let first = by_place(&best_choices(doubles, near));
            component.iteration(&reached, &order, go_on).run(first, joint)?
        }
        None => {
            // The policies found in doubles are usually optimal already.
            let doubles = component.in_doubles();
            let first = by_place(&best_choices(&doubles, near));
            let (policy, _) = doubles.iteration(&reached, &order, go_on).run(first, joint)?;
            component.iteration(&reached, &order, go_on).run(policy, 0)?
        }
    };
    let mut values = component.of_movers(&reached, &values);
    if N::IS_EXACT {
        return Ok(Solved { errors: vec![[0.0; 2]; values.len()], values });
    }
    match component.as_doubles() {
        Some(doubles) => {
            let found: Vec<f64> = values.iter().map(N::to_double).collect();
            let smoothed = sweeps::smoothed(doubles, &found).into_iter();
            values = smoothed.map(N::from_double).collect();
        }
        None => values.iter_mut().for_each(|value| *value = value.to_grain()),
    }
    let mut of_nodes = Vec::with_capacity(component.nodes());
    for (policy, reached) in policy.chunks(2).zip(reached.chunks(2)) {
        of_nodes.push(policy[usize::from(reached[1])]);
    }
    match proof::by_elimination(component, &values, &of_nodes, order.as_ref(), go_on)? {
        Some(errors) => Ok(Solved { values, errors }),
        None => Err(Unsolved::Unproven(values.iter().map(N::to_double).collect())),
    }
}

/// A policy in which both players take the same choice at a node.
fn by_place(of_nodes: &[u32]) -> Vec<u32> {
    of_nodes.iter().flat_map(|choice| [*choice; 2]).collect()
}

/// By node: its best choice if the movers' values are near those given, or all as good as endless
/// play; of those that tie one by which play does not stall.
pub(super) fn best_choices(component: &Component<f64>, near: Option<&[f64]>) -> Vec<u32> {
    let values = match near {
        Some(near) => near.to_vec(),
        None => vec![component.endless; component.nodes()],
    };
    let errors = vec![[NEAR; 2]; values.len()];
    component.decide(&Solved { values, errors }, Tolerance::default()).chosen
}

impl<N: Number> Component<N> {
    fn iteration<'i>(
        &'i self,
        reached: &'i [bool],
        order: &'i Option<Rc<EliminationOrder>>,
        go_on: GoOn<'i>,
    ) -> Iteration<'i, N> {
        Iteration { component: self, reached, order, go_on }
    }
}

/// Switches each place of a player to a better choice, if there is one by more than `margin`;
/// returns whether any was switched.
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
    order: &'i Option<Rc<EliminationOrder>>,
    go_on: GoOn<'i>,
}

impl<N: Number> Iteration<'_, N> {
    /// Improves a policy until it is optimal, by both players together in so many rounds; returns
    /// it with the first player's values by place.
    fn run(&self, mut policy: Vec<u32>, joint: usize) -> Result<(Vec<u32>, Vec<N>), Unsolved> {
        for round in 0.. {
            // In floats, rounding might otherwise prevent the iteration from ending.
            let grown = 1u64 << (round / ROUNDS).min(53);
            let margin = N::units(LEAST_GAIN * N::GRAIN.max(1.0) * grown as f64);
            if !(self.go_on)() {
                return Err(Unsolved::Stopped);
            }
            let values = self.evaluate(&policy)?;
            let is_joint = round < joint;
            let second = self.improve(Player::Second, &values, &margin, &mut policy);
            let first = is_joint && self.improve(Player::First, &values, &margin, &mut policy);
            // After the joint rounds, the first player improves only once the second's answer is
            // complete.
            let changed = first
                || second
                || self.force_endless_play(Player::Second, &values, &margin, &mut policy)
                || (!is_joint && self.improve(Player::First, &values, &margin, &mut policy))
                || self.force_endless_play(Player::First, &values, &margin, &mut policy);
            if !changed {
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
        let chain = self.component.chain(self.reached, policy);
        let mut leaving = Vec::with_capacity(policy.len());
        for (place, choice) in policy.iter().enumerate() {
            leaving.push(self.component.leaving_at(place, *choice as usize));
        }
        let mut equations = Equations::new(chain, self.order.as_ref(), self.go_on)?;
        let enough = N::units(REFINED);
        let mut values = equations.values(leaving, &self.component.endless, &enough, self.go_on)?;
        if N::IS_REFINED {
            // Values that are equal shall be equal in all digits.
            values.iter_mut().for_each(|value| *value = value.to_grain());
        }
        Ok(values)
    }

    /// Lists the choices of a place that are as good as its value, and that of the policy.
    fn best_choices(
        &self,
        place: usize,
        values: &[N],
        margin: &N,
        policy: &[u32],
        options: &mut Vec<usize>,
    ) {
        let component = self.component;
        for choice in component.choices(place / 2) {
            let off = component.value_at(place, choice, values).minus(&values[place]);
            let is_close = off <= *margin && N::ZERO.minus(&off) <= *margin;
            if is_close || choice == policy[place] as usize {
                options.push(choice);
            }
        }
    }

    /// Switches places of `player` to choices that keep play in the component, where the player is
    /// behind: to choices that are no worse now, if none that the other player has leads out of
    /// these places. Of the second player's choices those that are best now count, of the first
    /// player's only those of the policy, which is answered. Returns whether any place was
    /// switched.
    fn force_endless_play(
        &self,
        player: Player,
        values: &[N],
        margin: &N,
        policy: &mut [u32],
    ) -> bool {
        let component = self.component;
        let endless = &component.endless;
        let mut trap = Vec::with_capacity(component.places());
        for (value, reached) in values.iter().zip(self.reached) {
            let behind = match player {
                Player::First => endless.minus(value),
                Player::Second => value.minus(endless),
            };
            trap.push(*reached && behind > *margin);
        }
        if !component.exit.contains(&N::ZERO) || !trap.contains(&true) {
            return false;
        }
        // By place: the first of its options, which are listed for all places.
        let mut first = Vec::with_capacity(component.places() + 1);
        let mut options = Vec::new();
        for place in 0..component.places() {
            first.push(options.len());
            let answered = Player::at(place) == Player::First && player == Player::Second;
            match trap[place] {
                true if answered => options.push(policy[place] as usize),
                true => self.best_choices(place, values, margin, policy, &mut options),
                false => {}
            }
        }
        first.push(options.len());
        shrink(&mut trap, |place, trap| {
            let mut options = options[first[place]..first[place + 1]].iter();
            match Player::at(place) == player {
                true => options.any(|choice| component.stays_among(place, *choice, trap)),
                false => options.all(|choice| component.stays_among(place, *choice, trap)),
            }
        });
        let mut switched = false;
        for place in (0..trap.len()).filter(|place| trap[*place] && Player::at(*place) == player) {
            if component.stays_among(place, policy[place] as usize, &trap) {
                continue;
            }
            let mut options = options[first[place]..first[place + 1]].iter();
            if let Some(choice) =
                options.find(|choice| component.stays_among(place, **choice, &trap))
            {
                policy[place] = *choice as u32;
                switched = true;
            }
        }
        switched
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a choice of a test does: it leaves with a value in tenths, or leads to a node of the
    /// other player or the same.
    #[derive(Clone, Copy)]
    enum Choice {
        Leave(u8),
        Pass(usize),
        Stay(usize),
    }
    use Choice::*;

    fn solved(nodes: &[&[Choice]]) -> Vec<f64> {
        let mut component = Component::<f64>::new();
        for choices in nodes {
            for choice in *choices {
                component.begin_choice(1);
                match *choice {
                    Leave(tenths) => component.leave(1, &(f64::from(tenths) / 10.0), 0.0, true),
                    Pass(to) => component.lead(to, 1, false),
                    Stay(to) => component.lead(to, 1, true),
                }
                component.end_choice();
            }
            component.end_node();
        }
        component.solve(None, &|| true).expect("it is not stopped").values
    }

    #[test]
    fn the_value_of_a_cycle_of_two_passes_is_correct_for_all_exits() {
        for (x, y) in (0..=10u8).flat_map(|x| (0..=10u8).map(move |y| (x, y))) {
            let mut three = [x, 5, 10 - y];
            three.sort_unstable();
            let expected = if x + y >= 10 { [x, y] } else { [three[1], 10 - three[1]] };
            let found = solved(&[&[Leave(x), Pass(1)], &[Leave(y), Pass(0)]]);
            let tenths: Vec<u8> = found.iter().map(|value| (10.0 * value).round() as u8).collect();
            assert_eq!(tenths, expected, "x = {x}, y = {y}");
        }
    }

    #[test]
    fn a_distant_exit_is_reached_only_if_the_opponent_cannot_prevent_it() {
        // The first player can go 0 -> 1 -> 2 and leave there with 9; the second moves at 1 and may
        // go to 3, which returns.
        let nodes: [&[Choice]; 4] = [&[Pass(1), Leave(3)], &[Pass(2)], &[Leave(9)], &[Pass(1)]];
        assert_eq!(solved(&nodes), [0.9, 1.0 - 0.9, 0.9, 0.9]);
        let with_cut: [&[Choice]; 4] =
            [&[Pass(1), Leave(3)], &[Pass(2), Pass(3)], &[Leave(9)], &[Pass(1)]];
        assert_eq!(solved(&with_cut), [0.5, 0.5, 0.9, 0.5], "play is kept between 1 and 3");
    }

    #[test]
    fn a_menu_is_a_node_of_the_same_player() {
        // The mover at 0 goes to a menu, whose best entry leaves with 7; the other passes to node
        // 0.
        assert_eq!(solved(&[&[Stay(1)], &[Leave(7), Pass(0)]]), [0.7, 0.7]);
    }
}
