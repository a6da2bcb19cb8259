//! The fast rates of pairs equal those of the solver.

use super::*;

#[test]
fn fast_rates_of_pairs_equal_evaluations() {
    for id in GAMES {
        let game = game(id, if id == "fa19" { Some(40) } else { None });
        let mut plans: Vec<Plan> = (0..3).map(|seed| scattered(&game, seed)).collect();
        plans.extend(["always_roll:0", "always_roll:4", "optimal"].map(|name| named(&game, name)));
        let pairs: Vec<(usize, usize)> =
            (0..plans.len()).flat_map(|a| (0..6).map(move |b| (a, b))).collect();
        let rated = rated(&game, &plans, &pairs);
        for ((a, b), fast) in pairs.into_iter().zip(&rated.rates) {
            let slow = slow(&game, [&plans[a], &plans[b]]);
            let worst = (fast.first - slow[0]).abs().max((fast.second - slow[1]).abs());
            assert!(worst <= 2.0 * rated.error_bound, "{id} {a} {b}: {fast:?} {slow:?}");
        }
    }
}

fn rated(game: &Game, plans: &[Plan], pairs: &[(usize, usize)]) -> Rated {
    let plans: Vec<&Plan> = plans.iter().collect();
    Rater::new(game).rate(&plans, pairs, &Watch::silent()).unwrap()
}

/// The test covers every way in which pairs are rated; random cycles have no fast way and take
/// long.
#[test]
fn pairs_of_every_built_in_game_equal_their_evaluations() {
    for builtin in builtins() {
        let game = game(builtin.id, Some(30));
        if matches!(game.order(), Order::Cyclic { random: true } | Order::Recurrent) {
            continue;
        }
        let (space, cells) = (game.space(), 30 * 30);
        let hashed = |seed: u64| {
            let hash = |cell: usize| {
                (((cell as u64 + 1) << 8) | seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
            };
            Plan::of_scores(
                game.states(),
                (0..cells).map(|cell| (hash(cell) % space.actions as u64) as u8).collect(),
            )
        };
        let most = (space.actions - 1) as u8;
        let plans = [hashed(1), hashed(2), Plan::of_scores(game.states(), vec![most; cells])];
        let pairs = [(0, 1), (1, 2), (2, 0), (0, 0)];
        let rated = rated(&game, &plans, &pairs);
        for ((a, b), fast) in pairs.into_iter().zip(&rated.rates) {
            let slow = slow(&game, [&plans[a], &plans[b]]);
            let worst = (fast.first - slow[0]).abs().max((fast.second - slow[1]).abs());
            assert!(
                worst <= rated.error_bound + 1e-12,
                "{} {a} {b}: {fast:?} {slow:?}",
                builtin.id
            );
        }
    }
}

#[test]
fn pairs_equal_their_evaluations_at_every_goal() {
    for goal in (1..20).chain([31, 32, 33, 34, 65]) {
        let game = game("nju21", Some(goal));
        let plans = [scattered(&game, 1), scattered(&game, 2)];
        let rated = rated(&game, &plans, &[(0, 1)]);
        let (fast, slow) = (rated.rates[0], slow(&game, [&plans[0], &plans[1]]));
        let worst = (fast.first - slow[0]).abs().max((fast.second - slow[1]).abs());
        assert!(worst <= rated.error_bound + 1e-15, "goal {goal}: {fast:?} {slow:?}");
    }
}

/// Rates one pair, as `hog rate` does: by the fast way if both plans allow it, and within the
/// reported bound.
#[test]
fn a_single_pair_is_rated_within_its_bound() {
    for (id, fits) in [("fa21", true), ("nju21", true), ("fa19", false), ("fa20", false)] {
        let game = game(id, Some(25));
        let plans = [named(&game, "optimal"), scattered(&game, 5)];
        let (rated, error_bound) = rate(&game, [&plans[0], &plans[1]], &Watch::silent()).unwrap();
        let slow = slow(&game, [&plans[0], &plans[1]]);
        assert!((rated.first - slow[0]).abs() <= error_bound + 1e-13, "{id}: {rated:?} {slow:?}");
        assert!((rated.second - slow[1]).abs() <= error_bound + 1e-13, "{id}: {rated:?} {slow:?}");
        assert!(error_bound < 1e-11, "{id}: {error_bound}");
        if !fits {
            assert_eq!(
                [rated.first, rated.second],
                slow,
                "{id}: the solver's own rates are expected"
            );
        }
    }
}

/// The fast rates of pairs confirm the value that the solver reports for a best response.
#[test]
fn the_fast_rate_of_a_best_response_is_its_value() {
    let game = game("sp15", None);
    let opponent = named(&game, "always_roll:5");
    let best = best_response(&game, &opponent, Arithmetic::Float, &Watch::silent()).unwrap();
    let rate = rated(&game, &[best.plan(), opponent], &[(0, 1)]).rates[0];
    assert!((rate.average() - best.average()).abs() < 1e-12);
}
