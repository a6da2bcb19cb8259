//! A game and what can be asked of it.

use std::sync::Arc;

use hog::contest::{Entrant, Field, Rejected, Robin, Scoring, Standings};
use hog::engine::{Engine, EngineError, GameQuery, MapQuery, Query, SolveQuery, TurnDice};
use hog::game::{Game, memory_names};
use hog::pairs::{PairRate, Rater};
use hog::plot::{self, Caption, Look};
use hog::rules::{Overrides, RulesError, rules_from_text};
use hog::sim::{Trials, session::Seat};
use hog::solve::Arithmetic;
use hog::view::{ContestParts, ContestView, EndView, PlayTurnView, Sight};
use numpy::{PyArrayDyn, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArrayDyn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;

use crate::arrays;
use crate::errors::raised;
use crate::solved::NativeSolution;
use crate::strategies::{Named, NativePlan, pairs};
use crate::work::{engine, long, quick};

/// Games of so many states are answered in the calling thread: nothing takes long there.
const SMALL: usize = 1 << 16;

/// A game, tabulated.
#[pyclass(frozen, module = "hog_solver._native")]
pub struct NativeGame {
    pub game: Arc<Game>,
}

/// What a turn rolls: faces, or a move below 0.
#[derive(FromPyObject)]
enum Dice {
    Faces(Vec<u32>),
    Move(i32),
}

/// First, second, average, endless, error bound.
type RateNumbers = (f64, f64, f64, f64, f64);

/// The ids of all built-in games.
#[pyfunction]
pub fn builtin_games() -> Vec<&'static str> {
    hog::rules::builtins().iter().map(|game| game.id).collect()
}

pub fn json(view: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(view).map_err(|error| PyValueError::new_err(error.to_string()))
}

#[pymethods]
impl NativeGame {
    /// A game by name or path, or from the text of rules.
    #[new]
    #[pyo3(signature = (name, text, goal, max_dice))]
    fn new(
        py: Python<'_>,
        name: Option<&str>,
        text: Option<&str>,
        goal: Option<u32>,
        max_dice: Option<u32>,
    ) -> PyResult<Self> {
        let overrides = Overrides { goal, max_dice };
        let game = long(py, None, |engine| match (name, text) {
            (_, Some(text)) => {
                hog::rules::check_overrides(overrides)?;
                engine.tabulate(rules_from_text(text, name.unwrap_or("rules"), overrides).map_err(RulesError::Faulty)?)
            }
            (name, None) => engine.game(GameQuery::new(name.unwrap_or_default()).overrides(overrides)),
        })?;
        Ok(Self { game })
    }

    #[getter]
    fn id(&self) -> &str {
        &self.game.rules().id
    }

    #[getter]
    fn title(&self) -> &str {
        &self.game.rules().title
    }

    #[getter]
    fn goal(&self) -> u32 {
        self.game.rules().goal
    }

    #[getter]
    fn min_dice(&self) -> i32 {
        self.game.rules().min_dice
    }

    #[getter]
    fn max_dice(&self) -> i32 {
        self.game.rules().max_dice
    }

    #[getter]
    fn baseline(&self) -> Option<&str> {
        self.game.rules().baseline.as_deref()
    }

    #[getter]
    fn text(&self) -> &str {
        &self.game.rules().text
    }

    /// The figures of these rules by goal and most dice: what `hog survey` tells of a game.
    #[staticmethod]
    fn figures(
        py: Python<'_>,
        name: Option<&str>,
        text: Option<&str>,
        goal: Option<u32>,
        max_dice: Option<u32>,
    ) -> PyResult<String> {
        let game = Self::new(py, name, text, goal, max_dice)?;
        json(&long(py, None, |engine| engine.figures(&game.game))?)
    }

    #[getter]
    fn states(&self) -> usize {
        self.game.space().states()
    }

    #[getter]
    fn shape(&self) -> Vec<usize> {
        arrays::shape(self.game.space())
    }

    #[getter]
    fn memories(&self) -> Vec<String> {
        memory_names(self.game.rules())
    }

    /// The index of a position in arrays over states.
    fn state(&self, py: Python<'_>, score: u32, opponent: u32, memory: Vec<(String, i64)>) -> PyResult<usize> {
        let position = position(score, opponent, memory).position(self.game.rules());
        Ok(self.game.state(&position.map_err(|error| raised(py, &error.into()))?))
    }

    /// A plan from numbers of dice.
    fn plan_of(&self, py: Python<'_>, name: String, dice: PyReadonlyArrayDyn<'_, i64>) -> PyResult<NativePlan> {
        NativePlan::from_array(py, &self.game, name, &dice)
    }

    /// A plan of a strategy by name or path, made once.
    fn plan(&self, py: Python<'_>, strategy: &str, name: String) -> PyResult<NativePlan> {
        let strategy = Named::Name(strategy.to_owned()).strategy(py)?;
        let plan = self.run(py, None, |engine| engine.plan(&self.game, &strategy))?;
        Ok(NativePlan::new(&self.game, name, plan))
    }

    /// The dice that a plan rolls in each state.
    fn dice_of<'py>(&self, py: Python<'py>, plan: &NativePlan) -> PyResult<Bound<'py, PyArrayDyn<i8>>> {
        let space = self.game.space();
        arrays::owned(py, (0..space.states()).map(|state| space.dice(plan.plan.action(state)) as i8).collect(), space)
    }

    #[pyo3(signature = (score, opponent, memory, against))]
    fn best(
        &self,
        py: Python<'_>,
        score: u32,
        opponent: u32,
        memory: Vec<(String, i64)>,
        against: Option<Named<'_>>,
    ) -> PyResult<String> {
        let (query, against) = (position(score, opponent, memory), Named::optional(against, py)?);
        json(&self.run(py, None, |engine| engine.best_against(&self.game, &query, against.as_ref()))?)
    }

    #[pyo3(signature = (strategy, against))]
    fn rate(&self, py: Python<'_>, strategy: Named<'_>, against: Option<Named<'_>>) -> PyResult<RateNumbers> {
        let (strategy, against) = (strategy.strategy(py)?, Named::optional(against, py)?);
        let rate = self.run(py, None, |engine| engine.rate(&self.game, &strategy, against.as_ref()))?.win_rate;
        Ok((rate.first, rate.second, rate.average, rate.endless, rate.error_bound))
    }

    #[pyo3(signature = (arithmetic, against, sees_scores, tries, seed, progress))]
    #[expect(clippy::too_many_arguments, reason = "the keywords of one Python method")]
    fn solve(
        &self,
        py: Python<'_>,
        arithmetic: Option<&str>,
        against: Option<Named<'_>>,
        sees_scores: bool,
        tries: Option<usize>,
        seed: u64,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<NativeSolution> {
        let mut query = SolveQuery::default();
        query.arithmetic = match arithmetic {
            None => None,
            Some("exact") => Some(Arithmetic::Exact),
            Some("float") => Some(Arithmetic::Float),
            Some(other) => {
                let message = format!("arithmetic is \"exact\" or \"float\", not {other:?}");
                return Err(PyValueError::new_err(message));
            }
        };
        query.against = Named::optional(against, py)?;
        query.sees = if sees_scores { Sight::Scores } else { Sight::State };
        query.tries = tries.unwrap_or(query.tries);
        query.seed = seed;
        let solved = long(py, progress.as_ref(), |engine| engine.solved(&self.game, &query))?;
        Ok(NativeSolution::of_solved(Arc::clone(&self.game), solved))
    }

    /// What a strategy loses: the view, and for each state the loss (average over moving first and second), how often it is
    /// met, and the loss each time.
    #[pyo3(signature = (strategy, against, top))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        strategy: Named<'_>,
        against: Option<Named<'_>>,
        top: usize,
    ) -> PyResult<(String, [Bound<'py, PyArrayDyn<f64>>; 3])> {
        let (strategy, against) = (strategy.strategy(py)?, Named::optional(against, py)?);
        let explained = self.run(py, None, |engine| engine.explained(&self.game, &strategy, against.as_ref(), top))?;
        let space = self.game.space();
        let mut arrays = [(); 3].map(|()| vec![0.0; space.states()]);
        for reached in &explained.explanation.reached {
            let state = self.game.state(&reached.position);
            arrays[0][state] = reached.average_loss();
            arrays[1][state] = reached.average_met();
            arrays[2][state] = reached.loss_each;
        }
        let [loss, met, each] = arrays.map(|values| arrays::owned(py, values, space));
        Ok((json(&explained.view)?, [loss?, met?, each?]))
    }

    #[pyo3(signature = (strategy, against, games, seed, progress))]
    fn simulate(
        &self,
        py: Python<'_>,
        strategy: Named<'_>,
        against: Option<Named<'_>>,
        games: u64,
        seed: u64,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let (strategy, against) = (strategy.strategy(py)?, Named::optional(against, py)?);
        let trials = Trials { games, seed };
        json(&long(py, progress.as_ref(), |engine| engine.simulate(&self.game, &strategy, against.as_ref(), trials))?)
    }

    /// What the game is like, if these play.
    fn describe(
        &self,
        py: Python<'_>,
        players: (Named<'_>, Named<'_>),
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let play = [players.0.strategy(py)?, players.1.strategy(py)?];
        json(&long(py, progress.as_ref(), |engine| engine.describe(&self.game, [&play[0], &play[1]]))?)
    }

    /// This game beside another, with the positions whose best roll differs most.
    fn compare(&self, py: Python<'_>, other: &Self, top: usize) -> PyResult<String> {
        json(&long(py, None, |engine| engine.compare([&self.game, &other.game], top))?)
    }

    /// The best rolls over both scores as an SVG picture, or those of a strategy.
    fn picture(&self, py: Python<'_>, strategy: Option<Named<'_>>, against: Option<Named<'_>>) -> PyResult<String> {
        let mut query = MapQuery::default();
        query.strategy = Named::optional(strategy, py)?;
        query.against = Named::optional(against, py)?;
        let map = self.run(py, None, |engine| engine.score_map(&self.game, &query))?;
        Ok(plot::best(Look::default(), &Caption::of(&map), &map).svg())
    }

    /// One turn with these faces, or a move below 0.
    fn turn(
        &self,
        py: Python<'_>,
        score: u32,
        opponent: u32,
        dice: Dice,
        memory: Vec<(String, i64)>,
    ) -> PyResult<String> {
        let dice = match dice {
            Dice::Faces(faces) => TurnDice::Faces(faces),
            Dice::Move(below_zero) => TurnDice::Move(below_zero),
        };
        let query = position(score, opponent, memory);
        let turn = engine().turn(self.game.rules(), &query, &dice).map_err(|error| raised(py, &error))?;
        json(&turn)
    }

    /// A whole game: its turns and its end.
    fn play(&self, py: Python<'_>, players: (Named<'_>, Named<'_>), seed: u64) -> PyResult<(String, String)> {
        let strategies = [players.0.strategy(py)?, players.1.strategy(py)?];
        let session = self.run(py, None, |engine| {
            let seats = [engine.seat(&self.game, &strategies[0])?, engine.seat(&self.game, &strategies[1])?];
            let mut session = engine.session(&self.game, seats, seed)?;
            while session.play_on().map_err(EngineError::from)?.is_some() {}
            Ok(session)
        })?;
        let seats: &[Seat; 2] = session.seats();
        let turns: Vec<PlayTurnView> = session
            .taken()
            .iter()
            .map(|taken| PlayTurnView::new(session.game().rules(), taken, &seats[taken.player].name))
            .collect();
        Ok((json(&turns)?, json(&EndView::new(&session))?))
    }

    /// Rates some pairs of plans: the win rate of the first moving first, and moving second.
    fn rate_pairs(
        &self,
        py: Python<'_>,
        plans: Vec<PyRef<'_, NativePlan>>,
        flat: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<(Vec<(f64, f64)>, f64)> {
        let plans: Vec<_> = plans.iter().map(|plan| Arc::clone(&plan.plan)).collect();
        let pairs = pairs(&flat);
        if pairs.iter().any(|(a, b)| *a.max(b) >= plans.len()) {
            return Err(PyValueError::new_err("a pair names a plan that is not there"));
        }
        long(py, None, |_| {
            let rater = Rater::new(&*self.game);
            let contenders: Vec<_> = plans.iter().map(|plan| rater.contender(plan)).collect();
            let mut room = rater.room();
            let rates = pairs
                .iter()
                .map(|(a, b)| room.rate(&contenders[*a], &contenders[*b]).map(|rate| (rate.first, rate.second)));
            Ok((rates.collect::<Result<Vec<_>, _>>()?, rater.error_bound()))
        })
    }

    /// A contest's view from the rates of all pairs: `rates[a][b]` is a moving first against b.
    fn contest_view(
        &self,
        plans: Vec<PyRef<'_, NativePlan>>,
        first: PyReadonlyArray2<'_, f64>,
        rejected: Vec<(String, String)>,
        error_bound: f64,
        seconds: f64,
    ) -> PyResult<String> {
        let entrants = plans.iter().map(|plan| Entrant::new(plan.name.clone(), plan.plan.as_ref().clone())).collect();
        let first = first.as_array();
        let rate = |a: usize, b: usize| PairRate { first: first[[a, b]], second: 1.0 - first[[b, a]] };
        let rates = (0..plans.len()).map(|a| (0..plans.len()).map(|b| rate(a, b)).collect()).collect();
        let rejected = rejected.into_iter().map(|(name, reason)| Rejected { name, file: None, reason }).collect();
        let field = Field { entrants, rejected, ..Field::default() };
        let robin = Robin { rates, error_bound, kept: 0 };
        let scoring = Scoring::default();
        let standings = Standings::of(&robin, &scoring, &[]);
        let rules = &self.game.rules().id;
        let parts =
            ContestParts { rules, field: &field, robin: &robin, standings: &standings, scoring: &scoring, seconds };
        json(&ContestView::new(parts))
    }
}

impl NativeGame {
    /// In this thread where nothing takes long, else in one of its own.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        work: impl FnOnce(&Engine) -> Result<T, EngineError> + Send,
    ) -> PyResult<T> {
        if self.game.space().states() <= SMALL { quick(py, work) } else { long(py, progress, work) }
    }
}

fn position(score: u32, opponent: u32, memory: Vec<(String, i64)>) -> Query {
    memory.into_iter().fold(Query::scores(score, opponent), |query, (name, value)| query.memory(name, value))
}
