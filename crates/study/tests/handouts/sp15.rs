//! The cases of the handout of CS 61A, Spring 2015.

use hog_rules::rules::formula::functions::is_prime;
use hog_study::sim;

use crate::course::*;

#[test]
fn sp15_introduction_pig_out() {
    let rules = game("sp15");
    assert_eq!(points(&rules, (20, 11), &[5, 6]), 11);
    assert_eq!(points(&rules, (20, 11), &[5, 1, 6]), 1);
}

#[test]
fn sp15_introduction_free_bacon_examples() {
    let rules = game("sp15");
    for (opponent, expected) in [(42, 5), (48, 9)] {
        assert_eq!(points(&rules, (21, opponent), &[]), expected, "zero dice against {opponent}");
    }
}

#[test]
fn sp15_introduction_hog_wild_sums() {
    let rules = game("sp15");
    for sum in [14, 21, 35] {
        assert_eq!(select_dice(&rules, (sum - 5, 5)), 4, "a sum of {sum}");
    }
}

#[test]
fn sp15_introduction_hogtimus_prime_examples() {
    let rules = game("sp15");
    assert_eq!(after(&rules, (5, 20), &[4]), (9, 24), "29 is prime, and the opponent leads");
    assert_eq!(after(&rules, (29, 34), &[4, 4]), (45, 34), "71 is prime, and the mover leads");
}

#[test]
fn sp15_introduction_a_prime_after_the_boost_is_not_boosted_again() {
    assert_eq!(after(&game("sp15"), (10, 5), &[2]), (14, 5), "17 is boosted to 19");
}

#[test]
fn sp15_introduction_equal_scores_are_not_boosted() {
    assert_eq!(after(&game("sp15"), (0, 1), &[1]), (1, 1), "2 is prime");
}

#[test]
fn sp15_problem_1_roll_dice_calls_the_dice_that_many_times_after_a_1_too() {
    let rules = game("sp15");
    let (from, mut dice) = (position(&rules, 20, 0), test_dice(&[4, 1, 2, 6]));
    assert_eq!(roll_dice(&rules, &from, 3, &mut dice), 1);
    assert_eq!(roll_dice(&rules, &from, 1, &mut dice), 6);
}

#[test]
fn sp15_problem_2_a_score_below_10_has_0_as_its_first_digit() {
    assert_eq!(zero_dice(&game("sp15"), 7), 8);
}

#[test]
fn sp15_problem_3_select_dice_gives_four_or_six_sides() {
    let rules = game("sp15");
    assert_eq!(
        [select_dice(&rules, (4, 24)), select_dice(&rules, (16, 64)), select_dice(&rules, (0, 0))],
        [4, 6, 4]
    );
}

#[test]
fn sp15_problem_4_is_prime() {
    let primes: Vec<u32> = (0..30).filter(|n| is_prime(*n)).collect();
    assert_eq!(primes, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]);
}

#[test]
fn sp15_problem_8_bacon_strategy() {
    let cases = [("5,5", 0, 42, 0), ("6,5", 0, 42, 5), ("9,5", 0, 48, 0), ("10,5", 0, 48, 5)];
    strategy_gives(&game("sp15"), "bacon_strategy", &cases);
}

#[test]
fn sp15_problem_9_prime_strategy() {
    let cases = [
        // 5 points against 4 make 33-4, a sum of 37: the mover leads and is boosted.
        ("20,5", 28, 4, 0),
        // 3 points against 20 make 6-20, a sum of 26: no boost, so the points decide.
        ("3,5", 3, 20, 0),
        ("4,5", 3, 20, 5),
        // 3 points against 20 make 9-20, a sum of 29: the opponent leads and would be boosted.
        ("1,5", 6, 20, 5),
    ];
    strategy_gives(&game("sp15"), "prime_strategy", &cases);
}

#[test]
fn sp15_problem_9_equal_scores_are_boosted_by_nobody() {
    // From 0-0, 1 point makes 1-0, whose sum is not prime. From 0-1, 2 points make 2-1: the sum 3
    // is prime, and the mover leads.
    let rules = game("sp15");
    strategy_gives(&rules, "prime_strategy", &[("2,5", 0, 0, 5), ("9,5", 0, 1, 0)]);
}

/// The handout says that prime_strategy "performs even better than bacon_strategy", which wins more
/// than half of the time.
#[test]
fn sp15_problems_8_and_9_win_rates() {
    let game = hog_solve::game::Game::new(game("sp15")).unwrap();
    let rate = |text: &str| {
        let [own, baseline] = [text, "always_roll:5"].map(|text| {
            let strategy: hog_study::strategy::Strategy = text.parse().unwrap();
            strategy.plan(&game, &hog_solve::solve::Watch::silent()).unwrap()
        });
        let trials = sim::Trials { games: 20_000, seed: 61 };
        sim::average_win_rate(&game, [&own, &baseline], trials, &hog_solve::solve::Watch::silent())
            .unwrap()
            .exact[2]
    };
    let (bacon, prime) = (rate("bacon_strategy:8,5"), rate("prime_strategy:8,5"));
    assert!(0.5 < bacon && bacon < prime, "{bacon} {prime}");
}
