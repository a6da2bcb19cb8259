//! The queries of an engine.

use crate::queries::GivenGame;
use crate::rules::Overrides;

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
