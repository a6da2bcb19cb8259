//! Claims that the checker refuses, and checks that are cancelled.

use super::*;

#[test]
fn claims_that_do_not_fit_the_game_are_refused() {
    let game = small("fa21", 20);
    let solution = solve(&game, Arithmetic::Exact, None);
    let sound = claim(&game, &solution, None);
    let misfit = |claim: Claim| matches!(check(&claim, &|_, _| true), Err(CheckError::Misfit(_)));
    assert!(misfit(Claim { best: &sound.best[1..], ..sound }));
    assert!(misfit(Claim { win_rates: &sound.win_rates[1..], ..sound }));
    assert!(misfit(Claim { against: Some(&always(&game, 5)), ..sound }));
}

#[test]
fn a_check_reports_its_progress_and_can_be_cancelled() {
    let game = small("fa21", 20);
    let solution = solve(&game, Arithmetic::Exact, None);
    let claim = claim(&game, &solution, None);
    let last = std::cell::Cell::new((0, 0));
    let on_step = |done: usize, of: usize| {
        last.set((done, of));
        true
    };
    assert!(check(&claim, &on_step).is_ok());
    assert_eq!(last.get(), (39, 39), "one step for each sum of scores from 0 to 38");
    assert_eq!(check(&claim, &|done, _| done < 20), Err(CheckError::Cancelled));
}

#[test]
fn exact_claims_with_cycles_too_large_for_fractions_are_verified_by_their_bounds() {
    let game = own(&format!("min_dice = 1\nmax_dice = 2\ngoal = 101\n{}", rule("bust", "0")));
    let solution = solve(&game, Arithmetic::Float, None);
    let mut rates = solution.own.win_rates.clone();
    let claimed = |rates: &[f64]| {
        let claim = Claim {
            exact: true,
            win_rates: rates,
            error_bound: 1e-16,
            ..claim(&game, &solution, None)
        };
        check(&claim, &|_, _| true).unwrap()
    };
    let report = claimed(&rates);
    assert!(report.ok() && report.method == Method::Bounds && report.bound > 0.0, "{report:?}");
    rates[4000] += 1e-9;
    assert!(claimed(&rates).wrong_values > 0);
}
