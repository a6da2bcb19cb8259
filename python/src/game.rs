//! A game and its queries.

use std::sync::Arc;

use hog::contest::{Entrant, Field, HandIn, PlayedContest, Rejected, Robin, Scoring};
use hog::engine::StrategyNames;
use hog::game::{Game, Plan, memory_names};
use hog::pairs::{PairRate, Rater};
use hog::queries::{
    Answer, ArithmeticKind, Compare, GivenGame, GivenPosition, GivenStrategy, Play, PlayEnd,
    PlayTurn, Sight, Solve, Try,
};
use hog::rules::Overrides;
use hog::sim::session::Seat;
use hog::solve::Watch;
use hog::strategy::Strategy;
use numpy::{PyArrayDyn, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArrayDyn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::arrays;
use crate::errors::{raised, request_error};
use crate::solved::NativeSolution;
use crate::strategies::{GivenNames, NativePlan, StrategyArg, pairs};
use crate::work::{long, run};

/// Queries about games with at most this many states run in the calling thread, because they are
/// short, except for those that the engine knows to be long.
const SMALL: usize = 1 << 16;

/// A tabulated game.
#[pyclass(frozen, module = "hog_solver._native")]
pub struct NativeGame {
    pub game: Arc<Game>,
}

/// Returns the ids of all built-in games.
#[pyfunction]
pub fn builtin_games() -> Vec<&'static str> {
    hog::rules::builtins().iter().map(|game| game.id).collect()
}

pub fn json(view: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(view).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// An answer as JSON, and as the command prints it for people.
pub type Told = (String, String);

/// Writes an answer in both ways.
pub fn told(answer: &dyn Answer) -> Told {
    let mut document = Vec::new();
    let mut text = Vec::new();
    answer.json(&mut document).expect("memory can be written");
    answer.text(&mut text).expect("memory can be written");
    (String::from_utf8(document).expect("JSON is text"), String::from_utf8_lossy(&text).into())
}

/// Returns the name of each question, the name of the schema of its answer, and the schema of the
/// request as JSON.
#[pyfunction]
pub fn questions() -> PyResult<Vec<(&'static str, &'static str, String)>> {
    hog::questions()
        .map(|query| Ok((query.name, query.schema, json(&(query.request)())?)))
        .collect()
}

/// A function of a handout's rules: its name, whether it returns a truth value, whether it calls
/// others of them, and the arguments of calls with the values.
type HandoutCalls = (&'static str, bool, bool, Vec<(Vec<i64>, i64)>);

#[pymethods]
impl NativeGame {
    /// Loads a game by name or path or, if `text` is given, from the text of a rule file called
    /// `name` in errors.
    #[new]
    #[pyo3(signature = (name, text, goal, max_dice, numbers))]
    fn new(
        py: Python<'_>,
        name: Option<&str>,
        text: Option<&str>,
        goal: Option<u32>,
        max_dice: Option<u32>,
        numbers: Vec<(String, i64)>,
    ) -> PyResult<Self> {
        let overrides = Overrides { goal, max_dice };
        let game = long(py, None, |engine| match (name, text) {
            (_, Some(text)) if !numbers.is_empty() => {
                engine.game(GivenGame::of_text(text).overridden(overrides).numbers(numbers))
            }
            (_, Some(text)) => {
                engine.tabulate(engine.rules_from(text, name.unwrap_or("rules"), overrides)?)
            }
            (name, None) => {
                let given = GivenGame::named(name.unwrap_or_default());
                engine.game(given.overridden(overrides).numbers(numbers))
            }
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

    /// Returns the figures of a game as `hog survey` computes them, as JSON.
    #[staticmethod]
    fn figures(
        py: Python<'_>,
        name: Option<&str>,
        text: Option<&str>,
        goal: Option<u32>,
        max_dice: Option<u32>,
    ) -> PyResult<String> {
        let game = Self::new(py, name, text, goal, max_dice, Vec::new())?;
        json(&long(py, None, |engine| engine.call().figures(&game.game))?)
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

    /// Answers a question of the engine's list about this game: takes the request and returns the
    /// answer as JSON. `strategies` are what their names in the request stand for.
    #[pyo3(signature = (question, request, strategies, progress))]
    fn ask(
        &self,
        py: Python<'_>,
        question: &str,
        request: &str,
        strategies: Vec<(String, StrategyArg<'_>)>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Told> {
        let Some(query) = hog::questions().find(|query| query.name == question) else {
            let names: Vec<&str> = hog::questions().map(|query| query.name).collect();
            let names = names.join(", ");
            return Err(request_error(format!("no question is called {question:?}: {names}")));
        };
        let document = serde_json::from_str(request).map_err(request_error)?;
        let request = query.request_of(document).map_err(|error| raised(py, &error))?;
        let mut known: Vec<(String, Strategy)> = Vec::new();
        for (name, given) in strategies {
            known.push((name, given.strategy(py)?));
        }
        let names: Arc<dyn StrategyNames> = Arc::new(GivenNames(known));
        let is_short = self.is_small() && !query.is_long;
        run(py, is_short, progress.as_ref(), |engine| {
            let engine = engine.clone().about(Arc::clone(&self.game)).naming(names);
            Ok(told(&*request.answer(&engine.call())?))
        })
    }

    /// Returns the index of a position in flattened arrays over states.
    fn state(
        &self,
        py: Python<'_>,
        score: u32,
        opponent: u32,
        memory: Vec<(String, i64)>,
    ) -> PyResult<usize> {
        let position = GivenPosition::scores(score, opponent).memories(memory);
        let position = position.position(self.game.rules());
        Ok(self.game.state(&position.map_err(|error| raised(py, &error.into()))?))
    }

    /// Makes a plan from an array of numbers of dice, and where dice are kept of the worth of
    /// states.
    #[pyo3(signature = (name, dice, worth=None))]
    fn plan_of(
        &self,
        py: Python<'_>,
        name: String,
        dice: PyReadonlyArrayDyn<'_, i64>,
        worth: Option<PyReadonlyArrayDyn<'_, f64>>,
    ) -> PyResult<NativePlan> {
        NativePlan::from_array(py, &self.game, name, &dice, worth.as_ref())
    }

    /// The step of all scores.
    #[getter]
    fn step(&self) -> u32 {
        self.game.rules().step
    }

    /// The number of dice of which some are kept after a roll; 0 in other games.
    #[getter]
    fn hand(&self) -> u32 {
        self.game.rules().hand.iter().map(|dice| dice.count).sum()
    }

    /// The memories of each state of a pair of scores, in order.
    fn places(&self) -> Vec<Vec<i64>> {
        let places = 0..self.game.space().per_cell();
        places.map(|place| self.game.position(place).memory).collect()
    }

    /// Returns the worth of each state by which a plan keeps dice; `None` if it keeps none.
    fn worth_of<'py>(
        &self,
        py: Python<'py>,
        plan: &NativePlan,
    ) -> PyResult<Option<Bound<'py, PyArrayDyn<f64>>>> {
        let worth = plan.plan.worth().map(<[f64]>::to_vec);
        worth.map(|worth| arrays::owned(py, worth, self.game.space())).transpose()
    }

    /// Makes a plan from a strategy given by name or path.
    fn plan(&self, py: Python<'_>, strategy: &str, name: String) -> PyResult<NativePlan> {
        let strategy = StrategyArg::Name(strategy.to_owned()).strategy(py)?;
        let plan = run(py, self.is_small(), None, |engine| engine.plan(&self.game, &strategy))?;
        Ok(NativePlan::new(&self.game, name, plan))
    }

    /// Returns the number of dice that a plan rolls in each state.
    fn dice_of<'py>(
        &self,
        py: Python<'py>,
        plan: &NativePlan,
    ) -> PyResult<Bound<'py, PyArrayDyn<i8>>> {
        let space = self.game.space();
        arrays::owned(
            py,
            (0..space.states()).map(|state| space.dice(plan.plan.action(state)) as i8).collect(),
            space,
        )
    }

    #[pyo3(signature = (arithmetic, against, sees_scores, tries, seed, progress))]
    #[expect(clippy::too_many_arguments, reason = "the keywords of one Python method")]
    fn solve(
        &self,
        py: Python<'_>,
        arithmetic: Option<&str>,
        against: Option<StrategyArg<'_>>,
        sees_scores: bool,
        tries: Option<usize>,
        seed: u64,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<NativeSolution> {
        let mut query = Solve::equilibrium(&self.game);
        query.arithmetic = match arithmetic {
            None => None,
            Some("exact") => Some(ArithmeticKind::Exact),
            Some("float") => Some(ArithmeticKind::Float),
            Some(other) => {
                let message = format!("arithmetic is \"exact\" or \"float\", not {other:?}");
                return Err(request_error(message));
            }
        };
        query.against = StrategyArg::optional(against, py)?.map(Into::into);
        query.sees = if sees_scores { Sight::Scores } else { Sight::State };
        query.tries = tries.unwrap_or(query.tries);
        query.seed = seed;
        let solved = long(py, progress.as_ref(), |engine| query.solved(&engine.call()))?;
        Ok(NativeSolution::of_solved(Arc::clone(&self.game), solved))
    }

    /// Returns the functions of the handout's rules: a name, whether it returns a truth value,
    /// whether it calls others of them, and the arguments of calls with the values.
    fn handout_functions(&self) -> Vec<HandoutCalls> {
        let functions = hog::strategy::handout_functions(self.game.rules()).into_iter();
        functions.map(|one| (one.name, one.is_boolean, one.calls_others, one.values)).collect()
    }

    /// Tries a strategy. Returns the answer and three arrays over states: the loss per game and the
    /// expected number of visits (both averaged over moving first and second), and the loss at each
    /// visit.
    #[pyo3(signature = (strategy, against, top))]
    fn try_<'py>(
        &self,
        py: Python<'py>,
        strategy: StrategyArg<'_>,
        against: Option<StrategyArg<'_>>,
        top: usize,
    ) -> PyResult<(Told, [Bound<'py, PyArrayDyn<f64>>; 3])> {
        let (strategy, against) = (strategy.strategy(py)?, StrategyArg::optional(against, py)?);
        let tried = run(py, self.is_small(), None, |engine| {
            let mut question = Try::of(&self.game, strategy).top(top);
            question.against = against.map(Into::into);
            question.tried(&engine.call())
        })?;
        let space = self.game.space();
        let mut arrays = [(); 3].map(|()| vec![0.0; space.states()]);
        for reached in &tried.losses.explanation.reached {
            let state = self.game.state(&reached.position);
            arrays[0][state] = reached.average_loss();
            arrays[1][state] = reached.average_met();
            arrays[2][state] = reached.loss_each;
        }
        let [loss, met, each] = arrays.map(|values| arrays::owned(py, values, space));
        Ok((told(&tried.answer), [loss?, met?, each?]))
    }

    /// Compares this game with another, with the `top` positions whose best rolls differ most.
    fn compare(&self, py: Python<'_>, other: &Self, top: usize) -> PyResult<Told> {
        Ok(told(&long(py, None, |engine| engine.ask(&Compare::of(&self.game, &other.game, top)))?))
    }

    /// Plays a complete game and returns its turns and its end.
    fn play(
        &self,
        py: Python<'_>,
        players: (StrategyArg<'_>, StrategyArg<'_>),
        seed: u64,
    ) -> PyResult<(String, String)> {
        let strategies = [players.0.strategy(py)?, players.1.strategy(py)?];
        let question = Play::between(&self.game, strategies.map(GivenStrategy::from), seed);
        let session = run(py, self.is_small(), None, |engine| question.session(&engine.call()))?;
        let seats: &[Seat; 2] = session.seats();
        let turns: Vec<PlayTurn> = session
            .taken()
            .iter()
            .map(|taken| PlayTurn::new(session.game().rules(), taken, &seats[taken.player].name))
            .collect();
        Ok((json(&turns)?, json(&PlayEnd::new(&session))?))
    }

    /// Returns how many plans on each side are rated at once; a block of pairs is best a multiple.
    fn rating_side(&self) -> usize {
        Rater::new(&*self.game).side()
    }

    /// Rates pairs of plans, given as a flat list of indices into `plans`. Returns, for each pair,
    /// the win rates of its first plan when it moves first and second, and the error bound of
    /// all.
    fn rate_pairs(
        &self,
        py: Python<'_>,
        plans: Vec<PyRef<'_, NativePlan>>,
        flat: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<(Vec<(f64, f64)>, f64)> {
        let plans: Vec<_> = plans.iter().map(|plan| Arc::clone(&plan.plan)).collect();
        let pairs = pairs(&flat);
        if pairs.iter().any(|(a, b)| *a.max(b) >= plans.len()) {
            return Err(PyValueError::new_err(
                "a pair has the index of a plan that does not exist",
            ));
        }
        long(py, None, |_| {
            let plans: Vec<&Plan> = plans.iter().map(|plan| &**plan).collect();
            let rated = Rater::new(&*self.game).rate(&plans, &pairs, &Watch::silent())?;
            let rates = rated.rates.iter().map(|rate| (rate.first, rate.second));
            Ok((rates.collect(), rated.error_bound))
        })
    }

    /// Makes the view of a contest from the win rates of all pairs: `first[a][b]` is that of a,
    /// moving first, against b. `scoring` is a JSON object, as in a request; `baseline` are the win
    /// rates against the game's baseline, if the scoring needs them.
    fn contest_view(
        &self,
        plans: Vec<PyRef<'_, NativePlan>>,
        first: PyReadonlyArray2<'_, f64>,
        rejected: Vec<(String, String)>,
        error_bound: f64,
        seconds: f64,
        scoring: &str,
        baseline: Vec<f64>,
    ) -> PyResult<Told> {
        let scoring = scoring_of(scoring)?;
        let entrants = plans
            .iter()
            .map(|plan| Entrant::new(plan.name.clone(), plan.plan.as_ref().clone()))
            .collect();
        let first = first.as_array();
        let rate =
            |a: usize, b: usize| PairRate { first: first[[a, b]], second: 1.0 - first[[b, a]] };
        let rates =
            (0..plans.len()).map(|a| (0..plans.len()).map(|b| rate(a, b)).collect()).collect();
        let rejected = rejected
            .into_iter()
            .map(|(name, reason)| Rejected {
                name,
                file: None,
                reason,
                may_hold_several: false,
                is_unread: false,
                lacks_package: false,
                hand_in: HandIn::default(),
            })
            .collect();
        let field = Field { entrants, rejected, ..Field::default() };
        let robin = Robin { rates, error_bound, kept: 0 };
        let contest = PlayedContest::ranked(&self.game, field, robin, &scoring, &baseline, seconds);
        Ok(told(&contest.answer))
    }
}

/// Whether a contest that is scored in this way needs the win rates against the game's baseline.
#[pyfunction]
pub fn needs_baseline(scoring: &str) -> PyResult<bool> {
    Ok(scoring_of(scoring)?.needs_baseline())
}

/// Reads a JSON object of what the scoring of a contest is, where it is not the usual one.
fn scoring_of(document: &str) -> PyResult<Scoring> {
    let given: Map<String, Value> = serde_json::from_str(document).map_err(request_error)?;
    // Each alone, so that a message names the one that is wrong.
    for (name, value) in &given {
        let alone = Map::from_iter([(name.clone(), value.clone())]);
        serde_json::from_value::<Scoring>(Value::Object(alone))
            .map_err(|error| request_error(format!("{name}: {error}")))?;
    }
    serde_json::from_value(Value::Object(given)).map_err(request_error)
}

impl NativeGame {
    fn is_small(&self) -> bool {
        self.game.space().states() <= SMALL
    }
}
