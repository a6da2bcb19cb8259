//! `hog simulate`: games played, not computed, with the exact rates beside them.

use std::time::Instant;

use anyhow::{Context as _, bail};
use clap::Args;
use hog::report::{ExperimentsView, SimulateView, Simulated};
use hog::sim::{Trials, average_win_rate, run_experiments};
use hog::strategy::Strategy;

use super::context::{Context, Outcome};
use super::progress::with_progress;

/// Games played at random: averages with intervals, the exact rates beside them
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog simulate fa21 final_strategy always_roll:6 --games 1000000
  hog simulate su15 swap_strategy:8,5 --seed 7        against the game's baseline
  hog simulate sp15                                   run_experiments: all of the course's strategies

Turns are drawn from the exact distributions of the game's dice. The generator is ChaCha8, keyed with the seed, so a seed
plays the same games on any machine and with any number of threads. A game that never ends counts half a win.")]
pub(super) struct Simulate {
    /// A built-in game or a rule file
    rules: String,
    /// The strategy to be rated (default: every one of the course's)
    strategy: Option<Strategy>,
    /// What it plays against (default: the game's baseline)
    opponent: Option<Strategy>,
    /// How many games; the strategy moves first in half of them
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: u64,
    /// Where the dice begin
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

/// Days of work.
const MOST_GAMES: u64 = 1_000_000_000_000;

impl Simulate {
    pub fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let rules = context.rules(&self.rules)?;
        let opponent = match (&self.opponent, &rules.baseline) {
            (Some(opponent), _) => opponent.clone(),
            (None, Some(baseline)) => baseline.parse().with_context(|| format!("the baseline of {}", rules.id))?,
            (None, None) => bail!("{} names no baseline; give the strategy to play against", rules.id),
        };
        let game = hog::game::Game::new(rules)?;
        let trials = Trials { games: self.games, seed: self.seed };
        let id = game.rules().id.clone();
        let Some(strategy) = &self.strategy else {
            let found = with_progress("experiments", |watch| run_experiments(&game, &opponent, trials, watch))?;
            return context.show(&ExperimentsView::new(id, (self.games, self.seed), found));
        };
        let plans = with_progress("solving", |watch| {
            Ok::<_, anyhow::Error>([strategy.plan(&game, watch)?, opponent.plan(&game, watch)?])
        })?;
        let began = Instant::now();
        let rate = with_progress("playing", |watch| average_win_rate(&game, [&plans[0], &plans[1]], trials, watch))?;
        let what = Simulated {
            rules: id,
            strategy: strategy.to_string(),
            opponent: opponent.to_string(),
            seed: self.seed,
            seconds: began.elapsed().as_secs_f64(),
        };
        context.show(&SimulateView::new(what, &rate))
    }
}
