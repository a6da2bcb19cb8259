//! Floats agree with exact arithmetic within their error bound, and the bound is not much too
//! large.

use hog_rules::rules::{Overrides, load};
use hog_solve::solve::{Arithmetic, Solution, Watch, admit_exact, best_response, evaluate};
use hog_study::table::shipped;

use super::games::{Subject, all, exactly, small, subject};

/// Returns the largest difference between the win rates of two solutions.
fn worst(exact: &Solution, float: &Solution) -> f64 {
    let sides = |solution: &Solution| {
        let other = solution.other.iter().flat_map(|values| values.win_rates.clone());
        solution.own.win_rates.iter().copied().chain(other).collect::<Vec<f64>>()
    };
    sides(exact).iter().zip(sides(float)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn floats_are_within_their_bound_of_the_exact_values() {
    for subject in exactly().chain(small()) {
        let (exact, float) = (subject.exact(), subject.float());
        let (error, bound) = (worst(exact, float), float.error_bound);
        println!(
            "{}: worst error {error:.2e}, bound {bound:.2e}, ratio {:.0}",
            subject.name,
            bound / error
        );
        assert!(
            error <= bound,
            "{}: the error {error:e} exceeds the bound {bound:e}",
            subject.name
        );
    }
}

#[test]
fn the_bound_is_at_most_a_thousand_times_the_worst_error() {
    for subject in exactly() {
        let (error, bound) = (worst(subject.exact(), subject.float()), subject.float().error_bound);
        assert!(
            bound <= 1000.0 * error,
            "{}: the bound is {bound:e}, the error {error:e}",
            subject.name
        );
    }
}

#[test]
fn the_best_dice_in_floats_include_the_exact_ones() {
    for subject in exactly().chain(small()) {
        assert_includes(&subject, &subject.exact().own.best);
    }
}

#[test]
fn the_best_dice_in_floats_include_those_of_the_shipped_tables() {
    let tables = all().filter_map(|subject| Some((shipped(subject.game.rules())?, subject)));
    let mut count = 0;
    for (table, subject) in tables {
        assert_eq!(table.arithmetic(), Arithmetic::Exact, "{}", subject.name);
        assert_includes(&subject, table.best());
        count += 1;
    }
    assert!(count >= 5, "only {count} tables are shipped");
}

fn assert_includes(subject: &Subject, exact: &[u32]) {
    let (game, float) = (&subject.game, &subject.float().own.best);
    let lost = (0..exact.len()).find(|state| exact[*state] & !float[*state] != 0);
    if let Some(state) = lost {
        let [exact, float] = [exact[state], float[state]].map(|set| game.space().dice_in(set));
        panic!(
            "{} at {:?}: {exact:?} are best, but floats give {float:?}",
            subject.name,
            game.position(state)
        );
    }
}

#[test]
fn a_single_best_number_of_dice_in_floats_is_the_exact_best() {
    for subject in exactly() {
        let pairs = subject.exact().own.best.iter().zip(&subject.float().own.best);
        let single = pairs.filter(|(_, float)| float.count_ones() == 1);
        single.for_each(|(exact, float)| assert_eq!(exact, float, "{}", subject.name));
        assert!(
            subject.float().ties >= subject.exact().ties,
            "{}: floats report fewer ties than exact arithmetic",
            subject.name
        );
    }
}

#[test]
fn rates_of_plans_in_floats_are_within_their_bound() {
    for subject in small() {
        let baseline = subject.plan(&subject.baseline());
        for strategy in subject.constants() {
            let plan = subject.plan(&strategy);
            let rate = |arithmetic| {
                evaluate(&subject.game, [&plan, &baseline], arithmetic, &Watch::silent()).unwrap()
            };
            let (exact, float) = (rate(Arithmetic::Exact), rate(Arithmetic::Float));
            let error = worst(&exact, &float);
            assert!(error <= float.error_bound, "{}, {strategy}: off by {error:e}", subject.name);
            for (exact, float) in
                [(exact.second(), float.second()), (exact.average(), float.average())]
            {
                assert!(
                    (exact - float).abs() <= 2.0 * rate(Arithmetic::Float).error_bound,
                    "{}",
                    subject.name
                );
            }
        }
    }
}

#[test]
fn best_responses_in_floats_are_within_their_bound() {
    for subject in small() {
        let baseline = subject.plan(&subject.baseline());
        let answer = |arithmetic| {
            best_response(&subject.game, &baseline, arithmetic, &Watch::silent()).unwrap()
        };
        let (exact, float) = (answer(Arithmetic::Exact), answer(Arithmetic::Float));
        assert!(worst(&exact, &float) <= float.error_bound, "{}", subject.name);
        let lost = exact
            .own
            .best
            .iter()
            .zip(&float.own.best)
            .filter(|(exact, float)| *exact & !*float != 0)
            .count();
        assert_eq!(lost, 0, "{}: states in which floats miss a best number of dice", subject.name);
    }
}

#[test]
fn the_error_bound_of_exact_win_rates_is_one_rounding() {
    let solution = subject("fa21", 20);
    assert_eq!(solution.exact().error_bound, f64::EPSILON / 4.0);
    let fraction = solution.exact().first_fraction().unwrap();
    assert_eq!(fraction.to_f64().value(), solution.exact().first());
    assert!(solution.float().first_fraction().is_none());
}

#[test]
fn rules_are_refused_early_if_their_exact_numbers_would_be_too_long() {
    let rules = |id: &str, goal: u32| {
        load(id, Overrides { goal: Some(goal), max_dice: None }).expect("a built-in game")
    };
    for id in ["fa21", "nju21", "su15", "sp15", "fa19"] {
        assert_eq!(admit_exact(&rules(id, 100)), Ok(()), "{id}");
    }
    assert!(admit_exact(&rules("fa21", 20_000)).unwrap_err().to_string().contains("GiB"));
}
