//! `hog bid`: how to bid for the start.

use std::io::{self, Write};

use serde::Serialize;

use super::View;
use super::style::{BEST, FAINT, TITLE, bar, paint};

/// The equilibrium of the bids for the start.
#[derive(Clone, Debug, Serialize)]
pub struct BidView {
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
#[derive(Clone, Debug, Serialize)]
pub struct ShareView {
    pub bid: i64,
    pub share: f64,
}

/// How many of the bids that are never made are shown.
const SHOWN: usize = 4;

impl View for BidView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", paint(TITLE, format!("{}: bids for the start", self.rules)))?;
        if let Some(text) = &self.text {
            writeln!(out, "  {text}")?;
        }
        match &self.shares[..] {
            [sure] => writeln!(out, "\nbid {}", paint(BEST, sure.bid))?,
            shares => {
                writeln!(out, "\n  bid  share")?;
                let most = shares.iter().map(|share| share.share).fold(0.0, f64::max);
                for ShareView { bid, share } in shares {
                    let bid = paint(BEST, format!("{bid:>5}"));
                    writeln!(out, "{bid}  {share:<20}  {}", bar(share / most, 30))?;
                }
            }
        }
        let made = |bid: &usize| self.shares.iter().any(|share| share.bid == *bid as i64);
        let mut others: Vec<usize> = (0..self.answers.len()).filter(|bid| !made(bid)).collect();
        others.sort_by(|a, b| self.answers[*b].total_cmp(&self.answers[*a]));
        if !others.is_empty() {
            writeln!(out, "\nof the bids never made, the least bad answers to this win")?;
            for bid in others.iter().take(SHOWN) {
                writeln!(out, "{bid:>5}  {}", self.answers[*bid])?;
            }
        }
        let note =
            "exact: each share is the double nearest to a fraction, and no bid wins more than one half against them";
        writeln!(out, "\n{}", paint(FAINT, note))
    }
}
