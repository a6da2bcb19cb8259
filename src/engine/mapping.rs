//! Win rates and rolls over all scores, for pictures.

use std::sync::Arc;

use crate::game::{DiceSet, Game, Plan, Position, memory_names};
use crate::solve::{self, Arithmetic};
use crate::strategy::Strategy;

use super::{Engine, EngineError};

/// What a map is of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MapQuery {
    /// The strategy whose rolls and win rates are wanted; if there is none, those of best play.
    pub strategy: Option<Strategy>,
    /// Whom it is played against: a strategy's opponent is the game's baseline unless named, that of best play plays to win.
    pub against: Option<Strategy>,
    /// Memories by name; those not named are as at the start of the game.
    pub memory: Vec<(String, i64)>,
}

impl MapQuery {
    /// What this strategy rolls.
    #[must_use]
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = Some(strategy);
        self
    }

    /// Against this strategy.
    #[must_use]
    pub fn against(mut self, against: Strategy) -> Self {
        self.against = Some(against);
        self
    }

    /// With memories' values.
    #[must_use]
    pub fn memory(mut self, memory: Vec<(String, i64)>) -> Self {
        self.memory = memory;
        self
    }
}

/// Win rates and rolls for each pair of scores, in one combination of memories.
#[derive(Clone, Debug)]
pub struct ScoreMap {
    /// The game.
    pub game: Arc<Game>,
    /// The strategy that rolls; `None` for best play.
    pub strategy: Option<String>,
    /// The strategy played against; `None` if it plays to win.
    pub against: Option<String>,
    /// The memories' values by name.
    pub memory: Vec<(String, i64)>,
    /// Where the numbers come from, in words.
    pub numbers: String,
    /// By cell (score times goal plus opponent's score): the mover's win rate; empty where only rolls were asked for.
    pub win_rates: Vec<f64>,
    /// By cell: the best numbers of dice, or the one that the strategy rolls.
    pub best: Vec<DiceSet>,
}

impl ScoreMap {
    /// What a plan rolls, by that name, with memories as at the start of the game; it has no win rates.
    pub(super) fn of_plan(game: &Arc<Game>, name: &str, plan: &Plan) -> Self {
        let start = game.position(game.start());
        Self {
            strategy: Some(name.to_owned()),
            against: None,
            memory: memory_names(game.rules()).into_iter().zip(start.memory.iter().copied()).collect(),
            numbers: String::new(),
            win_rates: Vec::new(),
            best: of_cells(game, &start, |state| ((), 1 << plan.action(state))).1,
            game: Arc::clone(game),
        }
    }

    /// The mover's win rate.
    pub fn win_rate(&self, score: usize, opponent: usize) -> f64 {
        self.win_rates[score * self.game.space().goal + opponent]
    }

    /// The set of best numbers of dice.
    pub fn set(&self, score: usize, opponent: usize) -> DiceSet {
        self.best[score * self.game.space().goal + opponent]
    }

    /// The fewest dice of the best.
    pub fn dice(&self, score: usize, opponent: usize) -> i32 {
        self.game.space().dice(self.set(score, opponent).trailing_zeros() as usize)
    }

    /// Whether several numbers of dice are best.
    pub fn is_tie(&self, score: usize, opponent: usize) -> bool {
        self.set(score, opponent).count_ones() > 1
    }
}

/// From which value of a memory on no dice are rolled, for each pair of scores.
#[derive(Clone, Debug)]
pub struct HoldMap {
    /// What is rolled where that memory is 0, without win rates; its own memories are the others.
    pub map: ScoreMap,
    /// The memory's name.
    pub over: String,
    /// By cell: the least value of the memory at which no dice are among the best, or what the strategy rolls.
    pub first: Vec<Option<i64>>,
}

impl Engine {
    /// From which value of a memory on no dice are rolled. Whom a strategy is played against makes no difference.
    ///
    /// # Errors
    /// As [`Self::score_map`].
    pub fn hold_map(&self, game: &Arc<Game>, query: &MapQuery, over: &str) -> Result<HoldMap, EngineError> {
        let (rules, space, call) = (game.rules(), game.space(), self.call());
        let start = query.memory.iter().try_fold(Position::new(rules, 0, 0)?, |position, (name, value)| {
            position.with_memory(rules, name, *value)
        })?;
        let (numbers, best): (String, Vec<DiceSet>) = match &query.strategy {
            None => {
                let (verdict, numbers) = self.verdict(&call, game, query.against.as_ref())?;
                (numbers, verdict.own().best.clone())
            }
            Some(strategy) => {
                let plan = self.plan_in(&call, game, strategy)?;
                (String::new(), (0..space.states()).map(|state| 1 << plan.action(state)).collect())
            }
        };
        let of_value = |value: i64| -> Result<Vec<DiceSet>, EngineError> {
            let position = start.clone().with_memory(rules, over, value)?;
            Ok(of_cells(game, &position, |state| ((), best[state])).1)
        };
        let none = space.action(0).map_or(0, |action| 1 << action);
        let lowest = of_value(0)?;
        let mut first = vec![None; lowest.len()];
        let named = rules.memories.iter().find(|memory| over.trim_start_matches("opponent_") == memory.name);
        for value in 0..=named.map_or(0, |memory| memory.max) {
            for (first, set) in first.iter_mut().zip(of_value(value)?) {
                *first = first.or_else(|| (set & none != 0).then_some(value));
            }
        }
        let named = memory_names(rules).into_iter().zip(start.memory).filter(|(name, _)| name != over);
        let map = ScoreMap {
            game: Arc::clone(game),
            strategy: query.strategy.as_ref().map(ToString::to_string),
            against: query.against.as_ref().map(ToString::to_string),
            memory: named.collect(),
            numbers,
            win_rates: Vec::new(),
            best: lowest,
        };
        Ok(HoldMap { map, over: over.to_owned(), first })
    }

    /// Win rates and rolls over all scores.
    ///
    /// # Errors
    /// If the game has no such memory, a strategy cannot be used, the game names no baseline where one is needed, or the work
    /// is stopped.
    pub fn score_map(&self, game: &Arc<Game>, query: &MapQuery) -> Result<ScoreMap, EngineError> {
        let rules = game.rules();
        let start = query.memory.iter().try_fold(Position::new(rules, 0, 0)?, |position, (name, value)| {
            position.with_memory(rules, name, *value)
        })?;
        let call = self.call();
        let (against, numbers, (win_rates, best)) = match &query.strategy {
            None => {
                let (verdict, numbers) = self.verdict(&call, game, query.against.as_ref())?;
                let own = verdict.own();
                (
                    query.against.clone(),
                    numbers,
                    of_cells(game, &start, |state| (own.win_rates[state], own.best[state])),
                )
            }
            Some(strategy) => {
                let against = self.or_baseline(game, query.against.as_ref())?;
                let plans = [self.plan_in(&call, game, strategy)?, self.plan_in(&call, game, &against)?];
                let rated = call
                    .run("rating", |watch| solve::evaluate(game, [&plans[0], &plans[1]], Arithmetic::Float, watch))?;
                let numbers = format!("every win rate within {:.1e} of the exact one", rated.error_bound);
                let of_state = |state: usize| (rated.own.win_rates[state], 1 << plans[0].action(state));
                (Some(against), numbers, of_cells(game, &start, of_state))
            }
        };
        Ok(ScoreMap {
            game: Arc::clone(game),
            strategy: query.strategy.as_ref().map(ToString::to_string),
            against: against.map(|strategy| strategy.to_string()),
            memory: memory_names(rules).into_iter().zip(start.memory).collect(),
            numbers,
            win_rates,
            best,
        })
    }
}

/// What there is to say of each cell, in the memories of a position.
fn of_cells<T>(game: &Game, start: &Position, of_state: impl Fn(usize) -> (T, DiceSet)) -> (Vec<T>, Vec<DiceSet>) {
    let (_, (shared, mine, theirs)) = game.space().parts(game.state(start));
    let space = game.space();
    (0..space.goal * space.goal).map(|cell| of_state(space.state(cell, shared, theirs, mine))).unzip()
}
