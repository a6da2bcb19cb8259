//! The cases of the handout of Nanjing University's SICP course, 2021.

use crate::course::*;

/// (own score, outcomes, points)
fn roll_gives(cases: &[(u32, &[u32], i64)]) {
    let rules = game("nju21");
    for (score, outcomes, expected) in cases {
        assert_eq!(points(&rules, (*score, 30), outcomes), *expected, "roll_dice({score}, {outcomes:?})");
    }
}

/// (opponent's score, points of zero dice)
fn picky_piggy_gives(cases: &[(u32, i64)]) {
    let rules = game("nju21");
    for (score, expected) in cases {
        assert_eq!(points(&rules, (50, *score), &[]), *expected, "picky_piggy({score})");
    }
}

/// The examples leave Feral Hogs out: from an even score odd outcomes earn nothing extra.
#[test]
fn nju21_rules_pig_out_examples() {
    roll_gives(&[(10, &[1, 1, 1, 1, 1, 3, 5], 1), (10, &[3, 3, 3, 3], 12)]);
}

#[test]
fn nju21_rules_picky_piggy_examples() {
    picky_piggy_gives(&[(3, 7), (13, 0), (0, 1)]);
}

#[test]
fn nju21_rules_feral_hogs_examples() {
    roll_gives(&[(21, &[1, 3, 5], 4), (40, &[2, 3, 4, 5], 16), (60, &[3], 3)]);
}

#[test]
fn nju21_rules_swine_swap_examples() {
    let rules = game("nju21");
    assert_eq!(after(&rules, (0, 4), &[1, 2]), (2, 4), "3^(2+4) = 729");
    assert_eq!(after(&rules, (8, 1), &[3]), (11, 1), "3^(11+1) = 531441");
    assert_eq!(after(&rules, (18, 4), &[5]), (4, 23), "3^(23+4) = 7625597484987");
}

/// The handout prints 7, as its model of Fall 2021 does, whose `roll_dice` takes no score. By this handout's own
/// Feral Hogs one of 3 and 4 has the score's parity, whatever the score: 7 and 1 extra.
#[test]
fn nju21_problem_1_fixed_dice_score_8_not_the_7_printed() {
    roll_gives(&[(20, &[3, 4], 7 + 1), (21, &[3, 4], 7 + 1)]);
}

#[test]
fn nju21_problem_2_hint_the_2nd_digit_repeats_every_6() {
    picky_piggy_gives(&[(2, 4), (8, 4), (14, 4), (20, 4), (26, 4), (32, 4)]);
    picky_piggy_gives(&[(1, 0), (2, 4), (3, 7), (4, 6), (5, 1), (6, 9)]);
}
