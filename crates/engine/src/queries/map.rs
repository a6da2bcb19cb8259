//! Best rolls and win rates of every pair of scores.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::score_maps::{GivenMap, MapSubject, states_of_cells};
use super::{GivenGame, Numbers, Query};
use crate::analysis;
use crate::engine::{Call, Error, of_usual_kind};
use crate::format::Text;
use crate::game::Game;
use crate::solve::{self, Values};
use crate::strategy::Strategy;

/// Best rolls and win rates of every pair of scores
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Map {
    /// Whose map it is; the rolls of a strategy are shown beside the best ones.
    #[serde(flatten)]
    pub given: GivenMap,
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

/// Best rolls and win rates for every pair of scores, at fixed values of the memories. The index of
/// a pair in each list is `score * goal + opponent`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MapAnswer {
    /// The game's id.
    pub rules: String,
    /// The goal; scores run from 0 to `goal - 1`.
    pub goal: u32,
    /// The fewest dice of a turn.
    pub min_dice: i32,
    /// The most dice of a turn.
    pub max_dice: i32,
    /// The values of the memories by name.
    pub memory: BTreeMap<String, i64>,
    /// The opponent's strategy; null means optimal play.
    pub against: Option<String>,
    /// The different sets of best numbers of dice.
    pub sets: Vec<Vec<i32>>,
    /// For each pair of scores, the index of its best numbers of dice in `sets`.
    pub best: Vec<u32>,
    /// The mover's win rate.
    pub win_rate: Vec<f64>,
    /// The win rate of the best number of dice minus that of the worst; null unless requested.
    pub spread: Option<Vec<f64>>,
    /// The expected number of turns per game that start at each pair of scores, however many rolls
    /// they have: the turns of one player, who plays best, averaged over moving first and second.
    /// Null unless requested.
    pub met: Option<Vec<f64>>,
    /// When to hold; null unless requested.
    pub hold: Option<HoldLayer>,
    /// The rolls of a strategy; null unless one is named.
    pub strategy: Option<StrategyLayer>,
    /// Where the numbers are from.
    #[serde(flatten)]
    pub numbers: Numbers,
}

/// When to hold: the least value of a memory at which no dice are rolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct HoldLayer {
    /// The memory's name.
    pub over: String,
    /// The least value of the memory at which rolling no dice is best, at each pair of scores; null
    /// if there is none. With a pot that reaches the goal nobody has to hold: it is none.
    pub first: Vec<Option<i64>>,
    /// The last value before rolling dice is best again, with more; null if it is not.
    pub last: Vec<Option<i64>>,
    /// The least value beyond `last` at which rolling no dice is best once more; null if it is at
    /// none.
    pub again: Vec<Option<i64>>,
}

/// The rolls of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct StrategyLayer {
    /// The strategy's name.
    pub name: String,
    /// The number of dice it rolls at each pair of scores.
    pub dice: Vec<i32>,
    /// When it rolls no dice; null unless that is requested.
    pub hold: Option<HoldLayer>,
}

impl Map {
    /// The question about a game under optimal play.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::Map;
    ///
    /// let engine = Engine::builder().build();
    /// let answer = engine.ask(&Map::of("fa21"))?;
    /// assert_eq!(answer.goal, 100);
    /// // The best numbers of dice at 20 to 36: a set of the list.
    /// let place = 20 * answer.goal as usize + 36;
    /// assert_eq!(answer.sets[answer.best[place] as usize], [8]);
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn of(game: impl Into<GivenGame>) -> Self {
        Self { given: GivenMap::of(game), layers: Vec::new() }
    }

    /// Adds a layer.
    #[must_use]
    pub fn layer(mut self, layer: MapLayer) -> Self {
        self.layers.push(layer);
        self
    }
}

impl Query for Map {
    const NAME: &str = "map";
    type Answer = MapAnswer;

    fn answer(&self, call: &Call) -> Result<MapAnswer, Error> {
        of_usual_kind(&call.rules(&self.given.game)?)?;
        let subject = self.given.read(call)?;
        let MapSubject { game, at, strategy, against } = &subject;
        let rules = game.rules();
        let space = game.space();
        let layers = &self.layers;
        let (map, values) = subject.best(call)?;
        let (own, after) = values.sides();
        let mut sets = map.best.clone();
        sets.sort_unstable();
        sets.dedup();
        let mut best = Vec::with_capacity(map.best.len());
        for set in &map.best {
            best.push(sets.binary_search(set).expect("each set is among them") as u32);
        }
        let states: Vec<usize> = states_of_cells(game, at).collect();
        let holds = layers.contains(&MapLayer::Hold);
        let strategy = match strategy {
            None => None,
            Some(strategy) => {
                let (rolled, rolls) = subject.rolls(call)?;
                let least = rolled.best.iter().map(|set| set.trailing_zeros() as usize);
                let dice = least.map(|action| space.dice(action)).collect();
                let hold = holds.then(|| subject.hold(call, &rolls)).transpose()?;
                Some(StrategyLayer { name: strategy.to_string(), dice, hold })
            }
        };
        let hold = holds.then(|| subject.hold(call, &own.best));
        let spread =
            layers.contains(&MapLayer::Spread).then(|| spreads(call, game, own, after, &states));
        let met = layers.contains(&MapLayer::Met).then(|| met(call, game, against.as_ref()));
        Ok(MapAnswer {
            rules: rules.id.clone(),
            goal: rules.goal,
            min_dice: space.min_dice,
            max_dice: space.dice(space.actions - 1),
            memory: map.memory.into_iter().collect(),
            against: map.against,
            best,
            win_rate: map.win_rates,
            spread: spread.transpose()?,
            met: met.transpose()?,
            hold: hold.transpose()?,
            strategy,
            sets: sets.iter().map(|set| space.dice_in(*set)).collect(),
            numbers: map.numbers.expect("those of best play"),
        })
    }
}

/// Returns how many turns of the player who plays best start at each pair of scores, in expectation
/// and averaged over who moves first.
fn met(call: &Call, game: &Arc<Game>, against: Option<&Strategy>) -> Result<Vec<f64>, Error> {
    let best = Strategy::Optimal;
    let own =
        against.map_or_else(|| best.clone(), |strategy| Strategy::Beat(Box::new(strategy.clone())));
    let plans = [call.plan(game, &own)?, call.plan(game, against.unwrap_or(&best))?];
    let reach = call.run("reaching", |watch| {
        solve::reach(game, [&*plans[0], &*plans[1]], [0.5, 0.5], &|_, _| false, watch)
    })?;
    let space = game.space();
    let mut met = vec![0.0; space.goal * space.goal];
    let begun = analysis::turns_begun(game, [&*plans[0], &*plans[1]], [0.5, 0.5], &reach.visits);
    for (state, visits) in begun[0].iter().enumerate() {
        met[state / space.per_cell()] += visits;
    }
    Ok(met)
}

/// Returns the difference in win rate between the best and the worst number of dice of each state.
fn spreads(
    call: &Call,
    game: &Game,
    own: &Values,
    after: &Values,
    states: &[usize],
) -> Result<Vec<f64>, Error> {
    let row = |row: &[usize]| {
        call.check()?;
        let spreads = row.iter().map(|state| {
            let win_rates = solve::choices(game, own, after, *state);
            own.win_rates[*state] - win_rates.into_iter().fold(f64::INFINITY, f64::min)
        });
        Ok(spreads.collect())
    };
    let rows: Vec<Vec<f64>> =
        states.par_chunks(game.space().goal).map(row).collect::<Result<_, Error>>()?;
    Ok(rows.concat())
}

/// A line for each score of the player to move: the smallest best number of dice at each score of
/// the opponent.
impl Text for MapAnswer {
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
        writeln!(out, "{}", self.numbers.words)
    }
}
