//! What an engine is asked.

use serde::Deserialize;

use crate::game::{Position, PositionError};
use crate::rules::{Overrides, Rules};
use crate::solve::Arithmetic;
use crate::strategy::{Strategy, StrategyError};
use crate::view::Sight;

/// A game by name, with what is changed of its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameQuery {
    /// The id or alias of a built-in game, or the path of a rule file.
    pub name: String,
    /// What is changed of its rules.
    pub overrides: Overrides,
    /// Whether it will be solved exactly: if it is too large for that, it is refused before it is tabulated.
    pub exact: bool,
}

impl GameQuery {
    /// A game as it is written down.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), overrides: Overrides::default(), exact: false }
    }

    /// To be solved exactly.
    #[must_use]
    pub fn exact(mut self) -> Self {
        self.exact = true;
        self
    }

    /// Played to another goal.
    #[must_use]
    pub fn goal(mut self, goal: u32) -> Self {
        self.overrides.goal = Some(goal);
        self
    }

    /// With another largest number of dice.
    #[must_use]
    pub fn max_dice(mut self, max_dice: u32) -> Self {
        self.overrides.max_dice = Some(max_dice);
        self
    }

    /// With all of this changed.
    #[must_use]
    pub fn overrides(mut self, overrides: Overrides) -> Self {
        self.overrides = overrides;
        self
    }
}

impl From<&str> for GameQuery {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

impl From<String> for GameQuery {
    fn from(name: String) -> Self {
        Self::new(name)
    }
}

impl From<&GameQuery> for GameQuery {
    fn from(query: &Self) -> Self {
        query.clone()
    }
}

/// A position, and whom it is played against.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Query {
    /// The score of the player to move.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// Memories by name; those not named are as at the start of the game.
    pub memory: Vec<(String, i64)>,
    /// The strategy the opponent plays; if there is none, it plays to win.
    pub against: Option<String>,
}

impl Query {
    /// The scores of the player to move and of the opponent.
    pub fn scores(score: u32, opponent: u32) -> Self {
        Self { score, opponent, memory: Vec::new(), against: None }
    }

    /// With a memory's value.
    #[must_use]
    pub fn memory(mut self, name: impl Into<String>, value: i64) -> Self {
        self.memory.push((name.into(), value));
        self
    }

    /// Against a strategy, as it is written: `always_roll:6`, `beat:baseline`, ...
    #[must_use]
    pub fn against(mut self, strategy: impl ToString) -> Self {
        self.against = Some(strategy.to_string());
        self
    }

    /// The position.
    ///
    /// # Errors
    /// If the game has no such position.
    pub fn position(&self, rules: &Rules) -> Result<Position, PositionError> {
        let start = Position::new(rules, self.score, self.opponent)?;
        self.memory.iter().try_fold(start, |position, (name, value)| position.with_memory(rules, name, *value))
    }

    pub(super) fn strategy(&self) -> Result<Option<Strategy>, StrategyError> {
        self.against.as_deref().map(str::parse).transpose()
    }
}

/// What a turn rolls.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum TurnDice {
    /// The faces of some dice.
    Faces(Vec<u32>),
    /// A move below 0, which rolls nothing.
    Move(i32),
}

/// What to solve.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolveQuery {
    /// The strategy to find the best response to; if there is none, the equilibrium is sought.
    pub against: Option<Strategy>,
    /// What the solved side sees.
    pub sees: Sight,
    /// In which numbers; exact where that is practical if nothing is said.
    pub arithmetic: Option<Arithmetic>,
    /// Whether the first player's exact win rate is wanted as a fraction.
    pub fraction: bool,
    /// Whether rolls that doubles cannot tell apart are told apart with more digits, where chance closes loops.
    pub separate: bool,
    /// Where less is seen than the game remembers: how many changed tables to try on the way to a better one.
    pub tries: usize,
    /// Where the random numbers of that search begin.
    pub seed: u64,
}

/// About a minute for a course's game with memory on two cores.
pub const DEFAULT_TRIES: usize = 300;

impl Default for SolveQuery {
    fn default() -> Self {
        Self {
            against: None,
            sees: Sight::State,
            arithmetic: None,
            fraction: false,
            separate: true,
            tries: DEFAULT_TRIES,
            seed: 0,
        }
    }
}

impl SolveQuery {
    /// The equilibrium, exact where that is practical.
    pub fn equilibrium() -> Self {
        Self::default()
    }

    /// The best response to a strategy.
    pub fn best_response(against: Strategy) -> Self {
        Self { against: Some(against), ..Self::default() }
    }

    /// In these numbers.
    #[must_use]
    pub fn arithmetic(mut self, arithmetic: Arithmetic) -> Self {
        self.arithmetic = Some(arithmetic);
        self
    }

    /// Seeing only this.
    #[must_use]
    pub fn sees(mut self, sees: Sight) -> Self {
        self.sees = sees;
        self
    }

    /// With the first player's win rate as a fraction, which takes exact numbers.
    #[must_use]
    pub fn fraction(mut self, wanted: bool) -> Self {
        self.fraction = wanted;
        self
    }

    /// With near ties told apart by more digits, or left as doubles have them, which takes less time in large games.
    #[must_use]
    pub fn separate(mut self, wanted: bool) -> Self {
        self.separate = wanted;
        self
    }

    /// How to search where less is seen than the game remembers.
    #[must_use]
    pub fn search(mut self, tries: usize, seed: u64) -> Self {
        (self.tries, self.seed) = (tries, seed);
        self
    }
}
