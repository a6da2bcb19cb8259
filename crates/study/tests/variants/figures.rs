//! Win rates of constant strategies that the courses' own programs printed, and values printed in
//! papers.

use hog_rules::rules::load;
use hog_solve::game::Game;
use hog_solve::solve::{Arithmetic, Watch, equilibrium, evaluate};
use hog_study::strategy::Strategy;

/// Average win rates `(game, a, b, rate)` of always_roll:a against always_roll:b, from the
/// published leaderboards of the contests.
///
/// Fall 2018 is played with Time Trot on turns modulo 5, Fall 2020 with eight-sided dice on extra
/// turns. Fall 2019 and the evaluators' figures are in `tests/agreement`.
const LEADERBOARDS: &[(&str, u32, u32, f64)] = &[
    ("fa18c", 1, 4, 0.36402435903557656),
    ("fa18c", 4, 6, 0.5841825410121273),
    ("fa20c", 0, 2, 0.7549373372981344),
    ("fa20c", 2, 6, 0.16354260806277085),
    ("fa20c", 6, 8, 0.5297878631860284),
    ("sp21", 1, 5, 0.01535162505299943),
];

#[test]
fn win_rates_of_the_published_leaderboards_are_reproduced() {
    for (id, a, b, figure) in LEADERBOARDS {
        let game = Game::new(load(id, Default::default()).unwrap()).unwrap();
        let plan = |dice: &u32| {
            let strategy: Strategy = format!("always_roll:{dice}").parse().unwrap();
            strategy.plan(&game, &Watch::silent()).unwrap()
        };
        let rate =
            evaluate(&game, [&plan(a), &plan(b)], Arithmetic::Float, &Watch::silent()).unwrap();
        let average = rate.average();
        assert!(
            (average - figure).abs() <= 1e-12,
            "{id}, always_roll {a} against {b}: {average}, not {figure}"
        );
    }
}

/// Neller and Presser (2004) print the values of Piglet with goal 2, by score, opponent's score and
/// turn total.
#[test]
fn the_printed_values_of_piglet_are_exact() {
    let game = super::game("piglet", 2, None);
    let solution = equilibrium(&game, Arithmetic::Exact, &Watch::silent()).unwrap();
    assert_eq!(solution.first_fraction().unwrap().to_string(), "4/7");
    let printed = [
        ((0, 0, 0), 4.0 / 7.0),
        ((0, 0, 1), 5.0 / 7.0),
        ((0, 1, 0), 2.0 / 5.0),
        ((0, 1, 1), 3.0 / 5.0),
    ];
    let printed = printed.into_iter().chain([((1, 0, 0), 4.0 / 5.0), ((1, 1, 0), 2.0 / 3.0)]);
    for ((score, opponent, total), value) in printed {
        let position = hog_solve::game::Position::new(game.rules(), score, opponent).unwrap();
        let position = position.with_memory(game.rules(), "pot", total).unwrap();
        let state = game.state(&position);
        assert_eq!(solution.own.win_rates[state], value, "{score}-{opponent} with {total}");
    }
}
