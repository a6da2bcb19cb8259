//! Whole numbers on the command line: `100000`, `100_000`, `1e5`.

use std::ops::RangeInclusive;

/// Reads a whole number.
///
/// # Errors
/// In words, if it is none or too large.
pub(super) fn whole<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let number = read(text).ok_or("this is no whole number from 0; write it as in 100000 or 1e5")?;
    T::try_from(number).map_err(|_| "this number is too large".to_owned())
}

/// Reads a whole number within a range.
///
/// # Errors
/// As [`whole`], or if it lies outside.
pub(super) fn within(text: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    let number = whole(text)?;
    if range.contains(&number) { Ok(number) } else { Err(format!("choose {} to {}", range.start(), range.end())) }
}

fn read(text: &str) -> Option<u64> {
    let digits =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u64>().ok()).flatten();
    let text = text.trim().replace('_', "");
    match text.split_once(['e', 'E']) {
        None => digits(&text),
        Some((number, power)) => {
            let power = digits(power)?.try_into().ok()?;
            digits(number)?.checked_mul(10u64.checked_pow(power)?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let read = |text: &str| whole::<u64>(text).ok();
        assert_eq!(["7", "1e6", "2E3", "100_000"].map(read), [Some(7), Some(1_000_000), Some(2000), Some(100_000)]);
        for text in ["", "e", "e6", "1e", "1.5", "-1", "+1", "ten", "1e99", "99999999999999999999", "1e6e6"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(whole::<u32>("5000000000").unwrap_err(), "this number is too large");
        assert_eq!(within("0", 1..=9).unwrap_err(), "choose 1 to 9");
    }
}
