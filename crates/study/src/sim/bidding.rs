//! Bids for the start of a simulated or interactive game.

use crate::bid::{self, BidError};
use crate::game::{Game, Position};

use super::SeededDice;

/// The first of the streams that draw bids, so that bids do not change the game's own dice.
const FIRST_BID_STREAM: u64 = 1 << 63;

/// The start of a game after the bids of Player 0 and Player 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The scores of Player 0 and Player 1.
    pub scores: [u32; 2],
    /// The player who moves first: 0 or 1.
    pub mover: usize,
    /// The position as seen by the mover; `None` if the bids have ended the game.
    pub position: Option<Position>,
}

/// Draws a bid with the given probabilities; a seed and a player always give the same bid.
pub fn draw_bid(shares: impl IntoIterator<Item = (i64, f64)>, seed: u64, player: usize) -> i64 {
    let drawn =
        SeededDice::stream(seed, FIRST_BID_STREAM + player as u64).bits() as f64 / 2f64.powi(64);
    let mut below = 0.0;
    let mut bid = 0;
    for (next, share) in shares {
        (bid, below) = (next, below + share);
        if drawn < below {
            break;
        }
    }
    bid
}

/// Returns the start of a game after two bids; if they do not decide who moves first, the seed
/// does.
///
/// # Errors
/// Returns an error if the game has no bidding, or a formula has no valid value for these bids.
pub fn opening(game: &Game, bids: [i64; 2], seed: u64) -> Result<Opening, BidError> {
    let rules = game.rules();
    let Some(rule) = &rules.bid else {
        return Err(BidError::NoBid { game: rules.origin.clone() });
    };
    let start = bid::start(rules, rule, bids)?;
    let mover = match start.first {
        Some(first) => usize::from(!first),
        None => usize::from(SeededDice::stream(seed, FIRST_BID_STREAM + 2).below(2) != 0),
    };
    let [own, other] = [start.scores[mover], start.scores[1 - mover]];
    // `Position::new` fails if a score has reached the goal.
    Ok(Opening { scores: start.scores, mover, position: Position::new(rules, own, other).ok() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bids_are_drawn_with_their_probabilities() {
        let shares = [(2, 0.25), (5, 0.75)];
        let drawn: Vec<i64> = (0..4000).map(|seed| draw_bid(shares, seed, 0)).collect();
        let twos = drawn.iter().filter(|bid| **bid == 2).count();
        // Five standard deviations to both sides of the mean.
        assert!((863..=1137).contains(&twos), "{twos}");
        assert!(drawn.iter().all(|bid| [2, 5].contains(bid)));
        assert_ne!((0..40).map(|seed| draw_bid(shares, seed, 1)).collect::<Vec<_>>(), drawn[..40]);
    }
}
