//! The solution of a game: the first player's win rate, the best first roll, and how they were
//! computed.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{GivenGame, GivenStrategy, Query};
use crate::engine::{Call, EngineError, SolveQuery};
use crate::view::SolveView;

/// The solution of a game: the first player's win rate, the best first roll, and how they were
/// computed
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Solve {
    /// The game.
    #[serde(flatten)]
    pub game: GivenGame,
    /// Solve the best response to this strategy instead of the equilibrium.
    #[schemars(example = &"baseline")]
    pub against: Option<GivenStrategy>,
    /// Whether to return the exact win rate as a fraction too.
    #[serde(default)]
    pub fraction: bool,
}

impl Solve {
    /// The equilibrium of a game.
    pub fn equilibrium(game: impl Into<GivenGame>) -> Self {
        Self { game: game.into(), against: None, fraction: false }
    }

    /// The best response to a strategy.
    pub fn best_response(game: impl Into<GivenGame>, against: impl Into<GivenStrategy>) -> Self {
        Self { against: Some(against.into()), ..Self::equilibrium(game) }
    }

    /// Sets whether to return the first player's win rate as a fraction too, which needs exact
    /// arithmetic.
    #[must_use]
    pub fn fraction(mut self, wanted: bool) -> Self {
        self.fraction = wanted;
        self
    }
}

impl Query for Solve {
    const NAME: &str = "solve";
    const IS_LONG: bool = true;
    type Answer = SolveView;

    fn answer(&self, call: &Call) -> Result<SolveView, EngineError> {
        let query = match call.optional_strategy(self.against.as_ref())? {
            Some(strategy) => SolveQuery::best_response(strategy),
            None => SolveQuery::equilibrium(),
        };
        let query = query.fraction(self.fraction).separate(call.engine.limits().near_ties);
        Ok(call.engine.solved(&call.game(&self.game)?, &query)?.view)
    }
}
