//! The queries of an engine.

use crate::queries::GivenGame;
use crate::rules::Overrides;
use crate::solve::Arithmetic;
use crate::strategy::Strategy;
use crate::view::Sight;

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

/// A request to solve a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolveQuery {
    /// The strategy to find the best response to; `None` means to find the equilibrium.
    pub against: Option<Strategy>,
    /// The part of the state that the solved side sees.
    pub sees: Sight,
    /// The arithmetic; `None` means exact where that is practical, and floats elsewhere.
    pub arithmetic: Option<Arithmetic>,
    /// Whether to return the first player's win rate as a fraction too.
    pub fraction: bool,
    /// Whether to resolve near ties: rolls whose win rates are closer than the error of doubles,
    /// in games with loops through chance, are then compared with more digits.
    pub separate: bool,
    /// The number of perturbed tables that the search tries; used only if the solved side does not
    /// see the memories.
    pub tries: usize,
    /// The seed of that search's random numbers.
    pub seed: u64,
}

/// The default of [`SolveQuery::tries`]: about a minute on two cores for a course's game with a
/// memory.
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
    /// Finds the equilibrium, exactly where that is practical.
    pub fn equilibrium() -> Self {
        Self::default()
    }

    /// Finds the best response to a strategy, exactly where that is practical.
    pub fn best_response(against: Strategy) -> Self {
        Self { against: Some(against), ..Self::default() }
    }

    /// Sets the arithmetic.
    #[must_use]
    pub fn arithmetic(mut self, arithmetic: Arithmetic) -> Self {
        self.arithmetic = Some(arithmetic);
        self
    }

    /// Sets the part of the state that the solved side sees.
    #[must_use]
    pub fn sees(mut self, sees: Sight) -> Self {
        self.sees = sees;
        self
    }

    /// Sets whether to return the first player's win rate as a fraction too, which requires exact
    /// arithmetic.
    #[must_use]
    pub fn fraction(mut self, wanted: bool) -> Self {
        self.fraction = wanted;
        self
    }

    /// Sets whether to resolve near ties with more digits. Without that, large games take less
    /// time.
    #[must_use]
    pub fn separate(mut self, wanted: bool) -> Self {
        self.separate = wanted;
        self
    }

    /// Sets the number of tries and the seed of the search for a table that does not see the
    /// memories.
    #[must_use]
    pub fn search(mut self, tries: usize, seed: u64) -> Self {
        (self.tries, self.seed) = (tries, seed);
        self
    }
}
