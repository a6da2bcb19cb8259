//! Small games that may go on for ever, solved exactly: the recursive games of Everett (1957) with perfect information.
//!
//! **The game.** Each node belongs to one player, who picks one of its actions. An action pays `leave` (the part of
//! the first player's win rate won outside the loop, already weighted with the chance of leaving) and stays in the
//! loop with exact probabilities. Play that stays for ever pays one half.
//!
//! **The method.** Staying is discounted: with a small chance a step ends the game at one half. Then strategy
//! iteration (Hoffman and Karp, 1966) ends at an optimal pair of policies, in rationals, without any epsilon. For
//! every discount near enough to none, that pair is optimal in the undiscounted game too (Blackwell, 1962; finitely many policies), and this is
//! not hoped for but proven, by [`Certificate`]; while it fails, the discount is made smaller.
//!
//! **The proof.** Let u be the undiscounted value of the pair, counted from one half. If no action improves on u in
//! one step, u bounds every play that leaves. Play that never leaves pays 0, so the first player's policy is worth
//! at least u unless the other can hold the game for ever among nodes where u > 0; likewise for the other player
//! where u < 0. Both are checked on the finite graph of the loop (Everett's condition).

use dashu_int::UBig;
use dashu_ratio::RBig;

use crate::solve::elimination::Component;

/// Who picks the action of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Maximizes the first player's win rate.
    First,
    /// Minimizes it.
    Second,
}

/// One action of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Action {
    /// The first player's win rate outside the loop times the chance to get there.
    pub leave: RBig,
    /// Nodes of the loop and the probability of going there, all above 0.
    pub stay: Vec<(usize, RBig)>,
}

/// One node of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RecursiveNode {
    pub owner: Owner,
    /// At least one; a node with a fixed policy has just one.
    pub actions: Vec<Action>,
}

/// The solution of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RecursiveValues {
    /// The first player's win rate at each node.
    pub values: Vec<RBig>,
    /// For each node the actions that are optimal, or within the tolerance asked for, whichever of them is played when.
    pub best: Vec<Vec<usize>>,
}

/// What never leaving is worth to the first player.
fn endless_value() -> RBig {
    RBig::from_parts(1.into(), 2u8.into())
}

/// Solves a loop; actions within `tolerance` of the best count as tied with it. Ends for every loop: see the module's
/// description.
pub(super) fn solve(nodes: &[RecursiveNode], tolerance: &RBig) -> RecursiveValues {
    // Without a discount first: where every step may leave, that is all it takes.
    let may_stay = nodes.iter().flat_map(|node| &node.actions).any(|action| staying(action) == RBig::ONE);
    let mut exponent = if may_stay { 24usize } else { 0 };
    let mut policy = vec![0; nodes.len()];
    loop {
        let keep = match exponent {
            0 => RBig::ONE,
            bits => RBig::ONE - RBig::from_parts(1.into(), UBig::ONE << bits),
        };
        iterate(nodes, &keep, &mut policy);
        let values = evaluate(nodes, &RBig::ONE, &policy);
        let certificate = Certificate { nodes, values: &values };
        if let Some(proven) = certificate.optimal_actions() {
            // More ties leave more ways out, so that there is always one; the proof itself knows no tolerance.
            let best =
                if *tolerance > RBig::ZERO { certificate.progressing(tolerance).unwrap_or(proven) } else { proven };
            return RecursiveValues { values, best };
        }
        exponent = (exponent * 2).max(24);
    }
}

/// The chance that play never ends in a loop in which every node has one action; `leave` is the chance outside.
pub(super) fn endless(nodes: &[RecursiveNode]) -> Vec<RBig> {
    let policy = vec![0; nodes.len()];
    linear(nodes, &policy, &RBig::ONE, &closed(nodes, &policy), &RBig::ONE)
}

fn staying(action: &Action) -> RBig {
    action.stay.iter().fold(RBig::ZERO, |sum, (_, chance)| sum + chance)
}

/// The action's value if each step stays with `keep` of its chance, the rest of which pays one half.
fn value(action: &Action, keep: &RBig, values: &[RBig]) -> RBig {
    let lost = staying(action) * (RBig::ONE - keep) * endless_value();
    let stay = action.stay.iter().fold(RBig::ZERO, |sum, (node, chance)| sum + chance * &values[*node]);
    &action.leave + stay * keep + lost
}

fn better(owner: Owner, new: &RBig, old: &RBig) -> bool {
    match owner {
        Owner::First => new > old,
        Owner::Second => new < old,
    }
}

/// Strategy iteration: the second player answers each policy of the first with a best response.
fn iterate(nodes: &[RecursiveNode], keep: &RBig, policy: &mut [usize]) {
    loop {
        let mut values = evaluate(nodes, keep, policy);
        while improve(nodes, keep, &values, policy, Owner::Second) {
            values = evaluate(nodes, keep, policy);
        }
        if !improve(nodes, keep, &values, policy, Owner::First) {
            return;
        }
    }
}

/// Switches each node of `owner` to a better action if there is one; true if any was.
fn improve(nodes: &[RecursiveNode], keep: &RBig, values: &[RBig], policy: &mut [usize], owner: Owner) -> bool {
    let mut improved = false;
    for (index, node) in nodes.iter().enumerate().filter(|(_, node)| node.owner == owner) {
        let mut best = values[index].clone();
        for (action, option) in node.actions.iter().enumerate() {
            let value_of = value(option, keep, values);
            if better(owner, &value_of, &best) {
                (best, policy[index], improved) = (value_of, action, true);
            }
        }
    }
    improved
}

/// The nodes from which a pair of policies never leaves.
fn closed(nodes: &[RecursiveNode], policy: &[usize]) -> Vec<bool> {
    let mut held = vec![true; nodes.len()];
    let leaves = |index: usize, held: &[bool]| {
        let action = &nodes[index].actions[policy[index]];
        staying(action) < RBig::ONE || action.stay.iter().any(|(node, _)| !held[*node])
    };
    while let Some(free) = (0..nodes.len()).find(|index| held[*index] && leaves(*index, &held)) {
        held[free] = false;
    }
    held
}

/// The values of a pair of policies; without a discount, one half where play never leaves: from all other nodes it leaves
/// or gets there with probability one.
fn evaluate(nodes: &[RecursiveNode], keep: &RBig, policy: &[usize]) -> Vec<RBig> {
    let held = if *keep == RBig::ONE { closed(nodes, policy) } else { vec![false; nodes.len()] };
    linear(nodes, policy, keep, &held, &endless_value())
}

/// Solves v = leave + keep P v by elimination; nodes held for ever are worth `at_rest`.
fn linear(nodes: &[RecursiveNode], policy: &[usize], keep: &RBig, held: &[bool], at_rest: &RBig) -> Vec<RBig> {
    let (mut component, mut leaving) = (Component::default(), Vec::with_capacity(nodes.len()));
    for (index, node) in nodes.iter().enumerate() {
        let action = &node.actions[policy[index]];
        let staying = if held[index] { RBig::ZERO } else { staying(action) };
        let mut next: Vec<(usize, RBig)> = Vec::new();
        if held[index] {
            leaving.push(at_rest.clone());
        } else {
            next.extend(action.stay.iter().filter(|(to, _)| *to != index).map(|(to, chance)| (*to, chance * keep)));
            next.sort_unstable_by_key(|(to, _)| *to);
            leaving.push(&action.leave + &staying * (RBig::ONE - keep) * endless_value());
        }
        component.next.push(next);
        component.leaving.push(RBig::ONE - staying * keep);
    }
    component.eliminate(|_| Ok(())).expect("nobody stops it").values(leaving)
}

/// The proof that values are the loop's, and with it the actions that are safe to choose.
struct Certificate<'a> {
    nodes: &'a [RecursiveNode],
    values: &'a [RBig],
}

impl Certificate<'_> {
    /// For each node its optimal actions, or `None` if the values are not proven.
    ///
    /// An action that is as good in one step but helps to stay for ever where its player is ahead is not among
    /// them: any choice among those listed, at any time, is worth the value.
    fn optimal_actions(&self) -> Option<Vec<Vec<usize>>> {
        for (node, known) in self.nodes.iter().zip(self.values) {
            if node.actions.iter().any(|action| better(node.owner, &value(action, &RBig::ONE, self.values), known)) {
                return None;
            }
        }
        self.progressing(&RBig::ZERO).filter(|tight| tight.iter().all(|actions| !actions.is_empty()))
    }

    /// For each node the actions within `tolerance` of its value in one step, less those that would let play stay for ever
    /// where their player is ahead by more; `None` if that cannot be prevented.
    fn progressing(&self, tolerance: &RBig) -> Option<Vec<Vec<usize>>> {
        let within = |(node, known): (&RecursiveNode, &RBig)| {
            let values = node.actions.iter().map(|action| value(action, &RBig::ONE, self.values));
            let close = |value: RBig| if value > *known { value - known } else { known - value } <= *tolerance;
            values.enumerate().filter_map(|(action, value)| close(value).then_some(action)).collect()
        };
        let mut tight: Vec<Vec<usize>> = self.nodes.iter().zip(self.values).map(within).collect();
        for owner in [Owner::First, Owner::Second] {
            self.keep_progress(owner, &mut tight, tolerance)?;
        }
        Some(tight)
    }

    /// Where `owner` is ahead of one half by more than `tolerance`, drops those of its actions that would let play stay there
    /// for ever; `None` if the other can hold it there whatever `owner` does.
    fn keep_progress(&self, owner: Owner, tight: &mut [Vec<usize>], tolerance: &RBig) -> Option<()> {
        let ahead = match owner {
            Owner::First => endless_value() + tolerance,
            Owner::Second => endless_value() - tolerance,
        };
        let mut held: Vec<bool> = self.values.iter().map(|known| better(owner, known, &ahead)).collect();
        loop {
            self.release(owner, tight, &mut held);
            if held.iter().all(|held| !held) {
                return Some(());
            }
            let mut dropped = false;
            for index in (0..held.len()).filter(|index| held[*index] && self.nodes[*index].owner == owner) {
                let leaving: Vec<usize> =
                    tight[index].iter().copied().filter(|action| self.leaves(index, *action, &held)).collect();
                if !leaving.is_empty() {
                    (tight[index], dropped) = (leaving, true);
                }
            }
            if !dropped {
                return None;
            }
        }
    }

    /// Frees nodes, one after another, whose every choice may leave the held ones.
    fn release(&self, owner: Owner, tight: &[Vec<usize>], held: &mut [bool]) {
        let free = |index: usize, held: &[bool]| match self.nodes[index].owner == owner {
            true => tight[index].iter().all(|action| self.leaves(index, *action, held)),
            false => (0..self.nodes[index].actions.len()).all(|action| self.leaves(index, action, held)),
        };
        while let Some(index) = (0..held.len()).find(|index| held[*index] && free(*index, held)) {
            held[index] = false;
        }
    }

    fn leaves(&self, index: usize, action: usize, held: &[bool]) -> bool {
        let action = &self.nodes[index].actions[action];
        staying(action) < RBig::ONE || action.stay.iter().any(|(node, _)| !held[*node])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: i32, denominator: u32) -> RBig {
        RBig::from_parts(numerator.into(), denominator.into())
    }

    fn leave(value: RBig) -> Action {
        Action { leave: value, stay: Vec::new() }
    }

    fn pass(node: usize) -> Action {
        Action { leave: RBig::ZERO, stay: vec![(node, RBig::ONE)] }
    }

    /// Two players who may pass to each other: the first leaves with x, the second leaves the first 1 - y.
    fn pass_loop(x: RBig, y: RBig) -> RecursiveValues {
        let first = RecursiveNode { owner: Owner::First, actions: vec![leave(x), pass(1)] };
        let second = RecursiveNode { owner: Owner::Second, actions: vec![leave(RBig::ONE - y), pass(0)] };
        solve(&[first, second], &RBig::ZERO)
    }

    #[test]
    fn a_pass_loop_is_worth_what_the_rules_say() {
        for (x, y) in (0..=10).flat_map(|x| (0..=10).map(move |y| (ratio(x, 10), ratio(y, 10)))) {
            let solved = pass_loop(x.clone(), y.clone());
            let expected = if &x + &y >= RBig::ONE {
                x.clone()
            } else {
                let mut three = [x.clone(), ratio(1, 2), RBig::ONE - &y];
                three.sort();
                three[1].clone()
            };
            assert_eq!(solved.values[0], expected, "x = {x}, y = {y}");
            let second = if &x + &y >= RBig::ONE { RBig::ONE - &y } else { expected.clone() };
            assert_eq!(solved.values[1], second, "x = {x}, y = {y}");
        }
    }

    #[test]
    fn passing_for_ever_is_no_way_to_win_a_won_game() {
        // Leaving wins, and passing leads to an opponent who loses by leaving: worth the same in one step.
        let solved = pass_loop(RBig::ONE, RBig::ZERO);
        assert_eq!(solved.best[0], [0], "only leaving wins");
        assert_eq!(solved.best[1], [0, 1], "the lost side may do either");
    }

    #[test]
    fn a_die_that_scores_nothing_on_a_one() {
        // Both roll one die that stays with 1/6 and else wins: v = 5/6 + 1/6 w, w = 1/6 v.
        let roll = |leave: RBig, node: usize| Action { leave, stay: vec![(node, ratio(1, 6))] };
        let first = RecursiveNode { owner: Owner::First, actions: vec![roll(ratio(5, 6), 1)] };
        let second = RecursiveNode { owner: Owner::Second, actions: vec![roll(RBig::ZERO, 0)] };
        let solved = solve(&[first.clone(), second.clone()], &RBig::ZERO);
        assert_eq!(solved.values, [ratio(6, 7), ratio(1, 7)]);
        assert_eq!(endless(&[first, second]), [ratio(6, 7), ratio(1, 7)], "with `leave` as the chance outside");
    }

    #[test]
    fn a_loop_of_chance_and_passes() {
        // The first may leave with 1/4 or roll (1/2 win, 1/2 on to the second, who can only pass back).
        let roll = Action { leave: ratio(1, 2), stay: vec![(1, ratio(1, 2))] };
        let first = RecursiveNode { owner: Owner::First, actions: vec![leave(ratio(1, 4)), pass(1), roll] };
        let second = RecursiveNode { owner: Owner::Second, actions: vec![pass(0)] };
        let solved = solve(&[first, second], &RBig::ZERO);
        assert_eq!(solved.values, [RBig::ONE, RBig::ONE], "rolling on wins in the end");
        assert_eq!(solved.best[0], [2]);
    }
}
