//! Rates all strategies of a family.

use std::sync::Arc;

use crate::analysis;
use crate::game::Game;
use crate::solve::Watch;
use crate::strategy::{Family, Strategy, ZeroDiceThresholds};
use crate::view::TuneView;

use super::{Engine, EngineError};

impl Engine {
    /// Computes the win rates of all strategies of a family against one strategy, by default the
    /// game's baseline.
    ///
    /// # Errors
    /// Returns an error if a strategy cannot be used, a baseline is needed and the game names none,
    /// or the work is stopped.
    pub fn tune(
        &self,
        game: &Arc<Game>,
        family: &Family,
        against: Option<&Strategy>,
    ) -> Result<TuneView, EngineError> {
        let call = self.call();
        let against = call.or_baseline(game, against)?;
        let opponent = call.plan(game, &against)?;
        let members = family.members.len();
        let thresholds =
            family.members.first().and_then(|(_, strategy)| ZeroDiceThresholds::of(strategy, game));
        let plan = |number: usize| {
            let strategy: &Strategy = &family.members[number].1;
            match thresholds.as_ref().and_then(|thresholds| thresholds.plan(strategy, game)) {
                Some(plan) => Ok(plan),
                None => strategy
                    .plan_from(self.sources(), game, &Watch::silent())
                    .map_err(EngineError::from),
            }
        };
        let (rates, bound) = call.run("rating", |watch| {
            analysis::rates(game, (&opponent, members), plan, &|done| watch.step(done, members))
        })?;
        Ok(TuneView::new(game.rules().id.clone(), family, against.to_string(), (&rates, bound)))
    }
}
