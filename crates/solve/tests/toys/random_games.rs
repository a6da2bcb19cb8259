//! Random small games in which every turn scores: the solver against the complete game tree, state
//! by state.

use hog_solve::game::{Game, Order, Position};
use hog_solve::solve::{Arithmetic, Solution, Watch, equilibrium};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use super::brute_force::{GameTree, Table, positions};
use super::generator::{RandomGame, random_game};
use super::toy::nearest;

fn solved(game: &Game, arithmetic: Arithmetic) -> Solution {
    equilibrium(game, arithmetic, &Watch::silent()).expect("small enough")
}

/// Plays everything out and compares both arithmetics with it.
fn assert_agreement(random: &RandomGame) {
    let (game, text) = (random.game(), random.text());
    assert_eq!(game.order(), Order::Acyclic, "{text}");
    let (exact, float) = (solved(&game, Arithmetic::Exact), solved(&game, Arithmetic::Float));
    let die = |position: &Position| random.weights(position);
    let mut tree = GameTree::new(Table { rules: game.rules(), die: &die });
    let start = Position::new(game.rules(), 0, 0).expect("below the goal");
    assert_eq!(exact.first_fraction(), Some(&tree.solve(&start).value), "0-0\n{text}");
    for position in positions(game.rules()) {
        let (solved, state) = (tree.solve(&position), game.state(&position));
        let value = nearest(&solved.value);
        assert_eq!(exact.own.win_rates[state], value, "{position:?}\n{text}");
        assert_eq!(
            game.space().dice_in(exact.own.best[state]),
            solved.best,
            "best dice of {position:?}\n{text}"
        );
        let error = (float.own.win_rates[state] - value).abs();
        assert!(
            error <= float.error_bound + f64::EPSILON / 4.0,
            "off by {error:e} at {position:?}\n{text}"
        );
        assert_eq!(
            exact.own.best[state] & !float.own.best[state],
            0,
            "floats miss best dice at {position:?}\n{text}"
        );
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
    fn random_games_have_the_values_of_their_complete_game_trees(random in random_game(6, true)) {
        assert_agreement(&random);
    }
}
