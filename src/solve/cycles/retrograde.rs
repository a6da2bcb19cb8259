//! Components without chance: every turn surely leaves, or surely leads to one node.
//!
//! Retrograde analysis, as of endgames: who wants to win takes the best exit that can be forced, best exits first. An exit worth
//! more than one half is the first player's to take; the second must let it happen only where every other way is worth as
//! much. Likewise from the other end for exits worth less than one half. Where neither can force anything, play goes round for
//! ever.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::topology::{Owner, Topology};

/// The first player's win rate at each node; `leave` is by action, what it is worth to leave by it, and `half` what play is
/// worth that goes round for ever.
pub(super) fn solve<V: Clone>(
    topology: &Topology,
    leave: &[V],
    half: &V,
    compare: &impl Fn(&V, &V) -> Ordering,
) -> Vec<V> {
    let best_exit = |node: usize| {
        let exits = topology.actions[node].clone().filter(|at| topology.leaves[*at]).map(|at| &leave[at]);
        match topology.owner[node] {
            Owner::First => exits.max_by(|one, other| compare(one, other)),
            Owner::Second => exits.min_by(|one, other| compare(one, other)),
        }
    };
    let exits: Vec<Option<&V>> = topology.nodes().map(best_exit).collect();
    // Only their order counts: a value's rank stands for it.
    let mut values: Vec<&V> = exits.iter().copied().flatten().chain([half]).collect();
    values.sort_by(|one, other| compare(one, other));
    let rank = |value: &V| values.partition_point(|other| compare(other, value).is_lt()) as i64;
    let (half, ranks): (i64, Vec<Option<i64>>) = (rank(half), exits.iter().map(|exit| exit.map(rank)).collect());
    let first = force(topology, &ranks, (Owner::First, half));
    let turned: Vec<Option<i64>> = ranks.iter().map(|exit| exit.map(|rank| -rank)).collect();
    let second = force(topology, &turned, (Owner::Second, -half));
    let of_node = |(first, second): (Option<i64>, Option<i64>)| first.or(second.map(|rank| -rank)).unwrap_or(half);
    first.into_iter().zip(second).map(of_node).map(|rank| values[rank as usize].clone()).collect()
}

/// What `player` can force from each node, if that is more than one half, from the rank of each node's best exit; larger ranks
/// are better for the player.
fn force(topology: &Topology, exits: &[Option<i64>], (player, half): (Owner, i64)) -> Vec<Option<i64>> {
    // The other player's best way out counts once no way is left that stays.
    let ways = |node: usize| topology.actions[node].clone().filter(|action| !topology.leaves[*action]);
    let mut previous = vec![Vec::new(); topology.owner.len()];
    for node in topology.nodes() {
        ways(node).for_each(|action| previous[topology.targets(action)[0]].push(node));
    }
    let mut open: Vec<usize> = topology.nodes().map(|node| ways(node).count()).collect();
    let mut waiting = BinaryHeap::new();
    for node in topology.nodes() {
        let best = exits[node].filter(|_| topology.owner[node] == player || open[node] == 0);
        waiting.extend(best.map(|rank| (rank, Reverse(node))));
    }
    // Once a value is the best that is left, whoever could avoid it has nothing better.
    let mut forced = vec![None; topology.owner.len()];
    while let Some((rank, Reverse(node))) = waiting.pop() {
        if forced[node].is_some() || rank <= half {
            continue;
        }
        forced[node] = Some(rank);
        for from in std::mem::take(&mut previous[node]) {
            if topology.owner[from] == player {
                waiting.push((rank, Reverse(from)));
                continue;
            }
            open[from] -= 1;
            if open[from] == 0 {
                waiting.push((exits[from].map_or(rank, |exit| exit.min(rank)), Reverse(from)));
            }
        }
    }
    forced
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
