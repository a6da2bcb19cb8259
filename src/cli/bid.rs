//! `hog bid`: how to bid for the start.

use clap::Args;
use hog::bid;
use hog::report::{BidView, ShareView};

use super::context::{Context, Outcome};
use super::progress::with_progress;

/// How to bid for the start, in games that begin with a bidding: the exact equilibrium of the bids
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog bid fa14                                how often to make which bid, so that no answer wins more than half
  hog bid sp15c --format json")]
pub(super) struct Bid {
    /// A built-in game or a rule file, with a [bid]
    rules: String,
}

impl Bid {
    pub fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let game = context.game(&self.rules)?;
        let bidding = with_progress("solving", |watch| bid::equilibrium(&game, watch))?;
        let shares = bidding.shares_as_doubles();
        context.show(&BidView {
            rules: game.rules().id.clone(),
            text: game.rules().bid.as_ref().and_then(|bid| bid.text.clone()),
            win_rate: 0.5,
            shares: shares.into_iter().map(|(bid, share)| ShareView { bid, share }).collect(),
            answers: bidding.answers_as_doubles(),
        })
    }
}
