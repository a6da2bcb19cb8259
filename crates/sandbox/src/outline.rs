//! The outline of a Python file, found by reading it without running it: the names that its top
//! level binds, those bound to plain strings and integers, its functions, and the names that it
//! uses.
//!
//! The file is split into logical lines and tokens as Python's lexer does (comments, all kinds of
//! strings, brackets, continued lines), so that text in a docstring or within a function is not
//! mistaken for a statement of the top level. Computed values (`PLAYER_NAME = first + last`, an
//! f-string, a call) are not known here.

use std::collections::{BTreeSet, HashMap, HashSet};

/// The tokens of a line that is read; longer ones are tables of numbers, not definitions.
const LINE_TOKENS: usize = 64;

/// The outline of a Python file.
#[derive(Debug, Default)]
pub struct Outline {
    texts: HashMap<String, String>,
    numbers: HashMap<String, i64>,
    /// The names that the top level binds.
    defined: HashSet<String>,
    functions: Vec<FunctionOutline>,
    /// Whether indented lines belong to the last function.
    is_in_function: bool,
    /// The names that occur, and those that any line binds.
    words: BTreeSet<String>,
    bound: HashSet<String>,
}

/// A function at the top level of a Python file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionOutline {
    /// Its name.
    pub name: String,
    /// The names of its parameters, without stars, and the defaults that are whole numbers.
    pub parameters: Vec<(String, Option<i64>)>,
    /// What its body calls.
    calls: Vec<CallOutline>,
}

/// A call of a function by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct CallOutline {
    name: String,
    /// The names of the arguments that have one, and the values that are whole numbers.
    arguments: Vec<(Option<String>, Option<i64>)>,
}

/// A function that another one calls.
#[derive(Debug, PartialEq, Eq)]
pub struct ReachedFunction<'o> {
    /// The function.
    pub function: &'o FunctionOutline,
    /// The names and the values of the whole numbers that it takes after two arguments, in its
    /// first call; none if that call computes one of them.
    pub numbers: Vec<(&'o str, i64)>,
}

impl FunctionOutline {
    /// Returns the names and the values of the whole numbers that it takes after two arguments if
    /// it is called like this; `None` if the call computes one of them.
    fn numbers(&self, call: &CallOutline) -> Option<Vec<(&str, i64)>> {
        let mut numbers = Vec::new();
        let [(_, None), (_, None), more @ ..] = &self.parameters[..] else { return Some(numbers) };
        for (at, (name, default)) in more.iter().enumerate() {
            let placed = call.arguments.get(at + 2).filter(|(named, _)| named.is_none());
            let given = call.arguments.iter().find(|(named, _)| named.as_ref() == Some(name));
            let value = match given.or(placed) {
                Some((_, value)) => Some((*value)?),
                None => *default,
            };
            numbers.extend(value.map(|value| (name.as_str(), value)));
        }
        Some(numbers)
    }
}

#[derive(Clone, Debug, PartialEq)]
enum PythonToken {
    Word(String),
    /// A string, with its value if it is plain.
    Text(Option<String>),
    Number(Option<i64>),
    Sign(char),
}

/// Returns the text of literals that stand one after the other; `None` of other tokens.
fn joined(tokens: &[PythonToken]) -> Option<String> {
    let mut text = String::new();
    for token in tokens {
        let PythonToken::Text(Some(part)) = token else { return None };
        text.push_str(part);
    }
    (!tokens.is_empty()).then_some(text)
}

impl Outline {
    /// Reads a file's text; lines that are not understood are ignored.
    pub fn of(source: &str) -> Self {
        let mut outline = Self::default();
        let mut lexer = PythonLexer {
            rest: source.strip_prefix('\u{feff}').unwrap_or(source),
            after_semicolon: None,
        };
        while let Some((indented, line)) = lexer.line() {
            outline.read(indented, &line);
        }
        outline
    }

    /// Returns the plain string that a name is bound to.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// Returns the integer that a name is bound to.
    pub fn number(&self, name: &str) -> Option<i64> {
        self.numbers.get(name).copied()
    }

    /// Whether the top level binds the name, by a definition, an import or an assignment.
    pub fn defines(&self, name: &str) -> bool {
        self.defined.contains(name)
    }

    /// Whether the name occurs anywhere outside of texts and comments.
    pub fn mentions(&self, name: &str) -> bool {
        self.words.contains(name)
    }

    /// Returns the functions of the top level.
    pub fn functions(&self) -> &[FunctionOutline] {
        &self.functions
    }

    /// Returns a function and those of the file that it calls, nearest first.
    pub fn reached_from(&self, function: &str) -> Vec<ReachedFunction<'_>> {
        let first = CallOutline { name: function.to_owned(), arguments: Vec::new() };
        let mut called = vec![&first];
        let mut reached: Vec<ReachedFunction<'_>> = Vec::new();
        let mut next = 0;
        while let Some(call) = called.get(next).copied() {
            next += 1;
            let found = self.functions.iter().rfind(|one| one.name == call.name);
            let Some(function) = found else { continue };
            if reached.iter().all(|known| known.function != function) {
                called.extend(&function.calls);
                let numbers = function.numbers(call).unwrap_or_default();
                reached.push(ReachedFunction { function, numbers });
            }
        }
        reached
    }

    /// Returns the names that the file uses and no line of it binds.
    pub fn used(&self) -> impl Iterator<Item = &str> {
        self.words.iter().filter(|word| !self.bound.contains(*word)).map(String::as_str)
    }

    /// Reads a line.
    fn read(&mut self, indented: bool, line: &[PythonToken]) {
        for (at, token) in line.iter().enumerate() {
            let PythonToken::Word(word) = token else { continue };
            let is_attribute = at > 0 && line[at - 1] == PythonToken::Sign('.');
            if !is_attribute {
                self.words.insert(word.clone());
            }
        }
        if indented
            && self.is_in_function
            && let Some(function) = self.functions.last_mut()
        {
            function.calls.extend(called(line));
        }
        let names = bound(line);
        if let Some(function) = function(line) {
            self.bound.extend(function.parameters.iter().map(|(name, _)| name.clone()));
            if !indented {
                self.functions.push(function);
                self.is_in_function = true;
            }
        } else if !indented && !line.is_empty() {
            self.is_in_function = false;
        }
        self.bound.extend(names.iter().cloned());
        if !indented && line.len() < LINE_TOKENS {
            self.defined.extend(names);
            self.record(line);
        }
    }

    /// Records the values that a line of the top level binds.
    fn record(&mut self, line: &[PythonToken]) {
        match line {
            [PythonToken::Word(name), PythonToken::Sign('='), rest @ ..] => self.assign(name, rest),
            [PythonToken::Word(name), PythonToken::Sign(':'), rest @ ..] => {
                if let Some(at) = rest.iter().position(|token| *token == PythonToken::Sign('=')) {
                    self.assign(name, &rest[at + 1..]);
                }
            }
            _ => self.assign_several(line),
        }
    }

    /// Binds the names of an assignment `A, B = value, value`.
    fn assign_several(&mut self, line: &[PythonToken]) {
        let Some(at) = line.iter().position(|token| *token == PythonToken::Sign('=')) else {
            return;
        };
        let names = parts(&line[..at]);
        let values = parts(&line[at + 1..]);
        if names.len() > 1 && names.len() == values.len() {
            for (name, value) in names.into_iter().zip(values) {
                if let [PythonToken::Word(name)] = name {
                    self.bind(name, value);
                }
            }
        }
    }

    /// Binds all names of an assignment `A = B = value`.
    fn assign(&mut self, name: &str, mut rest: &[PythonToken]) {
        let mut names = vec![name];
        while let [PythonToken::Word(name), PythonToken::Sign('='), after @ ..] = rest {
            names.push(name);
            rest = after;
        }
        names.into_iter().for_each(|name| self.bind(name, rest));
    }

    fn bind(&mut self, name: &str, value: &[PythonToken]) {
        self.texts.remove(name);
        self.numbers.remove(name);
        let bare = match value {
            [PythonToken::Sign('('), inner @ .., PythonToken::Sign(')')] => inner,
            all => all,
        };
        if let Some(number) = whole(bare) {
            self.numbers.insert(name.to_owned(), number);
        } else if let Some(text) = joined(bare) {
            self.texts.insert(name.to_owned(), text);
        }
    }
}

/// Returns the names that a line binds.
fn bound(line: &[PythonToken]) -> Vec<String> {
    let mut names: Vec<&PythonToken> = Vec::new();
    match line {
        [PythonToken::Word(word), name, ..] if word == "def" || word == "class" => names.push(name),
        [PythonToken::Word(word), def, name, ..] if word == "async" && is_word(def, "def") => {
            names.push(name);
        }
        [PythonToken::Word(word), modules @ ..] if word == "import" => {
            for module in parts(modules) {
                let is_renamed = module.iter().any(|token| is_word(token, "as"));
                names.extend(if is_renamed { module.last() } else { module.first() });
            }
        }
        [PythonToken::Word(word), rest @ ..] if word == "from" => {
            let import = rest.iter().position(|token| is_word(token, "import"));
            for name in parts(&rest[import.map_or(rest.len(), |at| at + 1)..]) {
                names.extend(name.last());
            }
        }
        [PythonToken::Word(word), rest @ ..] if word == "for" => {
            names.extend(rest.iter().take_while(|token| !is_word(token, "in")));
        }
        _ => {
            for pair in line.windows(2).filter(|pair| is_word(&pair[0], "as")) {
                names.push(&pair[1]);
            }
            // Of `a = b = 1` all but the last part are names; `f(a=1)` and `a[0] = 1` bind none.
            let parts: Vec<&[PythonToken]> =
                line.split(|token| *token == PythonToken::Sign('=')).collect();
            let targets = &parts[..parts.len() - 1];
            for target in targets.iter().take_while(|target| is_target(target)) {
                // Without the type.
                names.extend(
                    target.split(|token| *token == PythonToken::Sign(':')).next().unwrap_or(&[]),
                );
            }
        }
    }
    let mut words = Vec::new();
    for name in names {
        if let PythonToken::Word(word) = name {
            words.push(word.clone());
        }
    }
    words
}

/// Whether what stands before `=` is a name, perhaps with a type, or several.
fn is_target(tokens: &[PythonToken]) -> bool {
    let [first, rest @ ..] = tokens else { return false };
    if matches!((first, rest.first()), (PythonToken::Word(_), Some(PythonToken::Sign(':')))) {
        return true;
    }
    tokens.iter().zip(tokens.iter().skip(1).map(Some).chain([None])).all(
        |(token, next)| match token {
            PythonToken::Word(_) => {
                !matches!(next, Some(PythonToken::Word(_) | PythonToken::Sign('(' | '[' | '.')))
            }
            PythonToken::Sign(sign) => "(),[]*".contains(*sign),
            _ => false,
        },
    )
}

/// Reads the head of a function: `def name(a, b: int = 4, *, c=5):`.
fn function(line: &[PythonToken]) -> Option<FunctionOutline> {
    let line = if is_word(line.first()?, "async") { &line[1..] } else { line };
    let [PythonToken::Word(def), PythonToken::Word(name), rest @ ..] = line else { return None };
    if def != "def" {
        return None;
    }
    let list = bracketed(rest)?;
    let mut parameters = Vec::new();
    for parameter in parts(list) {
        let named = parameter.iter().find_map(|token| match token {
            PythonToken::Word(name) => Some(name.clone()),
            _ => None,
        });
        let default = match parameter.iter().position(|token| *token == PythonToken::Sign('=')) {
            Some(at) => whole(&parameter[at + 1..]),
            None => None,
        };
        parameters.extend(named.map(|name| (name, default)));
    }
    Some(FunctionOutline { name: name.clone(), parameters, calls: called(&rest[list.len()..]) })
}

/// Returns the calls of a line: names that are followed by a bracket.
fn called(line: &[PythonToken]) -> Vec<CallOutline> {
    let mut calls = Vec::new();
    for (at, token) in line.iter().enumerate() {
        let PythonToken::Word(name) = token else { continue };
        let Some(list) = bracketed(&line[at + 1..]) else { continue };
        let arguments = parts(list).into_iter().map(|argument| match argument {
            [PythonToken::Word(name), PythonToken::Sign('='), value @ ..] => {
                (Some(name.clone()), whole(value))
            }
            value => (None, whole(value)),
        });
        calls.push(CallOutline { name: name.clone(), arguments: arguments.collect() });
    }
    calls
}

/// Returns the whole number that these tokens are.
fn whole(value: &[PythonToken]) -> Option<i64> {
    match value {
        [PythonToken::Number(number)] => *number,
        [PythonToken::Sign('-'), PythonToken::Number(number)] => number.map(|number| -number),
        _ => None,
    }
}

/// Returns what these tokens begin with, from an opening bracket to the one that closes it.
fn bracketed(tokens: &[PythonToken]) -> Option<&[PythonToken]> {
    if tokens.first() != Some(&PythonToken::Sign('(')) {
        return None;
    }
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            PythonToken::Sign('(') => depth += 1,
            PythonToken::Sign(')') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&tokens[..=at]);
        }
    }
    None
}

/// Returns the parts of a tuple, with or without brackets around it.
fn parts(tuple: &[PythonToken]) -> Vec<&[PythonToken]> {
    let bare = match tuple {
        [PythonToken::Sign('(' | '['), inner @ .., PythonToken::Sign(')' | ']')] => inner,
        all => all,
    };
    let mut depth = 0_i32;
    bare.split(|token| {
        match token {
            PythonToken::Sign('(' | '[' | '{') => depth += 1,
            PythonToken::Sign(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        depth == 0 && *token == PythonToken::Sign(',')
    })
    .filter(|part| !part.is_empty())
    .collect()
}

fn is_word(token: &PythonToken, word: &str) -> bool {
    matches!(token, PythonToken::Word(found) if found == word)
}

struct PythonLexer<'s> {
    rest: &'s str,
    /// After a semicolon: whether the line is indented.
    after_semicolon: Option<bool>,
}

impl PythonLexer<'_> {
    /// Returns the next statement: whether its line is indented, and at most [`LINE_TOKENS`] of
    /// its tokens.
    fn line(&mut self) -> Option<(bool, Vec<PythonToken>)> {
        if self.rest.is_empty() {
            return None;
        }
        let indented = self
            .after_semicolon
            .take()
            .unwrap_or_else(|| self.rest.starts_with([' ', '\t', '\u{c}']));
        let mut tokens = Vec::new();
        let mut depth = 0_usize;
        while let Some(next) = self.rest.chars().next() {
            match next {
                '\n' | '\r' | ';' if depth == 0 => {
                    self.after_semicolon = (next == ';').then_some(indented);
                    self.skip(1);
                    break;
                }
                '#' => self.rest = &self.rest[self.rest.find('\n').unwrap_or(self.rest.len())..],
                '\\' => self.skip(2),
                _ if next.is_whitespace() => self.skip(1),
                _ => {
                    let token = self.token(next);
                    match token {
                        PythonToken::Sign('(' | '[' | '{') => depth += 1,
                        PythonToken::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    if tokens.len() < LINE_TOKENS {
                        tokens.push(token);
                    }
                }
            }
        }
        Some((indented, tokens))
    }

    fn token(&mut self, next: char) -> PythonToken {
        if next == '"' || next == '\'' {
            return PythonToken::Text(self.string(false));
        }
        if next.is_ascii_digit() {
            let digits = self.take_while(|c| c.is_alphanumeric() || c == '_' || c == '.');
            return PythonToken::Number(digits.replace('_', "").parse().ok());
        }
        if next == '_' || next.is_alphabetic() {
            let word = self.take_while(|c| c == '_' || c.is_alphanumeric());
            let prefix = word.to_ascii_lowercase();
            if self.rest.starts_with(['"', '\''])
                && prefix.len() <= 2
                && prefix.chars().all(|c| "rbuft".contains(c))
            {
                let text = self.string(prefix.contains('r'));
                return PythonToken::Text(text.filter(|_| !prefix.contains(['b', 'f', 't'])));
            }
            return PythonToken::Word(word);
        }
        self.skip(1);
        // Operators that end in `=` become signs of their own, so that they are not taken for
        // assignments.
        if next != '=' && "+-*/%@&|^<>!:".contains(next) && self.rest.starts_with('=') {
            self.skip(1);
            return PythonToken::Sign('≠');
        }
        if next == '=' && self.rest.starts_with('=') {
            self.skip(1);
            return PythonToken::Sign('≡');
        }
        PythonToken::Sign(next)
    }

    /// Reads a string from its opening quote; returns `None` if it does not end, or has an escape
    /// that is not supported.
    fn string(&mut self, raw: bool) -> Option<String> {
        let quote = &self.rest[..1];
        let triple = self.rest.starts_with(&quote.repeat(3));
        let end = if triple { quote.repeat(3) } else { quote.to_owned() };
        self.rest = &self.rest[end.len()..];
        let mut text = String::new();
        let mut known = true;
        loop {
            if let Some(rest) = self.rest.strip_prefix(end.as_str()) {
                self.rest = rest;
                return known.then_some(text);
            }
            match self.rest.chars().next()? {
                '\n' if !triple => return None,
                '\\' => {
                    let escaped = self.escape();
                    match escaped {
                        _ if raw => text.push_str(&escaped.0),
                        (_, Some(meant)) => text.push_str(&meant),
                        (_, None) => known = false,
                    }
                }
                other => {
                    text.push(other);
                    self.skip(1);
                }
            }
        }
    }

    /// Reads an escape; returns it as written, and its meaning if it is supported.
    fn escape(&mut self) -> (String, Option<String>) {
        let Some(kind) = self.rest.chars().nth(1) else {
            self.skip(1);
            return ("\\".into(), None);
        };
        let digits = match kind {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        let written = format!("\\{kind}");
        let meant = match kind {
            '\n' => Some(String::new()),
            '\\' | '\'' | '"' => Some(kind.to_string()),
            'n' => Some("\n".to_owned()),
            't' => Some("\t".to_owned()),
            'r' => Some("\r".to_owned()),
            'N' | '0'..='7' => None,
            _ if digits > 0 => {
                let code: String = self.rest.chars().skip(2).take(digits).collect();
                let meant =
                    u32::from_str_radix(&code, 16).ok().and_then(char::from_u32).map(String::from);
                self.skip(2 + if meant.is_some() { digits } else { 0 });
                return (format!("\\{kind}{code}"), meant);
            }
            // Python keeps unknown escapes as written.
            _ => Some(written.clone()),
        };
        self.skip(2);
        (written, meant)
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken.to_owned()
    }

    fn skip(&mut self, characters: usize) {
        let mut rest = self.rest.chars();
        rest.by_ref().take(characters).for_each(drop);
        self.rest = rest.as_str();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(source: &str) -> Option<String> {
        Outline::of(source).text("PLAYER_NAME").map(str::to_owned)
    }

    #[test]
    fn plain_strings_are_read_in_all_notations() {
        for (source, read) in [
            ("PLAYER_NAME = 'Ada'", "Ada"),
            ("\u{feff}PLAYER_NAME=\"Ada\" # me\n", "Ada"),
            ("PLAYER_NAME: str = 'Ada'", "Ada"),
            ("TEAM_NAME = PLAYER_NAME = 'Ada'", "Ada"),
            ("PLAYER_NAME = ('Ada '\n   \"Lovelace\")", "Ada Lovelace"),
            ("PLAYER_NAME = \\\n  'Ada'", "Ada"),
            ("import os; PLAYER_NAME = 'Ada'", "Ada"),
            ("PLAYER_NAME, LIMIT = \"Night Owls' Engine\", 50", "Night Owls' Engine"),
            ("(LIMIT, PLAYER_NAME) = (max(3, 4), 'Ada')", "Ada"),
            ("PLAYER_NAME = 'a'\nPLAYER_NAME = 'Ada'", "Ada"),
            (r"PLAYER_NAME = 'A\x64\u0061 \'\n'", "Ada '\n"),
            (r"PLAYER_NAME = r'\x64'", r"\x64"),
            (r"PLAYER_NAME = '\d'", r"\d"),
            ("PLAYER_NAME = '''A\nda'''", "A\nda"),
            ("PLAYER_NAME = ''", ""),
        ] {
            assert_eq!(name(source).as_deref(), Some(read), "{source}");
        }
    }

    #[test]
    fn computed_quoted_or_local_names_are_not_read() {
        for source in [
            "PLAYER_NAME = f'{x}'",
            "PLAYER_NAME = b'Ada'",
            "PLAYER_NAME = 'A' + 'da'",
            "PLAYER_NAME = input('PLAYER_NAME = ')",
            "PLAYER_NAME = 'Ada'.upper()",
            "PLAYER_NAME == 'Ada'",
            "PLAYER_NAME += 'Ada'",
            "# PLAYER_NAME = 'Ada'",
            "'''\nPLAYER_NAME = 'Ada'\n'''",
            "def f():\n    PLAYER_NAME = 'Ada'",
            "x = [\nPLAYER_NAME, 'Ada'\n]",
            "PLAYER_NAME = 'Ada'\nPLAYER_NAME = g()",
            "PLAYER_NAME = 'Ada",
            "PLAYER_NAME = '\\N{BULLET}'",
            "PLAYER_NAME",
            "PLAYER_NAME = 5",
            "'",
            "\\",
            "PLAYER_NAME = '\\",
        ] {
            assert_eq!(name(source), None, "{source}");
        }
    }

    #[test]
    fn definitions_and_numbers_are_read() {
        let source = "from dice import six_sided as die, four\nimport hog_helper, numpy.random as \
                      r\nfinal_bid = 1_0\n\
                      other = -3\ndef final_strategy(score, opponent_score):\n    def inner(): \
                      pass\n    return 4\n";
        let outline = Outline::of(source);
        assert_eq!([outline.number("final_bid"), outline.number("other")], [Some(10), Some(-3)]);
        let defined = ["final_strategy", "die", "four", "final_bid", "inner", "g"]
            .map(|name| outline.defines(name));
        assert_eq!(
            defined,
            [true, true, true, true, false, false],
            "names within a function are not defined"
        );
        assert!(outline.defines("r") && !outline.defines("numpy"), "the name of an import");
        assert!(Outline::of("final_strategy = lambda a, b: 4").defines("final_strategy"));
        assert!(
            Outline::of(&format!("t = [{}]\ndef f(): pass", "1,".repeat(100_000))).defines("f")
        );
    }

    const PROGRAM: &str = "\
def play(one, two, first=0):
    return careful(first, 0)

def careful(score, opponent: int, dice: int = 4, *, margin=-8,
            name='x', **more):
    'calls unused(0)'
    return dice

def unused(score, opponent, n=1): return careful(score, n, dice=n)

def final_strategy(score, opponent, limit=3):
    return careful (max(score, 1), opponent, 7)

print(unused(0, 0))
";

    #[test]
    fn functions_are_read_with_their_parameters_and_what_they_call() {
        let outline = Outline::of(PROGRAM);
        let reached = |name: &str| {
            let found = outline.reached_from(name).into_iter();
            found.map(|reached| (&*reached.function.name, reached.numbers)).collect()
        };
        let careful = ("careful", vec![("dice", 7), ("margin", -8)]);
        let found: Vec<(&str, Vec<(&str, i64)>)> = reached("final_strategy");
        assert_eq!(found, [("final_strategy", vec![("limit", 3)]), careful]);
        let computed = ("careful", vec![]);
        assert_eq!(reached("unused"), [("unused", vec![("n", 1)]), computed]);
        assert_eq!(reached("careful"), [("careful", vec![("dice", 4), ("margin", -8)])]);
        assert_eq!(reached("missing"), []);
        let names: Vec<&str> =
            outline.functions()[1].parameters.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["score", "opponent", "dice", "margin", "name", "more"]);
    }

    #[test]
    fn names_are_used_if_no_line_binds_them() {
        let used = |source: &str| -> Vec<String> {
            Outline::of(source).used().map(str::to_owned).collect()
        };
        for (source, names) in [
            ("a = b", &["b"][..]),
            ("(a, b), *c = d", &["d"]),
            ("a: int = b", &["b", "int"]),
            ("a[0] = b.c", &["a", "b"]),
            ("f(a=1)", &["a", "f"]),
            ("a == b", &["a", "b"]),
            ("with a as b:\n    b", &["a", "as", "with"]),
            ("def f(a, b=c):\n    a = b", &["c", "def"]),
            ("# a\n'b'", &[]),
        ] {
            assert_eq!(used(source), names, "{source}");
        }
    }
}
