//! The number types that components are solved in: doubles, pairs of doubles, and fractions.

use std::fmt::Debug;

use dashu_ratio::RBig;

use crate::dice::{Weight, double_of};

/// A field, or floats that approximate one.
pub trait Number: Clone + PartialOrd + Debug + Send + Sync + 'static {
    /// No probability, and the value of a certain loss.
    const ZERO: Self;
    /// A certain event, and the value of a certain win.
    const ONE: Self;
    /// Whether no operation rounds.
    const IS_EXACT: bool = false;
    /// Whether it is a double.
    const IS_DOUBLE: bool = false;
    /// Whether linear systems are solved in doubles and refined.
    const IS_REFINED: bool = false;

    /// Returns the sum.
    fn plus(&self, other: &Self) -> Self;
    /// Returns the difference.
    fn minus(&self, other: &Self) -> Self;
    /// Returns the product.
    fn times(&self, other: &Self) -> Self;
    /// Returns the quotient.
    fn over(&self, other: &Self) -> Self;
    /// Returns `weight / total`.
    fn ratio(weight: Weight, total: Weight) -> Self;
    /// Returns `count` times a bound on the rounding error of results up to 1; 0 for exact types.
    fn units(count: f64) -> Self;
    /// Returns the number as a multiple of `units(1.0)`; for exact types infinite unless it is 0.
    fn in_units(&self) -> f64;
    /// Rounds a number from 0 to 1 to one whose complement is exact, by less than [`Self::GRAIN`]
    /// units.
    fn to_grain(&self) -> Self;
    /// See [`Self::to_grain`].
    const GRAIN: f64;
    /// Returns the nearest double.
    fn to_double(&self) -> f64;
    /// Converts a double.
    fn from_double(double: f64) -> Self;
    /// Returns the nearest number.
    fn from_fraction(fraction: &RBig) -> Self;
    /// Returns the exact value.
    fn to_fraction(&self) -> RBig;
}

/// The unit roundoff of doubles, 2^-53: it bounds the rounding error of results up to 1.
pub(crate) const UNIT: f64 = f64::EPSILON / 2.0;

impl Number for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const IS_DOUBLE: bool = true;
    const GRAIN: f64 = 1.0;

    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn minus(&self, other: &Self) -> Self {
        self - other
    }

    #[inline(always)]
    fn times(&self, other: &Self) -> Self {
        self * other
    }

    #[inline(always)]
    fn over(&self, other: &Self) -> Self {
        self / other
    }

    /// Returns the quotient rounded once, as the error bounds of probabilities assume.
    fn ratio(weight: Weight, total: Weight) -> Self {
        match total {
            ..=LARGEST_INTEGER => double_of(weight) / double_of(total),
            _ => nearest_double(&fraction(weight, total)),
        }
    }

    fn units(count: f64) -> Self {
        count * UNIT
    }

    fn in_units(&self) -> f64 {
        self / UNIT
    }

    /// A multiple of the unit: so are all doubles from 1/2 on.
    #[inline(always)]
    fn to_grain(&self) -> Self {
        if *self < 0.5 { (self + 0.5) - 0.5 } else { *self }
    }

    fn to_double(&self) -> f64 {
        *self
    }

    fn from_double(double: f64) -> Self {
        double
    }

    fn from_fraction(fraction: &RBig) -> Self {
        nearest_double(fraction)
    }

    fn to_fraction(&self) -> RBig {
        exact_double(*self)
    }
}

impl Number for RBig {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;
    const IS_EXACT: bool = true;
    const GRAIN: f64 = 0.0;

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

    fn ratio(weight: Weight, total: Weight) -> Self {
        fraction(weight, total)
    }

    fn units(_: f64) -> Self {
        Self::ZERO
    }

    fn in_units(&self) -> f64 {
        if self.is_zero() { 0.0 } else { f64::INFINITY }
    }

    fn to_grain(&self) -> Self {
        self.clone()
    }

    fn to_double(&self) -> f64 {
        nearest_double(self)
    }

    fn from_double(double: f64) -> Self {
        exact_double(double)
    }

    fn from_fraction(fraction: &RBig) -> Self {
        fraction.clone()
    }

    fn to_fraction(&self) -> RBig {
        self.clone()
    }
}

/// Converts a finite double to the equal rational.
pub(crate) fn exact_double(double: f64) -> RBig {
    RBig::try_from(double).expect("the number is finite")
}

/// Returns the double nearest to a rational.
pub fn nearest_double(value: &RBig) -> f64 {
    value.to_f64().value()
}

/// Returns `weight / total`.
pub(crate) fn fraction(weight: Weight, total: Weight) -> RBig {
    RBig::from_parts(weight.into(), total.into())
}

/// Doubles represent all integers up to this one.
const LARGEST_INTEGER: Weight = 1 << f64::MANTISSA_DIGITS;
