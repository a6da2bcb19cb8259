//! Games in which dice are kept: their tables are verified, and false ones are refused.

#[path = "../../../solve/tests/toys/kept_games.rs"]
mod kept_games;

use hog_check::{Claim, Report};
use hog_rules::rules::{Overrides, rules_from_text};
use hog_solve::game::{Game, Plan};
use hog_solve::solve::{Arithmetic, Solution, Watch, equilibrium};

use crate::claims::claim;
use kept_games::{Seeded, random_game};

fn checked(game: &Game, solution: &Solution) -> Report {
    checked_as(game, solution, |_| ())
}

/// Checks a claim that differs from the solution by `lie`.
fn checked_as(game: &Game, solution: &Solution, lie: impl FnOnce(&mut Claim)) -> Report {
    let mut claim = claim(game, solution, None);
    lie(&mut claim);
    crate::report(&claim)
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
        let answered = any_plan(&game, &mut random);
        for against in [None, Some(&answered)] {
            let solution = crate::solve(&game, Arithmetic::Float, against);
            let report = crate::report(&claim(&game, &solution, against));
            assert!(report.ok(), "{} {report:?}\n{text}", against.is_some());
            assert_eq!(report.loops, solution.loops, "{}\n{text}", against.is_some());
        }
    }
}

/// A plan of random rolls, to which many dice that may be kept are worth the same.
fn any_plan(game: &Game, random: &mut Seeded) -> Plan {
    let mut actions = Vec::new();
    let mut worth = Vec::new();
    for _ in 0..game.space().states() {
        actions.push(random.below(game.space().actions) as u8);
        worth.push(random.below(5) as f64 / 4.0);
    }
    Plan::from_actions(actions).keeping(worth)
}
