//! `play`: a complete game of two strategies, played turn by turn by the rules engine.

use crate::game::{Keep, Policy, PolicyError, Position, PositionError, TurnError};
use crate::rules::Rules;

use super::commentary::Commentary;
use super::dice::DiceSource;
use super::handout::{Rolled, take_turn};

impl Rolled {
    /// The turn after which dice of a hand were kept.
    pub(super) fn of_hand(rules: &Rules, request: i32, faces: Vec<u32>, keep: Keep) -> Self {
        let Keep { kept, turn } = keep;
        Self { request, die: rules.hand[0].die.clone(), faces, kept, turn }
    }

    /// The whole roll, with a 0 for each die that was not kept.
    pub fn marked(&self) -> Vec<u32> {
        let dice = self.faces.iter().zip(&self.kept);
        dice.map(|(face, kept)| if *kept { *face } else { 0 }).collect()
    }
}

/// A strategy as the handouts define it: a function of the player's and the opponent's score that
/// returns a number of dice.
pub struct ByScores<F>(pub F);

impl<F: Fn(u32, u32) -> i32 + Sync> Policy for ByScores<F> {
    fn dice(&self, position: &Position) -> Result<i32, PolicyError> {
        Ok(self.0(position.score, position.opponent))
    }
}

/// The inputs of [`play`]. The goal is that of the rules.
pub struct Match<'a> {
    /// The rules of the game.
    pub rules: &'a Rules,
    /// The strategies of Player 0, who moves first, and Player 1. A strategy is called once for
    /// each of its turns.
    pub strategies: [&'a dyn Policy; 2],
    /// The starting scores of Player 0 and Player 1.
    pub scores: [u32; 2],
    /// The dice.
    pub dice: &'a mut dyn DiceSource,
    /// The commentary function, called at the end of each turn; it returns the function to call
    /// after the next turn.
    pub say: Commentary,
}

/// A game that has been played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Player 0's score and Player 1's.
    pub scores: [i64; 2],
    /// The complete commentary.
    pub said: String,
    /// Every turn: the player who moved, the position before the turn, and the roll.
    pub turns: Vec<(usize, Position, Rolled)>,
    /// Whether the game was given up because the sum of the scores had not reached a new maximum
    /// for more than [`PATIENCE`] turns; it counts as half a win for each player.
    pub endless: bool,
}

/// The number of turns without a new maximum of the sum of scores after which a game counts as
/// endless.
pub const PATIENCE: usize = 10_000;

/// An error of [`play`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The starting scores are not below the goal.
    #[error(transparent)]
    Start(#[from] PositionError),
    /// A strategy failed to return a number of dice.
    #[error("Player {player}'s strategy failed to answer {error}")]
    Strategy {
        /// 0 or 1.
        player: usize,
        /// The position, and the reason.
        error: PolicyError,
    },
    /// A turn cannot be played.
    #[error("Player {player} cannot play this turn: {error}")]
    Turn {
        /// 0 or 1.
        player: usize,
        /// The reason.
        error: TurnError,
    },
}

/// Plays a game to its end.
///
/// # Errors
/// Returns an error if the starting scores are not below the goal, or a strategy fails or requests
/// a roll that the game does not allow.
pub fn play(game: Match) -> Result<Ending, PlayError> {
    let Match { rules, strategies, scores, dice, mut say } = game;
    let mut position = Position::new(rules, scores[0], scores[1])?;
    let mut ending = Ending {
        scores: scores.map(i64::from),
        said: String::new(),
        turns: Vec::new(),
        endless: false,
    };
    let mut player = 0;
    let mut highest = 0;
    let mut waiting = 0;
    loop {
        let request = strategies[player]
            .dice(&position)
            .map_err(|error| PlayError::Strategy { player, error })?;
        let rolled = take_turn(rules, &position, request, dice)
            .map_err(|error| PlayError::Turn { player, error })?;
        let turn = &rolled.turn;
        ending.scores =
            if player == 0 { [turn.score, turn.opponent] } else { [turn.opponent, turn.score] };
        let (text, next) = say.say(ending.scores[0], ending.scores[1]);
        ending.said += &text;
        say = next;
        let after = Position::after(rules, turn);
        let again = turn.again;
        let sum = turn.score + turn.opponent;
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
