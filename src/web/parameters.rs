//! The parameters of a request, from the query string of a GET or the JSON body of a POST.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::endpoints::Endpoint;
use super::refusal::Refusal;
use crate::files::escape::shortened;
use crate::queries::TurnDice;
use crate::rules::{LARGEST_GOAL, builtins};

/// The values of all parameters; each endpoint accepts some of them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Parameters {
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
    /// The same as a document, without the files.
    #[serde(skip)]
    pub document: Value,
}

/// An uploaded file of a strategy.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Upload {
    /// The relative path, with slashes between folders.
    pub name: String,
    /// The contents as text; either this or `base64` is given.
    pub text: Option<String>,
    /// The contents in base64.
    pub base64: Option<String>,
}

/// A parameter: its name, the kind of its value, and its meaning.
pub(super) struct Parameter {
    pub name: &'static str,
    pub kind: ValueKind,
    pub meaning: &'static str,
}

impl Parameter {
    /// Returns the smallest and the largest value of a number.
    pub fn range(&self) -> (u64, u64) {
        match self.name {
            "goal" => (1, LARGEST_GOAL.into()),
            "seed" => (0, LARGEST_NUMBER),
            _ => (0, u32::MAX.into()),
        }
    }

    /// Returns an example in query syntax that is valid at most endpoints, for texts that cannot be
    /// arbitrary.
    pub fn example(&self) -> Option<&'static str> {
        match self.name {
            // A game with bids and a baseline.
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

/// The kind of a parameter's value, and its syntax in a query string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    Text,
    /// A non-negative integer.
    Number,
    /// `true` or `false`.
    Flag,
    /// A list of integers, separated by commas in a query string.
    Numbers,
    /// A list of texts; in a query string the parameter is repeated for each.
    Texts,
    /// The faces of dice, or a negative number for a move that rolls nothing.
    Faces,
    /// Numbers by name; in a query string the parameter is repeated as `NAME=V` for each.
    Memory,
    /// Files; only in a body.
    Files,
    /// A long text; only in a body.
    LongText,
}

impl ValueKind {
    /// Returns what a value in a body must be.
    fn in_words(self) -> &'static str {
        match self {
            Self::Text | Self::LongText => "a text",
            Self::Number => "a whole number from 0",
            Self::Flag => "true or false",
            Self::Numbers => "a list of whole numbers",
            Self::Texts => "a list of texts",
            Self::Faces => {
                "a list of faces, each a whole number from 1, or a negative whole number"
            }
            Self::Memory => "an object of names and whole numbers",
            Self::Files => {
                "a list of objects with the texts `name` and `text`, or `name` and `base64`"
            }
        }
    }
}

const fn parameter(name: &'static str, kind: ValueKind, meaning: &'static str) -> Parameter {
    Parameter { name, kind, meaning }
}

/// All parameters.
pub(super) const PARAMETERS: &[Parameter] = &[
    parameter("rules", ValueKind::Text, "The id or alias of a built-in game."),
    parameter("file", ValueKind::LongText, "The text of a rule file, in place of `rules`."),
    parameter("goal", ValueKind::Number, "A goal that replaces that of the rules."),
    parameter(
        "max_dice",
        ValueKind::Number,
        "A largest number of dice that replaces that of the rules.",
    ),
    parameter("score", ValueKind::Number, "The score of the player to move."),
    parameter("opponent", ValueKind::Number, "The opponent's score."),
    parameter(
        "memory",
        ValueKind::Memory,
        "Values of memories by name; those not given have their value at the start of the game.",
    ),
    parameter(
        "strategy",
        ValueKind::Text,
        "A strategy by name, or the name of one of `files`, with `:FUNCTION` if it has several.",
    ),
    parameter("against", ValueKind::Text, "The opponent's strategy, given like `strategy`."),
    parameter(
        "dice",
        ValueKind::Faces,
        "The faces of the dice, or a negative number for a move that rolls nothing.",
    ),
    parameter("rolls", ValueKind::Numbers, "Numbers of dice."),
    parameter("players", ValueKind::Texts, "Player 0 and Player 1, each a strategy or `person`."),
    parameter("seed", ValueKind::Number, "The seed of the dice."),
    parameter(
        "layers",
        ValueKind::Texts,
        "What to show besides best rolls and win rates: `spread`, `met`, `hold`.",
    ),
    parameter("top", ValueKind::Number, "The number of positions to list."),
    parameter(
        "fraction",
        ValueKind::Flag,
        "Whether to return the exact win rate as a fraction too.",
    ),
    parameter("number", ValueKind::Number, "The number of dice."),
    parameter("die", ValueKind::Number, "The number of sides of each die."),
    parameter(
        "entrants",
        ValueKind::Texts,
        "Strategies by name that take part in addition to those in `files`.",
    ),
    parameter(
        "files",
        ValueKind::Files,
        "Files of strategies: .py, .csv, .npy, .txt, .strat, .json or .hog.",
    ),
];

pub(super) fn parameter_named(name: &str) -> Option<&'static Parameter> {
    PARAMETERS.iter().find(|parameter| parameter.name == name)
}

/// The largest integer in a request: all JSON readers represent integers up to here exactly.
pub(super) const LARGEST_NUMBER: u64 = 1 << 53;

impl Parameters {
    /// Reads the query string of a GET.
    pub fn from_query(endpoint: &Endpoint, query: &str) -> Result<Self, Refusal> {
        let pairs: Vec<(String, String)> = form_pairs(query)?;
        let mut document = Map::new();
        for (name, text) in pairs {
            let parameter = accepted(endpoint, &name)?;
            let wrong = |wanted: &str| Refusal::malformed(format!("{name}={text}: {wanted}"));
            let number =
                |text: &str| text.trim().parse::<i64>().map_err(|_| wrong("give a whole number"));
            let value = match parameter.kind {
                ValueKind::Text => json!(text),
                ValueKind::Number => json!(number(&text)?),
                ValueKind::Flag => {
                    json!(text.parse::<bool>().map_err(|_| wrong("give true or false"))?)
                }
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
                    let (memory, value) =
                        text.split_once('=').ok_or_else(|| wrong("write NAME=V"))?;
                    let value = number(value)?;
                    let list = document.entry(name.clone()).or_insert_with(|| json!({}));
                    let list = list.as_object_mut().expect("this parameter is always an object");
                    if list.insert(memory.into(), json!(value)).is_some() {
                        return Err(wrong("a memory is given twice"));
                    }
                    continue;
                }
                ValueKind::Files | ValueKind::LongText => {
                    return Err(wrong("send it in the body of a POST"));
                }
            };
            if document.insert(name.clone(), value).is_some() {
                return Err(Refusal::malformed(format!("{name} is given twice")));
            }
        }
        Self::from_value(endpoint, Value::Object(document))
    }

    /// Reads the body of a POST.
    pub fn from_body(endpoint: &Endpoint, body: &[u8]) -> Result<Self, Refusal> {
        if values(body) > MOST_VALUES {
            return Err(Refusal::malformed(format!(
                "a request holds at most {MOST_VALUES} values"
            )));
        }
        let value = serde_json::from_slice(body)
            .map_err(|error| Refusal::malformed(format!("the body is not valid JSON: {error}")))?;
        Self::from_value(endpoint, value)
    }

    /// Returns the names of all strategies in these parameters, except the entrants of a contest.
    pub fn strategies(&self) -> Vec<&str> {
        self.strategy.iter().chain(&self.against).chain(&self.players).map(String::as_str).collect()
    }

    fn from_value(endpoint: &Endpoint, value: Value) -> Result<Self, Refusal> {
        let Value::Object(document) = &value else {
            return Err(Refusal::malformed(
                "a request is a JSON object of parameters and their values",
            ));
        };
        for name in document.keys() {
            accepted(endpoint, name)?;
        }
        let missing = endpoint.required.iter().find(|name| !document.contains_key(**name));
        if let Some(name) = missing {
            return Err(Refusal::malformed(format!("`{name}` is missing: {}", meaning(name))));
        }
        if endpoint.parameters.contains(&"rules")
            && document.contains_key("rules") == document.contains_key("file")
        {
            return Err(Refusal::malformed(
                "name a game with `rules`, or send a rule file as `file`",
            ));
        }
        if let Some(name) = document.iter().find(|(_, value)| value.is_null()).map(|(name, _)| name)
        {
            return Err(Refusal::malformed(format!(
                "`{name}` is null: give a value, or leave it out"
            )));
        }
        let value = with_whole_numbers(value);
        let parameters = Self::deserialize(&value).map_err(|error| {
            let alone = |(name, value): (&String, &Value)| {
                Self::deserialize(json!({ name: value })).is_err()
            };
            let wrong = value.as_object().into_iter().flatten().find(|entry| alone(*entry));
            let message = wrong.and_then(|(name, value)| {
                let wanted = parameter_named(name)?.kind.in_words();
                Some(format!("`{name}` must be {wanted}, not {}", shortened(&value.to_string())))
            });
            Refusal::malformed(message.unwrap_or_else(|| error.to_string()))
        })?;
        let mut document = value;
        document.as_object_mut().map(|document| document.remove("files"));
        Ok(Self { document, ..parameters })
    }
}

/// Converts floats with integral values to integers: JSON does not distinguish 64.0 from 64, and
/// some programs write every number in the first form.
fn with_whole_numbers(value: Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(float) if float.fract() == 0.0 && float.abs() <= LARGEST_NUMBER as f64 => {
                json!(float as i64)
            }
            _ => Value::Number(number),
        },
        Value::Array(items) => Value::Array(items.into_iter().map(with_whole_numbers).collect()),
        Value::Object(entries) => Value::Object(
            entries.into_iter().map(|(name, value)| (name, with_whole_numbers(value))).collect(),
        ),
        other => other,
    }
}

/// The most values in a body, names included: a parsed value takes more memory than its text.
const MOST_VALUES: usize = 20_000;

/// Returns an upper bound on the number of values in a JSON document, without parsing it.
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
    parameter_named(name).map_or("", |parameter| parameter.meaning)
}

fn accepted(endpoint: &Endpoint, name: &str) -> Result<&'static Parameter, Refusal> {
    let known =
        parameter_named(name).filter(|parameter| endpoint.parameters.contains(&parameter.name));
    known.ok_or_else(|| {
        let accepted = if endpoint.parameters.is_empty() {
            "nothing".to_owned()
        } else {
            endpoint.parameters.join(", ")
        };
        Refusal::malformed(format!("{} takes no `{name}`; it takes {accepted}", endpoint.name))
    })
}

fn form_pairs(query: &str) -> Result<Vec<(String, String)>, Refusal> {
    let uri: axum::http::Uri = format!("/?{query}")
        .parse()
        .map_err(|_| Refusal::malformed("the query string is malformed"))?;
    let axum::extract::Query(pairs) = axum::extract::Query::try_from_uri(&uri)
        .map_err(|error| Refusal::malformed(format!("the query cannot be read: {error}")))?;
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::endpoints::ENDPOINTS;

    #[test]
    fn floats_with_integral_values_are_integers_and_null_is_refused() {
        let best = ENDPOINTS.iter().find(|endpoint| endpoint.name == "best").unwrap();
        let read = |body: &str| Parameters::from_body(best, body.as_bytes());
        let parameters =
            read(r#"{"rules":"fa19","score":2.0e1,"opponent":36.0,"memory":{"last_dice":4.0}}"#)
                .unwrap();
        assert_eq!(
            (parameters.score, parameters.opponent, parameters.memory["last_dice"]),
            (Some(20), Some(36), 4)
        );
        for (body, word) in [
            (
                r#"{"rules":"fa19","score":20.5,"opponent":36}"#,
                "`score` must be a whole number from 0, not 20.5",
            ),
            (
                r#"{"rules":"fa19","score":20,"opponent":-1}"#,
                "`opponent` must be a whole number from 0, not -1",
            ),
            (
                r#"{"rules":"fa19","score":20,"opponent":3,"memory":[1]}"#,
                "`memory` must be an object of names and",
            ),
            (r#"{"rules":"fa19","score":20,"opponent":36,"goal":null}"#, "`goal` is null"),
        ] {
            assert!(read(body).unwrap_err().view.error.message.contains(word), "{body}");
        }
    }

    #[test]
    fn a_body_with_too_many_values_is_refused() {
        let play = ENDPOINTS.iter().find(|endpoint| endpoint.name == "play").unwrap();
        let read = |rolls: usize, seed: &str| {
            let body = json!({ "rules": "fa21", "players": [seed, "optimal"], "seed": 1, "rolls": vec![4; rolls] });
            Parameters::from_body(play, body.to_string().as_bytes())
        };
        assert_eq!(read(1000, "a, \"quoted\" [name] \\").unwrap().rolls.len(), 1000);
        assert!(read(1, &",[{:".repeat(MOST_VALUES)).is_ok());
        assert!(read(MOST_VALUES, "").unwrap_err().view.error.message.contains("values"));
        let dice = format!("{{\"dice\":{}", "[".repeat(MOST_VALUES));
        assert!(
            Parameters::from_body(play, dice.as_bytes())
                .unwrap_err()
                .view
                .error
                .message
                .contains("values")
        );
    }
}
