//! Components without chance, by retrograde analysis: every choice leaves with certainty, or leads
//! to one node with certainty.
//!
//! As in endgames of chess, a player takes the best exit that can be forced, and exits are
//! processed from the best on. An exit worth more than endless play is good for the first player;
//! the second player concedes it only where every other choice is worth at least as much to the
//! first. Exits worth less are processed likewise for the second player. Where neither can force
//! such an exit, play goes on for ever.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::linear::{GoOn, Number};

use super::places::Player;
use super::{Component, Solved, Unsolved, proof};

/// The most sweeps that raise errors: margins follow each other along the longest way to an exit.
const MOST_SWEEPS: usize = 10_000;

/// Solves a component without chance.
pub(super) fn solve<N: Number>(
    component: &Component<N>,
    go_on: GoOn,
) -> Result<Solved<N>, Unsolved> {
    if !go_on() {
        return Err(Unsolved::Stopped);
    }
    let reached = component.reached();
    let values = component.of_movers(&reached, &values(component, &reached));
    if N::IS_EXACT {
        return Ok(Solved { errors: vec![[0.0; 2]; values.len()], values });
    }
    // The complement of a grain is exact, so that turns without chance cost no errors.
    let values: Vec<N> = values.iter().map(N::to_grain).collect();
    match proof::by_sweeps(component, &values, MOST_SWEEPS, go_on)? {
        Some(errors) => Ok(Solved { values, errors }),
        None => Err(Unsolved::Unproven(values.iter().map(N::to_double).collect())),
    }
}

fn compare<N: Number>(one: &N, other: &N) -> Ordering {
    one.partial_cmp(other).expect("values are numbers")
}

/// The number of smaller ones among sorted values.
fn rank<N: Number>(sorted: &[&N], value: &N) -> i64 {
    sorted.partition_point(|other| compare(*other, value).is_lt()) as i64
}

/// Returns the first player's value at each place that is reached.
fn values<N: Number>(component: &Component<N>, reached: &[bool]) -> Vec<N> {
    let mut exits: Vec<Option<N>> = Vec::with_capacity(reached.len());
    for (place, reached) in reached.iter().enumerate() {
        let choices = component.choices(place / 2).filter(|_| *reached);
        let exit = choices.filter(|choice| component.may_leave(*choice));
        let exit = exit.map(|choice| component.leaving_at(place, choice));
        exits.push(match Player::at(place) {
            Player::First => exit.max_by(compare),
            Player::Second => exit.min_by(compare),
        });
    }
    // Only the order of values matters, so each is replaced by its rank.
    let mut values: Vec<&N> = exits.iter().flatten().chain([&component.endless]).collect();
    values.sort_by(|one, other| compare(*one, *other));
    let endless = rank(&values, &component.endless);
    let mut ranks: Vec<Option<i64>> = Vec::with_capacity(exits.len());
    for exit in &exits {
        ranks.push(exit.as_ref().map(|exit| rank(&values, exit)));
    }
    let first = force(component, reached, &ranks, Player::First, endless);
    let negated: Vec<Option<i64>> = ranks.iter().map(|exit| exit.map(|rank| -rank)).collect();
    let second = force(component, reached, &negated, Player::Second, -endless);
    let mut found = Vec::with_capacity(reached.len());
    for (first, second) in first.into_iter().zip(second) {
        let rank = first.or(second.map(|rank| -rank)).unwrap_or(endless);
        found.push(values[rank as usize].clone());
    }
    found
}

/// Returns the rank that `player` can force from each place, if it is better than that of endless
/// play, given the rank of each place's best exit; larger ranks are better for the player.
fn force<N: Number>(
    component: &Component<N>,
    reached: &[bool],
    exits: &[Option<i64>],
    player: Player,
    endless: i64,
) -> Vec<Option<i64>> {
    // The other player leaves only once all choices within the component lead to forced places.
    let mut previous = vec![Vec::new(); reached.len()];
    let mut remaining = vec![0; reached.len()];
    for place in (0..reached.len()).filter(|place| reached[*place]) {
        for choice in component.choices(place / 2) {
            for (to, _) in component.next(place, choice) {
                previous[to].push(place);
                remaining[place] += 1;
            }
        }
    }
    let mut queue = BinaryHeap::new();
    for place in 0..reached.len() {
        let best = exits[place].filter(|_| Player::at(place) == player || remaining[place] == 0);
        queue.extend(best.map(|rank| (rank, Reverse(place))));
    }
    // Ranks are processed in descending order: a place's first one is the best that can be forced.
    let mut forced = vec![None; reached.len()];
    while let Some((rank, Reverse(place))) = queue.pop() {
        if forced[place].is_some() || rank <= endless {
            continue;
        }
        forced[place] = Some(rank);
        for from in std::mem::take(&mut previous[place]) {
            if Player::at(from) == player {
                queue.push((rank, Reverse(from)));
                continue;
            }
            remaining[from] -= 1;
            if remaining[from] == 0 {
                let least = exits[from].map_or(rank, |exit| exit.min(rank));
                queue.push((least, Reverse(from)));
            }
        }
    }
    forced
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
        solve(&component, &|| true).expect("it is not stopped").values
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
