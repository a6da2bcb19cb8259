//! The rules of a game applied turn by turn, for the handouts' functions. The game is not tabulated.

use hog::engine::GameQuery;
use hog::game::{Policy as _, Position, Turn, TurnError, dice_rolled, settle, take_test_turn};
use hog::rules::{Overrides, Rules};
use hog::strategy::Course;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::work::engine;

/// The rules of a game.
#[pyclass(frozen, module = "hog_solver._native")]
pub struct NativeRules {
    rules: Rules,
}

/// A position as the player to move sees it: score, opponent's score and memories.
type Seen = (u32, u32, Vec<i64>);

fn refused(error: &TurnError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymethods]
impl NativeRules {
    #[new]
    fn new(py: Python<'_>, name: &str, goal: Option<u32>) -> PyResult<Self> {
        let query = GameQuery::new(name).overrides(Overrides { goal, max_dice: None });
        Ok(Self { rules: engine().rules(query).map_err(|error| raised(py, &error))? })
    }

    #[getter]
    fn id(&self) -> &str {
        &self.rules.id
    }

    #[getter]
    fn goal(&self) -> u32 {
        self.rules.goal
    }

    #[getter]
    fn baseline(&self) -> Option<&str> {
        self.rules.baseline.as_deref()
    }

    /// Returns the names of the rules, in the order in which they apply.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.rules.rules.iter().map(|rule| rule.name.clone()).collect()
    }

    /// Returns the handouts' strategies for these rules: pairs of a name and the name of its threshold parameter.
    #[getter]
    fn strategies(&self) -> Vec<(&'static str, &'static str)> {
        Course::fitting(&self.rules).into_iter().map(|course| (course.name(), course.parameters()[0])).collect()
    }

    /// Returns the number of dice that one of the handouts' strategies rolls; parameters that are `None` are the
    /// handout's.
    fn choose(
        &self,
        name: &str,
        threshold: Option<i64>,
        num_rolls: Option<i32>,
        score: u32,
        opponent: u32,
    ) -> PyResult<i32> {
        let unknown = || PyValueError::new_err(format!("no handout has a strategy called {name}"));
        let course = Course::named(name, threshold, num_rolls).ok_or_else(unknown)?;
        let policy = course.policy(&self.rules).map_err(PyValueError::new_err)?;
        policy
            .dice(&self.position((score, opponent, Vec::new()))?)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Returns the memories at the start of a game with these scores.
    fn start(&self, score: u32, opponent: u32) -> PyResult<Vec<i64>> {
        Ok(self.position((score, opponent, Vec::new()))?.memory)
    }

    /// Returns how many dice are rolled if a player chooses `request`, and the weights of their faces 1, 2, ... (0 for
    /// faces that the die does not have).
    fn dice(&self, seen: Seen, request: i32) -> PyResult<(u32, Vec<u64>)> {
        let (number, die) =
            dice_rolled(&self.rules, &self.position(seen)?, request).map_err(|error| refused(&error))?;
        Ok((number as u32, (1..=die.sides() as u32).map(|face| die.weight(face).into()).collect()))
    }

    /// Takes one turn; test dice may show faces that no die has. Returns the points before any rule rewrites them, the
    /// points, both scores after the turn, whether the same player moves again, and the next position (`None` if the
    /// game is over).
    fn take_turn(
        &self,
        seen: Seen,
        faces: Vec<u32>,
        request: i32,
    ) -> PyResult<(i64, i64, i64, i64, bool, Option<Seen>)> {
        let position = self.position(seen)?;
        let turn = take_test_turn(&self.rules, &position, &faces, request).map_err(|error| refused(&error))?;
        let next = Position::after(&self.rules, &turn).map(|next| (next.score, next.opponent, next.memory));
        Ok((turn.rolled, turn.points, turn.score, turn.opponent, turn.again, next))
    }

    /// Applies the rules on totals to the totals that a turn has reached, the mover's first. Returns both scores,
    /// whether they were swapped, and whether the mover moves again.
    fn settle(&self, score: u32, opponent: u32, points: u32) -> PyResult<(i64, i64, bool, bool)> {
        let turn: Turn = settle(&self.rules, (score, opponent), points).map_err(|error| refused(&error))?;
        Ok((turn.score, turn.opponent, turn.swapped, turn.again))
    }
}

impl NativeRules {
    fn position(&self, (score, opponent, memory): Seen) -> PyResult<Position> {
        let mut position =
            Position::new(&self.rules, score, opponent).map_err(|error| PyValueError::new_err(error.to_string()))?;
        if !memory.is_empty() && memory.len() == position.memory.len() {
            position.memory = memory;
        }
        Ok(position)
    }
}
