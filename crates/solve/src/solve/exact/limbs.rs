//! Unsigned integers as slices of 64-bit limbs, least significant first.

use std::cmp::Ordering;

use dashu_int::UBig;

/// Returns a number as an integer of the library, whose words have the size of the machine's.
pub(super) fn to_integer(number: &[u64]) -> UBig {
    let bytes: Vec<u8> = number.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    UBig::from_le_bytes(&bytes)
}

/// Returns an integer of the library as limbs; zero has none.
pub(super) fn of_integer(integer: &UBig) -> Vec<u64> {
    if *integer == UBig::ZERO {
        return Vec::new();
    }
    let mut limbs = Vec::new();
    for bytes in integer.to_le_bytes().chunks(8) {
        let mut limb = [0; 8];
        limb[..bytes.len()].copy_from_slice(bytes);
        limbs.push(u64::from_le_bytes(limb));
    }
    limbs
}

/// Computes `number = number * factor + addend * weight`, growing as needed. Factor and weight are
/// below 2^63, so that two products and a carry fit 128 bits.
#[inline]
pub(super) fn scale_add(number: &mut Vec<u64>, factor: u64, addend: &[u64], weight: u64) {
    if number.len() < addend.len() {
        number.resize(addend.len(), 0);
    }
    // Skip the product with a factor of 1.
    match (factor, weight) {
        (1, _) => map_with_carry(number, addend, |limb, add| limb + add * u128::from(weight)),
        (_, 1) => map_with_carry(number, addend, |limb, add| limb * u128::from(factor) + add),
        _ => map_with_carry(number, addend, |limb, add| {
            limb * u128::from(factor) + add * u128::from(weight)
        }),
    }
}

/// Replaces each limb by `each(limb, limb of addend) + carry`.
#[inline(always)]
fn map_with_carry(number: &mut Vec<u64>, addend: &[u64], each: impl Fn(u128, u128) -> u128) {
    let mut carry = 0u128;
    let (low, high) = number.split_at_mut(addend.len());
    for (limb, add) in low.iter_mut().zip(addend) {
        let sum = each(u128::from(*limb), u128::from(*add)) + carry;
        *limb = sum as u64;
        carry = sum >> 64;
    }
    for limb in high {
        let sum = each(u128::from(*limb), 0) + carry;
        *limb = sum as u64;
        carry = sum >> 64;
    }
    if carry > 0 {
        number.push(carry as u64);
    }
}

/// Compares two numbers with the same number of limbs.
pub(super) fn compare(one: &[u64], other: &[u64]) -> Ordering {
    one.iter().rev().cmp(other.iter().rev())
}

/// Computes `number -= subtrahend`, which must not be larger; its limbs beyond the number's are
/// zero.
#[inline]
pub(super) fn subtract(number: &mut [u64], subtrahend: &[u64]) {
    let mut borrow = false;
    for (place, limb) in number.iter_mut().enumerate() {
        let (once, under) = limb.overflowing_sub(subtrahend.get(place).copied().unwrap_or(0));
        let (twice, again) = once.overflowing_sub(borrow.into());
        (*limb, borrow) = (twice, under || again);
    }
    debug_assert!(
        !borrow && subtrahend.iter().skip(number.len()).all(|limb| *limb == 0),
        "no value exceeds 1"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_back() {
        for number in [vec![], vec![1], vec![0, 1], vec![u64::MAX, 0, 5]] {
            assert_eq!(of_integer(&to_integer(&number)), number);
        }
    }

    #[test]
    fn scaled_sums_carry() {
        let mut number = vec![u64::MAX, u64::MAX];
        scale_add(&mut number, (1 << 63) - 1, &[u64::MAX, u64::MAX], (1 << 63) - 1);
        let max = (UBig::ONE << 128) - 1u8;
        assert_eq!(to_integer(&number), max * ((UBig::ONE << 64) - 2u8));
        let mut difference = vec![0, 5];
        subtract(&mut difference, &[1, 2, 0]);
        assert_eq!(difference, [u64::MAX, 2]);
    }
}
