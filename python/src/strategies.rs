//! Strategies as arguments from Python: names, or plans made from arrays.

use std::sync::Arc;

use hog::engine::{Error, StrategyNames};
use hog::game::{Game, Plan};
use hog::strategy::{Strategy, keeping_points};
use numpy::{PyReadonlyArray1, PyReadonlyArrayDyn};
use pyo3::prelude::*;

use crate::errors;

/// A valid number of dice for each state of a game.
#[pyclass(frozen, module = "hog_solver._native")]
pub struct NativePlan {
    pub name: String,
    pub plan: Arc<Plan>,
    /// Whether it ignores the memories.
    #[pyo3(get)]
    pub sees_scores: bool,
}

#[pymethods]
impl NativePlan {
    /// Returns its name in results.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }
}

impl NativePlan {
    pub fn new(game: &Game, name: String, plan: Arc<Plan>) -> Self {
        let sees_scores = plan.actions_of(0, game.space().per_cell()).len() == 1;
        Self { name, plan, sees_scores }
    }

    /// Makes a plan from numbers of dice: one for each pair of scores, row by row, or one for each
    /// state.
    pub fn from_array(
        py: Python<'_>,
        game: &Game,
        name: String,
        dice: &PyReadonlyArrayDyn<'_, i64>,
        worth: Option<&PyReadonlyArrayDyn<'_, f64>>,
    ) -> PyResult<Self> {
        let space = game.space();
        let (cells, states) = (space.goal * space.goal, space.states());
        let dice = dice.as_array();
        if dice.len() != cells && dice.len() != states {
            let message =
                format!("the array of {name} has {} entries; expected {cells}", dice.len());
            return Err(errors::strategy(py, message));
        }
        let per_entry = states / dice.len();
        let action = |(entry, dice): (usize, &i64)| {
            i32::try_from(*dice).ok().and_then(|dice| space.action(dice)).map(|action| action as u8).ok_or_else(|| {
                let position = game.position(entry * per_entry);
                let (least, most) = (space.min_dice, space.dice(space.actions - 1));
                let (score, opponent) = (position.score, position.opponent);
                let message = format!(
                    "the strategy {name} rolls {dice} dice at {score}-{opponent}; the game allows {least} to {most}"
                );
                errors::strategy(py, message)
            })
        };
        let actions = dice.iter().enumerate().map(action).collect::<PyResult<Vec<u8>>>()?;
        let plan = if dice.len() == states {
            Plan::from_actions(actions)
        } else {
            Plan::of_scores(game.states(), actions)
        };
        let plan = match worth {
            Some(worth) => plan.keeping(worth.as_array().iter().copied().collect::<Vec<f64>>()),
            None => plan,
        };
        Ok(Self::new(game, name, Arc::new(keeping_points(plan, game))))
    }

    /// Returns the plan as a strategy of the library.
    pub fn strategy(&self) -> Strategy {
        Strategy::Given { name: self.name.clone(), plan: Arc::clone(&self.plan) }
    }
}

/// A strategy as an argument: a name or a plan.
#[derive(FromPyObject)]
pub enum StrategyArg<'py> {
    Plan(PyRef<'py, NativePlan>),
    Name(String),
}

impl StrategyArg<'_> {
    /// Converts the argument to a strategy of the library.
    pub fn strategy(&self, py: Python<'_>) -> PyResult<Strategy> {
        match self {
            Self::Plan(plan) => Ok(plan.strategy()),
            Self::Name(name) => name.parse().map_err(|error: hog::strategy::StrategyError| {
                errors::strategy(py, error.to_string())
            }),
        }
    }

    /// Converts an optional argument.
    pub fn optional(this: Option<Self>, py: Python<'_>) -> PyResult<Option<Strategy>> {
        this.map(|named| named.strategy(py)).transpose()
    }
}

/// Splits a flat list of entrants into pairs: `[a, b, c, d]` becomes `[(a, b), (c, d)]`.
pub fn pairs(flat: &PyReadonlyArray1<'_, u32>) -> Vec<(usize, usize)> {
    flat.as_array()
        .iter()
        .copied()
        .map(|entrant| entrant as usize)
        .collect::<Vec<_>>()
        .chunks_exact(2)
        .map(|pair| (pair[0], pair[1]))
        .collect()
}

/// The strategies that the names in a request stand for.
pub struct GivenNames(pub Vec<(String, Strategy)>);

impl StrategyNames for GivenNames {
    fn strategy(&self, name: &str) -> Result<Strategy, Error> {
        match self.0.iter().find(|(known, _)| known == name) {
            Some((_, strategy)) => Ok(strategy.clone()),
            None => Ok(name.parse()?),
        }
    }
}
