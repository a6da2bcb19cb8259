//! Properties of every game, tested for each built-in one at a small goal.

use super::claims::claim;
use hog_check::check;
use hog_rules::rules::builtins;
use hog_solve::game::{Game, Order, Plan};
use hog_solve::solve::{Arithmetic, Solution, Watch, best_response, equilibrium, evaluate};
use hog_study::strategy::keeping_points;

/// Returns every built-in game, reduced so that exact values are computed quickly.
fn all() -> impl Iterator<Item = (&'static str, Game)> {
    builtins().iter().map(|builtin| {
        let game = super::game(builtin.id, 10, None);
        // Values without a common denominator grow fast.
        let random = matches!(game.order(), Order::Cyclic { random: true } | Order::Recurrent);
        // The number of dice of a hand is part of the rules.
        let most = (!game.rules().keeps_dice()).then_some(2);
        (builtin.id, if random { super::game(builtin.id, 5, most) } else { game })
    })
}

fn solved(game: &Game, arithmetic: Arithmetic) -> Solution {
    equilibrium(game, arithmetic, &Watch::silent()).unwrap_or_else(|e| panic!("{e}"))
}

/// Returns the plan that always takes the middle action.
fn middling(game: &Game) -> Plan {
    let rolls = Plan::from_actions(vec![(game.space().actions / 2) as u8; game.space().states()]);
    keeping_points(rolls, game)
}

#[test]
fn floats_are_within_their_bound_of_exact_values_in_every_state() {
    for (id, game) in all() {
        let (exact, float) = (solved(&game, Arithmetic::Exact), solved(&game, Arithmetic::Float));
        let pairs = exact.own.win_rates.iter().zip(&float.own.win_rates);
        let worst = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let bound = float.error_bound + exact.error_bound;
        assert!(worst <= bound, "{id}: off by {worst:e}, more than {bound:e}");
        let tied = exact.own.best.iter().zip(&float.own.best);
        let lost = tied.filter(|(exact, float)| **exact & !**float != 0).count();
        assert_eq!(lost, 0, "{id}: states in which floats miss a best roll");
    }
}

#[test]
fn the_checker_confirms_every_game() {
    for (id, game) in all() {
        // The checker does not compute exact values where turns lower the sum of scores.
        let exact = game.order() != Order::Recurrent;
        let solution = solved(&game, if exact { Arithmetic::Exact } else { Arithmetic::Float });
        let report = check(&claim(&game, &solution, None), &|_, _| true)
            .unwrap_or_else(|e| panic!("{id}: {e}"));
        assert!(report.ok(), "{id}: {report:#?}");
    }
}

#[test]
fn win_rates_of_the_two_players_add_to_one() {
    for (id, game) in all() {
        let (ours, theirs) = (solved(&game, Arithmetic::Float).plan(), middling(&game));
        let rate = |a, b| evaluate(&game, [a, b], Arithmetic::Float, &Watch::silent()).unwrap();
        let (one, two) = (rate(&ours, &theirs), rate(&theirs, &ours));
        let tolerance = 2.0 * one.error_bound + 4.0 * f64::EPSILON;
        for (a, b) in [
            (one.first(), two.second()),
            (one.second(), two.first()),
            (one.average(), two.average()),
        ] {
            assert!((a + b - 1.0).abs() <= tolerance, "{id}: {a} and {b}");
        }
        let own = rate(&ours, &ours).average();
        assert!((own - 0.5).abs() <= tolerance, "{id}: a strategy against itself wins {own}");
    }
}

#[test]
fn the_best_response_to_equilibrium_play_wins_exactly_the_value() {
    for (id, game) in all() {
        let exact = solved(&game, Arithmetic::Exact);
        let answer =
            best_response(&game, &exact.plan(), Arithmetic::Exact, &Watch::silent()).unwrap();
        assert_eq!(answer.first_fraction(), exact.first_fraction(), "{id}");
        assert_eq!(answer.own.win_rates, exact.own.win_rates, "{id}");
    }
}

#[test]
fn the_memory_of_previous_points_has_fourteen_classes() {
    for id in ["sp20", "su20"] {
        assert_eq!(super::game(id, 100, None).space().mine, 14, "{id}");
    }
}
