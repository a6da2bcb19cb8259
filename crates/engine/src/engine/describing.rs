//! Queries that describe one game or compare two.

use std::sync::Arc;

use crate::analysis;
use crate::game::Game;
use crate::solve::Arithmetic;
use crate::strategy::Strategy;
use crate::view::{CompareView, DescribeView};

use super::call::Call;
use super::{Engine, EngineError};

impl Engine {
    /// Describes a game as two strategies play it: its length, its lead changes and the like.
    ///
    /// # Errors
    /// Returns an error if a strategy cannot be used, the game cannot be solved, or the work is
    /// stopped.
    pub fn describe(
        &self,
        game: &Arc<Game>,
        play: [&Strategy; 2],
    ) -> Result<DescribeView, EngineError> {
        self.describe_in(&self.call(), game, play)
    }

    fn describe_in(
        &self,
        call: &Call,
        game: &Arc<Game>,
        play: [&Strategy; 2],
    ) -> Result<DescribeView, EngineError> {
        let plans = [call.plan(game, play[0])?, call.plan(game, play[1])?];
        let found = call
            .run("describing", |watch| analysis::describe(game, [&plans[0], &plans[1]], watch))?;
        Ok(DescribeView::new(game, play.map(ToString::to_string), &found))
    }

    /// Returns the probability that a game between two strategies takes 1, 2, 3, ... turns,
    /// counting both players' turns.
    ///
    /// # Errors
    /// Returns an error if a strategy cannot be used or the work is stopped.
    pub fn game_lengths(
        &self,
        game: &Arc<Game>,
        play: [&Strategy; 2],
    ) -> Result<Vec<f64>, EngineError> {
        let call = self.call();
        let plans = [call.plan(game, play[0])?, call.plan(game, play[1])?];
        call.run("describing", |watch| analysis::game_lengths(game, [&plans[0], &plans[1]], watch))
    }

    /// Compares two games under optimal play, with the `top` positions whose best rolls differ
    /// most.
    ///
    /// # Errors
    /// Returns an error if a game cannot be solved or the work is stopped.
    pub fn compare(&self, games: [&Arc<Game>; 2], top: usize) -> Result<CompareView, EngineError> {
        let call = self.call();
        let optimal = [&Strategy::Optimal; 2];
        let described = [
            self.describe_in(&call, games[0], optimal)?,
            self.describe_in(&call, games[1], optimal)?,
        ];
        let solution = |game| call.solution(game, None, Arithmetic::Float);
        let solutions = [solution(games[0])?, solution(games[1])?];
        let (compared, differences) =
            analysis::compare([games[0], games[1]], [&solutions[0], &solutions[1]]);
        Ok(CompareView::new(described, (compared, &differences), top))
    }
}
