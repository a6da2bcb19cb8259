//! Queries about where strategies lose.

use std::sync::Arc;

use crate::analysis::{self, Explanation};
use crate::game::{Game, Plan, memory_names};
use crate::queries::WinRates;
use crate::solve::endless;
use crate::strategy::{Strategy, StrategyError};
use crate::view::{ExplainView, HandoutView, TryView};

use super::call::Call;
use super::{Engine, EngineError, Query};

/// The result of trying a strategy, with the actions it plays.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The result.
    pub view: TryView,
    /// The strategy's action in every state.
    pub plan: Arc<Plan>,
}

/// Where a strategy loses, with every position it reaches.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The result.
    pub view: ExplainView,
    /// All positions that are reached.
    pub explanation: Explanation,
}

impl Engine {
    /// Explains where a strategy loses against another, by default the game's baseline: the `top`
    /// positions that cost most.
    ///
    /// # Errors
    /// Returns an error if a strategy cannot be used, a baseline is needed and the game names none,
    /// or the work is stopped.
    pub fn explain(
        &self,
        game: &Arc<Game>,
        strategy: &Strategy,
        against: Option<&Strategy>,
        top: usize,
    ) -> Result<ExplainView, EngineError> {
        Ok(self.explained(game, strategy, against, top)?.view)
    }

    /// As [`Self::explain`], with every position that is reached.
    ///
    /// # Errors
    /// As [`Self::explain`].
    pub fn explained(
        &self,
        game: &Arc<Game>,
        strategy: &Strategy,
        against: Option<&Strategy>,
        top: usize,
    ) -> Result<Explained, EngineError> {
        let call = self.call();
        let against = call.or_baseline(game, against)?;
        let plans = [call.plan(game, strategy)?, call.plan(game, &against)?];
        let names = [strategy.to_string(), against.to_string()];
        let mut explained =
            self.explained_plans(&call, game, (names, [&plans[0], &plans[1]]), top)?;
        explained.view.handout = self.compared(&call, game, strategy)?;
        Ok(explained)
    }

    /// As [`Self::explained`], with only those reached positions that have these values of
    /// memories. Also returns the values that stand for them: of values that behave alike, the
    /// game keeps one.
    ///
    /// # Errors
    /// As [`Self::explain`], or if the game has no such memory or value.
    pub fn explained_at(
        &self,
        game: &Arc<Game>,
        strategy: &Strategy,
        against: Option<&Strategy>,
        memory: &[(String, i64)],
    ) -> Result<(Explained, Vec<(String, i64)>), EngineError> {
        let wanted = Query::scores(0, 0).memories(memory.iter().cloned()).position(game.rules())?;
        let mut explained = self.explained(game, strategy, against, 0)?;
        let values = game.position(game.state(&wanted)).memory;
        let named = memory_names(game.rules()).into_iter().zip(values).enumerate();
        let kept: Vec<(usize, (String, i64))> =
            named.filter(|(_, (name, _))| memory.iter().any(|(one, _)| one == name)).collect();
        let is_kept =
            |memory: &[i64]| kept.iter().all(|(place, (_, value))| memory[*place] == *value);
        explained.explanation.reached.retain(|reached| is_kept(&reached.position.memory));
        Ok((explained, kept.into_iter().map(|(_, named)| named).collect()))
    }

    /// Rates a strategy as its course does, with the win rate of optimal play for comparison, and
    /// the `top` positions that cost most.
    ///
    /// # Errors
    /// Returns an error if a strategy cannot be used, a baseline is needed and the game names none,
    /// or the work is stopped.
    pub fn tried(
        &self,
        game: &Arc<Game>,
        strategy: &Strategy,
        against: Option<&Strategy>,
        top: usize,
    ) -> Result<Tried, EngineError> {
        let call = self.call();
        let against = call.or_baseline(game, against)?;
        let plan = call.plan(game, strategy)?;
        let opponent = call.plan(game, &against)?;
        let names = [strategy.to_string(), against.to_string()];
        let mut explained = self.explained_plans(&call, game, (names, [&plan, &opponent]), top)?;
        explained.view.handout = self.compared(&call, game, strategy)?;
        let best = call.plan(game, &Strategy::Optimal)?;
        let (rate, bound) =
            call.run("rating", |watch| crate::pairs::rate(game, [&best, &opponent], watch))?;
        let never = call.run("rating", |watch| endless(game, [&best, &opponent], watch))?;
        let optimal = WinRates::new([rate.first, rate.second, rate.average()], never, bound);
        // The course's target is a win rate against its baseline.
        let rules = game.rules();
        let is_baseline = Strategy::baseline(rules)
            .is_ok_and(|baseline| baseline == against || against == Strategy::Baseline);
        let target = rules.target.clone().filter(|_| is_baseline);
        Ok(Tried { view: TryView::new(explained.view, optimal, target), plan })
    }

    /// Compares the functions of a strategy's file with those of the handout.
    fn compared(
        &self,
        call: &Call,
        game: &Game,
        strategy: &Strategy,
    ) -> Result<HandoutView, EngineError> {
        call.run("asking", |watch| {
            let compared = strategy.compared_with_handout(self.sources(), game, watch);
            Ok::<_, StrategyError>(compared.into())
        })
    }

    fn explained_plans(
        &self,
        call: &Call,
        game: &Game,
        (names, plans): ([String; 2], [&Plan; 2]),
        top: usize,
    ) -> Result<Explained, EngineError> {
        let explanation = call.run("explaining", |watch| analysis::explain(game, plans, watch))?;
        let view = ExplainView::new(game, names, &explanation, top);
        Ok(Explained { view, explanation })
    }
}
