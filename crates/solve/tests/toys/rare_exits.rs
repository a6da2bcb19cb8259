//! Games in which a turn that usually moves on rarely changes the sum of scores from some
//! positions: floats against fractions.

use hog_solve::game::Plan;
use hog_solve::solve::{Arithmetic, Solution, SolveError, Watch, equilibrium, evaluate};

use super::toy::game;

/// Returns a game whose goal must be reached exactly, which many dice rarely do near it.
fn exact_goal(goal: usize, rules: &str) -> hog_solve::game::Game {
    let land = "[[rule]]\nname = \"Land\"\nscore = \"score > goal ? score_before : score\"";
    game(&format!("goal = {goal}\nmax_dice = 10\n[[rule]]\nname = \"Dice\"\n{rules}\n{land}"))
}

/// Returns the error of floats and their reported bound; `None` if they report that they can prove
/// no bound.
fn compared(solve: impl Fn(Arithmetic) -> Result<Solution, SolveError>) -> Option<(f64, f64)> {
    let exact = solve(Arithmetic::Exact).expect("few fractions");
    let float = match solve(Arithmetic::Float) {
        Err(SolveError::Unproven(_)) => return None,
        found => found.expect("a solution that is not cancelled"),
    };
    let pairs = float.own.win_rates.iter().zip(&exact.own.win_rates);
    Some((pairs.map(|(float, exact)| (float - exact).abs()).fold(0.0, f64::max), float.error_bound))
}

#[test]
fn bounds_hold_where_many_dice_rarely_reach_the_exact_goal() {
    for (goal, dice, rules) in [
        (24, 10, "bust = \"0\""),
        (30, 10, "bust = \"0\""),
        (24, 8, "bust = \"0\"\ndie = \"2\""),
        (30, 9, "bust = \"opponent % 2\""),
        (24, 10, "bust = \"0\"\ndie = \"3\""),
    ] {
        let game = exact_goal(goal, rules);
        let plan = Plan::from_actions(vec![dice; game.space().states()]);
        let found =
            compared(|arithmetic| evaluate(&game, [&plan, &plan], arithmetic, &Watch::silent()));
        println!("{goal} {dice} {rules}: {found:?}");
        assert!(found.is_some_and(|(off, bound)| off <= bound), "{goal} {dice} {rules}: {found:?}");
    }
}

#[test]
fn a_game_that_caps_a_score_below_the_goal_is_solved_in_floats() {
    let cap = "[[rule]]\nname = \"Cap\"\nscore = \"score_before < 9 && score > 9 ? 9 : score\"";
    let game =
        game(&format!("goal = 10\nmax_dice = 10\n[[rule]]\nname = \"Dice\"\nbust = \"0\"\n{cap}"));
    let found = compared(|arithmetic| equilibrium(&game, arithmetic, &Watch::silent()));
    assert!(found.is_some_and(|(off, bound)| off <= bound && bound < 1e-10), "{found:?}");
}
