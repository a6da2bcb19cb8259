//! Games written down: a line of JSON about the game, then one for each turn; read back, every turn is played again.

use serde::{Deserialize, Serialize};

use crate::game::{Game, Position, PositionError, take_turn};
use crate::rules::{Overrides, Rules, RulesError, builtin, builtins, rules_from_text, unknown};

use super::{Session, Taken};
use crate::dice::Die;
use crate::game::dice_rolled;
use crate::sim::SeededDice;
use crate::sim::play::Rolled;

/// The largest file that is read as a transcript, in bytes.
pub const LARGEST_TRANSCRIPT: u64 = 64 << 20;

/// The first words of a transcript.
const FORMAT: &str = "hog transcript 1";

/// A game written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    head: TranscriptHead,
    turns: Vec<TurnLine>,
}

/// Which game, and who played it.
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
    /// The scores that they began with, if these are not 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<[u32; 2]>,
}

/// One turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnLine {
    player: usize,
    /// The dice asked for.
    dice: i32,
    faces: Vec<u32>,
    /// Player 0's score and Player 1's after the turn.
    scores: [i64; 2],
}

/// Why a transcript cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// A line is none of a transcript's.
    #[error("line {line} of the transcript: {reason}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The rules it was played by.
    #[error("the rules of the transcript: {0}")]
    Rules(RulesError),
}

impl Transcript {
    /// Of a session as it stands.
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
            start: Some([session.start().score, session.start().opponent]).filter(|scores| *scores != [0, 0]),
        };
        let line = |taken: &Taken| TurnLine {
            player: taken.player,
            dice: taken.rolled.request,
            faces: taken.rolled.faces.clone(),
            scores: taken.scores(),
        };
        Self { head, turns: session.taken().iter().map(line).collect() }
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let json = |line: serde_json::Result<String>| line.expect("strings and numbers only") + "\n";
        let turns = self.turns.iter().map(|turn| json(serde_json::to_string(turn)));
        json(serde_json::to_string(&self.head)) + &turns.collect::<String>()
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// At the first line that is none of a transcript's.
    pub fn read(text: &str) -> Result<Self, TranscriptError> {
        let fault = |line: usize, reason: String| TranscriptError::Line { line, reason };
        let mut lines = text.lines().enumerate();
        let head = lines.next().map_or("", |(_, line)| line);
        let head: TranscriptHead = serde_json::from_str(head)
            .map_err(|e| fault(1, format!("not the head of a game that hog wrote down: {e}")))?;
        if head.format != FORMAT {
            return Err(fault(1, format!("the format is `{}`; this hog reads `{FORMAT}`", head.format)));
        }
        let turn = |(number, line): (usize, &str)| {
            serde_json::from_str(line).map_err(|e| fault(number + 1, format!("not a turn: {e}")))
        };
        let turns = lines.filter(|(_, line)| !line.trim().is_empty()).map(turn).collect::<Result<_, _>>()?;
        Ok(Self { head, turns })
    }

    /// Who played: Player 0 and Player 1.
    pub fn players(&self) -> &[String; 2] {
        &self.head.players
    }

    /// The seed it was played from.
    pub fn seed(&self) -> u64 {
        self.head.seed
    }

    /// The rules it was played by.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn rules(&self) -> Result<Rules, TranscriptError> {
        let TranscriptHead { goal, max_dice, .. } = self.head;
        let overrides = Overrides { goal: Some(goal), max_dice: Some(max_dice) };
        let rules = match &self.head.rules_text {
            Some(text) => rules_from_text(text, &self.head.rules, overrides).map_err(RulesError::from),
            None => match builtin(&self.head.rules) {
                Some(game) => rules_from_text(game.text, game.id, overrides).map_err(RulesError::from),
                None => Err(unknown(&self.head.rules)),
            },
        };
        rules.map_err(TranscriptError::Rules)
    }

    /// Where it began.
    ///
    /// # Errors
    /// If the game is over there.
    pub fn start(&self, rules: &Rules) -> Result<Position, TranscriptError> {
        let [score, opponent] = self.head.start.unwrap_or_default();
        let fault = |error: PositionError| TranscriptError::Line { line: 1, reason: error.to_string() };
        Position::new(rules, score, opponent).map_err(fault)
    }

    /// Plays every turn again with the dice written down.
    ///
    /// # Errors
    /// At the first turn that the rules do not allow, or that leads elsewhere.
    pub fn replay(&self, game: &Game) -> Result<Vec<Taken>, TranscriptError> {
        let rules = game.rules();
        let (mut position, mut mover) = (Some(self.start(rules)?), 0);
        let mut taken = Vec::new();
        for (number, line) in self.turns.iter().enumerate() {
            let fault = |reason: String| TranscriptError::Line { line: number + 2, reason };
            let from = position.take().ok_or_else(|| fault("a turn after the end of the game".into()))?;
            if line.player != mover {
                return Err(fault(format!("Player {} moves, but it is Player {mover}'s turn", line.player)));
            }
            let rolled = replay_turn(rules, &from, line).map_err(fault)?;
            position = Position::after(rules, &rolled.turn);
            let again = rolled.turn.again;
            let turn = Taken { player: mover, from, rolled, remark: None, dice: SeededDice::new(self.head.seed) };
            if turn.scores() != line.scores {
                let ([a, b], [c, d]) = (turn.scores(), line.scores);
                return Err(fault(format!("the turn leads to {a}-{b}, not to {c}-{d}")));
            }
            taken.push(turn);
            mover = if again { mover } else { 1 - mover };
        }
        Ok(taken)
    }
}

fn replay_turn(rules: &Rules, from: &Position, line: &TurnLine) -> Result<Rolled, String> {
    let (number, die): (usize, Die) = dice_rolled(rules, from, line.dice).map_err(|e| e.to_string())?;
    if number != line.faces.len() {
        return Err(format!("{number} dice are rolled here, and {} faces are given", line.faces.len()));
    }
    let request = if line.dice > 0 { number as i32 } else { line.dice };
    let turn = take_turn(rules, from, &line.faces, request).map_err(|e| e.to_string())?;
    Ok(Rolled { request: line.dice, die, faces: line.faces.clone(), turn })
}
