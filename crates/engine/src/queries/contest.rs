//! An exact round robin: every strategy against every other.

use std::sync::Arc;
use std::time::Instant;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{GivenGame, GivenStrategy, Query};
use crate::contest::Field;
use crate::engine::{self, Call, ContestQuery, EngineError, Pairs};
use crate::game::Game;
use crate::view::ContestView;

/// An exact round robin: every strategy against every other
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Contest {
    /// The game.
    #[serde(flatten)]
    pub game: GivenGame,
    /// Strategies by name that take part in addition to those in `files`.
    #[serde(default)]
    #[schemars(with = "Vec<GivenStrategy>")]
    pub entrants: Vec<String>,
}

impl Contest {
    /// Plays the contest and returns it with its game: entrants are the names, and the files that
    /// came with the request.
    ///
    /// # Errors
    /// As [`Query::answer`].
    pub fn played(&self, call: &Call) -> Result<(Arc<Game>, engine::Contest), EngineError> {
        let game = call.game(&self.game)?;
        let most = call.engine.limits().entrants;
        let admit = |entrants: usize| {
            let refused = EngineError::TooManyEntrants { entrants, most };
            if entrants <= most { Ok(()) } else { Err(refused) }
        };
        admit(self.entrants.len())?;
        let (names, folder) = call.entrants(&self.entrants)?;
        if names.is_empty() {
            return Err(EngineError::NoEntrants);
        }
        admit(names.len())?;
        let mut query = ContestQuery::of(&names);
        query.invitation.sent_in = folder;
        // Files that take too long are left out, and the others still play.
        query.invitation.until = call.engine.time_left().map(|left| Instant::now() + left * 2 / 3);
        // A file may have several entrants.
        let may = |field: &Field| admit(field.entrants.len());
        let contest = call.engine.contest_if(&game, &query, Pairs::none(&game), may)?;
        Ok((game, contest))
    }
}

impl Query for Contest {
    const NAME: &str = "contest";
    const IS_LONG: bool = true;
    type Answer = ContestView;

    fn answer(&self, call: &Call) -> Result<ContestView, EngineError> {
        Ok(self.played(call)?.1.view)
    }
}
