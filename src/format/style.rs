//! Colours, bars and lists of numbers for text views.

use anstyle::{AnsiColor, Style};

/// The best of a list.
pub(crate) const BEST: Style = AnsiColor::Green.on_default().bold();
/// What was lost.
pub(crate) const LOSS: Style = AnsiColor::Red.on_default();
/// What matters less.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// Headings.
pub(crate) const TITLE: Style = Style::new().bold();

/// A text in a style.
pub(crate) fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// A bar of up to `width` cells for a share between 0 and 1, in eighths of a cell.
pub(crate) fn bar(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * width as f64 * 8.0).round() as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// `3`, `3 or 4`, `3, 4 or 5`.
pub(crate) fn either(numbers: &[i32]) -> String {
    match numbers {
        [] => "none".into(),
        [one] => one.to_string(),
        [first @ .., last] => {
            format!("{} or {last}", first.iter().map(i32::to_string).collect::<Vec<_>>().join(", "))
        }
    }
}

/// `1 point`, `2 points`.
pub(crate) fn counted(number: i64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// A number with commas between thousands.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let places = digits.len();
    let comma = |i: usize| i > 0 && (places - i).is_multiple_of(3);
    digits.chars().enumerate().flat_map(|(i, c)| comma(i).then_some(',').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([1, 1000, 1_234_567].map(super::thousands), ["1", "1,000", "1,234,567"]);
    }

    #[test]
    fn bars_are_as_long_as_their_share() {
        assert_eq!(super::bar(0.5, 4), "██");
        assert_eq!(super::bar(0.5625, 4), "██▎");
    }
}
