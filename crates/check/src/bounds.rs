//! Intervals in fixed-point numbers, with directed rounding: what a turn leads to is rounded once,
//! down for the lower end and up for the upper one.
//!
//! All numbers are multiples of 2^-126. A mean of them is a sum of products of integers, exact in
//! two words of 128 bits, and one division; so an interval contains the true mean if the intervals
//! of its terms contain theirs, and no rounding is counted.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use hog_rules::dice::Weight;

use super::numbers::{Mixture, RateArithmetic, Term};
use super::rounding::fraction_of;

/// A number from 0 to 1, in units of 2^-126.
type Fixed = u128;

const ONE: Fixed = 1 << 126;
/// The largest total whose sums are exact in two words; larger ones are rare.
const LARGEST_TOTAL: Weight = 1 << 62;

/// A win rate between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Interval {
    pub low: Fixed,
    pub high: Fixed,
}

/// The numbers from 0 to 1.
pub(super) const ANYTHING: Interval = Interval { low: 0, high: ONE };
/// The value of endless play.
pub(super) const HALF: Fixed = ONE / 2;

/// The arithmetic of intervals.
pub(super) struct Intervals;

impl Term<'_, Interval> {
    /// The win rate of the player who moves before it.
    fn seen(&self) -> Interval {
        if self.passed { self.value.complement() } else { *self.value }
    }
}

impl Interval {
    /// The interval from `below` under a double to `above` over it; ends beyond 0 and 1 are these.
    /// All are numbers from -1 to 1.
    pub fn around(value: f64, below: f64, above: f64) -> Self {
        let low = units(value, false) - units(below, true);
        let high = units(value, true) + units(above, true);
        Self { low: low.clamp(0, ONE as i128) as Fixed, high: high.clamp(0, ONE as i128) as Fixed }
    }

    /// The interval that reaches further by a number at both ends.
    pub fn widened(self, by: Fixed) -> Self {
        Self { low: self.low.saturating_sub(by), high: (self.high + by).min(ONE) }
    }

    /// The other player's interval.
    pub fn complement(self) -> Self {
        Self { low: ONE - self.high, high: ONE - self.low }
    }

    /// How far a number in the interval may be from a double.
    pub fn reach(self, value: f64) -> Fixed {
        let above = self.high as i128 - units(value, false);
        let below = units(value, true) - self.low as i128;
        above.max(below).max(0) as Fixed
    }

    /// A double in the middle.
    pub fn middle(self) -> f64 {
        (self.low / 2 + self.high / 2) as f64 / ONE as f64
    }
}

/// Returns a double that is no less than a fixed-point number.
pub(super) fn double_above(number: Fixed) -> f64 {
    let nearest = number as f64 / ONE as f64;
    if number == 0 { 0.0 } else { nearest.next_up() }
}

/// Returns a double from -1 to 1 in units, rounded up or down. Units are a power of two, so the
/// product is exact.
fn units(double: f64, up: bool) -> i128 {
    let units = double * ONE as f64;
    (if up { units.ceil() } else { units.floor() }) as i128
}

/// Rounds a fraction up or down; those beyond 0 and 1 to these.
fn fixed(fraction: &RBig, up: bool) -> Fixed {
    let units = fraction * RBig::from(IBig::from(ONE));
    let units = if up { units.ceil() } else { units.floor() };
    if units < IBig::ZERO { 0 } else { Fixed::try_from(units).unwrap_or(ONE).min(ONE) }
}

/// The ends of a mean.
fn ends(mixture: &Mixture<Interval>, of: impl Fn(&Term<Interval>) -> Fixed, up: bool) -> Fixed {
    if mixture.total > LARGEST_TOTAL {
        return long_mean(mixture, of, up);
    }
    let mut high = mixture.halves * (HALF >> 64);
    let mut low = 0;
    for term in &mixture.terms {
        let value = of(term);
        high += term.weight * (value >> 64);
        low += term.weight * (value & u128::from(u64::MAX));
    }
    let quotient = high / mixture.total;
    let rest = ((high % mixture.total) << 64) + low;
    let more = if up { rest.div_ceil(mixture.total) } else { rest / mixture.total };
    (quotient << 64) + more
}

/// As [`ends`], in long integers.
fn long_mean(
    mixture: &Mixture<Interval>,
    of: impl Fn(&Term<Interval>) -> Fixed,
    up: bool,
) -> Fixed {
    let mut sum = UBig::from(mixture.halves) * UBig::from(HALF);
    for term in &mixture.terms {
        sum += UBig::from(term.weight) * UBig::from(of(term));
    }
    let total = UBig::from(mixture.total);
    let more = if up { &total - UBig::ONE } else { UBig::ZERO };
    Fixed::try_from((sum + more) / total).unwrap_or(ONE)
}

impl RateArithmetic for Intervals {
    type Number = Interval;

    fn mean(&self, _: usize, mixture: &Mixture<Interval>) -> Interval {
        Interval {
            low: ends(mixture, |term| term.seen().low, false),
            high: ends(mixture, |term| term.seen().high, true),
        }
    }

    fn complement(&self, _: usize, number: &Interval) -> Interval {
        number.complement()
    }

    fn half(&self, _: usize) -> Interval {
        Interval { low: HALF, high: HALF }
    }

    fn halves(&self, halves: u8) -> Interval {
        let value = HALF * Fixed::from(halves);
        Interval { low: value, high: value }
    }

    fn larger(&self, one: Interval, other: Interval) -> Interval {
        Interval { low: one.low.max(other.low), high: one.high.max(other.high) }
    }

    fn nearest(&self, _: usize, number: &Interval) -> f64 {
        number.middle()
    }

    fn shortfall(&self, _: usize, most: &Interval, number: &Interval) -> f64 {
        double_above(most.high.saturating_sub(number.low))
    }

    fn fraction(&self, _: usize, number: &Interval) -> RBig {
        fraction_of(number.middle())
    }

    fn number(&self, _: usize, fraction: &RBig) -> Option<Interval> {
        Some(Interval { low: fixed(fraction, false), high: fixed(fraction, true) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(total: Weight, terms: &[(Weight, Interval, bool)]) -> Interval {
        let term = |(weight, value, passed): &(Weight, Interval, bool)| (*weight, *value, *passed);
        let owned: Vec<_> = terms.iter().map(term).collect();
        let terms = owned
            .iter()
            .map(|(weight, value, passed)| Term {
                weight: *weight,
                height: 1,
                value,
                passed: *passed,
            })
            .collect();
        Intervals.mean(1, &Mixture { total, halves: 0, terms })
    }

    #[test]
    fn a_mean_is_rounded_once_at_each_end() {
        let sure = Interval { low: ONE, high: ONE };
        let third = mean(3, &[(1, sure, false), (2, sure, true)]);
        assert_eq!((third.low, third.high - third.low), (ONE / 3, 1));
        let half = mean(4, &[(2, sure, false), (2, sure, true)]);
        assert_eq!((half.low, half.high), (HALF, HALF), "an exact mean is not rounded");
    }

    #[test]
    fn long_totals_give_the_same_means() {
        let value = Interval::around(0.3, 1e-9, 2e-9);
        let (short, long): (Weight, Weight) = (7, 7 << 80);
        let found = mean(short, &[(3, value, false), (4, value, true)]);
        let same = mean(long, &[(3 << 80, value, false), (4 << 80, value, true)]);
        assert_eq!(found, same);
    }

    #[test]
    fn an_interval_around_a_double_contains_it() {
        let interval = Interval::around(0.1, 0.0, 1e-20);
        assert!(
            interval.low < interval.high && interval.reach(0.1) >= interval.high - interval.low
        );
        assert_eq!(Interval::around(0.1, 1.0, 1.0), ANYTHING);
        assert_eq!(Interval::around(0.25, 0.0, 0.0).reach(0.25), 0);
    }
}
