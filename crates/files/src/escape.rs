//! Escaping of untrusted text (titles, names, paths, exceptions): one function for each output
//! format.
//!
//! Invisible characters (control characters, direction marks, line separators other than `\n`) are
//! never written unescaped, since terminals and spreadsheets interpret them.

use std::fmt::Write as _;

/// Replaces a character that a format cannot represent.
const REPLACEMENT: char = '\u{fffd}';

/// Returns whether a character is invisible: control characters, line separators, direction marks,
/// tags, and letters that are blank, such as U+2800 (Braille) and U+3164 (Hangul).
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Escapes text for a Python string literal with any kind of quotes: one or three, single or
/// double.
pub fn python(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '"' | '\'' => escaped.extend(['\\', c]),
            '\n' => escaped += "\\n",
            c if is_unseen(c) && u32::from(c) < 0x100 => {
                push(&mut escaped, format_args!("\\x{:02x}", u32::from(c)))
            }
            c if is_unseen(c) => push(&mut escaped, format_args!("\\U{:08x}", u32::from(c))),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Escapes text for a Python string in three double quotes: like [`python`], but single quotes
/// stay, since they are harmless there.
pub fn python_docstring(text: &str) -> String {
    python(text).replace("\\'", "'")
}

/// The most characters of a word of untrusted text that a message repeats.
const LONGEST_SHOWN: usize = 40;

/// Shortens a word that a message repeats: to one line, and to the beginning of a long one.
pub fn shortened(text: &str) -> String {
    shortened_to(text, LONGEST_SHOWN)
}

/// Shortens a text that a message repeats: to one line, and to at most this many characters.
pub fn shortened_to(text: &str, most: usize) -> String {
    let dots = if text.chars().nth(most).is_some() { "..." } else { "" };
    line(&text.chars().take(most).collect::<String>()) + dots
}

/// Puts text in one line, for a comment that ends with the line, in any language.
pub fn line(text: &str) -> String {
    text.chars().map(|c| if is_unseen(c) { ' ' } else { c }).collect()
}

/// Escapes text for the content and the quoted attributes of HTML, SVG and XML.
pub fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            '\n' => escaped.push('\n'),
            c if is_unseen(c) || is_noncharacter(c) => escaped.push(REPLACEMENT),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Escapes text for a spreadsheet cell that is not a number: a text that would be read as a formula
/// is prefixed with an apostrophe. Quotes and commas are left to the CSV writer.
pub fn csv(text: &str) -> String {
    let text = line(text);
    let begins = text.trim_start().chars().next();
    match begins {
        Some(
            '=' | '+' | '-' | '@' | '|' | '%' | '\u{ff1d}' | '\u{ff0b}' | '\u{ff0d}' | '\u{ff20}',
        ) => {
            format!("'{text}")
        }
        _ => text,
    }
}

/// Escapes text for a paragraph, list or table cell of Markdown, in one line.
pub fn markdown(text: &str) -> String {
    let text: Vec<char> = line(text).chars().collect();
    let mut escaped = String::with_capacity(text.len());
    for (place, c) in text.iter().enumerate() {
        let special = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '&' | '~' | '$' => true,
            // Within a word an underscore does not begin emphasis, and it is frequent in names of
            // strategies.
            '_' => {
                let before = place.checked_sub(1).and_then(|before| text.get(before));
                let neighbours = before.zip(text.get(place + 1));
                !neighbours.is_some_and(|(a, b)| a.is_alphanumeric() && b.is_alphanumeric())
            }
            // URLs become links without any markup.
            ':' => text.get(place + 1) == Some(&'/'),
            '.' => {
                place >= 3 && text[place - 3..place].iter().all(|c| c.eq_ignore_ascii_case(&'w'))
            }
            '@' => true,
            // At the beginning of a line, these start headings and lists.
            '#' | '-' | '+' => place == 0,
            _ => false,
        };
        if special {
            escaped.push('\\');
        }
        escaped.push(*c);
    }
    escaped
}

/// Formats text as inline code of Markdown, with its backticks; also for table cells.
pub fn markdown_code(text: &str) -> String {
    let text = line(text).replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    if text.is_empty() {
        return text;
    }
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Escapes text for a terminal: invisible characters are shown as escapes; line ends, tabs and the
/// colours of views stay.
pub fn terminal(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut remaining = text;
    while let Some(c) = remaining.chars().next() {
        let length = colour(remaining).unwrap_or(c.len_utf8());
        match c {
            '\n' | '\t' => shown.push(c),
            '\u{1b}' if length > 1 => shown += &remaining[..length],
            c if is_unseen(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
        remaining = &remaining[length..];
    }
    shown
}

/// Returns the length of a colour or style sequence at the start of a text: `ESC [ numbers m`,
/// except with the numbers 7 and 8, which could hide text.
fn colour(text: &str) -> Option<usize> {
    let numbers = text.strip_prefix("\u{1b}[")?;
    let length = numbers.find(|c: char| !(c.is_ascii_digit() || c == ';'))?;
    let mut each = numbers[..length].split(';');
    let sound = numbers[length..].starts_with('m')
        && length <= 16
        && each.all(|number| !matches!(number.trim_start_matches('0'), "7" | "8"));
    sound.then_some(length + 3)
}

/// Returns whether XML does not allow a character, although it is not a control character.
fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{fffe}' | '\u{ffff}')
}

fn push(text: &mut String, more: std::fmt::Arguments) {
    text.write_fmt(more).expect("writing to memory");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Generates texts with many characters that formats interpret.
    fn hostile() -> impl Strategy<Value = String> {
        let signs = "\\\"'`*_[]<>|&~$#@=+-%:/.wW\n\r\t\u{0}\u{1b}\u{9b}\u{7f}\u{85}\u{2028}\
                     \u{202e}\u{ff1d}(){}!;,0m7Na é";
        let signs: Vec<char> = signs.chars().collect();
        let piece = prop_oneof![
            8 => prop::sample::select(signs).prop_map(String::from),
            2 => any::<char>().prop_map(String::from),
            1 => prop::sample::select(vec![
                "\"\"\"", "'''", "\\N", "</script>", "www.a", "http://a", "=HYPERLINK(",
                "\u{1b}]0;", "\u{1b}[8m", "\u{1b}[1m",
            ])
                .prop_map(String::from)
        ];
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    /// Returns the text that Python reads from a literal; `None` if the quotes end within it or it
    /// is not valid.
    fn python_reads(literal: &str, quote: Option<char>) -> Option<String> {
        let (mut text, mut remaining) = (String::new(), literal.chars());
        while let Some(c) = remaining.next() {
            match c {
                '\\' => match remaining.next()? {
                    c @ ('\\' | '"' | '\'') => text.push(c),
                    'n' => text.push('\n'),
                    digits @ ('x' | 'U') => {
                        let count = if digits == 'x' { 2 } else { 8 };
                        let digits: String = remaining.by_ref().take(count).collect();
                        text.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
                    }
                    _ => return None,
                },
                c if Some(c) == quote || is_unseen(c) => return None,
                c => text.push(c),
            }
        }
        Some(text)
    }

    proptest! {
        #[test]
        fn python_reads_the_text_back_and_quotes_do_not_end_early(text in hostile()) {
            for quote in ['"', '\''] {
                prop_assert_eq!(python_reads(&python(&text), Some(quote)), Some(text.clone()));
            }
            prop_assert_eq!(python_reads(&python_docstring(&text), Some('"')), Some(text));
        }

        #[test]
        fn a_comment_stays_in_one_line(text in hostile()) {
            prop_assert!(!line(&text).contains(is_unseen));
        }

        #[test]
        fn text_in_html_adds_no_tag_and_no_entity_and_ends_no_attribute(text in hostile()) {
            let escaped = html(&text);
            prop_assert!(!escaped.contains(|c| "<>\"'".contains(c) || is_unseen(c) && c != '\n'));
            let read = escaped.replace("&lt;", "<").replace("&gt;", ">");
            let read = read.replace("&quot;", "\"").replace("&#39;", "'");
            let is_replaced = |c| c != '\n' && is_unseen(c) || is_noncharacter(c);
            let seen: String =
                text.chars().map(|c| if is_replaced(c) { REPLACEMENT } else { c }).collect();
            prop_assert_eq!(read.replace("&amp;", "&"), seen);
        }

        #[test]
        fn no_cell_is_read_as_a_formula(text in hostile()) {
            let cell = csv(&text);
            let signs =
                ['=', '+', '-', '@', '|', '%', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
            prop_assert!(!cell.trim_start().starts_with(signs), "{}", cell);
            prop_assert!(!cell.contains(is_unseen));
            let seen = line(&text);
            prop_assert!(cell == seen || cell.strip_prefix('\'') == Some(&seen), "{}", cell);
        }

        #[test]
        fn markdown_is_read_back_as_the_text(text in hostile()) {
            let escaped = markdown(&text);
            let (mut read, mut remaining) = (String::new(), escaped.chars().peekable());
            while let Some(c) = remaining.next() {
                prop_assert!(!"`*[]<>|&~$@".contains(c), "{} in {}", c, escaped);
                // A backslash before ASCII punctuation is not shown.
                read.push(match c {
                    '\\' => remaining.next_if(char::is_ascii_punctuation).unwrap_or('?'),
                    c => c,
                });
            }
            prop_assert_eq!(read, line(&text));
            prop_assert!(!escaped.replace("\\:", "").contains("://"));
            prop_assert!(!escaped.to_lowercase().contains("www."));
        }

        #[test]
        fn inline_code_in_markdown_does_not_end_early(text in hostile()) {
            let code = markdown_code(&text);
            let fence = code.len() - code.trim_start_matches('`').len();
            let within = &code[fence..code.len() - fence];
            let mut runs = within.split(|c| c != '`');
            prop_assert!(code.is_empty() || runs.all(|run| run.len() != fence), "{}", code);
            prop_assert!(!code.contains(is_unseen) && !code.replace("\\|", "").contains('|'));
        }

        #[test]
        fn a_terminal_gets_nothing_but_text_and_colours(text in hostile()) {
            let shown = terminal(&text);
            let mut remaining = &shown[..];
            while let Some(at) = remaining.find(|c: char| is_unseen(c) && !"\n\t".contains(c)) {
                let length = colour(&remaining[at..]);
                prop_assert!(length.is_some(), "{:?}", shown);
                remaining = &remaining[at + length.unwrap_or(1)..];
            }
        }
    }

    #[test]
    fn harmless_text_is_not_changed() {
        for text in ["bacon_strategy:8,6", "Hog Pile, to 100 points", "Zoë (team 3)", "a/b-c.py"] {
            assert_eq!(
                [python(text), line(text), html(text), csv(text), markdown(text)],
                [text; 5]
            );
            assert_eq!(
                (markdown_code(text), terminal(text)),
                (format!("`{text}`"), text.to_owned())
            );
        }
        assert_eq!(terminal("\u{1b}[1mbold\u{1b}[0m\n"), "\u{1b}[1mbold\u{1b}[0m\n");
    }

    #[test]
    fn hostile_text_is_shown_but_not_interpreted() {
        assert_eq!(python_docstring("\"\"\"\nimport os \\N"), "\\\"\\\"\\\"\\nimport os \\\\N");
        assert_eq!(
            html("<script>alert('a')</script>"),
            "&lt;script&gt;alert(&#39;a&#39;)&lt;/script&gt;"
        );
        assert_eq!(csv("=HYPERLINK(\"http://a\")"), "'=HYPERLINK(\"http://a\")");
        assert_eq!(csv("-2+3"), "'-2+3");
        assert_eq!(markdown("<b>|[a](javascript:b)"), "\\<b\\>\\|\\[a\\](javascript:b)");
        assert_eq!(markdown_code("a`b|"), "``a`b\\|``");
        assert_eq!(
            terminal("\u{1b}]0;title\u{7}\u{1b}[8mhidden"),
            "\\u{1b}]0;title\\u{7}\\u{1b}[8mhidden"
        );
    }
}
