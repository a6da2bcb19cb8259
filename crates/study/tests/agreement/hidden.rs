//! The best play of a player who does not see the whole state, compared with known values.

use hog_rules::rules::{Overrides, load};
use hog_solve::game::{Game, Plan};
use hog_solve::pairs::Rater;
use hog_solve::partial::{HiddenSearch, HiddenSolution, OpponentMix, Sees};
use hog_solve::solve::{Arithmetic, Watch, best_response, evaluate};
use hog_study::strategy::Strategy;

fn game(id: &str, goal: u32, max_dice: Option<u32>) -> Game {
    Game::new(load(id, Overrides { goal: Some(goal), max_dice }).unwrap()).unwrap()
}

fn named(game: &Game, name: &str) -> Plan {
    name.parse::<Strategy>().unwrap().plan(game, &Watch::silent()).unwrap()
}

fn search(game: &Game, sees: Sees, field: &OpponentMix, tries: usize) -> HiddenSolution {
    HiddenSearch { sees, tries, seed: 7 }.run(game, field, &Watch::silent()).unwrap()
}

/// Nothing is hidden: there is one opponent, and all memories are seen. Then the ascent is backward
/// induction.
#[test]
fn if_nothing_is_hidden_the_search_finds_the_best_response() {
    for (id, goal, opponent) in [
        ("fa19", 30, "always_roll:4"),
        ("fa19", 25, "optimal"),
        ("fa21", 60, "always_roll:6"),
        // A memory of both players, further turns, sums that stay or fall, and all of it.
        ("fa16", 30, "optimal"),
        ("su21", 40, "always_roll:6"),
        ("nju21", 30, "always_roll:4"),
        ("fa18c", 25, "always_roll:4"),
        ("fa13c", 40, "always_roll:4"),
    ] {
        let game = game(id, goal, None);
        let opponent = named(&game, opponent);
        let best = best_response(&game, &opponent, Arithmetic::Float, &Watch::silent()).unwrap();
        let found = search(&game, Sees::State, &OpponentMix::of_one(opponent), 0);
        assert!(
            (found.average() - best.average()).abs() < 1e-12,
            "{id}: {} {}",
            found.average(),
            best.average()
        );
        assert!(found.at_most >= found.average() && found.at_most < best.average() + 1e-11);
    }
}

/// Compares with all tables of tiny games: 2^16, and with a memory of both players 3^9.
#[test]
fn in_a_tiny_game_no_table_beats_the_one_found() {
    for (id, goal, actions) in [("fa19", 4, 2usize), ("fa16", 3, 3)] {
        let game = game(id, goal, Some(1));
        assert_eq!(game.space().actions, actions);
        let opponent = named(&game, "always_roll:1");
        let rater = Rater::new(&game);
        let mut most: f64 = 0.0;
        for table in 0..actions.pow(goal * goal) {
            let cells = (0..goal * goal).map(|cell| (table / actions.pow(cell) % actions) as u8);
            let plan = Plan::of_scores(game.states(), cells.collect());
            let rated = rater.rate(&[&plan, &opponent], &[(0, 1)], &Watch::silent()).unwrap();
            most = most.max(rated.rates[0].average());
        }
        let found = search(&game, Sees::Scores, &OpponentMix::of_one(opponent.clone()), 40);
        assert!((found.average() - most).abs() < 1e-13, "{id}: {} but {most}", found.average());
    }
}

#[test]
fn seeing_less_wins_no_more_and_more_tries_win_no_less() {
    let game = game("fa19", 40, None);
    let opponent = named(&game, "always_roll:4");
    let field = OpponentMix::of_one(opponent.clone());
    let (few, more) =
        (search(&game, Sees::Scores, &field, 0), search(&game, Sees::Scores, &field, 12));
    assert!(more.average() >= few.average() - 1e-12 && more.average() <= more.at_most);
    let again = search(&game, Sees::Scores, &field, 12);
    assert_eq!(again.plan, more.plan, "the same seed finds the same table");
    let rated =
        evaluate(&game, [&more.plan, &opponent], Arithmetic::Float, &Watch::silent()).unwrap();
    assert_eq!(rated.average(), more.average());
    for cell in 0..40 * 40 {
        let actions = |place: usize| more.plan.action(cell * game.space().per_cell() + place);
        assert!(
            (1..game.space().per_cell()).all(|place| actions(place) == actions(0)),
            "only scores are seen"
        );
    }
}

/// The best answer to a field of opponents wins at least as much against the field as the best
/// answer to each member.
#[test]
fn an_answer_to_a_field_wins_at_least_as_much_as_the_answers_to_its_members() {
    let game = game("su15", 50, None);
    let names = ["always_roll:3", "always_roll:8", "always_roll:5"];
    let plans = names.map(|name| named(&game, name));
    let field = OpponentMix::new(plans.iter().cloned().zip([3.0, 2.0, 1.0]).collect()).unwrap();
    let found = search(&game, Sees::State, &field, 8);
    for name in names {
        let answer = named(&game, &format!("beat:{name}"));
        let rate = |plan: &Plan| {
            let rated =
                evaluate(&game, [&answer, plan], Arithmetic::Float, &Watch::silent()).unwrap();
            rated.average()
        };
        let against_field = (3.0 * rate(&plans[0]) + 2.0 * rate(&plans[1]) + rate(&plans[2])) / 6.0;
        assert!(
            found.average() >= against_field - 1e-12,
            "{name}: {} {against_field}",
            found.average()
        );
    }
    let mixed = named(&game, "beat:mix(always_roll:3*3,always_roll:8*2,always_roll:5)");
    let share = |plan: &Plan| {
        evaluate(&game, [&mixed, plan], Arithmetic::Float, &Watch::silent()).unwrap().average()
    };
    let average = (3.0 * share(&plans[0]) + 2.0 * share(&plans[1]) + share(&plans[2])) / 6.0;
    assert!(
        (average - found.average()).abs() < 1e-3,
        "{average} by name, {} here",
        found.average()
    );
}

#[test]
fn games_in_which_dice_are_kept_and_empty_fields_are_refused() {
    let game = game("kcd", 500, None);
    let field = OpponentMix::of_one(named(&game, "hold_at:300"));
    let search = HiddenSearch { sees: Sees::Scores, tries: 0, seed: 0 };
    let message = search.run(&game, &field, &Watch::silent()).unwrap_err().to_string();
    assert!(message.contains("kcd") && message.contains("dice to keep"), "{message}");
    assert!(OpponentMix::new(Vec::new()).is_err());
    assert!(OpponentMix::new(vec![(named(&game, "hold_at:300"), 0.0)]).is_err());
}
