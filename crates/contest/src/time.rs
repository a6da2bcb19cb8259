//! Times with their offset from UTC, as Gradescope writes them and as a deadline is given.

use std::str::FromStr;

use hog_engine::format::style::counted;
use schemars::JsonSchema;
use serde::Deserialize;

/// A point in time.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(with = "String")]
pub struct Time {
    /// Seconds since 1970 in UTC, and nanoseconds.
    at: (i64, u32),
    /// The text from which it was read.
    text: String,
}

impl Time {
    /// Whether this time is later than another.
    pub fn is_after(&self, other: &Self) -> bool {
        self.at > other.at
    }

    /// Returns the seconds since 1970 in UTC.
    pub fn seconds(&self) -> i64 {
        self.at.0
    }

    /// Returns how much later it is than another time: "2 minutes".
    pub fn since(&self, other: &Self) -> String {
        let seconds = (self.at.0 - other.at.0).max(0).unsigned_abs();
        match seconds {
            0..60 => counted(seconds, "second"),
            60..7200 => counted(seconds / 60, "minute"),
            7200..172_800 => counted(seconds / 3600, "hour"),
            _ => counted(seconds / 86_400, "day"),
        }
    }

    /// Returns the text from which it was read, without fractions of seconds.
    pub fn shown(&self) -> String {
        let Some((clock, rest)) = self.text.split_once('.') else { return self.text.clone() };
        format!("{clock}{}", rest.trim_start_matches(|digit: char| digit.is_ascii_digit()))
    }
}

impl TryFrom<String> for Time {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for Time {
    type Err = String;

    /// Reads `2024-09-20T23:59-07:00`; also with a space for the `T`, with seconds, and with `Z`
    /// for UTC. A time without its offset would be another one on another machine.
    fn from_str(text: &str) -> Result<Self, String> {
        let example =
            "write it as in 2024-09-20T23:59-07:00, with the offset from UTC, or Z for UTC";
        let at = parsed(text.trim()).ok_or_else(|| format!("`{text}` is not a time: {example}"))?;
        Ok(Self { at, text: text.trim().to_owned() })
    }
}

fn parsed(text: &str) -> Option<(i64, u32)> {
    let (date, rest) = text.split_once(['T', 't', ' '])?;
    let date: Vec<i64> = date.split('-').map(digits).collect::<Option<_>>()?;
    let [year, month, day] = date[..] else { return None };
    let zone = rest.find(|c: char| !c.is_ascii_digit() && c != ':' && c != '.')?;
    let clock = &rest[..zone];
    let offset = rest[zone..].trim();
    let clock: Vec<&str> = clock.split(':').collect();
    let (hour, minute, second) = match clock[..] {
        [hour, minute] => (hour, minute, "0"),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    let (second, fraction) = second.split_once('.').unwrap_or((second, "0"));
    let nanoseconds = digits(&format!("{fraction:0<9}").chars().take(9).collect::<String>())?;
    let [hour, minute, second] = [digits(hour)?, digits(minute)?, digits(second)?];
    let is_valid = (1..=12).contains(&month)
        && (1..=days_in(year, month)).contains(&day)
        && (0..10_000).contains(&year)
        && hour < 24
        && minute < 60
        && second < 61;
    let seconds = days_before(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
    is_valid.then_some((seconds - offset_seconds(offset)?, u32::try_from(nanoseconds).ok()?))
}

/// Returns the seconds of an offset: `Z`, `UTC`, `-07:00` or `-0700`.
fn offset_seconds(text: &str) -> Option<i64> {
    if ["Z", "z", "UTC"].contains(&text) {
        return Some(0);
    }
    let (sign, text) = text
        .strip_prefix('+')
        .map(|rest| (1, rest))
        .or(text.strip_prefix('-').map(|rest| (-1, rest)))?;
    let bare = text.replace(':', "");
    let both = (bare.len() == 4 && bare.is_ascii()).then(|| bare.split_at(2))?;
    let hours = digits(both.0)?;
    let minutes = digits(both.1)?;
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

fn digits(text: &str) -> Option<i64> {
    let is_number = (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

fn days_in(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns the number of days from 1970 to a day of the Gregorian calendar.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let before = 365 * (year - 1970) + leap_days(year - 1) - leap_days(1969);
    before + (1..month).map(|month| days_in(year, month)).sum::<i64>() + day - 1
}

fn leap_days(year: i64) -> i64 {
    year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_offset() {
        for (text, seconds) in [
            ("1970-01-01T00:00Z", 0),
            ("2000-03-01 00:00:00 Z", 951_868_800),
            ("2024-02-29T12:00:00.5Z", 1_709_208_000),
            ("2024-09-20T23:59-07:00", 1_726_901_940),
            ("2024-09-21 06:59:00.593000000 -0000", 1_726_901_940),
            ("2024-09-21 06:59:00 UTC", 1_726_901_940),
            ("1969-12-31T23:59:59Z", -1),
        ] {
            assert_eq!(text.parse::<Time>().unwrap().at.0, seconds, "{text}");
        }
        let late = "2024-09-21 06:59:00.593000000 -0700".parse::<Time>().unwrap();
        assert_eq!(late.shown(), "2024-09-21 06:59:00 -0700");
        for (at, since) in [
            ("06:59:59", "59 seconds"),
            ("07:00:00", "1 minute"),
            ("09:58:00", "2 hours"),
            ("06:59:00", "0 seconds"),
        ] {
            let other = format!("2024-09-21 {at} -0700").parse::<Time>().unwrap();
            assert_eq!(other.since(&late), since);
        }
        for text in [
            "",
            "2024-09-20",
            "2024-09-20T23:59",
            "2024-02-30T00:00Z",
            "2024-13-01T00:00Z",
            "20.9.2024 23:59Z",
            "2024-09-20T24:00Z",
            "2024-09-20T23:59+7",
            "2024-09-20T23:59é",
            "tomorrow Z",
            "99999999999-1-1T0:0Z",
        ] {
            assert!(text.parse::<Time>().unwrap_err().contains("offset from UTC"), "{text}");
        }
    }

    #[test]
    fn fractions_of_a_second_count() {
        let time = |text: &str| text.parse::<Time>().unwrap();
        let deadline = time("2024-09-20T23:59-07:00");
        assert!(time("2024-09-21 06:59:00.000001000 Z").is_after(&deadline));
        assert!(!time("2024-09-21 06:59:00.000000000 Z").is_after(&deadline));
        assert!(!time("2024-09-20 23:59:59 Z").is_after(&deadline));
    }
}
