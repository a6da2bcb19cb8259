//! How to bid for the start.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The equilibrium of the bids for the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct BidView {
    /// The game's id.
    pub rules: String,
    /// The rule on bidding, in a sentence.
    pub text: Option<String>,
    /// The win rate that the equilibrium guarantees: one half, since both players bid by the same
    /// rules.
    pub win_rate: f64,
    /// The probability of each bid; bids that are not listed are never made.
    pub shares: Vec<ShareView>,
    /// For each bid from 0 up, its win rate against a player who bids by the equilibrium.
    pub answers: Vec<f64>,
}

/// One bid of the equilibrium.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ShareView {
    /// The bid.
    pub bid: i64,
    /// Its probability, from 0 to 1.
    pub share: f64,
}

impl ShareView {
    /// Converts pairs of a bid and its probability.
    pub fn of(shares: impl IntoIterator<Item = (i64, f64)>) -> Vec<Self> {
        shares.into_iter().map(|(bid, share)| Self { bid, share }).collect()
    }
}
