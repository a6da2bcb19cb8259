//! One turn with given dice, and the effect of each rule.

use std::collections::BTreeMap;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ErrorDetail, GivenGame, GivenPosition, Query, named_memories};
use crate::engine::{Call, Error};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, counted, paint};
use crate::game::{self, EffectKind, TurnEffect, keep_turn, marked, take_turn};
use crate::rules::Rules;

/// One turn with given dice, and the effect of each rule
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[command(after_help = "Examples:
  hog turn fa21 20 36 --dice 2,5                      two dice: a 2 and a 5
  hog turn fa21 20 36 --dice none                     no dice rolled
  hog turn fa16 20 5 --dice -1                        Pork Chop, a move without dice
  hog turn fa19 23 4 --dice 5 --memory last_dice=1
  hog turn kcd 500 900 --dice 1,1,4,5,3,2 --keep 1,1  the dice that are kept
  hog turn fa21 --batch < turns.jsonl         \
{\"score\":20,\"opponent\":36,\"dice\":[2,5]} a line")]
#[non_exhaustive]
pub struct Turn {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// The position.
    #[serde(flatten)]
    #[command(flatten)]
    pub position: GivenPosition,
    /// The faces rolled, separated by commas; `none` for no dice, a negative number for a special
    /// move of the game
    #[arg(long, value_name = "FACES", value_parser = rolled)]
    pub dice: TurnDice,
    /// The faces that are kept, in games in which a player chooses them; or all faces, with a 0 for
    /// each die that is not kept
    #[serde(default)]
    #[arg(
        long,
        value_name = "FACES",
        default_value = "",
        hide_default_value = true,
        value_parser = faces
    )]
    pub keep: std::vec::Vec<u32>,
}

/// The dice or the move of one turn.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum TurnDice {
    /// The faces of the dice that are rolled.
    Faces(#[schemars(inner(range(min = 1)))] Vec<u32>),
    /// A negative number: a move that rolls nothing.
    Move(#[schemars(range(max = -1))] i32),
}

/// Reads faces with commas or spaces between them; several digits without any are a die each.
pub(super) fn faces(text: &str) -> Result<Vec<u32>, &'static str> {
    let mut faces = Vec::new();
    let is_list = text.contains([',', ' ']);
    for part in text.split([',', ' ']).filter(|part| !part.is_empty()) {
        let digits = match is_list {
            true => vec![part.parse().ok()],
            false => part.chars().map(|digit| digit.to_digit(10)).collect(),
        };
        for face in digits {
            faces.push(face.ok_or("write the faces as in 2,5 or 25")?);
        }
    }
    Ok(faces)
}

fn rolled(text: &str) -> Result<TurnDice, &'static str> {
    if matches!(text.trim(), "" | "none") {
        return Ok(TurnDice::Faces(Vec::new()));
    }
    if let Some(request) = text.trim().parse().ok().filter(|request: &i32| *request < 0) {
        return Ok(TurnDice::Move(request));
    }
    let parts = text.split([',', ' ']).filter(|part| !part.is_empty());
    let faces = parts.map(|face| face.parse().ok().filter(|face| *face > 0));
    faces.collect::<Option<Vec<u32>>>().map(TurnDice::Faces).ok_or(
        "write faces as whole numbers from 1, separated by commas, as in 2,5, \
         or `none` for no dice",
    )
}

/// One turn, with the effect of each rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TurnAnswer {
    /// The points of the turn, before the rules on totals.
    pub points: i64,
    /// The mover's score after the turn.
    pub score: i64,
    /// The opponent's score after the turn.
    pub opponent: i64,
    /// True if the same player moves again; false if the game is over.
    pub again: bool,
    /// True if the game is over: a score has reached the goal.
    pub over: bool,
    /// The values of the memories after the turn, as the mover sees them.
    pub memory: BTreeMap<String, i64>,
    /// The effect of each rule, in the order in which they apply.
    pub steps: Vec<Step>,
}

/// The effect of one rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Step {
    /// The rule's name.
    pub rule: String,
    /// A description of its effect.
    pub text: String,
}

/// The answer to a line of a batch that does not describe a valid turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct BadLine {
    /// What is wrong.
    pub error: ErrorDetail,
    /// The line's number, from 1.
    pub line: usize,
    /// The line itself.
    pub input: String,
}

impl BadLine {
    /// Makes the answer from the error, the line's number and the line.
    pub fn new(error: ErrorDetail, line: usize, input: String) -> Self {
        Self { error, line, input }
    }
}

/// Whether a turn ends the game.
pub(crate) fn is_over(rules: &Rules, turn: &game::TurnResult) -> bool {
    turn.score.max(turn.opponent) >= i64::from(rules.goal)
}

impl Step {
    pub(crate) fn new(step: &TurnEffect) -> Self {
        Self { rule: step.rule.clone(), text: step.text.clone() }
    }
}

impl TurnAnswer {
    /// Makes the view of a turn that was taken.
    pub fn new(rules: &Rules, turn: game::TurnResult) -> Self {
        let over = is_over(rules, &turn);
        // After the end of the game, nobody moves again.
        let steps = turn.steps.iter().filter(|step| !over || step.kind != EffectKind::MovesAgain);
        Self {
            points: turn.points,
            score: turn.score,
            opponent: turn.opponent,
            again: turn.again && !over,
            over,
            steps: steps.map(Step::new).collect(),
            memory: named_memories(rules, &turn.memory),
        }
    }
}

impl Turn {
    /// The question about a turn from a position with these scores.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::{Turn, TurnDice};
    ///
    /// let engine = Engine::builder().build();
    /// // 36 to 36, which Hog Pile doubles.
    /// let dice = TurnDice::Faces(vec![2; 8]);
    /// let answer = engine.ask(&Turn::at("fa21", 20, 36, dice))?;
    /// assert_eq!((answer.points, answer.score, answer.opponent), (16, 72, 36));
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn at(game: impl Into<GivenGame>, score: u32, opponent: u32, dice: TurnDice) -> Self {
        let position = GivenPosition::scores(score, opponent);
        Self { game: game.into(), position, dice, keep: Vec::new() }
    }

    /// Takes the turn under these rules; `keep` as in [`Self::keep`].
    ///
    /// # Errors
    /// Returns an error if the game has no such position, or does not allow this turn there.
    pub fn under(
        rules: &Rules,
        position: &GivenPosition,
        dice: &TurnDice,
        keep: &[u32],
    ) -> Result<TurnAnswer, Error> {
        let rolled = if let TurnDice::Faces(faces) = dice { faces.len() } else { 0 };
        let position = position.before_roll(rules, rolled)?;
        if !keep.is_empty() && !rules.keeps_dice() {
            return Err(Error::NothingToKeep { game: rules.id.clone() });
        }
        let turn = match dice {
            TurnDice::Faces(faces) if !keep.is_empty() => {
                let kept = marked(rules, &position, faces, keep)?;
                keep_turn(rules, &position, faces, &kept)?
            }
            TurnDice::Faces(faces) => take_turn(rules, &position, faces, 0)?,
            TurnDice::Move(request) if *request < 0 => take_turn(rules, &position, &[], *request)?,
            TurnDice::Move(dice) => return Err(Error::FacesWanted { dice: *dice }),
        };
        Ok(TurnAnswer::new(rules, turn))
    }
}

impl Query for Turn {
    const NAME: &str = "turn";
    type Answer = TurnAnswer;

    fn answer(&self, call: &Call) -> Result<TurnAnswer, Error> {
        Self::under(&call.rules(&self.game)?, &self.position, &self.dice, &self.keep)
    }
}

impl Text for TurnAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = self.steps.iter().map(|step| step.rule.chars().count()).max().unwrap_or(0);
        for step in &self.steps {
            writeln!(out, "  {}  {}", paint(FAINT, format!("{:<width$}", step.rule)), step.text)?;
        }
        let next = match (self.over, self.again) {
            (true, _) => ", and the game is over",
            (_, true) => ", and the same player moves again",
            _ => "",
        };
        let after = paint(BEST, format!("{} to {}", self.score, self.opponent));
        writeln!(out, "{}: {after} after the turn{next}", signed_points(self.points))?;
        for (name, value) in &self.memory {
            writeln!(out, "{}", paint(FAINT, format!("  {name} is now {value}")))?;
        }
        Ok(())
    }
}

/// Formats points as `1 point` or `-3 points`.
fn signed_points(points: i64) -> String {
    let sign = if points < 0 { "-" } else { "" };
    format!("{sign}{}", counted(points.unsigned_abs(), "point"))
}
