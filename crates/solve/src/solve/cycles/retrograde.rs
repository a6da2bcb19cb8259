//! Components without chance, by retrograde analysis: every action leaves with certainty, or leads
//! to one node with certainty.
//!
//! As in endgames of chess, a player takes the best exit that can be forced, and exits are
//! processed from the best on. An exit worth more than one half is good for the first player; the
//! second player concedes it only where every other action is worth at least as much to the first.
//! Exits worth less than one half are processed likewise for the second player. Where neither can
//! force such an exit, play goes on for ever.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::topology::{Owner, Topology};

/// Returns the first player's value at each node, given that of leaving by each action and that of
/// endless play.
pub(super) fn solve<V: Clone>(
    topology: &Topology,
    leave: &[V],
    endless: &V,
    compare: &impl Fn(&V, &V) -> Ordering,
) -> Vec<V> {
    let best_exit = |node: usize| {
        let exits =
            topology.actions[node].clone().filter(|at| topology.leaves[*at]).map(|at| &leave[at]);
        match topology.owner[node] {
            Owner::First => exits.max_by(|one, other| compare(one, other)),
            Owner::Second => exits.min_by(|one, other| compare(one, other)),
        }
    };
    let exits: Vec<Option<&V>> = topology.nodes().map(best_exit).collect();
    // Only the order of values matters, so each is replaced by its rank.
    let mut values: Vec<&V> = exits.iter().copied().flatten().chain([endless]).collect();
    values.sort_by(|one, other| compare(one, other));
    let rank = |value: &V| values.partition_point(|other| compare(other, value).is_lt()) as i64;
    let (endless, ranks): (i64, Vec<Option<i64>>) =
        (rank(endless), exits.iter().map(|exit| exit.map(rank)).collect());
    let first = force(topology, &ranks, Owner::First, endless);
    let negated: Vec<Option<i64>> = ranks.iter().map(|exit| exit.map(|rank| -rank)).collect();
    let second = force(topology, &negated, Owner::Second, -endless);
    let of_node = |(first, second): (Option<i64>, Option<i64>)| {
        first.or(second.map(|rank| -rank)).unwrap_or(endless)
    };
    first.into_iter().zip(second).map(of_node).map(|rank| values[rank as usize].clone()).collect()
}

/// Returns the rank that `player` can force from each node, if it is better than that of endless
/// play, given the rank of each node's best exit; larger ranks are better for the player.
fn force(
    topology: &Topology,
    exits: &[Option<i64>],
    player: Owner,
    endless: i64,
) -> Vec<Option<i64>> {
    // The other player leaves only once all actions within the component lead to forced nodes.
    let inside =
        |node: usize| topology.actions[node].clone().filter(|action| !topology.leaves[*action]);
    let mut previous = vec![Vec::new(); topology.owner.len()];
    for node in topology.nodes() {
        inside(node).for_each(|action| previous[topology.targets(action)[0]].push(node));
    }
    let mut remaining: Vec<usize> = topology.nodes().map(|node| inside(node).count()).collect();
    let mut queue = BinaryHeap::new();
    for node in topology.nodes() {
        let best = exits[node].filter(|_| topology.owner[node] == player || remaining[node] == 0);
        queue.extend(best.map(|rank| (rank, Reverse(node))));
    }
    // Ranks are processed in descending order: a node's first one is the best that can be forced.
    let mut forced = vec![None; topology.owner.len()];
    while let Some((rank, Reverse(node))) = queue.pop() {
        if forced[node].is_some() || rank <= endless {
            continue;
        }
        forced[node] = Some(rank);
        for from in std::mem::take(&mut previous[node]) {
            if topology.owner[from] == player {
                queue.push((rank, Reverse(from)));
                continue;
            }
            remaining[from] -= 1;
            if remaining[from] == 0 {
                queue.push((exits[from].map_or(rank, |exit| exit.min(rank)), Reverse(from)));
            }
        }
    }
    forced
}

#[cfg(test)]
mod tests {
    use super::super::topology::tests::{TestAction::*, topology};
    use super::*;

    /// A cycle of two nodes, values in tenths: leaving gives `x` to the first player at node 0, `y`
    /// to the second at node 1.
    fn two_node_cycle(x: i32, y: i32) -> Vec<i32> {
        let (topology, leaving) = topology(&[
            (Owner::First, vec![Leave(x), MoveTo(1)]),
            (Owner::Second, vec![Leave(10 - y), MoveTo(0)]),
        ]);
        solve(&topology, &leaving, &5, &i32::cmp)
    }

    #[test]
    fn the_value_of_a_cycle_of_two_passes_is_correct_for_all_exits() {
        for (x, y) in (0..=10).flat_map(|x| (0..=10).map(move |y| (x, y))) {
            let median = |mut three: [i32; 3]| {
                three.sort_unstable();
                three[1]
            };
            let expected = if x + y >= 10 { [x, 10 - y] } else { [median([x, 5, 10 - y]); 2] };
            assert_eq!(two_node_cycle(x, y), expected, "x = {x}, y = {y}");
        }
    }

    #[test]
    fn a_distant_exit_is_reached_only_if_the_opponent_cannot_prevent_it() {
        // The first player can go 0 -> 1 -> 2 and leave there with 9; the second moves at 1 and may
        // go to 3, which returns.
        let with_cut = |cut: bool| {
            let second = if cut { vec![MoveTo(2), MoveTo(3)] } else { vec![MoveTo(2)] };
            let nodes = [
                (Owner::First, vec![MoveTo(1), Leave(3)]),
                (Owner::Second, second),
                (Owner::First, vec![Leave(9)]),
                (Owner::First, vec![MoveTo(1)]),
            ];
            let (topology, leaving) = topology(&nodes);
            solve(&topology, &leaving, &5, &i32::cmp)
        };
        assert_eq!(with_cut(false), [9, 9, 9, 9]);
        assert_eq!(with_cut(true), [5, 5, 9, 5], "the second player keeps play between 1 and 3");
    }
}
