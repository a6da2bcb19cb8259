//! The events of a game that is played: start, bids, turns, hints and end.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{ErrorAnswer, RulesShowAnswer, Step, is_over};
use crate::game::{EffectKind, memory_names};
use crate::rules::Rules;
use crate::sim::session::{Finish, PastTurn, Session};
use crate::sim::{Hint, Opening, Summary};

/// The start of a game, before the first turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PlayStart {
    /// The game's id.
    pub rules: String,
    /// The goal: a score of at least this ends the game.
    pub goal: u32,
    /// The names of Player 0 and Player 1.
    pub names: [String; 2],
    /// The seed of the dice.
    pub seed: u64,
}

impl PlayStart {
    /// Makes the view of a session's start.
    pub fn new(session: &Session) -> Self {
        let rules = session.game().rules();
        let names = session.seats().each_ref().map(|seat| seat.name.clone());
        Self { rules: rules.id.clone(), goal: rules.goal, names, seed: session.seed() }
    }
}

/// The bids for the start and their result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PlayBids {
    /// The names of Player 0 and Player 1.
    pub names: [String; 2],
    /// Their bids.
    pub bids: [i64; 2],
    /// Their scores after the bids.
    pub scores: [u32; 2],
    /// The player who moves first, 0 or 1; null if the bids have ended the game.
    pub first: Option<usize>,
}

impl PlayBids {
    /// Makes the view of two players' bids and of the opening that they lead to.
    pub fn new(names: [String; 2], bids: [i64; 2], opening: &Opening) -> Self {
        Self {
            names,
            bids,
            scores: opening.scores,
            first: opening.position.as_ref().map(|_| opening.mover),
        }
    }
}

/// A line of a game that is played in JSON: what has happened, or the answer to a line of input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum PlayEvent {
    /// The game begins.
    Start(PlayStart),
    /// The bids for the start.
    Bids(PlayBids),
    /// The scores before a person's turn.
    Scores(PlayScores),
    /// A turn was taken.
    Turn(PlayTurn),
    /// The win rates of all numbers of dice.
    Hints(PlayHints),
    /// The rules.
    Rules(RulesShowAnswer),
    /// Turns were taken back.
    Undone {
        /// How many.
        undone: usize,
    },
    /// What a person may enter.
    Help {
        /// A description of it.
        help: String,
    },
    /// The line is not a valid move, or not a bid.
    Error(ErrorAnswer),
    /// The game is over, or was left.
    End(PlayEnd),
}

impl PlayEvent {
    /// A line that is not a valid move, and why.
    pub fn error(reason: String) -> Self {
        Self::Error(ErrorAnswer::new("value", reason))
    }
}

/// One move of a game: in games of several rolls a turn, one roll.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PlayTurn {
    /// The player who moved, 0 or 1.
    pub player: usize,
    /// That player's name.
    pub name: String,
    /// The number of dice that the player chose.
    pub dice: i32,
    /// The faces of the dice.
    pub faces: Vec<u32>,
    /// Where dice are kept: the roll with a 0 for each die that was not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keep: Vec<u32>,
    /// The points of the turn.
    pub points: i64,
    /// The scores of Player 0 and Player 1 after the turn.
    pub scores: [i64; 2],
    /// True if the same player moves again.
    pub again: bool,
    /// The shared memories that the turn changed to a value other than 0, such as the points
    /// collected so far in a turn of several rolls.
    #[serde(default)]
    pub kept: BTreeMap<String, i64>,
    /// The effect of each rule but for two that other fields tell: `again`, and points that became
    /// 0 because `kept` holds them.
    pub steps: Vec<Step>,
    /// The judge's remark on the choice; null without a judge.
    pub remark: Option<String>,
    /// The loss in win rate by the choice; null without a judge.
    pub loss: Option<f64>,
}

impl PlayTurn {
    /// Makes the view of a turn taken under these rules by the player called `name`.
    pub fn new(rules: &Rules, taken: &PastTurn, name: &str) -> Self {
        let turn = &taken.rolled.turn;
        let kept = changed_memories(rules, taken);
        let again = moves_again(rules, taken);
        let is_part = is_part_of_a_turn(again, turn.points, &kept);
        let steps = turn.steps.iter().filter(|step| match step.kind {
            EffectKind::MovesAgain => false,
            EffectKind::LosesPoints => !is_part,
            EffectKind::Busts | EffectKind::Swaps | EffectKind::Other => true,
        });
        Self {
            player: taken.player,
            name: name.to_owned(),
            dice: taken.rolled.request,
            faces: taken.rolled.faces.clone(),
            keep: taken.rolled.marked(),
            points: turn.points,
            scores: taken.scores(),
            again,
            kept,
            steps: steps.map(Step::new).collect(),
            remark: taken.remark.as_ref().map(ToString::to_string),
            loss: taken.remark.as_ref().map(|remark| remark.loss),
        }
    }

    /// Returns whether it is one roll of a turn of several rolls, whose points the game keeps in
    /// memories until the turn ends.
    pub fn is_part_of_a_turn(&self) -> bool {
        is_part_of_a_turn(self.again, self.points, &self.kept)
    }
}

/// Returns how many turns have been taken; the rolls of one turn are not turns.
fn turns_taken(session: &Session) -> usize {
    let mut turns = 0;
    let rules = session.game().rules();
    for taken in session.taken() {
        let kept = changed_memories(rules, taken);
        let again = moves_again(rules, taken);
        let is_part = is_part_of_a_turn(again, taken.rolled.turn.points, &kept);
        turns += usize::from(!is_part);
    }
    turns
}

fn is_part_of_a_turn(again: bool, points: i64, kept: &BTreeMap<String, i64>) -> bool {
    again && points == 0 && !kept.is_empty()
}

/// Whether the same player moves again: the rules may say so of the move that ends the game, too.
fn moves_again(rules: &Rules, taken: &PastTurn) -> bool {
    taken.rolled.turn.again && !is_over(rules, &taken.rolled.turn)
}

/// The shared memories that a move changed to a value other than 0.
fn changed_memories(rules: &Rules, taken: &PastTurn) -> BTreeMap<String, i64> {
    let before = shared(rules, &taken.from.memory);
    let mut changed = shared(rules, &taken.rolled.turn.memory);
    changed.retain(|name, value| *value != 0 && before.get(name) != Some(value));
    changed
}

/// Returns those of a position's memories that both players share, by name.
fn shared(rules: &Rules, memory: &[i64]) -> BTreeMap<String, i64> {
    let mut named = BTreeMap::new();
    for (name, value) in memory_names(rules).into_iter().zip(memory) {
        if rules.memories.iter().any(|shared| !shared.of_player && shared.name == name) {
            named.insert(name, *value);
        }
    }
    named
}

/// The scores of a game in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PlayScores {
    /// The names of Player 0 and Player 1.
    pub names: [String; 2],
    /// Their scores.
    pub scores: [i64; 2],
    /// The game's goal.
    pub goal: u32,
    /// The player to move, 0 or 1; null if the game is over.
    pub mover: Option<usize>,
    /// The values of the memories that both players share, by name.
    #[serde(default)]
    pub memory: BTreeMap<String, i64>,
    /// A roll of which the player to move has to keep dice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roll: Vec<u32>,
}

impl PlayScores {
    /// Makes the view of a session's current scores.
    pub fn new(session: &Session) -> Self {
        Self {
            names: session.seats().each_ref().map(|seat| seat.name.clone()),
            scores: session.scores(),
            goal: session.game().rules().goal,
            mover: session.mover(),
            memory: session
                .position()
                .map(|position| shared(session.game().rules(), &position.memory))
                .unwrap_or_default(),
            roll: session.rolled().unwrap_or_default().to_vec(),
        }
    }
}

/// The win rate of each number of dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PlayHints {
    /// One hint for each number of dice; empty without a judge and when the game is over.
    pub hints: Vec<Hint>,
}

impl PlayHints {
    /// Makes the view of these hints.
    pub fn new(hints: Vec<Hint>) -> Self {
        Self { hints }
    }
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PlayEnd {
    /// The names of Player 0 and Player 1.
    pub names: [String; 2],
    /// Their scores.
    pub scores: [i64; 2],
    /// The number of turns taken.
    pub turns: usize,
    /// The result; null if the game was left before its end.
    pub result: Option<Finish>,
    /// The judge's summary of each player's rolls; null without a judge or before the first turn.
    pub summaries: Option<[Summary; 2]>,
}

impl PlayEnd {
    /// Makes the view of a session that is over or was left.
    pub fn new(session: &Session) -> Self {
        Self {
            names: session.seats().each_ref().map(|seat| seat.name.clone()),
            scores: session.scores(),
            turns: turns_taken(session),
            result: session.result(),
            summaries: session.summaries().filter(|_| !session.taken().is_empty()),
        }
    }
}
