//! Turns, hints and endings of a game that is played.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::StepView;
use crate::game::memory_names;
use crate::rules::Rules;
use crate::sim::session::{Finish, Session, Taken};
use crate::sim::{Hint, Opening, Summary};

/// What is played, before the first turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct StartView {
    /// The game's id.
    pub rules: String,
    /// The score that ends it.
    pub goal: u32,
    /// Player 0's name and Player 1's.
    pub names: [String; 2],
    /// Where the dice begin.
    pub seed: u64,
}

impl StartView {
    /// Of a session.
    pub fn new(session: &Session) -> Self {
        let rules = session.game().rules();
        let names = session.seats().each_ref().map(|seat| seat.name.clone());
        Self { rules: rules.id.clone(), goal: rules.goal, names, seed: session.seed() }
    }
}

/// The bids for the start, and what they lead to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct BidsView {
    /// The names of both players.
    pub names: [String; 2],
    /// Their bids.
    pub bids: [i64; 2],
    /// The scores that they start with.
    pub scores: [u32; 2],
    /// Which of them moves first; null if the bids have ended the game.
    pub first: Option<usize>,
}

impl BidsView {
    /// Of two players by name, what they bid, and what came of it.
    pub fn new(names: [String; 2], bids: [i64; 2], opening: &Opening) -> Self {
        Self { names, bids, scores: opening.scores, first: opening.position.as_ref().map(|_| opening.mover) }
    }
}

/// An answer to a line that is no turn: one of these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum PlayNoteView {
    /// How many turns were taken back.
    Undone(usize),
    /// What can be written.
    Help(String),
    /// Why the line is no move.
    Error(String),
}

/// One turn of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PlayTurnView {
    /// Whose it was: 0 or 1.
    pub player: usize,
    /// That player's name.
    pub name: String,
    /// The dice asked for.
    pub dice: i32,
    /// What they showed.
    pub faces: Vec<u32>,
    /// The points of the turn.
    pub points: i64,
    /// Player 0's score and Player 1's after the turn.
    pub scores: [i64; 2],
    /// True if the same player moves once more.
    pub again: bool,
    /// The game's memories that it changed, unless to 0: what a turn of several rolls has gathered.
    #[serde(default)]
    pub kept: BTreeMap<String, i64>,
    /// What each rule did.
    pub steps: Vec<StepView>,
    /// What a judge says of the choice.
    pub remark: Option<String>,
    /// The win rate it gave away.
    pub loss: Option<f64>,
}

impl PlayTurnView {
    /// Of a turn that was taken in a game of these rules by a player of that name.
    pub fn new(rules: &Rules, taken: &Taken, name: &str) -> Self {
        let turn = &taken.rolled.turn;
        let goal = i64::from(rules.goal);
        let before = shared(rules, &taken.from.memory);
        let changed = |(name, value): &(&String, &i64)| **value != 0 && before.get(*name) != Some(*value);
        let after = shared(rules, &turn.memory);
        Self {
            player: taken.player,
            name: name.to_owned(),
            dice: taken.rolled.request,
            faces: taken.rolled.faces.clone(),
            points: turn.points,
            scores: taken.scores(),
            again: turn.again && turn.score < goal && turn.opponent < goal,
            kept: after.iter().filter(changed).map(|(name, value)| (name.clone(), *value)).collect(),
            steps: turn.steps.iter().map(|s| StepView { rule: s.rule.clone(), text: s.text.clone() }).collect(),
            remark: taken.remark.as_ref().map(ToString::to_string),
            loss: taken.remark.as_ref().map(|remark| remark.loss),
        }
    }
}

/// The memories of the game among a position's, by name.
fn shared(rules: &Rules, memory: &[i64]) -> BTreeMap<String, i64> {
    let named = memory_names(rules).into_iter().zip(memory.iter().copied());
    let is_shared = |name: &str| rules.memories.iter().any(|memory| !memory.of_player && memory.name == name);
    named.filter(|(name, _)| is_shared(name)).collect()
}

/// The scores as a race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ScoresView {
    /// Player 0's name and Player 1's.
    pub names: [String; 2],
    /// Their scores.
    pub scores: [i64; 2],
    /// The game's goal.
    pub goal: u32,
    /// Whose turn it is; null if the game is over.
    pub mover: Option<usize>,
    /// The game's memories, by name.
    #[serde(default)]
    pub memory: BTreeMap<String, i64>,
}

impl ScoresView {
    /// Of a session as it stands.
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
        }
    }
}

/// What each number of dice is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct HintsView {
    /// One for each number of dice; none without a judge, or once the game is over.
    pub hints: Vec<Hint>,
}

impl HintsView {
    /// Of these hints.
    pub fn new(hints: Vec<Hint>) -> Self {
        Self { hints }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct EndView {
    /// Player 0's name and Player 1's.
    pub names: [String; 2],
    /// Their scores.
    pub scores: [i64; 2],
    /// How many turns were taken.
    pub turns: usize,
    /// Null if it was left before its end.
    pub result: Option<Finish>,
    /// Each player's rolls, as a judge sees them.
    pub summaries: Option<[Summary; 2]>,
}

impl EndView {
    /// Of a session as it stands.
    pub fn new(session: &Session) -> Self {
        Self {
            names: session.seats().each_ref().map(|seat| seat.name.clone()),
            scores: session.scores(),
            turns: session.taken().len(),
            result: session.result(),
            summaries: session.summaries().filter(|_| !session.taken().is_empty()),
        }
    }
}
