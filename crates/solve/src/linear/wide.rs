//! Floats with more digits than doubles: binary, rounded to nearest, ties to even.

use dashu_float::{Context, FBig, round::mode::HalfEven};
use dashu_ratio::RBig;

use crate::dice::Weight;

use super::Float;

/// A float that knows its precision. A result has the larger precision of its operands; 0 and 1
/// have none of their own.
pub(crate) type Wide = FBig<HalfEven>;

/// The length of a mantissa.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits(pub usize);

impl Bits {
    /// Returns the precision in decimal digits.
    pub fn digits(self) -> usize {
        (self.0 as f64 * std::f64::consts::LOG10_2) as usize
    }

    fn quotient(self, numerator: &Wide, denominator: &Wide) -> Wide {
        Context::new(self.0)
            .div(numerator.repr(), denominator.repr())
            .expect("the denominator is not 0")
            .value()
    }
}

pub(super) fn ratio(bits: Bits, weight: Weight, total: Weight) -> Wide {
    bits.quotient(&weight.into(), &total.into())
}

/// Returns multiples of 2^(1 - bits): twice the unit roundoff.
pub(super) fn units(Bits(bits): Bits, count: f64) -> Wide {
    let count = Wide::try_from(count).expect("the count is finite").with_precision(bits).value();
    count >> (bits as isize - 1)
}

pub(super) fn to_double(number: &Wide) -> f64 {
    number.to_f64().value()
}

pub(super) fn from_double(Bits(bits): Bits, double: f64) -> Wide {
    Wide::try_from(double).expect("the number is finite").with_precision(bits).value()
}

impl Float for Wide {
    fn from_fraction(bits: Bits, fraction: &RBig) -> Self {
        bits.quotient(&fraction.numerator().clone().into(), &fraction.denominator().clone().into())
    }

    fn in_units(&self, Bits(bits): Bits) -> f64 {
        (self.clone() << (bits as isize - 1)).to_f64().value()
    }

    fn as_double(&self) -> Option<f64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::Scalar;
    use super::*;

    const NARROW: Bits = Bits(128);
    const LONG: Bits = Bits(4096);

    #[test]
    fn roundings_are_within_half_a_unit() {
        let off = ratio(NARROW, 1, 3).minus(&ratio(LONG, 1, 3)).in_units(NARROW).abs();
        assert!(off > 0.0 && off <= 0.5, "{off}");
        assert_eq!((units(LONG, 3.0).in_units(LONG), units(LONG, 3.0).precision()), (3.0, 4096));
        assert_eq!(Wide::ONE.in_units(LONG), f64::INFINITY);
    }

    #[test]
    fn results_have_the_precision_of_their_operands() {
        let third = ratio(NARROW, 1, 3);
        let near = Wide::ONE.minus(&third);
        for result in [
            Wide::ZERO.plus(&third),
            near.clone(),
            third.times(&near),
            third.over(&near),
            third.plus(&Wide::ONE),
        ] {
            assert_eq!(result.precision(), 128, "{result}");
        }
    }
}
