//! The proof of the bound on the error of floats.
//!
//! **One mean.** A value is a mean of values between 0 and 1 with weights that are not negative, so every partial sum on the way
//! to it is a part of a sum that is no larger than the total. With u = 2^-53, a term that is rounded k times on its way into
//! the sum is off by at most k u / (1 - k u) of itself (Higham, *Accuracy and Stability of Numerical Algorithms*, section 3.1),
//! so the mean is off by at most r u, r being the mean of the k by weight; 1.01 covers the denominator. How many
//! roundings each function over rows adds:
//!
//! | function | roundings |
//! |---|---|
//! | `combine` | a sum for each row but the first, and a product for weights that are not 1 |
//! | `means` | a sum for each row but the first, and a product for all but clean sums; the reciprocal of the total, its product, a difference from 1 |
//! | `argmax`, copies | none |
//!
//! Arrivals of another turn of the mover are differences from 1: one more. To this comes the mean of what the values read are
//! off by. An outcome that raises the sum of scores by g reads a value g stages above, so the bound of a stage is the largest,
//! over all distributions of the game, of the mean of the bounds at their increments and their own roundings.
//!
//! **Cycles.** Outcomes that raise nothing may stay in the stage. A cycle is solved from rounded inputs: what leaves it reads
//! values above, once in all, so that a cycle is off by a mean of their bounds too. By how much its solution is off beside
//! that, visit by visit, is told by whoever solves cycles ([`cycles`](super::cycles)), and added. So an outcome counts as one
//! that raises the sum by 1 at least.

use crate::dice::Weight;
use crate::kernel::{Distribution, Kernel};
use crate::linear::UNIT;

/// The reciprocal and its product, and a difference from 1 for each of two players.
const AFTER_THE_SUM: f64 = 4.0;
/// Totals from here on may be rounded themselves, and so may their weights: once each, however long they are.
const FIRST_ROUNDED: Weight = 1 << f64::MANTISSA_DIGITS;

/// What the bound on a distribution's mean is made of.
#[derive(Clone, Debug, PartialEq)]
struct BoundTerms {
    /// By increment of the stage less 1: the chance of at least it. What raises it past the last stage ends the game.
    chances: Vec<f64>,
    /// The bound on the mean's own roundings.
    own: f64,
}

impl BoundTerms {
    fn new(kernel: &Kernel, distribution: &Distribution) -> Self {
        let (stages, mut chances) = (kernel.space.stages(), Vec::new());
        for outcome in &distribution.outcomes {
            let increment = kernel.classes[outcome.class].successors.least_increment(outcome.points).max(1) as usize;
            if increment < stages {
                chances.resize(chances.len().max(increment), 0.0);
                chances[increment - 1] += outcome.weight as f64 / distribution.total as f64;
            }
        }
        Self { chances, own: 1.01 * (roundings(kernel, distribution) + AFTER_THE_SUM) * UNIT }
    }

    /// The bound on the mean in a stage; `above` are the bounds of the stages above, from the next on.
    fn bound(&self, above: &[f64]) -> f64 {
        let inherited: f64 = self.chances.iter().zip(above).map(|(chance, bound)| chance * bound).sum();
        // The chances are rounded themselves, which the last factor more than covers.
        (inherited + self.own) * (1.0 + 1e-12)
    }
}

/// The roundings on the way of a value into a distribution's sum, by weight.
fn roundings(kernel: &Kernel, distribution: &Distribution) -> f64 {
    let rounded_weights = if distribution.total >= FIRST_ROUNDED { 2.0 } else { 0.0 };
    let share = |weight: Weight| weight as f64 / distribution.total as f64;
    let remainder: f64 = distribution.remainder.iter().map(|outcome| share(outcome.weight)).sum();
    let deferred: f64 = distribution.deferred.iter().map(|outcome| share(outcome.weight)).sum();
    let of_die = distribution.clean.map_or(0, |clean| {
        let die = &kernel.convolutions[clean.convolution].die;
        let unit = die.iter().all(|(_, weight)| *weight == 1);
        clean.dice * if unit { die.len() - 1 } else { die.len() }
    });
    let sums = distribution.remainder.len() + distribution.deferred.len();
    (1.0 - remainder) * of_die as f64 + sums as f64 + remainder + deferred + rounded_weights
}

/// The bound on the error of every value of each stage.
pub(super) fn by_stage(kernel: &Kernel) -> Vec<f64> {
    let mut distributions: Vec<BoundTerms> = Vec::new();
    for distribution in &kernel.distributions {
        let increments = BoundTerms::new(kernel, distribution);
        if !distributions.contains(&increments) {
            distributions.push(increments);
        }
    }
    let mut bounds = vec![0.0; kernel.space.stages()];
    for stage in (0..bounds.len()).rev() {
        let (own, above) = bounds[stage..].split_first_mut().expect("a stage");
        // Deeper stages are no more exact.
        let least = above.first().copied().unwrap_or(0.0);
        *own = distributions.iter().map(|distribution| distribution.bound(above)).fold(least, f64::max);
    }
    bounds
}
