//! What the turns of one position bring, and where they lead.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::game::{Game, Position};
use crate::solve::{self, Prospect};

use super::{Engine, EngineError, Query};

/// Every number of dice in one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Prospects {
    /// The position.
    pub position: Position,
    /// The strategy played against; `None` if it plays to win.
    pub against: Option<String>,
    /// Where the numbers come from, in words.
    pub numbers: String,
    /// The win rate of the player to move.
    pub win_rate: f64,
    /// The best numbers of dice.
    pub best: Vec<i32>,
    /// Every number of dice, ascending.
    pub choices: Vec<ChoiceProspects>,
}

/// One number of dice.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceProspects {
    /// How many dice; below 0 for moves that roll nothing.
    pub dice: i32,
    /// The win rate after rolling them and playing best from there on.
    pub win_rate: f64,
    /// What may follow.
    pub prospects: Vec<Prospect>,
}

/// The points of a turn with some number of dice.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnPoints {
    /// How many dice.
    pub dice: i32,
    /// The chance of each number of points.
    pub chances: BTreeMap<u32, f64>,
}

impl TurnPoints {
    /// Their mean.
    pub fn mean(&self) -> f64 {
        self.chances.iter().map(|(points, chance)| f64::from(*points) * chance).sum()
    }
}

impl Engine {
    /// The points that a turn brings in one position, for every number of dice: before any rule on totals.
    ///
    /// # Errors
    /// If the game has no such position.
    pub fn turn_points(&self, game: &Game, query: &Query) -> Result<Vec<TurnPoints>, EngineError> {
        let (state, space) = (game.state(&query.position(game.rules())?), game.space());
        let of_action = |action: usize| {
            let (set, distribution) = game.distribution(state, action);
            let mut chances = BTreeMap::new();
            for (outcome, weight) in &distribution.outcomes {
                let points = set.outcomes[usize::from(*outcome)].points;
                *chances.entry(points).or_default() += *weight as f64 / distribution.total as f64;
            }
            TurnPoints { dice: space.dice(action), chances }
        };
        Ok((0..space.actions).map(of_action).collect())
    }

    /// What every number of dice is worth in one position, and how likely it leads to better and worse.
    ///
    /// # Errors
    /// If the game has no such position, the strategy cannot be used, or the work is stopped.
    pub fn prospects(&self, game: &Arc<Game>, query: &Query) -> Result<Prospects, EngineError> {
        let position = query.position(game.rules())?;
        let strategy = query.strategy()?;
        let (verdict, numbers) = self.verdict(&self.call(), game, strategy.as_ref())?;
        let (own, state, space) = (verdict.own(), game.state(&position), game.space());
        let after = verdict.other().unwrap_or(own);
        let win_rates = solve::choices(game, own, after, state);
        let choice = |(action, win_rate): (usize, &f64)| ChoiceProspects {
            dice: space.dice(action),
            win_rate: *win_rate,
            prospects: solve::prospects(game, (own, after), (state, action)),
        };
        Ok(Prospects {
            against: query.against.clone(),
            numbers,
            win_rate: own.win_rates[state],
            best: space.dice_in(own.best[state]),
            choices: win_rates.iter().enumerate().map(choice).collect(),
            position,
        })
    }
}
