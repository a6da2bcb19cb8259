//! Bids for the start of a game that is played.

use crate::bid::{self, BidError};
use crate::game::{Game, Position};

use super::SeededDice;

/// Streams of dice from here up draw bids: a game's own dice are the same with bids and without.
const BIDS: u64 = 1 << 63;

/// How the bids of Player 0 and Player 1 came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Player 0's score and Player 1's.
    pub scores: [u32; 2],
    /// Who moves first.
    pub mover: usize,
    /// What the mover sees; `None` if the bids have ended the game.
    pub position: Option<Position>,
}

/// One of the bids, each as likely as its share says; the same for a player of one seed.
pub fn draw_bid(shares: impl IntoIterator<Item = (i64, f64)>, seed: u64, player: usize) -> i64 {
    let drawn = SeededDice::stream(seed, BIDS + player as u64).bits() as f64 / 2f64.powi(64);
    let (mut below, mut bid) = (0.0, 0);
    for (next, share) in shares {
        (bid, below) = (next, below + share);
        if drawn < below {
            break;
        }
    }
    bid
}

/// Where a game begins after two bids; where these leave open who moves first, the seed decides.
///
/// # Errors
/// If the game has no bidding, or these bids lead to no start.
pub fn opening(game: &Game, bids: [i64; 2], seed: u64) -> Result<Opening, BidError> {
    let rules = game.rules();
    let lacking = || BidError::NoBid { game: rules.origin.clone() };
    let start = bid::start(rules, rules.bid.as_ref().ok_or_else(lacking)?, bids)?;
    let coin = || SeededDice::stream(seed, BIDS + 2).below(2) == 0;
    let mover = usize::from(!start.first.unwrap_or_else(coin));
    let [own, other] = [start.scores[mover], start.scores[1 - mover]];
    // What is no position has a score at the goal.
    Ok(Opening { scores: start.scores, mover, position: Position::new(rules, own, other).ok() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bids_are_drawn_by_their_shares() {
        let shares = [(2, 0.25), (5, 0.75)];
        let drawn: Vec<i64> = (0..4000).map(|seed| draw_bid(shares, seed, 0)).collect();
        let twos = drawn.iter().filter(|bid| **bid == 2).count();
        // Five standard deviations about the mean.
        assert!((863..=1137).contains(&twos), "{twos}");
        assert!(drawn.iter().all(|bid| [2, 5].contains(bid)));
        assert_ne!((0..40).map(|seed| draw_bid(shares, seed, 1)).collect::<Vec<_>>(), drawn[..40]);
    }
}
