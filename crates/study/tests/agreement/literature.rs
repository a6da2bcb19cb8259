//! `neller_hog`, the Hog of the literature: its turns may score nothing, so its positions form
//! random cycles.

use hog_check::check;
use hog_rules::rules::{Overrides, load};
use hog_solve::game::{Order, Position};
use hog_solve::solve::{Arithmetic, SolveError, Watch, equilibrium, practical_arithmetic};

use super::claims::claim;
use super::games::{Subject, subject, with_dice};

const ID: &str = "neller_hog";

/// Returns the probability of each number of points of a roll of six-sided dice, where a 1 scores
/// nothing.
fn chances(dice: usize) -> Vec<f64> {
    let clean = (0..dice).fold(vec![1.0], |sums: Vec<f64>, _| {
        let mut more = vec![0.0; sums.len() + 6];
        for (sum, chance) in sums.iter().enumerate() {
            (2..=6).for_each(|face| more[sum + face] += chance / 6.0);
        }
        more
    });
    let mut all = clean;
    all[0] += 1.0 - (5f64 / 6.0).powi(dice as i32);
    all
}

/// Returns the mover's win rate if it rolls this number of dice and both then play as solved.
fn value_of_rolling(subject: &Subject, score: u32, opponent: u32, dice: usize) -> f64 {
    let rules = subject.game.rules();
    let mut sum = 0.0;
    for (points, chance) in chances(dice).iter().enumerate() {
        let total = score + points as u32;
        sum += chance
            * if total >= rules.goal {
                1.0
            } else {
                let after = Position::new(rules, opponent, total).unwrap();
                1.0 - subject.float().own.win_rates[subject.game.state(&after)]
            };
    }
    sum
}

#[test]
fn each_value_is_that_of_the_best_roll_and_listed_rolls_reach_it() {
    let hog = subject(ID, 100);
    // The test rounds too: it sums at most 61 products of probabilities that have each been rounded
    // ten times.
    let tolerance = 2.0 * hog.float().error_bound + 100.0 * f64::EPSILON;
    assert!(tolerance < 1e-10, "the tolerance {tolerance:e} is too large to test anything");
    for (score, opponent) in (0..50).map(|i| (i * 37 % 100, i * 61 % 100)) {
        let state = hog.game.state(&Position::new(hog.game.rules(), score, opponent).unwrap());
        let values: Vec<f64> =
            (1..=10).map(|dice| value_of_rolling(&hog, score, opponent, dice)).collect();
        let best = values.iter().copied().fold(0.0, f64::max);
        let value = hog.float().own.win_rates[state];
        assert!(
            (value - best).abs() <= tolerance,
            "{score}-{opponent}: {value}, but the best roll is worth {best}"
        );
        for dice in hog.game.space().dice_in(hog.float().own.best[state]) {
            let other = values[dice as usize - 1];
            assert!(
                best - other <= 2.0 * tolerance,
                "{score}-{opponent}: {dice} dice are listed as best, but are worth {other}, not \
                 {best}"
            );
        }
    }
}

#[test]
fn the_first_mover_wins_more_often_and_one_die_is_best_at_99_to_99() {
    let hog = subject(ID, 100);
    assert!((0.5..0.6).contains(&hog.float().first()), "{}", hog.float().first());
    assert_eq!(hog.game.order(), Order::Cyclic { random: true });
    // One point before the goal, one die is best.
    let state = |score, opponent| {
        hog.game.state(&Position::new(hog.game.rules(), score, opponent).unwrap())
    };
    assert_eq!(hog.game.space().dice_in(hog.float().own.best[state(99, 99)]), [1]);
    // At 99-99, v = 5/6 + 1/6 (1 - v) = 6/7.
    assert!(
        (hog.float().own.win_rates[state(99, 99)] - 6.0 / 7.0).abs() <= hog.float().error_bound
    );
}

#[test]
fn floats_are_within_their_bound_of_exact_values_at_a_small_goal() {
    let hog = with_dice(ID, 8, Some(2));
    let (exact, float) = (hog.exact(), hog.float());
    assert!(exact.first_fraction().is_some());
    for (state, (exact, float_rate)) in
        exact.own.win_rates.iter().zip(&float.own.win_rates).enumerate()
    {
        let error = (exact - float_rate).abs();
        assert!(error <= float.error_bound, "{error:e} off at {:?}", hog.game.position(state));
    }
}

#[test]
fn floats_are_within_their_bound_of_exact_values_at_goal_100() {
    let hog = subject(ID, 100);
    let arithmetic = [1.0, 10.0].map(|seconds| practical_arithmetic(&hog.game, seconds));
    assert_eq!(arithmetic, [Arithmetic::Float, Arithmetic::Exact], "exact in some seconds");
    let (exact, float) = (hog.exact(), hog.float());
    assert!(exact.first_fraction().is_some());
    let worst = exact
        .own
        .win_rates
        .iter()
        .zip(&float.own.win_rates)
        .map(|(exact, float)| (exact - float).abs());
    let worst = worst.fold(0.0, f64::max);
    assert!(worst <= float.error_bound, "{worst:e} off");
    assert!(exact.own.best == float.own.best, "the best rolls differ");
}

#[test]
fn floats_are_within_their_bound_of_exact_values_with_30_dice() {
    let hog = with_dice(ID, 30, Some(30));
    let (exact, float) = (hog.exact(), hog.float());
    let worst = exact
        .own
        .win_rates
        .iter()
        .zip(&float.own.win_rates)
        .map(|(exact, float)| (exact - float).abs());
    let worst = worst.fold(0.0, f64::max);
    assert!(worst <= float.error_bound, "{worst:e} off");
    assert!(exact.own.best == float.own.best, "the best rolls differ");
}

#[test]
fn with_30_dice_and_goal_100_floats_are_confirmed_by_the_checker() {
    let hog = with_dice(ID, 100, Some(30));
    assert_eq!(practical_arithmetic(&hog.game, 30.0), Arithmetic::Float);
    let (float, ten) = (hog.float(), subject(ID, 100));
    assert!(float.error_bound < 1e-11, "{:e}", float.error_bound);
    let best = float.own.best.iter().map(|set| hog.game.space().dice_in(*set));
    assert!(
        best.clone().any(|dice| dice.iter().any(|dice| *dice > 10)),
        "more than ten dice are best somewhere"
    );
    // Near the goal at most ten dice are best, so the values there stay the same.
    let late = |subject: &Subject, position: (u32, u32)| {
        let state = subject
            .game
            .state(&Position::new(subject.game.rules(), position.0, position.1).unwrap());
        subject.float().own.win_rates[state]
    };
    let error = (late(&hog, (95, 95)) - late(&ten, (95, 95))).abs();
    assert!(error <= float.error_bound + ten.float().error_bound, "{error:e}");
    let report = check(&claim(&hog.game, float, None), &|_, _| true).unwrap();
    assert!(report.ok(), "{report:#?}");
}

#[test]
fn exact_arithmetic_is_refused_for_pig_and_floats_are_suggested() {
    let pig = subject("pig", 100);
    let Err(refusal) = equilibrium(&pig.game, Arithmetic::Exact, &Watch::silent()) else {
        panic!("pig was solved exactly")
    };
    assert!(matches!(refusal, SolveError::TooLarge(_)), "{refusal}");
    assert!(refusal.to_string().contains("or solve it in floating point"), "{refusal}");
    assert_eq!(practical_arithmetic(&pig.game, 30.0), Arithmetic::Float);
}

#[test]
fn zero_dice_are_refused() {
    let rules = load(ID, Overrides::default()).unwrap();
    assert_eq!((rules.goal, rules.min_dice, rules.max_dice), (100, 1, 10));
    let start = Position::new(&rules, 0, 0).unwrap();
    assert!(
        hog_solve::game::take_turn(&rules, &start, &[], 0)
            .unwrap_err()
            .to_string()
            .contains("choose 1 to 10")
    );
}
