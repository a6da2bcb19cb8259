//! Random small games in which every turn scores: the solver against the whole tree, state by state.

use hog::game::{Game, Order, Position};
use hog::solve::{Arithmetic, Solution, Watch, equilibrium};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use super::board::nearest;
use super::brute_force::{Table, WholeTree, positions};
use super::generator::{RandomGame, random_game};

fn solved(game: &Game, arithmetic: Arithmetic) -> Solution {
    equilibrium(game, arithmetic, &Watch::silent()).expect("small enough")
}

/// Plays everything out and holds both arithmetics against it.
fn agrees(random: &RandomGame) {
    let (game, text) = (random.game(), random.text());
    assert_eq!(game.order(), Order::Acyclic, "{text}");
    let (exact, float) = (solved(&game, Arithmetic::Exact), solved(&game, Arithmetic::Float));
    let die = |position: &Position| random.weights(position);
    let mut tree = WholeTree::new(Table { rules: game.rules(), die: &die });
    let start = Position::new(game.rules(), 0, 0).expect("below the goal");
    assert_eq!(exact.first_fraction(), Some(&tree.worth(&start).value), "0-0\n{text}");
    for position in positions(game.rules()) {
        let (worth, state) = (tree.worth(&position), game.state(&position));
        let value = nearest(&worth.value);
        assert_eq!(exact.own.win_rates[state], value, "{position:?}\n{text}");
        assert_eq!(game.space().dice_in(exact.own.best[state]), worth.best, "best dice of {position:?}\n{text}");
        let error = (float.own.win_rates[state] - value).abs();
        assert!(error <= float.error_bound + f64::EPSILON / 4.0, "{error:e} off at {position:?}\n{text}");
        assert_eq!(exact.own.best[state] & !float.own.best[state], 0, "float's best of {position:?}\n{text}");
    }
}

proptest! {
    #![proptest_config(Config {
        cases: 96,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        max_shrink_iters: 200,
        ..Config::default()
    })]

    #[test]
    fn random_games_are_worth_what_playing_them_out_says(random in random_game(6, true)) {
        agrees(&random);
    }
}
