//! Queries about positions, single turns, win rates and bids.

use std::sync::Arc;

use crate::game::{Game, Position, memory_names, take_turn};
use crate::rules::Rules;
use crate::sim::Judge;
use crate::solve::{self, Arithmetic, Solution, Values, endless};
use crate::strategy::Strategy;
use crate::table::shipped;
use crate::view::{BestView, BidView, ChoiceView, Rate, RateView, ShareView, TurnView, rounded_up};

use super::limits::EngineCall;
use super::query::{Query, TurnDice};
use super::{Engine, EngineError, Finding, ResultKind};

/// The source of the values of positions.
pub(super) enum Verdict {
    /// The shipped table.
    Shipped(Arc<Values>),
    /// A solution computed by this engine.
    Solved(Arc<Solution>),
}

impl Verdict {
    /// The values of the states in which the player moves, and of those in which the opponent does.
    pub fn values(&self) -> (&Values, &Values) {
        match self {
            Self::Shipped(values) => (values, values),
            Self::Solved(solution) => solution.values(),
        }
    }
}

impl Engine {
    /// Returns the best rolls in a position and the win rate of each number of dice.
    ///
    /// # Errors
    /// Returns an error if the game has no such position, the strategy cannot be used, or the work
    /// is stopped.
    pub fn best(&self, game: &Arc<Game>, query: &Query) -> Result<BestView, EngineError> {
        let (position, strategy) = (query.position(game.rules())?, query.strategy()?);
        let (verdict, numbers) = self.verdict(&self.call(), game, strategy.as_ref())?;
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
        self.judge_in(&self.call(), game)
    }

    pub(super) fn judge_in(
        &self,
        call: &EngineCall,
        game: &Arc<Game>,
    ) -> Result<Judge, EngineError> {
        let (verdict, _) = self.verdict(call, game, None)?;
        Ok(Judge::new(Arc::clone(game), verdict.values().0.clone()))
    }

    /// Returns the values of a game and a description of their source. Best play is read from the
    /// shipped table if there is one; otherwise the game is solved.
    pub(super) fn verdict(
        &self,
        call: &EngineCall,
        game: &Arc<Game>,
        against: Option<&Strategy>,
    ) -> Result<(Verdict, String), EngineError> {
        if let (None, Some(Finding::Values(values, numbers))) =
            (against, self.cached(game, &ResultKind::Shipped))
        {
            return Ok((Verdict::Shipped(values), numbers.into()));
        }
        let table =
            shipped(game.rules()).filter(|table| against.is_none() && table.fits(game).is_ok());
        let Some(table) = table else {
            let solution = self.solution(call, game, against, Arithmetic::Float)?;
            let numbers = format!(
                "solved just now, every win rate within {} of the exact one",
                rounded_up(solution.error_bound)
            );
            return Ok((Verdict::Solved(solution), numbers));
        };
        let numbers = match (table.arithmetic(), table.stored_win_rates().is_empty()) {
            (Arithmetic::Exact, false) => {
                "the shipped table: win rates exact, best rolls and ties proven"
            }
            (Arithmetic::Exact, true) => {
                "the shipped table: best rolls and ties proven, win rates in floating point"
            }
            (Arithmetic::Float, _) => "the shipped table, solved in floating point",
        };
        let read = || {
            let win_rates = match table.stored_win_rates() {
                // Solving the equilibrium is several times faster than evaluating the table's plan.
                [] => {
                    call.run("solving", |watch| solve::equilibrium(game, Arithmetic::Float, watch))?
                        .own
                        .win_rates
                }
                stored => stored.to_vec(),
            };
            let values = Values { win_rates, best: table.best().to_vec(), choices: Vec::new() };
            Ok(Finding::Values(Arc::new(values), numbers))
        };
        match self.cached_or(game, ResultKind::Shipped, read)? {
            Finding::Values(values, numbers) => Ok((Verdict::Shipped(values), numbers.into())),
            Finding::Plan(_) | Finding::Solution(_) => {
                unreachable!("the key of the shipped table holds values")
            }
        }
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
        let against = self.or_baseline(game, against)?;
        let plans = [self.plan_in(&call, game, strategy)?, self.plan_in(&call, game, &against)?];
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
