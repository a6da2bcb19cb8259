//! Bounds in doubles: the values of one player are rounded up, those of the other down.

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::numbers::Mixture;

/// How doubles are rounded to bounds. All are multiples of the rounding unit, so complements are
/// exact; and so is the mean of equal bounds, as no mean is beyond all of its terms.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// The side whose values are rounded up. Those of the other side are rounded down.
    pub upper: usize,
}

/// One over the rounding unit: the doubles from 1/2 to 1 are its multiples.
const UNITS: f64 = 2.0 / f64::EPSILON;

impl Bounds {
    /// Rounds a value, which has an error of at most `error`, to a bound of a side.
    pub fn round(self, side: usize, value: f64, error: f64) -> f64 {
        // The sum below is rounded, too.
        let error = if error > 0.0 { error + f64::EPSILON } else { 0.0 };
        let units = if side == self.upper {
            ((value + error) * UNITS).ceil()
        } else {
            ((value - error) * UNITS).floor()
        };
        (units / UNITS).clamp(0.0, 1.0)
    }

    /// Rounds a mean, computed in doubles, to a bound of a side.
    pub fn round_mean(self, side: usize, mean: f64, mixture: &Mixture<f64>) -> f64 {
        let (mut least, mut most): (f64, f64) = (1.0, 0.0);
        let mut ends = mixture.total;
        for term in &mixture.terms {
            let value = if term.passed { 1.0 - term.value } else { *term.value };
            ends -= term.weight;
            (least, most) = (least.min(value), most.max(value));
        }
        if ends > 0 {
            (least, most) = (0.0, 1.0);
        }
        // For each term, its weight, the product and the sums from it on are rounded; then the total
        // and the quotient.
        let roundings = (mixture.terms.len() + 6) as f64;
        self.round(side, mean, roundings * f64::EPSILON / 2.0).clamp(least, most)
    }

    /// Rounds a fraction from 0 to 1 to a bound of a side.
    pub fn round_fraction(self, side: usize, fraction: &RBig) -> Option<f64> {
        let units = fraction * RBig::from(IBig::ONE << 53);
        let units = if side == self.upper { units.ceil() } else { units.floor() };
        // At most 2^53, which is exact in doubles.
        i64::try_from(units).ok().map(|units| units as f64 / UNITS)
    }
}
