//! Floating-point arithmetic with a certified bound on its error.
//!
//! **The bound.** A value is a mean of values between 0 and 1 with non-negative weights. With u = 2^-53, computing
//! it rounds each weight (1), each product (1), a chain of m additions (m), the quotient (1), and the difference
//! from 1 (1): the result is off by at most 1.01 (m + 4) u beside what the values it reads are off by (Higham,
//! *Accuracy and Stability of Numerical Algorithms*, section 3.1: all terms are non-negative, so the relative error of the sum
//! is at most (m + 3) u / (1 - (m + 3) u), and the sum is at most 1). A mean of errors is no larger than the largest, so each
//! layer adds that much to the bound of the layer above it. A loop is solved exactly from its rounded inputs; its
//! value moves by no more than they do relative to the probability of leaving, which divides the term.

use std::cmp::Ordering;

use dashu::base::Approximation;
use dashu::rational::RBig;

use crate::game::{End, Game, Lottery, Stretch};

use super::arithmetic::{Arithmetic, Payoff, Solved, Source, Weighing};
use super::layout::LayerIndex;

/// Doubles; ties are values closer than twice the bound.
#[derive(Debug)]
pub(super) struct Float {
    payoff: Payoff,
    /// What each layer adds to the bound.
    per_layer: f64,
}

/// Partial sums kept side by side where there is one lane: shorter chains of additions, and vectors for the compiler.
const STRIPES: usize = 4;

/// The most additions that one weight goes through in a lottery's sum.
fn longest_chain(lottery: &Lottery, striped: bool) -> usize {
    if !striped {
        return lottery.outcomes.len();
    }
    // Within a stripe, then over the stripes, then over the stretches.
    let within = lottery.stretches.iter().map(|stretch| stretch.weights.len().div_ceil(STRIPES)).max().unwrap_or(0);
    within + STRIPES / 2 + lottery.stretches.len()
}

/// The unit roundoff of doubles.
const UNIT: f64 = f64::EPSILON / 2.0;

impl Float {
    /// For a game whose loops, if any, are left with at least probability `least_leave` by each random lottery.
    pub fn new(game: &Game, payoff: Payoff, least_leave: f64) -> Self {
        let lotteries = game.panels().iter().flat_map(|panel| &panel.offers).flat_map(|offer| &offer.lotteries);
        let striped = game.space().mine == 1;
        let chain = lotteries.map(|lottery| longest_chain(lottery, striped)).max().unwrap_or(0);
        // One unit more for a pass or a loop inside the layer, which rounds once.
        Self { payoff, per_layer: 1.01 * (chain + 5) as f64 * UNIT / least_leave }
    }

    /// The bound on the error of every value of a layer.
    pub fn bound(&self, layer: LayerIndex) -> f64 {
        (layer + 1) as f64 * self.per_layer
    }

    /// The opponent's value at the end of the game, which is what lotteries weigh.
    fn end(&self, end: End) -> f64 {
        match (self.payoff, end) {
            (Payoff::Endless, _) | (_, End::Won) => 0.0,
            (_, End::Lost) => 1.0,
            (_, End::Tied) => 0.5,
        }
    }

    fn flip(&self, value: f64) -> f64 {
        if self.payoff == Payoff::WinRate { 1.0 - value } else { value }
    }

    /// Writes what the opponent gets at a landing in each lane.
    #[inline(always)]
    fn land(&self, source: Source, solved: &Solved<f64>, row: &mut [f64]) {
        match source {
            Source::Passed { side, word, .. } => row.copy_from_slice(&solved.sides[side][word..word + row.len()]),
            Source::Again { side, word, stride, .. } => {
                for (lane, value) in row.iter_mut().enumerate() {
                    *value = self.flip(solved.sides[side][word + lane * stride]);
                }
            }
            Source::End(end) => row.fill(self.end(end)),
            Source::Open => row.fill(0.0),
        }
    }
}

impl Arithmetic for Float {
    type Word = f64;
    type Scratch = Vec<f64>;

    fn words(&self, _: LayerIndex) -> usize {
        1
    }

    #[inline(always)]
    fn expect(
        &self,
        weighing: &Weighing,
        source: impl Fn(usize) -> Source,
        solved: &Solved<f64>,
        (landings, expected): (&mut Vec<f64>, &mut Vec<f64>),
    ) {
        let lanes = weighing.lanes;
        landings.resize(weighing.offer.landings.len() * lanes, 0.0);
        expected.resize(weighing.offer.lotteries.len() * lanes, 0.0);
        if lanes == 1 {
            weighing.each_landing(|landing| self.land(source(landing), solved, &mut landings[landing..=landing]));
            for index in weighing.wanted {
                let lottery = &weighing.offer.lotteries[usize::from(*index)];
                let sum: f64 = lottery.stretches.iter().map(|stretch| striped_sum(stretch, landings)).sum();
                expected[usize::from(*index)] = self.flip(sum / lottery.total as f64);
            }
            return;
        }
        weighing.each_landing(|landing| self.land(source(landing), solved, &mut landings[landing * lanes..][..lanes]));
        for index in weighing.wanted {
            let lottery = &weighing.offer.lotteries[usize::from(*index)];
            let means = &mut expected[usize::from(*index) * lanes..][..lanes];
            means.fill(0.0);
            for stretch in &lottery.stretches {
                let rows = landings[stretch.first * lanes..].chunks_exact(lanes);
                for (weight, row) in stretch.weights.iter().zip(rows) {
                    means.iter_mut().zip(row).for_each(|(mean, value)| *mean += weight * value);
                }
            }
            let total = lottery.total as f64;
            means.iter_mut().for_each(|mean| *mean = self.flip(*mean / total));
        }
    }

    fn compare(&self, a: &[f64], b: &[f64]) -> Ordering {
        a[0].total_cmp(&b[0])
    }

    fn ties(&self, best: &[f64], other: &[f64], layer: LayerIndex) -> bool {
        best[0] - other[0] <= 2.0 * self.bound(layer)
    }

    fn turned(&self, number: &[f64], _: LayerIndex) -> Vec<f64> {
        vec![self.flip(number[0])]
    }

    fn to_rational(&self, number: &[f64], _: LayerIndex) -> RBig {
        RBig::try_from(number[0]).expect("win rates are finite")
    }

    fn nearest(&self, value: &RBig, _: LayerIndex) -> Vec<f64> {
        vec![nearest_double(value)]
    }

    fn to_f64(&self, number: &[f64], _: LayerIndex) -> f64 {
        number[0]
    }
}

/// The double nearest to a rational.
pub(super) fn nearest_double(value: &RBig) -> f64 {
    match value.to_f64() {
        Approximation::Exact(double) | Approximation::Inexact(double, _) => double,
    }
}

/// The weighted sum of a stretch of landings, in [`STRIPES`] partial sums: always the same order, so always the same
/// bits.
#[inline(always)]
fn striped_sum(stretch: &Stretch, landings: &[f64]) -> f64 {
    let values = &landings[stretch.first..][..stretch.weights.len()];
    let mut sums = [0.0; STRIPES];
    let (weights, last_weights) = stretch.weights.as_chunks::<STRIPES>();
    let (values, last_values) = values.as_chunks::<STRIPES>();
    for (weights, values) in weights.iter().zip(values) {
        sums.iter_mut().zip(weights.iter().zip(values)).for_each(|(sum, (weight, value))| *sum += weight * value);
    }
    sums.iter_mut().zip(last_weights.iter().zip(last_values)).for_each(|(sum, (weight, value))| *sum += weight * value);
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}
