//! Random small games: many random tables against each other, compared with exact evaluations.

use hog_solve::game::{Game, Order, Plan};
use hog_solve::pairs::{Rated, Rater};
use hog_solve::solve::{Arithmetic, Watch, evaluate};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use super::generator::{RandomGame, random_game};
use super::toy;

const PLANS: usize = 40;

/// Returns tables with a random number of dice for each cell.
fn tables(game: &Game) -> Vec<Plan> {
    let (cells, actions) = (game.space().goal.pow(2), game.space().actions as u64);
    let table = |seed: usize| {
        let hash = |cell: usize| {
            ((seed * cells + cell + 1) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
        };
        let actions = (0..cells).map(|cell| (hash(cell) % actions) as u8).collect();
        Plan::of_scores(game.states(), actions)
    };
    (0..PLANS).map(table).collect()
}

fn rated<'p>(game: &Game, plans: impl Iterator<Item = &'p Plan>) -> Rated {
    let plans: Vec<&Plan> = plans.collect();
    Rater::new(game).rate(&plans, &all_pairs(), &Watch::silent()).expect("small enough")
}

fn all_pairs() -> Vec<(usize, usize)> {
    (0..PLANS).flat_map(|a| (0..PLANS).map(move |b| (a, b))).collect()
}

/// Compares a sample with exact evaluations, and all with the same plans in another order.
fn assert_rates(game: &Game, text: &str) {
    let plans = tables(game);
    let (rated, reversed) = (rated(game, plans.iter()), rated(game, plans.iter().rev()));
    for (at, (a, b)) in all_pairs().into_iter().enumerate() {
        let other = (PLANS - 1 - a) * PLANS + PLANS - 1 - b;
        assert_eq!(rated.rates[at], reversed.rates[other], "{a} {b}\n{text}");
        assert_eq!(rated.rates[at], rated.rates[b * PLANS + a].swapped(), "{a} {b}\n{text}");
        if at % 97 == 5 {
            let (plans, watch) = ([&plans[a], &plans[b]], Watch::silent());
            let exact = evaluate(game, plans, Arithmetic::Exact, &watch).expect("small enough");
            let rate = rated.rates[at];
            let error =
                (rate.first - exact.first()).abs().max((rate.second - exact.second()).abs());
            assert!(
                error <= rated.error_bound + f64::EPSILON / 4.0,
                "{a} {b}: off by {error:e}, more than {:e}\n{text}",
                rated.error_bound
            );
        }
    }
}

fn assert_rates_of(random: &RandomGame) {
    assert_rates(&random.game(), &random.text());
}

proptest! {
    #![proptest_config(Config {
        cases: 12,
        rng_seed: RngSeed::Fixed(7),
        failure_persistence: None,
        max_shrink_iters: 20,
        ..Config::default()
    })]

    #[test]
    fn rates_of_random_tables_are_within_their_bound_in_any_order(random in random_game(9, true)) {
        assert_rates_of(&random);
    }
}

/// Zero dice may score 0, so a turn may pass; a swap may follow, or another turn.
#[test]
fn rates_of_tables_that_pass_are_within_their_bound() {
    let swap = "swap = \"(score + opponent) % 4 == 1\"";
    let again = "again = \"(score + 2 * opponent) % 5 == 1\"";
    let raise = "score = \"score == opponent ? score + 2 : score\"";
    for rules in [swap, again, raise, &format!("{swap}\n{again}")] {
        let text = format!(
            "goal = 12\nmin_dice = 0\nmax_dice = 2\n\
             [[rule]]\nname = \"Dice\"\ndie = \"3\"\nbust = \"1\"\nzero_dice = \"opponent % 3\"\n\
             [[rule]]\nname = \"Rule\"\n{rules}\n"
        );
        let game = toy::game(&text);
        assert_eq!(game.order(), Order::Cyclic { random: false }, "{text}");
        assert_rates(&game, &text);
    }
}
