//! `hog rate`: exact win rates.

use clap::Args;
use hog::report::RateView;
use hog::solve;
use hog::strategy::Strategy;

use super::context::{Context, Outcome};
use super::progress::with_progress;

/// Exact win rates of one strategy against another: moving first, moving second, average
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog rate fa21 optimal always_roll:6                 best play against the baseline
  hog rate fa21 beat:always_roll:6 always_roll:6      the most that the baseline can be beaten by
  hog rate su15 table:mine.csv always_roll:5          a table of your own, columns score,opponent,dice")]
pub(super) struct Rate {
    /// A built-in game or a rule file
    rules: String,
    /// The strategy to be rated
    strategy: Strategy,
    /// What it plays against
    opponent: Strategy,
}

impl Rate {
    pub fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let game = context.game(&self.rules)?;
        let ((rate, error_bound), endless) = with_progress("rating", |watch| {
            let plans = [self.strategy.plan(&game, watch)?, self.opponent.plan(&game, watch)?];
            let plans = [&plans[0], &plans[1]];
            Ok::<_, anyhow::Error>((solve::rate(&game, plans, watch)?, solve::endless(&game, plans, watch)?))
        })?;
        context.show(&RateView {
            rules: game.rules().id.clone(),
            strategy: self.strategy.to_string(),
            opponent: self.opponent.to_string(),
            first: rate.first,
            second: rate.second,
            average: rate.average(),
            endless: (endless[0] + endless[1]) / 2.0,
            endless_first: endless[0],
            endless_second: endless[1],
            error_bound,
        })
    }
}
