//! One call of the engine: the clock, the limits and the cache of the work for one answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::given::{GivenPlayers, GivenStrategy};
use super::source::Numbers;
use crate::game::{Game, GameError, Plan};
use crate::sim::Judge;
use crate::solve::{self, Arithmetic, Solution, Values, Watch};
use crate::strategy::{Strategy, all_end};
use crate::table::{Table, shipped};

use super::limits::{Cancel, Progress};
use super::{Engine, Error, SentFiles, bytes_of};

/// The values of all states of a game, from one of two sources.
pub(crate) enum GameValues {
    /// The shipped table.
    Shipped(Arc<Values>),
    /// A solution computed by this engine.
    Solved(Arc<Solution>),
}

impl GameValues {
    /// The values of the states in which the player moves, and of those in which the opponent does.
    pub(crate) fn sides(&self) -> (&Values, &Values) {
        match self {
            Self::Shipped(values) => (values, values),
            Self::Solved(solution) => solution.values(),
        }
    }
}

/// One call of the engine: its start time, its limits, and what may stop it.
#[derive(Clone)]
pub struct Call<'e> {
    pub(crate) engine: &'e Engine,
    /// What its progress reports are about; empty if there is only one subject.
    pub(crate) about: String,
    pub(crate) began: Instant,
    /// The time limit, and when its clock started: at the latest when the call began.
    pub(crate) time: Option<(Instant, Duration)>,
    /// The most memory for the tables of one part of the work, in bytes.
    pub(crate) memory: u64,
    pub(crate) cancel: &'e Cancel,
    pub(crate) progress: Option<&'e dyn Progress>,
}

impl Call<'_> {
    /// Returns an error if the work should stop.
    pub fn check(&self) -> Result<(), Error> {
        match self.time {
            _ if self.cancel.is_cancelled() => Err(Error::Cancelled),
            Some((began, time)) if began.elapsed() > time => {
                Err(Error::Time { seconds: time.as_secs_f64() })
            }
            _ => Ok(()),
        }
    }

    /// Converts the error of rules that do not define a valid game or whose examples do not hold.
    /// If the work was stopped, the result says why.
    pub(crate) fn game_error(&self, error: GameError) -> Error {
        match error {
            GameError::Faulty(faults) => Error::Game(faults),
            GameError::Stopped => self.check().err().unwrap_or(Error::Cancelled),
        }
    }

    /// Runs a part of the work with progress reports, until it is finished or should stop.
    ///
    /// # Errors
    /// Returns the error of the work, or why it was stopped.
    pub fn run<T, E: Into<Error>>(
        &self,
        what: &'static str,
        work: impl FnOnce(&Watch) -> Result<T, E>,
    ) -> Result<T, Error> {
        self.run_named(what, &self.about, work)
    }

    /// Returns this call for work about one of several subjects.
    pub(crate) fn about(&self, about: String) -> Self {
        Self { about, ..self.clone() }
    }

    /// Tells of an item of a list that is known before the answer.
    pub(crate) fn item(&self, list: &'static str, item: &dyn Fn() -> serde_json::Value) {
        if let Some(progress) = self.progress {
            progress.item(list, item);
        }
    }

    /// As [`Self::run`], with the name of the file that the work is about; empty if there is none.
    pub(crate) fn run_named<T, E: Into<Error>>(
        &self,
        what: &'static str,
        name: &str,
        work: impl FnOnce(&Watch) -> Result<T, E>,
    ) -> Result<T, Error> {
        self.check()?;
        let on_step = |done: usize, of: usize| {
            if let Some(progress) = self.progress {
                progress.named_step(what, name, done, of);
            }
            self.check().is_ok()
        };
        let result = work(&Watch::new(&on_step).memory(self.memory));
        if let Some(progress) = self.progress {
            progress.end();
        }
        // The error of stopped work says that it was stopped, not why.
        result.map_err(|error| self.check().err().unwrap_or_else(|| error.into()))
    }
}

impl Call<'_> {
    /// Returns the strategy of a request.
    pub fn strategy(&self, given: &GivenStrategy) -> Result<Strategy, Error> {
        match (given, &self.engine.names) {
            (GivenStrategy::Known(strategy), _) => Ok(strategy.clone()),
            (GivenStrategy::Named(name), Some(names)) => names.strategy(name),
            (GivenStrategy::Named(name), None) => Ok(name.parse()?),
        }
    }

    /// Returns the strategies of both players of a request.
    pub fn strategies(&self, given: &GivenPlayers) -> Result<[Strategy; 2], Error> {
        Ok([self.strategy(&given.0[0])?, self.strategy(&given.0[1])?])
    }

    /// Returns the engine.
    pub fn engine(&self) -> &Engine {
        self.engine
    }

    /// Returns the files that came with the request; `None` if names mean those of this machine.
    pub fn sent_files(&self) -> Option<SentFiles<'_>> {
        self.engine.names.as_ref()?.sent_files()
    }

    /// Returns the receiver of progress reports.
    #[doc(hidden)]
    pub fn progress(&self) -> Option<&dyn Progress> {
        self.progress
    }

    /// Returns this call for parts of the work that report no progress.
    #[doc(hidden)]
    #[must_use]
    pub fn unreported(&self) -> Self {
        Self { progress: None, ..self.clone() }
    }

    /// Returns the most memory for the tables of one part of the work, in bytes.
    #[doc(hidden)]
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Returns the time since the call began, in seconds.
    #[doc(hidden)]
    pub fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// Refuses a strategy in a file if names in requests do not mean files of this machine.
    pub(crate) fn admit_file(&self, strategy: &Strategy) -> Result<(), Error> {
        match self.engine.names {
            Some(_) if !strategy.is_builtin() => Err(Error::NotSent { name: strategy.to_string() }),
            _ => Ok(()),
        }
    }

    /// Returns the strategy of a request that may have none.
    pub fn optional_strategy(
        &self,
        given: Option<&GivenStrategy>,
    ) -> Result<Option<Strategy>, Error> {
        given.map(|given| self.strategy(given)).transpose()
    }

    /// Returns the action that a strategy plays in every state of a game.
    pub fn plan(&self, game: &Arc<Game>, strategy: &Strategy) -> Result<Arc<Plan>, Error> {
        if let Strategy::Given { plan, .. } = strategy
            && plan.fits(game.states())
            && (plan.worth().is_some() || !game.rules().keeps_dice())
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
            self.run_named(what, &name, |watch| {
                strategy.plan_from(self.engine.sources(), game, watch).map(Arc::new)
            })
        };
        // Not cached: a file may change.
        if !strategy.is_builtin() {
            return make();
        }
        let key = strategy.to_string();
        let bytes = game.space().states() + key.len();
        self.engine.shared.plans.get_or(game, key, |_| bytes, make)
    }

    /// Returns the strategy, or the game's baseline if it is `None`.
    pub(crate) fn or_baseline(
        &self,
        game: &Game,
        strategy: Option<&Strategy>,
    ) -> Result<Strategy, Error> {
        Ok(strategy
            .map_or_else(|| Strategy::baseline(game.rules()), |strategy| Ok(strategy.clone()))?)
    }

    /// Returns a solution, cached unless the opponent's strategy comes from a file.
    pub(crate) fn solution(
        &self,
        game: &Arc<Game>,
        against: Option<&Strategy>,
        arithmetic: Arithmetic,
    ) -> Result<Arc<Solution>, Error> {
        // Not cached: a file may change.
        if against.is_some_and(|strategy| !strategy.is_builtin()) {
            return self.solved(game, against, arithmetic);
        }
        let name = against.map(Strategy::to_string);
        let named = name.as_ref().map_or(0, String::len);
        self.engine.shared.solutions.get_or(
            game,
            (name, arithmetic),
            |solution| {
                named + bytes_of(&solution.own) + solution.other.as_ref().map_or(0, bytes_of)
            },
            || self.solved(game, against, arithmetic),
        )
    }

    fn solved(
        &self,
        game: &Arc<Game>,
        against: Option<&Strategy>,
        arithmetic: Arithmetic,
    ) -> Result<Arc<Solution>, Error> {
        let Some(strategy) = against else {
            return self
                .run("solving", |watch| solve::equilibrium(game, arithmetic, watch))
                .map(Arc::new);
        };
        let plan = self.plan(game, strategy)?;
        self.run("solving", |watch| solve::best_response(game, &plan, arithmetic, watch))
            .map(Arc::new)
    }

    /// Refuses players who keep dice by win rates if their games may never end.
    pub(crate) fn all_end(
        &self,
        game: &Game,
        players: [&Strategy; 2],
        plans: [&Plan; 2],
    ) -> Result<(), Error> {
        if !game.rules().keeps_dice() || !players.iter().any(|player| player.is_by_win_rates()) {
            return Ok(());
        }
        let never =
            self.run("counting endless games", |watch| solve::endless(game, plans, watch))?;
        Ok(all_end(game.rules(), never)?)
    }

    /// Returns the values of a game and where they are from. Best play is read from the shipped
    /// table if there is one; otherwise the game is solved.
    pub(crate) fn values(
        &self,
        game: &Arc<Game>,
        against: Option<&Strategy>,
    ) -> Result<(GameValues, Numbers), Error> {
        let kept = &self.engine.shared.shipped;
        if against.is_none()
            && let Some((values, numbers)) = kept.get(game, ())
        {
            return Ok((GameValues::Shipped(values), numbers));
        }
        let table = match against {
            None => shipped(game.rules()).filter(|table| table.fits(game).is_ok()),
            Some(_) => None,
        };
        let Some(table) = table else {
            let solution = self.solution(game, against, Arithmetic::Float)?;
            let numbers = Numbers::solved(solution.error_bound);
            return Ok((GameValues::Solved(solution), numbers));
        };
        let (values, numbers) = kept.get_or(
            game,
            (),
            |(values, _)| bytes_of(values),
            || self.shipped_values(game, &table),
        )?;
        Ok((GameValues::Shipped(values), numbers))
    }

    /// Reads the values of a shipped table, and computes the win rates of a packed one.
    fn shipped_values(&self, game: &Game, table: &Table) -> Result<(Arc<Values>, Numbers), Error> {
        let (win_rates, error_bound) = match table.stored_win_rates() {
            // Solving the equilibrium is several times faster than evaluating the table's plan.
            [] => {
                let solved = self
                    .run("solving", |watch| solve::equilibrium(game, Arithmetic::Float, watch))?;
                (solved.own.win_rates, solved.error_bound)
            }
            stored => (stored.to_vec(), table.error_bound()),
        };
        let is_packed = table.stored_win_rates().is_empty();
        let numbers = Numbers::shipped(table.arithmetic(), is_packed, error_bound);
        let values = Values { win_rates, best: table.best().to_vec(), choices: Vec::new() };
        Ok((Arc::new(values), numbers))
    }

    /// Returns a judge of the rolls of a game.
    pub(crate) fn judge(&self, game: &Arc<Game>) -> Result<Judge, Error> {
        let (verdict, _) = self.values(game, None)?;
        Ok(Judge::new(Arc::clone(game), verdict.sides().0.clone()))
    }
}
