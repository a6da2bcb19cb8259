//! The cases of the handout of Nanjing University's SICP course, 2021.

use hog_solve::game::settle;

use crate::course::*;

/// (own score, outcomes, points)
fn roll_gives(cases: &[(u32, &[u32], i64)]) {
    let rules = game("nju21");
    for (score, outcomes, expected) in cases {
        assert_eq!(
            points(&rules, (*score, 30), outcomes),
            *expected,
            "roll_dice({score}, {outcomes:?})"
        );
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

/// The handout prints 7, as its model of Fall 2021 does, whose `roll_dice` takes no score. But by
/// the Feral Hogs of this handout one of 3 and 4 has the parity of the score, whatever the score
/// is: 7 and 1 extra.
#[test]
fn nju21_problem_1_fixed_dice_score_8_not_the_7_printed() {
    roll_gives(&[(20, &[3, 4], 7 + 1), (21, &[3, 4], 7 + 1)]);
}

#[test]
fn nju21_problem_2_hint_the_2nd_digit_repeats_every_6() {
    picky_piggy_gives(&[(2, 4), (8, 4), (14, 4), (20, 4), (26, 4), (32, 4)]);
    picky_piggy_gives(&[(1, 0), (2, 4), (3, 7), (4, 6), (5, 1), (6, 9)]);
}

#[test]
fn nju21_problem_2_picky_piggy_by_its_name() {
    let rules = game("nju21");
    assert_eq!([3, 13, 0].map(|score| zero_dice(&rules, score)), [7, 0, 1]);
}

#[test]
fn nju21_problem_1_roll_dice_takes_the_score_and_counts_feral_hogs() {
    let rules = game("nju21");
    let roll = |score, outcomes: &[u32]| {
        let from = position(&rules, score, 30);
        roll_dice(&rules, &from, outcomes.len() as i32, &mut test_dice(outcomes))
    };
    assert_eq!([roll(21, &[1, 3, 5]), roll(40, &[2, 3, 4, 5]), roll(60, &[3])], [4, 16, 3]);
}

#[test]
fn nju21_problem_4_swine_swap_by_its_name() {
    let rules = game("nju21");
    let swapped = [(2, 4), (11, 1), (23, 4)]
        .map(|(score, opponent)| settle(&rules, score, opponent, 0).unwrap().swapped);
    assert_eq!(swapped, [false, false, true]);
}

#[test]
fn nju21_phase_2_the_record_gain_of_the_introduction() {
    let (_, records) = commented(&[(0, 22)]);
    assert_eq!(records, [["22 point(s)! That's a record gain for Player 1!"]]);
}

#[test]
fn nju21_problem_10_picky_piggy_strategy_takes_at_least_cutoff_points() {
    // The 3rd digit of 1/21 is 7, the 4th 6.
    let cases = [
        ("7,5", 40, 3, 0),
        ("7,5", 40, 4, 5),
        ("1,4", 40, 0, 0),
        ("0,4", 40, 13, 0),
        ("1,4", 40, 13, 4),
    ];
    strategy_gives(&game("nju21"), "picky_piggy_strategy", &cases);
}

/// A swap is judged by what the player gains in the turn, not by its points.
#[test]
fn nju21_problem_11_swine_swap_strategy_asks_for_the_gain_of_the_turn() {
    let rules = game("nju21");
    let (score, opponent, gain) = (0..100)
        .flat_map(|score| (0..100).map(move |opponent| (score, opponent)))
        .find_map(|(score, opponent)| {
            let turn = turn(&rules, (score, opponent), &[]);
            let gain = turn.score - i64::from(score);
            (turn.swapped && gain > turn.points + 5).then_some((score, opponent, gain))
        })
        .expect("a swap that gains");
    let strategy = |cutoff: i64| format!("{cutoff},6");
    let [enough, more] = [strategy(gain), strategy(gain + 1)];
    strategy_gives(
        &rules,
        "swine_swap_strategy",
        &[(&enough, score, opponent, 0), (&more, score, opponent, 6)],
    );
    // Without a swap no number of points is enough.
    assert!(!turn(&rules, (40, 3), &[]).swapped);
    strategy_gives(&rules, "swine_swap_strategy", &[("0,6", 40, 3, 6)]);
}
