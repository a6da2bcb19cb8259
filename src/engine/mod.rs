//! The front door: games by name, questions in, views out. Command line, page and modules stand on this.
//!
//! ```
//! use hog::{Engine, engine::Query};
//! let engine = Engine::builder().build();
//! let game = engine.game("fa21")?;
//! let view = engine.best(&game, &Query::scores(20, 36))?;
//! assert_eq!(view.best, [8]);
//! # Ok::<(), hog::engine::EngineError>(())
//! ```
//!
//! An engine may be shared by threads: copies of it ([`Clone`]) share what it keeps of earlier calls, within
//! [`Limits::cache`]. Two threads that ask for the same thing at once may both work on it; both get the first's result.

mod analysis;
mod cache;
mod check;
mod contest;
mod describing;
mod error;
mod exploring;
mod judging;
mod limits;
mod mapping;
mod playing;
mod prospects;
mod query;
mod solving;
mod tuning;

pub use crate::strategy::Sources;
pub use analysis::{Explained, Tried};
pub use contest::{Contest, ContestQuery, Pairs, SavePairs};
pub use error::{EngineError, ReplayError};
pub use exploring::MapLayers;
pub use limits::{Cancel, Limits, Progress};
pub use mapping::{HoldMap, MapQuery, ScoreMap};
pub use playing::PlayQuery;
pub use prospects::{ChoiceProspects, Prospects, TurnPoints};
pub use query::{DEFAULT_TRIES, GameQuery, Query, SolveQuery, TurnDice};
pub use solving::{SolveResult, SolvedGame, TabledGame};

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::files;
use crate::game::examples::check_examples;
use crate::game::{Game, Plan};
use crate::rules::{
    Builtin, Overrides, Rules, RulesError, builtin, check_overrides, refuse_other_file, rules_from_text, unknown,
};
use crate::solve::{Arithmetic, Solution, Values, admit_exact};
use crate::strategy::{Strategy, StrategyError};
use cache::Cache;
use limits::{EngineCall, estimate};

/// Answers questions about games.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<EngineState>,
    cancel: Cancel,
    progress: Option<Arc<dyn Progress>>,
}

/// What all copies of an engine share.
struct EngineState {
    limits: Limits,
    sources: Sources,
    games: Mutex<Cache<GameKey, Arc<Game>>>,
    results: Mutex<Cache<ResultKey, CacheEntry>>,
}

/// The text of rules, and what was changed of them.
type GameKey = (String, String, Overrides);

/// A game by its address, which its [`CacheEntry`] result holds, and what is known of it.
type ResultKey = (usize, What);

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    /// The plan of a strategy that needs no file.
    Plan(String),
    /// The equilibrium.
    Equilibrium(Arithmetic),
    /// The best response to such a strategy.
    BestResponse(String, Arithmetic),
    /// The values of the shipped table.
    Shipped,
}

/// Something known of a game.
#[derive(Clone)]
struct CacheEntry {
    /// Held so that its address stays its own.
    _game: Arc<Game>,
    finding: Finding,
}

#[derive(Clone)]
enum Finding {
    Plan(Arc<Plan>),
    Solution(Arc<Solution>),
    /// Values, and in words where they are from.
    Values(Arc<Values>, &'static str),
}

/// Sets up an [`Engine`].
#[derive(Debug, Default)]
pub struct EngineBuilder {
    limits: Limits,
    sources: Sources,
}

impl EngineBuilder {
    /// How much it may take.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// What names may open: [`Sources::builtin`] unless something is said.
    #[must_use]
    pub fn sources(mut self, sources: Sources) -> Self {
        self.sources = sources;
        self
    }

    /// The engine.
    pub fn build(self) -> Engine {
        let half = self.limits.cache / 2;
        let shared = EngineState {
            limits: self.limits,
            sources: self.sources,
            games: Mutex::new(Cache::new(half)),
            results: Mutex::new(Cache::new(half)),
        };
        Engine { shared: Arc::new(shared), cancel: Cancel::new(), progress: None }
    }
}

impl Engine {
    /// An engine to be set up.
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }

    /// The same engine, whose work is stopped by this token.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// The same engine, whose work is told to `progress`.
    #[must_use]
    pub fn reporting_to(mut self, progress: Arc<dyn Progress>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// How much it may take.
    pub fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    /// What names may open.
    pub fn sources(&self) -> &Sources {
        &self.shared.sources
    }

    /// The rules of a game.
    ///
    /// # Errors
    /// If nothing is called that, its file may not or cannot be read, or its contents have faults.
    pub fn rules(&self, query: impl Into<GameQuery>) -> Result<Rules, EngineError> {
        let query = query.into();
        let (origin, text) = self.rule_text(&query)?;
        read_rules((&text, &origin), query.overrides)
    }

    /// A game, ready to be asked about.
    ///
    /// # Errors
    /// As [`Self::rules`], and if the rules do not make a game, or one past the limits.
    pub fn game(&self, query: impl Into<GameQuery>) -> Result<Arc<Game>, EngineError> {
        let query = query.into();
        let (origin, text) = self.rule_text(&query)?;
        self.game_of((origin, text, query.overrides), query.exact)
    }

    /// A game from the text of a rule file, called `origin` in faults; the same text again is not read again.
    ///
    /// # Errors
    /// If it has faults, or makes a game past the limits.
    pub fn game_from(&self, text: String, origin: String, overrides: Overrides) -> Result<Arc<Game>, EngineError> {
        check_overrides(overrides)?;
        self.game_of((origin, text, overrides), false)
    }

    /// A game from an earlier call, or made now; `exact` says that it will be solved exactly.
    fn game_of(&self, key: GameKey, exact: bool) -> Result<Arc<Game>, EngineError> {
        if let Some(game) = locked(&self.shared.games).get(&key) {
            return Ok(game);
        }
        let rules = read_rules((&key.1, &key.0), key.2)?;
        if exact {
            admit_exact(&rules)?;
        }
        let game = self.tabulate(rules)?;
        let weight = estimate(game.space().states() as u64);
        Ok(locked(&self.shared.games).add(key, game, weight))
    }

    /// Rules made into a game.
    ///
    /// # Errors
    /// If they do not make one, or one past the limits.
    pub fn tabulate(&self, rules: Rules) -> Result<Arc<Game>, EngineError> {
        let call = self.call();
        call.check()?;
        self.limits().admit_rules(&rules)?;
        let game = Game::watched(rules, &|| call.check().is_ok()).map_err(|error| call.no_game(error))?;
        self.limits().admit_game(game.rules(), game.space())?;
        Ok(Arc::new(game))
    }

    /// Plays the worked examples of rules; how many there are.
    ///
    /// # Errors
    /// Those that do not hold, or that the work was stopped or took too long.
    pub fn check_examples(&self, rules: &Rules) -> Result<usize, EngineError> {
        let call = self.call();
        check_examples(rules, &|| call.check().is_ok()).map_err(|error| call.no_game(error))
    }

    /// The text of rules, and where it is from.
    fn rule_text(&self, query: &GameQuery) -> Result<(String, String), EngineError> {
        check_overrides(query.overrides)?;
        let name = &query.name;
        if let Some(Builtin { id, text }) = builtin(name) {
            return Ok(((*id).to_owned(), (*text).to_owned()));
        }
        let path = Path::new(name);
        let open = self.sources().opens_rule_files();
        let looks_like_path = path.extension().is_some() || name.contains(std::path::is_separator);
        let is_path = looks_like_path || (open && path.exists());
        if !is_path {
            return Err(unknown(name).into());
        }
        if !open {
            return Err(EngineError::Closed { name: name.clone() });
        }
        refuse_other_file(path)?;
        let text = files::read_text(path, self.limits().rule_file);
        let text = text.map_err(|error| RulesError::Unreadable { path: path.to_owned(), error })?;
        Ok((name.clone(), text))
    }

    /// What a strategy plays in every state of a game.
    ///
    /// # Errors
    /// If it does not fit the game, its file may not or cannot be read, or the work is stopped.
    pub fn plan(&self, game: &Arc<Game>, strategy: &Strategy) -> Result<Arc<Plan>, EngineError> {
        self.plan_in(&self.call(), game, strategy)
    }

    fn plan_in(&self, call: &EngineCall, game: &Arc<Game>, strategy: &Strategy) -> Result<Arc<Plan>, EngineError> {
        if let Strategy::Given { plan, .. } = strategy
            && plan.fits(game)
        {
            return Ok(Arc::clone(plan));
        }
        let make = || {
            call.run("solving", |watch| strategy.plan_from(self.sources(), game, watch))
                .map(|plan| Finding::Plan(Arc::new(plan)))
        };
        // A file may change, and what the rules name as their baseline may be one.
        if !strategy.is_builtin() || strategy.asks_for_baseline() {
            return make().map(plan_of);
        }
        self.known(game, What::Plan(strategy.to_string()), make).map(plan_of)
    }

    /// A strategy, or the game's baseline if there is none.
    fn or_baseline(&self, game: &Game, strategy: Option<&Strategy>) -> Result<Strategy, EngineError> {
        Ok(strategy.map_or_else(|| Strategy::baseline(game.rules()), |strategy| Ok(strategy.clone()))?)
    }

    /// Something known of a game from an earlier call, if it is kept.
    fn kept(&self, game: &Arc<Game>, what: &What) -> Option<Finding> {
        let key = (Arc::as_ptr(game) as usize, what.clone());
        locked(&self.shared.results).get(&key).map(|entry| entry.finding)
    }

    /// Something known of a game, or found out now and kept.
    fn known(
        &self,
        game: &Arc<Game>,
        what: What,
        find_out: impl FnOnce() -> Result<Finding, EngineError>,
    ) -> Result<Finding, EngineError> {
        let key = (Arc::as_ptr(game) as usize, what);
        if let Some(entry) = locked(&self.shared.results).get(&key) {
            return Ok(entry.finding);
        }
        let finding = find_out()?;
        let weight =
            estimate(game.space().states() as u64) * if matches!(finding, Finding::Solution(_)) { 2 } else { 1 };
        let entry = CacheEntry { _game: Arc::clone(game), finding };
        Ok(locked(&self.shared.results).add(key, entry, weight).finding)
    }

    /// A call that begins now.
    fn call(&self) -> EngineCall<'_> {
        EngineCall {
            began: Instant::now(),
            time: self.limits().time,
            cancel: &self.cancel,
            progress: self.progress.as_deref(),
        }
    }
}

/// Rules whose baseline is a strategy that can be played by them; those with another goal or number of dice than written
/// may have one that no longer can.
fn read_rules((text, origin): (&str, &str), overrides: Overrides) -> Result<Rules, EngineError> {
    let rules = rules_from_text(text, origin, overrides).map_err(RulesError::Faulty)?;
    let Some(baseline) = &rules.baseline else { return Ok(rules) };
    let reason = match baseline.parse::<Strategy>() {
        Err(StrategyError::Unknown { reason, .. }) => Some(format!("is not a strategy: {reason}")),
        Ok(strategy) if strategy.asks_for_baseline() => Some("names itself".into()),
        Ok(strategy) if overrides == Overrides::default() => {
            strategy.misfit(&rules).map(|reason| format!("cannot be played: {reason}"))
        }
        _ => None,
    };
    let Some(reason) = reason else { return Ok(rules) };
    let message = format!("the baseline `{baseline}` {reason}");
    Err(RulesError::Faulty(rules.baseline_fault(message, "name a strategy, as in `always_roll:6`")).into())
}

/// Whoever panicked while holding a cache left it whole: its methods change it in single steps.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn plan_of(finding: Finding) -> Arc<Plan> {
    match finding {
        Finding::Plan(plan) => plan,
        Finding::Solution(_) | Finding::Values(..) => unreachable!("plans are kept under their own names"),
    }
}
