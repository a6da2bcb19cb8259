//! `hog rate`: computes exact win rates.

use clap::Args;
use hog::strategy::Strategy;

use super::console::{Console, Status};

/// Compute the exact win rates of one strategy against another: moving first, moving second,
/// average
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog rate fa21 optimal always_roll:6                 best play against the baseline
  hog rate fa21 beat:always_roll:6 always_roll:6      the highest win rate against the baseline
  hog rate su15 mine.csv                              your own table: columns score,opponent,dice

A Python file runs in a sandbox: it can read only its own folder and the Python installation, and \
it cannot write files, use the network or start programs. The sandbox needs Linux 5.13 or later; \
elsewhere, --trust runs the file without it.")]
pub(super) struct RateCommand {
    /// A built-in game or a rule file
    rules: String,
    /// The strategy to rate
    strategy: Strategy,
    #[command(flatten)]
    opponent: OpponentArguments,
}

/// The opponent's strategy, as an argument or an option.
#[derive(Args, Debug)]
pub(super) struct OpponentArguments {
    /// The opponent's strategy (default: the game's baseline)
    against: Option<Strategy>,
    /// The same as AGAINST
    #[arg(long = "against", value_name = "STRATEGY", conflicts_with = "against")]
    named: Option<Strategy>,
}

impl OpponentArguments {
    pub fn strategy(&self) -> Option<&Strategy> {
        self.against.as_ref().or(self.named.as_ref())
    }
}

impl RateCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let game = console.game(&self.rules)?;
        console.show(&console.engine.rate(&game, &self.strategy, self.opponent.strategy())?)
    }
}
