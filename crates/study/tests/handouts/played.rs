//! `play`, as the handouts ask for it: a game of two strategies, turn by turn by the rules engine.

use hog_rules::rules::Rules;
use hog_solve::game::{Policy, PolicyError, Position};
use hog_study::sim::{DiceSource, Rolled, take_turn};

/// A strategy as the handouts define it: a function of the player's and the opponent's score that
/// returns a number of dice.
pub struct ByScores<F>(pub F);

impl<F: Fn(u32, u32) -> i32 + Sync> Policy for ByScores<F> {
    fn dice(&self, position: &Position) -> Result<i32, PolicyError> {
        Ok(self.0(position.score, position.opponent))
    }
}

/// A turn: the player who moved, the position before it, and the roll.
pub type PlayedTurn = (usize, Position, Rolled);

/// The turns without a new maximum of the sum of scores after which a game is given up.
const PATIENCE: usize = 10_000;

/// Plays a game from these scores of Player 0, who moves first, and Player 1; returns its turns.
pub fn play(
    rules: &Rules,
    strategies: [&dyn Policy; 2],
    scores: [u32; 2],
    dice: &mut dyn DiceSource,
) -> Vec<PlayedTurn> {
    let mut position = Some(Position::new(rules, scores[0], scores[1]).unwrap());
    let mut turns = Vec::new();
    let mut player = 0;
    let mut highest = 0;
    let mut waiting = 0;
    while let Some(from) = position.take().filter(|_| waiting <= PATIENCE) {
        let request = strategies[player].dice(&from).unwrap();
        let rolled = take_turn(rules, &from, request, dice).unwrap();
        let sum = rolled.turn.score + rolled.turn.opponent;
        waiting = if sum > highest { 0 } else { waiting + 1 };
        highest = highest.max(sum);
        position = Position::after(rules, &rolled.turn);
        let next = if rolled.turn.again { player } else { 1 - player };
        turns.push((player, from, rolled));
        player = next;
    }
    turns
}
