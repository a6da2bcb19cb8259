//! An interactive game between people and strategies: one turn at a time, with hints, undo and a
//! transcript.
//!
//! A session is independent of terminals and screens; [`Request`] parses a person's input.

mod transcript;

pub use transcript::{LARGEST_TRANSCRIPT, Transcript, TranscriptError};

use std::collections::HashSet;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{Game, Plan, Position, TurnError};

use super::dice::SeededDice;
use super::handout::Rolled;
use super::handout::take_turn;
use super::judge::{Hint, Judge, Remark, Summary};

/// A player of a session.
pub struct Seat {
    /// The player's name.
    pub name: String,
    /// The player's strategy; `None` for a person.
    pub plan: Option<Arc<Plan>>,
}

/// A turn that was taken.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The player who moved: 0 or 1.
    pub player: usize,
    /// The position before the turn, as seen by that player.
    pub from: Position,
    /// The roll and its result.
    pub rolled: Rolled,
    /// The judge's remark on the choice; `None` without a judge.
    pub remark: Option<Remark>,
    /// The dice before the roll, for undo.
    dice: SeededDice,
}

impl Taken {
    /// Returns the scores of Player 0 and Player 1 after the turn.
    pub fn scores(&self) -> [i64; 2] {
        let turn = &self.rolled.turn;
        if self.player == 0 { [turn.score, turn.opponent] } else { [turn.opponent, turn.score] }
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Finish {
    /// This player has the higher score.
    Won(usize),
    /// The scores are equal.
    Tied,
    /// Two strategies play for ever: half a win for each player.
    Endless,
}

/// A person's request, entered as a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Roll this number of dice.
    Roll(i32),
    /// Show the win rate of each number of dice.
    Hint,
    /// Take back the last turn.
    Undo,
    /// Show the rules.
    Rules,
    /// List the requests.
    Help,
    /// End the game.
    Quit,
}

impl Request {
    /// The help text.
    pub const HELP: &'static str = "a number rolls that many dice; ? shows the win rate of each number; u takes your \
                                    last turn back; r shows the rules; h lists this; q ends the game";

    /// Parses a line; returns `None` if it is empty.
    ///
    /// # Errors
    /// Returns a message if the line is not a request.
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
                Err(_) => return Err(format!("`{}` is not a move: {}", line.trim(), Self::HELP)),
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
    /// The starting position.
    start: Position,
    /// The position as seen by the player to move; `None` once the game is over.
    position: Option<Position>,
    mover: usize,
    taken: Vec<Taken>,
    endless: bool,
    /// The players who were to move, and the states in which they were.
    seen: HashSet<(usize, usize)>,
    /// Between two strategies, by player to move and state: whether the game may still end.
    /// Computed when a state is repeated.
    may_end: Option<[Vec<bool>; 2]>,
}

impl Session {
    /// Creates a session at the start of a game; seat 0 moves first.
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
            seen: HashSet::new(),
            may_end: None,
        }
    }

    /// Adds a judge, who gives hints and remarks.
    pub fn with_judge(mut self, judge: Judge) -> Self {
        self.judge = Some(judge);
        self
    }

    /// Starts at another position, as seen by seat 0. A transcript records only its scores.
    pub fn beginning_at(mut self, start: Position) -> Self {
        self.position = Some(start.clone());
        self.start = start;
        self
    }

    /// Adds turns that were taken before, for display: the session's dice do not continue from
    /// them.
    pub fn resumed(mut self, taken: Vec<Taken>) -> Self {
        for mut turn in taken {
            turn.remark =
                self.judge.as_ref().map(|judge| judge.remark(&turn.from, turn.rolled.request));
            self.mover = if turn.rolled.turn.again { turn.player } else { 1 - turn.player };
            self.position = Position::after(self.game.rules(), &turn.rolled.turn);
            self.taken.push(turn);
        }
        self
    }

    /// Returns the game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Returns the players.
    pub fn seats(&self) -> &[Seat; 2] {
        &self.seats
    }

    /// Returns the seed of the dice.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the starting position, as seen by seat 0.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the turns taken so far.
    pub fn taken(&self) -> &[Taken] {
        &self.taken
    }

    /// Returns the scores of Player 0 and Player 1.
    pub fn scores(&self) -> [i64; 2] {
        let start = || [i64::from(self.start.score), i64::from(self.start.opponent)];
        self.taken.last().map_or_else(start, Taken::scores)
    }

    /// Returns the position as seen by the player to move; `None` if the game is over.
    pub fn position(&self) -> Option<&Position> {
        self.position.as_ref().filter(|_| !self.endless)
    }

    /// Returns the player to move; `None` if the game is over.
    pub fn mover(&self) -> Option<usize> {
        (self.position.is_some() && !self.endless).then_some(self.mover)
    }

    /// Returns whether a person is to move.
    pub fn awaits_person(&self) -> bool {
        self.mover().is_some_and(|mover| self.seats[mover].plan.is_none())
    }

    /// Returns the fewest and the most dice that may be requested.
    pub fn choices(&self) -> (i32, i32) {
        let space = self.game.space();
        (space.min_dice, space.dice(space.actions - 1))
    }

    /// Takes a turn for the player to move, with a request for `request` dice.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if the game does not allow this move here or is over.
    pub fn roll(&mut self, request: i32) -> Result<&Taken, TurnError> {
        let before = self.dice.clone();
        let rules = self.game.rules();
        let from = self.position.clone().filter(|_| !self.endless).ok_or(TurnError::Over)?;
        let rolled = take_turn(rules, &from, request, &mut self.dice)?;
        self.seen.insert((self.mover, self.game.state(&from)));
        self.position = Position::after(rules, &rolled.turn);
        let remark = self.judge.as_ref().map(|judge| judge.remark(&from, request));
        let player = self.mover;
        self.mover = if rolled.turn.again { player } else { 1 - player };
        self.taken.push(Taken { player, from, rolled, remark, dice: before });
        self.endless = self.is_endless();
        Ok(self.taken.last().expect("just pushed"))
    }

    /// Takes a turn for the player to move, if that is a strategy; returns `None` otherwise.
    ///
    /// # Errors
    /// Returns an error if the game does not allow the strategy's move.
    pub fn play_on(&mut self) -> Result<Option<&Taken>, TurnError> {
        let (Some(mover), Some(position)) = (self.mover(), &self.position) else { return Ok(None) };
        let Some(plan) = &self.seats[mover].plan else { return Ok(None) };
        let dice = self.game.space().dice(plan.action(self.game.state(position)));
        self.roll(dice).map(Some)
    }

    /// Takes back a person's last turn and all turns after it (without people, the last turn);
    /// returns the number of turns taken back. The dice are taken back too: the same roll has
    /// the same result again.
    pub fn undo(&mut self) -> usize {
        let people = self.seats.iter().any(|seat| seat.plan.is_none());
        let wanted = |taken: &Taken| !people || self.seats[taken.player].plan.is_none();
        let Some(place) = self.taken.iter().rposition(wanted) else { return 0 };
        let undone = self.taken.split_off(place);
        let first = &undone[0];
        (self.position, self.mover, self.dice) =
            (Some(first.from.clone()), first.player, first.dice.clone());
        self.endless = false;
        self.seen.clear();
        undone.len()
    }

    /// Returns the value of each number of dice to the player to move; empty without a judge or
    /// once the game is over.
    pub fn hints(&self) -> Vec<Hint> {
        match (&self.judge, &self.position) {
            (Some(judge), Some(position)) if !self.endless => judge.hints(position),
            _ => Vec::new(),
        }
    }

    /// Returns the result of the game; `None` until it is over.
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

    /// Returns the judge's summary of each player's rolls; `None` without a judge.
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

    /// Returns whether two strategies have returned to a state from which they cannot end the game.
    fn is_endless(&mut self) -> bool {
        let plans = self.seats.each_ref().map(|seat| seat.plan.as_deref());
        let (Some(position), [Some(first), Some(second)]) = (&self.position, plans) else {
            return false;
        };
        let state = self.game.state(position);
        if !self.seen.contains(&(self.mover, state)) {
            return false;
        }
        let find =
            || self.game.may_end([first, second], &|| true).expect("the callback never cancels");
        !self.may_end.get_or_insert_with(find)[self.mover][state]
    }
}
