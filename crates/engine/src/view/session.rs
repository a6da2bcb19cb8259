//! The current state of a game that is played: every turn with its commentary, and the choices of
//! the next one.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PlayTurnView;
use crate::game::{Position, memory_names};
use crate::rules::Rules;
use crate::sim::session::{Finish, Session};
use crate::sim::{Commentary, Grade, Hint, Summary, announce_highest, announce_lead_changes, both};

/// The current state of a game that is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SessionView {
    /// The game's id.
    pub rules: String,
    /// The game's goal.
    pub goal: u32,
    /// The seed of the dice.
    pub seed: u64,
    /// The names of Player 0 and Player 1.
    pub names: [String; 2],
    /// Whether each player is a person.
    pub people: [bool; 2],
    /// All turns taken.
    pub turns: Vec<SessionTurnView>,
    /// The scores of Player 0 and Player 1.
    pub scores: [i64; 2],
    /// The player to move, 0 or 1; null if the game is over.
    pub mover: Option<usize>,
    /// The fewest and the most dice of a turn.
    pub choices: [i32; 2],
    /// The values of the memories by name, as the player to move sees them.
    pub memory: BTreeMap<String, i64>,
    /// The win rate of each number of dice for the player to move.
    pub hints: Vec<Hint>,
    /// The result; null if the game is not over.
    pub result: Option<Finish>,
    /// The judge's summary of each player's rolls; null without a judge or before the first turn.
    pub summaries: Option<[Summary; 2]>,
}

/// One turn with its grade and commentary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SessionTurnView {
    /// The turn.
    #[serde(flatten)]
    pub turn: PlayTurnView,
    /// The scores of the mover and of the opponent before the turn.
    pub from: [u32; 2],
    /// The values of the memories before the turn, as the mover sees them.
    pub memory: BTreeMap<String, i64>,
    /// The judge's grade of the choice; null without a judge.
    pub grade: Option<Grade>,
    /// The lines of the handouts' commentary, on changes of the lead and record gains.
    pub said: Vec<String>,
}

impl SessionView {
    /// Makes the view of a session in its current state.
    pub fn new(session: &Session) -> Self {
        let rules = session.game().rules();
        let memory =
            session.position().map(|position| memories(rules, position)).unwrap_or_default();
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
        let view =
            PlayTurnView::new(session.game().rules(), taken, &session.seats()[taken.player].name);
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

/// Returns the handouts' commentary of a game that begins with these scores.
fn commentary_from(scores: [i64; 2]) -> Commentary {
    let leader = match scores[0].cmp(&scores[1]) {
        std::cmp::Ordering::Greater => Some(0),
        std::cmp::Ordering::Less => Some(1),
        std::cmp::Ordering::Equal => None,
    };
    let highest = both(announce_highest(0, scores[0], 0), announce_highest(1, scores[1], 0));
    both(announce_lead_changes(leader), highest)
}
