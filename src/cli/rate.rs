//! `hog rate`: exact win rates.

use clap::Args;
use hog::strategy::Strategy;

use super::console::{Console, Status};

/// Exact win rates of one strategy against another: moving first, moving second, average
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog rate fa21 optimal always_roll:6                 best play against the baseline
  hog rate fa21 beat:always_roll:6 always_roll:6      the most that the baseline can be beaten by
  hog rate su15 mine.csv                              a table of your own, columns score,opponent,dice, against the baseline")]
pub(super) struct RateCommand {
    /// A built-in game or a rule file
    rules: String,
    /// The strategy to be rated
    strategy: Strategy,
    #[command(flatten)]
    opponent: Opponent,
}

/// Whom a strategy plays against, by place or by name.
#[derive(Args, Debug)]
pub(super) struct Opponent {
    /// What it plays against (default: the rules' baseline)
    against: Option<Strategy>,
    /// The same as AGAINST
    #[arg(long = "against", value_name = "STRATEGY", conflicts_with = "against")]
    named: Option<Strategy>,
}

impl Opponent {
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
