//! What a question whose answer can be drawn offers.

use hog_engine::engine::{Call, Error};
use hog_engine::queries::{Query, rounded_up};

use super::{Look, Picture};

/// How a picture is made.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// Its appearance.
    pub look: Look,
    /// The command that makes it, which is written below it; empty if there is none.
    pub command: String,
}

/// A question whose answer can be drawn.
pub trait Drawn: Query {
    /// Finds the answer and draws it.
    ///
    /// # Errors
    /// As [`Query::answer`].
    fn drawn(&self, call: &Call, drawing: &Drawing) -> Result<(Self::Answer, Picture), Error>;
}

/// Describes an error bound of win rates.
pub(super) fn bound(error: f64) -> String {
    format!("every win rate within {} of the exact one", rounded_up(error))
}
