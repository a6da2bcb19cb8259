//! Tests of complete games: shared action sets, successors, and games that are refused.

use super::*;

#[test]
fn cells_with_the_same_distributions_share_an_action_set() {
    let rule =
        "[[rule]]\nname = \"Seven\"\npoints = \"score + opponent == 7 ? points + 1 : points\"";
    let text = format!("id = \"seven\"\ngoal = 30\nmax_dice = 2\n{rule}");
    let game = Game::new(
        crate::rules::rules_from_text(&text, "seven", Default::default()).expect("valid rules"),
    );
    let game = game.expect("valid rules");
    assert_eq!(game.action_sets().len(), 2);
    assert!(
        (0..900)
            .all(|cell| game.action_set_number(cell) == usize::from(cell / 30 + cell % 30 == 7))
    );
}

/// Builds a game from settings and the hooks of one rule.
fn tabulated(settings: &str, hooks: &str) -> Result<Game, Faults> {
    let text = format!("id = \"small\"\n{settings}\n[[rule]]\nname = \"Rule\"\n{hooks}");
    Game::new(
        crate::rules::rules_from_text(&text, "small", Default::default()).expect("valid rules"),
    )
}

fn outcomes(game: &Game) -> impl Iterator<Item = &Outcome> {
    game.distributions().iter().flat_map(|distribution| &distribution.outcomes)
}

/// The number of exceptional totals in each table of the game.
fn exceptional(game: &Game) -> Vec<usize> {
    let (rules, budget) = (game.rules(), Budget { memory: u64::MAX, keep_going: &|| true });
    let classes = classes::score_classes(rules, budget).expect("valid rules");
    let (found, _) = distributions::distributions(rules, &classes, budget).expect("valid rules");
    let tables = tabulate::successors(rules, &found, budget).expect("valid rules").tables;
    tables.iter().map(|table| table.exceptional.len()).collect()
}

#[test]
fn points_far_past_the_goal_are_capped_if_no_rule_depends_on_them() {
    let game = tabulated("goal = 100\nmax_dice = 10", "face_points = \"face == 6 ? 90000 : 0\"")
        .expect("valid rules");
    assert!(outcomes(&game).all(|outcome| outcome.points <= 4096));
    let six = game
        .distribution(game.start(), 1)
        .outcomes
        .iter()
        .map(|outcome| outcome.weight)
        .sum::<Weight>();
    assert_eq!((six, game.most_increment()), (6, 199));
    let kept = tabulated("goal = 100\nmax_dice = 10", "face_points = \"face == 6 ? 90 : 0\"")
        .expect("valid rules");
    assert_eq!(outcomes(&kept).map(|outcome| outcome.points).max(), Some(960));
}

#[test]
fn only_totals_that_turns_can_reach_are_tabulated() {
    let hooks = "face_points = \"face == 6 ? 90000 : 0\"\nswap = \"score % 2 == 0\"";
    let game = tabulated("goal = 100\nmax_dice = 10", hooks).expect("valid rules");
    assert_eq!(outcomes(&game).map(|outcome| outcome.points).max(), Some(900_060));
    let totals = 11 * (100 + 60);
    assert!(exceptional(&game).into_iter().all(|count| count <= 100 * totals));
    let six = outcomes(&game).find(|outcome| outcome.points == 90_006).expect("a six");
    assert_eq!(game.successor(0, six), Successor::End(End::Lost));
    assert_eq!(game.successor(100, six), Successor::End(End::Won));
}

#[test]
fn too_many_totals_are_refused_before_they_are_tabulated() {
    let hooks = "zero_dice = \"score * 499\"\nswap = \"score % 7 == dice\"";
    let fault = tabulated("goal = 2000\nmax_dice = 10", hooks).expect_err("too many totals");
    assert!(
        fault.to_string().contains("the rules on totals apply to about 2e10 totals"),
        "{fault}"
    );
}

#[test]
fn an_estimate_is_exact_for_scores_and_an_upper_bound_for_memories() {
    let estimate = |id: &str, goal: Option<u32>| {
        let rules = crate::rules::load(id, crate::rules::Overrides { goal, max_dice: None })
            .expect("a built-in game");
        (most_states(&rules), Game::new(rules).expect("valid rules"))
    };
    let (fa21, game) = estimate("fa21", Some(300));
    assert_eq!(fa21, game.space().states() as u64);
    let (fa19, game) = estimate("fa19", None);
    assert!(fa19 >= game.space().states() as u64);
    assert_eq!(fa19, 100 * 100 * 11 * 11);
}

/// Two memories of `each` values, which turns copy from the points.
fn memories(of: &str, each: u32) -> String {
    let memory = |name: &str, next: &str| {
        let max = each - 1;
        format!("[[memory]]\nname = \"{name}\"\nof = \"{of}\"\nmax = {max}\nnext = \"{next}\"\n")
    };
    let next = format!("(points * 7 + {}) % {each}", if of == "game" { "a" } else { "dice" });
    format!("goal = 2\nmax_dice = 1\n{}{}", memory("a", &next), memory("b", "dice"))
}

#[test]
fn the_game_may_remember_more_than_a_player() {
    let refused = |of: &str, each| {
        tabulated(&memories(of, each), "bust = \"1\"").err().map(|faults| faults.to_string())
    };
    assert_eq!(
        [refused("game", 100), refused("game", 256), refused("player", 64)],
        [None, None, None]
    );
    for (of, each, most) in [("game", 257, "65536"), ("player", 65, "4096")] {
        let message = refused(of, each).expect("too many");
        assert!(message.contains(&format!("at most {most} are allowed")), "{message}");
    }
}
