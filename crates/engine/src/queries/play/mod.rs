//! A game from its beginning to its end or to a person's turn: every turn with its commentary, and
//! the choices of the next one.

use std::collections::BTreeMap;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod events;
mod text;

pub use events::{PlayBids, PlayEnd, PlayEvent, PlayHints, PlayScores, PlayStart, PlayTurn};
pub use text::{dice_drawn, race_track, taken_back};

use super::{GivenGame, GivenPosition, GivenStrategy, Query};
use crate::engine::{Call, Error, values_by_name};
use crate::format::Text;
use crate::game::{EffectKind, Position, memory_names};
use crate::rules::Rules;
use crate::sim::session::{Finish, Seat, Session};
use crate::sim::{Commentary, Hint, RollGrade, Summary};

/// A game from its beginning to its end or to a person's turn
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Play {
    /// The game.
    #[serde(flatten)]
    pub game: GivenGame,
    /// Player 0 and Player 1, each a strategy or `person`.
    pub players: [GivenStrategy; 2],
    /// The seed of the dice.
    #[schemars(range(max = 9_007_199_254_740_992_u64))]
    pub seed: u64,
    /// The numbers of dice that people chose, in order.
    #[serde(default)]
    pub rolls: Vec<i32>,
    /// The dice that people kept, in order: their faces, or a whole roll with a 0 for each die that
    /// is not kept.
    #[serde(default)]
    pub keeps: Vec<Vec<u32>>,
    /// The score of Player 0, who moves first (default: that with which the game starts).
    #[serde(default)]
    pub score: Option<u32>,
    /// The score of Player 1 (default: likewise).
    #[serde(default)]
    pub opponent: Option<u32>,
    /// Values of memories by name; those not given have their value at the start of the game.
    #[serde(default, deserialize_with = "values_by_name")]
    #[schemars(with = "std::collections::BTreeMap<String, i64>")]
    pub memory: Vec<(String, i64)>,
}

/// The most turns of a game in one answer.
const MOST_TURNS: usize = 2_000;

/// The name of a player who is a person.
const PERSON: &str = "person";

impl Play {
    /// A game between two strategies from the start. `person` is a person.
    pub fn between(game: impl Into<GivenGame>, players: [GivenStrategy; 2], seed: u64) -> Self {
        Self {
            game: game.into(),
            players,
            seed,
            rolls: Vec::new(),
            keeps: Vec::new(),
            score: None,
            opponent: None,
            memory: Vec::new(),
        }
    }

    /// A game between two people from the start.
    pub fn people(game: impl Into<GivenGame>, seed: u64) -> Self {
        Self::between(game, [PERSON, PERSON].map(GivenStrategy::from), seed)
    }

    /// Sets the numbers of dice that people chose.
    #[must_use]
    pub fn rolls(mut self, rolls: Vec<i32>) -> Self {
        self.rolls = rolls;
        self
    }

    /// Sets the dice that people kept.
    #[must_use]
    pub fn keeps(mut self, keeps: Vec<Vec<u32>>) -> Self {
        self.keeps = keeps;
        self
    }

    /// Plays the game until it is over or a person has to choose a roll, or the dice to keep. The
    /// same question always gives the same game: leaving out the last roll takes it back.
    ///
    /// # Errors
    /// Returns an error if a strategy cannot be used, a roll is not allowed, or the game is too
    /// large or too long.
    pub fn session(&self, call: &Call) -> Result<Session, Error> {
        let mut players = [None, None];
        for (player, given) in players.iter_mut().zip(&self.players) {
            if !matches!(given, GivenStrategy::Named(name) if name == PERSON) {
                *player = Some(call.strategy(given)?);
            }
        }
        let [score, opponent] = call.game(&self.game)?.rules().start;
        let score = self.score.unwrap_or(score);
        let opponent = self.opponent.unwrap_or(opponent);
        let at = GivenPosition::scores(score, opponent).memories(self.memory.clone());
        let (game, from) = call.game_at(&self.game, &at)?;
        let mut seats = [0, 1].map(|player| Seat { name: format!("Player {player}"), plan: None });
        for (seat, player) in seats.iter_mut().zip(&players) {
            if let Some(strategy) = player {
                *seat = call.seat(&game, strategy)?;
            }
        }
        let mut session = call.session(&game, seats, self.seed)?.beginning_at(from);
        let mut rolls = self.rolls.iter();
        let mut keeps = self.keeps.iter();
        loop {
            call.check()?;
            if session.taken().len() > MOST_TURNS {
                return Err(Error::TooManyTurns { most: MOST_TURNS });
            }
            if session.play_on()?.is_some() {
                continue;
            }
            if session.rolled().is_some() {
                let Some(kept) = keeps.next() else { return Ok(session) };
                session.keep(kept)?;
                continue;
            }
            match (session.mover(), rolls.next()) {
                (_, None) => return Ok(session),
                (Some(_), Some(dice)) => drop(session.roll(*dice)?),
                (None, Some(dice)) => {
                    return Err(Error::RollAfterTheEnd {
                        turns: session.taken().len(),
                        dice: *dice,
                    });
                }
            }
        }
    }
}

impl Query for Play {
    const NAME: &str = "play";
    type Answer = PlayAnswer;

    fn answer(&self, call: &Call) -> Result<PlayAnswer, Error> {
        Ok(PlayAnswer::new(&self.session(call)?))
    }
}

/// The current state of a game that is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PlayAnswer {
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
    pub turns: Vec<PlayedTurn>,
    /// The scores of Player 0 and Player 1.
    pub scores: [i64; 2],
    /// The player to move, 0 or 1; null if the game is over.
    pub mover: Option<usize>,
    /// The fewest and the most dice of a turn.
    pub choices: [i32; 2],
    /// The values of the memories by name, as the player to move sees them.
    pub memory: BTreeMap<String, i64>,
    /// A roll of which the player to move has to keep dice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roll: Vec<u32>,
    /// The win rate of each number of dice for the player to move, or of each choice of dice to
    /// keep of the roll.
    pub hints: Vec<Hint>,
    /// The result; null if the game is not over.
    pub result: Option<Finish>,
    /// The judge's summary of each player's rolls; null without a judge or before the first turn.
    pub summaries: Option<[Summary; 2]>,
}

/// One turn with its grade and commentary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PlayedTurn {
    /// The turn.
    #[serde(flatten)]
    pub turn: PlayTurn,
    /// The scores of the mover and of the opponent before the turn.
    pub from: [u32; 2],
    /// The values of the memories before the turn, as the mover sees them.
    pub memory: BTreeMap<String, i64>,
    /// The judge's grade of the choice; null without a judge.
    pub grade: Option<RollGrade>,
    /// The lines of the handouts' commentary, on changes of the lead and record gains.
    pub said: Vec<String>,
}

impl PlayAnswer {
    /// Makes the answer from a session in its current state.
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
            roll: session.rolled().unwrap_or_default().to_vec(),
            hints: session.hints(),
            result: session.result(),
            summaries: session.summaries().filter(|_| !session.taken().is_empty()),
        }
    }
}

fn memories(rules: &Rules, position: &Position) -> BTreeMap<String, i64> {
    memory_names(rules).into_iter().zip(position.memory.iter().copied()).collect()
}

fn turns(session: &Session) -> Vec<PlayedTurn> {
    let Some(first) = session.taken().first() else { return Vec::new() };
    let mut scores = [first.from.score, first.from.opponent].map(i64::from);
    if first.player == 1 {
        scores.reverse();
    }
    let mut commentary = Commentary::new(scores);
    let rules = session.game().rules();
    let mut turns = Vec::with_capacity(session.taken().len());
    for taken in session.taken() {
        let turn = PlayTurn::new(rules, taken, &session.seats()[taken.player].name);
        let mut said: Vec<String> = commentary.lead(turn.scores).into_iter().collect();
        let records = commentary.records(turn.scores);
        // What a bust scores is no feat, even if nothing was scored before.
        if !taken.rolled.turn.steps.iter().any(|step| step.kind == EffectKind::Busts) {
            said.extend(records);
        }
        turns.push(PlayedTurn {
            from: [taken.from.score, taken.from.opponent],
            memory: memories(rules, &taken.from),
            grade: taken.remark.as_ref().map(|remark| remark.grade),
            said,
            turn,
        });
    }
    turns
}

impl Text for PlayAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        self.turns.iter().try_for_each(|turn| turn.turn.text(out))?;
        let [first, second] = &self.names;
        writeln!(out, "{first} {}, {second} {}", self.scores[0], self.scores[1])
    }
}
