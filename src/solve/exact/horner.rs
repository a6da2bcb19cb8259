//! Weighted sums of numbers of different heights.

use super::denominators::Denominators;
use super::limbs::{scale_add, subtract};

/// A part of a sum: what something is worth to the opponent.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'n> {
    /// So many halves.
    Halves(u64),
    /// A number of a height.
    Number { height: usize, limbs: &'n [u64] },
    /// What is left of it to 1.
    Complement { height: usize, limbs: &'n [u64] },
}

impl Item<'_> {
    /// The height of its number: 0 where the game is over.
    pub fn height(&self) -> usize {
        match self {
            Self::Number { height, .. } | Self::Complement { height, .. } => *height,
            Self::Halves(_) => 0,
        }
    }
}

/// A weighted sum on its way, from the lowest height up (Horner's rule). Halves, whose height is 0, wait for the last one.
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

    /// Raises the sum to a height, as many factors at once as a word holds, but for the last of these products, which the next
    /// addition takes along.
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

    /// Adds an item, no lower than those before, so many times.
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

    /// The sum at a height.
    pub fn finish(mut self, height: usize) {
        let factor = self.raise_towards(height);
        if factor > 1 {
            scale_add(self.sum, factor, &[], 0);
        }
        // In two parts, each below 2^63.
        for (number, weight) in
            [(&self.denominators.ones, self.halves / 2), (&self.denominators.halves, self.halves % 2)]
        {
            if weight > 0 {
                scale_add(self.sum, 1, &number[height], u64::try_from(weight).expect("no more than the total"));
            }
        }
    }
}
