//! Parses a rule file: TOML with the place of every entry. Names, ranges and formulas are checked
//! later.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::files::escape::{is_unseen, shortened};
use crate::limits;

use super::fault::{FaultList, nearest};
use super::hooks::Hook;

/// A value with its byte offset in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written<T> {
    pub value: T,
    pub at: usize,
}

/// A rule file with valid keys and types of values; nothing in it is evaluated yet.
#[derive(Debug, Default)]
pub struct RuleFile {
    pub id: Option<Written<String>>,
    /// Whether the file has an `id` with a fault.
    pub id_misread: bool,
    pub title: Option<Written<String>>,
    pub group: Option<Written<String>>,
    pub aliases: Vec<Written<String>>,
    pub source: Option<Written<String>>,
    pub goal: Option<Written<i64>>,
    pub step: Option<Written<i64>>,
    pub min_dice: Option<Written<i64>>,
    pub max_dice: Option<Written<i64>>,
    pub baseline: Option<Written<String>>,
    pub target: Option<Written<String>>,
    pub numbers: Vec<NumberEntry>,
    pub dice: Vec<DiceEntry>,
    pub memories: Vec<MemoryEntry>,
    pub rules: Vec<RuleEntry>,
    pub bid: Option<BidEntry>,
    pub examples: Vec<ExampleEntry>,
}

/// An entry of `[numbers]` as written.
#[derive(Debug)]
pub struct NumberEntry {
    pub name: Written<String>,
    pub value: i64,
    /// The place of the value.
    pub place: Range<usize>,
}

/// A `[[dice]]` as written: equal dice of the hand.
#[derive(Debug, Default)]
pub struct DiceEntry {
    pub at: usize,
    pub name: Option<Written<String>>,
    pub count: Option<Written<i64>>,
    pub sides: Option<Written<i64>>,
    pub weights: Option<Written<Vec<i64>>>,
}

/// A `[[memory]]` as written; numbers may be formulas. In this entry and the following ones,
/// `misread` is set if a key or a value has a fault: a part that seems to be missing may then be
/// the faulty one.
#[derive(Debug, Default)]
pub struct MemoryEntry {
    pub at: usize,
    pub misread: bool,
    pub name: Option<Written<String>>,
    pub of: Option<Written<String>>,
    pub start: Option<Written<String>>,
    pub max: Option<Written<String>>,
    pub step: Option<Written<i64>>,
    pub next: Option<Written<String>>,
}

/// A `[[rule]]` as written.
#[derive(Debug, Default)]
pub struct RuleEntry {
    pub at: usize,
    pub misread: bool,
    pub name: Option<Written<String>>,
    pub text: Option<Written<String>>,
    pub hooks: Vec<(Hook, Written<String>)>,
}

/// `[bid]` as written; the largest bid may be a formula.
#[derive(Debug, Default)]
pub struct BidEntry {
    pub at: usize,
    pub misread: bool,
    pub text: Option<Written<String>>,
    pub max: Option<Written<String>>,
    pub score: Option<Written<String>>,
    pub first: Option<Written<String>>,
}

/// The roll of an example's turn.
#[derive(Debug)]
pub enum RolledEntry {
    /// The faces of its dice.
    Faces(Vec<i64>),
    /// A move below 0, which rolls no dice.
    Move(Written<i64>),
}

/// An `[[example]]` as written: a turn and its expected result.
#[derive(Debug, Default)]
pub struct ExampleEntry {
    pub at: usize,
    pub misread: bool,
    pub name: Option<Written<String>>,
    pub turn: Vec<(Written<String>, i64)>,
    pub dice: Option<RolledEntry>,
    /// The dice that are kept.
    pub keep: Option<Written<Vec<i64>>>,
    pub after: Vec<(Written<String>, i64)>,
}

/// Parses the text of a rule file; faults of keys and types are added to `faults`. Returns `None`
/// after a syntax error, as the remaining entries may have been misread.
pub fn read<'t>(text: &'t str, faults: &mut FaultList<'t>) -> Option<RuleFile> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let places = errors.iter().map(|error| (error.span().map_or(0, |span| span.start), error));
    let mut places: Vec<(usize, &toml::de::Error)> = places.collect();
    places.sort_by_key(|(at, _)| *at);
    for (at, error) in places {
        let rest = text.get(at..).unwrap_or_default();
        let is_unclosed = error.message().starts_with("invalid basic string");
        let is_open = is_unclosed && rest.starts_with(['\n', '\r']);
        let heading = if error.message() == "duplicate key" { repeated(text, at) } else { None };
        let fix = match rest.chars().next() {
            Some('“' | '”' | '‘' | '’') => "write straight quotes: \"",
            _ if is_open => "a text over several lines stands between \"\"\" and \"\"\"",
            _ => heading.unwrap_or_default(),
        };
        faults.add(at, format!("not TOML: {}", error.message()), fix);
        if is_open || heading.is_some() {
            // What follows was misread.
            break;
        }
    }
    errors
        .is_empty()
        .then(|| RuleFileReader { text, faults, id_misread: false }.file(table.get_ref()))
}

/// What to write instead of the heading `[rule]` at this place, if there may be several of them.
fn repeated(text: &str, at: usize) -> Option<&'static str> {
    let before = text.get(..at)?;
    let name = text.get(at..)?.split(']').next()?.trim();
    if !before.trim_end().ends_with('[') {
        return None;
    }
    match name {
        "rule" => Some("write [[rule]] for each of several"),
        "memory" => Some("write [[memory]] for each of several"),
        "dice" => Some("write [[dice]] for each of several"),
        "example" => Some("write [[example]] for each of several"),
        _ => None,
    }
}

struct RuleFileReader<'a, 'b> {
    text: &'b str,
    faults: &'a mut FaultList<'b>,
    /// Whether an unknown key is probably meant to be the file's `id`.
    id_misread: bool,
}

/// A table with the places of its keys and values.
type Entries<'t, 'i> = &'t DeTable<'i>;

const KEYS: &[&str] = &[
    "id", "title", "group", "aliases", "source", "goal", "step", "min_dice", "max_dice",
    "baseline", "target", "numbers", "dice", "memory", "rule", "bid", "example",
];

/// Those that are numbers.
const NUMBERS_OF_GAMES: &[&str] = &["goal", "step", "min_dice", "max_dice"];

impl RuleFileReader<'_, '_> {
    fn file(&mut self, table: Entries) -> RuleFile {
        let mut file = RuleFile::default();
        for (key, value) in table.iter() {
            match key.get_ref().as_ref() {
                "id" => file.id = self.line(value),
                "title" => file.title = self.line(value),
                "group" => file.group = self.line(value),
                "aliases" => {
                    file.aliases = self.array(value).iter().filter_map(|v| self.line(v)).collect()
                }
                "source" => file.source = self.string(value),
                "goal" => file.goal = self.integer(value),
                "step" => file.step = self.integer(value),
                "min_dice" => file.min_dice = self.integer(value),
                "max_dice" => file.max_dice = self.integer(value),
                "baseline" => file.baseline = self.line(value),
                "target" => file.target = self.line(value),
                "numbers" => file.numbers = self.named_numbers(value),
                "dice" if value.get_ref().type_str() == "string" => {
                    let fix = "`die` belongs in a [[rule]]";
                    self.faults.add(key.span().start, "dice are tables headed [[dice]]", fix);
                }
                "die" if value.get_ref().type_str() == "array" => {
                    let fix = "did you mean [[dice]]?";
                    self.faults.add(key.span().start, "unknown key `die`", fix);
                }
                "dice" => file.dice = self.tables(value, Self::dice),
                "memory" => file.memories = self.tables(value, Self::memory),
                "rule" => file.rules = self.tables(value, Self::rule),
                "bid" => file.bid = self.bid(value),
                "example" => file.examples = self.tables(value, Self::example),
                other => self.unknown(key.span(), other, KEYS),
            }
        }
        file.id_misread = self.id_misread || (file.id.is_none() && table.get("id").is_some());
        file
    }

    fn named_numbers(&mut self, value: &Spanned<DeValue>) -> Vec<NumberEntry> {
        let Some(table) = value.get_ref().as_table() else {
            self.wrong(value, "a table headed [numbers]");
            return Vec::new();
        };
        let mut numbers = Vec::new();
        for (key, value) in table.iter() {
            let name = Written { value: key.get_ref().to_string(), at: key.span().start };
            // A key of the game after this table is read as one of its numbers.
            let is_number = value.get_ref().type_str() == "integer";
            if NUMBERS_OF_GAMES.contains(&&*name.value)
                || KEYS.contains(&&*name.value) && !is_number
            {
                let message = format!("{} belongs to the game, not to [numbers]", name.value);
                self.faults.add(name.at, message, "move [numbers] and its numbers below this line");
                continue;
            }
            if let Some(number) = self.integer(value) {
                numbers.push(NumberEntry { name, value: number.value, place: value.span() });
            }
        }
        numbers
    }

    fn dice(&mut self, at: usize, table: Entries) -> DiceEntry {
        let mut dice = DiceEntry { at, ..DiceEntry::default() };
        for (key, value) in table.iter() {
            match key.get_ref().as_ref() {
                "name" => dice.name = self.line(value),
                "count" => dice.count = self.integer(value),
                "sides" => dice.sides = self.integer(value),
                "weights" => dice.weights = Some(self.integers(value)),
                "die" => {
                    let fix = "write sides = 8, or weights = [7, 2, 2, 2, 2, 4]";
                    self.faults.add(key.span().start, "unknown key `die`", fix);
                }
                other => self.unknown(key.span(), other, &["name", "count", "sides", "weights"]),
            }
        }
        dice
    }

    fn integers(&mut self, value: &Spanned<DeValue>) -> Written<Vec<i64>> {
        let mut numbers = Vec::new();
        for number in self.array(value) {
            numbers.extend(self.integer(number).map(|number| number.value));
        }
        Written { value: numbers, at: value.span().start }
    }

    fn memory(&mut self, at: usize, table: Entries) -> MemoryEntry {
        let mut memory = MemoryEntry { at, ..MemoryEntry::default() };
        let known_faults = self.faults.len();
        for (key, value) in table.iter() {
            match key.get_ref().as_ref() {
                "name" => memory.name = self.line(value),
                "of" => memory.of = self.line(value),
                "start" => memory.start = self.formula(value),
                "max" => memory.max = self.formula(value),
                "step" => memory.step = self.integer(value),
                "next" => memory.next = self.formula(value),
                other => {
                    let known = ["name", "of", "start", "max", "step", "next"];
                    self.unknown(key.span(), other, &known);
                }
            }
        }
        memory.misread = self.faults.len() > known_faults;
        memory
    }

    fn rule(&mut self, at: usize, table: Entries) -> RuleEntry {
        let mut rule = RuleEntry { at, ..RuleEntry::default() };
        let known_faults = self.faults.len();
        for (key, value) in table.iter() {
            let name = key.get_ref().as_ref();
            match (name, Hook::ALL.iter().find(|hook| hook.key() == name)) {
                ("name", _) => rule.name = self.line(value),
                ("text", _) => rule.text = self.string(value),
                (_, Some(hook)) => {
                    rule.hooks.extend(self.formula(value).map(|formula| (*hook, formula)))
                }
                (other, None) => {
                    let keys: Vec<&str> = ["name", "text"]
                        .into_iter()
                        .chain(Hook::ALL.iter().map(|h| h.key()))
                        .collect();
                    self.unknown(key.span(), other, &keys);
                }
            }
        }
        rule.misread = self.faults.len() > known_faults;
        rule
    }

    fn bid(&mut self, value: &Spanned<DeValue>) -> Option<BidEntry> {
        let Some(table) = value.get_ref().as_table() else {
            self.wrong(value, "a table headed [bid]");
            return None;
        };
        let mut bid = BidEntry { at: value.span().start, ..BidEntry::default() };
        let known_faults = self.faults.len();
        for (key, value) in table.iter() {
            match key.get_ref().as_ref() {
                "text" => bid.text = self.string(value),
                "max" => bid.max = self.formula(value),
                "score" => bid.score = self.formula(value),
                "first" => bid.first = self.formula(value),
                other => self.unknown(key.span(), other, &["text", "max", "score", "first"]),
            }
        }
        bid.misread = self.faults.len() > known_faults;
        Some(bid)
    }

    fn example(&mut self, at: usize, table: Entries) -> ExampleEntry {
        let mut example = ExampleEntry { at, ..ExampleEntry::default() };
        let known_faults = self.faults.len();
        for (key, value) in table.iter() {
            match key.get_ref().as_ref() {
                "name" => example.name = self.line(value),
                "turn" => self.turn_of_example(value, &mut example),
                "after" => example.after = self.numbers(value),
                other => self.unknown(key.span(), other, &["name", "turn", "after"]),
            }
        }
        example.misread = self.faults.len() > known_faults;
        example
    }

    /// Reads the turn of an example. Its key `dice` is a list of faces or a move below 0, and
    /// `keep` the faces that are kept.
    fn turn_of_example(&mut self, value: &Spanned<DeValue>, example: &mut ExampleEntry) {
        let Some(table) = self.table_of_numbers(value) else { return };
        for (key, value) in table.iter() {
            match key.get_ref().as_ref() {
                "dice" => example.dice = Some(self.rolled(value)),
                "keep" => example.keep = Some(self.integers(value)),
                _ => example.turn.extend(self.named_number(key, value)),
            }
        }
    }

    /// Reads a table of integers.
    fn numbers(&mut self, value: &Spanned<DeValue>) -> Vec<(Written<String>, i64)> {
        let Some(table) = self.table_of_numbers(value) else { return Vec::new() };
        table.iter().filter_map(|(key, value)| self.named_number(key, value)).collect()
    }

    fn table_of_numbers<'v, 'i>(
        &mut self,
        value: &'v Spanned<DeValue<'i>>,
    ) -> Option<Entries<'v, 'i>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong(value, "a table such as { score = 1, opponent = 2 }");
        }
        table
    }

    fn named_number(
        &mut self,
        key: &Spanned<std::borrow::Cow<str>>,
        value: &Spanned<DeValue>,
    ) -> Option<(Written<String>, i64)> {
        let name = Written { value: key.get_ref().to_string(), at: key.span().start };
        Some((name, self.number_or_flag(value)?))
    }

    fn rolled(&mut self, value: &Spanned<DeValue>) -> RolledEntry {
        if value.get_ref().is_integer() {
            return RolledEntry::Move(
                self.integer(value).unwrap_or(Written { value: 0, at: value.span().start }),
            );
        }
        let faces = self.array(value);
        RolledEntry::Faces(
            faces.iter().filter_map(|face| self.integer(face)).map(|face| face.value).collect(),
        )
    }

    fn number_or_flag(&mut self, value: &Spanned<DeValue>) -> Option<i64> {
        match value.get_ref().as_bool() {
            Some(flag) => Some(flag.into()),
            None => self.integer(value).map(|number| number.value),
        }
    }

    fn tables<T>(
        &mut self,
        value: &Spanned<DeValue>,
        read: fn(&mut Self, usize, Entries) -> T,
    ) -> Vec<T> {
        let mut read_all = Vec::new();
        if value.get_ref().is_table() {
            let fix = "write its heading in double brackets, as in [[rule]]";
            self.faults.add(value.span().start, "there may be several of these", fix);
            return read_all;
        }
        for entry in self.array(value) {
            match entry.get_ref().as_table() {
                Some(table) => read_all.push(read(self, entry.span().start, table)),
                None => self.wrong(entry, "a table"),
            }
        }
        read_all
    }

    fn array<'v, 'i>(&mut self, value: &'v Spanned<DeValue<'i>>) -> &'v [Spanned<DeValue<'i>>] {
        match value.get_ref().as_array() {
            Some(array) => &array[..],
            None => {
                self.wrong(value, "a list");
                &[]
            }
        }
    }

    /// Reads a string of limited length.
    fn string(&mut self, value: &Spanned<DeValue>) -> Option<Written<String>> {
        let text = self.visible(value)?;
        let length = text.value.chars().count();
        if length > limits::TEXT_CHARS {
            let message =
                format!("a text of {length} characters; at most {} are read", limits::TEXT_CHARS);
            self.faults.add(text.at, message, "write it shorter");
            return None;
        }
        Some(text)
    }

    /// Reads a string; control characters and invisible characters are refused.
    fn visible(&mut self, value: &Spanned<DeValue>) -> Option<Written<String>> {
        let Some(text) = value.get_ref().as_str() else {
            self.wrong(value, "a text in quotes");
            return None;
        };
        if let Some(c) = text.chars().find(|c| !matches!(c, '\n' | '\r' | '\t') && is_unseen(*c)) {
            let message =
                format!("this text has the character U+{:04X}, which cannot be seen", u32::from(c));
            self.faults.add(value.span().start, message, "leave it out");
            return None;
        }
        Some(Written { value: text.to_owned(), at: value.span().start })
    }

    /// Reads a string as one line: each run of white space becomes a space.
    fn line(&mut self, value: &Spanned<DeValue>) -> Option<Written<String>> {
        let text = self.string(value)?;
        Some(Written {
            value: text.value.split_whitespace().collect::<Vec<_>>().join(" "),
            at: text.at,
        })
    }

    fn integer(&mut self, value: &Spanned<DeValue>) -> Option<Written<i64>> {
        let digits = value.get_ref().as_integer();
        let number =
            digits.and_then(|n| i64::from_str_radix(&n.as_str().replace('_', ""), n.radix()).ok());
        match number {
            Some(number) => Some(Written { value: number, at: value.span().start }),
            None if digits.is_some() => {
                self.faults.add(
                    value.span().start,
                    "this number is too large",
                    "write a smaller one",
                );
                None
            }
            None => {
                self.wrong(value, "a whole number");
                None
            }
        }
    }

    /// Reads a formula in quotes, or a bare number, truth value or list of weights; the offset is
    /// that of the formula's first character.
    fn formula(&mut self, value: &Spanned<DeValue>) -> Option<Written<String>> {
        let at = value.span().start;
        match value.get_ref() {
            DeValue::String(_) => {}
            DeValue::Integer(_) => {
                return self.integer(value).map(|n| Written { value: n.value.to_string(), at });
            }
            DeValue::Boolean(flag) => return Some(Written { value: flag.to_string(), at }),
            DeValue::Array(_) => {
                let weights = self.array(value).iter().map(|weight| self.integer(weight));
                let weights: Option<Vec<i64>> = weights.map(|n| n.map(|n| n.value)).collect();
                return weights.map(|weights| Written { value: format!("{weights:?}"), at });
            }
            _ => {
                self.wrong(value, "a whole number, or a formula in quotes");
                return None;
            }
        }
        let formula = self.visible(value)?;
        let written = &self.text[value.span()];
        let quotes =
            if written.starts_with("\"\"\"") || written.starts_with("'''") { 3 } else { 1 };
        // TOML ignores a line end right after three quotes.
        let line_end = ["\r\n", "\n"]
            .iter()
            .find(|end| written[quotes..].starts_with(**end))
            .map_or(0, |end| end.len());
        Some(Written { at: formula.at + quotes + line_end, ..formula })
    }

    fn wrong(&mut self, value: &Spanned<DeValue>, needed: &str) {
        let found = value.get_ref().type_str();
        self.faults.add(
            value.span().start,
            format!("this is of type {found}"),
            format!("write {needed}"),
        );
    }

    fn unknown(&mut self, span: Range<usize>, key: &str, known: &[&str]) {
        let at_top = known == KEYS;
        let hooks = Hook::ALL.iter().map(|hook| hook.key()).filter(|_| at_top);
        let names: Vec<&str> = known.iter().copied().chain(hooks).collect();
        let is_compared = self.faults.len() < limits::COMPARED_FAULTS;
        let nearest = if is_compared { nearest(key, &names) } else { None };
        self.id_misread |= [Some(key), nearest].contains(&Some("id"));
        let fix = match nearest {
            _ if KEYS.contains(&key) => {
                "move it to the top of the file, above the first [[rule]] or other heading".into()
            }
            Some(hook) if !known.contains(&hook) => format!("`{hook}` belongs in a [[rule]]"),
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None if known.contains(&Hook::ZeroDice.key()) => {
                format!("use one of {}; numbers with names are under [numbers]", known.join(", "))
            }
            None => format!("use one of {}", known.join(", ")),
        };
        self.faults.add(span.start, format!("unknown key `{}`", shortened(key)), fix);
    }
}
