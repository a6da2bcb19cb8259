//! Conversions between fractions and doubles.

use dashu_base::BitTest;
use dashu_int::UBig;
use dashu_ratio::{RBig, Relaxed};

/// The error of the double nearest to a win rate: half a unit in the last place of one just below
/// 1.
pub(super) const OF_ROUNDING: f64 = f64::EPSILON / 4.0;

/// Returns the double nearest to `numerator / denominator` (ties to even) for fractions from 0 to
/// 1; NaN if the fraction is larger or the denominator is 0.
pub(super) fn nearest(numerator: &UBig, denominator: &UBig) -> f64 {
    if denominator.is_zero() || numerator > denominator {
        return f64::NAN;
    }
    if numerator.is_zero() {
        return 0.0;
    }
    bracketed(numerator, denominator).unwrap_or_else(|| {
        Relaxed::from_parts(numerator.clone().into(), denominator.clone()).to_f64().value()
    })
}

/// Returns the double nearest to a fraction from 0 to 1; NaN for other fractions.
pub(super) fn nearest_to(fraction: &RBig) -> f64 {
    let numerator = fraction.numerator();
    let denominator = fraction.denominator();
    UBig::try_from(numerator.clone()).map_or(f64::NAN, |numerator| nearest(&numerator, denominator))
}

/// Returns the exact value of a finite double; 0 for an infinity or NaN.
pub(super) fn fraction_of(double: f64) -> RBig {
    RBig::try_from(double).unwrap_or(RBig::ZERO)
}

/// Returns `2^power`, which must be a normal double.
fn power_of_two(power: i64) -> f64 {
    f64::from_bits(((power + 1023) as u64) << 52)
}

/// Returns the leading 64 bits, and the number of bits that were cut off below them (negative if
/// zeros were appended).
fn leading(n: &UBig) -> Option<(u64, i64)> {
    let cut = n.bit_len() as i64 - 64;
    let top = if cut > 0 { n >> cut as usize } else { n << cut.unsigned_abs() as usize };
    Some((u64::try_from(top).ok()?, cut))
}

/// Returns the nearest double if the leading bits determine it: both ends of a bracket of the
/// quotient then round to the same double, and so does the quotient, since rounding is monotone.
fn bracketed(numerator: &UBig, denominator: &UBig) -> Option<f64> {
    let (above, up) = leading(numerator)?;
    let (below, down) = leading(denominator)?;
    let power = up - down - 63;
    if power < -1000 {
        return None;
    }
    let above = u128::from(above);
    let below = u128::from(below);
    let low = (above << 63) / (below + 1);
    let high = ((above + 1) << 63).div_ceil(below);
    (low as f64 == high as f64).then(|| low as f64 * power_of_two(power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_double_is_the_nearest_to_its_own_fraction() {
        let tiny = f64::from_bits(1);
        let doubles = [
            0.0,
            1.0,
            0.5,
            0.1,
            1.0 - f64::EPSILON / 2.0,
            1e-300,
            tiny,
            3.0 * tiny,
            f64::MIN_POSITIVE,
        ];
        for double in doubles {
            assert_eq!(nearest_to(&fraction_of(double)), double, "{double:e}");
        }
    }

    #[test]
    fn fractions_of_small_numbers_round_as_division_does() {
        for denominator in 1..=60u32 {
            for numerator in 0..=denominator {
                let expected = f64::from(numerator) / f64::from(denominator);
                let (n, d) = (UBig::from(numerator), UBig::from(denominator));
                assert_eq!(nearest(&n, &d), expected, "{numerator}/{denominator}");
            }
        }
    }

    #[test]
    fn ties_round_to_even_and_anything_above_a_tie_rounds_up() {
        // 1/2 + 2^-54 lies halfway between 1/2 and the next double.
        let halfway = (UBig::ONE << 53) + UBig::ONE;
        let denominator = UBig::ONE << 54;
        assert_eq!(nearest(&halfway, &denominator), 0.5);
        let above = (halfway << 1000) + UBig::ONE;
        assert_eq!(nearest(&above, &(denominator << 1000)), 0.5f64.next_up());
        // The same among the smallest doubles: 1.5 and 2.5 times the smallest both round to 2.
        for steps in [3u32, 5] {
            assert_eq!(
                nearest(&UBig::from(steps), &(UBig::ONE << 1075)),
                f64::from_bits(2),
                "{steps} halves of the smallest double"
            );
        }
        assert_eq!(nearest(&UBig::ONE, &(UBig::ONE << 1076)), 0.0);
    }

    #[test]
    fn fractions_outside_0_to_1_are_nan() {
        assert!(nearest(&UBig::from(3u8), &UBig::from(2u8)).is_nan());
        assert!(nearest(&UBig::ZERO, &UBig::ZERO).is_nan());
        assert!(nearest_to(&RBig::from(-1)).is_nan());
    }
}
