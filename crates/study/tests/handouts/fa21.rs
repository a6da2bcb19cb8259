//! The cases of the handout of CS 61A, Fall 2021.

use hog_solve::game::{Position, PositionError};

use hog_study::sim::{self, Commentary, announce_highest, announce_lead_changes, both, say_scores};

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
    let (rules, mut counted_dice) = (game("fa21"), sim::make_test_dice([4, 1, 2, 6]));
    let from = position(&rules, 20, 0);
    assert_eq!(sim::roll_dice(&rules, &from, 3, &mut counted_dice).unwrap(), 1);
    assert_eq!(sim::roll_dice(&rules, &from, 1, &mut counted_dice).unwrap(), 6);
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
fn fa21_problem_0_a_die_is_rolled_by_calling_it() {
    let mut six_sided = sim::six_sided(0);
    let outcomes: Vec<u32> = (0..1000).map(|_| six_sided.outcome()).collect();
    assert!(
        (1..=6).all(|face| outcomes.contains(&face))
            && outcomes.iter().all(|face| (1..=6).contains(face))
    );
    let mut four_sided = sim::make_fair_dice(4, 0).unwrap();
    assert!((0..1000).all(|_| (1..=4).contains(&four_sided.outcome())));
}

#[test]
fn fa21_problem_2_picky_piggy_by_its_name() {
    let rules = game("fa21");
    let points = [0, 1, 2, 5, 24].map(|score| sim::picky_piggy(&rules, score).unwrap());
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
    let given = cases.map(|(score, opponent)| sim::hog_pile(&rules, score, opponent).unwrap());
    assert_eq!(given, [0, 0, 7, 26, 23, 0, 187]);
}

#[test]
fn fa21_phase_2_announce_lead_changes_doctest() {
    let scores = [(5, 0), (5, 12), (8, 12), (8, 13), (15, 13)];
    let said = commented(announce_lead_changes(None), &scores);
    let expected = [
        "Player 0 takes the lead by 5\n",
        "Player 1 takes the lead by 7\n",
        "",
        "",
        "Player 0 takes the lead by 2\n",
    ];
    assert_eq!(said, expected);
}

#[test]
fn fa21_phase_2_both_doctest() {
    let said =
        commented(both(say_scores(), announce_lead_changes(None)), &[(10, 0), (10, 8), (10, 17)]);
    let expected = [
        "Player 0 now has 10 and Player 1 now has 0\nPlayer 0 takes the lead by 10\n",
        "Player 0 now has 10 and Player 1 now has 8\n",
        "Player 0 now has 10 and Player 1 now has 17\nPlayer 1 takes the lead by 7\n",
    ];
    assert_eq!(said, expected);
}

#[test]
fn fa21_problem_6_a_commentary_returns_another_commentary() {
    let (_, next): (String, Commentary) = say_scores().say(1, 2);
    assert_eq!(next.say(3, 4).0, "Player 0 now has 3 and Player 1 now has 4\n");
}

fn echo() -> Commentary {
    Commentary::new(|score0, score1| (format!("{score0} {score1}\n"), echo()))
}

#[test]
fn fa21_problem_6_echo() {
    let dice = &mut test_dice(&[3]);
    let (_, said) =
        play_saying(&game_to("fa21", 5), [&always(1), &always(1)], (0, 0), dice, echo());
    assert_eq!(said, "3 0\n3 6\n");
}

#[test]
fn fa21_problem_6_count() {
    fn count(n: u32) -> Commentary {
        Commentary::new(move |score0, _| (format!("{n} {score0}\n"), count(n + 1)))
    }
    let dice = &mut test_dice(&[5]);
    let (_, said) =
        play_saying(&game_to("fa21", 15), [&always(1), &always(1)], (0, 0), dice, count(1));
    assert_eq!(said, "1 5\n2 5\n3 20\n");
}

#[test]
fn fa21_problem_6_echo_with_zero_dice_among_the_turns() {
    let strategy_0 = |_, opponent: u32| 1 - opponent as i32 / 10;
    let dice = &mut test_dice(&[4, 2, 6]);
    let (_, said) =
        play_saying(&game_to("fa21", 15), [&strategy_0, &always(3)], (0, 0), dice, echo());
    assert_eq!(said, "4 0\n4 12\n11 12\n11 24\n");
}

#[test]
fn fa21_problem_6_say_is_updated_within_play() {
    fn echo() -> Commentary {
        Commentary::new(|score0, score1| (format!("{score0} {score1}\n"), total()))
    }
    fn total() -> Commentary {
        Commentary::new(|score0, score1| (format!("{}\n", score0 + score1), echo()))
    }
    let dice = &mut test_dice(&[2, 5]);
    let (_, said) =
        play_saying(&game_to("fa21", 10), [&always(1), &always(1)], (0, 0), dice, echo());
    assert_eq!(said, "2 0\n7\n4 5\n14\n");
}

#[test]
fn fa21_problem_6_both_voices() {
    fn echo_0() -> Commentary {
        Commentary::new(|score0, _| (format!("* {score0}\n"), echo_0()))
    }
    fn echo_1() -> Commentary {
        Commentary::new(|_, score1| (format!("** {score1}\n"), echo_1()))
    }
    let dice = &mut test_dice(&[2]);
    let say = both(echo_0(), echo_1());
    let (_, said) = play_saying(&game_to("fa21", 5), [&always(1), &always(1)], (0, 0), dice, say);
    assert_eq!(said, "* 2\n** 0\n* 2\n** 4\n* 8\n** 4\n");
}

/// The doctest of the starter file, whose words the handout quotes in Phase 2.
#[test]
fn fa21_problem_7_announce_highest_doctest() {
    let scores = [(12, 0), (12, 9), (20, 9), (20, 30), (20, 47), (21, 47), (21, 77)];
    let said = commented(announce_highest(1, 0, 0), &scores);
    let record = |gain| format!("{gain} point(s)! That's a record gain for Player 1!\n");
    assert_eq!(
        said,
        [
            String::new(),
            record(9),
            String::new(),
            record(21),
            String::new(),
            String::new(),
            record(30)
        ]
    );
}

#[test]
fn fa21_problem_7_announce_highest_returns_a_commentary_about_one_player() {
    let said = commented(announce_highest(0, 0, 0), &[(0, 22), (22, 22)]);
    assert_eq!(said, ["", "22 point(s)! That's a record gain for Player 0!\n"]);
}

/// "Their biggest point increase yet", by the score before this turn (`last_score`).
#[test]
fn fa21_problem_7_what_is_printed_when() {
    assert_eq!(
        commented(announce_highest(1, 10, 0), &[(0, 15)]),
        ["5 point(s)! That's a record gain for Player 1!\n"]
    );
    assert_eq!(commented(announce_highest(1, 10, 5), &[(0, 15)]), [""]);
}

#[test]
fn fa21_problem_7_a_commentary_asked_twice_says_the_same() {
    let (_, f1) = announce_highest(1, 0, 0).say(12, 0);
    assert_eq!(f1.say(12, 9).0, f1.say(12, 9).0);
    assert!(f1.say(11, 10).0.starts_with("10 point(s)!"));
}

#[test]
fn fa21_problem_7_the_commentary_of_the_gui() {
    let say = both(
        announce_highest(0, 0, 0),
        both(announce_highest(1, 0, 0), announce_lead_changes(None)),
    );
    let dice = &mut test_dice(&[3]);
    let (_, said) = play_saying(&game_to("fa21", 5), [&always(1), &always(1)], (0, 0), dice, say);
    let expected = "3 point(s)! That's a record gain for Player 0!\nPlayer 0 takes the lead by 3\n\
                    6 point(s)! That's a record gain for Player 1!\nPlayer 1 takes the lead by 3\n";
    assert_eq!(said, expected);
}

#[test]
fn fa21_problem_8_make_averaged_dice() {
    let mut dice = sim::make_test_dice([3, 1, 5, 6]);
    assert_eq!(sim::make_averaged(|()| dice.outcome().into(), 1000)(()).mean, 3.75);
}

#[test]
fn fa21_problem_8_make_averaged_roll_dice() {
    let rules = game("fa21");
    let (from, mut dice) = (position(&rules, 0, 0), sim::make_test_dice([3, 1, 5, 6]));
    let roll = |num_rolls| sim::roll_dice(&rules, &from, num_rolls, &mut dice).unwrap() as f64;
    assert_eq!(sim::make_averaged(roll, 1000)(2).mean, 6.0);
}

/// The arguments of the averaged function, any number of them, come as one value, here a pair.
#[test]
fn fa21_problem_8_any_number_of_arguments() {
    let printed_pow = |(base, exponent): (f64, i32)| base.powi(exponent);
    assert_eq!(sim::make_averaged(printed_pow, 10)((2.0, 8)).mean, 256.0);
}

#[test]
fn fa21_problem_9_max_scoring_num_rolls() {
    let rules = game("fa21");
    let most = |outcomes: &[u32]| {
        sim::max_scoring_num_rolls(&rules, &position(&rules, 0, 0), &mut test_dice(outcomes), 1000)
            .unwrap()
    };
    assert_eq!([most(&[3]), most(&[2]), most(&[1, 2])], [10, 10, 1]);
}

#[test]
fn fa21_problem_9_the_lowest_of_tied_numbers() {
    let rules = game("fa21");
    let mut ones = sim::make_test_dice([1]);
    assert_eq!(sim::max_scoring_num_rolls(&rules, &position(&rules, 0, 0), &mut ones, 10), Ok(1));
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
