//! Bounds in doubles: the values of one player are rounded up, those of the other down.

use dashu_int::IBig;
use dashu_ratio::RBig;

use hog_rules::dice::double_of;

use super::numbers::{Mixture, Numbers};
use super::rounding::fraction_of;

/// Bounds on win rates. All are multiples of the rounding unit, so complements are exact; and so is
/// the mean of equal bounds, as no mean is beyond all of its terms.
pub(super) struct Bounds {
    /// The side whose values are rounded up. Those of the other side are rounded down.
    pub upper: usize,
}

/// One over the rounding unit: the doubles from 1/2 to 1 are its multiples.
const UNITS: f64 = 2.0 / f64::EPSILON;

impl Bounds {
    /// Rounds a value, which has an error of at most `error`, to a bound of a side.
    pub fn round(&self, side: usize, value: f64, error: f64) -> f64 {
        // The sum below is rounded, too.
        let error = if error > 0.0 { error + f64::EPSILON } else { 0.0 };
        let units = if side == self.upper {
            ((value + error) * UNITS).ceil()
        } else {
            ((value - error) * UNITS).floor()
        };
        (units / UNITS).clamp(0.0, 1.0)
    }
}

impl Numbers for Bounds {
    type Number = f64;
    const EXACT: bool = false;

    fn mean(&self, _: usize, side: usize, mixture: &Mixture<f64>) -> f64 {
        let value = |value: f64, passed: bool| if passed { 1.0 - value } else { value };
        let mut sum = double_of(mixture.halves) / 2.0;
        let mut ends = mixture.total;
        let (mut least, mut most): (f64, f64) = (1.0, 0.0);
        for term in &mixture.terms {
            let value = value(*term.value, term.passed);
            sum += double_of(term.weight) * value;
            ends -= term.weight;
            (least, most) = (least.min(value), most.max(value));
        }
        if ends > 0 {
            (least, most) = (0.0, 1.0);
        }
        // For each term, its weight, the product and the sums from it on are rounded; then the total
        // and the quotient.
        let roundings = (mixture.terms.len() + 6) as f64;
        let mean = sum / double_of(mixture.total);
        self.round(side, mean, roundings * f64::EPSILON / 2.0).clamp(least, most)
    }

    fn complement(&self, _: usize, n: &f64) -> f64 {
        1.0 - n
    }

    fn half(&self, _: usize) -> f64 {
        0.5
    }

    fn nearest(&self, _: usize, n: &f64) -> f64 {
        *n
    }

    fn shortfall(&self, _: usize, most: &f64, n: &f64) -> f64 {
        most - n
    }

    fn fraction(&self, _: usize, n: &f64) -> RBig {
        fraction_of(*n)
    }

    fn number(&self, _: usize, side: usize, fraction: &RBig) -> Option<f64> {
        let units = fraction * RBig::from(IBig::ONE << 53);
        let units = if side == self.upper { units.ceil() } else { units.floor() };
        // At most 2^53, which is exact in doubles.
        i64::try_from(units).ok().map(|units| units as f64 / UNITS)
    }

    fn within(&self, side: usize, value: f64, error: f64) -> f64 {
        self.round(side, value, error)
    }
}
