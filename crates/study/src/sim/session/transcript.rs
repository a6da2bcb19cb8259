//! Transcripts of games: a line of JSON about the game, then one for each turn. Reading one replays
//! every turn.

use serde::{Deserialize, Serialize};

use crate::game::{Game, Keep, Position, keep_turn, marked, take_turn};
use crate::rules::{Overrides, Rules, RulesError, builtins, load};

use super::{PastTurn, Session};
use crate::dice::Die;
use crate::files::escape;
use crate::game::dice_rolled;
use crate::limits;
use crate::sim::Rolled;
use crate::sim::SeededDice;

/// The value of `format` in a transcript's first line.
const FORMAT: &str = "hog transcript 1";

/// The record of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    head: TranscriptHead,
    turns: Vec<TurnLine>,
}

/// The first line: the game and its players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TranscriptHead {
    format: String,
    rules: String,
    /// The rule file, if the game is not built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules_text: Option<String>,
    goal: u32,
    max_dice: u32,
    seed: u64,
    players: [String; 2],
    /// The starting scores, unless they are those of the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<[u32; 2]>,
}

/// A line about one turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnLine {
    player: usize,
    /// The number of dice requested.
    dice: i32,
    faces: Vec<u32>,
    /// Where dice are kept: the roll with a 0 for each die that was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    keep: Option<Vec<u32>>,
    /// The scores of Player 0 and Player 1 after the turn.
    scores: [i64; 2],
}

/// An error of reading or replaying a transcript.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// A line is not valid.
    #[error("line {line} of the transcript: {reason}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with the line.
        reason: String,
    },
    /// The rules could not be loaded.
    #[error("the rules of the transcript: {0}")]
    Rules(RulesError),
}

fn fault(line: usize, reason: String) -> TranscriptError {
    TranscriptError::Line { line, reason }
}

fn json_line(line: &impl Serialize) -> String {
    serde_json::to_string(line).expect("strings and numbers only") + "\n"
}

impl TurnLine {
    fn of(taken: &PastTurn) -> Self {
        Self {
            player: taken.player,
            dice: taken.rolled.request,
            faces: taken.rolled.faces.clone(),
            keep: (!taken.rolled.kept.is_empty()).then(|| taken.rolled.marked()),
            scores: taken.scores(),
        }
    }
}

impl Transcript {
    /// Creates a transcript of a session up to now.
    pub fn of(session: &Session) -> Self {
        let rules = session.game().rules();
        let built_in = builtins().iter().any(|game| game.id == rules.id && game.text == rules.text);
        let head = TranscriptHead {
            format: FORMAT.into(),
            rules: rules.id.clone(),
            rules_text: (!built_in).then(|| rules.text.clone()),
            goal: rules.goal,
            max_dice: rules.max_dice.max(0) as u32,
            seed: session.seed(),
            players: session.seats().each_ref().map(|seat| seat.name.clone()),
            start: Some([session.start().score, session.start().opponent])
                .filter(|scores| *scores != rules.start),
        };
        Self { head, turns: session.taken().iter().map(TurnLine::of).collect() }
    }

    /// Returns the text of the file.
    pub fn text(&self) -> String {
        let mut text = json_line(&self.head);
        for turn in &self.turns {
            text += &json_line(turn);
        }
        text
    }

    /// Parses the text of a file.
    ///
    /// # Errors
    /// Returns an error for the first line that is not valid.
    pub fn read(text: &str) -> Result<Self, TranscriptError> {
        let mut lines = text.lines().enumerate();
        let head = lines.next().map_or("", |(_, line)| line);
        let mut head: TranscriptHead = serde_json::from_str(head)
            .map_err(|e| fault(1, format!("not the first line of a hog transcript: {e}")))?;
        if head.format != FORMAT {
            let reason = format!("the format is `{}`; this hog reads `{FORMAT}`", head.format);
            return Err(fault(1, reason));
        }
        head.players = head
            .players
            .map(|name| escape::line(&name).chars().take(limits::PLAYER_CHARS).collect());
        let mut turns = Vec::new();
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let turn = serde_json::from_str(line);
            turns.push(turn.map_err(|e| fault(number + 1, format!("not a turn: {e}")))?);
        }
        Ok(Self { head, turns })
    }

    /// Returns the names of Player 0 and Player 1.
    pub fn players(&self) -> &[String; 2] {
        &self.head.players
    }

    /// Returns the seed of the game's dice.
    pub fn seed(&self) -> u64 {
        self.head.seed
    }

    /// Loads the rules of the game. `read` reads the rules of a game that is not built in: from the
    /// text and the name of its rule file, and the goal and number of dice.
    ///
    /// # Errors
    /// Returns an error if they cannot be loaded.
    pub fn rules(
        &self,
        read: impl FnOnce(&str, &str, Overrides) -> Result<Rules, RulesError>,
    ) -> Result<Rules, TranscriptError> {
        let TranscriptHead { goal, max_dice, .. } = self.head;
        let overrides = Overrides { goal: Some(goal), max_dice: Some(max_dice) };
        let rules = match &self.head.rules_text {
            Some(text) => read(text, &self.head.rules, overrides),
            None => load(&self.head.rules, overrides),
        };
        rules.map_err(TranscriptError::Rules)
    }

    /// Returns the starting position.
    ///
    /// # Errors
    /// Returns an error if the game is over there.
    pub fn start(&self, rules: &Rules) -> Result<Position, TranscriptError> {
        let [score, opponent] = self.head.start.unwrap_or(rules.start);
        Position::new(rules, score, opponent).map_err(|error| fault(1, error.to_string()))
    }

    /// Replays every turn with the recorded dice.
    ///
    /// # Errors
    /// Returns an error for the first turn that the rules do not allow, or that leads to other
    /// scores than recorded.
    pub fn replay(&self, game: &Game) -> Result<Vec<PastTurn>, TranscriptError> {
        let rules = game.rules();
        let mut position = Some(self.start(rules)?);
        let mut mover = 0;
        let mut taken = Vec::new();
        for (number, line) in self.turns.iter().enumerate() {
            let place = number + 2;
            let from = position
                .take()
                .ok_or_else(|| fault(place, "a turn after the end of the game".into()))?;
            if line.player != mover {
                let reason =
                    format!("Player {} moves, but it is Player {mover}'s turn", line.player);
                return Err(fault(place, reason));
            }
            let rolled = replay_turn(rules, &from, line).map_err(|reason| fault(place, reason))?;
            position = Position::after(rules, &rolled.turn);
            let again = rolled.turn.again;
            let turn = PastTurn {
                player: mover,
                from,
                rolled,
                remark: None,
                dice: SeededDice::new(self.head.seed),
            };
            if turn.scores() != line.scores {
                let [a, b] = turn.scores();
                let [c, d] = line.scores;
                let reason = format!("the turn leads to {a}-{b}, not to {c}-{d}");
                return Err(fault(place, reason));
            }
            taken.push(turn);
            mover = if again { mover } else { 1 - mover };
        }
        Ok(taken)
    }
}

fn replay_turn(rules: &Rules, from: &Position, line: &TurnLine) -> Result<Rolled, String> {
    if let Some(keep) = line.keep.as_ref().filter(|_| rules.keeps_dice()) {
        let kept = marked(rules, from, &line.faces, keep).map_err(|e| e.to_string())?;
        let turn = keep_turn(rules, from, &line.faces, &kept).map_err(|e| e.to_string())?;
        let faces = line.faces.clone();
        return Ok(Rolled::of_hand(rules, line.dice, faces, Keep { kept, turn }));
    }
    let (number, die): (usize, Die) =
        dice_rolled(rules, from, line.dice).map_err(|e| e.to_string())?;
    if number != line.faces.len() {
        return Err(format!(
            "{number} dice are rolled here, and {} faces are given",
            line.faces.len()
        ));
    }
    let request = if line.dice > 0 { number as i32 } else { line.dice };
    let turn = take_turn(rules, from, &line.faces, request).map_err(|e| e.to_string())?;
    Ok(Rolled { request: line.dice, die, faces: line.faces.clone(), kept: Vec::new(), turn })
}
