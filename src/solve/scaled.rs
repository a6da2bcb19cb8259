//! Exact arithmetic in integers over a fixed power of D: no fraction is ever reduced while a game is solved.
//!
//! Let D be the least common multiple of the totals of all lotteries (6^10 for ten six-sided dice, 12^10 with
//! four-sided ones beside them). Every state of a layer of height h is worth N / (2 D^h) for an integer N, the
//! 2 being there for ties and endless games: at height 0 a value is 0, 1/2 or 1, and a mean over values of lower
//! layers multiplies the denominator by at most D. Sums run over landings from the lowest height up (Horner's rule), so
//! that each step is one multiplication by a machine word and one addition.

use std::cmp::Ordering;

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

use crate::game::{End, Game};

use super::arithmetic::{Arithmetic, Solved, Source, Weighing};
use super::layout::LayerIndex;

/// Integers over 2 D^h, least significant limb first.
#[derive(Debug)]
pub(super) struct Scaled {
    /// D; below 2^63, so that two products and a carry fit 128 bits.
    base: u64,
    /// D, D^2, ... as far as they fit the same bound.
    powers: Vec<u64>,
    /// 2 D^h by height.
    ones: Vec<Vec<u64>>,
}

/// Room for the order of landings and one running sum.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    sources: Vec<Source>,
    order: Vec<(usize, u16, u64)>,
    sum: Vec<u64>,
}

/// The height of a landing's value: 0 where the game is over.
fn height(source: &Source) -> usize {
    match source {
        Source::End(_) | Source::Open => 0,
        Source::Passed { layer, .. } | Source::Again { layer, .. } => layer + 1,
    }
}

/// The least common multiple of the totals of all lotteries, if it is below 2^63.
pub(super) fn base(game: &Game) -> Option<u64> {
    let lotteries = game.panels().iter().flat_map(|panel| &panel.offers).flat_map(|offer| &offer.lotteries);
    let mut totals: Vec<u64> = lotteries.map(|lottery| lottery.total).collect();
    totals.sort_unstable();
    totals.dedup();
    let multiple = |base: u64, total: u64| {
        let (mut a, mut b) = (base, total);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        (base / a).checked_mul(total).filter(|multiple| *multiple < 1 << 63)
    };
    totals.into_iter().try_fold(1, multiple)
}

impl Scaled {
    /// For layers up to height `heights`.
    pub fn new(base: u64, heights: usize) -> Self {
        let mut powers = vec![base];
        while let Some(next) = powers.last().and_then(|p| p.checked_mul(base)).filter(|p| base > 1 && *p < 1 << 63) {
            powers.push(next);
        }
        let mut ones = vec![vec![2u64]];
        for height in 0..heights {
            let mut next = ones[height].clone();
            scale_add(&mut next, base, &[], 0);
            ones.push(next);
        }
        Self { base, powers, ones }
    }

    /// Limbs of one number of a layer, all layers of a game together: for estimating memory.
    pub fn limbs(&self, layer: LayerIndex) -> usize {
        self.ones[layer + 1].len()
    }

    /// The denominator 2 D^h of a layer's numbers.
    fn one(&self, layer: LayerIndex) -> &[u64] {
        &self.ones[layer + 1]
    }

    /// Multiplies by D^exponent, as many powers at once as a word holds.
    fn raise(&self, number: &mut Vec<u64>, mut exponent: usize) {
        if number.is_empty() {
            return;
        }
        while exponent > 0 {
            let step = exponent.min(self.powers.len());
            scale_add(number, self.powers[step - 1], &[], 0);
            exponent -= step;
        }
    }

    /// Twice the mean of what the opponent gets in one lane of one lottery, over D^(height of this layer).
    ///
    /// A lottery of one outcome divides nothing, so it may land in this very layer (a pass); any other lands below.
    fn weigh(&self, weighing: &Weighing, solved: &Solved<u64>, lane: usize, total: u64, scratch: &mut Scratch) {
        let certain = scratch.order.len() == 1;
        let (scale, own_height) = if certain { (1, weighing.layer + 1) } else { (self.base / total, weighing.layer) };
        let Scratch { sources, order, sum } = scratch;
        sum.clear();
        let mut height = 0;
        for (landing_height, landing, weight) in order.iter() {
            let step = landing_height - height;
            let last = step.min(1);
            self.raise(sum, step - last);
            let factor = if last == 1 { self.base } else { 1 };
            height = *landing_height;
            let weight = if certain { 1 } else { weight * scale };
            match sources[usize::from(*landing)] {
                Source::End(End::Won) | Source::Open => scale_add(sum, factor, &[], 0),
                Source::End(End::Lost) => scale_add(sum, factor, &[2], weight),
                Source::End(End::Tied) => scale_add(sum, factor, &[1], weight),
                Source::Passed { side, layer, word } => {
                    let limbs = self.limbs(layer);
                    let first = word + lane * limbs;
                    scale_add(sum, factor, &solved.sides[side][layer][first..first + limbs], weight);
                }
                Source::Again { side, layer, word, stride } => {
                    let limbs = self.limbs(layer);
                    let first = word + lane * stride * limbs;
                    let turned = self.turned(&solved.sides[side][layer][first..first + limbs], layer);
                    scale_add(sum, factor, &turned, weight);
                }
            }
        }
        self.raise(sum, own_height - height);
    }
}

impl Arithmetic for Scaled {
    type Word = u64;
    type Scratch = Scratch;

    fn words(&self, layer: LayerIndex) -> usize {
        self.limbs(layer)
    }

    fn expect(
        &self,
        weighing: &Weighing,
        source: impl Fn(usize) -> Source,
        solved: &Solved<u64>,
        (scratch, expected): (&mut Scratch, &mut Vec<u64>),
    ) {
        let (words, lanes) = (self.limbs(weighing.layer), weighing.lanes);
        expected.resize(weighing.offer.lotteries.len() * lanes * words, 0);
        scratch.sources.resize(weighing.offer.landings.len(), Source::Open);
        weighing.each_landing(|landing| scratch.sources[landing] = source(landing));
        for index in weighing.wanted {
            let lottery = &weighing.offer.lotteries[usize::from(*index)];
            let height = |landing: u16| height(&scratch.sources[usize::from(landing)]);
            let outcomes = lottery.outcomes.iter().map(|(landing, weight)| (height(*landing), *landing, *weight));
            scratch.order.clear();
            scratch.order.extend(outcomes);
            scratch.order.sort_unstable();
            for lane in 0..lanes {
                self.weigh(weighing, solved, lane, lottery.total, scratch);
                let first = (usize::from(*index) * lanes + lane) * words;
                let mean = &mut expected[first..first + words];
                mean.copy_from_slice(self.one(weighing.layer));
                subtract(mean, &scratch.sum);
            }
        }
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Ordering {
        a.iter().rev().cmp(b.iter().rev())
    }

    fn ties(&self, best: &[u64], other: &[u64], _: LayerIndex) -> bool {
        best == other
    }

    fn slack(&self, _: LayerIndex) -> f64 {
        0.0
    }

    fn turned(&self, number: &[u64], layer: LayerIndex) -> Vec<u64> {
        let mut rest = self.one(layer).to_vec();
        subtract(&mut rest, number);
        rest
    }

    fn to_rational(&self, number: &[u64], layer: LayerIndex) -> RBig {
        RBig::from_parts(IBig::from(UBig::from_words(number)), UBig::from_words(self.one(layer)))
    }

    fn nearest(&self, value: &RBig, layer: LayerIndex) -> Vec<u64> {
        let scaled = value.clone() * RBig::from(UBig::from_words(self.one(layer)));
        let (numerator, denominator) = scaled.into_parts();
        assert!(denominator.is_one(), "loops without chance keep to the layer's denominator");
        let mut words = UBig::try_from(numerator).expect("values are not negative").as_words().to_vec();
        words.resize(self.limbs(layer), 0);
        words
    }

    fn to_f64(&self, number: &[u64], layer: LayerIndex) -> f64 {
        nearest_ratio(&UBig::from_words(number), &UBig::from_words(self.one(layer)))
    }
}

/// The double nearest to `numerator / denominator`, ties to even; both may have any size.
pub(super) fn nearest_ratio(numerator: &UBig, denominator: &UBig) -> f64 {
    use dashu::base::BitTest;
    if numerator.is_zero() {
        return 0.0;
    }
    // A quotient of 64 or 65 bits, and one bit more that says whether anything is left.
    let shift = denominator.bit_len() as i64 - numerator.bit_len() as i64 + 64;
    let (shifted, divisor) = if shift >= 0 {
        (numerator << shift as usize, denominator.clone())
    } else {
        (numerator.clone(), denominator << shift.unsigned_abs() as usize)
    };
    let (quotient, rest) = (&shifted / &divisor, &shifted % &divisor);
    let quotient = u128::try_from(quotient).expect("65 bits at most") << 1 | u128::from(!rest.is_zero());
    let dropped = 128 - quotient.leading_zeros() - 53;
    let (kept, tail) = (quotient >> dropped, quotient & ((1 << dropped) - 1));
    let half = 1u128 << (dropped - 1);
    let rounded = kept + u128::from(tail > half || (tail == half && kept & 1 == 1));
    // Up to 2^53, so the conversion is exact; win rates are far above the subnormal range or are 0.
    rounded as f64 * 2f64.powi((i64::from(dropped) - 1 - shift) as i32)
}

/// `number = number * factor + addend * weight`, growing as needed. Factor and weight are below 2^63, so that two
/// products and a carry fit 128 bits.
#[inline]
fn scale_add(number: &mut Vec<u64>, factor: u64, addend: &[u64], weight: u64) {
    if number.len() < addend.len() {
        number.resize(addend.len(), 0);
    }
    let (factor, weight) = (u128::from(factor), u128::from(weight));
    let mut carry = 0u128;
    let (low, high) = number.split_at_mut(addend.len());
    for (limb, add) in low.iter_mut().zip(addend) {
        let sum = u128::from(*limb) * factor + u128::from(*add) * weight + carry;
        *limb = sum as u64;
        carry = sum >> 64;
    }
    for limb in high {
        let sum = u128::from(*limb) * factor + carry;
        *limb = sum as u64;
        carry = sum >> 64;
    }
    if carry > 0 {
        number.push(carry as u64);
    }
}

/// `number -= less`, which is no larger; limbs of `less` beyond the number's are zero.
#[inline]
fn subtract(number: &mut [u64], less: &[u64]) {
    let mut borrow = false;
    for (place, limb) in number.iter_mut().enumerate() {
        let (once, under) = limb.overflowing_sub(less.get(place).copied().unwrap_or(0));
        let (twice, again) = once.overflowing_sub(borrow.into());
        (*limb, borrow) = (twice, under || again);
    }
    debug_assert!(!borrow && less.iter().skip(number.len()).all(|limb| *limb == 0), "no value is above 1");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_to_doubles_is_that_of_division() {
        let mut state = 1u64;
        for _ in 0..2000 {
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 11) as u32
            };
            let (a, b) = (u64::from(next()), u64::from(next()) + 1);
            // Quotients of integers below 2^53 are correctly rounded by the processor.
            assert_eq!(nearest_ratio(&a.into(), &b.into()), a as f64 / b as f64, "{a} / {b}");
        }
        // Halfway between two doubles: the even one.
        let (tie, one) = ((UBig::ONE << 53) + 1u8, UBig::ONE);
        assert_eq!(nearest_ratio(&tie, &one), 9_007_199_254_740_992.0);
        assert_eq!(nearest_ratio(&(tie + 2u8), &one), 9_007_199_254_740_996.0);
    }

    #[test]
    fn scaled_sums_carry() {
        let mut number = vec![u64::MAX, u64::MAX];
        scale_add(&mut number, (1 << 63) - 1, &[u64::MAX, u64::MAX], (1 << 63) - 1);
        let max = (UBig::ONE << 128) - 1u8;
        assert_eq!(UBig::from_words(&number), max * ((UBig::ONE << 64) - 2u8));
        let mut rest = vec![0, 5];
        subtract(&mut rest, &[1, 2, 0]);
        assert_eq!(rest, [u64::MAX, 2]);
    }
}
