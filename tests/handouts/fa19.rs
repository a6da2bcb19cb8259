//! The cases of the handout of CS 61A, Fall 2019.

use hog::rules::Rules;

use crate::course::*;

/// The points of a roll after a turn with as many dice: without Feral Hogs, as in `roll_dice`.
fn roll_dice(rules: &Rules, outcomes: &[u32]) -> i64 {
    let position = position(rules, (20, 0)).with_memory(rules, "last_dice", outcomes.len() as i64);
    turn_from(rules, &position.unwrap_or_else(|e| panic!("{e}")), outcomes).points
}

fn free_bacon_gives(cases: &[(u32, i64)]) {
    let rules = game("fa19");
    for (score, expected) in cases {
        assert_eq!(points(&rules, (20, *score), &[]), *expected, "free_bacon({score})");
    }
}

#[test]
fn fa19_problem_1_pig_out_examples() {
    let rules = game("fa19");
    assert_eq!(roll_dice(&rules, &[1, 1, 1, 1, 1, 4, 6]), 1);
    assert_eq!(roll_dice(&rules, &[3, 3, 3, 3]), 12);
}

#[test]
fn fa19_problem_1_fixed_dice() {
    assert_eq!(roll_dice(&game("fa19"), &test_dice(&[3, 4]).roll(2)), 7);
}

#[test]
fn fa19_problem_2_a_score_below_10_has_0_as_its_first_digit() {
    free_bacon_gives(&[(0, 10), (9, 10), (10, 10), (11, 9)]);
}

#[test]
fn fa19_problem_3_free_bacon_examples() {
    free_bacon_gives(&[(13, 9), (85, 5), (7, 10)]);
}

#[test]
fn fa19_problem_4_is_swap() {
    let rules = game_to("fa19", 1000);
    for (score, opponent, expected) in
        [(2, 4, false), (22, 4, false), (28, 4, true), (124, 2, true), (44, 28, true), (2, 0, false), (10, 0, true)]
    {
        assert_eq!(is_swap(&rules, (score, opponent)), expected, "is_swap({score}, {opponent})");
    }
}

#[test]
fn fa19_problem_5b_feral_hogs_example_1() {
    let rolls: [&[u32]; 6] = [&[1, 4, 6], &[1, 4, 6, 2], &[1, 4, 6, 2, 3], &[1, 4], &[1, 4, 6, 2, 3, 5, 6], &[]];
    let scores = [(1, 0), (1, 1), (5, 1), (5, 5), (9, 5), (9, 18)];
    assert_eq!(follow(&game("fa19"), &rolls), scores);
}

/// The handout's two dice get 3 points, and so 6-0, which no roll does: 1 and 2 are Pig Out. Here they get 5 or 1.
#[test]
fn fa19_problem_5b_feral_hogs_example_2_with_points_that_two_dice_can_score() {
    let rules = game("fa19");
    assert_eq!(follow(&rules, &[&[2, 3]]), [(5 + 3, 0)]);
    assert_eq!(follow(&rules, &[&[1, 2]]), [(1 + 3, 0)]);
}
