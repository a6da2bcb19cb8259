//! The text of `hog bid`: the bids of an equilibrium.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{BEST, FAINT, TITLE, bar, paint};
use crate::view::{BidView, ShareView};

/// The largest number of bids shown of those that are never made.
const SHOWN: usize = 4;

impl Text for BidView {
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
            writeln!(out, "\nof the bids never made, the best answers win")?;
            for bid in others.iter().take(SHOWN) {
                writeln!(out, "{bid:>5}  {}", self.answers[*bid])?;
            }
        }
        let note = "exact: each share is the double nearest to its fraction, and no bid wins more than one half against \
                    these shares";
        writeln!(out, "\n{}", paint(FAINT, note))
    }
}
