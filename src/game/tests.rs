//! Tests of whole games: what is kept once, what leads where, and what is refused.

use super::*;

/// Where all outcomes lead from every cell.
fn successors(game: &Game) -> Vec<Successor> {
    let cells = 0..game.space().goal * game.space().goal;
    let of_cell = |cell: usize| {
        let outcomes = game.action_set(cell).by_shared.iter().flat_map(|offer| &offer.outcomes);
        outcomes.map(move |outcome| game.successor(cell, outcome))
    };
    cells.flat_map(of_cell).collect()
}

#[test]
fn cells_with_the_same_on_offer_share_a_panel() {
    let rule = "[[rule]]\nname = \"Seven\"\npoints = \"score + opponent == 7 ? points + 1 : points\"";
    let text = format!("id = \"seven\"\ngoal = 30\nmax_dice = 2\n{rule}");
    let game = Game::new(crate::rules::rules_from_text(&text, "seven", Default::default()).expect("sound rules"));
    let game = game.expect("sound rules");
    assert_eq!(game.action_sets().len(), 2);
    assert!((0..900).all(|cell| game.action_set_number(cell) == usize::from(cell / 30 + cell % 30 == 7)));
}

#[test]
fn a_game_whose_totals_have_no_entries_of_their_own_leads_where_one_with_entries_does() {
    for id in ["fa21", "nju21", "su15", "sp15", "fa20", "su18c", "fa15"] {
        let overrides = crate::rules::Overrides { goal: Some(34), max_dice: Some(6) };
        let mut game = Game::new(crate::rules::load(id, overrides).expect("a built-in game")).expect("sound rules");
        assert!(game.moves.tables.iter().all(|table| !table.dense.is_empty()), "{id}");
        let dense = successors(&game);
        game.moves.tables.iter_mut().for_each(|table| table.dense = Vec::new());
        assert!(successors(&game) == dense, "{id}");
    }
}

/// A game of a few rules.
fn tabulated(settings: &str, hooks: &str) -> Result<Game, Faults> {
    let text = format!("id = \"small\"\n{settings}\n[[rule]]\nname = \"Rule\"\n{hooks}");
    Game::new(crate::rules::rules_from_text(&text, "small", Default::default()).expect("sound rules"))
}

fn outcomes(game: &Game) -> impl Iterator<Item = &TurnOutcome> {
    game.action_sets().iter().flat_map(|set| &set.by_shared).flat_map(|offer| &offer.outcomes)
}

#[test]
fn points_far_past_the_goal_are_counted_as_fewer_where_no_rule_can_tell() {
    let game = tabulated("goal = 100\nmax_dice = 10", "face_points = \"face == 6 ? 90000 : 0\"").expect("sound rules");
    assert!(outcomes(&game).all(|outcome| outcome.points <= 4096));
    let six = game.distribution(game.start(), 1).1.outcomes.iter().map(|(_, weight)| *weight).sum::<u64>();
    assert_eq!((six, game.most_increment()), (6, 199));
    let kept = tabulated("goal = 100\nmax_dice = 10", "face_points = \"face == 6 ? 90 : 0\"").expect("sound rules");
    assert_eq!(outcomes(&kept).map(|outcome| outcome.points).max(), Some(960));
}

#[test]
fn only_totals_that_turns_can_reach_are_tabulated() {
    let hooks = "face_points = \"face == 6 ? 90000 : 0\"\nswap = \"score % 2 == 0\"";
    let game = tabulated("goal = 100\nmax_dice = 10", hooks).expect("sound rules");
    assert_eq!(outcomes(&game).map(|outcome| outcome.points).max(), Some(900_060));
    let totals = 11 * (100 + 60);
    assert!(game.moves.tables.iter().all(|table| table.exceptional.len() <= 100 * totals));
    let six = outcomes(&game).find(|outcome| outcome.points == 90_006).expect("a six");
    assert_eq!(game.successor(0, six), Successor::End(End::Lost));
    assert_eq!(game.successor(100, six), Successor::End(End::Won));
}

#[test]
fn too_many_totals_are_refused_before_they_are_tabulated() {
    let hooks = "zero_dice = \"score * 499\"\nswap = \"score % 7 == dice\"";
    let fault = tabulated("goal = 2000\nmax_dice = 10", hooks).expect_err("too many totals");
    assert!(fault.to_string().contains("the rules on totals apply to about 2e10 totals"), "{fault}");
}

#[test]
fn an_estimate_is_exact_for_scores_and_an_upper_bound_for_memories() {
    let estimate = |id: &str, goal: Option<u32>| {
        let rules = crate::rules::load(id, crate::rules::Overrides { goal, max_dice: None }).expect("a built-in game");
        (Estimate::of(&rules), Game::new(rules).expect("sound rules"))
    };
    let (fa21, game) = estimate("fa21", Some(300));
    assert_eq!((fa21.states, fa21.value_bytes), (game.space().states() as u64, 720_000));
    let exceptional: usize = game.moves.tables.iter().map(|table| table.exceptional.len()).sum();
    assert!(fa21.table_bytes >= 8 * exceptional as u64);
    let (fa19, game) = estimate("fa19", None);
    assert!(fa19.states >= game.space().states() as u64);
    assert_eq!(fa19.states, 100 * 100 * 11 * 11);
}
