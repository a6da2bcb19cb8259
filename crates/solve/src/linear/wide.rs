//! Floats with more digits than doubles: binary, rounded to nearest, ties to even.

use dashu_float::{Context, FBig, round::mode::HalfEven};
use dashu_int::IBig;
use dashu_ratio::RBig;

use crate::dice::Weight;

use super::Number;

/// A float that knows its precision. A result has the larger precision of its operands; 0 and 1
/// have none of their own.
pub type Wide = FBig<HalfEven>;

/// The length of a mantissa.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits(pub usize);

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

impl Number for Wide {
    type Precision = Bits;
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;
    const IS_REFINED: bool = true;
    const GRAIN: f64 = 16_777_216.0;

    fn plus(&self, other: &Self) -> Self {
        self + other
    }

    fn minus(&self, other: &Self) -> Self {
        self - other
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn over(&self, other: &Self) -> Self {
        self / other
    }

    fn ratio(bits: Bits, weight: Weight, total: Weight) -> Self {
        bits.quotient(&weight.into(), &total.into())
    }

    /// Returns multiples of 2^(1 - bits): twice the unit roundoff.
    fn units(Bits(bits): Bits, count: f64) -> Self {
        let count = Self::try_from(count).expect("the count is finite");
        count.with_precision(bits).value() >> (bits as isize - 1)
    }

    fn in_units(&self, Bits(bits): Bits) -> f64 {
        (self.clone() << (bits as isize - 1)).to_f64().value()
    }

    fn to_grain(&self) -> Self {
        let coarse = Self::ONE << 24;
        self.plus(&coarse).minus(&coarse)
    }

    fn to_double(&self) -> f64 {
        self.to_f64().value()
    }

    fn from_double(Bits(bits): Bits, double: f64) -> Self {
        Self::try_from(double).expect("the number is finite").with_precision(bits).value()
    }

    fn from_fraction(bits: Bits, fraction: &RBig) -> Self {
        bits.quotient(&fraction.numerator().clone().into(), &fraction.denominator().clone().into())
    }

    fn to_fraction(&self) -> RBig {
        let repr = self.repr();
        let significand = RBig::from(repr.significand().clone());
        let power = RBig::from(IBig::ONE << repr.exponent().unsigned_abs());
        if repr.exponent() < 0 { significand / power } else { significand * power }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NARROW: Bits = Bits(128);
    const LONG: Bits = Bits(4096);

    #[test]
    fn roundings_are_within_half_a_unit() {
        let off = Wide::ratio(NARROW, 1, 3).minus(&Wide::ratio(LONG, 1, 3)).in_units(NARROW).abs();
        assert!(off > 0.0 && off <= 0.5, "{off}");
        assert_eq!(
            (Wide::units(LONG, 3.0).in_units(LONG), Wide::units(LONG, 3.0).precision()),
            (3.0, 4096)
        );
        assert_eq!(Wide::ONE.in_units(LONG), f64::INFINITY);
    }

    #[test]
    fn results_have_the_precision_of_their_operands() {
        let third = Wide::ratio(NARROW, 1, 3);
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
