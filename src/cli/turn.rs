//! `hog turn`: plays one turn with given dice, or many turns from JSON lines.

use std::collections::BTreeMap;

use crate::engine::Error;
use crate::format;
use crate::queries::{BadLine, ErrorAnswer, GivenGame, GivenPosition, Turn, TurnAnswer, TurnDice};
use crate::rules::Rules;

use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};
use serde_json::{Map, Value};

use super::console::{Console, Status};
use super::input::{is_too_long, read_start_of_line, too_long};

/// One turn, or many.
#[derive(Debug)]
pub(super) enum TurnCommand {
    One(Turn),
    Batch(GivenGame),
}

impl FromArgMatches for TurnCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        match matches.get_flag("batch") {
            true => GivenGame::from_arg_matches(matches).map(Self::Batch),
            false => Turn::from_arg_matches(matches).map(Self::One),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for TurnCommand {
    fn augment_args(command: clap::Command) -> clap::Command {
        let batch = Arg::new("batch").long("batch").action(ArgAction::SetTrue).help(
            "Read turns from standard input, one JSON object per line, \
             and print one result per line",
        );
        let of_one = ["score", "opponent", "dice"];
        let batch = batch.conflicts_with_all(of_one).conflicts_with_all(["memory", "keep"]);
        let mut command = Turn::augment_args(command);
        for name in of_one {
            command =
                command.mut_arg(name, |arg| arg.required(false).required_unless_present("batch"));
        }
        command.arg(batch)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl TurnCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        match self {
            Self::One(turn) => console.show(&console.engine.ask(turn)?),
            Self::Batch(game) => batch(&console.engine.call().rules(game)?, console),
        }
    }
}

/// How many bytes of a line that is too long are repeated in the answer.
const MOST_SHOWN: usize = 100;

/// Answers each line as soon as it is read. A bad line is answered with an error, and makes the
/// command fail at its end.
fn batch(rules: &Rules, console: &Console) -> anyhow::Result<Status> {
    let mut all_ok = true;
    let mut input = std::io::stdin().lock();
    for number in 1.. {
        let Some(line) = read_start_of_line(&mut input)? else { break };
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answered = if is_too_long(&line) {
            Err(Error::malformed(too_long("turn")))
        } else {
            answer(rules, &line)
        };
        match answered {
            Ok(view) => console.print(|out| format::json(&view, out))?,
            Err(error) => {
                all_ok = false;
                let shown =
                    if is_too_long(&line) { &line[..MOST_SHOWN] } else { line.trim_ascii_end() };
                let text = String::from_utf8_lossy(shown).into_owned();
                let view = BadLine::new(ErrorAnswer::from(&error).error, number, text);
                console.print(|out| format::json(&view, out))?;
            }
        }
        // The caller may wait for this answer before sending the next turn.
        console.flush()?;
    }
    Ok(Status::of(all_ok))
}

fn answer(rules: &Rules, line: &[u8]) -> Result<TurnAnswer, Error> {
    let (position, dice) =
        read(line).map_err(|reason| Error::malformed(format!("{reason}; {EXAMPLE}")))?;
    Turn::under(rules, &position, &dice, &[])
}

/// The form of a line, for messages.
const EXAMPLE: &str = "write a turn as in {\"score\":20,\"opponent\":36,\"dice\":[2,5]}";

fn field<'t>(turn: &'t Map<String, Value>, name: &str) -> Result<&'t Value, String> {
    turn.get(name).ok_or_else(|| format!("`{name}` is missing"))
}

fn score_of(turn: &Map<String, Value>, name: &str) -> Result<u32, String> {
    let value = field(turn, name)?;
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| {
        format!("`{name}` is {value}: a score is a whole number from 0 to one below the goal")
    })
}

/// Parses a turn, or returns what is wrong with it.
fn read(line: &[u8]) -> Result<(GivenPosition, TurnDice), String> {
    let value: Value = serde_json::from_slice(line)
        .map_err(|error| format!("this is not JSON (error at column {})", error.column()))?;
    let Value::Object(turn) = value else { return Err("this is not an object in braces".into()) };
    if let Some(unknown) =
        turn.keys().find(|key| !["score", "opponent", "dice", "memory"].contains(&key.as_str()))
    {
        return Err(format!(
            "a turn has no `{unknown}`: its fields are score, opponent, dice and memory"
        ));
    }
    let score = score_of(&turn, "score")?;
    let opponent = score_of(&turn, "opponent")?;
    let dice = field(&turn, "dice")?;
    let dice = serde_json::from_value(dice.clone()).map_err(|_| {
        format!("`dice` is {dice}: give the faces in brackets, as in [2,5], or a number below 0")
    })?;
    let memory: BTreeMap<String, i64> = match turn.get("memory") {
        None => BTreeMap::new(),
        Some(memory) => serde_json::from_value(memory.clone()).map_err(|_| {
            format!("`memory` is {memory}: give whole numbers by name, as in {{\"last_dice\":4}}")
        })?,
    };
    Ok((GivenPosition::scores(score, opponent).memories(memory), dice))
}
