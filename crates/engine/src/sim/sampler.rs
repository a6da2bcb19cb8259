//! Samples outcomes of a distribution in constant time, with exact probabilities.
//!
//! This is Walker's alias method (A. J. Walker, ACM TOMS 3, 1977; M. D. Vose, IEEE TSE 17, 1991) in
//! integers: the number of buckets is a power of two, and each bucket holds the distribution's
//! total weight, shared by at most two outcomes.

use crate::dice::Weight;
use crate::game::{DistributionSet, OutcomeDistribution, TurnOutcome};

use super::dice::SeededDice;

/// A distribution prepared for sampling.
pub(super) struct Sampler {
    buckets: Vec<Bucket>,
    /// The binary logarithm of the number of buckets.
    bits: u32,
    /// The weight of one bucket.
    total: Weight,
    /// 2^32 modulo the total: a draw is rejected if the low half of the product is below it.
    redrawn_below: u32,
}

#[derive(Clone, Copy)]
struct Bucket {
    /// The weight of the first outcome in this bucket.
    share: Weight,
    /// The first outcome, and the one with the remaining weight. Selected by index, since a branch
    /// would be unpredictable.
    outcomes: [TurnOutcome; 2],
}

impl Sampler {
    pub fn new(set: &DistributionSet, distribution: &OutcomeDistribution) -> Self {
        let at = |place: u16| set.outcomes[usize::from(place)];
        let total = distribution.total;
        let bits = distribution.outcomes.len().next_power_of_two().trailing_zeros();
        let placeholder = at(distribution.outcomes[0].0);
        let mut buckets = vec![Bucket { share: 0, outcomes: [placeholder; 2] }; 1 << bits];
        // The remaining weight of each bucket's own outcome, in units of which a bucket holds
        // `total`.
        let mut weights = vec![0; 1 << bits];
        for (place, (outcome, weight)) in distribution.outcomes.iter().enumerate() {
            weights[place] = weight << bits;
            buckets[place].outcomes[0] = at(*outcome);
        }
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..1 << bits).partition(|b| weights[*b] < total);
        while let (Some(light), Some(&heavy)) = (small.pop(), large.last()) {
            buckets[light].share = weights[light];
            buckets[light].outcomes[1] = buckets[heavy].outcomes[0];
            weights[heavy] -= total - weights[light];
            if weights[heavy] < total {
                large.pop();
                small.push(heavy);
            }
        }
        for full in large {
            buckets[full].share = total;
        }
        let redrawn_below = if total <= 1 << 32 { ((1 << 32) % total) as u32 } else { 0 };
        Self { buckets, bits, total, redrawn_below }
    }

    /// Draws one outcome.
    #[inline(always)]
    pub fn draw(&self, dice: &mut SeededDice) -> TurnOutcome {
        if self.bits == 0 {
            return self.buckets[0].outcomes[0];
        }
        let (bucket, weight) = if self.total <= 1 << 32 {
            // The upper half of the bits selects the bucket, the lower half the position in it.
            loop {
                let drawn = dice.bits();
                let product = u64::from(drawn as u32) * self.total as u64;
                if product as u32 >= self.redrawn_below {
                    break ((drawn >> (64 - self.bits)) as usize, (product >> 32).into());
                }
            }
        } else {
            ((dice.bits() >> (64 - self.bits)) as usize, dice.below_weight(self.total))
        };
        let Bucket { share, outcomes } = &self.buckets[bucket];
        outcomes[usize::from(weight >= *share)]
    }

    /// Returns the weight of each outcome, out of the number of buckets times the total.
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
        let all = builtins()
            .iter()
            .map(|builtin| (builtin.id, Overrides::default()))
            .chain([("fa21", many(30))]);
        for (id, overrides) in all {
            let game = Game::new(load(id, overrides).unwrap()).unwrap();
            for set in game.action_sets().iter().flat_map(|actions| &actions.by_shared) {
                for distribution in &set.distributions {
                    let sampler = Sampler::new(set, distribution);
                    let weight = |(place, weight): &(u16, Weight)| {
                        (set.outcomes[usize::from(*place)], weight << sampler.bits)
                    };
                    assert_eq!(
                        sampler.weights(),
                        distribution.outcomes.iter().map(weight).collect(),
                        "{id}"
                    );
                }
            }
        }
    }
}
