//! Win rates and rolls over all pairs of scores, as pictures show them.

use std::collections::HashSet;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{GivenGame, GivenMemories, GivenStrategy, rounded_up};
use crate::game::{DiceSet, Game, Plan, Position, memory_names};
use crate::rules::Rules;
use crate::solve::{self, Arithmetic};
use crate::strategy::Strategy;

use crate::engine::{Call, Error, of_usual_kind};

/// What a [`ScoreMap`] or a [`HoldMap`] shows.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[non_exhaustive]
pub struct MapQuery {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// The strategy to show (default: best play)
    #[schemars(example = &"always_roll:4")]
    pub strategy: Option<GivenStrategy>,
    /// The opponent's strategy (default: the game's baseline, or best play if no strategy is
    /// named)
    #[schemars(example = &"baseline")]
    #[arg(long, value_name = "STRATEGY")]
    pub against: Option<GivenStrategy>,
    /// Values of memories.
    #[serde(flatten)]
    #[command(flatten)]
    pub memories: GivenMemories,
}

impl MapQuery {
    /// The map of best play.
    pub fn of(game: impl Into<GivenGame>) -> Self {
        Self {
            game: game.into(),
            strategy: None,
            against: None,
            memories: GivenMemories::default(),
        }
    }

    /// The rolls of a strategy; those of best play and of best responses with their ties, of which
    /// a plan holds one.
    pub fn rolls_of(game: impl Into<GivenGame>, strategy: &Strategy) -> Self {
        match strategy {
            Strategy::Optimal => Self::of(game),
            Strategy::Beat(other) => Self::of(game).against(other.as_ref()),
            other => Self::of(game).strategy(other).against(other),
        }
    }

    /// Sets the strategy to be mapped.
    #[must_use]
    pub fn strategy(mut self, strategy: impl Into<GivenStrategy>) -> Self {
        self.strategy = Some(strategy.into());
        self
    }

    /// Sets the opponent's strategy.
    #[must_use]
    pub fn against(mut self, against: impl Into<GivenStrategy>) -> Self {
        self.against = Some(against.into());
        self
    }

    /// Sets the values of memories.
    #[must_use]
    pub fn memory(mut self, memory: Vec<(String, i64)>) -> Self {
        self.memories = GivenMemories::of(memory);
        self
    }

    /// Returns the game, and its start with the memories that the query sets.
    fn start(&self, call: &Call) -> Result<(Arc<Game>, Position), Error> {
        call.game_at(&self.game, &self.memories.at_start())
    }
}

/// Win rates and rolls for each pair of scores, with fixed values of the memories.
#[derive(Clone, Debug)]
pub struct ScoreMap {
    /// The game.
    pub game: Arc<Game>,
    /// The strategy that is mapped; `None` means best play.
    pub strategy: Option<String>,
    /// The opponent's strategy; `None` means optimal play.
    pub against: Option<String>,
    /// The values of the memories by name.
    pub memory: Vec<(String, i64)>,
    /// A description of the source of the numbers.
    pub numbers: String,
    /// The mover's win rate, indexed by `score * goal + opponent`; empty if the map shows only
    /// rolls.
    pub win_rates: Vec<f64>,
    /// The best numbers of dice, or the one that the strategy rolls, indexed by `score * goal +
    /// opponent`.
    pub best: Vec<DiceSet>,
}

impl ScoreMap {
    /// Maps the rolls of a plan called `name`, without win rates and with the memories of the
    /// game's start.
    pub fn of_plan(game: &Arc<Game>, name: &str, plan: &Plan) -> Self {
        let start = game.position(game.start());
        Self {
            strategy: Some(name.to_owned()),
            against: None,
            memory: memory_names(game.rules())
                .into_iter()
                .zip(start.memory.iter().copied())
                .collect(),
            numbers: String::new(),
            win_rates: Vec::new(),
            best: states_of_cells(game, &start).map(|state| 1 << plan.action(state)).collect(),
            game: Arc::clone(game),
        }
    }

    /// Returns the mover's win rate.
    ///
    /// # Panics
    /// Panics if the map has no win rates or the scores are out of range.
    pub fn win_rate(&self, score: usize, opponent: usize) -> f64 {
        self.win_rates[score * self.game.space().goal + opponent]
    }

    /// Returns the set of best numbers of dice.
    pub fn set(&self, score: usize, opponent: usize) -> DiceSet {
        self.best[score * self.game.space().goal + opponent]
    }

    /// Returns the smallest of the best numbers of dice.
    pub fn dice(&self, score: usize, opponent: usize) -> i32 {
        self.game.space().dice(self.set(score, opponent).trailing_zeros() as usize)
    }

    /// Whether several numbers of dice are best.
    pub fn is_tie(&self, score: usize, opponent: usize) -> bool {
        self.set(score, opponent).count_ones() > 1
    }
}

/// For each pair of scores, the least value of one memory at which rolling no dice is best, as when
/// holding in Pig.
#[derive(Clone, Debug)]
pub struct HoldMap {
    /// What it is a map of, without win rates and rolls; its list of memories leaves this one out.
    pub map: ScoreMap,
    /// The memory's name.
    pub over: String,
    /// The least value of the memory at which rolling no dice is a best choice, or the strategy's
    /// choice; indexed by `score * goal + opponent`. `None` if there is no such value.
    pub first: Vec<Option<i64>>,
}

impl Call<'_> {
    /// Maps from which value of the game's pot or only memory no dice are rolled. The opponent of a
    /// given strategy has no effect.
    ///
    /// # Errors
    /// As [`Self::score_map`], and if each turn rolls dice, or the game has no memory or several
    /// and none of them is a pot.
    pub fn hold_map(&self, query: &MapQuery) -> Result<HoldMap, Error> {
        let strategy = self.optional_strategy(query.strategy.as_ref())?;
        let against = self.optional_strategy(query.against.as_ref())?;
        of_usual_kind(&self.rules(&query.game)?)?;
        let (game, start) = query.start(self)?;
        let rules = game.rules();
        let over = hold_memory(rules)?;
        let (numbers, best): (String, Vec<DiceSet>) = match &strategy {
            None => {
                let (values, numbers) = self.values(&game, against.as_ref())?;
                (numbers.words, values.sides().0.best.clone())
            }
            Some(strategy) => {
                let plan = self.plan(&game, strategy)?;
                let states = 0..game.space().states();
                (String::new(), states.map(|state| 1 << plan.action(state)).collect())
            }
        };
        let first = first_holding(self, &game, &start, &over, &best)?;
        let named =
            memory_names(rules).into_iter().zip(start.memory).filter(|(name, _)| *name != over);
        let map = ScoreMap {
            strategy: strategy.as_ref().map(ToString::to_string),
            against: against.as_ref().map(ToString::to_string),
            memory: named.collect(),
            numbers,
            win_rates: Vec::new(),
            best: Vec::new(),
            game,
        };
        Ok(HoldMap { map, over, first })
    }

    /// Maps win rates and rolls over all scores.
    ///
    /// # Errors
    /// As [`Self::win_map`], and in games in which dice are kept or scores have steps.
    pub fn score_map(&self, query: &MapQuery) -> Result<ScoreMap, Error> {
        of_usual_kind(&self.rules(&query.game)?)?;
        self.win_map(query)
    }

    /// Maps win rates over all scores, in steps where scores have them.
    ///
    /// # Errors
    /// Returns an error if the game has no such memory, a strategy cannot be used, a baseline is
    /// needed and the game names none, or the work is stopped.
    pub fn win_map(&self, query: &MapQuery) -> Result<ScoreMap, Error> {
        let strategy = self.optional_strategy(query.strategy.as_ref())?;
        let against = self.optional_strategy(query.against.as_ref())?;
        let (game, start) = query.start(self)?;
        let states = states_of_cells(&game, &start);
        let (against, numbers, (win_rates, best)) = match &strategy {
            None => {
                let (values, numbers) = self.values(&game, against.as_ref())?;
                let own = values.sides().0;
                let cells = states
                    .map(|state| (own.win_rates[state], game.choices_in(state, own.best[state])));
                (against, numbers.words, cells.unzip())
            }
            Some(strategy) => {
                let against = self.or_baseline(&game, against.as_ref())?;
                let plans = [self.plan(&game, strategy)?, self.plan(&game, &against)?];
                let rated = self.run("rating", |watch| {
                    solve::evaluate(&game, [&plans[0], &plans[1]], Arithmetic::Float, watch)
                })?;
                let bound = rounded_up(rated.error_bound);
                let numbers = format!("every win rate within {bound} of the exact one");
                let cells =
                    states.map(|state| (rated.own.win_rates[state], 1 << plans[0].action(state)));
                (Some(against), numbers, cells.unzip())
            }
        };
        Ok(ScoreMap {
            strategy: strategy.as_ref().map(ToString::to_string),
            against: against.map(|strategy| strategy.to_string()),
            memory: memory_names(game.rules()).into_iter().zip(start.memory).collect(),
            numbers,
            win_rates,
            best,
            game,
        })
    }
}

/// Returns the memory whose value decides when to hold: the game's pot, or its only memory.
pub(crate) fn hold_memory(rules: &Rules) -> Result<String, Error> {
    let game = rules.id.clone();
    if rules.min_dice > 0 {
        return Err(Error::NoHolding { game, least: rules.min_dice });
    }
    match (rules.pot(), &memory_names(rules)[..]) {
        (Some(pot), _) => Ok(pot.name.clone()),
        (None, [only]) => Ok(only.clone()),
        (None, []) => Err(Error::NothingToHold { game }),
        (None, names) => Err(Error::SeveralMemories { game, names: names.join(", ") }),
    }
}

/// Returns, for each pair of scores, the least value of the memory `over` at which rolling no dice
/// is among the `best` rolls of the state, with the other memories of `start`.
///
/// # Errors
/// Returns an error if the game has no such memory, or the work is stopped.
pub(crate) fn first_holding(
    call: &Call,
    game: &Game,
    start: &Position,
    over: &str,
    best: &[DiceSet],
) -> Result<Vec<Option<i64>>, Error> {
    let rules = game.rules();
    let space = game.space();
    let none = space.action(0).map_or(0, |action| 1 << action);
    let memory =
        rules.memories.iter().find(|memory| over.trim_start_matches("opponent_") == memory.name);
    let mut first = vec![None; space.goal * space.goal];
    let mut seen = HashSet::new();
    for value in 0..=memory.map_or(0, |memory| memory.max) {
        call.check()?;
        let position = start.clone().with_memory(rules, over, value)?;
        // Values that behave alike share their states.
        if !seen.insert(game.state(&position)) {
            continue;
        }
        for (first, state) in first.iter_mut().zip(states_of_cells(game, &position)) {
            let holds = first.is_none() && game.choices_in(state, best[state]) & none != 0;
            *first = first.or(holds.then_some(value));
        }
    }
    Ok(first)
}

/// Returns the state of each pair of scores in cell order (the mover's score first), with the
/// memories of `at`.
pub(crate) fn states_of_cells(game: &Game, at: &Position) -> impl Iterator<Item = usize> {
    let space = game.space();
    let (_, memories) = space.parts(game.state(at));
    (0..space.goal * space.goal).map(move |cell| space.state(cell, memories))
}
