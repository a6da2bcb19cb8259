//! Strategies by name: `optimal`, `final_strategy`, `beat:STRATEGY`, `always_roll:4` and the
//! course's other strategies, `table:PATH`, `python:PATH`, `baseline`.
//!
//! Parsing a name opens no file. [`Sources`] decides which files may be opened when a strategy is
//! turned into a plan.
//!
//! ```
//! use hog_study::strategy::Strategy;
//! use hog_rules::rules;
//! use hog_solve::{game::Game, solve::Watch};
//! let game = Game::new(rules::load("fa21", Default::default())?)?;
//! let strategy: Strategy = "beat:always_roll:6".parse()?;
//! let plan = strategy.plan(&game, &Watch::silent())?;
//! assert_eq!(game.space().dice(plan.action(game.start())), 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod columns;
mod course;
mod dictionary;
mod error;
mod family;
mod function;
mod grid;
mod handout;
mod input;
mod jeopardy;
mod kept;
mod lists;
mod mix;
mod names;
mod npy;
mod numbers;
mod points;
pub mod python;
mod rolls;
mod sources;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::game::{Game, Plan, Policy, PolicyError, Position};
use crate::rules::Rules;
use crate::solve::{Arithmetic, Watch, best_response, equilibrium};
use crate::table::{self, shipped};
pub use course::{Course, ZeroDiceThresholds};
pub use error::{FileFault, StrategyError};
pub use family::{Family, Varied};
pub use function::FunctionOfPosition;
pub use handout::{
    HandoutComparison, HandoutFunction, OtherSemester, WrongFunction, handout_functions,
};
pub use input::kind_of_input;
pub use jeopardy::{BankAt, Jeopardy};
use kept::keeping_dice;
pub use kept::{all_end, plan_of_table, that_ends};
pub use kept::{keeping_points, worth_of_turns};
pub use names::{INPUT, not_a_file, similar_file};
pub(crate) use points::most_points;
use python::PythonFile;
pub use rolls::read_rolls;
pub use sources::Sources;

use crate::files::{self, has_extension};
use crate::limits;

/// A strategy, as written on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Equilibrium play: from the shipped table if it fits the game, otherwise solved. Ties go to
    /// the fewest dice.
    Optimal,
    /// The shipped table of these rules.
    Final,
    /// The strategy that the game's course rates against.
    Baseline,
    /// The best response to another strategy.
    Beat(Box<Strategy>),
    /// The best table found against a mixture of strategies, one of which is drawn for each game;
    /// with their weights.
    BeatField(Vec<(Strategy, u32)>),
    /// Always the same number of dice.
    AlwaysRoll(i32),
    /// Another strategy of the course, such as `bacon_strategy:8,6`.
    Course(Course),
    /// A strategy for Pig and similar games.
    Jeopardy(Jeopardy),
    /// The most expected points of each turn.
    MostPoints,
    /// A `.hog` table, or a file of rolls in one of the forms of [`read_rolls`].
    Table(PathBuf),
    /// A function of both scores in a Python file.
    Python(PythonFile),
    /// What a program reads from its standard input, written `-`: a Python file or a table
    /// ([`Sources::with_input`]).
    Input,
    /// A function of the program: [`Strategy::from_fn`]. Parsing never returns this variant.
    Function(FunctionOfPosition),
    /// A plan in memory, such as one made from an array. Parsing never returns this variant.
    Given {
        /// The name that messages and results show.
        name: String,
        /// The plan.
        plan: Arc<Plan>,
    },
}

/// The extensions of tables; on a command line a file of rolls may have any other as well.
pub const ENDINGS: [&str; 6] = ["csv", "npy", "txt", "strat", "json", "hog"];

struct AlwaysRoll(i32);

impl Policy for AlwaysRoll {
    fn dice(&self, _: &Position) -> Result<i32, PolicyError> {
        Ok(self.0)
    }
}

impl Strategy {
    /// Returns every `always_roll:N` of a game, the course's strategies that fit it (with the
    /// numbers of their handouts), and equilibrium play.
    pub fn of_the_course(rules: &Rules) -> Vec<Self> {
        let always = (rules.min_dice..=rules.max_dice).map(Self::AlwaysRoll);
        let jeopardy = Jeopardy::fitting(rules);
        // The course's strategies do not see the pot of Pig.
        let course = if jeopardy.is_empty() { Course::fitting(rules) } else { Vec::new() };
        let named =
            course.into_iter().map(Self::Course).chain(jeopardy.into_iter().map(Self::Jeopardy));
        always.chain(named).chain([Self::Optimal]).collect()
    }

    /// Returns the strategy that the course of these rules rates against.
    ///
    /// # Errors
    /// Returns an error if the rules have no baseline, or if it is not a strategy, refers to
    /// itself, is a file or cannot be played.
    pub fn baseline(rules: &Rules) -> Result<Self, StrategyError> {
        let named: Option<Self> = rules.baseline.as_deref().map(str::parse).transpose()?;
        let baseline = named
            .filter(|strategy| !strategy.asks_for_baseline())
            .ok_or_else(|| StrategyError::NoBaseline { game: rules.id.clone() })?;
        let misfit = if baseline.is_builtin() {
            baseline.misfit(rules)
        } else {
            Some("it needs a file".to_owned())
        };
        match misfit {
            None => Ok(baseline),
            Some(reason) => Err(StrategyError::BaselineMisfit {
                game: rules.id.clone(),
                baseline: baseline.to_string(),
                reason,
            }),
        }
    }

    /// Returns why the strategy cannot be played by these rules, if that follows from the rules
    /// alone; opens no file.
    pub fn misfit(&self, rules: &Rules) -> Option<String> {
        match self {
            Self::AlwaysRoll(dice) => misfit_of_dice(*dice, rules),
            Self::Course(course) => match course.policy(rules) {
                Ok(_) => misfit_of_dice(course.num_rolls(rules), rules),
                Err(lacking) => Some(lacking),
            },
            Self::Jeopardy(strategy) => strategy.policy(rules).err(),
            Self::Beat(other) => other.misfit(rules),
            Self::BeatField(field) => field.iter().find_map(|(strategy, _)| strategy.misfit(rules)),
            _ => None,
        }
    }

    /// Whether the strategy is `baseline`, or a best response to it.
    pub fn asks_for_baseline(&self) -> bool {
        match self {
            Self::Baseline => true,
            Self::Beat(other) => other.asks_for_baseline(),
            Self::BeatField(field) => {
                field.iter().any(|(strategy, _)| strategy.asks_for_baseline())
            }
            _ => false,
        }
    }

    /// Returns the strategy that rolls no dice for at least `threshold` points, and `dice` dice
    /// otherwise, under the name that fits the game's rules; `always_roll` if there is no
    /// threshold or no such name.
    pub fn for_points(rules: &Rules, threshold: Option<i64>, dice: i32) -> Self {
        let course = threshold.and_then(|threshold| Course::for_points(rules, threshold, dice));
        course.map_or(Self::AlwaysRoll(dice), Self::Course)
    }

    /// Returns the strategy's file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Table(path) => Some(path),
            Self::Python(file) => Some(&file.path),
            _ => None,
        }
    }

    /// Returns all files that the strategy reads, also those of strategies that it answers.
    pub fn files(&self) -> Vec<&Path> {
        match self {
            Self::Beat(other) => other.files(),
            Self::BeatField(field) => {
                field.iter().flat_map(|(strategy, _)| strategy.files()).collect()
            }
            _ => self.file().into_iter().collect(),
        }
    }

    /// Whether it chooses by the win rates of a solution.
    pub fn is_by_win_rates(&self) -> bool {
        let is_solved = matches!(self, Self::Optimal | Self::Final | Self::Beat(_));
        is_solved || matches!(self, Self::Table(_) | Self::Input | Self::Given { .. })
    }

    /// Returns how often the strategy names standard input.
    pub fn inputs(&self) -> usize {
        match self {
            Self::Input => 1,
            Self::Beat(other) => other.inputs(),
            Self::BeatField(field) => field.iter().map(|(strategy, _)| strategy.inputs()).sum(),
            _ => 0,
        }
    }

    /// Whether the strategy needs no file and no plan in memory.
    pub fn is_builtin(&self) -> bool {
        match self {
            Self::Table(_) | Self::Python(_) | Self::Input => false,
            Self::Function(_) | Self::Given { .. } => false,
            Self::Beat(other) => other.is_builtin(),
            Self::BeatField(field) => field.iter().all(|(strategy, _)| strategy.is_builtin()),
            _ => true,
        }
    }

    /// Computes the strategy's action in every state of a game; opens no file.
    ///
    /// # Errors
    /// Returns an error if the strategy does not fit the game or would open a file, or if `watch`
    /// stops the solver.
    pub fn plan(&self, game: &Game, watch: &Watch) -> Result<Plan, StrategyError> {
        self.plan_from(&Sources::builtin(), game, watch)
    }

    /// Computes the strategy's action in every state of a game; opens files where `sources` allows
    /// it.
    ///
    /// # Errors
    /// Returns an error if the strategy does not fit the game, if its file may not or cannot be
    /// read, or if `watch` stops the solver.
    pub fn plan_from(
        &self,
        sources: &Sources,
        game: &Game,
        watch: &Watch,
    ) -> Result<Plan, StrategyError> {
        let plan = self.plan_of_rolls(sources, game, watch)?;
        Ok(match self {
            Self::Jeopardy(Jeopardy::BankAt(numbers)) => keeping_dice(plan, game, numbers.die()),
            _ => keeping_points(plan, game),
        })
    }

    /// Returns an error if it says only how many dice to roll, and the game needs more.
    fn refuse_rolls(&self, rules: &Rules) -> Result<(), StrategyError> {
        let is_of_rolls = match self {
            Self::Table(path) => !has_extension(path, "hog"),
            _ => matches!(self, Self::BeatField(_) | Self::Course(_)),
        };
        let needs = match rules.keeps_dice() {
            true => "it does not say which dice it keeps",
            false if rules.has_steps() => "it does not know that points come in steps",
            false => return Ok(()),
        };
        if !is_of_rolls {
            return Ok(());
        }
        Err(StrategyError::NoRule {
            name: self.to_string(),
            game: rules.origin.clone(),
            needs: needs.into(),
        })
    }

    fn plan_of_rolls(
        &self,
        sources: &Sources,
        game: &Game,
        watch: &Watch,
    ) -> Result<Plan, StrategyError> {
        self.refuse_rolls(game.rules())?;
        match self {
            Self::Optimal => match self.shipped_plan(game) {
                Some(plan) => Ok(plan),
                None => solved_plan(game, None, watch),
            },
            Self::Final => self.shipped_plan(game).ok_or_else(|| StrategyError::NotShipped {
                game: game.rules().id.clone(),
                goal: game.rules().goal,
                max_dice: game.rules().max_dice,
            }),
            Self::Beat(other) => {
                solved_plan(game, Some(&other.plan_from(sources, game, watch)?), watch)
            }
            Self::BeatField(field) => mix::answer(field, sources, game, watch),
            Self::Baseline => Self::baseline(game.rules())?.plan_from(sources, game, watch),
            Self::MostPoints => Ok(most_points(game, watch)?),
            Self::AlwaysRoll(dice) => self.tabulate(game, &AlwaysRoll(*dice)),
            Self::Course(course) => {
                let policy = course.policy(game.rules());
                self.tabulate(game, &policy.map_err(|needs| self.lacks(game, needs))?)
            }
            Self::Jeopardy(jeopardy) => {
                let policy = jeopardy.policy(game.rules());
                self.tabulate(game, &policy.map_err(|needs| self.lacks(game, needs))?)
            }
            Self::Python(file) => {
                file.plan(game, sources.launcher(self)?, sources.follow_links(), watch)
            }
            Self::Table(path) => self.table(path, sources, game),
            Self::Input => input::plan(sources, game, watch),
            Self::Function(function) => self.tabulate(game, function),
            Self::Given { plan, .. } if plan.fits(game.states()) => Ok(Plan::clone(plan)),
            Self::Given { name, .. } => {
                Err(StrategyError::Misfit { name: name.clone(), game: game.rules().id.clone() })
            }
        }
    }

    fn lacks(&self, game: &Game, needs: String) -> StrategyError {
        let game = game.rules().origin.clone();
        StrategyError::NoRule { name: self.to_string(), game, needs }
    }

    fn table(&self, path: &Path, sources: &Sources, game: &Game) -> Result<Plan, StrategyError> {
        let largest = sources.open_table(self)?;
        let read = |limit: u64| match sources.follow_links() {
            true => files::read(path, limit),
            false => files::read_without_links(path, limit),
        };
        let unreadable = |error: std::io::Error| faulty(path)(error.to_string().into());
        if has_extension(path, "hog") {
            let bytes = read(largest).map_err(unreadable)?;
            return Ok(kept::plan_of_table(&table::of_bytes_for(&bytes, path, game)?, game));
        }
        let most = limits::ROLLS_COMMENT_BYTES
            + limits::ROLLS_BYTES_A_STATE * game.space().states() as u64;
        let bytes = read(most.min(largest)).map_err(unreadable)?;
        read_rolls(&bytes, game).map_err(faulty(path))
    }

    fn shipped_plan(&self, game: &Game) -> Option<Plan> {
        let table = shipped(game.rules()).filter(|table| table.fits(game).is_ok())?;
        Some(kept::plan_of_table(&table, game))
    }

    fn tabulate(&self, game: &Game, policy: &dyn Policy) -> Result<Plan, StrategyError> {
        Plan::tabulate(game.states(), policy)
            .map_err(|error| StrategyError::Impossible { name: self.to_string(), error })
    }
}

/// Returns the plan of the equilibrium, or of the best response to an opponent.
fn solved_plan(game: &Game, opponent: Option<&Plan>, watch: &Watch) -> Result<Plan, StrategyError> {
    let solution = match opponent {
        Some(opponent) => best_response(game, opponent, Arithmetic::Float, watch)?,
        None => equilibrium(game, Arithmetic::Float, watch)?,
    };
    that_ends(game, solution.plan(), opponent, watch)
}

fn misfit_of_dice(dice: i32, rules: &Rules) -> Option<String> {
    let min = rules.min_dice;
    let max = rules.max_dice;
    (!(min..=max).contains(&dice))
        .then(|| format!("it rolls {dice} dice; the game allows {min} to {max}"))
}

fn faulty(path: &Path) -> impl Fn(FileFault) -> StrategyError {
    |fault| StrategyError::File { path: path.to_owned(), fault }
}

#[cfg(test)]
mod tests;
