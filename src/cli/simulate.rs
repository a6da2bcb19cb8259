//! `hog simulate`: plays many games at random, and shows the exact win rates next to the averages.

use clap::Args;
use hog::queries::{
    GivenGame, GivenOpponent, GivenStrategy, GivenTrials, RunExperiments, Simulate,
};

use super::console::{Console, Status};

/// Play many games at random: average win rates with their intervals, next to the exact ones
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
    #[command(flatten)]
    trials: GivenTrials,
}

impl SimulateCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        self.game.rules.iter().try_for_each(|game| console.note_semester(game))?;
        match &self.strategy {
            Some(strategy) => {
                let mut simulate = Simulate::of(self.game.clone(), strategy.clone());
                (simulate.opponent, simulate.trials) = (self.opponent.clone(), self.trials);
                console.show(&console.engine.ask(&simulate)?)
            }
            None => {
                let experiments = RunExperiments::of(self.game.clone(), self.trials);
                console.show(&console.engine.ask(&experiments)?)
            }
        }
    }
}
