//! The library's front door: an [`Engine`] opens games by name, answers questions.
//! The command line, the page and the Python module are built on it.
//!
//! ```
//! use hog_engine::{Engine, queries::Best};
//! let engine = Engine::builder().build();
//! let answer = engine.ask(&Best::at("fa21", 20, 36))?;
//! assert_eq!(answer.best, [8]);
//! # Ok::<(), hog_engine::engine::Error>(())
//! ```
//!
//! An engine may be shared by threads: its clones share a cache of earlier results, bounded by
//! [`Limits::cache`]. Two threads that ask for the same thing at the same time may both compute it;
//! both get the result that is finished first.

mod cache;
mod call;
mod documents;
mod error;
mod given;
mod limits;
mod loading;
pub mod numbers;
mod source;

pub use crate::strategy::Sources;
pub use call::Call;
pub(crate) use call::GameValues;
pub use documents::{ErrorAnswer, ErrorDetail, ErrorFault};
pub use error::{DiceFormulaError, Error, ReplayError};
pub(crate) use given::values_by_name;
pub use given::{
    GivenGame, GivenGames, GivenMemories, GivenOpponent, GivenPlayers, GivenPosition, GivenStrategy,
};
pub use limits::{Cancel, Limits, Progress};
pub use loading::of_usual_kind;
pub use source::{ArithmeticKind, NumberSource, Numbers, rounded_up};

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::game::{Game, Plan};
use crate::rules::Overrides;
use crate::sim::Judge;
use crate::solve::{Arithmetic, Solution, Values};
use crate::strategy::Strategy;
use cache::{Cache, Results, locked};

/// Answers queries about games.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<EngineState>,
    sources: Arc<Sources>,
    cancel: Cancel,
    progress: Option<Arc<dyn Progress>>,
    /// A time limit for all calls together, and when its clock started.
    within: Option<(Instant, Duration)>,
    names: Option<Arc<dyn StrategyNames>>,
    /// The game of requests that name none.
    game: Option<Arc<Game>>,
}

/// Reads the names of strategies in requests, where they may mean something else than on this
/// machine: the files that were sent with a request.
pub trait StrategyNames: Send + Sync {
    /// Returns the strategy with this name.
    ///
    /// # Errors
    /// Returns an error if there is none, or it may not be used.
    fn strategy(&self, name: &str) -> Result<Strategy, Error>;

    /// Returns the files that came with the request; `None` if names mean those of this machine.
    fn sent_files(&self) -> Option<SentFiles<'_>> {
        None
    }
}

/// The files that came with a request.
#[derive(Clone, Copy, Debug)]
pub struct SentFiles<'a> {
    /// The folder that they were written to; `None` if there are no files.
    pub folder: Option<&'a Path>,
    /// The name of each file as it was sent, and its path.
    pub files: &'a [(String, PathBuf)],
}

impl<'a> SentFiles<'a> {
    /// Returns the path of the file that was sent with this name.
    pub fn path(&self, name: &str) -> Option<&'a Path> {
        let found = self.files.iter().find(|(sent, _)| sent == name);
        found.map(|(_, path)| path.as_path())
    }
}

/// The state that all clones of an engine share.
struct EngineState {
    limits: Limits,
    games: Mutex<Cache<GameKey, Arc<Game>>>,
    /// The plans of built-in strategies, by name.
    plans: Results<String, Arc<Plan>>,
    /// Equilibria, and best responses to built-in strategies.
    solutions: Results<SolutionKey, Arc<Solution>>,
    /// The values of shipped tables.
    shipped: Results<(), (Arc<Values>, Numbers)>,
}

/// A game before it is made: a rule file's origin, which is its name in error messages, its text,
/// and the overrides of its rules.
#[derive(PartialEq, Eq)]
struct GameKey {
    origin: String,
    text: String,
    overrides: Overrides,
}

/// The strategy that a solution is a best response to, by name; `None` for an equilibrium.
type SolutionKey = (Option<String>, Arithmetic);

/// The memory that values take, in bytes.
fn bytes_of(values: &Values) -> usize {
    size_of_val(&values.win_rates[..])
        + size_of_val(&values.best[..])
        + size_of_val(&values.choices[..])
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
        let quarter = self.limits.cache / 4;
        let sources = self.sources.with_largest_table(self.limits.table_file);
        let shared = EngineState {
            limits: self.limits,
            games: Mutex::new(Cache::new(quarter)),
            plans: Results::new(quarter / 2),
            solutions: Results::new(2 * quarter),
            shipped: Results::new(quarter / 2),
        };
        Engine {
            shared: Arc::new(shared),
            sources: Arc::new(sources),
            cancel: Cancel::new(),
            progress: None,
            within: None,
            names: None,
            game: None,
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
    pub fn plan(&self, game: &Arc<Game>, strategy: &Strategy) -> Result<Arc<Plan>, Error> {
        self.call().plan(game, strategy)
    }

    /// Returns a judge, which knows the win rate of every roll under best play.
    ///
    /// # Errors
    /// Returns an error if the game is too large or the work is stopped.
    pub fn judge(&self, game: &Arc<Game>) -> Result<Judge, Error> {
        self.call().judge(game)
    }

    /// Returns the engine with `names` as the reader of strategies' names in requests.
    #[must_use]
    pub fn naming(mut self, names: Arc<dyn StrategyNames>) -> Self {
        self.names = Some(names);
        self
    }

    /// Returns the engine with `game` as the game of requests that name none.
    #[must_use]
    pub fn about(mut self, game: Arc<Game>) -> Self {
        self.game = Some(game);
        self
    }

    /// Starts the clock of a call.
    pub fn call(&self) -> Call<'_> {
        let began = Instant::now();
        Call {
            engine: self,
            about: String::new(),
            began,
            time: self.within.or_else(|| Some((began, self.limits().time?))),
            memory: self.limits().memory,
            cancel: &self.cancel,
            progress: self.progress.as_deref(),
        }
    }
}
