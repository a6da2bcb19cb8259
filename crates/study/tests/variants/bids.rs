//! Bids for the start: the exact equilibrium, tested by what no bid may win, and refusals.

use dashu_ratio::RBig;
use hog_rules::rules::rules_from_text;
use hog_solve::bid::{BidError, Bidding, equilibrium};
use hog_solve::game::Game;
use hog_solve::solve::Watch;

fn half() -> RBig {
    RBig::from_parts(1.into(), 2u8.into())
}

/// Asserts that the shares form a distribution and that no bid wins more than one half: this
/// proves an equilibrium, however it was found.
fn assert_equilibrium(bidding: &Bidding) {
    let sum = bidding.shares.iter().fold(RBig::ZERO, |sum, (_, share)| sum + share);
    assert_eq!(sum, RBig::ONE);
    assert!(bidding.shares.iter().all(|(_, share)| *share >= RBig::ZERO));
    assert!(bidding.win_rates.iter().all(|win_rate| *win_rate <= half()));
    for (bid, share) in &bidding.shares {
        assert!(share.is_zero() || bidding.win_rates[*bid as usize] == half(), "bid {bid}");
    }
}

/// Returns a game of one certain point per turn, with this `[bid]`.
fn toy(bid: &str) -> Game {
    let text = format!(
        "id = \"toy\"\ngoal = 3\nmax_dice = 0\n[[rule]]\nname = \"Step\"\nzero_dice = \"1\"\n\
         [bid]\n{bid}"
    );
    Game::new(rules_from_text(&text, "toy", Default::default()).unwrap_or_else(|e| panic!("{e}")))
        .unwrap()
}

/// In the published games the equilibrium is mixed: no single bid is best.
#[test]
fn the_bids_of_the_published_games_are_in_equilibrium() {
    for (id, made) in
        [("fa14", vec![0, 1, 2, 5, 6, 7, 8, 9, 10, 11, 12]), ("sp15c", vec![1, 3, 6, 7, 8, 10, 11])]
    {
        let bidding = equilibrium(&super::game(id, 100, None), &Watch::silent())
            .unwrap_or_else(|e| panic!("{e}"));
        assert_equilibrium(&bidding);
        assert_eq!(bidding.shares.iter().map(|(bid, _)| *bid).collect::<Vec<_>>(), made, "{id}");
        assert!(bidding.shares_as_doubles().iter().all(|(_, share)| *share > 0.01), "{id}");
    }
}

/// With equal scores the first player to move wins, and one more point is worth a turn. Each player
/// starts with the bid of the other: a bid of b against c < b moves first from c to b. With goal 3
/// the mover needs 3 - c turns and the other 3 - b; the mover wins if 3 - c <= 3 - b, which is
/// never true. So bid 0 is safe.
#[test]
fn a_pure_bid_agrees_with_the_one_worked_out_by_hand() {
    let bid = "max = 2\nscore = \"bid == opponent_bid ? goal : opponent_bid\"\n\
     first = \"bid > opponent_bid\"";
    let bidding = equilibrium(&toy(bid), &Watch::silent()).unwrap();
    assert_equilibrium(&bidding);
    assert_eq!(bidding.shares, [(0, RBig::ONE)]);
}

/// The bids 0, 1, 2 beat each other in a cycle: a bid that is one ahead modulo 3 starts at the
/// goal.
#[test]
fn bids_that_beat_each_other_in_a_cycle_have_equal_shares() {
    let bid = "max = 2\nscore = \"bid == (opponent_bid + 1) % 3 ? goal : 0\"\n\
     first = \"bid > opponent_bid\"";
    let bidding = equilibrium(&toy(bid), &Watch::silent()).unwrap();
    assert_equilibrium(&bidding);
    let third = RBig::from_parts(1.into(), 3u8.into());
    assert_eq!(bidding.shares, [(0, third.clone()), (1, third.clone()), (2, third)]);
}

#[test]
fn equally_good_bids_give_the_first_one() {
    // Everyone starts at 0, so all bids are equally good, and the first one is chosen.
    for first in ["true", "false"] {
        let bid = format!("max = 1\nscore = \"0\"\nfirst = \"{first}\"");
        assert_eq!(equilibrium(&toy(&bid), &Watch::silent()).unwrap().shares, [(0, RBig::ONE)]);
    }
}

#[test]
fn games_without_bids_and_negative_starts_are_refused() {
    let error = equilibrium(&super::game("fa21", 10, None), &Watch::silent()).unwrap_err();
    assert!(matches!(&error, BidError::NoBid { game } if game == "fa21"), "{error}");
    let negative = toy("max = 1\nscore = \"bid - 1\"\nfirst = \"true\"");
    let message = equilibrium(&negative, &Watch::silent()).unwrap_err().to_string();
    assert!(message.contains("gives -1 for 0 against 0"), "{message}");
}

#[test]
fn the_formula_that_has_no_value_is_named() {
    for (bid, parts) in [
        ("score = \"0\"\nfirst = \"1 / bid > 0\"", ["`first` gives no value", "true or false"]),
        ("score = \"1 / bid\"\nfirst = \"true\"", ["`score` gives no value", "0 or more"]),
        ("score = \"9000000000\"\nfirst = \"true\"", ["gives 9000000000", "at most 4294967295"]),
    ] {
        let game = toy(&format!("max = 1\n{bid}"));
        let message = equilibrium(&game, &Watch::silent()).unwrap_err().to_string();
        for part in parts {
            assert!(message.contains(part), "{part}: {message}");
        }
    }
}

#[test]
fn all_faults_of_a_bid_are_reported_when_the_file_is_read() {
    let text = "id = \"toy\"\n[bid]\nmax = \"goal\"\nscore = \"bid + points\"\nlast = \"true\"";
    let message = rules_from_text(text, "toy", Default::default()).unwrap_err().to_string();
    for fault in ["`points` is not known here", "unknown key `last`"] {
        assert!(message.contains(fault), "{fault}: {message}");
    }
    // An unknown key may be a misspelt one, so no key counts as missing beside it.
    let message = rules_from_text(&text.replace("last = \"true\"", ""), "toy", Default::default())
        .unwrap_err()
        .to_string();
    assert!(message.contains("the bid has no `first`"), "{message}");
}
