//! The library's front door: an [`Engine`] opens games by name, takes queries and returns views.
//! The command line, the page and the Python module are built on it.
//!
//! ```
//! use hog_engine::{Engine, engine::Query};
//! let engine = Engine::builder().build();
//! let game = engine.game("fa21")?;
//! let view = engine.best(&game, &Query::scores(20, 36))?;
//! assert_eq!(view.best, [8]);
//! # Ok::<(), hog_engine::engine::EngineError>(())
//! ```
//!
//! An engine may be shared by threads: its clones share a cache of earlier results, bounded by
//! [`Limits::cache`]. Two threads that ask for the same thing at the same time may both compute it;
//! both get the result that is finished first.

mod analysis;
mod cache;
mod check;
mod contest;
mod describing;
mod error;
mod exploring;
mod judging;
mod limits;
mod loading;
mod mapping;
mod playing;
mod prospects;
mod query;
mod solving;
mod surveying;
mod tuning;

pub use crate::strategy::Sources;
pub use analysis::{Explained, Tried};
pub use contest::{Contest, ContestQuery, Pairs, SavePairs};
pub use error::{EngineError, ReplayError};
pub use exploring::MapLayers;
pub use limits::{Cancel, Limits, Progress};
pub use loading::SlowSolving;
pub use mapping::{HoldMap, MapQuery, ScoreMap};
pub use playing::PlayQuery;
pub use prospects::{ChoiceProspects, Prospects, TurnPoints};
pub use query::{DEFAULT_TRIES, GameQuery, Opponent, Query, SolveQuery, TurnDice};
pub use solving::{SolveResult, SolvedGame, TabledGame};
pub use surveying::{GameNumber, GoalSteps};

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use crate::game::{Game, Plan};
use crate::rules::Overrides;
use crate::solve::{Arithmetic, Solution, Values};
use crate::strategy::Strategy;
use cache::Cache;
use limits::EngineCall;

/// Answers queries about games.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<EngineState>,
    sources: Arc<Sources>,
    cancel: Cancel,
    progress: Option<Arc<dyn Progress>>,
    /// A time limit for all calls together, and when its clock started.
    within: Option<(Instant, Duration)>,
}

/// The state that all clones of an engine share.
struct EngineState {
    limits: Limits,
    games: Mutex<Cache<GameKey, Arc<Game>>>,
    results: Mutex<Cache<ResultKey, CacheEntry>>,
}

/// A rule file's origin (its name in error messages), its text, and the overrides of its rules.
type GameKey = (String, String, Overrides);

/// The address of a game, which the [`CacheEntry`] keeps from being used again, and the kind of
/// result.
type ResultKey = (usize, ResultKind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum ResultKind {
    /// The plan of a built-in strategy, by name.
    Plan(String),
    /// The equilibrium.
    Equilibrium(Arithmetic),
    /// The best response to a built-in strategy, by name.
    BestResponse(String, Arithmetic),
    /// The values of the shipped table.
    Shipped,
}

/// A cached result about a game.
#[derive(Clone)]
struct CacheEntry {
    /// While it exists no other game can get the address; the game's tables end with the game.
    _game: Weak<Game>,
    finding: Finding,
}

#[derive(Clone)]
enum Finding {
    Plan(Arc<Plan>),
    Solution(Arc<Solution>),
    /// Values, and a description of their source.
    Values(Arc<Values>, &'static str),
}

impl Finding {
    /// The memory that it takes, in bytes.
    fn bytes(&self, game: &Game) -> u64 {
        let states = game.space().states();
        let of = |values: &Values| {
            size_of_val(&values.win_rates[..])
                + size_of_val(&values.best[..])
                + size_of_val(&values.choices[..])
        };
        let bytes = match self {
            Self::Plan(_) => states,
            Self::Solution(solution) => of(&solution.own) + solution.other.as_ref().map_or(0, of),
            Self::Values(values, _) => of(values),
        };
        bytes as u64
    }
}

/// Sets up an [`Engine`].
#[derive(Debug, Default)]
pub struct EngineBuilder {
    limits: Limits,
    sources: Sources,
}

impl EngineBuilder {
    /// Sets the limits of the engine's work.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets which files names may open; the default is [`Sources::builtin`]. The size of tables is
    /// limited by [`Limits::table_file`].
    #[must_use]
    pub fn sources(mut self, sources: Sources) -> Self {
        self.sources = sources;
        self
    }

    /// Builds the engine.
    pub fn build(self) -> Engine {
        let half = self.limits.cache / 2;
        let sources = self.sources.with_largest_table(self.limits.table_file);
        let shared = EngineState {
            limits: self.limits,
            games: Mutex::new(Cache::new(half)),
            results: Mutex::new(Cache::new(half)),
        };
        Engine {
            shared: Arc::new(shared),
            sources: Arc::new(sources),
            cancel: Cancel::new(),
            progress: None,
            within: None,
        }
    }
}

impl Engine {
    /// Returns a builder with the default limits and sources.
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }

    /// Returns the engine with `cancel` as the token that stops its work.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// Returns the engine with other files that names may open. It shares the cache, which holds no
    /// results of files of strategies.
    #[must_use]
    pub fn with_sources(mut self, sources: Sources) -> Self {
        self.sources = Arc::new(sources.with_largest_table(self.limits().table_file));
        self
    }

    /// Returns the engine with `progress` as the receiver of its progress reports.
    #[must_use]
    pub fn reporting_to(mut self, progress: Arc<dyn Progress>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Returns the engine with one time limit for all its calls together, whose clock starts now,
    /// in place of [`Limits::time`] for each: what a program that serves others gives to one
    /// request.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Self {
        self.within = Some((Instant::now(), time));
        self
    }

    /// Returns how much of the time of [`Self::within`] is left; `None` if it was not set.
    pub fn time_left(&self) -> Option<Duration> {
        self.within.map(|(began, time)| time.saturating_sub(began.elapsed()))
    }

    /// Returns the limits of the engine's work.
    pub fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    /// Returns which files names may open.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Returns the action that a strategy plays in every state of a game.
    ///
    /// # Errors
    /// Returns an error if the strategy does not fit the game, its file may not or cannot be read,
    /// or the work is stopped.
    pub fn plan(&self, game: &Arc<Game>, strategy: &Strategy) -> Result<Arc<Plan>, EngineError> {
        self.plan_in(&self.call(), game, strategy)
    }

    fn plan_in(
        &self,
        call: &EngineCall,
        game: &Arc<Game>,
        strategy: &Strategy,
    ) -> Result<Arc<Plan>, EngineError> {
        if let Strategy::Given { plan, .. } = strategy
            && plan.fits(game.states())
        {
            return Ok(Arc::clone(plan));
        }
        let (what, name) = match strategy {
            Strategy::Python(file) => {
                ("asking", file.path.file_name().unwrap_or_default().to_string_lossy())
            }
            _ => ("solving", "".into()),
        };
        let make = || {
            call.run_named(what, &name, |watch| strategy.plan_from(self.sources(), game, watch))
                .map(|plan| Finding::Plan(Arc::new(plan)))
        };
        // Not cached: a file may change.
        if !strategy.is_builtin() {
            return make().map(plan_of);
        }
        self.cached_or(game, ResultKind::Plan(strategy.to_string()), make).map(plan_of)
    }

    /// Returns the strategy, or the game's baseline if it is `None`.
    fn or_baseline(
        &self,
        game: &Game,
        strategy: Option<&Strategy>,
    ) -> Result<Strategy, EngineError> {
        Ok(strategy
            .map_or_else(|| Strategy::baseline(game.rules()), |strategy| Ok(strategy.clone()))?)
    }

    /// Returns the cached result of this kind, if there is one.
    fn cached(&self, game: &Arc<Game>, kind: &ResultKind) -> Option<Finding> {
        let key = (Arc::as_ptr(game) as usize, kind.clone());
        locked(&self.shared.results).get(&key).map(|entry| entry.finding)
    }

    /// Returns the cached result of this kind, or computes and caches it.
    fn cached_or(
        &self,
        game: &Arc<Game>,
        kind: ResultKind,
        compute: impl FnOnce() -> Result<Finding, EngineError>,
    ) -> Result<Finding, EngineError> {
        let key = (Arc::as_ptr(game) as usize, kind);
        if let Some(entry) = locked(&self.shared.results).get(&key) {
            return Ok(entry.finding);
        }
        let finding = compute()?;
        let name = match &key.1 {
            ResultKind::Plan(name) | ResultKind::BestResponse(name, _) => name.len() as u64,
            ResultKind::Equilibrium(_) | ResultKind::Shipped => 0,
        };
        let weight = finding.bytes(game) + name;
        let entry = CacheEntry { _game: Arc::downgrade(game), finding };
        Ok(locked(&self.shared.results).add(key, entry, weight).finding)
    }

    /// Starts the clock of a call.
    fn call(&self) -> EngineCall<'_> {
        let began = Instant::now();
        EngineCall {
            about: String::new(),
            began,
            time: self.within.or_else(|| Some((began, self.limits().time?))),
            memory: self.limits().memory,
            cancel: &self.cancel,
            progress: self.progress.as_deref(),
        }
    }
}

/// Locks a cache. A poisoned lock is safe to use: a panic cannot leave a cache half changed.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn plan_of(finding: Finding) -> Arc<Plan> {
    match finding {
        Finding::Plan(plan) => plan,
        Finding::Solution(_) | Finding::Values(..) => unreachable!("a key for a plan holds a plan"),
    }
}
