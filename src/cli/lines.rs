//! Lines that fit the terminal: broken between words, the rest set in to where the text of the line begins.

use std::io::IsTerminal;

use ratatui::crossterm::terminal;
use textwrap::{Options, WordSplitter};

/// Narrower than this nothing is gained by breaking lines.
const NARROWEST: usize = 40;

/// The deepest that the rest of a line is set in.
const DEEPEST: usize = 20;

/// A text as it fits the terminal; unchanged where standard output is none.
pub(super) fn fitted(text: &str) -> String {
    let columns = if std::io::stdout().is_terminal() { terminal::size().ok() } else { None };
    match columns {
        Some((columns, _)) if usize::from(columns) >= NARROWEST => broken(text, columns.into()),
        _ => text.to_owned(),
    }
}

/// A text whose lines take at most so many columns; colours take none.
fn broken(text: &str, columns: usize) -> String {
    let fit = |line: &str| {
        let indent = " ".repeat(value_begins(line));
        let options = Options::new(columns).subsequent_indent(&indent).word_splitter(WordSplitter::NoHyphenation);
        textwrap::wrap(line, options).join("\n") + "\n"
    };
    text.lines().map(fit).collect()
}

/// Where the text begins in a line: after a name and two spaces or more, or after the spaces in front.
fn value_begins(line: &str) -> usize {
    let front = line.len() - line.trim_start().len();
    let after = line[front..].find("  ").map(|name| front + name);
    let value = after.map(|place| place + line[place..].len() - line[place..].trim_start().len());
    value
        .filter(|value| *value <= DEEPEST && line.is_char_boundary(*value) && line[..*value].is_ascii())
        .unwrap_or(front.min(DEEPEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_between_words_and_set_in() {
        let line = "  win rate    0.5344347262683916 moving first, 0.4655 second";
        assert_eq!(broken(line, 44), "  win rate    0.5344347262683916 moving\n              first, 0.4655 second\n");
        let text = "short\n\n  a sentence that is longer than this\n";
        assert_eq!(broken(text, 24), "short\n\n  a sentence that is\n  longer than this\n");
    }

    #[test]
    fn colours_take_no_room() {
        let line = "\u{1b}[1mtwelve chars\u{1b}[0m";
        assert_eq!(broken(line, 12), format!("{line}\n"));
    }

    #[test]
    fn what_fits_is_left_as_it_is() {
        let text = "  dice  win rate\n     0  0.3797574532  █████████▏\n▶    8  best\n";
        assert_eq!(broken(text, 80), text);
    }
}
