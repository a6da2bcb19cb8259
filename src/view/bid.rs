//! How to bid for the start.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The equilibrium of the bids for the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct BidView {
    /// The game's id.
    pub rules: String,
    /// What the rules say of the bidding.
    pub text: Option<String>,
    /// What the equilibrium wins at least: one half, since both players bid by the same rules.
    pub win_rate: f64,
    /// How often each bid is made; bids left out are never made.
    pub shares: Vec<ShareView>,
    /// For each bid from 0 up, the win rate of answering the equilibrium with it.
    pub answers: Vec<f64>,
}

/// One bid of the equilibrium.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ShareView {
    /// The bid.
    pub bid: i64,
    /// How often it is made, from 0 to 1.
    pub share: f64,
}

impl ShareView {
    /// Of bids and their shares.
    pub fn of(shares: impl IntoIterator<Item = (i64, f64)>) -> Vec<Self> {
        shares.into_iter().map(|(bid, share)| Self { bid, share }).collect()
    }
}
