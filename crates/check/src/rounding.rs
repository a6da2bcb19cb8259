//! Conversions between fractions and doubles.

use dashu_base::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

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
    bracketed(numerator, denominator).unwrap_or_else(|| divided(numerator, denominator))
}

/// Returns the double nearest to a fraction from 0 to 1; NaN for other fractions.
pub(super) fn nearest_to(fraction: &RBig) -> f64 {
    let numerator = fraction.numerator();
    let denominator = fraction.denominator();
    UBig::try_from(numerator.clone()).map_or(f64::NAN, |numerator| nearest(&numerator, denominator))
}

/// Returns the exact value of a finite double; 0 for an infinity or NaN.
pub(super) fn fraction_of(double: f64) -> RBig {
    let bits = double.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    if exponent == 0x7ff {
        return RBig::ZERO;
    }
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, power) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let signed = if double < 0.0 { -IBig::from(mantissa) } else { IBig::from(mantissa) };
    match usize::try_from(power) {
        Ok(up) => RBig::from(signed << up),
        Err(_) => RBig::from_parts(signed, UBig::ONE << power.unsigned_abs() as usize),
    }
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

/// Returns the nearest double, by long division.
fn divided(numerator: &UBig, denominator: &UBig) -> f64 {
    let magnitude = numerator.bit_len() as i64 - denominator.bit_len() as i64;
    // The quotient has 55 to 57 bits, or counts multiples of the smallest double; a sticky bit says
    // if there is a remainder.
    let quantum = (magnitude - 55).max(-1074);
    let (quotient, remainder) = if quantum <= 0 {
        let scaled = numerator << quantum.unsigned_abs() as usize;
        (&scaled / denominator, &scaled % denominator)
    } else {
        let scaled = denominator << quantum as usize;
        (numerator / &scaled, numerator % &scaled)
    };
    let Ok(quotient) = u64::try_from(quotient) else { return f64::NAN };
    if quantum == -1074 {
        return smallest_multiples(quotient, &remainder, denominator);
    }
    let sticky = quotient << 1 | u64::from(!remainder.is_zero());
    // In two steps, since 2^(quantum - 1) may be below the normal doubles.
    sticky as f64 * power_of_two(-60) * power_of_two(quantum + 59)
}

/// Rounds `quotient + remainder / denominator` multiples of the smallest double.
fn smallest_multiples(quotient: u64, remainder: &UBig, denominator: &UBig) -> f64 {
    let bits = u64::from(64 - quotient.leading_zeros());
    let dropped = bits.saturating_sub(53);
    let kept = quotient >> dropped;
    let cut = quotient & ((1 << dropped) - 1);
    let up = if dropped == 0 {
        let twice = remainder << 1;
        twice > *denominator || (twice == *denominator && kept & 1 == 1)
    } else {
        let half = 1 << (dropped - 1);
        cut > half || (cut == half && (!remainder.is_zero() || kept & 1 == 1))
    };
    let rounded = kept + u64::from(up);
    // Up to 2^53 multiples, they are the bits of the double itself; above, the product is exact.
    if dropped == 0 {
        f64::from_bits(rounded)
    } else {
        rounded as f64 * f64::from_bits(1 << dropped)
    }
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
            let fraction = fraction_of(double);
            assert_eq!(nearest_to(&fraction), double, "{double:e}");
            let numerator = UBig::try_from(fraction.numerator().clone()).unwrap();
            if !numerator.is_zero() {
                assert_eq!(
                    divided(&numerator, fraction.denominator()),
                    double,
                    "{double:e} by long division"
                );
            }
        }
    }

    #[test]
    fn fractions_of_small_numbers_round_as_division_does() {
        for denominator in 1..=60u32 {
            for numerator in 0..=denominator {
                let expected = f64::from(numerator) / f64::from(denominator);
                let (n, d) = (UBig::from(numerator), UBig::from(denominator));
                assert_eq!(nearest(&n, &d), expected, "{numerator}/{denominator}");
                if numerator > 0 {
                    assert_eq!(
                        divided(&n, &d),
                        expected,
                        "{numerator}/{denominator} by long division"
                    );
                }
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
