//! Numbers that are added, multiplied and divided alike: doubles, fractions, and multiprecision floats.

use dashu_ratio::RBig;

use crate::dice::{Weight, double_of};

/// Numbers that systems are solved in.
pub(crate) trait Scalar: Clone + PartialOrd + Send + Sync {
    const ZERO: Self;
    const ONE: Self;
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    fn over(&self, other: &Self) -> Self;
    /// A quotient of whole numbers.
    fn ratio(weight: Weight, total: Weight) -> Self;
    /// So many times what a number up to 1 may be rounded by; no number is where none is rounded.
    fn units(count: f64) -> Self;
}

/// Numbers that are rounded.
pub(crate) trait Float: Scalar {
    /// In decimal.
    const DIGITS: usize;
    fn of_fraction(fraction: &RBig) -> Self;
    /// How many units it is: infinite if that is past doubles.
    fn in_units(&self) -> f64;
    fn to_double(&self) -> f64;
}

/// A scalar's operations are those of its type.
macro_rules! scalar {
    ($number:ty, $zero:expr, $one:expr, $ratio:expr, $units:expr) => {
        impl Scalar for $number {
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

            fn ratio(weight: Weight, total: Weight) -> Self {
                $ratio(weight, total)
            }

            fn units(count: f64) -> Self {
                $units(count)
            }
        }
    };
}

scalar!(f64, 0.0, 1.0, ratio_in_doubles, |count| count * UNIT);
scalar!(RBig, RBig::ZERO, RBig::ONE, fraction, |_| RBig::ZERO);

impl Float for f64 {
    const DIGITS: usize = f64::DIGITS as usize;

    fn of_fraction(fraction: &RBig) -> Self {
        nearest_double(fraction)
    }

    fn in_units(&self) -> f64 {
        self / UNIT
    }

    fn to_double(&self) -> f64 {
        *self
    }
}

/// By how much doubles up to 1 may be rounded.
pub(crate) const UNIT: f64 = f64::EPSILON / 2.0;

/// A double as a rational.
pub(crate) fn exact_double(double: f64) -> RBig {
    RBig::try_from(double).expect("it is finite")
}

/// The double nearest to a rational.
pub fn nearest_double(value: &RBig) -> f64 {
    value.to_f64().value()
}

fn fraction(weight: Weight, total: Weight) -> RBig {
    RBig::from_parts(weight.into(), total.into())
}

/// A quotient, rounded once, as all who bound the errors of chances take it to be.
fn ratio_in_doubles(weight: Weight, total: Weight) -> f64 {
    match total {
        ..=LARGEST_WHOLE => double_of(weight) / double_of(total),
        _ => nearest_double(&fraction(weight, total)),
    }
}

/// Doubles hold all whole numbers up to this.
const LARGEST_WHOLE: Weight = 1 << f64::MANTISSA_DIGITS;
