//! Win rates and rolls over all pairs of scores, as pictures show them.

use std::collections::HashSet;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{GivenGame, GivenMemories, GivenStrategy, HoldLayer, Numbers};
use crate::game::{DiceSet, Game, Plan, Position, memory_names};
use crate::rules::Rules;
use crate::solve::{self, Arithmetic};
use crate::strategy::Strategy;

use crate::engine::{Call, Error, GameValues, of_usual_kind};

/// Whose rolls and win rates a map shows.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[non_exhaustive]
pub struct GivenMap {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// The strategy to show (default: best play)
    #[schemars(example = &"always_roll:4")]
    pub strategy: Option<GivenStrategy>,
    /// The opponent's strategy (default: best play; in the win rates of a strategy the game's
    /// baseline)
    #[schemars(example = &"baseline")]
    #[arg(long, value_name = "STRATEGY")]
    pub against: Option<GivenStrategy>,
    /// Values of memories.
    #[serde(flatten)]
    #[command(flatten)]
    pub memories: GivenMemories,
}

impl GivenMap {
    /// The map of best play.
    pub fn of(game: impl Into<GivenGame>) -> Self {
        let memories = GivenMemories::default();
        Self { game: game.into(), strategy: None, against: None, memories }
    }

    /// Reads what is named.
    pub(super) fn read(&self, call: &Call) -> Result<MapSubject, Error> {
        let (game, at) = call.game_at(&self.game, &self.memories.at_start())?;
        Ok(MapSubject {
            game,
            at,
            strategy: call.optional_strategy(self.strategy.as_ref())?,
            against: call.optional_strategy(self.against.as_ref())?,
        })
    }
}

/// What a [`GivenMap`] names.
pub(super) struct MapSubject {
    pub game: Arc<Game>,
    /// The start of the game, with the memories of the map.
    pub at: Position,
    pub strategy: Option<Strategy>,
    pub against: Option<Strategy>,
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
    /// Where the numbers are from; `None` if the map shows only rolls.
    pub numbers: Option<Numbers>,
    /// The mover's win rate, indexed by `score * goal + opponent`; empty if the map shows only
    /// rolls.
    pub win_rates: Vec<f64>,
    /// The best numbers of dice, or the one that the strategy rolls, indexed by `score * goal +
    /// opponent`.
    pub best: Vec<DiceSet>,
}

impl ScoreMap {
    /// Maps the rolls of a plan called `name`, without win rates and with the memories of `at`.
    pub fn of_plan(game: &Arc<Game>, at: &Position, name: &str, plan: &Plan) -> Self {
        let names = memory_names(game.rules());
        Self {
            strategy: Some(name.to_owned()),
            against: None,
            memory: names.into_iter().zip(at.memory.iter().copied()).collect(),
            numbers: None,
            win_rates: Vec::new(),
            best: states_of_cells(game, at).map(|state| 1 << plan.action(state)).collect(),
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

impl MapSubject {
    /// Maps best play, with its ties; returns the values of all states, too.
    pub fn best(&self, call: &Call) -> Result<(ScoreMap, GameValues), Error> {
        let Self { game, at, against, .. } = self;
        let (values, numbers) = call.values(game, against.as_ref())?;
        let own = values.sides().0;
        let names = memory_names(game.rules());
        let map = ScoreMap {
            strategy: None,
            against: against.as_ref().map(ToString::to_string),
            memory: names.into_iter().zip(at.memory.iter().copied()).collect(),
            numbers: Some(numbers),
            win_rates: states_of_cells(game, at).map(|state| own.win_rates[state]).collect(),
            best: states_of_cells(game, at)
                .map(|state| game.choices_in(state, own.best[state]))
                .collect(),
            game: Arc::clone(game),
        };
        Ok((map, values))
    }

    /// Maps the rolls of the strategy, or of best play; returns those of all states, too. Best play
    /// and best responses are mapped with their ties, of which a plan holds one.
    pub(super) fn rolls(&self, call: &Call) -> Result<(ScoreMap, Vec<DiceSet>), Error> {
        let Self { game, at, strategy, against } = self;
        let whom = match strategy {
            None => against.as_ref(),
            Some(Strategy::Optimal) => None,
            Some(Strategy::Beat(other)) => Some(&**other),
            Some(strategy) => {
                let plan = call.plan(game, strategy)?;
                let map = ScoreMap::of_plan(game, at, &strategy.to_string(), &plan);
                let states = 0..game.space().states();
                return Ok((map, states.map(|state| 1 << plan.action(state)).collect()));
            }
        };
        let against = whom.cloned();
        let best = Self { game: Arc::clone(game), at: at.clone(), strategy: None, against };
        let (map, values) = best.best(call)?;
        Ok((map, values.sides().0.best.clone()))
    }

    /// Returns when to hold, where these are the rolls in all states.
    ///
    /// # Errors
    /// Returns an error if no memory decides that, or the work is stopped.
    pub fn hold(&self, call: &Call, rolls: &[DiceSet]) -> Result<HoldLayer, Error> {
        let Self { game, at, .. } = self;
        let rules = game.rules();
        let space = game.space();
        let over = hold_memory(rules)?;
        let is_pot = rules.pot().is_some_and(|pot| pot.name == over);
        let none = space.action(0).map_or(0, |action| 1 << action);
        let own = over.trim_start_matches("opponent_");
        let memory = rules.memories.iter().find(|memory| memory.name == own);
        let mut first = vec![None; space.goal * space.goal];
        let mut last = first.clone();
        let mut held = first.clone();
        let mut again = first.clone();
        let mut seen = HashSet::new();
        for value in 0..=memory.map_or(0, |memory| memory.max) {
            call.check()?;
            let position = at.clone().with_memory(rules, &over, value)?;
            // Values that behave alike share their states.
            if !seen.insert(game.state(&position)) {
                continue;
            }
            for (cell, state) in states_of_cells(game, &position).enumerate() {
                let may_win = is_pot && (cell / space.goal) as i64 + value >= space.goal as i64;
                if may_win {
                    continue;
                }
                if game.choices_in(state, rolls[state]) & none != 0 {
                    first[cell] = first[cell].or(Some(value));
                    held[cell] = Some(value);
                    again[cell] = again[cell].or(last[cell].and(Some(value)));
                } else {
                    last[cell] = last[cell].or(held[cell]);
                }
            }
        }
        Ok(HoldLayer { over, first, last, again })
    }
}

impl Call<'_> {
    /// Maps from which value of the game's pot or only memory no dice are rolled. The opponent of a
    /// given strategy has no effect.
    ///
    /// # Errors
    /// As [`Self::score_map`], and if each turn rolls dice, or the game has no memory or several
    /// and none of them is a pot.
    pub fn hold_map(&self, given: &GivenMap) -> Result<(ScoreMap, HoldLayer), Error> {
        of_usual_kind(&self.rules(&given.game)?)?;
        let subject = given.read(self)?;
        // Before the game is solved.
        hold_memory(subject.game.rules())?;
        let (mut map, rolls) = subject.rolls(self)?;
        let hold = subject.hold(self, &rolls)?;
        map.memory.retain(|(name, _)| *name != hold.over);
        Ok((map, hold))
    }

    /// Maps rolls over all scores: those of a strategy, against whomever, or of best play and best
    /// responses, with their ties and win rates.
    ///
    /// # Errors
    /// Returns an error if the game has no such memory, the strategy cannot be used, the work is
    /// stopped, or in games in which dice are kept or scores have steps.
    pub fn score_map(&self, given: &GivenMap) -> Result<ScoreMap, Error> {
        of_usual_kind(&self.rules(&given.game)?)?;
        Ok(given.read(self)?.rolls(self)?.0)
    }

    /// Maps win rates over all scores, in steps where scores have them.
    ///
    /// # Errors
    /// Returns an error if the game has no such memory, a strategy cannot be used, a baseline is
    /// needed and the game names none, or the work is stopped.
    pub fn win_map(&self, given: &GivenMap) -> Result<ScoreMap, Error> {
        let subject = given.read(self)?;
        let MapSubject { game, at, against, .. } = &subject;
        let Some(strategy) = &subject.strategy else { return Ok(subject.best(self)?.0) };
        let against = self.or_baseline(game, against.as_ref())?;
        let plans = [self.plan(game, strategy)?, self.plan(game, &against)?];
        let rated = self.run("rating", |watch| {
            solve::evaluate(game, [&plans[0], &plans[1]], Arithmetic::Float, watch)
        })?;
        let win_rates = &rated.own.win_rates;
        Ok(ScoreMap {
            against: Some(against.to_string()),
            numbers: Some(Numbers::rated(rated.error_bound)),
            win_rates: states_of_cells(game, at).map(|state| win_rates[state]).collect(),
            ..ScoreMap::of_plan(game, at, &strategy.to_string(), &plans[0])
        })
    }
}

/// Returns the memory whose value decides when to hold: the game's pot, or its only memory.
fn hold_memory(rules: &Rules) -> Result<String, Error> {
    let why = match (rules.min_dice, rules.pot(), &memory_names(rules)[..]) {
        (least @ 1.., ..) => format!("a turn rolls at least {least} dice, so there is no holding"),
        (_, Some(pot), _) => return Ok(pot.name.clone()),
        (_, None, [only]) => return Ok(only.clone()),
        (_, None, []) => "it remembers nothing between turns, so there is nothing to hold".into(),
        (_, None, names) => format!("it has several memories: {}", names.join(", ")),
    };
    Err(Error::NoHolding { game: rules.id.clone(), why })
}

/// Returns the state of each pair of scores in cell order (the mover's score first), with the
/// memories of `at`.
pub(crate) fn states_of_cells(game: &Game, at: &Position) -> impl Iterator<Item = usize> {
    let space = game.space();
    let (_, memories) = space.parts(game.state(at));
    (0..space.goal * space.goal).map(move |cell| space.state(cell, memories))
}
