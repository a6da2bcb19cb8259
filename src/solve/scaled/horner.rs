//! Weighted sums of numbers of different heights.

use crate::game::End;
use crate::solve::arithmetic::{Arithmetic, Solved, Source};
use crate::solve::layout::LayerIndex;

use super::Scaled;
use super::limbs::scale_add;

/// A part of a sum.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    /// The value of a landing.
    At(Source),
    /// Clean rolls that a side has from some cell.
    Rolls { side: usize, layer: LayerIndex, word: usize },
    /// So many halves.
    Halves(u64),
}

impl Item {
    /// The height of its number: 0 where the game is over.
    pub(super) fn height(&self) -> usize {
        match self {
            Self::At(Source::Passed { layer, .. } | Source::Again { layer, .. }) => layer + 1,
            // A mean over values of lower layers, but for its division.
            Self::Rolls { layer, .. } => *layer,
            Self::At(Source::End(_) | Source::Open) | Self::Halves(_) => 0,
        }
    }
}

/// A weighted sum of numbers on its way, from the lowest height up (Horner's rule). The ends of games, whose height is 0, wait
/// for the last one.
pub(super) struct Horner<'h> {
    scaled: &'h Scaled,
    sum: &'h mut Vec<u64>,
    height: usize,
    /// How many games are lost, and how many halves of one there are.
    lost: u64,
    halves: u64,
}

impl<'h> Horner<'h> {
    pub(super) fn new(scaled: &'h Scaled, sum: &'h mut Vec<u64>) -> Self {
        sum.clear();
        Self { scaled, sum, height: 0, lost: 0, halves: 0 }
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
            let products = &self.scaled.factors[self.height];
            let step = products.len().min(height - self.height);
            (factor, self.height) = (products[step - 1], self.height + step);
        }
        factor
    }

    /// Adds a number, no lower than those before, so many times.
    fn add(&mut self, height: usize, number: &[u64], weight: u64) {
        let factor = self.raise_towards(height);
        scale_add(self.sum, factor, number, weight);
    }

    /// Adds the number of an item in one lane.
    pub(super) fn add_item(&mut self, item: &Item, (solved, lane): (&Solved<u64>, usize), weight: u64) {
        let height = item.height();
        match *item {
            Item::At(Source::End(End::Won) | Source::Open) => {}
            Item::At(Source::End(End::Lost)) => self.lost += weight,
            Item::At(Source::End(End::Tied)) => self.halves += weight,
            Item::Halves(count) => self.halves += count * weight,
            Item::At(Source::Passed { side, layer, word }) => {
                let limbs = self.scaled.limbs(layer);
                let first = word + lane * limbs;
                self.add(height, &solved.sides[side][layer][first..first + limbs], weight);
            }
            Item::At(Source::Again { side, layer, word, stride }) => {
                let limbs = self.scaled.limbs(layer);
                let first = word + lane * stride * limbs;
                let turned = self.scaled.turned(&solved.sides[side][layer][first..first + limbs], layer);
                self.add(height, &turned, weight);
            }
            Item::Rolls { side, layer, word } => {
                let limbs = self.scaled.roll_limbs(layer);
                self.add(height, &solved.rolls[side][layer][word..word + limbs], weight);
            }
        }
    }

    /// The sum at a height.
    pub(super) fn finish(mut self, height: usize) {
        let factor = self.raise_towards(height);
        if factor > 1 {
            scale_add(self.sum, factor, &[], 0);
        }
        for (number, weight) in [(&self.scaled.ones, self.lost), (&self.scaled.halves, self.halves)] {
            if weight > 0 {
                scale_add(self.sum, 1, &number[height], weight);
            }
        }
    }
}
