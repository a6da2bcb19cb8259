//! The questions that an engine answers. One file holds a question: its request, its answer, how
//! the answer is found, and its text for people. [`QUERIES`] lists all of them; the command line,
//! the server, the schemas and the Python module are made from that list, and from those of the
//! crates above this one.

mod best;
mod bid;
mod check;
mod compare;
mod describe;
mod dice;
mod effects;
mod export;
mod fair;
mod losses;
mod map;
mod play;
mod prospects;
mod rate;
mod rules;
mod score_maps;
mod sessions;
mod simplify;
mod simulate;
mod solve;
mod survey;
mod tables;
mod r#try;
mod tune;
mod turn;
mod vary;
mod watched;
mod why;

pub use best::{Best, BestAnswer, Choice, KeepChoice};
pub use bid::{Bid, BidAnswer, BidShare};
pub use check::{Check, CheckAnswer, TableCheck};
pub use compare::{Compare, CompareAnswer};
pub use describe::{Describe, DescribeAnswer, GameTurns};
pub use dice::{Dice, DiceAnswer, DiceFormulaAnswer, DiceSum, DiceSums, FormulaValue};
pub use effects::{EffectChange, EffectFigures, Effects, EffectsAnswer, RuleEffect};
pub use fair::{Fair, FairAnswer, Handicap};
pub use hog_study::WinRates;
pub use hog_study::analysis::{Choices, Comeback, Mean, PositionDifference, RuleUse, Skill};
pub use losses::{Loss, Losses, MistakeLoss};
pub use map::{HoldLayer, Map, MapAnswer, MapLayer, StrategyLayer};
pub use play::{
    Play, PlayAnswer, PlayBids, PlayEnd, PlayEvent, PlayHints, PlayScores, PlayStart, PlayTurn,
    PlayedTurn, dice_drawn, race_track, taken_back,
};
pub use prospects::TurnPoints;
pub use rate::{Rate, RateAnswer};
pub use rules::{
    CheckedRules, GameDefault, GameMemory, GameRule, GameSize, ListedGame, MemoryOwner,
    NamedNumber, NewRules, NumberUse, RulesCheck, RulesCheckAnswer, RulesFunctions,
    RulesFunctionsAnswer, RulesList, RulesListAnswer, RulesShow, RulesShowAnswer, RulesText,
    RulesTextAnswer,
};
pub use score_maps::{GivenMap, ScoreMap};
pub use simplify::{BaselineRate, SimpleStrategy, SimpleTable, Simplify, SimplifyAnswer};
pub use simulate::{
    ExperimentsAnswer, Simulate, SimulateAnswer, SimulatedGames, SimulatedPoints, SimulatedRate,
    SimulatedStrategy,
};
pub use solve::{
    FixedPlayer, NearTies, ObjectiveKind, Sight, Solve, SolveAnswer, SolveResult, SolvedGame,
    TableSearch,
};
pub use survey::{DiceShare, Survey, SurveyAnswer, SurveyRow};
pub use tables::GameTable;
pub use r#try::{Tried, Try, TryAnswer};
pub use tune::{Tune, TuneAnswer, TunedStrategy};
pub(crate) use turn::is_over;
pub use turn::{BadLine, Step, Turn, TurnAnswer, TurnDice};
pub use vary::{GameNumber, VariedRow, Vary, VaryAnswer};
pub use watched::WatchedTry;
pub use why::{DifferencePart, OutcomeKind, RollOutcome, Why, WhyAnswer};

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Write};

use schemars::generate::SchemaSettings;
#[cfg(not(target_family = "wasm"))]
use schemars::schema_for;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

#[doc(no_inline)]
pub use crate::engine::{
    ArithmeticKind, DiceFormulaError, ErrorAnswer, ErrorDetail, ErrorFault, GivenGame, GivenGames,
    GivenMemories, GivenOpponent, GivenPlayers, GivenPosition, GivenStrategy, NumberSource,
    Numbers, rounded_up,
};
use crate::engine::{Call, Engine, Error};
use crate::format::{self, Text, Verdict};
use crate::game::memory_names;
use crate::rules::Rules;

impl Engine {
    /// Answers a question.
    ///
    /// # Errors
    /// Returns an error if the question has no answer, or the work is stopped.
    pub fn ask<Q: Query>(&self, query: &Q) -> Result<Q::Answer, Error> {
        query.answer(&self.call())
    }
}

/// A question to an engine. Its fields are the parameters of the request; their comments are the
/// help of the command line and the descriptions in the API.
pub trait Query: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// Its name: the command, and the path below `/api/v1/`.
    const NAME: &'static str;
    /// The name of the schema of its answer, a file in `docs/schema`.
    const SCHEMA: &'static str = Self::NAME;
    /// Whether it takes more than a second in the largest built-in games: the server answers long
    /// and short questions separately.
    const IS_LONG: bool = false;
    /// The names of the files that a request may bring besides those of strategies.
    const OTHER_FILES: &'static [&'static str] = &[];
    /// The files that its answer can be written to.
    const WRITES: Option<Writes> = None;
    /// Its answer.
    type Answer: Text + Serialize + JsonSchema + Send + 'static;

    /// Finds the answer.
    ///
    /// # Errors
    /// Returns an error if the question has no answer, or the work is stopped.
    fn answer(&self, call: &Call) -> Result<Self::Answer, Error>;

    /// Finds the answer, and writes it to `file` in the form of one of the endings of
    /// [`Self::WRITES`]; `json` is the answer as JSON if the question says nothing else.
    ///
    /// # Errors
    /// As [`Self::answer`].
    fn answer_in(
        &self,
        call: &Call,
        ending: &str,
        file: &mut dyn Write,
    ) -> Result<Self::Answer, Error> {
        debug_assert_eq!(ending, "json", "{} writes no other files", Self::NAME);
        let answer = self.answer(call)?;
        format::json(&answer, file).map_err(Error::Storage)?;
        Ok(answer)
    }
}

/// The files that the answer of a question can be written to.
#[derive(Clone, Copy, Debug)]
pub struct Writes {
    /// What is in them, as in "all positions met".
    pub contents: &'static str,
    /// Their endings; the first is for standard output.
    pub endings: &'static [&'static str],
}

/// Whether files with this ending are text.
pub fn is_text(ending: &str) -> bool {
    !["hog", "npy", "png", "zip"].contains(&ending)
}

/// A request, whatever its question is.
pub trait Request: Any + Send + Sync {
    /// Finds the answer, as [`Query::answer`] does.
    ///
    /// # Errors
    /// As [`Query::answer`].
    fn answer(&self, call: &Call) -> Result<Box<dyn Answer>, Error>;

    /// Finds the answer and writes it to a file, as [`Query::answer_in`] does.
    ///
    /// # Errors
    /// As [`Query::answer_in`].
    fn answer_in(
        &self,
        call: &Call,
        ending: &str,
        file: &mut dyn Write,
    ) -> Result<Box<dyn Answer>, Error>;
}

impl<Q: Query> Request for Q {
    fn answer(&self, call: &Call) -> Result<Box<dyn Answer>, Error> {
        Ok(Box::new(Query::answer(self, call)?))
    }

    fn answer_in(
        &self,
        call: &Call,
        ending: &str,
        file: &mut dyn Write,
    ) -> Result<Box<dyn Answer>, Error> {
        Ok(Box::new(Query::answer_in(self, call, ending, file)?))
    }
}

/// An answer, whatever its question is.
pub trait Answer: Text + Send {
    /// Writes it as one JSON document, without the end of the line.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    fn json(&self, out: &mut dyn Write) -> io::Result<()>;
}

impl<T: Text + Serialize + Send> Answer for T {
    fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        format::json_without_end(self, out)
    }
}

/// An answer or a file that grows up to a size.
pub(crate) struct Bounded {
    pub bytes: Vec<u8>,
    /// The size, in bytes.
    largest: usize,
    /// Whether it would be larger.
    pub is_full: bool,
}

impl Bounded {
    pub fn new(largest: usize) -> Self {
        Self { bytes: Vec::new(), largest, is_full: false }
    }
}

impl Write for Bounded {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        self.is_full = self.bytes.len() + more.len() > self.largest;
        if self.is_full {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A request in JSON for an answer and its file.
struct RequestWithFile {
    request: Box<dyn Request>,
    /// The form of the file, which is text.
    form: &'static str,
}

impl Request for RequestWithFile {
    fn answer(&self, call: &Call) -> Result<Box<dyn Answer>, Error> {
        let largest = call.engine.limits().file;
        let mut file = Bounded::new(largest);
        let answer = self.request.answer_in(call, self.form, &mut file);
        if file.is_full {
            return Err(Error::AnswerTooLarge { mebibytes: largest >> 20 });
        }
        let answer = answer?;
        if answer.verdict() == Verdict::No {
            return Ok(answer);
        }
        Ok(Box::new(AnswerWithFile { answer, file: file.bytes }))
    }

    fn answer_in(
        &self,
        call: &Call,
        ending: &str,
        file: &mut dyn Write,
    ) -> Result<Box<dyn Answer>, Error> {
        self.request.answer_in(call, ending, file)
    }
}

/// An answer whose document has the text of its file as `file`.
struct AnswerWithFile {
    answer: Box<dyn Answer>,
    file: Vec<u8>,
}

impl Text for AnswerWithFile {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        self.answer.text(out)
    }

    fn verdict(&self) -> Verdict<'_> {
        self.answer.verdict()
    }
}

impl Answer for AnswerWithFile {
    fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut document = Vec::new();
        self.answer.json(&mut document)?;
        document.pop_if(|end| *end == b'}');
        out.write_all(&document)?;
        write!(out, ",\"file\":")?;
        serde_json::to_writer(&mut *out, &String::from_utf8_lossy(&self.file))?;
        write!(out, "}}")
    }
}

/// An entry of [`QUERIES`]: all that a program needs to offer a question to others.
pub struct QueryEntry {
    /// The name of the question.
    pub name: &'static str,
    /// The name of the schema of its answer.
    pub schema: &'static str,
    /// Whether it takes long: see [`Query::IS_LONG`].
    pub is_long: bool,
    /// The names of files that a request may bring: see [`Query::OTHER_FILES`].
    pub other_files: &'static [&'static str],
    /// The files that the answer can be written to: see [`Query::WRITES`].
    pub writes: Option<Writes>,
    /// The schema of the request, without references, and with what the question means.
    pub request: fn() -> Schema,
    /// The schema of the answer; a tab, which has no use for it, is spared its code.
    #[cfg(not(target_family = "wasm"))]
    pub answer: fn() -> Schema,
    /// Reads a request from a JSON document.
    pub read: fn(&Value) -> Result<Box<dyn Request>, serde_json::Error>,
    /// How it is a command of the command line; `None` if it is none, or the command has options of
    /// its own.
    pub command: Option<CommandEntry>,
}

/// How a question is a command of the command line.
pub struct CommandEntry {
    /// Adds the parameters and the help to a command.
    pub arguments: fn(clap::Command) -> clap::Command,
    /// Reads a request from the arguments of the command.
    pub read: fn(&clap::ArgMatches) -> Result<Box<dyn Request>, clap::Error>,
}

impl QueryEntry {
    /// The forms of its files that are text, and so can be a part of a document.
    pub fn text_forms(&self) -> Vec<&'static str> {
        let endings = self.writes.map_or(&[][..], |writes| writes.endings);
        endings.iter().copied().filter(|ending| is_text(ending)).collect()
    }

    /// Reads a request from a JSON document, which may ask for a file by its form, as `to`.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`].
    pub fn request_of(&self, mut document: Value) -> Result<Box<dyn Request>, Error> {
        let forms = self.text_forms();
        // Where there are no files, the question takes no such parameter.
        let given = document.as_object_mut().filter(|_| !forms.is_empty());
        let to = given.and_then(|given| given.remove("to"));
        let request = (self.read)(&document).map_err(|error| self.unread(&document, &error))?;
        let Some(to) = to else { return Ok(request) };
        match forms.iter().find(|form| to == **form) {
            Some(form) => Ok(Box::new(RequestWithFile { request, form })),
            None => {
                let forms = forms.join(", ");
                Err(Error::malformed_by("to", format!("`to` is {to}: it is one of {forms}")))
            }
        }
    }

    /// The refusal of a document that cannot be read. At fault is the parameter without which the
    /// document can be read, or cannot for another reason.
    fn unread(&self, document: &Value, error: &serde_json::Error) -> Error {
        let message = error.to_string();
        let mut names = document.as_object().into_iter().flat_map(|given| given.keys());
        let at_fault = names.find(|name| {
            let mut others = document.clone();
            others.as_object_mut().and_then(|others| others.remove(*name));
            (self.read)(&others).err().is_none_or(|other| other.to_string() != message)
        });
        Error::Malformed { parameter: at_fault.cloned(), message }
    }

    /// The entry of a question that is no command as it stands.
    pub const fn of<Q: Query>() -> Self {
        Self {
            name: Q::NAME,
            schema: Q::SCHEMA,
            is_long: Q::IS_LONG,
            other_files: Q::OTHER_FILES,
            writes: Q::WRITES,
            request: request_schema::<Q>,
            #[cfg(not(target_family = "wasm"))]
            answer: answer_schema::<Q>,
            read: |document| Ok(Box::new(Q::deserialize(document)?)),
            command: None,
        }
    }

    /// The entry of a question that is a command.
    pub const fn command<Q: Query + clap::Args>() -> Self {
        // A tab, which has no command line, is spared its code.
        if cfg!(target_family = "wasm") {
            return Self::of::<Q>();
        }
        let command = CommandEntry {
            arguments: Q::augment_args,
            read: |matches| Ok(Box::new(Q::from_arg_matches(matches)?)),
        };
        Self { command: Some(command), ..Self::of::<Q>() }
    }
}

fn request_schema<Q: Query>() -> Schema {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<Q>()
}

#[cfg(not(target_family = "wasm"))]
fn answer_schema<Q: Query>() -> Schema {
    let mut schema = schema_for!(Q::Answer);
    let has_text = Q::WRITES.is_some_and(|writes| writes.endings.iter().any(|form| is_text(form)));
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    if let Some(properties) = properties.filter(|_| has_text) {
        let file = serde_json::json!({
            "description": "The file that a request in JSON asks for with `to`; omitted otherwise.",
            "type": "string",
        });
        properties.insert("file".into(), file);
    }
    schema
}

/// All questions of this crate.
pub const QUERIES: &[QueryEntry] = &[
    QueryEntry::command::<Best>(),
    QueryEntry::of::<Bid>(),
    QueryEntry::command::<Check>(),
    QueryEntry::command::<Compare>(),
    QueryEntry::command::<Describe>(),
    QueryEntry::command::<Dice>(),
    QueryEntry::command::<Effects>(),
    QueryEntry::command::<Fair>(),
    QueryEntry::of::<Map>(),
    QueryEntry::of::<Play>(),
    QueryEntry::command::<Rate>(),
    QueryEntry::of::<RulesCheck>(),
    QueryEntry::command::<RulesFunctions>(),
    QueryEntry::command::<RulesList>(),
    QueryEntry::of::<RulesShow>(),
    QueryEntry::of::<RulesText>(),
    QueryEntry::command::<Simplify>(),
    QueryEntry::command::<Simulate>(),
    QueryEntry::command::<Solve>(),
    QueryEntry::command::<Survey>(),
    QueryEntry::of::<Try>(),
    QueryEntry::command::<Tune>(),
    QueryEntry::of::<Turn>(),
    QueryEntry::command::<Vary>(),
    QueryEntry::command::<Why>(),
];

/// Returns the schema of every document of this crate, by the name of its file in `docs/schema`
/// without `.json`: the answers of all questions, and what only the command line writes.
///
/// Keys may be added to a document; none is removed or changes its meaning.
#[cfg(not(target_family = "wasm"))]
pub fn schemas() -> Vec<(&'static str, Schema)> {
    let mut all = vec![
        ("error", schema_for!(ErrorAnswer)),
        ("play-event", schema_for!(PlayEvent)),
        ("rules-new", schema_for!(NewRules)),
        ("try-event", schema_for!(WatchedTry)),
        ("turn-bad-line", schema_for!(BadLine)),
    ];
    all.extend(QUERIES.iter().map(|query| (query.schema, (query.answer)())));
    all
}

/// Returns the values of memories by name.
fn named_memories(rules: &Rules, values: &[i64]) -> BTreeMap<String, i64> {
    memory_names(rules).into_iter().zip(values.iter().copied()).collect()
}

/// Names memories with their values, in brackets after a space; empty if there are none.
fn memories_in_words(values: impl IntoIterator<Item = (impl Display, impl Display)>) -> String {
    let named = values.into_iter().map(|(name, value)| format!("{name} {value}"));
    let named = named.collect::<Vec<_>>().join(", ");
    if named.is_empty() { named } else { format!(" ({named})") }
}

/// How many positions an answer lists if the request does not say.
const fn listed_by_default() -> usize {
    10
}
