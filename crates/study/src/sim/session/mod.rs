//! An interactive game between people and strategies: one turn at a time, with hints, undo and a
//! transcript.
//!
//! A session is independent of terminals and screens; [`PlayerRequest`] parses a person's input.

mod transcript;

pub use transcript::{Transcript, TranscriptError};

use std::collections::HashSet;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{
    Game, Keep, Plan, Position, TurnError, action_in_words, keep_turn, keeps, marked,
};
use crate::rules::Rules;

use super::dice::SeededDice;
use super::judge::{Hint, Judge, Remark, Summary};
use super::turn::{Rolled, roll_hand, take_turn};

/// A player of a session.
pub struct Seat {
    /// The player's name.
    pub name: String,
    /// The player's strategy; `None` for a person.
    pub plan: Option<Arc<Plan>>,
}

/// A turn that was taken.
#[derive(Clone, Debug)]
pub struct PastTurn {
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

impl PastTurn {
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerRequest {
    /// Roll this number of dice.
    Roll(i32),
    /// Keep these dice of the roll.
    Keep(Vec<u32>),
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

impl PlayerRequest {
    /// The help text.
    pub const HELP: &'static str = "a number rolls that many dice; ? shows the win rate of each \
        number; u takes your last turn back; r shows the rules; h lists this; q ends the game";

    /// The help text of games in which dice are kept.
    pub const KEEP_HELP: &'static str = "roll (or 1) rolls, bank (or b, 0) banks; after a roll the \
        faces to keep, as in 1 1 5; ? shows the win rate of each choice; u takes your last turn \
        back; r shows the rules; h lists this; q ends the game";

    /// The help text of a game with these rules.
    pub fn help(rules: &Rules) -> &'static str {
        if rules.keeps_dice() { Self::KEEP_HELP } else { Self::HELP }
    }

    /// Parses a line of a person who plays by these rules; returns `None` if it is empty. `rolled`
    /// are the dice to choose from, if some are to be kept.
    ///
    /// # Errors
    /// Returns a message if the line is not a request.
    pub fn read(line: &str, rolled: Option<&[u32]>, rules: &Rules) -> Result<Option<Self>, String> {
        let line = line.trim();
        Ok(Some(match (line.to_ascii_lowercase().as_str(), rolled) {
            ("", _) => return Ok(None),
            ("?" | "hint", _) => Self::Hint,
            ("u" | "undo", _) => Self::Undo,
            ("r" | "rules", _) => Self::Rules,
            ("h" | "help", _) => Self::Help,
            ("q" | "quit" | "exit", _) => Self::Quit,
            ("1" | "roll", None) if rules.keeps_dice() => Self::Roll(1),
            ("0" | "b" | "bank", None) if rules.keeps_dice() => Self::Roll(0),
            (_, None) if rules.keeps_dice() => {
                return Err(format!("`{line}` is not a move: type roll or bank, or h for help"));
            }
            (text, None) => match text.parse() {
                Ok(dice) => Self::Roll(dice),
                Err(_) => return Err(format!("`{line}` is not a move: {}", Self::HELP)),
            },
            (text, Some(rolled)) => match read_faces(text, rolled) {
                Some(faces) => Self::Keep(faces),
                None => {
                    return Err(format!(
                        "`{line}` are no dice of {}: type the faces to keep, as in 1 1 5; ? lists \
                         all choices",
                        listed(rolled)
                    ));
                }
            },
        }))
    }
}

/// Parses faces, with spaces or commas between them; these may be left out if all dice show single
/// digits.
fn read_faces(text: &str, rolled: &[u32]) -> Option<Vec<u32>> {
    let parts: Vec<&str> = text.split([' ', ',']).filter(|part| !part.is_empty()).collect();
    if let [digits] = parts[..]
        && rolled.iter().all(|face| *face < 10)
    {
        return digits.chars().map(|digit| digit.to_digit(10)).collect();
    }
    parts.into_iter().map(|part| part.parse().ok()).collect()
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
    /// A roll of which the player to move has to keep dice.
    shown: Option<ShownRoll>,
    taken: Vec<PastTurn>,
    endless: bool,
    /// The players who were to move, and the states in which they were.
    seen: HashSet<(usize, usize)>,
    /// Between two strategies, by player to move and state: whether the game may still end.
    /// Computed when a state is repeated.
    may_end: Option<[Vec<bool>; 2]>,
}

/// A roll of which dice are to be kept.
struct ShownRoll {
    request: i32,
    faces: Vec<u32>,
    /// The dice before the roll, for undo.
    before: SeededDice,
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
            shown: None,
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
    pub fn resumed(mut self, taken: Vec<PastTurn>) -> Self {
        for mut turn in taken {
            turn.remark = self.judge.as_ref().map(|judge| judge.remark(&turn.from, &turn.rolled));
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
    pub fn taken(&self) -> &[PastTurn] {
        &self.taken
    }

    /// Returns the scores of Player 0 and Player 1.
    pub fn scores(&self) -> [i64; 2] {
        match self.taken.last() {
            Some(taken) => taken.scores(),
            None => [self.start.score, self.start.opponent].map(i64::from),
        }
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

    /// Returns the fewest and the most dice that may be requested: where dice are kept, of the
    /// moves that are choices of their own.
    pub fn choices(&self) -> (i32, i32) {
        let space = self.game.space();
        if let Some(position) = self.position.as_ref().filter(|_| self.game.rules().keeps_dice()) {
            let moves = space.dice_in(self.game.choices(self.game.state(position)));
            if let [least, .., most] | [least @ most] = moves[..] {
                return (least, most);
            }
        }
        (space.min_dice, space.dice(space.actions - 1))
    }

    /// Returns the roll of which the player to move has to keep dice, if there is one.
    pub fn rolled(&self) -> Option<&[u32]> {
        self.shown.as_ref().map(|shown| &shown.faces[..])
    }

    /// Takes a turn for the player to move, with a request for `request` dice; returns `None` if
    /// the player has to choose first which dice to keep: see [`Self::keep`].
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if the game does not allow this move here or is over,
    /// or dice are to be kept.
    pub fn roll(&mut self, request: i32) -> Result<Option<&PastTurn>, TurnError> {
        if let Some(faces) = self.rolled() {
            return Err(TurnError::NothingKept { faces: listed(faces) });
        }
        let before = self.dice.clone();
        let game = Arc::clone(&self.game);
        let rules = game.rules();
        let from = self.position.clone().filter(|_| !self.endless).ok_or(TurnError::Over)?;
        let (least, most) = self.choices();
        if rules.keeps_dice() && least == most && request != least && self.awaits_person() {
            let only = action_in_words(rules, &from, least).unwrap_or_default();
            return Err(TurnError::OnlyMove { only });
        }
        let Some(faces) = roll_hand(rules, &from, request, &mut self.dice)? else {
            let rolled = take_turn(rules, &from, request, &mut self.dice)?;
            return Ok(Some(self.take(from, rolled, before)));
        };
        let mut keeps = match keeps(rules, &from, &faces) {
            Ok(keeps) => keeps,
            Err(error) => {
                self.dice = before;
                return Err(error);
            }
        };
        let chosen = match &self.seats[self.mover].plan {
            Some(plan) => game.best_keep(plan, &keeps),
            None if keeps.len() == 1 => 0,
            None => {
                self.shown = Some(ShownRoll { request, faces, before });
                return Ok(None);
            }
        };
        let rolled = Rolled::of_hand(rules, request, faces, keeps.swap_remove(chosen));
        Ok(Some(self.take(from, rolled, before)))
    }

    /// Keeps dice of the roll for the player to move: their faces, or the whole roll with a 0 for
    /// each die that is not kept.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if these dice may not be kept, or none are to be.
    pub fn keep(&mut self, kept: &[u32]) -> Result<&PastTurn, TurnError> {
        let (Some(shown), Some(from)) = (&self.shown, &self.position) else {
            return Err(TurnError::NothingRolled);
        };
        let rules = self.game.rules();
        let kept = marked(rules, from, &shown.faces, kept)?;
        let turn = keep_turn(rules, from, &shown.faces, &kept)?;
        let keep = Keep { kept, turn };
        let rolled = Rolled::of_hand(rules, shown.request, shown.faces.clone(), keep);
        let from = from.clone();
        let before = shown.before.clone();
        Ok(self.take(from, rolled, before))
    }

    /// Adds a turn; `before` are the dice before its roll.
    fn take(&mut self, from: Position, rolled: Rolled, before: SeededDice) -> &PastTurn {
        self.shown = None;
        self.seen.insert((self.mover, self.game.state(&from)));
        self.position = Position::after(self.game.rules(), &rolled.turn);
        let remark = self.judge.as_ref().map(|judge| judge.remark(&from, &rolled));
        let player = self.mover;
        self.mover = if rolled.turn.again { player } else { 1 - player };
        self.taken.push(PastTurn { player, from, rolled, remark, dice: before });
        self.endless = self.is_endless();
        self.taken.last().expect("just pushed")
    }

    /// Takes a turn for the player to move, if that is a strategy; returns `None` otherwise.
    ///
    /// # Errors
    /// Returns an error if the game does not allow the strategy's move.
    pub fn play_on(&mut self) -> Result<Option<&PastTurn>, TurnError> {
        let (Some(mover), Some(position)) = (self.mover(), &self.position) else { return Ok(None) };
        let Some(plan) = &self.seats[mover].plan else { return Ok(None) };
        let dice = self.game.space().dice(plan.action(self.game.state(position)));
        self.roll(dice)
    }

    /// Takes back a person's last turn and all turns after it (without people, the last turn);
    /// returns the number of turns taken back. The dice are taken back too: the same roll has
    /// the same result again.
    pub fn undo(&mut self) -> usize {
        if let Some(shown) = self.shown.take() {
            self.dice = shown.before;
            return 1;
        }
        let people = self.seats.iter().any(|seat| seat.plan.is_none());
        let mut turns = self.taken.iter();
        let last = turns.rposition(|turn| !people || self.seats[turn.player].plan.is_none());
        let Some(place) = last else { return 0 };
        let undone = self.taken.split_off(place);
        let first = &undone[0];
        self.position = Some(first.from.clone());
        self.mover = first.player;
        self.dice = first.dice.clone();
        self.endless = false;
        self.seen.clear();
        undone.len()
    }

    /// Returns the value of each number of dice to the player to move, or of each choice of dice to
    /// keep of a roll; empty without a judge or once the game is over.
    pub fn hints(&self) -> Vec<Hint> {
        match (&self.judge, &self.position) {
            (Some(judge), Some(position)) if !self.endless => match self.rolled() {
                Some(faces) => judge.keep_hints(position, faces).unwrap_or_default(),
                None => judge.hints(position),
            },
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
        let may_end = self.may_end.get_or_insert_with(|| {
            self.game.may_end([first, second], &|| true).expect("the callback never cancels")
        });
        !may_end[self.mover][state]
    }
}

/// Returns faces as a text.
fn listed(faces: &[u32]) -> String {
    faces.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}
