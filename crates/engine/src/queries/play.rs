//! A game from its beginning to its end or to a person's turn.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Deserialize;

use super::{GivenGame, GivenPosition, GivenStrategy, Query, values_by_name};
use crate::engine::{Call, EngineError, PlayQuery};
use crate::format::Text;
use crate::strategy::Strategy;
use crate::view::SessionView;

/// A game from its beginning to its end or to a person's turn
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Play {
    /// The game.
    #[serde(flatten)]
    pub game: GivenGame,
    /// Player 0 and Player 1, each a strategy or `person`.
    pub players: [GivenStrategy; 2],
    /// The seed of the dice.
    #[schemars(range(max = 9_007_199_254_740_992_u64))]
    pub seed: u64,
    /// The numbers of dice that people chose, in order.
    #[serde(default)]
    pub rolls: Vec<i32>,
    /// The score of Player 0, who moves first.
    #[serde(default)]
    pub score: u32,
    /// The score of Player 1.
    #[serde(default)]
    pub opponent: u32,
    /// Values of memories by name; those not given have their value at the start of the game.
    #[serde(default, deserialize_with = "values_by_name")]
    #[schemars(with = "std::collections::BTreeMap<String, i64>")]
    pub memory: Vec<(String, i64)>,
}

impl Query for Play {
    const NAME: &str = "play";
    type Answer = SessionView;

    fn answer(&self, call: &Call) -> Result<SessionView, EngineError> {
        let player = |given: &GivenStrategy| match given {
            GivenStrategy::Named(name) if name == "person" => Ok(None),
            given => call.strategy(given).map(Some),
        };
        let players: [Option<Strategy>; 2] = [player(&self.players[0])?, player(&self.players[1])?];
        let at = GivenPosition::scores(self.score, self.opponent).memories(self.memory.clone());
        let (game, from) = call.game_at(&self.game, &at)?;
        let query = PlayQuery::new(players, self.seed).rolls(self.rolls.clone()).from(from);
        Ok(SessionView::new(&call.engine.played(&game, &query)?))
    }
}

impl Text for SessionView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        self.turns.iter().try_for_each(|turn| turn.turn.text(out))?;
        let [first, second] = &self.names;
        writeln!(out, "{first} {}, {second} {}", self.scores[0], self.scores[1])
    }
}
