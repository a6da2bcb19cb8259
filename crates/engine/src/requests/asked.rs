//! Questions as lines of JSON, and the lines that answer them. Each has a `type`.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Endpoint, Failure, object};
use crate::Engine;
use crate::engine::Error;
use crate::queries::{ErrorAnswer, ErrorDetail, QueryEntry};

/// The line that answers a line with a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AskedLine {
    /// The question has an answer.
    Answer {
        /// The `id` of the question's line; its number, from 1, if it has none.
        id: Value,
        /// The answer: the document that the command prints.
        answer: Value,
    },
    /// The question has no answer, or the line is no question.
    Error {
        /// As that of an answer.
        id: Value,
        /// What went wrong.
        error: ErrorDetail,
    },
}

/// A line, with its end, and whether it is an error.
#[derive(Debug)]
pub struct Reply {
    /// The line.
    pub line: Vec<u8>,
    /// Whether it is an error.
    pub is_error: bool,
}

impl Reply {
    /// The line for an error.
    pub fn error(id: Value, answer: ErrorAnswer) -> Self {
        Self { line: line_of(&AskedLine::Error { id, error: answer.error }), is_error: true }
    }
}

/// Answers questions that come in lines: `{"id":…,"question":"best","rules":"fa21",…}`.
pub struct Questions {
    all: Vec<&'static QueryEntry>,
    /// Those that have been asked.
    endpoints: BTreeMap<&'static str, Endpoint>,
}

impl Questions {
    /// Answers these questions.
    pub fn new(all: impl IntoIterator<Item = &'static QueryEntry>) -> Self {
        Self { all: all.into_iter().collect(), endpoints: BTreeMap::new() }
    }

    /// Answers the line with this number. Names of strategies mean the files that the question
    /// brings, which are written below `folder` for the time of the answer; if it brings none,
    /// those that the engine may open.
    pub fn reply(&mut self, line: &[u8], number: u64, engine: &Engine, folder: &Path) -> Reply {
        let mut document = match object(line) {
            Ok(document) => document,
            Err(error) => return Reply::error(number.into(), Failure::from(error).answer),
        };
        let id = document.remove("id").unwrap_or_else(|| number.into());
        match self.answer(document, engine, folder) {
            Ok(answer) => {
                let start = format!("{{\"type\":\"answer\",\"id\":{id},\"answer\":");
                let line = [start.as_bytes(), &answer, b"}\n"].concat();
                Reply { line, is_error: false }
            }
            Err(failure) => Reply::error(id, failure.answer),
        }
    }

    fn answer(
        &mut self,
        mut document: Map<String, Value>,
        engine: &Engine,
        folder: &Path,
    ) -> Result<Vec<u8>, Failure> {
        let question = document.remove("question");
        let read = self.endpoint(question.as_ref())?.read(document)?;
        if read.files.is_empty() {
            return read.document(engine.clone(), None, usize::MAX);
        }
        let uploads = read.uploads(folder)?;
        read.document(engine.clone(), Some(&uploads), usize::MAX)
    }

    fn endpoint(&mut self, question: Option<&Value>) -> Result<&Endpoint, Error> {
        let name = question.and_then(Value::as_str);
        let Some(query) = self.all.iter().find(|query| Some(query.name) == name) else {
            let names: Vec<&str> = self.all.iter().map(|query| query.name).collect();
            let names = names.join(", ");
            let fault = match question {
                Some(other) => format!("`question` is {other}: it is one of {names}"),
                None => format!("`question` is missing: it is one of {names}"),
            };
            return Err(Error::malformed_by("question", fault));
        };
        Ok(self.endpoints.entry(query.name).or_insert_with(|| Endpoint::new(query)))
    }
}

/// The line of a stream that has an answer.
pub fn result_line(answer: &[u8]) -> Vec<u8> {
    [&b"{\"type\":\"result\",\"result\":"[..], answer, b"}\n"].concat()
}

/// The line of a stream that has an error in place of an answer.
pub fn error_line(answer: &ErrorAnswer) -> Vec<u8> {
    let mut line = b"{\"type\":\"error\",".to_vec();
    line.extend_from_slice(&line_of(answer)[1..]);
    line
}

/// Returns a document as a line.
fn line_of(document: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(document).unwrap_or_default();
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::engine::{Limits, Sources};
    use crate::queries::QUERIES;

    fn replies(lines: &[&str]) -> Vec<Value> {
        replies_within(Limits::default(), lines)
    }

    fn replies_within(limits: Limits, lines: &[&str]) -> Vec<Value> {
        let sources = Sources::builtin().with_strategy_files();
        let engine = Engine::builder().sources(sources).limits(limits).build();
        let mut questions = Questions::new(QUERIES);
        let folder = tempfile::tempdir().unwrap();
        let mut replies = Vec::new();
        for (line, number) in lines.iter().zip(1..) {
            let reply = questions.reply(line.as_bytes(), number, &engine, folder.path());
            let document: Value = serde_json::from_slice(&reply.line).unwrap();
            assert_eq!(document["type"] == "error", reply.is_error, "{document}");
            replies.push(document);
        }
        replies
    }

    #[test]
    fn a_reply_has_the_id_of_the_question_or_the_number_of_its_line() {
        let best = r#""question":"best","rules":"fa21","score":20,"opponent":36}"#;
        let named = format!("{{\"id\":{{\"of\":[1]}},{best}");
        let found = replies(&[&named, &format!("{{{best}"), r#"{"id":"x"}"#, "no JSON"]);
        let ids: Vec<&Value> = found.iter().map(|reply| &reply["id"]).collect();
        assert_eq!(ids, [&json!({ "of": [1] }), &json!(2), &json!("x"), &json!(4)]);
        assert_eq!([&found[0], &found[1]].map(|reply| &reply["answer"]["best"]), [&json!([8]); 2]);
        assert_eq!([&found[2], &found[3]].map(|it| &it["error"]["kind"]), [&json!("request"); 2]);
    }

    #[test]
    fn an_error_has_the_kind_that_the_command_prints() {
        let found = replies(&[
            r#"{"question":"best","rules":"fa21","score":100,"opponent":36}"#,
            r#"{"question":"best","rules":"fa99","score":0,"opponent":36}"#,
            r#"{"question":"rate","rules":"fa21","strategy":"mine.py"}"#,
            r#"{"question":"turn","rules":"fa21","score":0,"opponent":3,"dice":7}"#,
            r#"{"question":"worst","rules":"fa21"}"#,
        ]);
        let kinds: Vec<&Value> = found.iter().map(|reply| &reply["error"]["kind"]).collect();
        assert_eq!(kinds, ["value", "unknown_game", "closed", "request", "request"]);
        assert!(found[4]["error"]["message"].as_str().unwrap().contains("describe"));
    }

    #[test]
    fn an_answer_brings_its_file_in_the_form_that_is_asked_for() {
        let found = replies(&[
            r#"{"question":"solve","rules":"fa21","goal":9,"to":"csv"}"#,
            r#"{"question":"simplify","rules":"fa21","goal":9,"to":"py"}"#,
            r#"{"question":"solve","rules":"fa21","goal":9,"to":"hog"}"#,
            r#"{"question":"best","rules":"fa21","score":0,"opponent":0,"to":"csv"}"#,
        ]);
        let file = |at: usize| found[at]["answer"]["file"].as_str().unwrap_or_default();
        assert!(file(0).starts_with("score,opponent,win_rate,dice,best\n0,0,0."), "{found:?}");
        assert_eq!((file(0).lines().count(), &found[0]["answer"]["states"]), (82, &json!(81)));
        let python = found[1]["answer"]["strategies"].as_array().unwrap().last().unwrap();
        assert_eq!(file(1), python["python"], "{found:?}");
        for (reply, words) in [(2, "one of py, csv"), (3, "takes no `to`")] {
            let message = found[reply]["error"]["message"].as_str().unwrap();
            assert!(message.contains(words), "{message}");
        }
    }

    #[test]
    fn a_file_larger_than_the_limit_is_refused() {
        let question = r#"{"question":"solve","rules":"fa21","goal":9,"to":"csv"}"#;
        let whole = &replies(&[question])[0]["answer"]["file"];
        let size = whole.as_str().unwrap().len();
        let up_to = |file| replies_within(Limits { file, ..Limits::default() }, &[question]);
        assert_eq!(&up_to(size)[0]["answer"]["file"], whole);
        let [refused] = &up_to(size - 1)[..] else { panic!("one question has one reply") };
        assert!(refused["error"]["message"].as_str().unwrap().contains("more than"), "{refused}");
    }

    #[test]
    fn files_of_a_question_are_its_strategies() {
        let question = json!({ "question": "rate", "rules": "fa21", "goal": 20,
            "strategy": "mine.txt", "files": [{ "name": "mine.txt", "text": "4 ".repeat(400) }] });
        let found = replies(&[&question.to_string()]);
        assert_eq!(found[0]["answer"]["strategy"], "mine.txt", "{found:?}");
    }
}
