//! Who moves where: each node occurs once for each player.
//!
//! A *place* is twice a node, plus 1 if the first player moves there. Values by place are those of
//! the first player. Bounds on errors use the same numbers: that above the mover's value of a node
//! follows the other bounds as the first player's value follows the other values.

use crate::linear::{Chain, EliminationOrder, Number};

use super::Component;

/// A player. Values by place are those of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Player {
    First,
    Second,
}

impl Player {
    /// The player who moves at a place.
    #[inline(always)]
    pub fn at(place: usize) -> Self {
        if place & 1 == 1 { Self::First } else { Self::Second }
    }
}

/// The place that an edge leads to from a place; the edge is given as in [`Component::steps`].
#[inline(always)]
pub(super) fn target(place: usize, to: usize) -> usize {
    if place & 1 == 1 { to } else { to ^ 1 }
}

impl<N: Number> Component<N> {
    pub(super) fn places(&self) -> usize {
        2 * self.nodes()
    }

    /// The places that a choice leads to, with their probabilities.
    #[inline(always)]
    pub(super) fn next(&self, place: usize, choice: usize) -> impl Iterator<Item = (usize, &N)> {
        self.steps(choice).map(move |(to, chance)| (target(place, to), chance))
    }

    /// The value of leaving by a choice, to the first player, times its probability.
    pub(super) fn leaving_at(&self, place: usize, choice: usize) -> N {
        match Player::at(place) {
            Player::First => self.leaving[choice].clone(),
            Player::Second => self.exit[choice].minus(&self.leaving[choice]),
        }
    }

    /// The value of a choice to the first player.
    #[inline(always)]
    pub(super) fn value_at(&self, place: usize, choice: usize, values: &[N]) -> N {
        let mut sum = self.leaving_at(place, choice);
        for (to, chance) in self.next(place, choice) {
            sum = sum.plus(&chance.times(&values[to]));
        }
        sum
    }

    /// Whether a choice stays with certainty among some places.
    pub(super) fn stays_among(&self, place: usize, choice: usize, places: &[bool]) -> bool {
        !self.may_leave(choice) && self.next(place, choice).all(|(to, _)| places[to])
    }

    /// Returns by place whether play can lead there, if the first player moves at the first node.
    /// What is left is the same with the players exchanged.
    pub(super) fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.places()];
        let mut open = Vec::new();
        for node in 0..self.nodes() {
            // A component by hand may have several parts.
            if !reached[2 * node] && !reached[2 * node + 1] {
                reached[2 * node + 1] = true;
                open.push(2 * node + 1);
            }
            while let Some(place) = open.pop() {
                for choice in self.choices(place / 2) {
                    for to in &self.to[self.edges(choice)] {
                        let to = target(place, *to as usize);
                        if !std::mem::replace(&mut reached[to], true) {
                            open.push(to);
                        }
                    }
                }
            }
        }
        reached
    }

    /// The chain of a choice for each place that is reached.
    pub(super) fn chain(&self, reached: &[bool], policy: &[u32]) -> Chain<N> {
        let mut chain = Chain::with_room(policy.len(), 4 * policy.len());
        for (place, choice) in policy.iter().map(|choice| *choice as usize).enumerate() {
            if !reached[place] {
                chain.end_state(N::ONE);
                continue;
            }
            for (to, chance) in self.next(place, choice) {
                chain.push(to, chance.clone());
            }
            chain.end_state(self.exit[choice].clone());
        }
        chain
    }

    /// Returns the order in which places may be evaluated under all choices, if at most `most`
    /// feedback places leave no cycle in it.
    pub(super) fn order_of_all_choices(
        &self,
        reached: &[bool],
        most: usize,
    ) -> Option<EliminationOrder> {
        let mut first = Vec::with_capacity(self.places() + 1);
        let mut all = Vec::with_capacity(2 * self.to.len());
        first.push(0);
        for (place, reached) in reached.iter().enumerate() {
            let from = all.len();
            let choices = self.choices(place / 2).filter(|_| *reached);
            for choice in choices {
                for to in &self.to[self.edges(choice)] {
                    let to = target(place, *to as usize) as u32;
                    if !all[from..].contains(&to) {
                        all.push(to);
                    }
                }
            }
            first.push(all.len() as u32);
        }
        let mut order = EliminationOrder::new(&first, &all, most)?;
        if reached.contains(&false) {
            // The others are evaluated in the same order.
            order.interior.retain(|place| reached[*place as usize]);
            order.mirror(|place| place ^ 1, |place| reached[place as usize]);
        }
        Some(order)
    }

    /// Converts values by place to the movers' values by node.
    pub(super) fn of_movers(&self, reached: &[bool], values: &[N]) -> Vec<N> {
        let mut of_nodes = Vec::with_capacity(self.nodes());
        for (reached, values) in reached.chunks(2).zip(values.chunks(2)) {
            of_nodes.push(if reached[1] { values[1].clone() } else { N::ONE.minus(&values[0]) });
        }
        of_nodes
    }
}

/// Removes members from a set until each of those that remain is kept by what `keeps` says, given
/// the member and the set.
pub(super) fn shrink(set: &mut [bool], mut keeps: impl FnMut(usize, &[bool]) -> bool) {
    loop {
        let mut removed = false;
        for member in 0..set.len() {
            if set[member] && !keeps(member, set) {
                set[member] = false;
                removed = true;
            }
        }
        if !removed {
            return;
        }
    }
}
