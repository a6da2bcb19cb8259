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

use crate::game::{End, Game};

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

/// The unit roundoff of doubles.
const UNIT: f64 = f64::EPSILON / 2.0;

impl Float {
    /// For a game whose loops, if any, are left with at least probability `least_leave` by each random lottery.
    pub fn new(game: &Game, payoff: Payoff, least_leave: f64) -> Self {
        let lotteries = game.panels().iter().flat_map(|panel| &panel.offers).flat_map(|offer| &offer.lotteries);
        let terms = lotteries.map(|lottery| lottery.outcomes.len()).max().unwrap_or(0);
        let chain = if game.space().mine == 1 { terms / STRIPES + STRIPES + 1 } else { terms };
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

    /// Writes what the opponent gets at each landing, `landings[landing * lanes + lane]`.
    fn land(&self, weighing: &Weighing, solved: &Solved<f64>, landings: &mut Vec<f64>) {
        let lanes = weighing.lanes;
        landings.resize(weighing.sources.len() * lanes, 0.0);
        for (row, source) in landings.chunks_exact_mut(lanes).zip(weighing.sources) {
            match *source {
                Source::Passed { side, word, .. } => row.copy_from_slice(&solved.sides[side][word..word + lanes]),
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
}

impl Arithmetic for Float {
    type Word = f64;
    type Scratch = Vec<f64>;

    fn words(&self, _: LayerIndex) -> usize {
        1
    }

    fn expect(&self, weighing: &Weighing, solved: &Solved<f64>, landings: &mut Vec<f64>, expected: &mut Vec<f64>) {
        let lanes = weighing.lanes;
        self.land(weighing, solved, landings);
        expected.resize(weighing.offer.lotteries.len() * lanes, 0.0);
        for index in weighing.wanted {
            let lottery = &weighing.offer.lotteries[usize::from(*index)];
            let total = lottery.total as f64;
            if lanes == 1 {
                let sum = striped_sum(&lottery.outcomes, landings);
                expected[usize::from(*index)] = self.flip(sum / total);
                continue;
            }
            let means = &mut expected[usize::from(*index) * lanes..][..lanes];
            means.fill(0.0);
            for (landing, weight) in &lottery.outcomes {
                let (row, weight) = (&landings[usize::from(*landing) * lanes..][..lanes], *weight as f64);
                means.iter_mut().zip(row).for_each(|(mean, value)| *mean += weight * value);
            }
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

    fn from_rational(&self, value: &RBig, _: LayerIndex) -> Vec<f64> {
        vec![nearest(value)]
    }

    fn to_f64(&self, number: &[f64], _: LayerIndex) -> f64 {
        number[0]
    }
}

/// The double nearest to a rational.
pub(super) fn nearest(value: &RBig) -> f64 {
    match value.to_f64() {
        Approximation::Exact(double) | Approximation::Inexact(double, _) => double,
    }
}

/// The weighted sum of the landings, in [`STRIPES`] partial sums: always the same order, so always the same bits.
#[inline(always)]
fn striped_sum(outcomes: &[(u16, u64)], landings: &[f64]) -> f64 {
    let mut sums = [0.0; STRIPES];
    let chunks = outcomes.chunks_exact(STRIPES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (sum, (landing, weight)) in sums.iter_mut().zip(chunk) {
            *sum += *weight as f64 * landings[usize::from(*landing)];
        }
    }
    for (sum, (landing, weight)) in sums.iter_mut().zip(rest) {
        *sum += *weight as f64 * landings[usize::from(*landing)];
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}
