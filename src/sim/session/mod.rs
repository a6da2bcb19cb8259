//! A game at which people and strategies sit: one turn at a time, with hints, undo and a transcript.
//!
//! A session knows nothing of lines, keys or screens; [`Request`] reads what a person asks for.

mod transcript;

pub use transcript::{LARGEST_TRANSCRIPT, Transcript, TranscriptError};

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{Game, Plan, Position, TurnError};

use super::dice::SeededDice;
use super::handout::take_turn;
use super::judge::{Hint, Judge, Remark, Summary};
use super::play::Rolled;

/// Who sits at one side.
pub struct Seat {
    /// How to call them.
    pub name: String,
    /// What they play; `None` for a person.
    pub plan: Option<Arc<Plan>>,
}

/// A turn that was taken.
#[derive(Clone, Debug)]
pub struct Taken {
    /// Whose it was: 0 or 1.
    pub player: usize,
    /// The position before, seen by that player.
    pub from: Position,
    /// The roll and what came of it.
    pub rolled: Rolled,
    /// What there is to say about the choice.
    pub remark: Option<Remark>,
    /// The dice before the roll, for taking it back.
    dice: SeededDice,
}

impl Taken {
    /// Player 0's score and Player 1's after the turn.
    pub fn scores(&self) -> [i64; 2] {
        let turn = &self.rolled.turn;
        if self.player == 0 { [turn.score, turn.opponent] } else { [turn.opponent, turn.score] }
    }
}

/// How a game came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Finish {
    /// That player has the higher score.
    Won(usize),
    /// Equal scores.
    Tied,
    /// Both strategies pass for ever: half a win for each.
    Endless,
}

/// What a person asks for in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Roll so many dice.
    Roll(i32),
    /// What is each number of dice worth?
    Hint,
    /// Take back.
    Undo,
    /// What are the rules?
    Rules,
    /// List what can be asked.
    Help,
    /// Stop.
    Quit,
}

impl Request {
    /// What can be written, for people.
    pub const HELP: &'static str = "a number rolls that many dice; ? shows what each number is worth; u takes your last \
                                    turn back; r shows the rules; h lists this; q ends the game";

    /// Reads a line; `None` if it is empty.
    ///
    /// # Errors
    /// If it is no command, in words.
    pub fn read(line: &str) -> Result<Option<Self>, String> {
        Ok(Some(match line.trim().to_ascii_lowercase().as_str() {
            "" => return Ok(None),
            "?" | "hint" => Self::Hint,
            "u" | "undo" => Self::Undo,
            "r" | "rules" => Self::Rules,
            "h" | "help" => Self::Help,
            "q" | "quit" | "exit" => Self::Quit,
            text => match text.parse() {
                Ok(dice) => Self::Roll(dice),
                Err(_) => return Err(format!("`{}` is no move: {}", line.trim(), Self::HELP)),
            },
        }))
    }
}

/// A game in progress.
pub struct Session {
    game: Arc<Game>,
    seats: [Seat; 2],
    judge: Option<Judge>,
    seed: u64,
    dice: SeededDice,
    /// Where it began.
    start: Position,
    /// What the player to move sees; `None` once the game is over.
    position: Option<Position>,
    mover: usize,
    taken: Vec<Taken>,
    endless: bool,
}

impl Session {
    /// A game about to begin: seat 0 moves first.
    pub fn new(game: Arc<Game>, seats: [Seat; 2], seed: u64) -> Self {
        let start = game.position(game.start());
        Self {
            position: Some(start.clone()),
            start,
            game,
            seats,
            judge: None,
            seed,
            dice: SeededDice::new(seed),
            mover: 0,
            taken: Vec::new(),
            endless: false,
        }
    }

    /// The same with a judge, who gives hints and remarks.
    pub fn with_judge(mut self, judge: Judge) -> Self {
        self.judge = Some(judge);
        self
    }

    /// The same begun at another position, which seat 0 has before it. Transcripts tell its scores alone.
    pub fn beginning_at(mut self, start: Position) -> Self {
        self.position = Some(start.clone());
        self.start = start;
        self
    }

    /// The session after turns that were taken before, for showing: its dice do not go on from there.
    pub fn resumed(mut self, taken: Vec<Taken>) -> Self {
        for mut turn in taken {
            turn.remark = self.judge.as_ref().map(|judge| judge.remark(&turn.from, turn.rolled.request));
            self.mover = if turn.rolled.turn.again { turn.player } else { 1 - turn.player };
            self.position = Position::after(self.game.rules(), &turn.rolled.turn);
            self.taken.push(turn);
        }
        self
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Who sits there.
    pub fn seats(&self) -> &[Seat; 2] {
        &self.seats
    }

    /// Where the dice began.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Where it began, seen by seat 0.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The turns taken so far.
    pub fn taken(&self) -> &[Taken] {
        &self.taken
    }

    /// Player 0's score and Player 1's.
    pub fn scores(&self) -> [i64; 2] {
        let start = || [i64::from(self.start.score), i64::from(self.start.opponent)];
        self.taken.last().map_or_else(start, Taken::scores)
    }

    /// What the player to move sees; `None` if the game is over.
    pub fn position(&self) -> Option<&Position> {
        self.position.as_ref().filter(|_| !self.endless)
    }

    /// Whose turn it is; `None` if the game is over.
    pub fn mover(&self) -> Option<usize> {
        (self.position.is_some() && !self.endless).then_some(self.mover)
    }

    /// Whether a person is to move.
    pub fn awaits_person(&self) -> bool {
        self.mover().is_some_and(|mover| self.seats[mover].plan.is_none())
    }

    /// The dice that may be asked for, fewest and most.
    pub fn choices(&self) -> (i32, i32) {
        let space = self.game.space();
        (space.min_dice, space.dice(space.actions - 1))
    }

    /// Rolls so many dice for the player to move.
    ///
    /// # Errors
    /// If the game allows no such move here; nothing is changed then. Once it is over there is no move at all.
    pub fn roll(&mut self, request: i32) -> Result<&Taken, TurnError> {
        let before = self.dice.clone();
        let rules = self.game.rules();
        let Some(from) = self.position.clone().filter(|_| !self.endless) else {
            let (game, min, max) = (rules.id.clone(), 0, 0);
            return Err(TurnError::NoSuchMove { dice: request.into(), game, min, max });
        };
        let rolled = take_turn(rules, &from, request, &mut self.dice)?;
        self.position = Position::after(rules, &rolled.turn);
        let remark = self.judge.as_ref().map(|judge| judge.remark(&from, request));
        let player = self.mover;
        self.mover = if rolled.turn.again { player } else { 1 - player };
        self.taken.push(Taken { player, from, rolled, remark, dice: before });
        self.endless = self.goes_round();
        Ok(self.taken.last().expect("just pushed"))
    }

    /// Takes a strategy's turn, if one is to move.
    ///
    /// # Errors
    /// If the game does not allow what it plays.
    pub fn play_on(&mut self) -> Result<Option<&Taken>, TurnError> {
        let (Some(mover), Some(position)) = (self.mover(), &self.position) else { return Ok(None) };
        let Some(plan) = &self.seats[mover].plan else { return Ok(None) };
        let dice = self.game.space().dice(plan.action(self.game.state(position)));
        self.roll(dice).map(Some)
    }

    /// Takes back the turns from the last one of a person on (without people, the last one). The dice are taken back too:
    /// the same roll comes out the same. How many turns that were.
    pub fn undo(&mut self) -> usize {
        let people = self.seats.iter().any(|seat| seat.plan.is_none());
        let wanted = |taken: &Taken| !people || self.seats[taken.player].plan.is_none();
        let Some(place) = self.taken.iter().rposition(wanted) else { return 0 };
        let undone = self.taken.split_off(place);
        let first = &undone[0];
        (self.position, self.mover, self.dice) = (Some(first.from.clone()), first.player, first.dice.clone());
        self.endless = false;
        undone.len()
    }

    /// What each number of dice is worth to the player to move; empty without a judge or once the game is over.
    pub fn hints(&self) -> Vec<Hint> {
        match (&self.judge, &self.position) {
            (Some(judge), Some(position)) if !self.endless => judge.hints(position),
            _ => Vec::new(),
        }
    }

    /// How the game came out, once it is over.
    pub fn result(&self) -> Option<Finish> {
        if self.mover().is_some() {
            return None;
        }
        let [score0, score1] = self.scores();
        Some(match score0.cmp(&score1) {
            _ if self.endless => Finish::Endless,
            std::cmp::Ordering::Greater => Finish::Won(0),
            std::cmp::Ordering::Less => Finish::Won(1),
            std::cmp::Ordering::Equal => Finish::Tied,
        })
    }

    /// What the judge makes of each player's rolls.
    pub fn summaries(&self) -> Option<[Summary; 2]> {
        self.judge.as_ref()?;
        Some([0, 1].map(|player| {
            let turns = self.taken.iter().enumerate().filter(|(_, taken)| taken.player == player);
            let remarks = turns.filter_map(|(number, taken)| {
                Some((number + 1, [taken.from.score, taken.from.opponent], taken.remark.as_ref()?))
            });
            Summary::of(remarks)
        }))
    }

    /// Whether two strategies have come back, without a die rolled, to where they were.
    fn goes_round(&self) -> bool {
        let Some(position) = self.position.as_ref().filter(|_| self.seats.iter().all(|seat| seat.plan.is_some()))
        else {
            return false;
        };
        let state = self.game.state(position);
        let certain = self.taken.iter().rev().take_while(|taken| taken.rolled.faces.is_empty());
        certain.into_iter().any(|taken| taken.player == self.mover && self.game.state(&taken.from) == state)
    }
}
