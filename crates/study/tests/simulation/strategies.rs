//! The strategies of the course play the games that have their rule, and are refused by the others.

use hog_solve::solve::Watch;
use hog_study::strategy::Strategy;

use super::{HANDOUTS, game};

fn refusal(id: &str, strategy: &str) -> Option<String> {
    let strategy: Strategy = strategy.parse().unwrap();
    strategy.plan(&game(id), &Watch::silent()).err().map(|error| error.to_string())
}

#[test]
fn a_strategy_plays_only_games_that_have_its_rule() {
    let homes = [
        ("bacon_strategy:8,5", &HANDOUTS[..]),
        ("picky_piggy_strategy:8,5", &HANDOUTS),
        ("swap_strategy:8,5", &["fa19", "su15", "nju21"]),
        ("swine_swap_strategy:8,5", &["fa19", "su15", "nju21"]),
        ("hog_pile_strategy:8,5", &["fa21"]),
        ("prime_strategy:8,5", &["sp15"]),
    ];
    for (strategy, homes) in homes {
        for id in HANDOUTS {
            match refusal(id, strategy) {
                None => assert!(homes.contains(&id), "{strategy} at {id}"),
                Some(error) => {
                    assert!(!homes.contains(&id), "{id}: {error}");
                    assert!(
                        error.contains(strategy) && error.contains("needs a rule that"),
                        "{error}"
                    );
                }
            }
        }
    }
}

#[test]
fn more_dice_than_a_game_allows_are_refused_with_the_scores() {
    let error = refusal("fa21", "picky_piggy_strategy:8,11").unwrap();
    assert!(error.contains("at 0-0: it rolls 11 dice; the game allows 0 to 10"), "{error}");
}

/// Memories count as at their start: the Feral Hogs of `fa19` are not counted, as in the handout.
#[test]
fn strategies_of_the_course_see_only_scores() {
    let game = game("fa19");
    let plan =
        "bacon_strategy:10,4".parse::<Strategy>().unwrap().plan(&game, &Watch::silent()).unwrap();
    let at = |last_dice| {
        let position = hog_solve::game::Position::new(game.rules(), 30, 50).unwrap();
        let position = position.with_memory(game.rules(), "last_dice", last_dice).unwrap();
        game.space().dice(plan.action(game.state(&position)))
    };
    assert_eq!([at(0), at(2), at(4)], [0, 0, 0]);
}
