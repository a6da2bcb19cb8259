//! Samples outcomes of a distribution in constant time, with exact probabilities.
//!
//! This is Walker's alias method (A. J. Walker, ACM TOMS 3, 1977; M. D. Vose, IEEE TSE 17, 1991) in
//! integers: the number of buckets is a power of two, and each bucket holds the distribution's
//! total weight, shared by at most two outcomes.

use crate::dice::Weight;
use crate::game::{Distribution, Outcome};

use super::dice::SeededDice;

/// A distribution prepared for sampling.
pub(super) struct Sampler<'g> {
    outcomes: &'g [Outcome],
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
    /// The places of the first outcome, and of the one with the remaining weight. Selected by
    /// index, since a branch would be unpredictable.
    outcomes: [u32; 2],
}

impl<'g> Sampler<'g> {
    pub fn new(distribution: &'g Distribution) -> Self {
        let Distribution { outcomes, menus, total, .. } = distribution;
        let total = *total;
        let all = outcomes.iter().map(|outcome| outcome.weight);
        let all = all.chain(menus.iter().map(|(weight, _)| weight));
        let bits = (outcomes.len() + menus.len()).next_power_of_two().trailing_zeros();
        let mut buckets = vec![Bucket { share: 0, outcomes: [0; 2] }; 1 << bits];
        // The remaining weight of each bucket's own outcome, in units of which a bucket holds
        // `total`.
        let mut weights = vec![0; 1 << bits];
        for (place, weight) in all.enumerate() {
            weights[place] = weight << bits;
            buckets[place].outcomes[0] = place as u32;
        }
        let mut small: Vec<usize> = (0..1 << bits).collect();
        let mut large = small.clone();
        small.retain(|bucket| weights[*bucket] < total);
        large.retain(|bucket| weights[*bucket] >= total);
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
        Self { outcomes, buckets, bits, total, redrawn_below }
    }

    /// Draws one outcome of a distribution without menus.
    #[inline(always)]
    pub fn draw(&self, dice: &mut SeededDice) -> &'g Outcome {
        &self.outcomes[self.place(dice)]
    }

    /// Draws an outcome, given by its index, or a menu, given by its index after those of all
    /// outcomes.
    #[inline(always)]
    pub fn place(&self, dice: &mut SeededDice) -> usize {
        if self.bits == 0 {
            return 0;
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
        outcomes[usize::from(weight >= *share)] as usize
    }

    /// Returns the weight of each place, out of the number of buckets times the total.
    #[cfg(test)]
    fn weights(&self) -> Vec<Weight> {
        let mut weights = vec![0; self.buckets.len()];
        for Bucket { share, outcomes: [first, second] } in &self.buckets {
            weights[*first as usize] += *share;
            weights[*second as usize] += self.total - share;
        }
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
            for distribution in game.distributions() {
                let sampler = Sampler::new(distribution);
                let weights = sampler.weights();
                let outcomes = distribution.outcomes.iter().map(|outcome| outcome.weight);
                let all = outcomes.chain(distribution.menus.iter().map(|(weight, _)| weight));
                for (place, weight) in all.enumerate() {
                    assert_eq!(weights[place], weight << sampler.bits, "{id}: {place}");
                }
                assert_eq!(weights.iter().sum::<Weight>(), distribution.total << sampler.bits);
            }
        }
    }
}
