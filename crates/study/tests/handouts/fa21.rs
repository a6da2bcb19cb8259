//! The cases of the handout of CS 61A, Fall 2021.

use hog_solve::game::{Position, PositionError, settle};

use hog_study::sim;

use crate::course::*;

/// (num_rolls, outcomes of the test dice, points)
type RollCase<'a> = (usize, &'a [u32], i64);

/// Asserts the points of rolls from 20-0; the rules on rolls do not depend on the scores.
fn roll_dice_gives(cases: &[RollCase]) {
    let rules = game("fa21");
    for (num_rolls, outcomes, expected) in cases {
        let rolled = called(&mut test_dice(outcomes), *num_rolls);
        assert_eq!(
            points(&rules, (20, 0), &rolled),
            *expected,
            "roll_dice({num_rolls}, make_test_dice{outcomes:?})"
        );
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
    assert_eq!(called(&mut test_dice(&[4, 1, 2]), 4), [4, 1, 2, 4]);
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
    let from = position(&rules, 20, 0);
    assert_eq!(roll_dice(&rules, &from, 3, &mut counted_dice), 1);
    assert_eq!(roll_dice(&rules, &from, 1, &mut counted_dice), 6);
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
    for (score, opponent, extra) in [
        (25, 43, 0),
        (32, 33, 0),
        (7, 7, 7),
        (26, 26, 26),
        (23, 23, 23),
        (193, 42, 0),
        (187, 187, 187),
    ] {
        let turn = turn_adding_up_to(&rules, score, opponent);
        assert_eq!(turn.score - i64::from(score), extra, "hog_pile({score}, {opponent})");
        assert_eq!(
            turn.opponent,
            i64::from(opponent),
            "the opponent after hog_pile({score}, {opponent})"
        );
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
    let calls = std::sync::Mutex::new(Vec::new());
    let asks = |score, opponent| {
        calls.lock().unwrap().push((score, opponent));
        1
    };
    play_with(&game_to("fa21", 10), [&asks, &asks], (3, 4), &[2, 5]);
    assert_eq!(*calls.lock().unwrap(), [(3, 4), (4, 5), (5, 9), (9, 7)]);
}

#[test]
fn fa21_problem_5_play_stops_at_the_goal() {
    let scores = play_with(&game("fa21"), [&always(5), &always(3)], (91, 10), &[3]);
    assert_eq!(scores, [(106, 10)]);
}

#[test]
fn fa21_problem_5_play_to_another_goal() {
    let scores = play_with(&game_to("fa21", 10), [&always(5), &always(5)], (0, 0), &[3]);
    assert_eq!(scores, [(15, 0)]);
}

#[test]
fn fa21_problem_5_play_uses_strategies() {
    let strategy_0 = |_, opponent: u32| opponent as i32 % 10;
    let strategy_1 = |score: u32, _| (score as i32 / 10 - 4).max(0);
    let scores = play_with(&game_with_die("fa21", 10), [&strategy_0, &strategy_1], (71, 80), &[7]);
    assert_eq!(scores, [(75, 80), (75, 108)]);
}

#[test]
fn fa21_problem_6_scores_echoed_with_dice_of_3() {
    let scores = play_with(&game_to("fa21", 5), [&always(1), &always(1)], (0, 0), &[3]);
    assert_eq!(scores, [(3, 0), (3, 6)]);
}

#[test]
fn fa21_problem_6_scores_counted_with_dice_of_5() {
    let played = play_with(&game_to("fa21", 15), [&always(1), &always(1)], (0, 0), &[5]);
    assert_eq!(played.iter().map(|scores| scores.0).collect::<Vec<_>>(), [5, 5, 20]);
}

#[test]
fn fa21_problem_6_scores_echoed_with_zero_dice_among_the_turns() {
    let strategy_0 = |_, opponent: u32| 1 - opponent as i32 / 10;
    let scores = play_with(&game_to("fa21", 15), [&strategy_0, &always(3)], (0, 0), &[4, 2, 6]);
    assert_eq!(scores, [(4, 0), (4, 12), (11, 12), (11, 24)]);
}

#[test]
fn fa21_problem_6_scores_echoed_and_totalled_in_turn() {
    let scores = play_with(&game_to("fa21", 10), [&always(1), &always(1)], (0, 0), &[2, 5]);
    assert_eq!((scores[0], scores[2]), ((2, 0), (4, 5)));
    assert_eq!((scores[1].0 + scores[1].1, scores[3].0 + scores[3].1, scores.len()), (7, 14, 4));
}

#[test]
fn fa21_problem_6_scores_echoed_by_two_voices() {
    let scores = play_with(&game_to("fa21", 5), [&always(1), &always(1)], (0, 0), &[2]);
    assert_eq!(scores, [(2, 0), (2, 4), (8, 4)]);
}

#[test]
fn fa21_problem_2_picky_piggy_by_its_name() {
    let rules = game("fa21");
    let points = [0, 1, 2, 5, 24].map(|score| zero_dice(&rules, score));
    assert_eq!(points, [7, 1, 4, 5, 7]);
}

#[test]
fn fa21_problem_3_take_turn_by_its_name() {
    let rules = game("fa21");
    let turn = |num_rolls, opponent, outcomes| {
        let from = position(&rules, 20, opponent);
        sim::take_turn(&rules, &from, num_rolls, &mut test_dice(outcomes)).unwrap().turn.points
    };
    assert_eq!(
        [turn(2, 0, &[4, 5, 1]), turn(3, 0, &[4, 6, 1]), turn(0, 2, &[1]), turn(0, 0, &[1])],
        [9, 1, 4, 7]
    );
}

#[test]
fn fa21_problem_4_hog_pile_by_its_name() {
    let rules = game("fa21");
    let cases = [(25, 43), (32, 33), (7, 7), (26, 26), (23, 23), (193, 42), (187, 187)];
    let given = cases.map(|(score, opponent)| {
        settle(&rules, score, opponent, 0).unwrap().score - i64::from(score)
    });
    assert_eq!(given, [0, 0, 7, 26, 23, 0, 187]);
}

#[test]
fn fa21_phase_2_announce_lead_changes_doctest() {
    let (leads, _) = commented(&[(5, 0), (5, 12), (8, 12), (8, 13), (15, 13)]);
    let lead = |player: u32, by: u32| Some(format!("Player {player} takes the lead by {by}"));
    assert_eq!(leads, [lead(0, 5), lead(1, 7), None, None, lead(0, 2)]);
}

#[test]
fn fa21_phase_2_who_leads_again_after_a_tie_takes_the_lead() {
    let (leads, _) = commented(&[(10, 0), (10, 10), (15, 10)]);
    assert_eq!(leads[1], None);
    assert_eq!(leads[2].as_deref(), Some("Player 0 takes the lead by 5"));
}

/// The doctest of the starter file, whose words the handout quotes in Phase 2, of both players.
#[test]
fn fa21_problem_7_announce_highest_doctest() {
    let scores = [(12, 0), (12, 9), (20, 9), (20, 30), (20, 47), (21, 47), (21, 77)];
    let (_, records) = commented(&scores);
    let record =
        |gain, player| vec![format!("{gain} point(s)! That's a record gain for Player {player}!")];
    let expected =
        [record(12, 0), record(9, 1), vec![], record(21, 1), vec![], vec![], record(30, 1)];
    assert_eq!(records, expected);
}

#[test]
fn fa21_problem_7_a_gain_counts_from_the_score_before_the_turn() {
    let (_, records) = commented(&[(0, 22), (22, 22)]);
    assert_eq!(records[1], ["22 point(s)! That's a record gain for Player 0!"]);
}

#[test]
fn fa21_problem_7_the_commentary_of_the_gui() {
    let scores = play_with(&game_to("fa21", 5), [&always(1), &always(1)], (0, 0), &[3]);
    let (leads, records) = commented(&scores);
    assert_eq!(records[0], ["3 point(s)! That's a record gain for Player 0!"]);
    assert_eq!(leads[0].as_deref(), Some("Player 0 takes the lead by 3"));
    assert_eq!(records[1], ["6 point(s)! That's a record gain for Player 1!"]);
    assert_eq!(leads[1].as_deref(), Some("Player 1 takes the lead by 3"));
}

#[test]
fn fa21_problem_10_picky_piggy_strategy() {
    let cases = [
        ("7,5", 0, 4, 0),
        ("6,5", 9, 0, 0),
        ("7,5", 50, 3, 5),
        ("8,4", 32, 0, 4),
        ("1,4", 20, 0, 0),
    ];
    strategy_gives(&game("fa21"), "picky_piggy_strategy", &cases);
}

#[test]
fn fa21_problem_11_hog_pile_strategy() {
    let cases = [("10,6", 2, 10, 0), ("10,6", 30, 54, 6), ("7,6", 20, 36, 0), ("8,6", 24, 5, 6)];
    strategy_gives(&game("fa21"), "hog_pile_strategy", &cases);
}
