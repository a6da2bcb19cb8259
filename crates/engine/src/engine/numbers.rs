//! Numbers in arguments: whole numbers (`100000`, `100_000`, `1e5`), times (`90s`, `10m`, `1h`),
//! sizes (`12G`), scores and values of memories (`last_dice=4`).

use std::ops::RangeInclusive;
use std::time::Duration;

const NOT_A_NUMBER: &str = "this is not a whole number (0 or more); write it as in 100000 or 1e5";
const TOO_LARGE: &str = "this number is too large";

/// Parses a whole number.
///
/// # Errors
/// Returns a message if the text is not a whole number, or too large for `T`.
pub fn whole<T: TryFrom<u64>>(text: &str) -> Result<T, &'static str> {
    T::try_from(read(text)?).map_err(|_| TOO_LARGE)
}

/// Parses a whole number within a range.
///
/// # Errors
/// Returns a message if the text is not a whole number, or the number lies outside the range.
pub fn within(text: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    match read(text) {
        Ok(number) if range.contains(&number) => Ok(number),
        Ok(_) | Err(TOO_LARGE) => Err(format!("choose {} to {}", range.start(), range.end())),
        Err(reason) => Err(reason.to_owned()),
    }
}

/// Parses a time: a whole number of seconds, minutes or hours.
///
/// # Errors
/// Returns a message if the text is not such a time, or is 0 or longer than a year.
pub fn duration(text: &str) -> Result<Duration, String> {
    for (unit, seconds) in [('s', 1), ('m', 60), ('h', 3600)] {
        if let Some(number) = text.trim().strip_suffix(unit) {
            let number = within(number, 1..=365 * 24 * 3600 / seconds)?;
            return Ok(Duration::from_secs(seconds * number));
        }
    }
    Err("write a number and s, m or h, as in 90s, 10m or 1h".into())
}

/// Parses an amount of memory in bytes: a whole number of MB (`M`) or GB (`G`), in powers of 1024.
///
/// # Errors
/// Returns a message if the text is not such a size, or is 0 or more than a million GB.
pub fn size(text: &str) -> Result<u64, String> {
    for (unit, bits) in [('M', 20), ('G', 30)] {
        if let Some(number) = text.trim().strip_suffix([unit, unit.to_ascii_lowercase()]) {
            return Ok(within(number, 1..=1_000_000 << (30 - bits))? << bits);
        }
    }
    Err("write a number and M or G, as in 500M or 12G".into())
}

/// Parses a score.
///
/// # Errors
/// Returns a message if the text is not a score of any game.
pub fn score(text: &str) -> Result<u32, &'static str> {
    text.parse().map_err(|_| "a score is a whole number from 0 to one below the goal")
}

/// Parses the value of a memory, `NAME=V`.
///
/// # Errors
/// Returns a message if the text is not of this form.
pub fn memory_value(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=V, as in last_dice=4")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is not a whole number"))?;
    Ok((name.trim().to_owned(), value))
}

fn read(text: &str) -> Result<u64, &'static str> {
    let text = text.trim().replace('_', "");
    let (number, power) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
    for digits in [number, power] {
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NOT_A_NUMBER);
        }
    }
    let number: u64 = number.parse().map_err(|_| TOO_LARGE)?;
    let power = power.parse().map_err(|_| TOO_LARGE)?;
    10u64.checked_pow(power).and_then(|power| number.checked_mul(power)).ok_or(TOO_LARGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_have_underscores_and_exponents() {
        let read = |text: &str| whole::<u64>(text).ok();
        assert_eq!(
            ["7", "1e6", "2E3", "100_000"].map(read),
            [Some(7), Some(1_000_000), Some(2000), Some(100_000)]
        );
        for text in
            ["", "e", "e6", "1e", "1.5", "-1", "+1", "ten", "1e99", "99999999999999999999", "1e6e6"]
        {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(
            [whole::<u32>("5000000000").unwrap_err(), whole::<u32>("1e20").unwrap_err()],
            [TOO_LARGE; 2]
        );
        assert_eq!(
            ["90s", "10m", "1h"].map(|text| duration(text).unwrap().as_secs()),
            [90, 600, 3600]
        );
        for text in ["", "10", "m", "0s", "1.5h", "-1s", "9000h", "1d"] {
            assert!(duration(text).is_err(), "{text}");
        }
        assert_eq!(
            ["0", "1e20"].map(|text| within(text, 1..=9).unwrap_err()),
            ["choose 1 to 9"; 2]
        );
    }

    #[test]
    fn sizes_are_megabytes_or_gigabytes() {
        assert_eq!([size("500M"), size(" 12g ")], [Ok(500 << 20), Ok(12 << 30)]);
        assert_eq!(size("1_000_000G"), Ok(1_000_000 << 30));
        for text in ["", "12", "G", "0G", "1.5G", "-1M", "1000001G", "12GB"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
