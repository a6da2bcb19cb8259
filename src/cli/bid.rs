//! `hog bid`: computes how to bid for the start.

use clap::Args;

use super::console::{Console, Status};

/// Compute how to bid for the start, in games that begin with bids: the exact equilibrium of the
/// bids
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog bid fa14                                how often to make each bid, so that no bid beats it
  hog bid sp15c --format json")]
pub(super) struct BidCommand {
    /// A built-in game or a rule file, with a [bid] section
    rules: String,
}

impl BidCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let game = console.game(&self.rules)?;
        console.show(&console.engine.bid(&game)?)
    }
}
