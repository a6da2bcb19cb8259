//! Where a strategy loses.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{GivenGame, GivenStrategy, Query};
use crate::engine::{Call, EngineError, Explained};
use crate::view::ExplainView;

/// Where a strategy loses: the positions that cost win rate, and how much each costs
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[non_exhaustive]
pub struct Explain {
    /// The game.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub game: GivenGame,
    /// The strategy to examine
    #[schemars(example = &"always_roll:4")]
    pub strategy: GivenStrategy,
    /// The opponent's strategy (default: the game's baseline)
    #[schemars(example = &"baseline")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "STRATEGY"))]
    pub against: Option<GivenStrategy>,
    /// How many positions to show
    #[serde(default = "ten")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 10,
        value_parser = super::numbers::whole::<usize>))]
    pub top: usize,
}

fn ten() -> usize {
    10
}

impl Explain {
    /// The question about a strategy against the game's baseline, with the `top` positions.
    pub fn of(game: impl Into<GivenGame>, strategy: impl Into<GivenStrategy>, top: usize) -> Self {
        Self { game: game.into(), strategy: strategy.into(), against: None, top }
    }

    /// Sets the opponent's strategy.
    #[must_use]
    pub fn against(mut self, opponent: impl Into<GivenStrategy>) -> Self {
        self.against = Some(opponent.into());
        self
    }

    /// Explains the strategy, with every position that is reached.
    ///
    /// # Errors
    /// As [`Query::answer`].
    pub fn explained(&self, call: &Call) -> Result<Explained, EngineError> {
        let strategy = call.strategy(&self.strategy)?;
        let against = call.optional_strategy(self.against.as_ref())?;
        let game = call.game(&self.game)?;
        let top = self.top.min(call.engine.limits().listed);
        call.engine.explained(&game, &strategy, against.as_ref(), top)
    }
}

impl Query for Explain {
    const NAME: &str = "explain";
    const IS_LONG: bool = true;
    type Answer = ExplainView;

    fn answer(&self, call: &Call) -> Result<ExplainView, EngineError> {
        Ok(self.explained(call)?.view)
    }
}
