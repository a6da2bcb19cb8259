//! `hog best`: shows the best roll in a position.

use clap::Args;
use hog::strategy::Strategy;

use super::console::{Console, Status, memory_value, position, score};

/// Show the best roll in a position, and the win rate of each number of dice
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog best fa21 20 36                                 you have 20 points, your opponent 36
  hog best fa19 20 36 --memory last_dice=4            after rolling 4 dice on your last turn
  hog best su15 90 10 --against always_roll:5         against the baseline instead of best play")]
pub(super) struct BestCommand {
    /// A built-in game or a rule file
    rules: String,
    /// Your score
    #[arg(value_parser = score)]
    score: u32,
    /// Your opponent's score
    #[arg(value_parser = score)]
    opponent: u32,
    /// A memory's value (default: as at the start of the game)
    #[arg(long, value_name = "NAME=V", value_parser = memory_value)]
    memory: Vec<(String, i64)>,
    /// The opponent's strategy (default: optimal play)
    #[arg(long, value_name = "STRATEGY")]
    against: Option<Strategy>,
}

impl BestCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let mut query = position(self.score, self.opponent, &self.memory);
        query.against = self.against.clone().map(Into::into);
        // An invalid position is the most common mistake, so it is checked before any work.
        query.position(&console.rules(&self.rules)?).map_err(hog::engine::EngineError::from)?;
        let game = console.game(&self.rules)?;
        console.show(&console.engine.best(&game, &query)?)
    }
}
