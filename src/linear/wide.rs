//! Floats with more digits than doubles.

use dashu_float::{Context, FBig, round::mode::HalfEven};
use dashu_ratio::RBig;

use crate::dice::Weight;

use super::{Float, Scalar};

/// A float with a mantissa of `BITS` bits, rounded to nearest, ties to even.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) struct Wide<const BITS: usize>(FBig<HalfEven>);

impl<const BITS: usize> Wide<BITS> {
    const CONTEXT: Context<HalfEven> = Context::new(BITS);
}

impl<const BITS: usize> Scalar for Wide<BITS> {
    const ZERO: Self = Self(FBig::ZERO);
    const ONE: Self = Self(FBig::ONE);

    fn plus(&self, other: &Self) -> Self {
        Self(Self::CONTEXT.add(self.0.repr(), other.0.repr()).expect("both are finite").value())
    }

    fn minus(&self, other: &Self) -> Self {
        Self(Self::CONTEXT.sub(self.0.repr(), other.0.repr()).expect("both are finite").value())
    }

    fn times(&self, other: &Self) -> Self {
        Self(Self::CONTEXT.mul(self.0.repr(), other.0.repr()).expect("both are finite").value())
    }

    fn over(&self, other: &Self) -> Self {
        Self(Self::CONTEXT.div(self.0.repr(), other.0.repr()).expect("no divisor is 0").value())
    }

    fn ratio(weight: Weight, total: Weight) -> Self {
        Self(FBig::from(weight)).over(&Self(FBig::from(total)))
    }

    // In units of 2^(1 - BITS): twice the unit roundoff.
    fn units(count: f64) -> Self {
        Self(FBig::try_from(count).expect("the count is finite") >> (BITS as isize - 1))
    }
}

impl<const BITS: usize> Float for Wide<BITS> {
    const DIGITS: usize = (BITS as f64 * std::f64::consts::LOG10_2) as usize;

    fn from_fraction(fraction: &RBig) -> Self {
        let (numerator, denominator) = (fraction.numerator().clone(), fraction.denominator().clone());
        Self(FBig::from(numerator)).over(&Self(FBig::from(denominator)))
    }

    fn in_units(&self) -> f64 {
        (self.0.clone() << (BITS as isize - 1)).to_f64().value()
    }

    fn to_double(&self) -> f64 {
        self.0.to_f64().value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roundings_are_within_half_a_unit() {
        let third = Wide::<128>::ratio(1, 3);
        let off = Wide::<4096>(third.0).minus(&Wide::<4096>::ratio(1, 3));
        let off = Wide::<128>(off.0).in_units().abs();
        assert!(off > 0.0 && off <= 0.5, "{off}");
        assert_eq!(Wide::<4096>::units(3.0).in_units(), 3.0);
        assert_eq!(Wide::<4096>::ONE.in_units(), f64::INFINITY);
    }
}
