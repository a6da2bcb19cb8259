//! Races with one die, worked out state by state. v(a, b) is the win rate of a mover with a points
//! against b.

use super::toy::Toy;

#[test]
fn goal_two_with_exactly_one_die() {
    // v(1, b) = 1: any face wins. v(0, 1) = 5/6, since after a 1 the opponent wins.
    // v(0, 0) = 5/6 + 1/6 (1 - v(0, 1)) = 5/6 + 1/36 = 31/36.
    let toy = Toy::new("goal = 2\nmin_dice = 1\nmax_dice = 1");
    toy.start("31/36", &[1]).state((0, 1), &[], "5/6", &[1]).state((1, 0), &[], "1", &[1]);
}

#[test]
fn goal_three_with_exactly_one_die() {
    // v(2, b) = 1.
    // v(1, 2) = 5/6, v(1, 1) = 5/6 + 1/6 (1 - 5/6) = 31/36.
    // v(0, 2) = 4/6, v(0, 1) = 4/6 + 1/6 (1 - 31/36) + 1/6 (1 - 5/6) = 155/216.
    // v(1, 0) = 5/6 + 1/6 (1 - 4/6) = 8/9.
    // v(0, 0) = 4/6 + 1/6 (1 - 155/216) + 1/6 (1 - 4/6) = (864 + 61 + 72)/1296 = 997/1296.
    let toy = Toy::new("goal = 3\nmin_dice = 1\nmax_dice = 1");
    toy.start("997/1296", &[1]);
    toy.state((1, 2), &[], "5/6", &[1]).state((1, 1), &[], "31/36", &[1]).state(
        (0, 2),
        &[],
        "2/3",
        &[1],
    );
    toy.state((0, 1), &[], "155/216", &[1]).state((1, 0), &[], "8/9", &[1]).state(
        (2, 2),
        &[],
        "1",
        &[1],
    );
}

#[test]
fn goal_three_with_one_die_or_two_certain_points() {
    // One die of three sides, or zero dice for 2 points.
    // v(1, b) = 1 by zero dice; the die would reach only 2 with 1/3. v(2, b) = 1 either way.
    // v(0, b) = 1/3 for b >= 1: only a 3 wins, otherwise the opponent does.
    // v(0, 0): zero dice 1 - v(0, 2) = 2/3; the die 1/3 + 1/3 (1 - 1/3) + 1/3 (1 - 1/3) = 7/9.
    let toy = Toy::new(
        "goal = 3\nmax_dice = 1\n[[rule]]\nname = \"Three\"\ndie = \"3\"\nzero_dice = \"2\"",
    );
    toy.start("7/9", &[1]);
    toy.state((1, 0), &[], "1", &[0]).state((2, 0), &[], "1", &[0, 1]);
    toy.state((0, 1), &[], "1/3", &[1]).state((0, 2), &[], "1/3", &[1]);
}

#[test]
fn a_die_with_weighted_faces() {
    // A 1 with 3/4, a 2 with 1/4. v(0, 1) = 1/4; v(0, 0) = 1/4 + 3/4 (1 - 1/4) = 13/16.
    let toy = Toy::new(
        "goal = 2\nmin_dice = 1\nmax_dice = 1\n[[rule]]\nname = \"Loaded\"\ndie = \"[3, 1]\"",
    );
    toy.start("13/16", &[1]).state((0, 1), &[], "1/4", &[1]);
}

#[test]
fn a_die_without_a_one() {
    // Faces 2 and 3. v(2, b) = 1, v(0, 2) = 1/2, v(0, 0) = 1/2 + 1/2 (1 - 1/2) = 3/4.
    let toy = Toy::new(
        "goal = 3\nmin_dice = 1\nmax_dice = 1\n[[rule]]\nname = \"High\"\ndie = \"[0, 1, 1]\"",
    );
    toy.start("3/4", &[1]).state((0, 2), &[], "1/2", &[1]);
}

#[test]
fn a_die_that_changes_with_the_scores() {
    // Goal 2. At 0-0 a coin of faces 1 and 2, elsewhere a die of one face: always a 1, so one
    // point. v(1, b) = 1, v(0, 1) = 0. v(0, 0) = 1/2 + 1/2 (1 - 0) = 1.
    // With the die of one face at 0-0 instead, and the coin elsewhere: v(0, 1) = 1/2, v(0, 0) = 1 -
    // 1/2.
    let text = |die: &str| {
        format!("goal = 2\nmin_dice = 1\nmax_dice = 1\n[[rule]]\nname = \"Wild\"\ndie = \"{die}\"")
    };
    Toy::new(&text("score + opponent == 0 ? 2 : 1")).start("1", &[1]).state((0, 1), &[], "0", &[1]);
    Toy::new(&text("score + opponent == 0 ? 1 : 2")).start("1/2", &[1]).state(
        (0, 1),
        &[],
        "1/2",
        &[1],
    );
}

#[test]
fn a_die_of_many_sides() {
    // Goal 20, a die of twenty sides whose 1 scores 1: with s points the chance of winning
    // immediately is (s + 1)/20, so v(19, b) = 1, v(18, 19) = 19/20, v(18, 18) = 19/20 + 1/20
    // (1 - 19/20) = 381/400, and v(17, 19) = 18/20 as the opponent wins next.
    let toy =
        Toy::new("goal = 20\nmin_dice = 1\nmax_dice = 1\n[[rule]]\nname = \"Big\"\ndie = \"20\"");
    toy.state((19, 0), &[], "1", &[1]).state((18, 19), &[], "19/20", &[1]);
    toy.state((18, 18), &[], "381/400", &[1]).state((17, 19), &[], "9/10", &[1]);
}
