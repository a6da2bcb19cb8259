//! Games in which dice are kept: their tables are verified, and false ones are refused.

#[path = "../../../solve/tests/toys/kept_games.rs"]
mod kept_games;

use hog_check::{Claim, LoopBounds, Report, check};
use hog_rules::rules::{Overrides, rules_from_text};
use hog_solve::game::Game;
use hog_solve::solve::{Arithmetic, Solution, Watch, equilibrium};

use kept_games::{Seeded, random_game};

fn checked(game: &Game, solution: &Solution) -> Report {
    checked_as(game, solution, |_| ())
}

/// Checks a claim that differs from the solution by `lie`.
fn checked_as(game: &Game, solution: &Solution, lie: impl FnOnce(&mut Claim)) -> Report {
    let bounds = solution.bounds.as_deref().map(|bounds| LoopBounds {
        other: &[],
        states: &bounds.states,
        below: &bounds.below,
        above: &bounds.above,
    });
    let mut claim = Claim {
        rules: game.rules(),
        states: game.states(),
        best: &solution.own.best,
        win_rates: &solution.own.win_rates,
        exact: solution.arithmetic == Arithmetic::Exact,
        error_bound: solution.error_bound,
        bounds,
        against: None,
        rates: [solution.first(), solution.second(), solution.average()],
    };
    lie(&mut claim);
    check(&claim, &|_, _| true).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_dice_of_kingdom_come_are_verified_and_a_lie_is_found() {
    let overrides = Overrides { goal: Some(600), max_dice: None };
    let text = include_str!("../../../rules/games/kcd.toml");
    let game = Game::new(rules_from_text(text, "kcd", overrides).unwrap()).unwrap();
    let mut solution = equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap();
    let report = checked(&game, &solution);
    assert!(report.ok(), "{report:?}");
    let position = game.states().position(game.start());
    let position = position.with_memory(game.rules(), "pot", 200).unwrap();
    let state = game.state(&position.with_memory(game.rules(), "dice", 2).unwrap());
    solution.own.win_rates[state] += 1e-9;
    let report = checked(&game, &solution);
    assert!(report.wrong_values > 0, "{report:?}");
    let at = report.first_wrong_value.expect("a fault").0;
    assert_eq!(at.memory[0] % 50, 0, "positions are in points: {at:?}");
}

/// Where values in floats are called exact, they are proven only as far as their bounds reach; what
/// the header says of the game is no nearer.
#[test]
fn the_bound_that_is_told_holds_for_the_rates_in_the_header() {
    let overrides = Overrides { goal: Some(600), max_dice: None };
    let text = include_str!("../../../rules/games/kcd.toml");
    let game = Game::new(rules_from_text(text, "kcd", overrides).unwrap()).unwrap();
    let solution = equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap();
    let report = checked_as(&game, &solution, |claim| {
        claim.exact = true;
        claim.rates[0] += 9e-7;
        claim.rates[1] -= 9e-7;
    });
    assert!(!report.ok() || report.bound >= 9e-7, "{report:?}");
    let report = checked_as(&game, &solution, |claim| claim.rates[2] += 1e-9);
    assert!(report.wrong_rates > 0, "{report:?}");
}

#[test]
fn tables_of_random_games_are_verified() {
    let mut random = Seeded(2068);
    let mut verified = 0;
    while verified < 100 {
        let text = random_game(&mut random);
        let Ok(game) = Game::new(rules_from_text(&text, "toy", Overrides::default()).unwrap())
        else {
            continue;
        };
        verified += 1;
        let solution = equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap();
        let report = checked(&game, &solution);
        assert!(report.ok(), "{report:?}\n{text}");
    }
}
