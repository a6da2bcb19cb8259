//! Games that are decided from the start: certain wins, certain losses, certain ties.

use super::toy::Toy;

#[test]
fn with_a_goal_of_one_the_first_turn_wins() {
    // Any roll of one die scores at least 1.
    Toy::new("goal = 1\nmin_dice = 1\nmax_dice = 1").start("1", &[1]);
}

#[test]
fn a_goal_of_one_is_reached_by_any_number_of_dice_but_zero() {
    // Zero dice score nothing, the turn passes, and the other player wins. Any roll wins, even one
    // with a 1.
    Toy::new("goal = 1\nmax_dice = 3").start("1", &[1, 2, 3]);
}

#[test]
fn a_rule_that_takes_the_mover_to_the_goal_is_a_certain_win() {
    let rule = "[[rule]]\nname = \"Present\"\nscore = \"opponent + goal\"";
    Toy::new(&format!("goal = 4\nmax_dice = 2\n{rule}")).everywhere("1");
}

#[test]
fn a_rule_that_gives_the_opponent_the_win_is_a_certain_loss() {
    let rule = "[[rule]]\nname = \"Poison\"\nopponent_score = \"score + goal\"";
    Toy::new(&format!("goal = 4\nmax_dice = 2\n{rule}")).everywhere("0");
}

#[test]
fn equal_scores_at_the_goal_count_half_a_win() {
    let rule = "[[rule]]\nname = \"Truce\"\nscore = \"goal\"\nopponent_score = \"goal\"";
    Toy::new(&format!("goal = 4\nmax_dice = 2\n{rule}")).everywhere("1/2");
}

#[test]
fn a_certain_tie_is_half_a_win_when_all_weights_are_odd() {
    // All distributions have totals that are powers of 3, so only the denominator for ties has a
    // factor of 2.
    let rule =
        "[[rule]]\nname = \"Truce\"\ndie = \"3\"\nscore = \"goal\"\nopponent_score = \"goal\"";
    Toy::new(&format!("goal = 4\nmin_dice = 1\nmax_dice = 2\n{rule}")).everywhere("1/2");
}

#[test]
fn at_the_end_the_higher_score_wins_whoever_moved_last() {
    // A turn scores 1 and gives the opponent 3. At a goal of 3 the first turn ends the game 1-3, a
    // loss.
    let rule = "[[rule]]\nname = \"Gift\"\nzero_dice = \"1\"\nopponent_score = \"opponent + 3\"";
    Toy::new(&format!("goal = 3\nmax_dice = 0\n{rule}")).start("0", &[0]);
    // At a goal of 4 the opponent moves from 3-1, to 4-4: a tie.
    Toy::new(&format!("goal = 4\nmax_dice = 0\n{rule}")).start("1/2", &[0]).state(
        (3, 1),
        &[],
        "1/2",
        &[0],
    );
}

#[test]
fn a_die_may_win_lose_or_tie_the_game() {
    // Six rolls are equally likely: one of face 1 ties, two of face 2 win, three of face 3 lose:
    // 1/12 + 2/6 = 5/12.
    let rule = r#"
        [[rule]]
        name = "Verdict"
        die = "[1, 2, 3]"
        score = "rolled == 3 ? 0 : goal"
        opponent_score = "rolled == 2 ? 0 : goal"
    "#;
    Toy::new(&format!("goal = 4\nmin_dice = 1\nmax_dice = 1\n{rule}")).everywhere("5/12");
}
