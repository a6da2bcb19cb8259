//! The cases of the handout of CS 61A, Summer 2015.

use hog_rules::dice::Die;
use hog_study::sim;

use crate::course::*;

const FOUR_SIDED: usize = 4;
const SIX_SIDED: usize = 6;

/// `(num_rolls, outcomes of the test dice, points)`, from 20-0, where six-sided dice are rolled.
fn roll_dice_gives(cases: &[(usize, &[u32], i64)]) {
    let rules = game("su15");
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
fn free_bacon_gives(cases: &[(u32, i64)]) {
    let rules = game("su15");
    for (score, expected) in cases {
        assert_eq!(points(&rules, (20, *score), &[]), *expected, "take_turn(0, {score})");
    }
}

/// Plays to the end with four-sided dice that always show 1 and six-sided dice that always show 3.
fn play_ones_and_threes(goal: u32, num_rolls: [i32; 2], scores: (u32, u32)) -> Vec<(i64, i64)> {
    let rules = game_to("su15", goal);
    let mut dice = |die: &Die| if die.sides() == FOUR_SIDED { 1 } else { 3 };
    let strategies: [Strategist; 2] = [&always(num_rolls[0]), &always(num_rolls[1])];
    play_scores(&rules, strategies, scores, &mut dice)
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
    assert_eq!(called(&mut test_dice(&[1, 2, 3]), 5), [1, 2, 3, 1, 2]);
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
    for (score, opponent, sides) in
        [(4, 24, FOUR_SIDED), (16, 64, SIX_SIDED), (0, 0, FOUR_SIDED), (50, 80, SIX_SIDED)]
    {
        assert_eq!(
            select_dice(&rules, (score, opponent)),
            sides,
            "select_dice({score}, {opponent})"
        );
    }
}

#[test]
fn su15_problem_4_is_swap() {
    let rules = game_to("su15", 1000);
    for (score, opponent, expected) in [
        (19, 91, true),
        (20, 40, false),
        (41, 14, true),
        (23, 42, false),
        (55, 55, true),
        (114, 41, true),
    ] {
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

/// The fuzz test of the handout, which "plays 100 games of random strategies": every game ends with
/// a winner.
#[test]
fn su15_problem_5_fuzz_test() {
    let rules = game("su15");
    let mut dice = sim::SeededDice::new(4321);
    for game in 0..100 {
        let random =
            move |score: u32, opponent: u32| ((score * 7 + game * 3) % 11 + opponent) as i32 % 10;
        let scores = play_scores(&rules, [&random, &random], (0, 0), &mut dice);
        let (score0, score1) = scores[scores.len() - 1];
        assert!(
            score0.max(score1) >= 100
                && scores[..scores.len() - 1].iter().all(|(a, b)| *a.max(b) < 100)
        );
    }
}

/// What `run_experiments` finds: always_roll(8) loses to the baseline more often than it wins,
/// bacon_strategy wins more than half of the time, and swap_strategy wins more than bacon_strategy.
#[test]
fn su15_problems_7_to_9_results_of_the_experiments() {
    let game = hog_solve::game::Game::new(game("su15")).unwrap();
    let plan = |text: &str| {
        let strategy: hog_study::strategy::Strategy = text.parse().unwrap();
        strategy.plan(&game, &hog_solve::solve::Watch::silent()).unwrap()
    };
    let baseline = plan("always_roll:5");
    let rate = |text| {
        let trials = sim::Trials { games: 20_000, seed: 61 };
        sim::average_win_rate(
            &game,
            [&plan(text), &baseline],
            trials,
            &hog_solve::solve::Watch::silent(),
        )
        .unwrap()
    };
    let [eight, bacon, swap] =
        ["always_roll:8", "bacon_strategy:8,5", "swap_strategy:8,5"].map(rate);
    assert!(eight.average.mean < 0.5 && eight.exact[2] < 0.5, "{eight:?}");
    assert!(bacon.average.mean > 0.5 && bacon.exact[2] > 0.5, "{bacon:?}");
    assert!(swap.average.mean > bacon.average.mean && swap.exact[2] > bacon.exact[2], "{swap:?}");
}

/// Zero dice score 1 + max(4, 2) = 5 points against 42, 9 against 48 and 8 against 7.
#[test]
fn su15_problem_8_bacon_strategy() {
    let cases = [
        ("5,5", 0, 42, 0),
        ("6,5", 0, 42, 5),
        ("9,5", 0, 48, 0),
        ("8,5", 0, 7, 0),
        ("9,5", 0, 7, 5),
    ];
    strategy_gives(&game("su15"), "bacon_strategy", &cases);
}

#[test]
fn su15_problem_9_swap_strategy() {
    let cases = [
        // 1 + 8 = 9 points make 18 against 81: swapped, and that helps.
        ("20,5", 9, 81, 0),
        // 1 + 8 = 9 points make 81 against 18: swapped, and that harms.
        ("1,5", 72, 18, 5),
        // 1 + 5 = 6 points make 55 against 55: a swap without effect, so the points decide.
        ("6,5", 49, 55, 0),
        ("7,5", 49, 55, 5),
        // No swap.
        ("5,5", 0, 42, 0),
        ("6,5", 0, 42, 5),
    ];
    strategy_gives(&game("su15"), "swap_strategy", &cases);
}
