//! Wraps lines to the width of the terminal, between words. Continuation lines are indented to where the line's text
//! begins.

use std::io::IsTerminal;

use ratatui::crossterm::terminal;
use textwrap::{Options, WordSplitter};

/// The narrowest terminal, in columns, for which lines are wrapped.
const NARROWEST: usize = 40;

/// The largest indent of continuation lines, in columns.
const MOST_INDENT: usize = 20;

/// Wraps a text to the width of the terminal; unchanged if standard output is not a terminal.
pub(super) fn fit_terminal(text: &str) -> String {
    let columns = if std::io::stdout().is_terminal() { terminal::size().ok() } else { None };
    match columns {
        Some((columns, _)) if usize::from(columns) >= NARROWEST => wrapped(text, columns.into()),
        _ => text.to_owned(),
    }
}

/// Wraps a text to lines of at most `columns` columns; escape sequences of colours count as none.
fn wrapped(text: &str, columns: usize) -> String {
    let fit = |line: &str| {
        let indent = " ".repeat(text_start(line));
        let options = Options::new(columns).subsequent_indent(&indent).word_splitter(WordSplitter::NoHyphenation);
        textwrap::wrap(line, options).join("\n") + "\n"
    };
    text.lines().map(fit).collect()
}

/// Returns the column at which a line's text begins: after a name and two or more spaces, or after the line's indent.
fn text_start(line: &str) -> usize {
    let front = line.len() - line.trim_start().len();
    let after = line[front..].find("  ").map(|name| front + name);
    let value = after.map(|place| place + line[place..].len() - line[place..].trim_start().len());
    value
        .filter(|value| *value <= MOST_INDENT && line.is_char_boundary(*value) && line[..*value].is_ascii())
        .unwrap_or(front.min(MOST_INDENT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_wrapped_between_words_and_indented() {
        let line = "  win rate    0.5344347262683916 moving first, 0.4655 second";
        assert_eq!(wrapped(line, 44), "  win rate    0.5344347262683916 moving\n              first, 0.4655 second\n");
        let text = "short\n\n  a sentence that is longer than this\n";
        assert_eq!(wrapped(text, 24), "short\n\n  a sentence that is\n  longer than this\n");
    }

    #[test]
    fn escape_sequences_have_no_width() {
        let line = "\u{1b}[1mtwelve chars\u{1b}[0m";
        assert_eq!(wrapped(line, 12), format!("{line}\n"));
    }

    #[test]
    fn lines_that_fit_are_unchanged() {
        let text = "  dice  win rate\n     0  0.3797574532  █████████▏\n▶    8  best\n";
        assert_eq!(wrapped(text, 80), text);
    }
}
