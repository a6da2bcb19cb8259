//! How to bid for the start.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GivenGame, Query};
use crate::bid;
use crate::engine::{Call, Error};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, TITLE, bar, paint};

/// How to bid for the start, in games that begin with bids
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Bid {
    /// The game.
    #[serde(flatten)]
    pub game: GivenGame,
}

/// The equilibrium of the bids for the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct BidAnswer {
    /// The game's id.
    pub rules: String,
    /// The rule on bidding, in a sentence.
    pub text: Option<String>,
    /// The win rate that the equilibrium guarantees: one half, since both players bid by the same
    /// rules.
    pub win_rate: f64,
    /// The probability of each bid; bids that are not listed are never made.
    pub shares: Vec<BidShare>,
    /// For each bid from 0 up, its win rate against a player who bids by the equilibrium.
    pub answers: Vec<f64>,
}

/// One bid of the equilibrium.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct BidShare {
    /// The bid.
    pub bid: i64,
    /// Its probability, from 0 to 1.
    pub share: f64,
}

impl BidShare {
    /// Converts pairs of a bid and its probability.
    pub fn of(shares: impl IntoIterator<Item = (i64, f64)>) -> Vec<Self> {
        shares.into_iter().map(|(bid, share)| Self { bid, share }).collect()
    }
}

impl Bid {
    /// The question about a game.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::Bid;
    ///
    /// let engine = Engine::builder().build();
    /// let answer = engine.ask(&Bid::in_game("fa14"))?;
    /// assert_eq!(answer.win_rate, 0.5);
    /// let total: f64 = answer.shares.iter().map(|bid| bid.share).sum();
    /// assert!((total - 1.0).abs() < 1e-12);
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn in_game(game: impl Into<GivenGame>) -> Self {
        Self { game: game.into() }
    }
}

impl Query for Bid {
    const NAME: &str = "bid";
    const IS_LONG: bool = true;
    type Answer = BidAnswer;

    fn answer(&self, call: &Call) -> Result<BidAnswer, Error> {
        let game = call.game(&self.game)?;
        let bidding = call.run("solving", |watch| bid::equilibrium(&game, watch))?;
        Ok(BidAnswer {
            rules: game.rules().id.clone(),
            text: game.rules().bid.as_ref().and_then(|bid| bid.text.clone()),
            win_rate: 0.5,
            shares: BidShare::of(bidding.shares_as_doubles()),
            answers: bidding.win_rates_as_doubles(),
        })
    }
}

/// The largest number of bids shown of those that are never made.
const SHOWN: usize = 4;

impl Text for BidAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", paint(TITLE, format!("{}: bids for the start", self.rules)))?;
        if let Some(text) = &self.text {
            writeln!(out, "  {text}")?;
        }
        match &self.shares[..] {
            [only] => writeln!(out, "\nbid {}", paint(BEST, only.bid))?,
            shares => {
                writeln!(out, "\n  bid  share")?;
                let most = shares.iter().map(|share| share.share).fold(0.0, f64::max);
                for BidShare { bid, share } in shares {
                    let bid = paint(BEST, format!("{bid:>5}"));
                    writeln!(out, "{bid}  {share:<20}  {}", bar(share / most, 30))?;
                }
            }
        }
        let mut others: Vec<usize> = (0..self.answers.len()).collect();
        others.retain(|bid| self.shares.iter().all(|share| share.bid != *bid as i64));
        others.sort_by(|a, b| self.answers[*b].total_cmp(&self.answers[*a]));
        if !others.is_empty() {
            writeln!(out, "\nof the bids never made, the best answers win")?;
            for bid in others.iter().take(SHOWN) {
                writeln!(out, "{bid:>5}  {}", self.answers[*bid])?;
            }
        }
        let note = "exact: each share is the double nearest to its fraction, and no bid wins more \
                    than one half against these shares";
        writeln!(out, "\n{}", paint(FAINT, note))
    }
}
