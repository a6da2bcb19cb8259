//! Random cycles: rolls that may score nothing.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::toy::{Toy, game, nearest, plan, ratio};
use hog_solve::solve::{
    Arithmetic, SolveError, Watch, best_response, endless, equilibrium, evaluate,
};

const COIN: &str = "[[rule]]\nname = \"Coin\"\ndie = \"2\"\nbust = \"0\"\n";

#[test]
fn a_die_may_score_nothing_on_a_one() {
    // v = 5/6 + 1/6 (1 - v), so v = 6/7, in all states.
    let toy =
        Toy::new("goal = 2\nmin_dice = 1\nmax_dice = 1\n[[rule]]\nname = \"Hog\"\nbust = \"0\"");
    toy.start("6/7", &[1]).state((1, 0), &[], "6/7", &[1]).state((1, 1), &[], "6/7", &[1]);
}

#[test]
fn one_die_is_best_where_one_is_enough() {
    // Two dice would win immediately with 25/36 only.
    let toy =
        Toy::new("goal = 2\nmin_dice = 1\nmax_dice = 3\n[[rule]]\nname = \"Hog\"\nbust = \"0\"");
    toy.start("6/7", &[1]);
}

#[test]
fn rolling_for_a_likely_win_is_better_than_zero_dice() {
    // Zero dice pass: 1 - 6/7.
    let toy = Toy::new("goal = 2\nmax_dice = 1\n[[rule]]\nname = \"Hog\"\nbust = \"0\"");
    toy.start("6/7", &[1]).state((1, 0), &[], "6/7", &[1]);
}

#[test]
fn a_race_with_one_coin_is_solved_by_hand() {
    // A 2 scores 2, a 1 nothing. Goal 4. v(2, 2) = 1/2 + 1/2 (1 - v(2, 2)) = 2/3.
    // v(2, 0) = 1/2 + 1/2 (1 - v(0, 2)), v(0, 2) = 1/2 (1 - v(2, 2)) + 1/2 (1 - v(2, 0)):
    // v(0, 2) = 1/6 + 1/4 v(0, 2) = 2/9 and v(2, 0) = 8/9.
    // v(0, 0) = 1/2 (1 - v(0, 2)) + 1/2 (1 - v(0, 0)), so v(0, 0) = 2/3 (7/18 + 1/2) = 16/27.
    let toy = Toy::new(&format!("goal = 4\nmin_dice = 1\nmax_dice = 1\n{COIN}"));
    toy.start("16/27", &[1]);
    toy.state((2, 2), &[], "2/3", &[1]).state((0, 2), &[], "2/9", &[1]).state(
        (2, 0),
        &[],
        "8/9",
        &[1],
    );
}

#[test]
fn a_player_behind_rolls_two_coins() {
    // One coin scores 2 with 1/2, two score 4 with 1/4. Goal 4. At 2 one coin is enough: v(2, 2) =
    // 2/3. v(0, 2), if two are rolled: 1/4 + 3/4 (1 - v(2, 0)); v(2, 0) = 1/2 + 1/2 (1 - v(0,
    // 2)) = 1 - v(0, 2)/2: v(0, 2) = 1/4 + 3/8 v(0, 2) = 2/5, v(2, 0) = 4/5. One coin would be
    // worth 1/2 (1/3) + 1/2 (1/5) = 4/15. v(0, 0): one coin v = 1/2 (3/5) + 1/2 (1 - v) = 8/15;
    // two v = 1/4 + 3/4 (1 - v) = 4/7 if both do so. Against a value of 4/7, one coin is worth
    // 3/10 + 1/2 (3/7) = 18/35, two 1/4 + 3/4 (3/7) = 4/7: two.
    let toy = Toy::new(&format!("goal = 4\nmin_dice = 1\nmax_dice = 2\n{COIN}"));
    toy.start("4/7", &[2]);
    toy.state((2, 2), &[], "2/3", &[1]).state((0, 2), &[], "2/5", &[2]).state(
        (2, 0),
        &[],
        "4/5",
        &[1],
    );
}

#[test]
fn a_rule_may_take_back_points() {
    // A coin; a total of 2 becomes 1. Goal 3: from 0 both faces lead to 1, from 1 a 1 changes
    // nothing and a 2 wins. v(1, 1) = 1/2 + 1/2 (1 - v(1, 1)) = 2/3, v(0, 1) = 1/3, v(1, 0) =
    // 1/2 + 1/2 (2/3) = 5/6, v(0, 0) = 2/3.
    let rule = "[[rule]]\nname = \"Slip\"\ndie = \"2\"\nscore = \"score == 2 ? 1 : score\"";
    let toy = Toy::new(&format!("goal = 3\nmin_dice = 1\nmax_dice = 1\n{rule}"));
    toy.start("2/3", &[1]);
    toy.state((1, 1), &[], "2/3", &[1]).state((0, 1), &[], "1/3", &[1]).state(
        (1, 0),
        &[],
        "5/6",
        &[1],
    );
}

/// Returns a game in which half the rolls of one die score nothing, and of twelfths of all rolls
/// `wins` win the game and the rest lose it; zero dice pass.
fn verdict(wins: u32) -> String {
    format!(
        r#"
        goal = 3
        max_dice = 1
        [[rule]]
        name = "Verdict"
        die = "[6, {wins}, {}]"
        bust = "0"
        score = "dice == 1 && points == 2 ? score + goal : score"
        opponent_score = "dice == 1 && points == 3 ? score + goal : opponent"
        "#,
        6 - wins
    )
}

#[test]
fn rolling_for_a_likely_win_beats_passing() {
    // 4/12 win, 2/12 lose: v = 1/3 + 1/2 (1 - v) = 5/9; passing 4/9.
    Toy::new(&verdict(4)).start("5/9", &[1]).state((2, 1), &[], "5/9", &[1]);
}

#[test]
fn nobody_rolls_for_a_likely_loss() {
    // 2/12 win, 4/12 lose: if both pass, 1/2; rolling would be worth 1/6 + 1/2 * 1/2 = 5/12.
    Toy::new(&verdict(2)).start("1/2", &[0]).state((0, 1), &[], "1/2", &[0]);
}

#[test]
fn an_even_gamble_is_worth_as_much_as_passing() {
    // 3/12 win, 3/12 lose: v = 1/4 + 1/2 (1 - v) = 1/2, and so is passing.
    Toy::new(&verdict(3)).start("1/2", &[0, 1]);
}

#[test]
fn extra_turns_make_a_random_cycle() {
    // A coin: a 1 scores nothing and gives another turn, a 2 wins: v = 1/2 + 1/2 v = 1.
    // If a 2 scores half of the goal (goal 4) and ends the turn: v(2, b) = 1, v(0, 2) = 1/2 (0) +
    // 1/2 v(0, 2) = 0, so v(0, 0) = 1/2 (1 - v(0, 2)) + 1/2 v(0, 0) = 1.
    let rule = format!("{COIN}again = \"busted\"");
    Toy::new(&format!("goal = 2\nmin_dice = 1\nmax_dice = 1\n{rule}")).start("1", &[1]);
    let toy = Toy::new(&format!("goal = 4\nmin_dice = 1\nmax_dice = 1\n{rule}"));
    toy.start("1", &[1]).state((0, 2), &[], "0", &[1]).state((2, 2), &[], "1", &[1]);
}

#[test]
fn a_shared_memory_changes_within_a_random_cycle() {
    // A 1 scores nothing and exchanges the coin for a loaded one (a 2 with 1/4), or back. Goal 2: a
    // 2 wins. c = 1/2 + 1/2 (1 - d), d = 1/4 + 3/4 (1 - c): c = 1 - d/2, d = 1/4 + 3/8 d = 2/5,
    // c = 4/5.
    let text = r#"
        goal = 2
        min_dice = 1
        max_dice = 1
        [[memory]]
        name = "loaded"
        of = "game"
        max = 1
        next = "busted ? 1 - loaded : loaded"
        [[rule]]
        name = "Coin"
        bust = "0"
        die = "loaded == 1 ? [3, 1] : [1, 1]"
    "#;
    Toy::new(text).start("4/5", &[1]).state((1, 1), &[("loaded", 1)], "2/5", &[1]);
}

#[test]
fn a_roll_that_never_scores_may_lead_to_two_states() {
    // One die of faces 1 and 2 scores nothing, and its face is remembered. Zero dice score the
    // remembered face, at first nothing. Goal 2. Positions are written (score, opponent; last).
    // (a, b; 2) = 1 by 2 points. (1, b; 1) = 1 by 1 point.
    // (0, 1; 1) = 0: zero dice lead the opponent to (1, 1; 1), the die to (1, 0; 1) or (1, 0; 2).
    // (0, 0; 1) = 1: zero dice lead the opponent to (0, 1; 1).
    // (0, 0; 0): the die leads the opponent to (0, 0; 1) or (0, 0; 2), both worth 1. Zero dice
    // pass: both do, for ever.
    let text = r#"
        goal = 2
        max_dice = 1
        [[memory]]
        name = "last"
        of = "game"
        max = 2
        next = "dice == 1 ? rolled : last"
        [[rule]]
        name = "Oracle"
        die = "2"
        zero_dice = "last"
        points = "dice == 1 ? 0 : points"
    "#;
    let toy = Toy::new(text);
    toy.state((0, 0), &[("last", 2)], "1", &[0]).state((0, 0), &[("last", 1)], "1", &[0]);
    toy.state((0, 1), &[("last", 1)], "0", &[0, 1]).start("1/2", &[0]);
}

#[test]
fn a_roll_that_never_scores_has_its_value_in_a_cycle() {
    // One die of faces 1 and 2 scores nothing and is remembered. Two dice win if none shows a 1 and
    // lose otherwise: after a 2 they are coins, after a 1 (and at first) they show only 1. So
    // play with one die may continue for ever. l is the value after a 2, k that after a 1 and
    // at the start. One die is worth 1 - (k + l)/2. Two coins win with 1/4: rolling one die for
    // ever, worth 1/2, is better for both.
    let text = |wins: u32| {
        format!(
            r#"
            goal = 2
            min_dice = 1
            max_dice = 2
            [[memory]]
            name = "last"
            of = "game"
            max = 2
            next = "dice == 1 ? rolled : last"
            [[rule]]
            name = "Oracle"
            die = "dice == 1 ? 2 : last == 2 ? [1, {wins}] : [1, 0]"
            points = "dice == 1 ? 0 : points"
            bust = "dice == 1 ? 1 : 0"
            score = "dice == 2 && points > 0 ? score + goal : score"
            opponent_score = "dice == 2 && points == 0 ? score + goal : opponent"
            "#
        )
    };
    Toy::new(&text(1)).start("1/2", &[1]).state((0, 0), &[("last", 2)], "1/2", &[1]);
    // If a 2 has a chance of 3/4, two dice win with l = 9/16. Then k = 1 - (k + l)/2 = 2/3 (1 -
    // 9/32) = 23/48, and one die would be worth no more after a 2.
    Toy::new(&text(3)).start("23/48", &[1]).state((0, 0), &[("last", 2)], "9/16", &[2]);
}

#[test]
fn plans_in_a_random_cycle_are_rated_exactly() {
    // Coins, goal 4, as above. Always one coin against always two: x(a, b) is the mover's win rate
    // with one coin, and y(a, b) with two.
    // y wins with 1/4 whatever the scores and otherwise stays. With one coin at 2, x = 1/2 + 1/2 (1
    // - y) and y = 1/4 + 3/4 (1 - x):
    // y = 1/4 + 3/8 y = 2/5 and x(2, 0) = 4/5. x(0, 0) = 1/2 (1 - y(0, 2)) + 1/2 (1 - y(0, 0)),
    // y(0, 0) = 1/4 + 3/4 (1 - x(0, 0)): with y(0, 2) = 2/5, x = 3/10 + 1/2 (3/4 x) = 12/25, y =
    // 16/25.
    let toy = game(&format!("goal = 4\nmin_dice = 1\nmax_dice = 2\n{COIN}"));
    let (one, two) = (plan(&toy, |_, _| 1), plan(&toy, |_, _| 2));
    let exact = evaluate(&toy, [&one, &two], Arithmetic::Exact, &Watch::silent()).unwrap();
    assert_eq!(exact.first_fraction(), Some(&ratio("12/25")));
    assert_eq!(exact.second(), nearest(&ratio("9/25")));
    assert_eq!(exact.average(), nearest(&ratio("21/50")));
    assert_eq!(endless(&toy, [&one, &two], &Watch::silent()).unwrap(), [0.0, 0.0]);
    // Against always two, two coins are best until one is enough: b(0, 0) = 1/4 + 3/4 (1 - c), c =
    // 1/4 + 3/4 (1 - b): 4/7. At 2-0 the opponent needs two: x(2, 0) = 4/5 as above.
    let answer = best_response(&toy, &two, Arithmetic::Exact, &Watch::silent()).unwrap();
    assert_eq!(answer.first_fraction(), Some(&ratio("4/7")));
}

/// Rolling never ends the turn and scores nothing; holding scores a point.
const ROLL_FOR_EVER: &str = "goal = 3\nmax_dice = 1\n[[rule]]\nname = \"Roll\"\nzero_dice = \"1\"\n\
    points = \"dice == 0 ? 1 : 0\"\nagain = \"dice > 0 && !busted\"";

/// The memory goes round a cycle of ten values, by chance faster or slower; nothing is ever scored
/// with one die.
const ROUND_FOR_EVER: &str = "goal = 3\nmin_dice = 1\nmax_dice = 2\n[[memory]]\nname = \"m\"\nof \
                              = \"game\"\nmax = 9\n\
    next = \"(m * 3 + rolled + 1) % 10\"\n[[rule]]\nname = \"Round\"\nbust = \"0\"\npoints = \"m \
    == 0 && rolled == 12 ? 1 : 0\"";

#[test]
fn play_that_never_leaves_a_random_cycle_is_endless() {
    for text in [ROLL_FOR_EVER, ROUND_FOR_EVER] {
        let toy = game(text);
        let one = plan(&toy, |_, _| 1);
        assert_eq!(endless(&toy, [&one, &one], &Watch::silent()).unwrap(), [1.0, 1.0], "{text}");
        for arithmetic in [Arithmetic::Exact, Arithmetic::Float] {
            let rated = evaluate(&toy, [&one, &one], arithmetic, &Watch::silent()).unwrap();
            assert_eq!([rated.first(), rated.second()], [0.5; 2], "{arithmetic:?}: {text}");
        }
    }
}

#[test]
fn solving_a_group_of_states_can_be_cancelled() {
    let text = ROUND_FOR_EVER
        .replace("max = 9", "max = 99")
        .replace("% 10", "% 100")
        .replace("goal = 3", "goal = 1");
    let (toy, calls) = (game(&text), AtomicUsize::new(0));
    let stop = |_: usize, _: usize| calls.fetch_add(1, Relaxed) < 10;
    let stopped = equilibrium(&toy, Arithmetic::Float, &Watch::new(&stop));
    assert_eq!(stopped.err(), Some(SolveError::Cancelled));
}
