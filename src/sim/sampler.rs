//! Draws the outcomes of a distribution in constant time, each with exactly its weight.
//!
//! Walker's alias method (A. J. Walker, ACM TOMS 3, 1977; M. D. Vose, IEEE TSE 17, 1991) in whole numbers: a power of two
//! of buckets, each holding as much weight as the distribution's total, shared by at most two outcomes.

use crate::dice::Weight;
use crate::game::{DistributionSet, OutcomeDistribution, TurnOutcome};

use super::dice::SeededDice;

/// A distribution ready for drawing.
pub(super) struct Sampler {
    buckets: Vec<Bucket>,
    /// The logarithm of the number of buckets.
    bits: u32,
    /// The weight of one bucket.
    total: Weight,
    /// 2^32 modulo the total: low halves below it are redrawn.
    redrawn: u32,
}

#[derive(Clone, Copy)]
struct Bucket {
    /// The weight of the first outcome in this bucket.
    share: Weight,
    /// The first outcome and the one that has the rest: picked by index, since no branch could be foretold.
    outcomes: [TurnOutcome; 2],
}

impl Sampler {
    pub fn new(offer: &DistributionSet, distribution: &OutcomeDistribution) -> Self {
        let at = |place: u16| offer.outcomes[usize::from(place)];
        let total = distribution.total;
        let bits = distribution.outcomes.len().next_power_of_two().trailing_zeros();
        let nothing = at(distribution.outcomes[0].0);
        let mut buckets = vec![Bucket { share: 0, outcomes: [nothing; 2] }; 1 << bits];
        // What each bucket's own outcome still weighs, in units of which a bucket holds `total`.
        let mut weights = vec![0; 1 << bits];
        for (place, (outcome, weight)) in distribution.outcomes.iter().enumerate() {
            weights[place] = weight << bits;
            buckets[place].outcomes[0] = at(*outcome);
        }
        let (mut small, mut large): (Vec<usize>, Vec<usize>) = (0..1 << bits).partition(|b| weights[*b] < total);
        while let (Some(little), Some(&much)) = (small.pop(), large.last()) {
            buckets[little].share = weights[little];
            buckets[little].outcomes[1] = buckets[much].outcomes[0];
            weights[much] -= total - weights[little];
            if weights[much] < total {
                large.pop();
                small.push(much);
            }
        }
        for rest in large {
            buckets[rest].share = total;
        }
        let redrawn = if total <= 1 << 32 { ((1 << 32) % total) as u32 } else { 0 };
        Self { buckets, bits, total, redrawn }
    }

    /// One outcome.
    #[inline(always)]
    pub fn draw(&self, dice: &mut SeededDice) -> TurnOutcome {
        if self.bits == 0 {
            return self.buckets[0].outcomes[0];
        }
        let (bucket, weight) = if self.total <= 1 << 32 {
            // The upper half chooses the bucket, the lower half the place in it.
            loop {
                let drawn = dice.bits();
                let product = u64::from(drawn as u32) * self.total as u64;
                if product as u32 >= self.redrawn {
                    break ((drawn >> (64 - self.bits)) as usize, (product >> 32).into());
                }
            }
        } else {
            ((dice.bits() >> (64 - self.bits)) as usize, dice.below_weight(self.total))
        };
        let Bucket { share, outcomes } = &self.buckets[bucket];
        outcomes[usize::from(weight >= *share)]
    }

    /// The outcomes that can be drawn.
    pub fn outcomes(&self) -> impl Iterator<Item = &TurnOutcome> {
        self.buckets.iter().flat_map(|bucket| {
            let [first, second] = &bucket.outcomes;
            let first = (bucket.share > 0).then_some(first);
            let second = (bucket.share < self.total).then_some(second);
            first.into_iter().chain(second)
        })
    }

    /// The weight of each outcome, out of the number of buckets times the total.
    #[cfg(test)]
    fn weights(&self) -> std::collections::BTreeMap<TurnOutcome, Weight> {
        let mut weights = std::collections::BTreeMap::new();
        for Bucket { share, outcomes: [first, second] } in &self.buckets {
            *weights.entry(*first).or_insert(0) += *share;
            *weights.entry(*second).or_insert(0) += self.total - share;
        }
        weights.retain(|_, weight| *weight > 0);
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rules::{Overrides, builtins, load};

    #[test]
    fn every_outcome_of_every_distribution_has_exactly_its_weight() {
        let many = |max_dice: u32| Overrides { goal: None, max_dice: Some(max_dice) };
        // Totals past 64 bits, with many outcomes.
        let all = builtins().iter().map(|builtin| (builtin.id, Overrides::default())).chain([("fa21", many(30))]);
        for (id, overrides) in all {
            let game = Game::new(load(id, overrides).unwrap()).unwrap();
            for offer in game.action_sets().iter().flat_map(|actions| &actions.by_shared) {
                for distribution in &offer.distributions {
                    let sampler = Sampler::new(offer, distribution);
                    let weight =
                        |(place, weight): &(u16, Weight)| (offer.outcomes[usize::from(*place)], weight << sampler.bits);
                    assert_eq!(sampler.weights(), distribution.outcomes.iter().map(weight).collect(), "{id}");
                }
            }
        }
    }
}
