//! Games that a rule ends before a score reaches the goal.

use hog_rules::turn::{Position, take_turn};

use super::toy::{Toy, game};

/// Each player has one turn with a die, or takes 2 points; the higher score wins.
const ONE_TURN_EACH: &str = "goal = 50\nmax_dice = 1\n\
     [[memory]]\nname = \"second\"\nof = \"game\"\nmax = 1\nnext = \"1 - second\"\n\
     [[rule]]\nname = \"One turn each\"\nbust = \"1\"\nzero_dice = \"2\"\nend = \"second == 1\"\n";

#[test]
fn one_turn_each_is_solved_by_hand() {
    // Against 1 to 6 points the second player wins 1 (by taking 2), 9/12, 7/12, 5/12, 3/12, 1/12
    // (by rolling), so the first wins 1 - 37/72 by rolling, and 1/4 by taking 2.
    let toy = Toy::new(ONE_TURN_EACH);
    toy.start("35/72", &[1]);
    for (points, value, best) in [(1, "1", 0), (2, "3/4", 1), (3, "7/12", 1), (6, "1/12", 1)] {
        toy.state((0, points), &[("second", 1)], value, &[best]);
    }
}

#[test]
fn a_score_may_pass_what_ends_the_game_until_both_had_their_turn() {
    // A turn scores 1 or 2 points, and who has 2 after both had a turn has won. The first player
    // rolls a 2 with 1/2: then the second needs one, too, for half a win.
    let toy = Toy::new(
        "goal = 9\nmin_dice = 1\nmax_dice = 1\n\
         [[memory]]\nname = \"second\"\nof = \"game\"\nmax = 1\nnext = \"1 - second\"\n\
         [[rule]]\nname = \"Last turn\"\ndie = \"2\"\nbust = \"1\"\n\
         end = \"second == 1 && max(score, opponent) >= 2\"\n",
    );
    toy.state((0, 2), &[("second", 1)], "1/4", &[1]);
    toy.state((0, 1), &[("second", 1)], "3/4", &[1]);
    // After 1 to 1, both have 2 or more after the next turns: again one half.
    toy.start("1/2", &[1]);
}

/// A coin scores 1 or 2, and 2 points in all end the game; a later rule swaps the scores.
const SWAPPED_LATER: &str = "goal = 9\nmin_dice = 1\nmax_dice = 1\n\
     [[rule]]\nname = \"End\"\ndie = \"2\"\nbust = \"1\"\nend = \"score + opponent >= 2\"\n\
     [[rule]]\nname = \"Swap\"\nswap = \"points == 2\"\n";

#[test]
fn a_later_rule_does_not_undo_the_end() {
    // A 2 wins, and is not swapped away. After a 1 the opponent wins with a 2, and a 1 is a draw.
    let toy = Toy::new(SWAPPED_LATER);
    toy.state((0, 1), &[], "3/4", &[1]).start("5/8", &[1]);
    let rules = toy.game.rules();
    let turn = take_turn(rules, &Position::new(rules, 0, 1).unwrap(), &[2], 0).unwrap();
    assert_eq!((turn.score, turn.opponent, turn.swapped), (9, 1, false));
}

#[test]
fn a_later_rule_needs_no_value_after_the_end() {
    let later = |end: &str| {
        format!(
            "goal = 9\nmax_dice = 1\n[[rule]]\nname = \"End\"\nbust = \"1\"\nzero_dice \
             = \"1\"\n{end}\
             [[rule]]\nname = \"Later\"\nscore = \"score + 0 / (score - 4)\"\n"
        )
    };
    game(&later("end = \"score == 4\"\n"));
    assert!(std::panic::catch_unwind(|| game(&later(""))).is_err());
}
