//! Pairs of doubles: floats of some 31 digits, at ten to twenty times the cost of doubles.
//!
//! The operations and the bounds on their errors are those of Joldes, Muller and Popescu, *Tight
//! and rigorous error bounds for basic building blocks of double-word arithmetic* (ACM TOMS 44,
//! 2017): relative errors of at most 3, 5 and 15 times 2^-106 (and a little) for sums, products and
//! quotients.

use dashu_ratio::RBig;

use crate::dice::{Weight, double_of};

use super::numbers::{Number, exact_double, nearest_double};

/// The sum of two doubles, of which the first is the double nearest to the sum.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Twofold {
    high: f64,
    low: f64,
}

/// 2^-102: more than the error of any operation with a result up to 1.
const UNIT: f64 = 1.0 / (1u128 << 102) as f64;
/// Added and subtracted again, it rounds smaller numbers to multiples of 2^-92.
const ROUNDER: f64 = 1.5 / (1u64 << 40) as f64;
/// Splits a double into two of 26 bits (Dekker).
const SPLITTER: f64 = ((1u32 << 27) + 1) as f64;

/// Returns the sum of two doubles exactly.
fn sum(a: f64, b: f64) -> Twofold {
    let high = a + b;
    let of_b = high - a;
    Twofold { high, low: (a - (high - of_b)) + (b - of_b) }
}

/// Returns the sum of two doubles exactly, if the second is not larger.
fn ordered_sum(a: f64, b: f64) -> Twofold {
    let high = a + b;
    Twofold { high, low: b - (high - a) }
}

fn split(a: f64) -> [f64; 2] {
    let scaled = SPLITTER * a;
    let high = scaled - (scaled - a);
    [high, a - high]
}

/// Returns the product of two doubles exactly.
fn product(a: f64, b: f64) -> Twofold {
    let high = a * b;
    let [a_high, a_low] = split(a);
    let [b_high, b_low] = split(b);
    let error = (a_high * b_high - high) + a_high * b_low + a_low * b_high;
    Twofold { high, low: error + a_low * b_low }
}

impl Twofold {
    fn of_integer(integer: Weight) -> Self {
        let high = double_of(integer);
        let rest = integer.wrapping_sub(high as Weight) as i128;
        ordered_sum(high, rest as f64)
    }

    fn times_double(self, factor: f64) -> Self {
        let main = product(self.high, factor);
        let first = ordered_sum(main.high, self.low * factor);
        ordered_sum(first.high, first.low + main.low)
    }
}

impl Number for Twofold {
    const ZERO: Self = Self { high: 0.0, low: 0.0 };
    const ONE: Self = Self { high: 1.0, low: 0.0 };
    const IS_REFINED: bool = true;
    const GRAIN: f64 = 1024.0;

    fn plus(&self, other: &Self) -> Self {
        let main = sum(self.high, other.high);
        let rest = sum(self.low, other.low);
        let first = ordered_sum(main.high, main.low + rest.high);
        ordered_sum(first.high, rest.low + first.low)
    }

    fn minus(&self, other: &Self) -> Self {
        self.plus(&Self { high: -other.high, low: -other.low })
    }

    fn times(&self, other: &Self) -> Self {
        let main = product(self.high, other.high);
        let rest = self.high * other.low + self.low * other.high;
        ordered_sum(main.high, main.low + rest)
    }

    fn over(&self, other: &Self) -> Self {
        let quotient = self.high / other.high;
        let back = other.times_double(quotient);
        let rest = (self.high - back.high) + (self.low - back.low);
        ordered_sum(quotient, rest / other.high)
    }

    fn ratio(weight: Weight, total: Weight) -> Self {
        Self::of_integer(weight).over(&Self::of_integer(total))
    }

    fn units(count: f64) -> Self {
        Self { high: count * UNIT, low: 0.0 }
    }

    fn in_units(&self) -> f64 {
        self.high / UNIT
    }

    fn to_grain(&self) -> Self {
        let [high, low] = [self.high, self.low].map(|part| match part < ROUNDER / 1.5 {
            true => (part + ROUNDER) - ROUNDER,
            false => part,
        });
        sum(high, low)
    }

    fn to_double(&self) -> f64 {
        self.high
    }

    fn from_double(double: f64) -> Self {
        Self { high: double, low: 0.0 }
    }

    fn from_fraction(fraction: &RBig) -> Self {
        let high = nearest_double(fraction);
        ordered_sum(high, nearest_double(&(fraction - exact_double(high))))
    }

    fn to_fraction(&self) -> RBig {
        exact_double(self.high) + exact_double(self.low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn off(found: Twofold, exact: &RBig) -> f64 {
        nearest_double(&(found.to_fraction() - exact)).abs() / UNIT
    }

    #[test]
    fn operations_are_within_a_unit_of_the_exact_results() {
        let fraction = |n: u32, d: u32| RBig::from_parts(n.into(), d.into());
        for (n, d) in [(1u32, 3u32), (1, 7), (22, 45), (999, 1000), (1, 1_000_000_007)] {
            let (a, exact_a) = (Twofold::ratio(n.into(), d.into()), fraction(n, d));
            assert!(off(a, &exact_a) < 1.0, "{n}/{d}");
            let (b, exact_b) = (Twofold::ratio(2, 9), fraction(2, 9));
            let of_a = a.to_fraction();
            let of_b = b.to_fraction();
            assert!(off(a.times(&b), &(&of_a * &of_b)) < 1.0, "{n}/{d} times");
            assert!(off(a.plus(&b), &(&of_a + &of_b)) < 2.0, "{n}/{d} plus");
            assert!(off(a.minus(&b), &(&of_a - &of_b)) < 1.0, "{n}/{d} minus");
            assert!(off(a.over(&Twofold::ONE.plus(&b)), &(&of_a / (RBig::ONE + &of_b))) < 1.0);
            assert_eq!(Twofold::from_fraction(&exact_a).to_double(), nearest_double(&exact_a));
            assert!(off(b, &exact_b) < 1.0);
        }
    }

    #[test]
    fn the_complement_of_a_grain_is_exact() {
        for (n, d) in [(1u8, 3u8), (1, 200), (199, 200), (1, 2)] {
            let value = Twofold::ratio(n.into(), d.into()).to_grain();
            let complement = Twofold::ONE.minus(&value);
            assert_eq!(complement.to_fraction() + value.to_fraction(), RBig::ONE, "{n}/{d}");
            let rounded = RBig::from_parts(n.into(), d.into());
            assert!(off(value, &rounded) <= Twofold::GRAIN, "{n}/{d}");
        }
    }

    #[test]
    fn large_integers_keep_their_digits() {
        let large = (1u128 << 100) + 12_345;
        assert_eq!(Twofold::of_integer(large).to_fraction(), RBig::from(large));
    }
}
