//! Queries about positions, single turns, win rates and bids.

use std::sync::Arc;

use crate::game::{Game, Position, memory_names, take_turn};
use crate::rules::Rules;
use crate::sim::Judge;
use crate::solve::{self, endless};
use crate::strategy::Strategy;
use crate::view::{BestView, BidView, ChoiceView, Rate, RateView, ShareView, TurnView};

use super::query::{Query, TurnDice};
use super::{Engine, EngineError};

impl Engine {
    /// Returns the best rolls in a position and the win rate of each number of dice.
    ///
    /// # Errors
    /// Returns an error if the game has no such position, the strategy cannot be used, or the work
    /// is stopped.
    pub fn best(&self, game: &Arc<Game>, query: &Query) -> Result<BestView, EngineError> {
        let (position, strategy) = (query.position(game.rules())?, query.strategy()?);
        let (verdict, numbers) = self.call().values(game, strategy.as_ref())?;
        let ((own, after), state, space) = (verdict.values(), game.state(&position), game.space());
        let win_rates = solve::choices(game, own, after, state);
        let choice = |(action, win_rate): (usize, &f64)| ChoiceView {
            dice: space.dice(action),
            win_rate: *win_rate,
        };
        Ok(BestView {
            rules: game.rules().id.clone(),
            score: position.score,
            opponent: position.opponent,
            memory: memory_names(game.rules()).into_iter().zip(position.memory).collect(),
            against: strategy.map(|strategy| strategy.to_string()),
            win_rate: own.win_rates[state],
            best: space.dice_in(own.best[state]),
            choices: win_rates.iter().enumerate().map(choice).collect(),
            numbers,
        })
    }

    /// Returns a judge, which knows the win rate of every roll under best play.
    ///
    /// # Errors
    /// Returns an error if the game is too large or the work is stopped.
    pub fn judge(&self, game: &Arc<Game>) -> Result<Judge, EngineError> {
        self.call().judge(game)
    }

    /// Computes the win rates of a strategy against another, by default the game's baseline.
    ///
    /// # Errors
    /// Returns an error if a strategy cannot be used, a baseline is needed and the game names none,
    /// or the work is stopped.
    pub fn rate(
        &self,
        game: &Arc<Game>,
        strategy: &Strategy,
        against: Option<&Strategy>,
    ) -> Result<RateView, EngineError> {
        let call = self.call();
        let against = call.or_baseline(game, against)?;
        let plans = [call.plan(game, strategy)?, call.plan(game, &against)?];
        let plans = [&*plans[0], &*plans[1]];
        let (rate, bound) = call.run("rating", |watch| crate::pairs::rate(game, plans, watch))?;
        let never = call.run("rating", |watch| endless(game, plans, watch))?;
        Ok(RateView {
            rules: game.rules().id.clone(),
            strategy: strategy.to_string(),
            against: against.to_string(),
            win_rate: Rate::new([rate.first, rate.second, rate.average()], never, bound),
        })
    }

    /// Takes one turn with given dice and describes the effect of each rule.
    ///
    /// # Errors
    /// Returns an error if the game has no such position, or does not allow this turn there.
    pub fn turn(
        &self,
        rules: &Rules,
        query: &Query,
        dice: &TurnDice,
    ) -> Result<TurnView, EngineError> {
        let position: Position = query.position(rules)?;
        let turn = match dice {
            TurnDice::Faces(faces) => take_turn(rules, &position, faces, 0)?,
            TurnDice::Move(request) if *request < 0 => take_turn(rules, &position, &[], *request)?,
            TurnDice::Move(dice) => return Err(EngineError::FacesWanted { dice: *dice }),
        };
        Ok(TurnView::new(rules, turn))
    }

    /// Computes how to bid for the start, in games that begin with a bidding.
    ///
    /// # Errors
    /// Returns an error if the game has no bidding, it could not be solved, or the work is stopped.
    pub fn bid(&self, game: &Arc<Game>) -> Result<BidView, EngineError> {
        let bidding = self.call().run("solving", |watch| crate::bid::equilibrium(game, watch))?;
        Ok(BidView {
            rules: game.rules().id.clone(),
            text: game.rules().bid.as_ref().and_then(|bid| bid.text.clone()),
            win_rate: 0.5,
            shares: ShareView::of(bidding.shares_as_doubles()),
            answers: bidding.answers_as_doubles(),
        })
    }
}
