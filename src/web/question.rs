//! What is asked: the command line's words, from the query of a GET or the JSON body of a POST.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::endpoints::Endpoint;
use super::refusal::Refusal;
use crate::engine::TurnDice;
use crate::rules::{LARGEST_GOAL, builtins};

/// All words that questions may use; an endpoint takes some of them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Question {
    pub rules: Option<String>,
    pub file: Option<String>,
    pub goal: Option<u32>,
    pub max_dice: Option<u32>,
    pub score: Option<u32>,
    pub opponent: Option<u32>,
    pub memory: BTreeMap<String, i64>,
    pub strategy: Option<String>,
    pub against: Option<String>,
    pub dice: Option<TurnDice>,
    pub rolls: Vec<i32>,
    pub players: Vec<String>,
    pub seed: Option<u64>,
    pub layers: Vec<String>,
    pub top: Option<usize>,
    pub fraction: bool,
    pub number: Option<u32>,
    pub die: Option<u32>,
    pub entrants: Vec<String>,
    pub files: Vec<Upload>,
}

/// A strategy's file that comes with the question.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Upload {
    /// Its name, folders before it with a slash.
    pub name: String,
    /// Its text.
    pub text: Option<String>,
    /// Or its bytes.
    pub base64: Option<String>,
}

/// A word: its name, what kind of value it has, and what it means.
pub(super) struct Word {
    pub name: &'static str,
    pub kind: ValueKind,
    pub meaning: &'static str,
}

impl Word {
    /// The least and the largest value of a number.
    pub fn range(&self) -> (u64, u64) {
        match self.name {
            "goal" => (1, LARGEST_GOAL.into()),
            "seed" => (0, LARGEST_NUMBER),
            _ => (0, u32::MAX.into()),
        }
    }

    /// A value that is sound with most questions, as a query writes it, where no plain one would be.
    pub fn example(&self) -> Option<&'static str> {
        match self.name {
            // One that knows bids and has a baseline.
            "rules" => builtins()
                .iter()
                .find(|game| ["[bid]", "baseline ="].iter().all(|word| game.text.contains(word)))
                .map(|game| game.id),
            "strategy" => Some("always_roll:4"),
            "against" => Some("baseline"),
            _ => None,
        }
    }
}

/// What kind of value a word has, and how a query writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    Text,
    /// A whole number, not below 0.
    Number,
    /// `true` or `false`.
    Flag,
    /// Whole numbers: a list, in a query separated by commas.
    Numbers,
    /// Texts: a list, in a query the word once for each.
    Texts,
    /// The faces of dice, or a move below 0.
    Faces,
    /// Numbers by name; in a query `NAME=V`, once for each.
    Memory,
    /// Files, which only a body can hold.
    Files,
    /// A text that only a body can hold.
    LongText,
}

const fn word(name: &'static str, kind: ValueKind, meaning: &'static str) -> Word {
    Word { name, kind, meaning }
}

/// Every word.
pub(super) const WORDS: &[Word] = &[
    word("rules", ValueKind::Text, "The id or alias of a built-in game."),
    word("file", ValueKind::LongText, "The text of a rule file, in place of `rules`."),
    word("goal", ValueKind::Number, "Another goal than the rules'."),
    word("max_dice", ValueKind::Number, "Another largest number of dice than the rules'."),
    word("score", ValueKind::Number, "The score of the player to move."),
    word("opponent", ValueKind::Number, "The opponent's score."),
    word("memory", ValueKind::Memory, "Memories by name; those not named are as at the start of the game."),
    word(
        "strategy",
        ValueKind::Text,
        "A strategy by name, or the name of one of `files`, with `:FUNCTION` if it has several.",
    ),
    word("against", ValueKind::Text, "The strategy played against, likewise."),
    word("dice", ValueKind::Faces, "The faces of the dice, or a move below 0 that rolls nothing."),
    word("rolls", ValueKind::Numbers, "Numbers of dice."),
    word("players", ValueKind::Texts, "Player 0 and Player 1: a strategy, or `person`."),
    word("seed", ValueKind::Number, "Where the dice begin."),
    word("layers", ValueKind::Texts, "What to show beside best rolls and win rates: `spread`, `met`."),
    word("top", ValueKind::Number, "How many positions to list."),
    word("fraction", ValueKind::Flag, "Whether the exact win rate is wanted as a fraction."),
    word("number", ValueKind::Number, "How many dice."),
    word("die", ValueKind::Number, "How many sides a die has."),
    word("entrants", ValueKind::Texts, "Strategies by name that take part beside those in `files`."),
    word("files", ValueKind::Files, "Strategies' files: .py, .csv, .npy, .txt or .hog."),
];

pub(super) fn word_named(name: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.name == name)
}

/// The largest whole number that a question may hold: JSON's readers agree up to here.
pub(super) const LARGEST_NUMBER: u64 = 1 << 53;

impl Question {
    /// From the query of a GET.
    pub fn from_query(endpoint: &Endpoint, query: &str) -> Result<Self, Refusal> {
        let pairs: Vec<(String, String)> = form_pairs(query)?;
        let mut document = Map::new();
        for (name, text) in pairs {
            let word = taken(endpoint, &name)?;
            let wrong = |wanted: &str| Refusal::malformed(format!("{name}={text}: {wanted}"));
            let number = |text: &str| text.trim().parse::<i64>().map_err(|_| wrong("give a whole number"));
            let value = match word.kind {
                ValueKind::Text => json!(text),
                ValueKind::Number => json!(number(&text)?),
                ValueKind::Flag => json!(text.parse::<bool>().map_err(|_| wrong("give true or false"))?),
                ValueKind::Faces if text.trim_start().starts_with('-') => json!(number(&text)?),
                ValueKind::Numbers | ValueKind::Faces => {
                    let parts = text.split(',').filter(|part| !part.trim().is_empty());
                    json!(parts.map(number).collect::<Result<Vec<i64>, _>>()?)
                }
                ValueKind::Texts => {
                    let list = document.entry(name.clone()).or_insert_with(|| json!([]));
                    list.as_array_mut().into_iter().for_each(|list| list.push(json!(text)));
                    continue;
                }
                ValueKind::Memory => {
                    let (memory, value) = text.split_once('=').ok_or_else(|| wrong("write NAME=V"))?;
                    let value = number(value)?;
                    let list = document.entry(name.clone()).or_insert_with(|| json!({}));
                    list.as_object_mut().into_iter().for_each(|list| drop(list.insert(memory.into(), json!(value))));
                    continue;
                }
                ValueKind::Files | ValueKind::LongText => return Err(wrong("send it in the body of a POST")),
            };
            if document.insert(name.clone(), value).is_some() {
                return Err(Refusal::malformed(format!("{name} is given twice")));
            }
        }
        Self::from_value(endpoint, Value::Object(document))
    }

    /// From the body of a POST.
    pub fn from_body(endpoint: &Endpoint, body: &[u8]) -> Result<Self, Refusal> {
        if values(body) > MOST_VALUES {
            return Err(Refusal::malformed(format!("a question holds at most {MOST_VALUES} values")));
        }
        let value = serde_json::from_slice(body).map_err(|error| Refusal::malformed(format!("no JSON: {error}")))?;
        Self::from_value(endpoint, value)
    }

    /// The names of all strategies it asks about.
    pub fn strategies(&self) -> Vec<&str> {
        self.strategy.iter().chain(&self.against).chain(&self.players).map(String::as_str).collect()
    }

    fn from_value(endpoint: &Endpoint, value: Value) -> Result<Self, Refusal> {
        let Value::Object(document) = &value else {
            return Err(Refusal::malformed("a question is a JSON object of words and values"));
        };
        for name in document.keys() {
            taken(endpoint, name)?;
        }
        let missing = endpoint.required.iter().find(|name| !document.contains_key(**name));
        if let Some(name) = missing {
            return Err(Refusal::malformed(format!("`{name}` is missing: {}", meaning(name))));
        }
        if endpoint.words.contains(&"rules") && document.contains_key("rules") == document.contains_key("file") {
            return Err(Refusal::malformed("name a game with `rules`, or send a rule file as `file`"));
        }
        if let Some(name) = document.iter().find(|(_, value)| value.is_null()).map(|(name, _)| name) {
            return Err(Refusal::malformed(format!("`{name}` is null: give a value, or leave it out")));
        }
        serde_json::from_value(with_whole_numbers(value)).map_err(|error| Refusal::malformed(error.to_string()))
    }
}

/// JSON does not tell 64.0 from 64, and some programs write every number like the first.
fn with_whole_numbers(value: Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(float) if float.fract() == 0.0 && float.abs() <= LARGEST_NUMBER as f64 => json!(float as i64),
            _ => Value::Number(number),
        },
        Value::Array(items) => Value::Array(items.into_iter().map(with_whole_numbers).collect()),
        Value::Object(entries) => {
            Value::Object(entries.into_iter().map(|(name, value)| (name, with_whole_numbers(value))).collect())
        }
        other => other,
    }
}

/// The most values of a question, counted with their names: each takes more memory than it has letters.
const MOST_VALUES: usize = 20_000;

/// How many values a document of JSON has at most, counted before it is read.
fn values(body: &[u8]) -> usize {
    let (mut values, mut in_text, mut escaped) = (1, false, false);
    for byte in body {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b',' | b':' | b'[' | b'{' if !in_text => values += 1,
            _ => {}
        }
    }
    values
}

fn meaning(name: &str) -> &'static str {
    word_named(name).map_or("", |word| word.meaning)
}

fn taken(endpoint: &Endpoint, name: &str) -> Result<&'static Word, Refusal> {
    let known = word_named(name).filter(|word| endpoint.words.contains(&word.name));
    known.ok_or_else(|| {
        let words = if endpoint.words.is_empty() { "nothing".to_owned() } else { endpoint.words.join(", ") };
        Refusal::malformed(format!("{} takes no `{name}`; it takes {words}", endpoint.name))
    })
}

fn form_pairs(query: &str) -> Result<Vec<(String, String)>, Refusal> {
    let uri: axum::http::Uri = format!("/?{query}").parse().map_err(|_| Refusal::malformed("no query"))?;
    let axum::extract::Query(pairs) = axum::extract::Query::try_from_uri(&uri)
        .map_err(|error| Refusal::malformed(format!("the query cannot be read: {error}")))?;
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::endpoints::ENDPOINTS;

    #[test]
    fn numbers_are_whole_however_they_are_written_and_null_is_none() {
        let best = ENDPOINTS.iter().find(|endpoint| endpoint.name == "best").unwrap();
        let question = |body: &str| Question::from_body(best, body.as_bytes());
        let asked = question(r#"{"rules":"fa19","score":2.0e1,"opponent":36.0,"memory":{"last_dice":4.0}}"#).unwrap();
        assert_eq!((asked.score, asked.opponent, asked.memory["last_dice"]), (Some(20), Some(36), 4));
        for (body, word) in [
            (r#"{"rules":"fa19","score":20.5,"opponent":36}"#, "20.5"),
            (r#"{"rules":"fa19","score":20,"opponent":36,"goal":null}"#, "`goal` is null"),
        ] {
            assert!(question(body).unwrap_err().view.error.message.contains(word), "{body}");
        }
    }

    #[test]
    fn a_body_of_many_values_is_not_read() {
        let play = ENDPOINTS.iter().find(|endpoint| endpoint.name == "play").unwrap();
        let question = |rolls: usize, seed: &str| {
            let body = json!({ "rules": "fa21", "players": [seed, "optimal"], "seed": 1, "rolls": vec![4; rolls] });
            Question::from_body(play, body.to_string().as_bytes())
        };
        assert_eq!(question(1000, "a, \"quoted\" [name] \\").unwrap().rolls.len(), 1000);
        assert!(question(1, &",[{:".repeat(MOST_VALUES)).is_ok());
        assert!(question(MOST_VALUES, "").unwrap_err().view.error.message.contains("values"));
        let dice = format!("{{\"dice\":{}", "[".repeat(MOST_VALUES));
        assert!(Question::from_body(play, dice.as_bytes()).unwrap_err().view.error.message.contains("values"));
    }
}
