//! `hog turn`: one turn with given dice, or many from JSON lines.

use std::io::BufRead;

use anyhow::{Context as _, bail};
use clap::Args;
use hog::game::{self, Position, memory_names};
use hog::report::{self, StepView, TurnView};
use hog::rules::Rules;
use serde::Deserialize;

use super::context::{Context, Outcome, memory_value, position, score};

/// One turn with these dice, each rule's effect in words
#[derive(Args, Debug)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:
  hog turn fa21 20 36 --dice 2,5                      two dice: a 2 and a 5
  hog turn fa21 20 36 --dice none                     no dice rolled
  hog turn fa16 20 5 --dice -1                        a move that rolls nothing: Pork Chop
  hog turn fa19 23 4 --dice 5 --memory last_dice=1
  hog turn fa21 --batch < turns.jsonl                 {\"score\":20,\"opponent\":36,\"dice\":[2,5]} a line"
)]
pub(super) struct Turn {
    /// A built-in game or a rule file
    rules: String,
    /// The mover's score
    #[arg(value_parser = score, required_unless_present = "batch")]
    score: Option<u32>,
    /// The opponent's score
    #[arg(value_parser = score, required_unless_present = "batch")]
    opponent: Option<u32>,
    /// The faces rolled, with commas between; `none` rolls no dice, a number below 0 is a move of the game's own
    #[arg(long, value_name = "FACES", value_parser = rolled, required_unless_present = "batch")]
    dice: Option<Rolled>,
    /// A memory's value before the turn (default: as at the start of the game)
    #[arg(long, value_name = "NAME=V", value_parser = memory_value, conflicts_with = "batch")]
    memory: Vec<(String, i64)>,
    /// Read turns from standard input, one JSON object a line, and print one a line
    #[arg(long, conflicts_with_all = ["score", "opponent", "dice"])]
    batch: bool,
}

/// What a turn rolls.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Rolled {
    /// The faces of some dice.
    Faces(Vec<u32>),
    /// A move below 0, which rolls nothing.
    Move(i32),
}

fn rolled(text: &str) -> Result<Rolled, String> {
    if matches!(text.trim(), "" | "none") {
        return Ok(Rolled::Faces(Vec::new()));
    }
    if let Some(request) = text.trim().parse().ok().filter(|request: &i32| *request < 0) {
        return Ok(Rolled::Move(request));
    }
    let face = |face: &str| face.trim().parse::<u32>().ok().filter(|face| *face > 0);
    let faces: Option<Vec<u32>> = text.split(',').map(face).collect();
    faces
        .map(Rolled::Faces)
        .ok_or_else(|| "faces are whole numbers from 1 with commas between, as in 2,5; `none` for no dice".into())
}

/// A turn as a line of JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    score: u32,
    opponent: u32,
    dice: Rolled,
    #[serde(default)]
    memory: std::collections::BTreeMap<String, i64>,
}

impl Turn {
    pub fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let rules = context.rules(&self.rules)?;
        if self.batch {
            return batch(&rules, context);
        }
        let (Some(score), Some(opponent), Some(dice)) = (self.score, self.opponent, &self.dice) else {
            bail!("give SCORE, OPPONENT and --dice, or --batch");
        };
        let position = position(&rules, score, opponent, &self.memory)?;
        context.show(&view(&rules, &position, dice)?)
    }
}

fn view(rules: &Rules, position: &Position, dice: &Rolled) -> anyhow::Result<TurnView> {
    let turn = match dice {
        Rolled::Faces(faces) => game::take_turn(rules, position, faces, 0)?,
        Rolled::Move(request) if *request < 0 => game::take_turn(rules, position, &[], *request)?,
        Rolled::Move(request) => bail!("dice is {request}: give the faces in brackets, as in [2,5]"),
    };
    Ok(TurnView {
        points: turn.points,
        score: turn.score,
        opponent: turn.opponent,
        again: turn.again,
        memory: memory_names(rules).into_iter().zip(turn.memory).collect(),
        steps: turn.steps.into_iter().map(|step| StepView { rule: step.rule, text: step.text }).collect(),
    })
}

/// Answers each line; a bad one is answered with its fault, and counts at the end.
fn batch(rules: &Rules, context: &Context) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Done;
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line.context("cannot read standard input")?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        match answer(rules, &line) {
            Ok(view) => context.print(|out| report::json(&view, out))?,
            Err(error) => {
                outcome = Outcome::Failed;
                context.print(|out| report::json(&serde_json::json!({ "error": error.to_string() }), out))?;
            }
        }
    }
    Ok(outcome)
}

fn answer(rules: &Rules, line: &[u8]) -> anyhow::Result<TurnView> {
    let line: Line = serde_json::from_slice(line)?;
    let memory: Vec<(String, i64)> = line.memory.into_iter().collect();
    view(rules, &position(rules, line.score, line.opponent, &memory)?, &line.dice)
}
