//! The cases of the handout of CS 61A, Spring 2015.

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
