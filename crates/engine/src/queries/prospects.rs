//! The points that a turn from one position scores, and the win rates that it leads to.

use std::collections::BTreeMap;

use super::{Best, GivenPosition};
use crate::game::Game;
use crate::solve::{self, Prospect};

use crate::engine::{Call, Error, of_usual_kind};

/// The distribution of the points of a turn with one number of dice.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnPoints {
    /// The number of dice.
    pub dice: i32,
    /// The probability of each number of points.
    pub chances: BTreeMap<u32, f64>,
}

impl TurnPoints {
    /// Returns the distributions of the points of a turn, before the rules on totals, for every
    /// number of dice.
    ///
    /// # Errors
    /// Returns an error if the game has no such position.
    pub fn of(game: &Game, position: &GivenPosition) -> Result<Vec<Self>, Error> {
        of_usual_kind(game.rules())?;
        let state = game.state(&position.position(game.rules())?);
        let mut turns = Vec::new();
        for action in game.space().actions_in(game.choices(state)) {
            let distribution = game.distribution(state, action);
            let mut chances = BTreeMap::new();
            for outcome in &distribution.outcomes {
                *chances.entry(outcome.points as u32).or_default() += distribution.chance(outcome);
            }
            turns.push(Self { dice: game.space().dice(action), chances });
        }
        Ok(turns)
    }

    /// Returns the mean number of points.
    pub fn mean(&self) -> f64 {
        self.chances.iter().map(|(points, chance)| f64::from(*points) * chance).sum()
    }
}

impl Call<'_> {
    /// Returns what may follow each choice of the answer to a question: the probability and the win
    /// rate of every result of its turn.
    ///
    /// # Errors
    /// As those of the answer.
    pub fn prospects(&self, question: &Best) -> Result<Vec<Vec<Prospect>>, Error> {
        let against = self.optional_strategy(question.against.as_ref())?;
        let (game, position) = self.game_at(&question.game, &question.position)?;
        let (values, _) = self.values(&game, against.as_ref())?;
        let (own, after) = values.sides();
        let state = game.state(&position);
        let choices = game.space().actions_in(game.choices(state));
        Ok(choices.map(|action| solve::prospects(&game, own, after, state, action)).collect())
    }
}
