//! The cases of the handout of CS 61A, Fall 2019.

use hog_rules::rules::Rules;

use hog_study::sim;

use crate::course::*;

/// Returns the points of a roll after a turn with as many dice, so that Feral Hogs do not apply, as
/// in `roll_dice`.
fn roll_after(rules: &Rules, outcomes: &[u32]) -> i64 {
    let position = position(rules, 20, 0).with_memory(rules, "last_dice", outcomes.len() as i64);
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
    assert_eq!(roll_after(&rules, &[1, 1, 1, 1, 1, 4, 6]), 1);
    assert_eq!(roll_after(&rules, &[3, 3, 3, 3]), 12);
}

#[test]
fn fa19_problem_1_fixed_dice() {
    assert_eq!(roll_after(&game("fa19"), &called(&mut test_dice(&[3, 4]), 2)), 7);
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
    for (score, opponent, expected) in [
        (2, 4, false),
        (22, 4, false),
        (28, 4, true),
        (124, 2, true),
        (44, 28, true),
        (2, 0, false),
        (10, 0, true),
    ] {
        assert_eq!(is_swap(&rules, (score, opponent)), expected, "is_swap({score}, {opponent})");
    }
}

#[test]
fn fa19_problem_5b_feral_hogs_example_1() {
    let rolls: [&[u32]; 6] =
        [&[1, 4, 6], &[1, 4, 6, 2], &[1, 4, 6, 2, 3], &[1, 4], &[1, 4, 6, 2, 3, 5, 6], &[]];
    let scores = [(1, 0), (1, 1), (5, 1), (5, 5), (9, 5), (9, 18)];
    assert_eq!(follow(&game("fa19"), &rolls), scores);
}

/// In the handout two dice get 3 points, and so 6-0; but no two dice can score 3, since 1 and 2 are
/// Pig Out. Here they get 5, or 1.
#[test]
fn fa19_problem_5b_feral_hogs_example_2_with_points_that_two_dice_can_score() {
    let rules = game("fa19");
    assert_eq!(follow(&rules, &[&[2, 3]]), [(5 + 3, 0)]);
    assert_eq!(follow(&rules, &[&[1, 2]]), [(1 + 3, 0)]);
}

#[test]
fn fa19_problem_0_test_dice() {
    assert_eq!(called(&mut test_dice(&[4, 1, 2]), 1), [4]);
}

/// "You can't implement the feral hogs rule in this problem": as a turn from 0-0, two dice would
/// get 3 points more.
#[test]
fn fa19_problem_1_roll_dice_leaves_feral_hogs_out() {
    let rules = game("fa19");
    let from = position(&rules, 0, 0);
    assert_eq!(roll_dice(&rules, &from, 2, &mut test_dice(&[3, 4])), 7);
    let turn = sim::take_turn(&rules, &from, 2, &mut test_dice(&[3, 4])).unwrap().turn;
    assert_eq!((turn.rolled, turn.points), (7, 10));
}

#[test]
fn fa19_problem_2_free_bacon_by_its_name() {
    let rules = game("fa19");
    assert_eq!([13, 85, 7].map(|score| zero_dice(&rules, score)), [9, 5, 10]);
}

/// Zero dice score 9 points against 13, 5 against 85 and 10 against 7.
#[test]
fn fa19_problem_10_bacon_strategy() {
    let cases = [
        ("9,4", 20, 13, 0),
        ("10,4", 20, 13, 4),
        ("5,4", 20, 85, 0),
        ("6,4", 20, 85, 4),
        ("10,4", 20, 7, 0),
    ];
    strategy_gives(&game("fa19"), "bacon_strategy", &cases);
}

/// Zero dice at 3-28 score 8 points, and 11-28 is not swapped. Then every seventh pair of scores is
/// tried for a swap.
#[test]
fn fa19_problem_11_swap_strategy() {
    let rules = game("fa19");
    assert!(!turn(&rules, (3, 28), &[]).swapped);
    strategy_gives(&rules, "swap_strategy", &[("8,4", 3, 28, 0), ("9,4", 3, 28, 4)]);
    for (score, opponent) in
        (0..100).flat_map(|score| (0..100).map(move |opponent| (score, opponent))).step_by(7)
    {
        let turn = turn(&rules, (score, opponent), &[]);
        let added = i64::from(score) + turn.points;
        // A swap is beneficial, detrimental, or neither if the scores are equal.
        let swap =
            if turn.swapped { i64::from(opponent).cmp(&added) } else { std::cmp::Ordering::Equal };
        let expected = match swap {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Less => 4,
            std::cmp::Ordering::Equal if turn.points >= 9 => 0,
            std::cmp::Ordering::Equal => 4,
        };
        if turn.swapped {
            strategy_gives(&rules, "swap_strategy", &[("9,4", score, opponent, expected)]);
        }
    }
}
