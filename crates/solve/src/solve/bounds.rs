//! The bound on the error of values in doubles, with its proof.
//!
//! **One mean.** A value is a mean of values between 0 and 1 with non-negative weights, so no
//! partial sum exceeds the total weight. Let u = 2^-53. A term that is rounded k times on its way
//! into the sum has a relative error of at most k u / (1 - k u) (Higham, *Accuracy and Stability of
//! Numerical Algorithms*, section 3.1), so the error of the mean is at most r u, where r is the
//! mean of the k by weight; a factor of 1.01 covers the denominator. The functions over
//! rows add these roundings to each term:
//!
//! | function | roundings |
//! |---|---|
//! | `combine` | one sum for each row but the first, and one product if the weights are not 1 |
//! | `means` | as `combine`, and the reciprocal of the total with its product |
//! | `complement` | one difference from 1 |
//! | `argmax`, `select`, copies | none |
//!
//! The values of successors in which the mover moves again are differences from 1: one more
//! rounding. The error of the mean also inherits the mean of the errors of the values it reads. An
//! outcome that raises the sum of the scores by g reads a value g stages above, so the bound of a
//! stage is the maximum over all distributions of the game of: the mean of the bounds at the
//! increments, plus the distribution's own roundings.
//!
//! **Cycles.** Outcomes that do not raise the sum may stay in the stage. A cycle is solved from
//! rounded inputs: its values are means of the values read on leaving it, and each play leaves
//! once, so the error inherited from those is again a mean of their bounds: it is bounded as if
//! each such outcome raised the sum by 1. The additional error of the solution itself, which
//! accumulates with each visit, is reported by the solver of cycles ([`cycles`](super::cycles)) and
//! added.

use crate::dice::Weight;
use crate::game::{Distribution, Game};
use crate::linear::UNIT;

/// The reciprocal, its product, and a difference from 1 for each of two players.
const AFTER_THE_SUM: f64 = 4.0;
/// Totals of at least this may be rounded when converted to doubles, and so may their weights: once
/// each.
const FIRST_ROUNDED: Weight = 1 << f64::MANTISSA_DIGITS;

/// The parts of the bound on a distribution's mean.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
struct BoundTerms {
    /// By increment - 1: the probability of the outcomes whose least increment this is; none past
    /// the last stage.
    chances: Vec<f64>,
    /// The bound on the error of the mean's own roundings.
    own: f64,
}

impl BoundTerms {
    fn new(game: &Game, distribution: &Distribution, roundings: f64) -> Self {
        let stages = game.space().stages();
        let mut chances = Vec::new();
        for outcome in &distribution.outcomes {
            let successors = &game.classes()[outcome.class].successors;
            let increment = successors.least_increment(outcome.points).max(1) as usize;
            if increment < stages {
                chances.resize(chances.len().max(increment), 0.0);
                chances[increment - 1] += outcome.weight as f64 / distribution.total as f64;
            }
        }
        Self { chances, own: 1.01 * (roundings + AFTER_THE_SUM) * UNIT }
    }

    /// Returns the bound on the mean in a stage; `above` are the bounds of the next stage and those
    /// after it.
    fn bound(&self, above: &[f64]) -> f64 {
        let inherited: f64 =
            self.chances.iter().zip(above).map(|(chance, bound)| chance * bound).sum();
        // The last factor more than covers the rounding of the probabilities.
        (inherited + self.own) * (1.0 + 1e-12)
    }
}

/// Returns the roundings of a value on its way into a distribution's sum by rows, averaged by
/// weight.
pub(super) fn roundings(game: &Game, distribution: &Distribution) -> f64 {
    let remainder: f64 =
        distribution.remainder.iter().map(|outcome| distribution.chance(outcome)).sum();
    let deferred: f64 =
        distribution.deferred.iter().map(|outcome| distribution.chance(outcome)).sum();
    let of_die = distribution.clean.map_or(0, |clean| {
        let die = &game.convolutions()[clean.convolution].die;
        let unit = die.iter().all(|(_, weight)| *weight == 1);
        clean.dice * if unit { die.len() - 1 } else { die.len() }
    });
    let sums = distribution.remainder.len() + distribution.deferred.len();
    (1.0 - remainder) * of_die as f64
        + sums as f64
        + remainder
        + deferred
        + of_weights(distribution)
}

/// Returns the roundings on the way into a sum of products, one for each outcome and one for their
/// number.
pub(crate) fn roundings_of_products(_: &Game, distribution: &Distribution) -> f64 {
    (distribution.outcomes.len() + 1) as f64 + of_weights(distribution)
}

/// Returns the roundings of a weight and of the total.
fn of_weights(distribution: &Distribution) -> f64 {
    if distribution.total >= FIRST_ROUNDED { 2.0 } else { 0.0 }
}

/// Returns, by stage, a bound on the error of every value; `roundings` counts those on the way into
/// a distribution's sum.
pub(crate) fn by_stage(game: &Game, roundings: impl Fn(&Game, &Distribution) -> f64) -> Vec<f64> {
    let mut distributions: Vec<BoundTerms> = game
        .distributions()
        .iter()
        .map(|distribution| BoundTerms::new(game, distribution, roundings(game, distribution)))
        .collect();
    // Those that are equal are next to each other.
    distributions.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    distributions.dedup();
    let mut bounds = vec![0.0; game.space().stages()];
    for stage in (0..bounds.len()).rev() {
        let (own, above) = bounds[stage..].split_first_mut().expect("a stage");
        // The bound never decreases from a stage to the one below.
        let least = above.first().copied().unwrap_or(0.0);
        *own = distributions
            .iter()
            .map(|distribution| distribution.bound(above))
            .fold(least, f64::max);
    }
    bounds
}
