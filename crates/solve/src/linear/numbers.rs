//! The number types that linear systems are solved in: doubles, fractions, and multiprecision
//! floats.

use std::fmt::Debug;

use dashu_ratio::RBig;

use super::wide::{self, Bits, Wide};
use crate::dice::{Weight, double_of};

/// A field, or floats that approximate one.
pub(crate) trait Scalar: Clone + PartialOrd + Send + Sync {
    /// The precision of new numbers, for types that have several; results have that of their
    /// operands.
    type Precision: Copy + Debug + Send + Sync;
    const ZERO: Self;
    const ONE: Self;
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    fn over(&self, other: &Self) -> Self;
    /// Returns `weight / total`.
    fn ratio(precision: Self::Precision, weight: Weight, total: Weight) -> Self;
    /// Returns `count` times a bound on the rounding error of results up to 1; 0 for exact types.
    fn units(precision: Self::Precision, count: f64) -> Self;
    /// Returns the nearest double.
    fn to_double(&self) -> f64;
    /// Converts a double.
    fn from_double(precision: Self::Precision, double: f64) -> Self;
}

/// Floating-point numbers.
pub(crate) trait Float: Scalar {
    fn from_fraction(precision: Self::Precision, fraction: &RBig) -> Self;
    /// Returns the number as a multiple of `units(precision, 1.0)`: infinite where a double cannot
    /// hold it.
    fn in_units(&self, precision: Self::Precision) -> f64;
    /// The number itself, if this type is that of doubles.
    fn as_double(&self) -> Option<f64>;
}

/// Implements [`Scalar`] by the operators of the type.
macro_rules! scalar {
    ($number:ty, $precision:ty, $zero:expr, $one:expr, $ratio:expr, $units:expr, $to:expr, $from:expr) => {
        impl Scalar for $number {
            type Precision = $precision;
            const ZERO: Self = $zero;
            const ONE: Self = $one;

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

            fn ratio(precision: $precision, weight: Weight, total: Weight) -> Self {
                $ratio(precision, weight, total)
            }

            fn units(precision: $precision, count: f64) -> Self {
                $units(precision, count)
            }

            fn to_double(&self) -> f64 {
                $to(self)
            }

            fn from_double(precision: $precision, double: f64) -> Self {
                $from(precision, double)
            }
        }
    };
}

scalar!(
    f64,
    (),
    0.0,
    1.0,
    |(), weight, total| ratio_in_doubles(weight, total),
    |(), count| count * UNIT,
    |number: &f64| *number,
    |(), double: f64| double
);
scalar!(
    RBig,
    (),
    RBig::ZERO,
    RBig::ONE,
    |(), weight, total| fraction(weight, total),
    |_, _| RBig::ZERO,
    nearest_double,
    |(), double| exact_double(double)
);
scalar!(
    Wide,
    Bits,
    Wide::ZERO,
    Wide::ONE,
    wide::ratio,
    wide::units,
    wide::to_double,
    wide::from_double
);

impl Float for f64 {
    fn from_fraction((): (), fraction: &RBig) -> Self {
        nearest_double(fraction)
    }

    fn in_units(&self, (): ()) -> f64 {
        self / UNIT
    }

    fn as_double(&self) -> Option<f64> {
        Some(*self)
    }
}

/// The unit roundoff of doubles, 2^-53: it bounds the rounding error of results up to 1.
pub(crate) const UNIT: f64 = f64::EPSILON / 2.0;

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

/// Returns the quotient rounded once, as the error bounds of probabilities assume.
fn ratio_in_doubles(weight: Weight, total: Weight) -> f64 {
    match total {
        ..=LARGEST_INTEGER => double_of(weight) / double_of(total),
        _ => nearest_double(&fraction(weight, total)),
    }
}

/// Doubles represent all integers up to this one.
const LARGEST_INTEGER: Weight = 1 << f64::MANTISSA_DIGITS;
