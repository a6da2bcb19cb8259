//! Queries about the figures of games: of one, of many, and of one as a number of it varies.

use std::sync::Arc;
use std::time::Instant;

use crate::game::Game;
use crate::solve::Arithmetic;
use crate::survey::figures;
use crate::view::{SurveyRow, VariedView};

use super::call::Call;
use super::{Engine, EngineError, GameQuery};

/// A number of a game that can vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameNumber {
    /// The goal.
    Goal,
    /// The largest number of dice.
    MaxDice,
}

impl GameNumber {
    /// Returns its name in rule files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Goal => "goal",
            Self::MaxDice => "max_dice",
        }
    }

    fn set(self, query: &GameQuery, value: u32) -> GameQuery {
        match self {
            Self::Goal => query.clone().goal(value),
            Self::MaxDice => query.clone().max_dice(value),
        }
    }
}

/// Goals in equal steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GoalSteps {
    /// The lowest goal.
    pub least: u32,
    /// No goal is higher.
    pub most: u32,
    /// The step from one goal to the next, at least 1.
    pub step: u32,
}

impl GoalSteps {
    /// Returns the goals.
    pub fn values(self) -> Vec<u32> {
        (self.least..=self.most).step_by(self.step as usize).collect()
    }
}

/// The largest number of steps between goals.
const MOST_STEPS: u32 = 20;
/// A number of steps that is small enough whatever the size of the games.
const FEW_STEPS: u32 = 4;
/// The largest number of states of all goals together, if there are more steps than [`FEW_STEPS`].
const MOST_STATES: usize = 3_000_000;

impl Engine {
    /// Computes the figures of games: those of the equilibrium (exact if `exact` is set and that is
    /// practical) and of the baseline. All rules are read before the first game is solved.
    ///
    /// # Errors
    /// Returns an error if a game cannot be loaded or solved, its baseline cannot be played, or the
    /// work is stopped.
    pub fn surveys(
        &self,
        queries: &[GameQuery],
        exact: bool,
    ) -> Result<Vec<SurveyRow>, EngineError> {
        let call = self.call();
        queries.iter().try_for_each(|query| self.rules(query).map(drop))?;
        let row = |(place, query): (usize, &GameQuery)| {
            let about = format!("{} of {}, {}", place + 1, queries.len(), query.name);
            self.survey_in(&call.about(about), query.clone(), exact)
        };
        queries.iter().enumerate().map(row).collect()
    }

    /// Computes the figures of a game for each of these values of one of its numbers. All rules are
    /// read before the first game is solved.
    ///
    /// # Errors
    /// Returns the first error, as [`Self::surveys`], with the value that it is about.
    pub fn vary(
        &self,
        query: impl Into<GameQuery>,
        (number, values): (GameNumber, &[u32]),
        exact: bool,
    ) -> Result<VariedView, EngineError> {
        let (query, call) = (query.into(), self.call());
        let failed =
            |value: u32| move |error| EngineError::Varied { number, value, error: Box::new(error) };
        values.iter().try_for_each(|value| {
            self.rules(number.set(&query, *value)).map(drop).map_err(failed(*value))
        })?;
        let row = |value: &u32| {
            let call = call.about(format!("{} {value}", number.name()));
            let figures =
                self.survey_in(&call, number.set(&query, *value), exact).map_err(failed(*value))?;
            Ok((*value, figures))
        };
        Ok(VariedView::new(
            number.name(),
            values.iter().map(row).collect::<Result<Vec<_>, EngineError>>()?,
        ))
    }

    /// Returns goals that show how a game depends on its goal: by default from 20 to 200, or to 100
    /// in a game with memories, in at most 20 steps, and fewer in a large game.
    ///
    /// # Errors
    /// Returns an error if the game cannot be loaded.
    pub fn goals(
        &self,
        query: impl Into<GameQuery>,
        span: Option<(u32, u32)>,
        step: Option<u32>,
    ) -> Result<GoalSteps, EngineError> {
        let per_cell = self.game(query)?.space().per_cell();
        let (least, most) = span.unwrap_or(if per_cell == 1 { (20, 200) } else { (20, 100) });
        let of_step = |step: u32| GoalSteps { least, most, step };
        let is_quick = |step: u32| {
            let states =
                of_step(step).values().into_iter().map(|goal| (goal as usize).pow(2) * per_cell);
            states.sum::<usize>() <= MOST_STATES
        };
        let fits = |step: &u32| {
            let steps = most.saturating_sub(least) / step;
            steps <= FEW_STEPS || steps <= MOST_STEPS && is_quick(*step)
        };
        let chosen =
            || [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].into_iter().find(fits).unwrap_or(most);
        Ok(of_step(step.unwrap_or_else(chosen).max(1)))
    }

    fn survey_in(
        &self,
        call: &Call,
        query: GameQuery,
        exact: bool,
    ) -> Result<SurveyRow, EngineError> {
        let began = Instant::now();
        // Not cached: the time to tabulate is one of the figures.
        let game = call.tabulate(self.rules(query)?)?;
        let arithmetic = if exact { call.practical_arithmetic(&game) } else { Arithmetic::Float };
        figures_of(call, (&game, began), arithmetic)
    }

    /// Computes the figures of a loaded game, in floats.
    ///
    /// # Errors
    /// As [`Self::surveys`].
    pub fn figures(&self, game: &Arc<Game>) -> Result<SurveyRow, EngineError> {
        let call = self.call();
        figures_of(&call, (game, call.began), Arithmetic::Float)
    }
}

/// Computes the figures of a game, on which the work began at `began`.
fn figures_of(
    call: &Call,
    (game, began): (&Arc<Game>, Instant),
    arithmetic: Arithmetic,
) -> Result<SurveyRow, EngineError> {
    let failed = |error| EngineError::Survey { game: game.rules().id.clone(), error };
    let figures =
        call.run("solving", |watch| figures(game, began, arithmetic, watch).map_err(failed))?;
    Ok(SurveyRow::new(game.rules(), &figures))
}
