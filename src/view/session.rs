//! A game as it stands: every turn, what was said of it, and what there is to do next.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PlayTurnView;
use crate::game::{Position, memory_names};
use crate::rules::Rules;
use crate::sim::session::{Finish, Session};
use crate::sim::{Commentary, Grade, Hint, Summary, announce_highest, announce_lead_changes, both};

/// A game as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SessionView {
    /// The game's id.
    pub rules: String,
    /// The game's goal.
    pub goal: u32,
    /// Where the dice began.
    pub seed: u64,
    /// Player 0's name and Player 1's.
    pub names: [String; 2],
    /// Whether they are people.
    pub people: [bool; 2],
    /// Every turn so far.
    pub turns: Vec<SessionTurnView>,
    /// Player 0's score and Player 1's.
    pub scores: [i64; 2],
    /// Whose turn it is; null if the game is over.
    pub mover: Option<usize>,
    /// The fewest and the most dice of a turn.
    pub choices: [i32; 2],
    /// The memories' values, seen by the player to move.
    pub memory: BTreeMap<String, i64>,
    /// What each number of dice is worth to the player to move.
    pub hints: Vec<Hint>,
    /// Null if the game is not over.
    pub result: Option<Finish>,
    /// Each player's rolls, as a judge sees them.
    pub summaries: Option<[Summary; 2]>,
}

/// One turn, and what is said of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SessionTurnView {
    /// The turn.
    #[serde(flatten)]
    pub turn: PlayTurnView,
    /// The scores before it: the mover's and the opponent's.
    pub from: [u32; 2],
    /// The memories' values before it, seen by the mover.
    pub memory: BTreeMap<String, i64>,
    /// How good the choice was.
    pub grade: Option<Grade>,
    /// The commentary of the handouts: who takes the lead, whose gain is a record.
    pub said: Vec<String>,
}

impl SessionView {
    /// Of a session as it stands.
    pub fn new(session: &Session) -> Self {
        let rules = session.game().rules();
        let memory = session.position().map(|position| memories(rules, position)).unwrap_or_default();
        let choices = session.choices();
        Self {
            rules: rules.id.clone(),
            goal: rules.goal,
            seed: session.seed(),
            names: session.seats().each_ref().map(|seat| seat.name.clone()),
            people: session.seats().each_ref().map(|seat| seat.plan.is_none()),
            turns: turns(session),
            scores: session.scores(),
            mover: session.mover(),
            choices: [choices.0, choices.1],
            memory,
            hints: session.hints(),
            result: session.result(),
            summaries: session.summaries().filter(|_| !session.taken().is_empty()),
        }
    }
}

fn memories(rules: &Rules, position: &Position) -> BTreeMap<String, i64> {
    memory_names(rules).into_iter().zip(position.memory.iter().copied()).collect()
}

fn turns(session: &Session) -> Vec<SessionTurnView> {
    let mut commentary: Option<Commentary> = None;
    let turn = |taken: &crate::sim::session::Taken| {
        let start = taken.from.clone();
        let view = PlayTurnView::new(session.game().rules(), taken, &session.seats()[taken.player].name);
        let commentary = commentary.get_or_insert_with(|| {
            let mut scores = [i64::from(start.score), i64::from(start.opponent)];
            if taken.player == 1 {
                scores.reverse();
            }
            commentary_from(scores)
        });
        let (said, next) = commentary.say(view.scores[0], view.scores[1]);
        *commentary = next;
        SessionTurnView {
            from: [start.score, start.opponent],
            memory: memories(session.game().rules(), &start),
            grade: taken.remark.as_ref().map(|remark| remark.grade),
            said: said.lines().map(str::to_owned).collect(),
            turn: view,
        }
    };
    session.taken().iter().map(turn).collect()
}

/// What the handouts' commentary says from these scores on.
fn commentary_from(scores: [i64; 2]) -> Commentary {
    let leader = match scores[0].cmp(&scores[1]) {
        std::cmp::Ordering::Greater => Some(0),
        std::cmp::Ordering::Less => Some(1),
        std::cmp::Ordering::Equal => None,
    };
    let highest = both(announce_highest(0, scores[0], 0), announce_highest(1, scores[1], 0));
    both(announce_lead_changes(leader), highest)
}
