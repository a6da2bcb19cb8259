//! Families of strategies, each rated.

use std::sync::Arc;

use crate::analysis;
use crate::game::Game;
use crate::solve::Watch;
use crate::strategy::{Family, Strategy, ZeroDiceThresholds};
use crate::view::TuneView;

use super::{Engine, EngineError};

impl Engine {
    /// The win rates of all strategies of a family, against another or the game's baseline.
    ///
    /// # Errors
    /// If one of them cannot be used, the game names no baseline, or the work is stopped.
    pub fn tune(&self, game: &Arc<Game>, family: &Family, against: Option<&Strategy>) -> Result<TuneView, EngineError> {
        let call = self.call();
        let against = self.or_baseline(game, against)?;
        let opponent = self.plan_in(&call, game, &against)?;
        let members = family.members.len();
        let thresholds = family.members.first().and_then(|(_, strategy)| ZeroDiceThresholds::of(strategy, game));
        let plan = |number: usize| {
            let strategy: &Strategy = &family.members[number].1;
            match thresholds.as_ref().and_then(|thresholds| thresholds.plan(strategy, game)) {
                Some(plan) => Ok(plan),
                None => strategy.plan_from(self.sources(), game, &Watch::silent()).map_err(EngineError::from),
            }
        };
        let (cancel, limit, began) = (call.cancel, call.time, call.began);
        let going_on = || !cancel.is_cancelled() && limit.is_none_or(|limit| began.elapsed() <= limit);
        let step = |done: usize| {
            if let Some(progress) = call.progress {
                progress.step("rating", done, members);
            }
            going_on()
        };
        let rated = analysis::rates(game, (&opponent, members), plan, &step);
        if let Some(progress) = call.progress {
            progress.end();
        }
        // Work that was stopped says only that; why, the call knows.
        let (rates, bound) =
            rated.map_err(|error| if error.is_stop() { call.check().err().unwrap_or(error) } else { error })?;
        Ok(TuneView::new(game.rules().id.clone(), family, against.to_string(), (&rates, bound)))
    }
}
