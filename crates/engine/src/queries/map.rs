//! Best rolls and win rates of every pair of scores.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Deserialize;

use super::{GivenGame, GivenPosition, GivenStrategy, Query, values_by_name};
use crate::engine::{self, Call, EngineError, MapLayers};
use crate::format::Text;
use crate::view::MapView;

/// Best rolls and win rates of every pair of scores
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Map {
    /// The game.
    #[serde(flatten)]
    pub game: GivenGame,
    /// Values of memories by name; those not given have their value at the start of the game.
    #[serde(default, deserialize_with = "values_by_name")]
    #[schemars(with = "std::collections::BTreeMap<String, i64>")]
    pub memory: Vec<(String, i64)>,
    /// The opponent's strategy (default: optimal play)
    #[schemars(example = &"baseline")]
    pub against: Option<GivenStrategy>,
    /// A strategy whose rolls are shown too.
    #[schemars(example = &"always_roll:4")]
    pub strategy: Option<GivenStrategy>,
    /// What to show besides best rolls and win rates.
    #[serde(default)]
    pub layers: Vec<MapLayer>,
}

/// What a map may show besides best rolls and win rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum MapLayer {
    /// How much the choice of the number of dice matters.
    Spread,
    /// How often the position is met.
    Met,
    /// From which value of the memory on to hold.
    Hold,
}

impl Query for Map {
    const NAME: &str = "map";
    type Answer = MapView;

    fn answer(&self, call: &Call) -> Result<MapView, EngineError> {
        let against = call.optional_strategy(self.against.as_ref())?;
        let strategy = call.optional_strategy(self.strategy.as_ref())?;
        let wants = |layer: MapLayer| self.layers.contains(&layer);
        let layers = MapLayers::default()
            .spread(wants(MapLayer::Spread))
            .met(wants(MapLayer::Met))
            .hold(wants(MapLayer::Hold))
            .strategy(strategy);
        let start = GivenPosition::scores(0, 0).memories(self.memory.clone());
        let (game, _) = call.game_at(&self.game, &start)?;
        call.engine.map(&game, &engine::Query::of(&start, against), &layers)
    }
}

/// A line for each score of the player to move: the smallest best number of dice at each score of
/// the opponent.
impl Text for MapView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{}: best rolls, a line for each score from 0 to {}",
            self.rules,
            self.goal - 1
        )?;
        for row in self.best.chunks(self.goal as usize) {
            let rolls: Vec<String> =
                row.iter().map(|set| self.sets[*set as usize][0].to_string()).collect();
            writeln!(out, "{}", rolls.join(" "))?;
        }
        writeln!(out, "{}", self.numbers)
    }
}
