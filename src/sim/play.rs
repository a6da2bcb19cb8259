//! `play`: a whole game of two strategies, turn by turn through the rules engine.

use crate::dice::Die;
use crate::game::{Policy, PolicyError, Position, PositionError, Turn, TurnError};
use crate::rules::Rules;

use super::commentary::Commentary;
use super::dice::Dice;
use super::handout::take_turn;

/// A turn with its roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rolled {
    /// The number of dice asked for.
    pub request: i32,
    /// The die of this turn.
    pub die: Die,
    /// What the dice showed.
    pub faces: Vec<u32>,
    /// What the turn led to.
    pub turn: Turn,
}

/// A strategy as the handouts write it: from the own and the opponent's score to a number of dice.
pub struct ByScores<F>(pub F);

impl<F: Fn(u32, u32) -> i32 + Sync> Policy for ByScores<F> {
    fn dice(&self, position: &Position) -> Result<i32, PolicyError> {
        Ok(self.0(position.score, position.opponent))
    }
}

/// A game about to be played. The goal is that of the rules.
pub struct Match<'a> {
    /// Which game.
    pub rules: &'a Rules,
    /// Player 0's strategy, who moves first, and Player 1's. Each is asked once a turn.
    pub strategies: [&'a dyn Policy; 2],
    /// The scores they start with.
    pub scores: [u32; 2],
    /// What the dice show.
    pub dice: &'a mut dyn Dice,
    /// Called at the end of each turn; what it returns is called after the next.
    pub say: Commentary,
}

/// A game that has been played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Player 0's score and Player 1's.
    pub scores: [i64; 2],
    /// Everything the commentary said.
    pub said: String,
    /// Every turn: who moved, from which position, and what came of it.
    pub turns: Vec<(usize, Position, Rolled)>,
    /// True if it was given up because no score had grown for [`PATIENCE`] turns; it counts half a win for each.
    pub endless: bool,
}

/// Turns without any growth of the sum of scores after which a game counts as endless.
pub const PATIENCE: usize = 10_000;

/// Why a game cannot be played on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// It does not start below the goal.
    #[error(transparent)]
    Start(#[from] PositionError),
    /// A strategy has no answer.
    #[error("Player {player}'s strategy has no answer {error}")]
    Strategy {
        /// 0 or 1.
        player: usize,
        /// Where, and why.
        error: PolicyError,
    },
    /// A turn cannot be played.
    #[error("Player {player} cannot play this turn: {error}")]
    Turn {
        /// 0 or 1.
        player: usize,
        /// Why.
        error: TurnError,
    },
}

/// Plays a game to its end.
///
/// # Errors
/// If it does not start below the goal, or a strategy asks for what the game does not allow.
pub fn play(game: Match) -> Result<Ending, PlayError> {
    let Match { rules, strategies, scores, dice, mut say } = game;
    let mut position = Position::new(rules, scores[0], scores[1])?;
    let mut ending = Ending { scores: scores.map(i64::from), said: String::new(), turns: Vec::new(), endless: false };
    let (mut player, mut highest, mut waiting) = (0, 0, 0);
    loop {
        let strategy = |error| PlayError::Strategy { player, error };
        let request = strategies[player].dice(&position).map_err(strategy)?;
        let rolled = take_turn(rules, &position, request, dice).map_err(|error| PlayError::Turn { player, error })?;
        let turn = &rolled.turn;
        ending.scores = if player == 0 { [turn.score, turn.opponent] } else { [turn.opponent, turn.score] };
        let (text, next) = say.say(ending.scores[0], ending.scores[1]);
        ending.said += &text;
        say = next;
        let (after, again, sum) = (Position::after(rules, turn), turn.again, turn.score + turn.opponent);
        ending.turns.push((player, position, rolled));
        waiting = if sum > highest { 0 } else { waiting + 1 };
        highest = highest.max(sum);
        ending.endless = waiting > PATIENCE;
        match after {
            Some(after) if !ending.endless => position = after,
            _ => return Ok(ending),
        }
        player = if again { player } else { 1 - player };
    }
}
