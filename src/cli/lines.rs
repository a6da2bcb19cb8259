//! Wraps lines to the width of the terminal, between words. Continuation lines are indented to
//! where the line's text begins.

use std::io::{IsTerminal, stderr, stdin, stdout};

use anstream::adapter::strip_str;
use clap::Command;
use crossterm::terminal;
use textwrap::{Options, WordSplitter};

use super::tables::narrowed;

/// The narrowest terminal, in columns, for which lines are wrapped.
const NARROWEST: usize = 40;

/// The largest indent of continuation lines, in columns.
const MOST_INDENT: usize = 24;

/// The widest help, in columns; also its width outside a terminal.
const WIDEST_HELP: usize = 100;

/// Wraps a text to the width of the terminal; unchanged if the stream that it is written to is not
/// a terminal.
pub(super) fn fit_terminal(text: &str, stream: &impl IsTerminal) -> String {
    match terminal_columns(stream.is_terminal()) {
        Some(columns) if columns >= NARROWEST => {
            wrapped(&narrowed(text, columns), columns, MOST_INDENT)
        }
        _ => text.to_owned(),
    }
}

/// Fits the help of a command and its subcommands to the terminal. The end of the help, which has
/// examples and lists in two columns, is wrapped here, since clap would indent its continuation
/// lines like the first column.
pub(super) fn fit_help(command: Command) -> Command {
    let in_terminal = stdout().is_terminal() || stderr().is_terminal() || stdin().is_terminal();
    let variable = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let columns =
        terminal_columns(in_terminal).or(variable).unwrap_or(WIDEST_HELP).min(WIDEST_HELP);
    if columns < NARROWEST {
        command
    } else {
        fit_end_of_help(command, columns).term_width(columns)
    }
}

fn fit_end_of_help(command: Command, columns: usize) -> Command {
    let end =
        command.get_after_help().map(|end| wrapped(&end.to_string(), columns, columns * 3 / 4));
    let command = command.mut_subcommands(|subcommand| fit_end_of_help(subcommand, columns));
    match end {
        Some(end) => command.after_help(end.trim_end().to_owned()),
        None => command,
    }
}

pub(super) fn terminal_columns(is_terminal: bool) -> Option<usize> {
    let size = if is_terminal { terminal::size().ok() } else { None };
    size.map(|(columns, _)| columns.into())
}

/// Wraps a text to lines of at most `columns` columns; escape sequences of colours count as none.
/// Continuation lines are indented by at most `most_indent` columns.
pub(super) fn wrapped(text: &str, columns: usize, most_indent: usize) -> String {
    let mut wrapped = String::with_capacity(text.len());
    for line in text.lines() {
        let indent = " ".repeat(text_start(&strip_str(line).to_string(), most_indent));
        let options = Options::new(columns)
            .subsequent_indent(&indent)
            .word_splitter(WordSplitter::NoHyphenation);
        wrapped += &textwrap::wrap(line, options).join("\n");
        wrapped.push('\n');
    }
    wrapped
}

/// Returns the column at which the text of a line without escape sequences begins: after a name and
/// two or more spaces, or after the line's indent.
fn text_start(line: &str, most_indent: usize) -> usize {
    let front = line.len() - line.trim_start().len();
    let after = line[front..].find("  ").map(|name| front + name);
    let value = after.map(|place| place + line[place..].len() - line[place..].trim_start().len());
    value
        .filter(|value| {
            *value <= most_indent && line.is_char_boundary(*value) && line[..*value].is_ascii()
        })
        .unwrap_or(front.min(most_indent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_wrapped_between_words_and_indented() {
        let line = "  win rate    0.5344347262683916 moving first, 0.4655 second";
        assert_eq!(
            wrapped(line, 44, 24),
            "  win rate    0.5344347262683916 moving\n              first, 0.4655 second\n"
        );
        let text = "short\n\n  a sentence that is longer than this\n";
        assert_eq!(wrapped(text, 24, 24), "short\n\n  a sentence that is\n  longer than this\n");
    }

    #[test]
    fn escape_sequences_have_no_width() {
        let line = "\u{1b}[1mtwelve chars\u{1b}[0m";
        assert_eq!(wrapped(line, 12, 24), format!("{line}\n"));
        let line = "\u{1b}[2m  \u{1b}[1mfa21 \u{1b}[0m  Hog Pile, Free Bacon";
        assert_eq!(
            wrapped(line, 20, 24),
            "\u{1b}[2m  \u{1b}[1mfa21 \u{1b}[0m  Hog Pile,\n         Free Bacon\n"
        );
    }

    #[test]
    fn lines_that_fit_are_unchanged() {
        let text = "  dice  win rate\n     0  0.3797574532  █████████▏\n▶    8  best\n";
        assert_eq!(wrapped(text, 80, 24), text);
    }
}
