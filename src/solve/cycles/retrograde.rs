//! Components without chance: every turn surely leaves, or surely leads to one node.
//!
//! Retrograde analysis, as of endgames: who wants to win takes the best exit that can be forced, best exits first. An exit worth
//! more than one half is the first player's to take; the second must let it happen only where every other way is worth as
//! much. Likewise from the other end for exits worth less than one half. Where neither can force anything, play goes round for
//! ever.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::topology::{Owner, Topology};

/// A value that a node may be known to have, the best for its player first.
struct Reachable<'c, V, C> {
    value: &'c V,
    node: usize,
    compare: &'c C,
}

impl<V, C: Fn(&V, &V) -> Ordering> Ord for Reachable<'_, V, C> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.compare)(self.value, other.value).then(other.node.cmp(&self.node))
    }
}

impl<V, C: Fn(&V, &V) -> Ordering> PartialOrd for Reachable<'_, V, C> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<V, C: Fn(&V, &V) -> Ordering> PartialEq for Reachable<'_, V, C> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<V, C: Fn(&V, &V) -> Ordering> Eq for Reachable<'_, V, C> {}

/// The first player's win rate at each node; `leave` is by action, what it is worth to leave by it.
pub(super) fn solve<V: Clone>(
    topology: &Topology,
    leave: &[V],
    half: &V,
    compare: &impl Fn(&V, &V) -> Ordering,
) -> Vec<V> {
    let mut values = vec![None; topology.owner.len()];
    force(topology, leave, (Owner::First, half), compare, &mut values);
    force(topology, leave, (Owner::Second, half), &|a: &V, b: &V| compare(b, a), &mut values);
    values.into_iter().map(|value| value.unwrap_or_else(|| half.clone())).collect()
}

/// Finds the nodes from which `player` can force more than one half; `compare` tells what that player prefers.
fn force<V: Clone>(
    topology: &Topology,
    leave: &[V],
    (player, half): (Owner, &V),
    compare: &impl Fn(&V, &V) -> Ordering,
    values: &mut [Option<V>],
) {
    // The other player's best way out, which counts once no way is left that stays.
    let exits = |node: usize| topology.actions[node].clone().filter(|action| topology.leaves[*action]);
    let ways = |node: usize| topology.actions[node].clone().filter(|action| !topology.leaves[*action]);
    let best = |node: usize, worst: bool| {
        exits(node).map(|action| &leave[action]).reduce(|a, b| if compare(a, b).is_lt() == worst { a } else { b })
    };
    let mut previous = vec![Vec::new(); values.len()];
    for node in topology.nodes() {
        ways(node).for_each(|action| previous[topology.targets(action)[0]].push(node));
    }
    let mut open: Vec<usize> = topology.nodes().map(|node| ways(node).count()).collect();
    let mut waiting = BinaryHeap::new();
    for node in topology.nodes() {
        let mine = topology.owner[node] == player;
        if let Some(value) = best(node, !mine).filter(|_| mine || open[node] == 0) {
            waiting.push(Reachable { value, node, compare });
        }
    }
    // Once a value is the best that is left, whoever could avoid it has nothing better.
    while let Some(Reachable { value, node, .. }) = waiting.pop() {
        if values[node].is_some() || compare(value, half).is_le() {
            continue;
        }
        values[node] = Some(value.clone());
        for from in std::mem::take(&mut previous[node]) {
            if topology.owner[from] == player {
                waiting.push(Reachable { value, node: from, compare });
                continue;
            }
            open[from] -= 1;
            if open[from] == 0 {
                let least = best(from, true).filter(|exit| compare(exit, value).is_lt()).unwrap_or(value);
                waiting.push(Reachable { value: least, node: from, compare });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::topology::tests::{leave, pass, topology};
    use super::*;

    /// Values in tenths, twice: leaving is worth `x` at the first node to the first player, `10 - y` at the second.
    fn pass_loop(x: i32, y: i32) -> Vec<i32> {
        let (topology, leaving) =
            topology(&[(Owner::First, vec![leave(x), pass(1)]), (Owner::Second, vec![leave(10 - y), pass(0)])]);
        solve(&topology, &leaving, &5, &i32::cmp)
    }

    #[test]
    fn a_pass_loop_is_worth_what_the_rules_say() {
        for (x, y) in (0..=10).flat_map(|x| (0..=10).map(move |y| (x, y))) {
            let median = |mut three: [i32; 3]| {
                three.sort_unstable();
                three[1]
            };
            let expected = if x + y >= 10 { [x, 10 - y] } else { [median([x, 5, 10 - y]); 2] };
            assert_eq!(pass_loop(x, y), expected, "x = {x}, y = {y}");
        }
    }

    #[test]
    fn a_long_way_to_a_good_exit_is_taken_only_if_it_cannot_be_cut() {
        // The first may go 0 -> 1 -> 2 and leave there with 9; the second moves at 1 and may go to 3, which only goes back.
        let with_cut = |cut: bool| {
            let second = if cut { vec![pass(2), pass(3)] } else { vec![pass(2)] };
            let nodes = [
                (Owner::First, vec![pass(1), leave(3)]),
                (Owner::Second, second),
                (Owner::First, vec![leave(9)]),
                (Owner::First, vec![pass(1)]),
            ];
            let (topology, leaving) = topology(&nodes);
            solve(&topology, &leaving, &5, &i32::cmp)
        };
        assert_eq!(with_cut(false), [9, 9, 9, 9]);
        assert_eq!(with_cut(true), [5, 5, 9, 5], "the second holds play between 1 and 3");
    }
}
