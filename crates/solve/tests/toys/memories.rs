//! State beyond the scores: shared memories, memories of each player, and values that behave alike
//! and share one class.

use super::toy::{Toy, game};
use hog_solve::game::Position;

#[test]
fn a_shared_memory_changes_the_dice_of_both() {
    // Zero dice score 1 and exchange the coin (faces 1, 2) for the die of four sides, or back. Goal
    // 3, v(2, b) = 1. c: with the coin. d: with the die of four.
    // c(1, 2) = 1/2. d(1, 2) = 3/4. c(1, 1) = 1/2 + 1/2 (1 - 1/2) = 3/4. d(1, 1) = 3/4 + 1/4 (1 -
    // 3/4) = 13/16. c(0, 2) = 0, whatever is done. d(0, 2) = 1/2.
    // c(0, 1) = 1/2 (1 - 3/4) + 1/2 (1 - 1/2) = 3/8; zero dice 1 - 13/16.
    // d(0, 1) = 1/2 + 1/4 (1 - 13/16) + 1/4 (1 - 3/4) = 39/64; zero dice 1 - 3/4.
    // d(0, 0) = 1/2 + 1/4 (1 - 39/64) + 1/4 (1 - 1/2) = 185/256; zero dice 1 - 3/8.
    // c(0, 0) = 1/2 (1 - 3/8) + 1/2 (1 - 0) = 13/16; zero dice 1 - 39/64.
    let text = r#"
        goal = 3
        max_dice = 1
        [[memory]]
        name = "exchanged"
        of = "game"
        start = 0
        max = 1
        next = "dice == 0 ? 1 - exchanged : exchanged"
        [[rule]]
        name = "Ham Hijinks"
        die = "exchanged == 1 ? 2 : 4"
        zero_dice = "1"
    "#;
    let (die, coin) = ([("exchanged", 0)], [("exchanged", 1)]);
    let toy = Toy::new(text);
    toy.start("185/256", &[1]).state((0, 0), &coin, "13/16", &[1]);
    toy.state((0, 1), &die, "39/64", &[1]).state((0, 1), &coin, "3/8", &[1]);
    toy.state((0, 2), &die, "1/2", &[1]).state((0, 2), &coin, "0", &[0, 1]);
    toy.state((1, 1), &die, "13/16", &[1]).state((1, 1), &coin, "3/4", &[1]).state(
        (1, 2),
        &die,
        "3/4",
        &[1],
    );
    assert_eq!((toy.game.space().shared, toy.game.space().mine), (2, 1));
}

#[test]
fn a_memory_stays_with_its_player_after_a_swap() {
    // No dice are rolled; a turn scores 1, and 2 from the player's second turn on (1 + own memory).
    // Goal 3; totals are swapped whenever the mover has 1. Positions are written (score,
    // opponent; own memory, the opponent's). (2, 2; 1, 1) wins with 4. (0, 2; 1, 1) makes 2-2,
    // so it loses. (1, 0; 0, 1) makes 2-0, then (0, 2; 1, 1): a win. (0, 0; 0, 0) makes 1-0,
    // swapped: the opponent at (1, 0; 0, 1) wins. (1, 0; 1, 0) wins with 3 immediately.
    // (1, 2; 0, 1) makes 2-2, then (2, 2; 1, 1): a loss. (1, 2; 1, 0) wins with 3.
    // (0, 2; 0, 0) makes 1-2, swapped to 2-1: the opponent at (1, 2; 0, 1) loses, so the mover
    // wins. If a swap moved the memories as well, the opponent would be at (1, 2; 1, 0) and
    // win.
    let text = r#"
        goal = 3
        max_dice = 0
        [[memory]]
        name = "moved"
        max = 1
        next = "1"
        [[rule]]
        name = "Second wind"
        zero_dice = "1 + moved"
        swap = "score == 1"
    "#;
    let toy = Toy::new(text);
    let memory = |mine, theirs| [("moved", mine), ("opponent_moved", theirs)];
    toy.start("0", &[0]).state((1, 0), &memory(0, 1), "1", &[0]).state(
        (1, 0),
        &memory(1, 0),
        "1",
        &[0],
    );
    toy.state((0, 2), &memory(1, 1), "0", &[0]).state((0, 2), &memory(0, 0), "1", &[0]);
    toy.state((1, 2), &memory(1, 0), "1", &[0]).state((1, 2), &memory(0, 1), "0", &[0]);
}

#[test]
fn a_rule_may_read_the_memory_of_the_opponent() {
    // No dice are rolled; a turn scores 1, or 3 if the opponent has moved before. Goal 3: the
    // second turn wins.
    let text = r#"
        goal = 3
        max_dice = 0
        [[memory]]
        name = "moved"
        max = 1
        next = "1"
        [[rule]]
        name = "Answer"
        zero_dice = "opponent_moved == 1 ? 3 : 1"
    "#;
    Toy::new(text).start("0", &[0]).state((0, 1), &[("opponent_moved", 1)], "1", &[0]);
}

/// A game in which the previous turn decides the bonus of this one, as in the games of 2020.
fn last_points(max_dice: u32, max: &str, next: &str) -> String {
    format!(
        r#"
        goal = 20
        max_dice = {max_dice}
        [[memory]]
        name = "last_points"
        of = "player"
        max = {max}
        next = "{next}"
        [[rule]]
        name = "Free Bacon"
        zero_dice = "1 + abs(alternating_digit_sum(pow(opponent, 3)))"
        [[rule]]
        name = "Feral Hogs"
        points = "abs(dice - last_points) == 2 ? points + 3 : points"
        [[rule]]
        name = "Swine Swap"
        swap = "power_first_digit(3, score + opponent) == power_last_digit(3, score + opponent)"
        "#
    )
}

#[test]
fn points_of_the_previous_turn_are_merged_into_fourteen_classes() {
    // Each of 0 to 12 differs by two from other numbers of dice from 0 to 10; no number of dice
    // differs by two from 13 or more.
    assert_eq!(game(&last_points(10, "60", "rolled")).space().mine, 14);
    // With the bonus of 3 the points can be 63; its effect stays the same.
    assert_eq!(game(&last_points(10, "63", "points")).space().mine, 14);
    // With at most 2 dice: the numbers of dice that differ by two from 0, 1, 2, 3, 4, 5, ... are
    // {2}, {}, {0}, {1}, {2}, {}, ...; so 0 and 4 behave alike, and so do 1 and everything from
    // 5 on.
    assert_eq!(game(&last_points(2, "63", "points")).space().mine, 4);
}

#[test]
fn merged_values_share_a_state() {
    let joined = game(&last_points(2, "63", "points"));
    let state = |mine: i64, theirs: i64| {
        let rules = joined.rules();
        let position =
            Position::new(rules, 3, 7).unwrap().with_memory(rules, "last_points", mine).unwrap();
        joined.state(&position.with_memory(rules, "opponent_last_points", theirs).unwrap())
    };
    assert_eq!(state(0, 9), state(4, 1));
    assert_ne!(state(0, 9), state(9, 0));
    // A state of several values is shown by the smallest of them.
    assert_eq!(joined.position(state(4, 60)).memory, [0, 1]);
}

#[test]
fn a_memory_that_no_rule_reads_adds_no_states() {
    let text = r#"
        goal = 3
        min_dice = 1
        max_dice = 1
        [[memory]]
        name = "turns"
        of = "game"
        max = 5
        next = "min(turns + 1, 5)"
    "#;
    let toy = Toy::new(text);
    assert_eq!((toy.game.space().shared, toy.game.space().states()), (1, 9));
    // The value of goal 3 with exactly one die, worked out in `one_die`.
    toy.start("997/1296", &[1]);
}

#[test]
fn a_memory_may_count_turns() {
    // Only the third turn of the game scores, and it wins: it is the first player's.
    let text = |of: &str| {
        format!(
            r#"
            goal = 2
            max_dice = 0
            [[memory]]
            name = "turns"
            of = "{of}"
            max = 3
            next = "min(turns + 1, 3)"
            [[rule]]
            name = "Third"
            zero_dice = "turns == 2 ? 2 : 0"
            "#
        )
    };
    let toy = Toy::new(&text("game"));
    toy.start("1", &[0]).state((0, 0), &[("turns", 1)], "0", &[0]).state(
        (0, 0),
        &[("turns", 2)],
        "1",
        &[0],
    );
    // After the third turn nothing scores, so the game never ends.
    toy.state((0, 0), &[("turns", 3)], "1/2", &[0]);
    // Counted for each player, the first player's third turn comes first; after 1 against 2 turns,
    // the opponent's does.
    let toy = Toy::new(&text("player"));
    toy.start("1", &[0]).state((0, 0), &[("turns", 1), ("opponent_turns", 2)], "0", &[0]);
}
