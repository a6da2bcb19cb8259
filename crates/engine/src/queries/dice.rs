//! The exact distribution of the sum of some dice.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Query;
use crate::engine::{Call, EngineError};
use crate::view::DiceView;

/// The exact distribution of the sum of some dice
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Dice {
    /// The number of dice.
    pub number: u32,
    /// The number of sides of each die.
    #[serde(default = "six")]
    pub die: u32,
}

fn six() -> u32 {
    6
}

impl Query for Dice {
    const NAME: &str = "dice";
    type Answer = DiceView;

    fn answer(&self, _call: &Call) -> Result<DiceView, EngineError> {
        Ok(DiceView::new(self.number, self.die.into())?)
    }
}
