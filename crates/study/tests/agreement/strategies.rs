//! Strategies against each other and against the equilibrium: win rates sum to 1, and no strategy
//! beats a best response.

use hog_solve::solve::{Arithmetic, Watch, best_response, endless, evaluate};

use super::games::{Subject, all, small};

/// Returns whether two values are equal within a bound and the rounding of their sum.
fn close(a: f64, b: f64, bound: f64) -> bool {
    (a - b).abs() <= bound + 4.0 * f64::EPSILON
}

#[test]
fn win_rates_of_both_sides_add_to_one() {
    for subject in all() {
        let [first, second] = [subject.plan("optimal"), subject.plan(&subject.baseline())];
        let (one, two) = (subject.rate(&first, &second), subject.rate(&second, &first));
        for (a, b) in [
            (one.first(), two.second()),
            (one.second(), two.first()),
            (one.average(), two.average()),
        ] {
            assert!(close(a + b, 1.0, 2.0 * one.error_bound), "{}: {a} and {b}", subject.name);
        }
    }
}

#[test]
fn exact_win_rates_of_both_sides_add_to_one_exactly() {
    for subject in small() {
        let [first, second] = [subject.plan("optimal"), subject.plan(&subject.baseline())];
        let rate =
            |a, b| evaluate(&subject.game, [a, b], Arithmetic::Exact, &Watch::silent()).unwrap();
        let (one, two) = (rate(&first, &second), rate(&second, &first));
        // Both numbers are exact values rounded once, and the exact values sum to 1.
        let left = (one.first() + two.second() - 1.0).abs();
        assert!(left <= f64::EPSILON / 2.0, "{}: the sum is off by {left:e}", subject.name);
        let own = rate(&first, &first);
        assert_eq!(own.average(), 0.5, "{}: a strategy against itself", subject.name);
    }
}

#[test]
fn equilibrium_play_against_itself_has_the_equilibrium_value_in_every_state() {
    for subject in all() {
        let (plan, solution) = (subject.plan("optimal"), subject.float());
        let rate = subject.rate(&plan, &plan);
        worst_within(
            &subject,
            &rate.own.win_rates,
            &solution.own.win_rates,
            2.0 * solution.error_bound,
        );
    }
}

#[test]
fn exact_equilibrium_play_against_itself_has_the_exact_equilibrium_value() {
    for subject in small() {
        let (plan, solution) = (subject.exact().plan(), subject.exact());
        let rate =
            evaluate(&subject.game, [&plan, &plan], Arithmetic::Exact, &Watch::silent()).unwrap();
        assert_eq!(rate.first_fraction(), solution.first_fraction(), "{}", subject.name);
        assert_eq!(rate.own.win_rates, solution.own.win_rates, "{}", subject.name);
        let answer =
            best_response(&subject.game, &plan, Arithmetic::Exact, &Watch::silent()).unwrap();
        assert_eq!(
            answer.first_fraction(),
            solution.first_fraction(),
            "{}: the best response to it",
            subject.name
        );
        assert_eq!(
            answer.own.win_rates, solution.own.win_rates,
            "{}: the best response to it",
            subject.name
        );
    }
}

#[test]
fn the_best_response_to_equilibrium_play_wins_no_more_than_the_equilibrium_value() {
    for subject in all() {
        let (plan, solution) = (subject.plan("optimal"), subject.float());
        let answer =
            best_response(&subject.game, &plan, Arithmetic::Float, &Watch::silent()).unwrap();
        let bound = answer.error_bound + 3.0 * solution.error_bound;
        worst_within(&subject, &answer.own.win_rates, &solution.own.win_rates, bound);
    }
}

fn worst_within(subject: &Subject, found: &[f64], expected: &[f64], bound: f64) {
    let differences = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
    let (state, worst) = differences
        .enumerate()
        .fold((0, 0.0), |worst, at| if at.1 > worst.1 { (at.0, at.1) } else { worst });
    let place = subject.game.position(state);
    assert!(worst <= bound, "{}: off by {worst:e} at {place:?}, more than {bound:e}", subject.name);
}

#[test]
fn no_strategy_beats_the_equilibrium_on_average() {
    for subject in all() {
        let optimal = subject.plan("optimal");
        let answers =
            subject.constants().into_iter().chain([format!("beat:{}", subject.baseline())]);
        for strategy in answers {
            let rate = subject.rate(&subject.plan(&strategy), &optimal);
            let most = 0.5 + 2.0 * subject.float().error_bound;
            assert!(rate.average() <= most, "{}: {strategy} wins {}", subject.name, rate.average());
        }
    }
}

#[test]
fn the_best_response_is_at_least_as_good_as_any_fixed_number_of_dice() {
    for subject in all() {
        let baseline = subject.plan(&subject.baseline());
        let best =
            best_response(&subject.game, &baseline, Arithmetic::Float, &Watch::silent()).unwrap();
        for strategy in subject.constants().into_iter().chain(["optimal".to_owned()]) {
            let rate = subject.rate(&subject.plan(&strategy), &baseline);
            let tolerance = 2.0 * best.error_bound;
            assert!(
                rate.first() <= best.first() + tolerance,
                "{}: {strategy} moving first",
                subject.name
            );
            assert!(
                rate.second() <= best.second() + tolerance,
                "{}: {strategy} moving second",
                subject.name
            );
        }
    }
}

#[test]
fn a_best_response_rated_against_its_opponent_has_its_reported_value() {
    for subject in all() {
        let baseline = subject.plan(&subject.baseline());
        let best =
            best_response(&subject.game, &baseline, Arithmetic::Float, &Watch::silent()).unwrap();
        let rate = subject.rate(&best.plan(), &baseline);
        let bound = 3.0 * best.error_bound;
        assert!(close(rate.first(), best.first(), bound), "{}: moving first", subject.name);
        assert!(close(rate.second(), best.second(), bound), "{}: moving second", subject.name);
    }
}

#[test]
fn no_constant_strategy_against_itself_plays_for_ever_from_the_start() {
    for subject in all() {
        for strategy in subject.constants() {
            let plan = subject.plan(&strategy);
            let shares = endless(&subject.game, [&plan, &plan], &Watch::silent()).unwrap();
            // From 0-0 no constant strategy plays for ever, not even zero dice in nju21, where the
            // game ends at 105-88.
            assert_eq!(shares, [0.0, 0.0], "{}: {strategy} against itself", subject.name);
        }
    }
}
