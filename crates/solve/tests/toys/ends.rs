//! Games that a rule ends before a score reaches the goal.

use super::toy::Toy;

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
