//! `hog simulate`: games played, not computed, with the exact rates beside them.

use clap::Args;
use hog::sim::Trials;
use hog::strategy::Strategy;

use super::console::{Console, Status};
use super::numbers::{whole, within};
use super::rate::Opponent;

/// Games played at random: averages with intervals, the exact rates beside them
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog simulate fa21 final_strategy always_roll:6 --games 1000000
  hog simulate su15 swap_strategy:8,5 --seed 7        against the game's baseline
  hog simulate sp15                                   run_experiments: all of the course's strategies

Turns are drawn from the exact distributions of the game's dice. The generator is ChaCha8, keyed with the seed, so a seed
plays the same games on any machine and with any number of threads. A game that never ends counts half a win.")]
pub(super) struct SimulateCommand {
    /// A built-in game or a rule file
    rules: String,
    /// The strategy to be rated (default: every one of the course's)
    strategy: Option<Strategy>,
    #[command(flatten)]
    opponent: Opponent,
    /// How many games; the strategy moves first in half of them
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = |text: &str| within(text, 2..=MOST_GAMES))]
    games: u64,
    /// Where the dice begin
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = whole::<u64>)]
    seed: u64,
}

/// Days of work.
const MOST_GAMES: u64 = 1_000_000_000_000;

impl SimulateCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let game = console.game(&self.rules)?;
        let trials = Trials { games: self.games, seed: self.seed };
        match &self.strategy {
            Some(strategy) => {
                console.show(&console.engine.simulate(&game, strategy, self.opponent.strategy(), trials)?)
            }
            None => console.show(&console.engine.experiments(&game, trials)?),
        }
    }
}
