//! `hog turn`: plays one turn with given dice, or many turns from JSON lines.

use std::collections::BTreeMap;

use anyhow::{anyhow, bail};
use clap::Args;
use hog::engine::{Query, TurnDice};
use hog::format;
use hog::rules::Rules;
use hog::view::{BadLineView, TurnView};
use serde_json::Value;

use super::console::{Console, Status, memory_value, position, score};
use super::input::{is_too_long, read_start_of_line, too_long};

/// Work out one turn with given dice, and describe the effect of each rule
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog turn fa21 20 36 --dice 2,5                      two dice: a 2 and a 5
  hog turn fa21 20 36 --dice none                     no dice rolled
  hog turn fa16 20 5 --dice -1                        Pork Chop, a move without dice
  hog turn fa19 23 4 --dice 5 --memory last_dice=1
  hog turn fa21 --batch < turns.jsonl                 {\"score\":20,\"opponent\":36,\"dice\":[2,5]} a line")]
pub(super) struct TurnCommand {
    /// A built-in game or a rule file
    rules: String,
    /// The mover's score
    #[arg(value_parser = score, required_unless_present = "batch")]
    score: Option<u32>,
    /// The opponent's score
    #[arg(value_parser = score, required_unless_present = "batch")]
    opponent: Option<u32>,
    /// The faces rolled, separated by commas; `none` for no dice, a negative number for a special
    /// move of the game
    #[arg(long, value_name = "FACES", value_parser = rolled, required_unless_present = "batch")]
    dice: Option<TurnDice>,
    /// A memory's value before the turn (default: as at the start of the game)
    #[arg(long, value_name = "NAME=V", value_parser = memory_value, conflicts_with = "batch")]
    memory: Vec<(String, i64)>,
    /// Read turns from standard input, one JSON object per line, and print one result per line
    #[arg(long, conflicts_with_all = ["score", "opponent", "dice"])]
    batch: bool,
}

fn rolled(text: &str) -> Result<TurnDice, String> {
    if matches!(text.trim(), "" | "none") {
        return Ok(TurnDice::Faces(Vec::new()));
    }
    if let Some(request) = text.trim().parse().ok().filter(|request: &i32| *request < 0) {
        return Ok(TurnDice::Move(request));
    }
    let face = |face: &str| face.trim().parse::<u32>().ok().filter(|face| *face > 0);
    let faces: Option<Vec<u32>> = text.split(',').map(face).collect();
    faces.map(TurnDice::Faces).ok_or_else(|| {
        "write faces as whole numbers from 1, separated by commas, as in 2,5, or `none` for no dice".into()
    })
}

impl TurnCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let rules = console.rules(&self.rules)?;
        if self.batch {
            return batch(&rules, console);
        }
        let (Some(score), Some(opponent), Some(dice)) = (self.score, self.opponent, &self.dice)
        else {
            bail!("give SCORE, OPPONENT and --dice, or --batch");
        };
        console.show(&console.engine.turn(
            &rules,
            &position(score, opponent, &self.memory),
            dice,
        )?)
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
            Err(anyhow!(too_long("turn")))
        } else {
            answer(rules, &line, console)
        };
        match answered {
            Ok(view) => console.print(|out| format::json(&view, out))?,
            Err(error) => {
                all_ok = false;
                let shown =
                    if is_too_long(&line) { &line[..MOST_SHOWN] } else { line.trim_ascii_end() };
                let text = String::from_utf8_lossy(shown).into_owned();
                let view = BadLineView::new(error.to_string(), number, text);
                console.print(|out| format::json(&view, out))?;
            }
        }
        // The caller may wait for this answer before sending the next turn.
        console.flush()?;
    }
    Ok(Status::of(all_ok))
}

fn answer(rules: &Rules, line: &[u8], console: &Console) -> anyhow::Result<TurnView> {
    let (query, dice) = read(line).map_err(|reason| anyhow!("{reason}; {EXAMPLE}"))?;
    Ok(console.engine.turn(rules, &query, &dice)?)
}

/// The form of a line, for messages.
const EXAMPLE: &str = "write a turn as in {\"score\":20,\"opponent\":36,\"dice\":[2,5]}";

/// Parses a turn, or returns what is wrong with it.
fn read(line: &[u8]) -> Result<(Query, TurnDice), String> {
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
    let field = |name: &str| turn.get(name).ok_or_else(|| format!("`{name}` is missing"));
    let score = |name: &str| {
        let value = field(name)?;
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| {
            format!("`{name}` is {value}: a score is a whole number from 0 to one below the goal")
        })
    };
    let (score, opponent, dice) = (score("score")?, score("opponent")?, field("dice")?);
    let dice = serde_json::from_value(dice.clone()).map_err(|_| {
        format!("`dice` is {dice}: give the faces in brackets, as in [2,5], or a number below 0")
    })?;
    let memory: BTreeMap<String, i64> = match turn.get("memory") {
        None => BTreeMap::new(),
        Some(memory) => serde_json::from_value(memory.clone()).map_err(|_| {
            format!("`memory` is {memory}: give whole numbers by name, as in {{\"last_dice\":4}}")
        })?,
    };
    Ok((position(score, opponent, &memory.into_iter().collect::<Vec<_>>()), dice))
}
