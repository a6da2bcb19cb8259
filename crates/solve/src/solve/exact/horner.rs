//! Weighted sums of numbers over the denominators of different heights, by Horner's rule.

use super::denominators::Denominators;
use super::limbs::{scale_add, subtract};

/// A term of a sum: a value of the opponent.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'n> {
    /// An end of the game: a number of halves.
    Halves(u64),
    /// A number over the denominator of a height.
    Number { height: usize, limbs: &'n [u64] },
    /// 1 minus that number.
    Complement { height: usize, limbs: &'n [u64] },
}

impl Item<'_> {
    /// The height of its denominator; 0 if the game is over.
    pub fn height(&self) -> usize {
        match self {
            Self::Number { height, .. } | Self::Complement { height, .. } => *height,
            Self::Halves(_) => 0,
        }
    }
}

/// A weighted sum whose terms are added in ascending order of height. Halves, whose height is 0,
/// are added at the end.
pub(super) struct Horner<'h> {
    denominators: &'h Denominators,
    sum: &'h mut Vec<u64>,
    height: usize,
    halves: u128,
}

impl<'h> Horner<'h> {
    pub fn new(denominators: &'h Denominators, sum: &'h mut Vec<u64>) -> Self {
        sum.clear();
        Self { denominators, sum, height: 0, halves: 0 }
    }

    /// Multiplies the sum by the factors between its height and `height`, several at a time as far
    /// as their product fits a word. The last product is returned instead, to be combined with
    /// the next addition.
    fn raise_towards(&mut self, height: usize) -> u64 {
        if self.sum.is_empty() {
            self.height = height;
        }
        let mut factor = 1;
        while self.height < height {
            if factor > 1 {
                scale_add(self.sum, factor, &[], 0);
            }
            let products = &self.denominators.factors[self.height];
            let step = products.len().min(height - self.height);
            (factor, self.height) = (products[step - 1], self.height + step);
        }
        factor
    }

    /// Adds an item, whose height is at least that of the items before, times `weight`.
    pub fn add(&mut self, item: &Item, weight: u64) {
        match *item {
            Item::Halves(count) => self.halves += u128::from(count) * u128::from(weight),
            Item::Number { height, limbs } => {
                let factor = self.raise_towards(height);
                scale_add(self.sum, factor, limbs, weight);
            }
            Item::Complement { height, limbs } => {
                let mut complement = self.denominators.ones[height].clone();
                subtract(&mut complement, limbs);
                let factor = self.raise_towards(height);
                scale_add(self.sum, factor, &complement, weight);
            }
        }
    }

    /// Leaves the complete sum over the denominator of `height`.
    pub fn finish(mut self, height: usize) {
        let factor = self.raise_towards(height);
        if factor > 1 {
            scale_add(self.sum, factor, &[], 0);
        }
        // As whole units and a remaining half, so that the weights stay below 2^63.
        for (number, weight) in [
            (&self.denominators.ones, self.halves / 2),
            (&self.denominators.halves, self.halves % 2),
        ] {
            if weight > 0 {
                scale_add(
                    self.sum,
                    1,
                    &number[height],
                    u64::try_from(weight).expect("at most the total"),
                );
            }
        }
    }
}
