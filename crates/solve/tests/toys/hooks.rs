//! Each hook of a turn, in a toy game worked out by hand. v(a, b) is the win rate of a mover with a
//! points against b.

use super::toy::{Toy, game};
use hog_rules::rules::Overrides;

#[test]
fn a_clamp_lowers_the_requested_number_of_dice() {
    // A coin of faces 1 and 2, one or two of them: one scores 1 or 2, two score 4 with 1/4,
    // otherwise 1. v(2, b) = 1. v(1, 2) = 1/2 and v(1, 1) = 1/2 + 1/2 (1 - 1/2) = 3/4, both by
    // one coin. v(0, 2) = 1/4 by two. v(0, 1): one 1/2 (1 - 3/4) + 1/2 (1 - 1/2) = 3/8, two 1/4
    // + 3/4 (1 - 3/4) = 7/16. v(0, 0): one 1/2 (1 - 7/16) + 1/2 (1 - 1/4) = 21/32, two 1/4 +
    // 3/4 (1 - 7/16) = 43/64.
    let text = "goal = 3\nmin_dice = 1\nmax_dice = 2\n[[rule]]\nname = \"Coins\"\ndie = \"2\"\n";
    let free = Toy::new(text);
    free.start("43/64", &[2]).state((0, 2), &[], "1/4", &[2]).state((0, 1), &[], "7/16", &[2]);
    free.state((1, 2), &[], "1/2", &[1]).state((1, 1), &[], "3/4", &[1]);
    // Limited to one coin at 0-0, a request for two is one for one.
    let tied = Toy::new(&format!("{text}max_dice = \"score + opponent == 0 ? 1 : 2\""));
    tied.start("21/32", &[1, 2]).state((0, 1), &[], "7/16", &[2]);
}

#[test]
fn a_clamp_to_zero_dice_scores_by_the_rule_for_zero_dice() {
    // Against an opponent with 1 point only zero dice are allowed; they score 1 there and nothing
    // elsewhere. Goal 2.
    let rule = r#"
        [[rule]]
        name = "Hog Tied"
        max_dice = "opponent == 1 ? 0 : 1"
        zero_dice = "opponent == 1 ? 1 : 0"
    "#;
    let toy = Toy::new(&format!("goal = 2\nmax_dice = 1\n{rule}"));
    toy.state((1, 1), &[], "1", &[0, 1]).state((0, 1), &[], "0", &[0, 1]).state(
        (1, 0),
        &[],
        "1",
        &[0, 1],
    );
    toy.start("1", &[1]);
}

#[test]
fn a_bust_may_score_the_number_of_ones() {
    // Two coins: two ones score 2 with 1/4, one scores 1 with 1/2, none scores 4 with 1/4. Goal 3.
    // v(2, b) = 1, v(1, 2) = 1/2, v(0, 2) = 1/4, v(1, 1) = 1/2 + 1/2 (1 - 1/2) = 3/4.
    // v(0, 1) = 1/4 + 1/2 (1 - 3/4) + 1/4 (1 - 1/2) = 1/2.
    // v(0, 0) = 1/4 + 1/2 (1 - 1/2) + 1/4 (1 - 1/4) = 11/16.
    let rule = "[[rule]]\nname = \"Ones\"\ndie = \"2\"\nbust = \"ones_rolled\"";
    let toy = Toy::new(&format!("goal = 3\nmin_dice = 2\nmax_dice = 2\n{rule}"));
    toy.start("11/16", &[2]);
    toy.state((0, 1), &[], "1/2", &[2]).state((1, 1), &[], "3/4", &[2]).state(
        (0, 2),
        &[],
        "1/4",
        &[2],
    );
}

#[test]
fn a_bust_may_score_the_sum() {
    // A 1 is harmless: two coins score 2, 3, 3 or 4. Goal 3. v(1, b) = v(2, b) = 1.
    // v(0, 2) = 3/4 and v(0, 0) = 3/4 + 1/4 (1 - 3/4) = 13/16.
    let rule = "[[rule]]\nname = \"49ers\"\ndie = \"2\"\nbust = \"sum\"";
    let toy = Toy::new(&format!("goal = 3\nmin_dice = 2\nmax_dice = 2\n{rule}"));
    toy.start("13/16", &[2]).state((0, 2), &[], "3/4", &[2]).state((1, 2), &[], "1", &[2]);
}

#[test]
fn extra_points_for_faces_are_kept_after_a_bust() {
    // A coin whose 1 scores 1 + 1 points and whose 2 scores 2. Goal 4: everyone scores 2 a turn.
    // v(2, b) = 1, so v(0, 2) = 0 and v(0, 0) = 1.
    let rule = "[[rule]]\nname = \"Feral\"\ndie = \"2\"\nface_points = \"face == 1 ? 1 : 0\"";
    let toy = Toy::new(&format!("goal = 4\nmin_dice = 1\nmax_dice = 1\n{rule}"));
    toy.start("1", &[1]).state((0, 2), &[], "0", &[1]);
}

#[test]
fn rules_on_points_chain_in_the_order_of_the_file() {
    // A coin. First 2 points become 3, then 3 become 5. Goal 5: a 2 wins immediately; in the other
    // order it scores 3. v(0, 4) = 1/2, v(4, b) = 1.
    let first = "[[rule]]\nname = \"Prime\"\ndie = \"2\"\npoints = \"points == 2 ? 3 : points\"\n";
    let second = "[[rule]]\nname = \"Touchdown\"\npoints = \"points == 3 ? 5 : points\"\n";
    let head = "goal = 5\nmin_dice = 1\nmax_dice = 1\n";
    Toy::new(&format!("{head}{first}{second}")).state((0, 4), &[], "1/2", &[1]);
    Toy::new(&format!("{head}{second}{first}")).state((0, 4), &[], "0", &[1]);
}

#[test]
fn rules_on_points_may_read_the_scores_when_zero_dice_are_rolled() {
    // No dice are rolled: a turn scores 1, or 2 against an opponent with 1 point. Goal 2.
    // v(0, 1) = 1 by 2 points, v(1, b) = 1, so v(0, 0) = 1 - v(0, 1) = 0.
    let rule = "[[rule]]\nname = \"Chase\"\nzero_dice = \"1\"\npoints = \"opponent == 1 ? points \
                + 1 : points\"";
    let toy = Toy::new(&format!("goal = 2\nmax_dice = 0\n{rule}"));
    toy.state((0, 1), &[], "1", &[0]).start("0", &[0]);
}

#[test]
fn a_rule_may_give_points_to_the_opponent() {
    // A coin: a 2 wins, a 1 scores nothing and gives the opponent a point. Goal 2.
    // v(1, 1) = 1/2: a 1 takes the opponent to the goal. v(1, 0) = 1/2 + 1/2 (1 - 1/2) = 3/4.
    // v(0, 0) = 1/2 + 1/2 (1 - 3/4) = 5/8. v(0, 1) = 1/2.
    let rule = r#"
        [[rule]]
        name = "Piggy Back"
        die = "2"
        bust = "0"
        opponent_score = "busted ? opponent + dice : opponent"
    "#;
    let toy = Toy::new(&format!("goal = 2\nmin_dice = 1\nmax_dice = 1\n{rule}"));
    toy.start("5/8", &[1]);
    toy.state((1, 1), &[], "1/2", &[1]).state((1, 0), &[], "3/4", &[1]).state(
        (0, 1),
        &[],
        "1/2",
        &[1],
    );
}

#[test]
fn equal_totals_may_double_the_movers_score() {
    // A coin; equal totals double the mover's. Goal 3. v(2, b) = 1.
    // v(1, 2) = 1: a 1 makes 2 against 2, doubled to 4. v(1, 1) = 1/2 + 1/2 (1 - v(1, 2)) = 1/2.
    // v(0, 1): a 1 makes 1 against 1, doubled to 2, then the opponent at 1-2 wins; a 2 likewise: 0.
    // v(0, 2): a 2 makes 2 against 2, doubled to 4; a 1 loses: 1/2.
    // v(0, 0) = 1/2 (1 - v(0, 1)) + 1/2 (1 - v(0, 2)) = 1/2 + 1/4 = 3/4.
    let rule = "[[rule]]\nname = \"Hog Pile\"\ndie = \"2\"\nscore = \"score == opponent ? 2 * \
                score : score\"";
    let toy = Toy::new(&format!("goal = 3\nmin_dice = 1\nmax_dice = 1\n{rule}"));
    toy.start("3/4", &[1]);
    toy.state((1, 2), &[], "1", &[1]).state((1, 1), &[], "1/2", &[1]);
    toy.state((0, 1), &[], "0", &[1]).state((0, 2), &[], "1/2", &[1]);
}

#[test]
fn a_swap_at_the_goal_gives_the_win_away() {
    // Totals of 2 and more are swapped: reaching the goal of 2 loses. A die scores 1 with 1/6, zero
    // dice score 1. v(1, b) = 0: any turn makes 2 and is swapped.
    // v(0, 1): the die makes 1 with 1/6 and leaves the opponent at 1-1 (0); zero dice always do: 1.
    // v(0, 0): zero dice leave the opponent at 0-1 (1): 0; the die does with 1/6 and otherwise
    // loses: 0.
    let rule = "[[rule]]\nname = \"Swine Swap\"\nzero_dice = \"1\"\nswap = \"score >= 2\"";
    let toy = Toy::new(&format!("goal = 2\nmax_dice = 1\n{rule}"));
    toy.state((1, 0), &[], "0", &[0, 1]).state((0, 1), &[], "1", &[0]).start("0", &[0, 1]);
}

#[test]
fn a_rule_may_give_an_extra_turn() {
    // A coin; a player with exactly 1 after adding moves again. Goal 3. v(2, b) = 1.
    // v(1, 2) = 1/2, v(0, 2) = 1/2 (1 - 1) + 1/2 v(1, 2) = 1/4.
    // v(1, 0) = 1/2 + 1/2 (1 - v(0, 2)) = 7/8. v(0, 0) = 1/2 (1 - v(0, 2)) + 1/2 v(1, 0) = 3/8 +
    // 7/16 = 13/16.
    let rule = "[[rule]]\nname = \"Encore\"\ndie = \"2\"\nagain = \"score == 1\"";
    let toy = Toy::new(&format!("goal = 3\nmin_dice = 1\nmax_dice = 1\n{rule}"));
    toy.start("13/16", &[1]);
    toy.state((1, 2), &[], "1/2", &[1]).state((0, 2), &[], "1/4", &[1]).state(
        (1, 0),
        &[],
        "7/8",
        &[1],
    );
}

#[test]
fn extra_turns_without_limit_win_the_game() {
    // Every turn gives another one, so the first player plays alone.
    let rule = "[[rule]]\nname = \"Solo\"\nzero_dice = \"1\"\nagain = \"true\"";
    Toy::new(&format!("goal = 5\nmax_dice = 1\n{rule}")).everywhere("1");
}

#[test]
fn later_rules_read_the_results_of_earlier_ones() {
    // A turn scores 1, then the opponent gets 1, then equal totals take the mover to the goal of 3:
    // 0-0 is 1-1, a win. 0-1 becomes 1-2, so the opponent reaches the goal: 0.
    let rule = r#"
        [[rule]]
        name = "Gift"
        zero_dice = "1"
        opponent_score = "opponent + 1"
        [[rule]]
        name = "Level"
        score = "score == opponent ? goal : score"
    "#;
    Toy::new(&format!("goal = 3\nmax_dice = 0\n{rule}")).start("1", &[0]).state(
        (0, 1),
        &[],
        "0",
        &[0],
    );
}

#[test]
fn a_negative_move_rolls_no_dice() {
    // A die of six sides; Pork Chop scores a point; zero dice pass. Goal 2.
    // v(1, b) = 1 by Pork Chop or a die. v(0, 1) = 5/6 by a die.
    // v(0, 0): a die 5/6 + 1/6 (1 - 5/6) = 31/36, Pork Chop 1/6, and passing 5/36 at best.
    let rule = "[[rule]]\nname = \"Pork Chop\"\nzero_dice = \"dice < 0 ? 1 : 0\"";
    let toy = Toy::new(&format!("goal = 2\nmin_dice = -1\nmax_dice = 1\n{rule}"));
    toy.start("31/36", &[1]);
    toy.state((0, 1), &[], "5/6", &[1]).state((1, 0), &[], "1", &[-1, 1]).state(
        (1, 1),
        &[],
        "1",
        &[-1, 1],
    );
}

#[test]
fn a_negative_move_may_change_the_dice() {
    // Goal 2. A coin, or once Pork Chop has been played a die that shows 2 with 1/6; zero dice
    // score a point as well. v(1, b) = 1. v(0, 1) = 1/2 with the coin, 1/6 with the other die.
    // v(0, 0) with the coin: 1/2 + 1/2 (1 - 1/2) = 3/4 by the coin, 1 - 1/6 = 5/6 by Pork Chop, 1/2
    // by zero dice. v(0, 0) with the die: 1/6 + 5/6 (1 - 1/6) = 31/36 by the die, 1 - 1/2 by
    // Pork Chop, 5/6 by zero dice.
    let rule = r#"
        [[memory]]
        name = "swapped"
        of = "game"
        max = 1
        next = "dice == -1 ? 1 - swapped : swapped"
        [[rule]]
        name = "Pork Chop"
        zero_dice = "1"
        die = "swapped == 1 ? [5, 1] : 2"
    "#;
    let toy = Toy::new(&format!("goal = 2\nmin_dice = -1\nmax_dice = 1\n{rule}"));
    toy.start("5/6", &[-1]).state((0, 0), &[("swapped", 1)], "31/36", &[1]);
    toy.state((0, 1), &[("swapped", 0)], "1/2", &[1]).state((0, 1), &[("swapped", 1)], "1/6", &[1]);
}

#[test]
fn overrides_change_the_goal_and_the_maximum_number_of_dice() {
    // With the goal changed from 100 to 2 and one die, the game has the state space of that game.
    let overrides = Overrides { goal: Some(2), max_dice: Some(1) };
    let rules =
        hog_rules::rules::rules_from_text("id = \"toy\"\nmin_dice = 1", "toy", overrides).unwrap();
    let small = hog_solve::game::Game::new(rules).unwrap();
    assert_eq!(small.space(), game("goal = 2\nmin_dice = 1\nmax_dice = 1").space());
}
