//! Cycles of two passes (zero dice, no points), worked out with the rule that a game that never
//! ends counts half a win.

use super::toy::{Toy, game, nearest, plan, ratio};
use hog_solve::solve::{Arithmetic, Watch, endless, evaluate};

/// Returns a game in which one die wins with `ahead` of `of` rolls if the mover is ahead, with
/// `behind` of them if not, and loses otherwise; zero dice score nothing.
fn verdict(ahead: u32, behind: u32, of: u32) -> String {
    format!(
        r#"
        goal = 3
        max_dice = 1
        [[rule]]
        name = "Verdict"
        die = "score > opponent ? [{}, {ahead}] : [{}, {behind}]"
        score = "dice == 1 && !busted ? score + goal : score"
        opponent_score = "dice == 1 && busted ? score + goal : opponent"
        "#,
        of - ahead,
        of - behind
    )
}

#[test]
fn both_pass_for_ever_where_the_only_die_loses() {
    // x = y = 0, so x + y < 1, and the median of 0, 1/2 and 1 is 1/2; the die is worth 0.
    let toy = Toy::new(&verdict(0, 0, 1));
    toy.start("1/2", &[0]).state((2, 1), &[], "1/2", &[0]);
    assert!(toy.exact.loops > 0);
}

#[test]
fn both_leave_where_leaving_wins_more_than_half() {
    // x = y = 2/3: x + y >= 1, both leave.
    Toy::new(&verdict(2, 2, 3)).start("2/3", &[1]).state((1, 0), &[], "2/3", &[1]).state(
        (0, 1),
        &[],
        "2/3",
        &[1],
    );
}

#[test]
fn leaving_and_passing_tie_where_leaving_wins_half() {
    Toy::new(&verdict(1, 1, 2)).start("1/2", &[0, 1]).state((1, 0), &[], "1/2", &[0, 1]);
}

#[test]
fn the_player_behind_passes_and_the_player_ahead_must_not() {
    // At 1-0 leaving is worth x = 3/5, at 0-1 y = 1/5: x + y < 1, the median of 3/5, 1/2 and 4/5 is
    // 3/5. At 0-1 passing leads to 1-0 and is worth 2/5. At 1-0 passing leads to 0-1, worth 1 -
    // 2/5 = 3/5 in one step, but the opponent passes back for ever, and that is worth 1/2: only
    // leaving is best. At 0-0 x = y = 1/5: both pass.
    let toy = Toy::new(&verdict(3, 1, 5));
    toy.start("1/2", &[0]).state((1, 0), &[], "3/5", &[1]).state((0, 1), &[], "2/5", &[0]);
}

#[test]
fn the_player_behind_may_pass_and_the_player_ahead_must_not() {
    // x = 3/5 and y = 2/5: x + y = 1, both leave. At 0-1 passing is as good as leaving. At 1-0 it
    // looks so after one step, 1 - 2/5, but play would continue for ever.
    let toy = Toy::new(&verdict(3, 2, 5));
    toy.start("1/2", &[0]).state((1, 0), &[], "3/5", &[1]).state((0, 1), &[], "2/5", &[0, 1]);
}

#[test]
fn the_player_with_the_lower_score_may_be_the_one_who_leaves() {
    // The same with the roles exchanged: at 0-1 leaving is worth 3/5, at 1-0 2/5 and passing as
    // much.
    let toy = Toy::new(&verdict(2, 3, 5));
    toy.start("3/5", &[1]).state((0, 1), &[], "3/5", &[1]).state((1, 0), &[], "2/5", &[0, 1]);
}

#[test]
fn a_certain_win_is_not_passed_away() {
    // x = 1, y = 0. At 1-0 passing leads to 0-1, worth 1 - 0 after one step; passing for ever is
    // worth 1/2. At 0-1 leaving loses, and passing leads to a lost game: both tie.
    let toy = Toy::new(&verdict(1, 0, 1));
    toy.state((1, 0), &[], "1", &[1]).state((0, 1), &[], "0", &[0, 1]).start("1/2", &[0]);
}

#[test]
fn every_cycle_of_two_passes_with_win_rates_in_tenths_has_the_value_of_the_formula() {
    for (ahead, behind) in (0..=10).flat_map(|x| (0..=10).map(move |y| (x, y))) {
        let toy = Toy::new(&verdict(ahead, behind, 10));
        // In tenths, doubled to hold the halves: leaving is worth x at 1-0 and y at 0-1.
        let (x, y) = (2 * ahead, 2 * behind);
        let mut three = [x, 10, 20 - y.min(20)];
        three.sort_unstable();
        let (at_x, at_y) = if x + y >= 20 { (x, y) } else { (three[1], 20 - three[1]) };
        for (scores, value, leave, other) in [((1, 0), at_x, x, at_y), ((0, 1), at_y, y, at_x)] {
            let pass = value == 20 - other && value <= 10;
            let dice: Vec<i32> = [(pass, 0), (value == leave, 1)]
                .iter()
                .filter(|(best, _)| *best)
                .map(|p| p.1)
                .collect();
            toy.state(scores, &[], &format!("{value}/20"), &dice);
        }
    }
}

#[test]
fn dice_that_always_score_nothing_never_end_the_game() {
    // Rolling one die does not help either: its only face is a bust, which scores nothing. Only two
    // dice end the game, and they lose it. So both play zero dice or one die, in any order.
    let rule = r#"
        [[rule]]
        name = "Dud"
        die = "1"
        bust = "0"
        opponent_score = "dice == 2 ? opponent + goal : opponent"
    "#;
    let toy = Toy::new(&format!("goal = 2\nmax_dice = 2\n{rule}"));
    toy.start("1/2", &[0, 1]).state((1, 0), &[], "1/2", &[0, 1]);
}

#[test]
fn a_pass_with_a_swap_makes_a_cycle_of_one_state() {
    // Zero dice pass and swap: from 1-0 the opponent moves at 1-0 as well. Ahead, one die wins with
    // 3/5: x = y = 3/5. At 0-1 it wins with 1/5, and the opponent comes to 0-1 too: x = y =
    // 1/5, both pass.
    let toy = Toy::new(&format!("{}swap = \"dice == 0\"", verdict(3, 1, 5)));
    toy.state((1, 0), &[], "3/5", &[1]).state((0, 1), &[], "1/2", &[0]).start("1/2", &[0]);
}

#[test]
fn endless_games_have_their_share_and_count_half() {
    // Goal 6. At 0-0 a player rolls one die: a 6 wins. Everywhere else both pass for ever.
    let toy = game("goal = 6\nmax_dice = 1");
    let timid = plan(&toy, |score, opponent| i32::from(score + opponent == 0));
    let shares = endless(&toy, [&timid, &timid], &Watch::silent()).unwrap();
    assert!(shares.iter().all(|share| (share - 5.0 / 6.0).abs() <= f64::EPSILON), "{shares:?}");
    // 1/6 + 5/6 * 1/2 = 7/12 as the first, 5/12 as the second.
    let exact = evaluate(&toy, [&timid, &timid], Arithmetic::Exact, &Watch::silent()).unwrap();
    assert_eq!(exact.first_fraction(), Some(&ratio("7/12")));
    assert_eq!(
        (exact.first(), exact.second(), exact.average()),
        (nearest(&ratio("7/12")), 5.0 / 12.0, 0.5)
    );
}

#[test]
fn one_player_who_rolls_ends_the_game() {
    // Always one die against always zero dice: each roll scores, so its player wins, even when
    // moving second.
    let toy = game("goal = 6\nmax_dice = 1");
    let (none, one) = (plan(&toy, |_, _| 0), plan(&toy, |_, _| 1));
    assert_eq!(endless(&toy, [&one, &none], &Watch::silent()).unwrap(), [0.0, 0.0]);
    let exact = evaluate(&toy, [&one, &none], Arithmetic::Exact, &Watch::silent()).unwrap();
    assert_eq!((exact.first(), exact.second()), (1.0, 1.0));
    // If nobody ever rolls, all games are endless.
    assert_eq!(endless(&toy, [&none, &none], &Watch::silent()).unwrap(), [1.0, 1.0]);
    let exact = evaluate(&toy, [&none, &none], Arithmetic::Exact, &Watch::silent()).unwrap();
    assert_eq!((exact.first_fraction(), exact.second()), (Some(&ratio("1/2")), 0.5));
}

#[test]
fn a_game_that_cannot_end_is_refused_in_words() {
    let text = "id = \"toy\"\nmax_dice = 0";
    let rules = hog_rules::rules::rules_from_text(text, "toy", Default::default()).unwrap();
    let refusal = hog_solve::game::Game::new(rules).unwrap_err().to_string();
    assert!(refusal.contains("cannot end"), "{refusal}");
}
