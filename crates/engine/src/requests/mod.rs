//! Requests in JSON, as programs send them that ask for others: the server and the browser's tab.
//!
//! An [`Endpoint`] is a question with its parameters, which are those of its request, with their
//! meanings and kinds. It reads a request ([`ReadRequest`]); the files that came with it are
//! [`Uploads`]; [`ReadRequest::document`] is the answer.

mod asked;
mod progress;
mod uploads;

pub use asked::{AskedLine, Questions, Reply, error_line, result_line};
pub use progress::ProgressLines;
pub use uploads::Uploads;

use std::path::Path;
use std::slice;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Engine;
use crate::engine::Error;
use crate::files::escape::shortened;
use crate::queries::{Bounded, ErrorAnswer, QueryEntry, Request};

/// A question that a program can ask in JSON.
pub struct Endpoint {
    /// The question.
    pub query: &'static QueryEntry,
    /// What it asks.
    pub meaning: String,
    /// What a request may give.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a question.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The kind of its value.
    pub kind: ValueKind,
    /// Whether a request must give it.
    pub is_required: bool,
    /// The schema of its value, with its meaning.
    pub schema: Value,
}

/// The kind of a parameter's value, and its syntax in a query string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A text.
    Text,
    /// A non-negative integer.
    Number,
    /// An integer.
    Integer,
    /// A number in the range that its schema names.
    Real,
    /// `true` or `false`.
    Flag,
    /// A list of integers, separated by commas in a query string.
    Numbers,
    /// A list of texts; in a query string the parameter is repeated for each.
    Texts,
    /// A list of lists of integers; in a query string the parameter is repeated for each.
    Lists,
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
    /// Returns the kind of the values that a schema describes.
    fn of(schema: &Value) -> Self {
        if schema.get("contentMediaType").is_some() {
            return Self::LongText;
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null"),
            kind => Some(kind),
        };
        match kind.and_then(Value::as_str) {
            Some("integer") if schema.get("minimum").is_some() => Self::Number,
            Some("integer") => Self::Integer,
            Some("number") => Self::Real,
            Some("boolean") => Self::Flag,
            Some("object") => Self::Memory,
            Some("array") if schema["items"]["type"] == "integer" => Self::Numbers,
            Some("array") if schema["items"]["type"] == "array" => Self::Lists,
            Some("array") => Self::Texts,
            _ if has_lists(schema) => Self::Faces,
            _ => Self::Text,
        }
    }

    /// Reads a value of a query string, or returns what to write instead.
    fn parsed(self, text: &str) -> Result<Value, &'static str> {
        Ok(match self {
            Self::Text => json!(text),
            Self::Number | Self::Integer => json!(integer(text)?),
            Self::Real => json!(text.trim().parse::<f64>().map_err(|_| "give a number")?),
            Self::Flag => json!(text.parse::<bool>().map_err(|_| "give true or false")?),
            Self::Faces if text.trim_start().starts_with('-') => json!(integer(text)?),
            Self::Numbers | Self::Faces => json!(integers(text)?),
            Self::Lists => json!([integers(text)?]),
            Self::Texts => json!([text]),
            Self::Memory => {
                let (memory, value) = text.split_once('=').ok_or("write NAME=V")?;
                json!({ memory: integer(value)? })
            }
            Self::Files | Self::LongText => return Err("send it in the body of a POST"),
        })
    }

    /// Returns what a value in a body must be.
    fn in_words(self, schema: &Value) -> String {
        let words = match self {
            Self::Real => {
                return format!("a number from {} to {}", schema["minimum"], schema["maximum"]);
            }
            Self::Text | Self::LongText => "a text",
            Self::Number => "a whole number from 0",
            Self::Integer => "a whole number",
            Self::Flag => "true or false",
            Self::Numbers => "a list of whole numbers",
            Self::Texts => "a list of texts",
            Self::Lists => "a list of lists of whole numbers",
            Self::Faces => {
                "a list of faces, each a whole number from 1, or a negative whole number"
            }
            Self::Memory => "an object of names and whole numbers",
            Self::Files => {
                "a list of objects with the texts `name` and `text`, or `name` and `base64`"
            }
        };
        words.to_owned()
    }

    /// Returns whether a value in a body is of this kind.
    fn holds(self, schema: &Value, value: &Value) -> bool {
        let most = if schema["format"] == "uint32" { u32::MAX.into() } else { u64::MAX };
        match self {
            Self::Text | Self::LongText => value.is_string(),
            Self::Number => value.as_u64().is_some_and(|number| number <= most),
            Self::Integer => is_whole(value),
            Self::Real => value.as_f64().is_some_and(|number| {
                let least = schema["minimum"].as_f64().unwrap_or(f64::MIN);
                let most = schema["maximum"].as_f64().unwrap_or(f64::MAX);
                (least..=most).contains(&number)
            }),
            Self::Flag => value.is_boolean(),
            Self::Numbers => is_list_of(value, is_whole),
            Self::Texts => is_list_of(value, Value::is_string),
            Self::Lists => is_list_of(value, |list| is_list_of(list, is_whole)),
            Self::Faces => {
                is_whole(value) || is_list_of(value, |face| face.is_u64() && is_whole(face))
            }
            Self::Memory => {
                value.as_object().is_some_and(|values| values.values().all(Value::is_i64))
            }
            Self::Files => Vec::<Upload>::deserialize(value).is_ok(),
        }
    }
}

/// Whether a schema allows a list among other values.
fn has_lists(schema: &Value) -> bool {
    let branches = schema["anyOf"].as_array();
    branches.is_some_and(|branches| branches.iter().any(|branch| branch["type"] == "array"))
}

/// Reads a whole number of a query string.
fn integer(text: &str) -> Result<i64, &'static str> {
    text.trim().parse().map_err(|_| "give a whole number")
}

/// Reads the whole numbers, separated by commas, of a query string.
fn integers(text: &str) -> Result<Vec<i64>, &'static str> {
    text.split(',').filter(|part| !part.trim().is_empty()).map(integer).collect()
}

fn is_whole(value: &Value) -> bool {
    value.as_i64().is_some_and(|number| i32::try_from(number).is_ok())
}

fn is_list_of(value: &Value, fits: impl Fn(&Value) -> bool) -> bool {
    value.as_array().is_some_and(|values| values.iter().all(fits))
}

impl Endpoint {
    /// The endpoint of a question.
    pub fn new(query: &'static QueryEntry) -> Self {
        let schema = (query.request)().to_value();
        let properties = schema["properties"].as_object().cloned().unwrap_or_default();
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut parameters = Vec::with_capacity(properties.len());
        for (name, schema) in properties {
            parameters.push(Parameter {
                kind: ValueKind::of(&schema),
                is_required: required.contains(&name.as_str()),
                schema: without_null(schema),
                name,
            });
        }
        if parameters.iter().any(Parameter::names_strategies) {
            parameters.push(files());
        }
        parameters.extend(form(query));
        let meaning = schema["description"].as_str().unwrap_or_default().to_owned();
        Self { query, meaning, parameters }
    }

    /// Whether it is about a game, which is named or sent.
    pub fn takes_game(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.name == "file")
    }

    /// Reads the names and values of a query string.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`].
    pub fn read_pairs(&self, pairs: Vec<(String, String)>) -> Result<ReadRequest, Error> {
        let mut document = Map::new();
        for (name, text) in pairs {
            let parameter = self.accepted(&name)?;
            let value = parameter
                .kind
                .parsed(&text)
                .map_err(|wanted| Error::malformed_by(&name, format!("{name}={text}: {wanted}")))?;
            match (document.get_mut(&name), value) {
                (None, value) => drop(document.insert(name, value)),
                (Some(Value::Array(list)), Value::Array(more))
                    if matches!(parameter.kind, ValueKind::Texts | ValueKind::Lists) =>
                {
                    list.extend(more);
                }
                (Some(Value::Object(memories)), Value::Object(more)) => {
                    for (memory, value) in more {
                        if memories.insert(memory, value).is_some() {
                            let fault = format!("{name}={text}: a memory is given twice");
                            return Err(Error::malformed_by(&name, fault));
                        }
                    }
                }
                _ => return Err(Error::malformed_by(&name, format!("{name} is given twice"))),
            }
        }
        self.read(document)
    }

    /// Reads a JSON document.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`].
    pub fn read_body(&self, body: &[u8]) -> Result<ReadRequest, Error> {
        self.read(object(body)?)
    }

    fn read(&self, mut document: Map<String, Value>) -> Result<ReadRequest, Error> {
        let mut strategies = Vec::new();
        for (name, value) in &document {
            let parameter = self.accepted(name)?;
            if value.is_null() {
                let fault = format!("`{name}` is null: give a value, or leave it out");
                return Err(Error::malformed_by(name, fault));
            }
            if !parameter.kind.holds(&parameter.schema, value) {
                let shown = shortened(&value.to_string());
                let wanted = parameter.kind.in_words(&parameter.schema);
                let fault = format!("`{name}` must be {wanted}, not {shown}");
                return Err(Error::malformed_by(name, fault));
            }
            if parameter.names_strategies() {
                let names = value.as_array().map_or(slice::from_ref(value), Vec::as_slice);
                strategies.extend(names.iter().filter_map(Value::as_str).map(str::to_owned));
            }
        }
        for parameter in &self.parameters {
            if parameter.is_required && !document.contains_key(&parameter.name) {
                let meaning = parameter.schema["description"].as_str().unwrap_or_default();
                let fault = format!("`{}` is missing: {meaning}", parameter.name);
                return Err(Error::malformed_by(&parameter.name, fault));
            }
        }
        let files = document.remove("files").unwrap_or_else(|| json!([]));
        let files =
            serde_json::from_value(files).map_err(|error| Error::malformed(error.to_string()))?;
        let request = self.query.request_of(Value::Object(document))?;
        Ok(ReadRequest { request, files, strategies, other_files: self.query.other_files })
    }

    fn accepted(&self, name: &str) -> Result<&Parameter, Error> {
        self.parameters.iter().find(|parameter| parameter.name == name).ok_or_else(|| {
            let names: Vec<&str> =
                self.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let names = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
            let fault = format!("{} takes no `{name}`; it takes {names}", self.query.name);
            Error::malformed_by(name, fault)
        })
    }
}

impl Parameter {
    /// Whether its value names strategies, which may be files of the request.
    fn names_strategies(&self) -> bool {
        self.schema["format"] == "strategy" || self.schema["items"]["format"] == "strategy"
    }
}

/// The parameter with the files of a request.
fn files() -> Parameter {
    let schema = json!({
        "description": "Files of strategies: .py, .csv, .npy, .txt, .strat, .json or .hog.",
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "text": { "type": "string" },
                "base64": { "type": "string", "contentEncoding": "base64" },
            },
            "required": ["name"],
            "additionalProperties": false,
        },
    });
    Parameter { name: "files".into(), kind: ValueKind::Files, is_required: false, schema }
}

/// The parameter with the form of the file that an answer brings, if the question has files.
fn form(query: &QueryEntry) -> Option<Parameter> {
    let forms = query.text_forms();
    let contents = query.writes.filter(|_| !forms.is_empty())?.contents;
    let schema = json!({
        "description": format!("Brings {contents} as the text `file` of the answer, in this form."),
        "type": "string",
        "enum": forms,
    });
    Some(Parameter { name: "to".into(), kind: ValueKind::Text, is_required: false, schema })
}

/// Removes null from the values that a schema allows: a parameter that has none is left out.
fn without_null(mut schema: Value) -> Value {
    if let Some(kinds) = schema["type"].as_array_mut() {
        kinds.retain(|kind| kind != "null");
        if let [only] = &kinds[..] {
            schema["type"] = only.clone();
        }
    }
    if let Some(branches) = schema.get_mut("anyOf").and_then(Value::as_array_mut) {
        branches.retain(|branch| branch["type"] != "null");
    }
    schema
}

/// A request that was read.
pub struct ReadRequest {
    /// The request.
    pub request: Box<dyn Request>,
    /// The files that came with it.
    pub files: Vec<Upload>,
    /// The names of all strategies in the request.
    pub strategies: Vec<String>,
    /// The names of the files that it takes besides those of strategies.
    other_files: &'static [&'static str],
}

/// Why a request has no answer, and the document that says so.
#[derive(Debug)]
pub struct Failure {
    /// The reason.
    pub error: Box<Error>,
    /// The document, without the names of temporary folders.
    pub answer: ErrorAnswer,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let answer = ErrorAnswer::from(&error);
        Self { error: Box::new(error), answer }
    }
}

impl ReadRequest {
    /// Writes the files of the request into a new folder below `root`, which is deleted with the
    /// result.
    ///
    /// # Errors
    /// Returns an error if a name is not allowed, or the files cannot be written.
    pub fn uploads(&self, root: &Path) -> Result<Arc<Uploads>, Error> {
        Uploads::write(root, &self.files, &self.strategies, self.other_files).map(Arc::new)
    }

    /// Answers the request, as a JSON document. Names of strategies mean the files that were sent,
    /// or without `uploads` files of this machine.
    ///
    /// # Errors
    /// Returns the reason if there is no answer, or it is larger than `largest` bytes.
    pub fn document(
        &self,
        engine: Engine,
        uploads: Option<&Arc<Uploads>>,
        largest: usize,
    ) -> Result<Vec<u8>, Failure> {
        let engine = match uploads {
            Some(uploads) => engine.naming(Arc::<Uploads>::clone(uploads)),
            None => engine,
        };
        match self.answered(&engine, largest) {
            Ok(document) => Ok(match uploads {
                Some(uploads) => uploads.without_folder(document),
                None => document,
            }),
            Err(error) => {
                let mut failure = Failure::from(error);
                let shown = serde_json::to_vec(&failure.answer).unwrap_or_default();
                if let Some(uploads) = uploads
                    && let Ok(answer) = serde_json::from_slice(&uploads.without_folder(shown))
                {
                    failure.answer = answer;
                }
                Err(failure)
            }
        }
    }

    fn answered(&self, engine: &Engine, largest: usize) -> Result<Vec<u8>, Error> {
        let answer = self.request.answer(&engine.call())?;
        let mut out = Bounded::new(largest);
        match answer.json(&mut out) {
            Err(_) if out.is_full => Err(Error::AnswerTooLarge { mebibytes: largest >> 20 }),
            Err(error) => Err(Error::Storage(error)),
            Ok(()) => Ok(out.bytes),
        }
    }
}

/// Says where a request is not JSON, which most are one line of.
fn not_json(error: &serde_json::Error) -> String {
    if error.is_eof() {
        return "the request is not JSON: it ends before its last bracket or quote".to_owned();
    }
    let line = if error.line() > 1 { format!("line {}, ", error.line()) } else { String::new() };
    let column = error.column();
    format!(
        "the request is not JSON: {line}column {column} is wrong; write an object, as in \
         {{\"rules\":\"fa21\"}}"
    )
}

/// Reads the object of a request, in which floats with integral values are integers.
fn object(body: &[u8]) -> Result<Map<String, Value>, Error> {
    if values(body) > MOST_VALUES {
        return Err(Error::malformed(format!("a request holds at most {MOST_VALUES} values")));
    }
    let value = serde_json::from_slice(body).map_err(|error| Error::malformed(not_json(&error)))?;
    match with_whole_numbers(value) {
        Value::Object(document) => Ok(document),
        _ => Err(Error::malformed("a request is a JSON object of parameters and their values")),
    }
}

/// An uploaded file of a strategy.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Upload {
    /// The relative path, with slashes between folders.
    pub name: String,
    /// The contents as text; either this or `base64` is given.
    pub text: Option<String>,
    /// The contents in base64.
    pub base64: Option<String>,
}

/// The largest integer in a request: all JSON readers represent integers up to here exactly.
pub const LARGEST_NUMBER: u64 = 1 << 53;

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
const MOST_VALUES: usize = 50_000;

/// Returns an upper bound on the number of values in a JSON document, without parsing it.
fn values(body: &[u8]) -> usize {
    let mut values = 1;
    let mut in_text = false;
    let mut escaped = false;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queries::QUERIES;

    fn endpoint(name: &str) -> Endpoint {
        Endpoint::new(QUERIES.iter().find(|query| query.name == name).unwrap())
    }

    #[test]
    fn the_kind_of_a_number_is_that_of_its_type() {
        #[derive(schemars::JsonSchema)]
        #[allow(dead_code)]
        struct Numbers {
            natural: u32,
            optional: Option<u64>,
            signed: i32,
        }
        let schema = schemars::schema_for!(Numbers).to_value();
        let kind = |name: &str| ValueKind::of(&schema["properties"][name]);
        assert_eq!(
            ["natural", "optional", "signed"].map(kind),
            [ValueKind::Number, ValueKind::Number, ValueKind::Integer]
        );
        assert!(ValueKind::Integer.holds(&schema["properties"]["signed"], &json!(-1)));
        assert!(!ValueKind::Number.holds(&schema["properties"]["natural"], &json!(-1)));
    }

    #[test]
    fn floats_with_integral_values_are_integers_and_null_is_refused() {
        let best = endpoint("best");
        let read = |body: &str| best.read_body(body.as_bytes()).map(drop);
        read(r#"{"rules":"fa19","score":2.0e1,"opponent":36.0,"memory":{"last_dice":4.0}}"#)
            .unwrap();
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
            assert!(read(body).unwrap_err().to_string().contains(word), "{body}");
        }
    }

    #[test]
    fn dice_that_are_kept_are_lists_of_faces() {
        let play = endpoint("play");
        let body = r#"{"rules":"kcd","players":["person","optimal"],"seed":1,"keeps":"#;
        assert!(play.read_body(format!("{body}[[1,5],[0,0,3]]}}").as_bytes()).is_ok());
        let refusal = play.read_body(format!("{body}[1,5]}}").as_bytes()).map(drop).unwrap_err();
        let wanted = "`keeps` must be a list of lists of whole numbers, not [1,5]";
        assert_eq!(refusal.to_string(), wanted);
        let given = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let pairs =
            [("rules", "kcd"), ("players", "person"), ("players", "optimal"), ("seed", "1")];
        let mut pairs: Vec<(String, String)> =
            pairs.into_iter().map(|(name, value)| given(name, value)).collect();
        pairs.extend([given("keeps", "1,5"), given("keeps", "0,0,3")]);
        assert!(play.read_pairs(pairs).is_ok());
    }

    #[test]
    fn a_body_with_too_many_values_is_refused() {
        let play = endpoint("play");
        let read = |rolls: usize, seed: &str| {
            let players = [seed, "optimal"];
            let rolls = vec![4; rolls];
            let body = json!({ "rules": "fa21", "players": players, "seed": 1, "rolls": rolls });
            play.read_body(body.to_string().as_bytes()).map(drop)
        };
        let refusal = |read: Result<(), Error>| read.unwrap_err().to_string();
        assert!(read(1000, "a, \"quoted\" [name] \\").is_ok());
        assert!(read(1, &",[{:".repeat(MOST_VALUES)).is_ok());
        assert!(refusal(read(MOST_VALUES, "")).contains("values"));
        let dice = format!("{{\"dice\":{}", "[".repeat(MOST_VALUES));
        assert!(refusal(play.read_body(dice.as_bytes()).map(drop)).contains("values"));
    }
}
