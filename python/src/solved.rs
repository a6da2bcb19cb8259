//! Solved games: values and best rolls as arrays, and tables to be written and read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hog::engine::{Engine, Error};
use hog::files;
use hog::game::{DiceSet, Game, Plan};
use hog::queries::{SolveAnswer, SolveResult, SolvedGame, WinRates};
use hog::solve::Solution;
use hog::table::Table;
use numpy::PyArrayDyn;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays;
use crate::errors::request_error;
use crate::game::{NativeGame, Told, told};
use crate::strategies::NativePlan;
use crate::work::long;

/// A game with its values and best rolls, from a solution, a search or a table.
#[pyclass(frozen, module = "hog_solver._native")]
pub struct NativeSolution {
    game: Arc<Game>,
    body: Body,
    view: Option<SolveAnswer>,
}

enum Body {
    Solved(Box<SolvedGame>),
    Tabled { table: Box<Table>, win_rates: Vec<f64> },
}

impl NativeSolution {
    pub fn of_solved(game: Arc<Game>, solved: SolvedGame) -> Self {
        let view = Some(solved.answer.clone());
        Self { game, body: Body::Solved(Box::new(solved)), view }
    }

    /// Makes a solution of the game and the table that `read` returns.
    fn of_table(
        py: Python<'_>,
        read: impl FnOnce(&Engine) -> Result<(Arc<Game>, Table), Error> + Send,
    ) -> PyResult<Self> {
        let (game, table, win_rates) = long(py, None, |engine| {
            let (game, table) = read(engine)?;
            let (win_rates, _) = engine.call().table_win_rates(&game, &table)?;
            Ok((game, table, win_rates))
        })?;
        Ok(Self { game, body: Body::Tabled { table: Box::new(table), win_rates }, view: None })
    }

    /// Returns the solution; `None` for a table that was read and for a searched plan.
    fn solution(&self) -> Option<&Solution> {
        match &self.body {
            Body::Solved(solved) => match &solved.result {
                SolveResult::Solution(solution, _) => Some(solution),
                _ => None,
            },
            Body::Tabled { .. } => None,
        }
    }

    fn win_rates(&self) -> Option<&[f64]> {
        match &self.body {
            Body::Tabled { win_rates, .. } => Some(win_rates),
            Body::Solved(_) => self.solution().map(|solution| &*solution.own.win_rates),
        }
    }

    fn sets(&self) -> Option<&[DiceSet]> {
        match &self.body {
            Body::Tabled { table, .. } => Some(table.best()),
            Body::Solved(_) => self.solution().map(|solution| &*solution.own.best),
        }
    }

    fn table(&self) -> PyResult<Table> {
        match &self.body {
            Body::Tabled { table, .. } => Ok(Table::clone(table)),
            Body::Solved(solved) => solved.table(&self.game).ok_or_else(|| {
                request_error(
                    "a searched table that sees only scores has no values: save `.dice` instead",
                )
            }),
        }
    }

    /// Returns the name of the table in error messages.
    fn name(&self) -> String {
        format!("the table of {}", self.game.rules().id)
    }

    fn plan_now(&self) -> Plan {
        match &self.body {
            Body::Tabled { table, .. } => table.plan(),
            Body::Solved(solved) => match &solved.result {
                SolveResult::Solution(solution, _) => solution.plan(),
                SolveResult::Plan(plan) => Plan::clone(plan),
                _ => unreachable!("the result of solving is a solution or a plan"),
            },
        }
    }
}

fn no_values() -> PyErr {
    request_error("a searched table that sees only scores has no values of states, only `.dice`")
}

#[pymethods]
impl NativeSolution {
    /// Reads a table from a file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Self::of_table(py, |engine| engine.call().read_table(&path))
    }

    /// Reads a table from its bytes.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        Self::of_table(py, |engine| engine.call().table_from(bytes, Path::new("in memory")))
    }

    /// Returns the bytes of the table, packed: without the win rates if they follow from the rolls.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.table()?.packed().to_bytes()))
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let bytes = self.table()?.to_bytes();
        let written = py.detach(|| files::write(&path, &bytes));
        written.map_err(|error| {
            PyOSError::new_err(format!("cannot write {}: {error}", path.display()))
        })
    }

    /// Proves the table from its rules, independently of the solver.
    fn check(&self, py: Python<'_>, progress: Option<Bound<'_, PyAny>>) -> PyResult<Told> {
        let table = self.table()?;
        let name = self.name();
        let checked = long(py, progress.as_ref(), |engine| {
            engine.call().check_table(&name, &table, &self.game)
        })?;
        Ok(told(&checked))
    }

    #[getter]
    fn game(&self) -> NativeGame {
        NativeGame { game: Arc::clone(&self.game) }
    }

    /// Returns the view of the solution; `None` for a table that was read.
    #[getter]
    fn view(&self) -> Option<Told> {
        self.view.as_ref().map(|view| told(view))
    }

    /// Returns first, second, average, endless and error bound.
    #[getter]
    fn win_rate(&self, py: Python<'_>) -> PyResult<(f64, f64, f64, f64, f64)> {
        let numbers = |rate: WinRates| {
            (rate.first, rate.second, rate.average, rate.endless, rate.error_bound)
        };
        match (&self.view, &self.body) {
            (Some(view), _) => Ok(numbers(view.win_rate)),
            (None, Body::Tabled { table, .. }) => {
                long(py, None, |engine| engine.call().table_rate(&self.name(), &self.game, table))
                    .map(numbers)
            }
            (None, Body::Solved(_)) => unreachable!("a solved game has a view"),
        }
    }

    #[getter]
    fn against(&self) -> Option<String> {
        match &self.body {
            Body::Solved(solved) => solved.answer.against.clone(),
            Body::Tabled { table, .. } => table.against().map(str::to_owned),
        }
    }

    /// Returns the exact win rate of the solved side moving first, as N/D.
    #[getter]
    fn fraction(&self) -> Option<String> {
        self.solution()?.first_fraction().map(ToString::to_string)
    }

    #[getter]
    fn values<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let own = this.get();
        let values = own.win_rates().ok_or_else(no_values)?;
        // SAFETY: a frozen class never changes its fields, so the vector is neither changed nor
        // reallocated.
        #[allow(unsafe_code)]
        unsafe {
            arrays::borrowed(this.clone().into_any(), values, own.game.space())
        }
    }

    #[getter]
    fn best<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArrayDyn<u32>>> {
        let own = this.get();
        let sets = own.sets().ok_or_else(no_values)?;
        // SAFETY: as above.
        #[allow(unsafe_code)]
        unsafe {
            arrays::borrowed(this.clone().into_any(), sets, own.game.space())
        }
    }

    #[getter]
    fn dice<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<i8>>> {
        let (plan, space) = (self.plan_now(), self.game.space());
        arrays::owned(
            py,
            (0..space.states()).map(|state| space.dice(plan.action(state)) as i8).collect(),
            space,
        )
    }

    fn plan(&self, name: String) -> NativePlan {
        NativePlan::new(&self.game, name, Arc::new(self.plan_now()))
    }
}
