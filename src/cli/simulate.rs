//! `hog simulate`: plays many games at random, and shows the exact win rates next to the averages.

use crate::sim::Trials;
use clap::Args;

use super::console::{Console, Status};
use crate::queries::numbers::{whole, within};
use crate::queries::{Answer, Experiments, GivenGame, GivenOpponent, GivenStrategy, Simulate};

/// Games played at random, next to the exact win rates
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog simulate fa21 final_strategy always_roll:6 --games 1000000
  hog simulate su15 swap_strategy:8,5 --seed 7        against the game's baseline
  hog simulate sp15                                   all of the course's strategies

Turns are drawn from the exact distributions of the game's dice. The random number generator is \
ChaCha8, keyed with the seed: a seed plays the same games on any machine and with any number of \
threads. A game that never ends counts half a win.")]
pub(super) struct SimulateCommand {
    #[command(flatten)]
    game: GivenGame,
    /// The strategy to rate (default: all of the course's)
    strategy: Option<GivenStrategy>,
    #[command(flatten)]
    opponent: GivenOpponent,
    /// How many games to play; the strategy moves first in half of them
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = |text: &str| within(text, 2..=MOST_GAMES))]
    games: u64,
    /// The seed of the dice
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = whole::<u64>)]
    seed: u64,
}

/// The largest number of games, which take days.
const MOST_GAMES: u64 = 1_000_000_000_000;

impl SimulateCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let trials = Trials { games: self.games, seed: self.seed };
        let answer: Box<dyn Answer> = match &self.strategy {
            Some(strategy) => {
                let mut question = Simulate::of(self.game.clone(), strategy.clone(), trials);
                question.against = self.opponent.strategy().cloned();
                Box::new(console.engine.ask(&question)?)
            }
            None => Box::new(console.engine.ask(&Experiments::of(self.game.clone(), trials))?),
        };
        self.game.rules.iter().try_for_each(|name| console.note_semester(name))?;
        console.show(&*answer)
    }
}
