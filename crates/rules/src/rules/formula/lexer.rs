//! Splits a formula into tokens: numbers, names and signs, each with its place.

use super::FormulaFault;

/// A token of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'s> {
    /// An unsigned integer, in decimal digits, or in hexadecimal digits after `0x`.
    Number(u64),
    /// A name of ASCII letters, digits and `_` that does not start with a digit.
    Name(&'s str),
    /// One of [`SIGNS`].
    Sign(&'static str),
    /// The end of the text.
    End,
}

const SIGNS: &[&str] = &[
    "&&", "||", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "!", "?", ":", "(", ")",
    "[", "]", ",",
];

/// Signs of other languages: the sign, the message of the fault, and what to write instead.
const MISTAKES: &[(&str, &str, &str)] = &[
    ("=", "a single `=` does not compare", "write == to compare"),
    ("===", "`===` is not an operator of formulas", "write == to compare"),
    ("!==", "`!==` is not an operator of formulas", "write != to compare"),
    ("<>", "`<>` is not an operator of formulas", "write != to compare"),
    ("=<", "`=<` is not an operator of formulas", "write <="),
    ("=>", "`=>` is not an operator of formulas", "write >="),
    ("<<", "`<<` is not an operator of formulas", "write * and a power of 2"),
    (">>", "`>>` is not an operator of formulas", "write / and a power of 2"),
    ("&", "a single `&` is not an operator of formulas", "write && for and"),
    ("|", "a single `|` is not an operator of formulas", "write || for or"),
    (
        "^",
        "`^` is not an operator of formulas",
        "write pow(a, n) for a power, != for one of two but not both",
    ),
    ("**", "`**` is not an operator of formulas", "write pow(a, n) for a power"),
    (
        "//",
        "`//` is not an operator of formulas",
        "write /, which drops the fraction; a comment goes outside the formula",
    ),
    ("#", "a comment inside a formula", "write it outside the quotes of the formula"),
    ("\"", "a text inside a formula", "use whole numbers, true and false"),
    ("'", "a text inside a formula", "use whole numbers, true and false"),
    (".", "a `.` has no meaning in formulas", "use whole numbers, and functions as in ones(score)"),
    ("{", "braces have no meaning in formulas", "use ( and )"),
    ("}", "braces have no meaning in formulas", "use ( and )"),
    (";", "a formula is one expression, without `;`", "leave it out"),
    ("≤", "`≤` is not an operator of formulas", "write <="),
    ("≥", "`≥` is not an operator of formulas", "write >="),
    ("≠", "`≠` is not an operator of formulas", "write !="),
    ("×", "`×` is not an operator of formulas", "write *"),
    ("÷", "`÷` is not an operator of formulas", "write /"),
    ("−", "this minus sign is not the one on the keyboard", "write -"),
    ("–", "this dash is not a minus sign", "write -"),
    ("\u{a0}", "this space is not the one on the keyboard", "write an ordinary space"),
];

/// Splits a formula into tokens.
pub(super) struct Lexer<'s> {
    source: &'s str,
    at: usize,
}

impl<'s> Lexer<'s> {
    /// Creates a lexer at the start of `source`.
    pub fn new(source: &'s str) -> Self {
        Self { source, at: 0 }
    }

    /// Returns the next token and its byte offset; after the last token, always [`Token::End`].
    ///
    /// # Errors
    /// Returns a fault at a character that cannot begin a token, a number that does not fit 64
    /// bits, or a sign of another language.
    pub fn next(&mut self) -> Result<(usize, Token<'s>), FormulaFault> {
        self.at += leading(&self.source[self.at..], |c| c.is_ascii_whitespace()).len();
        let at = self.at;
        let rest = &self.source[self.at..];
        let Some(head) = rest.chars().next() else { return Ok((at, Token::End)) };
        let word = leading(rest, |c| c.is_ascii_alphanumeric() || c == '_');
        let (text, token) = if head.is_ascii_digit() {
            (word, Token::Number(number(word, rest, at)?))
        } else if !word.is_empty() {
            (word, Token::Name(word))
        } else {
            let sign = sign(rest, at)?;
            (sign, Token::Sign(sign))
        };
        self.at += text.len();
        Ok((at, token))
    }
}

/// Whether a formula without faults has this name in it.
pub(in crate::rules) fn has_name(source: &str, name: &str) -> bool {
    let mut lexer = Lexer::new(source);
    loop {
        match lexer.next() {
            Ok((_, Token::Name(found))) if found == name => return true,
            Ok((_, Token::End)) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}

/// The longest prefix of `text` whose characters all satisfy `fit`.
fn leading(text: &str, fit: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|c| !fit(c)).unwrap_or(text.len())]
}

fn number(word: &str, rest: &str, at: usize) -> Result<u64, FormulaFault> {
    let (digits, radix) = word.strip_prefix("0x").map_or((word, 10), |digits| (digits, 16));
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        let message = format!("`{word}` is neither a number nor a name");
        return Err(FormulaFault::new(
            at,
            message,
            "write numbers in digits alone, and a product with *",
        ));
    }
    if rest[word.len()..].starts_with('.') {
        return Err(FormulaFault::new(
            at,
            "a number with a fraction",
            "use whole numbers, as in 3 * score / 2 for 1.5",
        ));
    }
    u64::from_str_radix(digits, radix).map_err(|_| past_64_bits(at))
}

/// Creates the fault for a number that is too large.
pub(super) fn past_64_bits(at: usize) -> FormulaFault {
    FormulaFault::new(at, "this number does not fit 64 bits", format!("use at most {}", i64::MAX))
}

fn sign(rest: &str, at: usize) -> Result<&'static str, FormulaFault> {
    let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign)).copied();
    let mistake = MISTAKES
        .iter()
        .filter(|(mistake, ..)| rest.starts_with(mistake))
        .max_by_key(|(sign, ..)| sign.len());
    match (sign, mistake) {
        (Some(sign), Some((mistake, ..))) if sign.len() >= mistake.len() => Ok(sign),
        (_, Some((_, message, fix))) => Err(FormulaFault::new(at, *message, *fix)),
        (Some(sign), None) => Ok(sign),
        (None, None) => {
            let unknown = rest.chars().next().unwrap_or_default().escape_debug();
            let message = format!("the character `{unknown}` has no meaning in formulas");
            Err(FormulaFault::new(
                at,
                message,
                "leave it out: formulas have numbers, names, operators and functions",
            ))
        }
    }
}

/// What to write instead of an operator word of another language.
pub(super) fn replacement_for(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "and" => "write && for and",
        "or" => "write || for or",
        "not" => "write ! for not, as in !busted",
        "xor" | "ne" => "write != for one of two but not both",
        "is" | "eq" | "equals" => "write == to compare",
        "mod" => "write % for the remainder",
        "div" => "write /, which drops the fraction",
        "if" | "then" | "else" | "elif" => "write condition ? value : other",
        "in" => "compare with each value, as in dice == 1 || dice == 2",
        "true" => "write true",
        "false" => "write false",
        _ => return None,
    })
}
