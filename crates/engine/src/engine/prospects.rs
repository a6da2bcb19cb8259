//! The points that a turn from one position scores, and the win rates that it leads to.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::game::{Game, Position};
use crate::queries::GivenPosition;
use crate::solve::{self, Prospect};
use crate::strategy::Strategy;

use super::{Engine, Error};

/// The possible results of every number of dice in one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Prospects {
    /// The position.
    pub position: Position,
    /// The opponent's strategy; `None` means optimal play.
    pub against: Option<String>,
    /// A description of the source of the numbers.
    pub numbers: String,
    /// The win rate of the player to move.
    pub win_rate: f64,
    /// The best numbers of dice.
    pub best: Vec<i32>,
    /// Every number of dice, ascending.
    pub choices: Vec<ChoiceProspects>,
}

/// The possible results of one number of dice.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceProspects {
    /// The number of dice; negative for moves that roll nothing.
    pub dice: i32,
    /// The win rate of rolling them and playing optimally from there on.
    pub win_rate: f64,
    /// The possible results of the turn.
    pub prospects: Vec<Prospect>,
}

/// The distribution of the points of a turn with one number of dice.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnPoints {
    /// The number of dice.
    pub dice: i32,
    /// The probability of each number of points.
    pub chances: BTreeMap<u32, f64>,
}

impl TurnPoints {
    /// Returns the mean number of points.
    pub fn mean(&self) -> f64 {
        self.chances.iter().map(|(points, chance)| f64::from(*points) * chance).sum()
    }
}

impl Engine {
    /// Returns the distribution of the points of a turn, before the rules on totals, for every
    /// number of dice.
    ///
    /// # Errors
    /// Returns an error if the game has no such position.
    pub fn turn_points(
        &self,
        game: &Game,
        position: &GivenPosition,
    ) -> Result<Vec<TurnPoints>, Error> {
        let (state, space) = (game.state(&position.position(game.rules())?), game.space());
        let of_action = |action: usize| {
            let distribution = game.distribution(state, action);
            let mut chances = BTreeMap::new();
            for outcome in &distribution.outcomes {
                *chances.entry(outcome.points as u32).or_default() += distribution.chance(outcome);
            }
            TurnPoints { dice: space.dice(action), chances }
        };
        Ok(space.actions_in(game.choices(state)).map(of_action).collect())
    }

    /// Returns, for every number of dice in one position, its win rate and the probability and win
    /// rate of each result, against a strategy or, without one, optimal play.
    ///
    /// # Errors
    /// Returns an error if the game has no such position, the strategy cannot be used, or the work
    /// is stopped.
    pub fn prospects(
        &self,
        game: &Arc<Game>,
        position: &GivenPosition,
        against: Option<&Strategy>,
    ) -> Result<Prospects, Error> {
        let position = position.position(game.rules())?;
        let (values, numbers) = self.call().values(game, against)?;
        let ((own, after), state, space) = (values.sides(), game.state(&position), game.space());
        let win_rates = solve::choices(game, own, after, state);
        let choices = space.actions_in(game.choices(state)).map(|action| ChoiceProspects {
            dice: space.dice(action),
            win_rate: win_rates[action],
            prospects: solve::prospects(game, own, after, state, action),
        });
        Ok(Prospects {
            against: against.map(ToString::to_string),
            numbers,
            win_rate: own.win_rates[state],
            best: space.dice_in(game.choices_in(state, own.best[state])),
            choices: choices.collect(),
            position,
        })
    }
}
