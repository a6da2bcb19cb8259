//! The cases of the handout of CS 61A, Summer 2015.

use crate::course::*;

const FOUR_SIDED: usize = 4;
const SIX_SIDED: usize = 6;

/// (num_rolls, outcomes of the test dice, points) from 20-0, where six-sided dice are rolled.
fn roll_dice_gives(cases: &[(usize, &[u32], i64)]) {
    let rules = game("su15");
    for (num_rolls, outcomes, expected) in cases {
        let rolled = test_dice(outcomes).roll(*num_rolls);
        assert_eq!(points(&rules, (20, 0), &rolled), *expected, "roll_dice({num_rolls}, make_test_dice{outcomes:?})");
    }
}

/// (opponent's score, points of zero dice)
fn free_bacon_gives(cases: &[(u32, i64)]) {
    let rules = game("su15");
    for (score, expected) in cases {
        assert_eq!(points(&rules, (20, *score), &[]), *expected, "take_turn(0, {score})");
    }
}

/// `play` to the end where four-sided dice always show 1 and six-sided dice always show 3.
fn play_ones_and_threes(goal: u32, num_rolls: [usize; 2], scores: (u32, u32)) -> Vec<(i64, i64)> {
    let rules = game_to("su15", goal);
    let dice = |scores, num_rolls| match select_dice(&rules, scores) {
        FOUR_SIDED => vec![1; num_rolls],
        _ => vec![3; num_rolls],
    };
    play(&rules, [&always(num_rolls[0]), &always(num_rolls[1])], scores, dice)
}

#[test]
fn su15_introduction_free_bacon_examples() {
    free_bacon_gives(&[(42, 5), (48, 9), (7, 8)]);
}

#[test]
fn su15_introduction_hog_wild_sums() {
    let rules = game("su15");
    for sum in [14, 21, 35] {
        assert_eq!(select_dice(&rules, (sum - 5, 5)), FOUR_SIDED, "a sum of {sum}");
    }
}

#[test]
fn su15_introduction_swine_swap_examples() {
    let rules = game("su15");
    assert_eq!(after(&rules, (12, 91), &[3, 4]), (91, 19));
    assert_eq!(after(&rules, (5, 80), &[3]), (80, 8), "the mover is Player 1");
    assert_eq!(after(&rules, (90, 70), &[2, 2, 2, 2, 3, 3, 3]), (70, 107), "the mover has lost");
}

#[test]
fn su15_problem_0_test_dice() {
    assert_eq!(test_dice(&[1, 2, 3]).roll(5), [1, 2, 3, 1, 2]);
}

#[test]
fn su15_problem_1_roll_dice() {
    let outcomes = &[4, 2, 1, 3];
    roll_dice_gives(&[(1, outcomes, 4), (2, outcomes, 6), (3, outcomes, 1), (4, outcomes, 1)]);
}

#[test]
fn su15_problem_2_take_turn() {
    roll_dice_gives(&[(2, &[4, 6, 1], 10), (3, &[4, 6, 1], 1), (2, &[6], 12)]);
    free_bacon_gives(&[(35, 6), (71, 8), (7, 8), (0, 1), (9, 10), (50, 6)]);
}

#[test]
fn su15_problem_3_select_dice() {
    let rules = game_to("su15", 1000);
    for (score, opponent, sides) in [(4, 24, FOUR_SIDED), (16, 64, SIX_SIDED), (0, 0, FOUR_SIDED), (50, 80, SIX_SIDED)]
    {
        assert_eq!(select_dice(&rules, (score, opponent)), sides, "select_dice({score}, {opponent})");
    }
}

#[test]
fn su15_problem_4_is_swap() {
    let rules = game_to("su15", 1000);
    for (score, opponent, expected) in
        [(19, 91, true), (20, 40, false), (41, 14, true), (23, 42, false), (55, 55, true), (114, 41, true)]
    {
        assert_eq!(is_swap(&rules, (score, opponent)), expected, "is_swap({score}, {opponent})");
    }
}

#[test]
fn su15_problem_5_play() {
    assert_eq!(play_ones_and_threes(100, [5, 3], (91, 10)), [(106, 10)]);
}

#[test]
fn su15_problem_5_play_to_other_goals() {
    assert_eq!(play_ones_and_threes(10, [5, 5], (0, 0)), [(1, 0), (1, 15)]);
    assert_eq!(play_ones_and_threes(50, [5, 3], (36, 15)), [(15, 51)]);
}

#[test]
fn su15_problem_5_play_swaps_scores_of_3_digits() {
    assert_eq!(play_ones_and_threes(100, [5, 3], (98, 31)), [(31, 113)]);
}

#[test]
fn su15_problem_5_play_goal_edge_case() {
    assert_eq!(play_ones_and_threes(100, [4, 3], (88, 20)), [(100, 20)]);
}
