//! Games with 30 dice, whose numbers of rolls exceed 64 bits, worked out by hand.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use hog_solve::game::Plan;
use hog_solve::solve::{Arithmetic, SolveError, Watch, equilibrium};
use hog_study::sim::simulate;

use super::toy::{Toy, game};

const THIRTY: &str = "min_dice = 30\nmax_dice = 30\n";

#[test]
fn thirty_dice_without_a_one_win_immediately() {
    // p = (5/6)^30 = 931322574615478515625/221073919720733357899776; otherwise the turn scores 1.
    let toy = Toy::new(&format!("goal = 2\n{THIRTY}"));
    toy.start(
        "48668654210332596892869958236015299819029990801/\
         48873677980689257489322752273774603865660850176",
        &[30],
    );
    toy.state((0, 1), &[], "931322574615478515625/221073919720733357899776", &[30]).state(
        (1, 0),
        &[],
        "1",
        &[30],
    );
}

#[test]
fn thirty_dice_that_score_nothing_with_a_one() {
    // A roll with a 1 scores nothing: v = p + (1 - p) (1 - v) = 1/(2 - p).
    let toy = Toy::new(&format!("goal = 2\n{THIRTY}[[rule]]\nname = \"Nothing\"\nbust = \"0\""));
    toy.start("221073919720733357899776/441216516866851237283927", &[30]);
}

/// Faces 2 and 3 have equal weights, in 6^30 rolls: 30 dice score 75 points on average.
const HIGH: &str = "[[rule]]\nname = \"High\"\ndie = \"[0, 3, 3]\"";

#[test]
fn the_most_dice_are_best_where_fewer_win_less_often() {
    // The opponent wins in the next turn, so v(0, 60) is the chance that 16 or more of 30 dice show
    // a 3: (1 - C(30, 15)/2^30)/2. With 29 dice, 18 would have to.
    let toy = Toy::new(&format!("goal = 76\nmin_dice = 29\nmax_dice = 30\n{HIGH}"));
    toy.state((0, 60), &[], "57414019/134217728", &[30]);
}

#[test]
fn simulation_agrees_with_the_weights_of_thirty_dice() {
    // A player who does not win in the first turn wins in the second with p as above: v(0, 0) = p +
    // (1 - p) (1 - p).
    let game = game(&format!("goal = 76\n{THIRTY}{HIGH}"));
    let plan = Plan::from_actions(vec![0; game.space().states()]);
    let [tally, _] = simulate(&game, [&plan, &plan], [40_000, 0], 30, &Watch::silent()).unwrap();
    let p = 57_414_019.0 / 134_217_728.0;
    let expected = p + (1.0 - p) * (1.0 - p);
    // Six standard deviations.
    assert!((tally.win_rate() - expected).abs() < 0.015, "{}, not {expected}", tally.win_rate());
}

#[test]
fn a_game_that_scores_once_in_a_billion_turns_is_solved() {
    // All 30 coins must show a 2, once in 2^30 rolls. The first such roll wins: p + (1 - p) (1 - v)
    // = v, so v = 1/(2 - p).
    let coins =
        game(&format!("goal = 60\n{THIRTY}[[rule]]\nname = \"Coins\"\ndie = \"2\"\nbust = \"0\""));
    let exact = equilibrium(&coins, Arithmetic::Exact, &Watch::silent()).expect("few fractions");
    assert_eq!(exact.first_fraction().expect("exact").to_string(), "1073741824/2147483647");
    let floats = equilibrium(&coins, Arithmetic::Float, &Watch::silent())
        .expect("floats fall back to fractions");
    assert!((floats.first() - exact.first()).abs() <= floats.error_bound, "{}", floats.first());
    assert!(floats.error_bound < 1e-11, "{}", floats.error_bound);
}

#[test]
fn exact_arithmetic_can_be_cancelled_in_an_acyclic_game() {
    let (calls, game) = (AtomicUsize::new(0), game("goal = 30\nmax_dice = 25"));
    let stop = |_: usize, of: usize| calls.fetch_add(usize::from(of > 1), Relaxed) < 4;
    let stopped = equilibrium(&game, Arithmetic::Exact, &Watch::new(&stop));
    assert_eq!(stopped.err(), Some(SolveError::Cancelled));
    assert_eq!(calls.into_inner(), 5, "the work continued after it was cancelled");
}
