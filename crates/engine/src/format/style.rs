//! Colours, bars and lists of numbers for text views.

use anstyle::{AnsiColor, Style};

/// The best entry of a list.
pub const BEST: Style = AnsiColor::Green.on_default().bold();
/// Losses.
pub const LOSS: Style = AnsiColor::Red.on_default();
/// Less important text.
pub const FAINT: Style = Style::new().dimmed();
/// Headings.
pub const TITLE: Style = Style::new().bold();

/// Formats a text in a style.
pub fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Draws a bar of up to `width` columns for a share between 0 and 1, to an eighth of a column.
pub fn bar(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * width as f64 * 8.0).round() as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// Lists alternatives as `3`, `3 or 4` or `3, 4 or 5`.
pub fn either(numbers: &[i32]) -> String {
    match numbers {
        [] => "none".into(),
        [one] => one.to_string(),
        [first @ .., last] => {
            format!("{} or {last}", first.iter().map(i32::to_string).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Formats a number with its noun: `1 point`, `1,000 points`, `2 dice`, `2 entries`, `2 losses`.
pub fn counted(number: u64, noun: &str) -> String {
    let plural = match noun {
        _ if number == 1 => noun.to_owned(),
        "die" => "dice".to_owned(),
        _ => match noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o'])) {
            Some(stem) => format!("{stem}ies"),
            None if noun.ends_with('s') => format!("{noun}es"),
            None => format!("{noun}s"),
        },
    };
    format!("{} {plural}", thousands(number))
}

/// Pads a text with spaces to a number of terminal columns; some characters take two.
pub fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(columns_of(text))))
}

/// Cuts or pads a text to exactly `columns` terminal columns.
pub fn fit(text: &str, columns: usize) -> String {
    padded(&cut(text, columns), columns)
}

/// Cuts a text to at most `columns` terminal columns; a text that is cut ends in `…`.
pub fn cut(text: &str, columns: usize) -> String {
    if columns_of(text) <= columns {
        return text.to_owned();
    }
    let mut left = columns.saturating_sub(1);
    let mut shown = String::new();
    for c in text.chars() {
        let width = unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
        if width > left {
            break;
        }
        left -= width;
        shown.push(c);
    }
    shown + "…"
}

/// Removes the spaces at the ends of lines, also those before the end of a colour.
pub fn without_blank_ends(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut shown = line.trim_end();
        let mut colours = Vec::new();
        while let Some(at) = shown.rfind('\u{1b}').filter(|_| shown.ends_with('m')) {
            let is_at_end = shown[at + 1..].bytes().all(|byte| b"[;0123456789m".contains(&byte));
            if !is_at_end {
                break;
            }
            colours.push(&shown[at..]);
            shown = shown[..at].trim_end();
        }
        cleaned.push_str(shown);
        cleaned.extend(colours.into_iter().rev());
        cleaned.push_str(if line.ends_with('\n') { "\n" } else { "" });
    }
    cleaned
}

/// Returns the number of terminal columns that a text takes.
pub fn columns_of(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// Formats a number with commas between thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_are_separated_by_commas() {
        assert_eq!([1, 1000, 1_234_567].map(super::thousands), ["1", "1,000", "1,234,567"]);
    }

    #[test]
    fn nouns_agree_with_their_numbers() {
        let numbers = [
            (1, "turn"),
            (2, "turn"),
            (0, "die"),
            (1, "die"),
            (2000, "entry"),
            (2, "play"),
            (3, "loss"),
        ];
        let texts = numbers.map(|(number, noun)| super::counted(number, noun));
        assert_eq!(
            texts,
            ["1 turn", "2 turns", "0 dice", "1 die", "2,000 entries", "2 plays", "3 losses"]
        );
    }

    #[test]
    fn texts_are_cut_or_padded_to_their_columns() {
        assert_eq!(["Ada", "Ada Lovelace"].map(|text| super::fit(text, 5)), ["Ada  ", "Ada …"]);
        assert_eq!(
            [6, 5, 4].map(|columns| super::fit("日本語", columns)),
            ["日本語", "日本…", "日… "]
        );
        assert_eq!(super::cut("Ada", 9), "Ada");
    }

    #[test]
    fn blanks_at_the_ends_of_lines_are_removed() {
        let text = "a  \n  b\u{1b}[2m c  \u{1b}[0m \n\u{1b}[2m  \u{1b}[0m\n10 m  ";
        let cleaned = "a\n  b\u{1b}[2m c\u{1b}[0m\n\u{1b}[2m\u{1b}[0m\n10 m";
        assert_eq!(super::without_blank_ends(text), cleaned);
    }

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!([super::padded("ab", 4), super::padded("猪猪", 5)], ["ab  ", "猪猪 "]);
    }

    #[test]
    fn bars_are_as_long_as_their_share() {
        assert_eq!(super::bar(0.5, 4), "██");
        assert_eq!(super::bar(0.5625, 4), "██▎");
    }
}
