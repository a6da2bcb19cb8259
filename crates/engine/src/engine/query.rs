//! The queries of an engine.

use crate::game::{Position, PositionError};
use crate::queries::{GivenGame, GivenPosition};
use crate::rules::{Overrides, Rules};
use crate::strategy::{Strategy, StrategyError};

/// A game by name, with changes to its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameQuery {
    /// The id or alias of a built-in game, or the path of a rule file.
    pub name: String,
    /// The changes to its rules.
    pub overrides: Overrides,
    /// Whether the game will be solved exactly. A game that is too large for that is then refused
    /// before it is tabulated.
    pub exact: bool,
}

impl GameQuery {
    /// A game with the rules of its file.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), overrides: Overrides::default(), exact: false }
    }

    /// Declares that the game will be solved exactly.
    #[must_use]
    pub fn exact(mut self) -> Self {
        self.exact = true;
        self
    }

    /// Returns the game as requests name it.
    pub(super) fn given(&self) -> GivenGame {
        let mut given = GivenGame::named(self.name.clone());
        (given.goal, given.max_dice) = (self.overrides.goal, self.overrides.max_dice);
        given
    }

    /// Sets another goal.
    #[must_use]
    pub fn goal(mut self, goal: u32) -> Self {
        self.overrides.goal = Some(goal);
        self
    }

    /// Sets another largest number of dice.
    #[must_use]
    pub fn max_dice(mut self, max_dice: u32) -> Self {
        self.overrides.max_dice = Some(max_dice);
        self
    }

    /// Sets all changes to the rules.
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

/// The opponent in a query: a strategy, or a name that is read when the query is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// A strategy by name: `always_roll:6`, `beat:baseline`, ...
    Named(String),
    /// A strategy.
    Playing(Strategy),
}

impl From<&str> for Opponent {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

impl From<Strategy> for Opponent {
    fn from(strategy: Strategy) -> Self {
        Self::Playing(strategy)
    }
}

/// A position and the opponent's strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Query {
    /// The score of the player to move.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// Values of memories by name; memories that are not listed have their value at the start of
    /// the game.
    pub memory: Vec<(String, i64)>,
    /// The opponent's strategy; `None` means optimal play.
    pub against: Option<Opponent>,
}

impl Query {
    /// A position with the scores of the player to move and of the opponent, who plays optimally.
    pub fn scores(score: u32, opponent: u32) -> Self {
        Self { score, opponent, memory: Vec::new(), against: None }
    }

    /// A position of a request, with the opponent's strategy.
    pub(crate) fn of(position: &GivenPosition, against: Option<Strategy>) -> Self {
        let scores = Self::scores(position.score, position.opponent);
        let query = scores.memories(position.memory.iter().cloned());
        Self { against: against.map(Opponent::Playing), ..query }
    }

    /// Sets the value of a memory.
    #[must_use]
    pub fn memory(mut self, name: impl Into<String>, value: i64) -> Self {
        self.memory.push((name.into(), value));
        self
    }

    /// Sets the values of some memories.
    #[must_use]
    pub fn memories(mut self, values: impl IntoIterator<Item = (String, i64)>) -> Self {
        self.memory.extend(values);
        self
    }

    /// Sets the opponent's strategy, by name or as a value.
    #[must_use]
    pub fn against(mut self, opponent: impl Into<Opponent>) -> Self {
        self.against = Some(opponent.into());
        self
    }

    /// Returns the position under these rules.
    ///
    /// # Errors
    /// Returns an error if the game has no such position, or a memory has two values.
    pub fn position(&self, rules: &Rules) -> Result<Position, PositionError> {
        for (at, (name, _)) in self.memory.iter().enumerate() {
            if self.memory[..at].iter().any(|(earlier, _)| earlier == name) {
                return Err(PositionError::MemoryTwice { name: name.clone() });
            }
        }
        let start = Position::new(rules, self.score, self.opponent)?;
        self.memory
            .iter()
            .try_fold(start, |position, (name, value)| position.with_memory(rules, name, *value))
    }

    pub(super) fn strategy(&self) -> Result<Option<Strategy>, StrategyError> {
        let strategy = |opponent: &Opponent| match opponent {
            Opponent::Named(name) => name.parse(),
            Opponent::Playing(strategy) => Ok(strategy.clone()),
        };
        self.against.as_ref().map(strategy).transpose()
    }
}
