//! The cases of the handout of CS 61A, Fall 2021.

use hog::game::{Position, PositionError};

use crate::course::*;

/// (num_rolls, outcomes of the test dice, points)
type RollCase<'a> = (usize, &'a [u32], i64);

/// The points of rolls from 20-0; the rules on rolls do not look at scores.
fn roll_dice_gives(cases: &[RollCase]) {
    let rules = game("fa21");
    for (num_rolls, outcomes, expected) in cases {
        let rolled = test_dice(outcomes).roll(*num_rolls);
        assert_eq!(points(&rules, (20, 0), &rolled), *expected, "roll_dice({num_rolls}, make_test_dice{outcomes:?})");
    }
}

/// (opponent's score, points of zero dice)
fn picky_piggy_gives(cases: &[(u32, i64)]) {
    let rules = game("fa21");
    for (score, expected) in cases {
        assert_eq!(points(&rules, (50, *score), &[]), *expected, "picky_piggy({score})");
    }
}

#[test]
fn fa21_problem_0_test_dice() {
    assert_eq!(test_dice(&[4, 1, 2]).roll(4), [4, 1, 2, 4]);
}

#[test]
fn fa21_rules_sow_sad_examples() {
    roll_dice_gives(&[(7, &[1, 1, 1, 1, 1, 4, 6], 1), (4, &[3], 12)]);
}

#[test]
fn fa21_rules_picky_piggy_examples() {
    picky_piggy_gives(&[(3, 2), (14, 4), (0, 7)]);
}

#[test]
fn fa21_problem_1_roll_dice() {
    roll_dice_gives(&[
        (2, &[4, 6, 1], 10),
        (3, &[4, 6, 1], 1),
        (4, &[2, 2, 3], 9),
        (4, &[1, 2, 3], 1),
        (9, &[6], 54),
        (7, &[2, 2, 2, 2, 2, 2, 1], 1),
    ]);
}

#[test]
fn fa21_problem_1_counted_dice_are_called_exactly_num_rolls_times() {
    let (rules, mut counted_dice) = (game("fa21"), test_dice(&[4, 1, 2, 6]));
    assert_eq!(points(&rules, (20, 0), &counted_dice.roll(3)), 1);
    assert_eq!(points(&rules, (20, 0), &counted_dice.roll(1)), 6);
}

#[test]
fn fa21_problem_1_fixed_dice() {
    roll_dice_gives(&[(2, &[3, 4], 7)]);
}

#[test]
fn fa21_problem_2_picky_piggy() {
    picky_piggy_gives(&[(0, 7), (1, 1), (2, 4), (5, 5), (24, 7)]);
}

#[test]
fn fa21_problem_2_hint_the_2nd_digit_repeats_every_6() {
    picky_piggy_gives(&[(2, 4), (8, 4), (14, 4), (20, 4), (26, 4), (32, 4)]);
    picky_piggy_gives(&[(1, 1), (2, 4), (3, 2), (4, 8), (5, 5), (6, 7)]);
}

#[test]
fn fa21_problem_3_take_turn() {
    roll_dice_gives(&[(2, &[4, 5, 1], 9), (3, &[4, 6, 1], 1)]);
    picky_piggy_gives(&[(2, 4), (0, 7)]);
}

#[test]
fn fa21_problem_4_hog_pile_example() {
    let rolls: [&[u32]; 4] = [&[2, 3], &[5], &[2, 4], &[1, 6, 5, 4, 3, 2, 6, 5]];
    assert_eq!(follow(&game("fa21"), &rolls), [(5, 0), (5, 10), (11, 10), (11, 22)]);
}

#[test]
fn fa21_problem_4_hog_pile() {
    let rules = game_to("fa21", 1000);
    for (score, opponent, extra) in
        [(25, 43, 0), (32, 33, 0), (7, 7, 7), (26, 26, 26), (23, 23, 23), (193, 42, 0), (187, 187, 187)]
    {
        let turn = turn_adding_up_to(&rules, (score, opponent));
        assert_eq!(turn.score - i64::from(score), extra, "hog_pile({score}, {opponent})");
        assert_eq!(turn.opponent, i64::from(opponent), "the opponent after hog_pile({score}, {opponent})");
    }
}

#[test]
fn fa21_problem_5_the_game_continues_while_both_scores_are_below_the_goal() {
    let rules = game("fa21");
    assert!(Position::new(&rules, 99, 99).is_ok());
    for (score, opponent) in [(100, 0), (0, 100), (100, 100)] {
        assert!(matches!(
            Position::new(&rules, score, opponent),
            Err(PositionError::Over { score: 100, goal: 100, .. })
        ));
    }
}

#[test]
fn fa21_problem_5_a_strategy_is_given_its_own_score_first() {
    let asked = std::cell::RefCell::new(Vec::new());
    let asks = |score, opponent| {
        asked.borrow_mut().push((score, opponent));
        1
    };
    play_with(&game_to("fa21", 10), [&asks, &asks], (3, 4), &[2, 5]);
    assert_eq!(*asked.borrow(), [(3, 4), (4, 5), (5, 9), (9, 7)]);
}

#[test]
fn fa21_problem_5_play_stops_at_the_goal() {
    let told = play_with(&game("fa21"), [&always(5), &always(3)], (91, 10), &[3]);
    assert_eq!(told, [(106, 10)]);
}

#[test]
fn fa21_problem_5_play_to_another_goal() {
    let told = play_with(&game_to("fa21", 10), [&always(5), &always(5)], (0, 0), &[3]);
    assert_eq!(told, [(15, 0)]);
}

#[test]
fn fa21_problem_5_play_uses_strategies() {
    let strategy_0 = |_, opponent: u32| opponent as usize % 10;
    let strategy_1 = |score: u32, _| (score as usize / 10).saturating_sub(4);
    let told = play_with(&game_with_die("fa21", 10), [&strategy_0, &strategy_1], (71, 80), &[7]);
    assert_eq!(told, [(75, 80), (75, 108)]);
}

#[test]
fn fa21_problem_6_scores_echoed_with_dice_of_3() {
    let told = play_with(&game_to("fa21", 5), [&always(1), &always(1)], (0, 0), &[3]);
    assert_eq!(told, [(3, 0), (3, 6)]);
}

#[test]
fn fa21_problem_6_scores_counted_with_dice_of_5() {
    let told = play_with(&game_to("fa21", 15), [&always(1), &always(1)], (0, 0), &[5]);
    assert_eq!(told.iter().map(|scores| scores.0).collect::<Vec<_>>(), [5, 5, 20]);
}

#[test]
fn fa21_problem_6_scores_echoed_with_zero_dice_among_the_turns() {
    let strategy_0 = |_, opponent: u32| 1 - opponent as usize / 10;
    let told = play_with(&game_to("fa21", 15), [&strategy_0, &always(3)], (0, 0), &[4, 2, 6]);
    assert_eq!(told, [(4, 0), (4, 12), (11, 12), (11, 24)]);
}

#[test]
fn fa21_problem_6_scores_echoed_and_totalled_in_turn() {
    let told = play_with(&game_to("fa21", 10), [&always(1), &always(1)], (0, 0), &[2, 5]);
    assert_eq!((told[0], told[2]), ((2, 0), (4, 5)));
    assert_eq!((told[1].0 + told[1].1, told[3].0 + told[3].1, told.len()), (7, 14, 4));
}

#[test]
fn fa21_problem_6_scores_echoed_by_two_voices() {
    let told = play_with(&game_to("fa21", 5), [&always(1), &always(1)], (0, 0), &[2]);
    assert_eq!(told, [(2, 0), (2, 4), (8, 4)]);
}
