//! An independent, naive check of a solved game: every win rate and every set of best rolls is
//! recomputed or verified.
//!
//! The check uses neither the solver nor its tables, only the numbering of states. It evaluates
//! every turn from the rules' formulas, one cell at a time. Exact claims are recomputed in exact
//! numbers, backward by the sum of scores, where these fit in memory: each win rate must be the
//! double nearest to the true value, and each set of rolls must contain every best roll and no
//! other. Claims in floats bring bounds for the states of loops, and one pass verifies that no turn
//! leads beyond them (see [`Method`]).
//!
//! ```
//! use hog_check::{Claim, check};
//! use hog_rules::rules;
//! use hog_solve::{game::Game, solve::{Arithmetic, Watch, equilibrium}};
//! let overrides = rules::Overrides { goal: Some(20), max_dice: Some(3) };
//! let game = Game::new(rules::load("nju21", overrides)?)?;
//! let solution = equilibrium(&game, Arithmetic::Exact, &Watch::silent())?;
//! let claim = Claim {
//!     rules: game.rules(),
//!     states: game.states(),
//!     best: &solution.own.best,
//!     win_rates: &solution.own.win_rates,
//!     exact: true,
//!     error_bound: solution.error_bound,
//!     bounds: None,
//!     against: None,
//!     rates: [solution.first(), solution.second(), solution.average()],
//! };
//! let report = check(&claim, &|_, _| true)?;
//! assert!(report.ok() && report.states == 400);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate is a part of `hog-solver`, whose documentation says what is stable. Everything else
//! here may change in any release.

mod argmax;
mod bounds;
mod cell;
mod claim;
mod component;
mod distributions;
mod error;
mod limits;
mod loops;
mod memories;
mod numbers;
mod reading;
mod rounding;
mod scaled;
mod shown;
mod sweep;
mod totals;
mod verdict;
mod verify;

use dashu_base::{BitTest as _, Gcd as _};
use dashu_int::UBig;
use dashu_ratio::RBig;

use bounds::{Interval, double_above};
pub use claim::{Claim, LoopBounds, Method, Report};
pub use error::CheckError;
use error::{Steps, place};
use numbers::{Fractions, RateArithmetic};
use reading::{Cycles, Reading};
use rounding::nearest_to;
use scaled::Scaled;
use verdict::ClaimComparison;

/// Checks a claim by recomputing or verifying it from the rules of its game.
///
/// A game that never ends counts as half a win for each player.
///
/// `on_step` is called with the number of sums of scores that are done and their total; it returns
/// false to cancel the check.
///
/// # Errors
/// Returns an error if the claim does not fit the game, a rule cannot be evaluated, the check is
/// cancelled, or the claim can be neither recomputed nor verified. A false claim is not an error:
/// see [`Report::ok`].
///
/// # Panics
/// Panics if `against` has fewer states than the game.
pub fn check(claim: &Claim, on_step: &dyn Fn(usize, usize) -> bool) -> Result<Report, CheckError> {
    fits(claim)?;
    let counted = claim.rules.in_steps();
    let states = claim.states.in_steps(&counted);
    let claim = &Claim { rules: &counted, states: &states, ..*claim };
    check_counted(claim, on_step).map(|report| report.in_points(&counted))
}

/// Checks a claim whose rules and states count scores in steps.
fn check_counted(
    claim: &Claim,
    on_step: &dyn Fn(usize, usize) -> bool,
) -> Result<Report, CheckError> {
    let steps = Steps { on_step, total: claim.states.space().stages() };
    let reading = Reading::new(claim.rules, claim.states, &steps)?;
    let stages = claim.states.space().stages();
    match method(claim, &reading)? {
        Method::Scaled => {
            recompute(claim, &reading, &Scaled::new(base(&reading), stages), Method::Scaled, &steps)
        }
        Method::Fractions => {
            match recompute(claim, &reading, &Fractions, Method::Fractions, &steps) {
                // A component of states may be too large for fractions.
                Err(CheckError::TooLarge(_) | CheckError::NotConverged { .. })
                    if claim.bounds.is_some() =>
                {
                    verify(claim, &reading, &steps)
                }
                Err(CheckError::TooLarge(_)) if !claim.exact => Err(CheckError::NoBounds),
                report => report,
            }
        }
        Method::Bounds => verify(claim, &reading, &steps),
    }
}

fn fits(claim: &Claim) -> Result<(), CheckError> {
    let space = claim.states.space();
    let states = space.states();
    for (what, found) in [("best rolls", claim.best.len()), ("win rates", claim.win_rates.len())] {
        if found != states && !(found == 0 && what == "win rates") {
            return Err(CheckError::Misfit(format!("it has {found} {what} for {states} states")));
        }
    }
    if let Some(plan) = claim.against
        && let Some(state) = (0..states).find(|state| plan.action(*state) >= space.actions)
    {
        let position = place(&claim.states.position(state));
        return Err(CheckError::Misfit(format!(
            "the opponent's plan has no action of the game at {position}"
        )));
    }
    Ok(())
}

/// Chooses how to check a claim.
fn method(claim: &Claim, reading: &Reading) -> Result<Method, CheckError> {
    if reading.has_menus {
        return match claim.against {
            Some(plan) if plan.worth().is_none() => Err(CheckError::NothingKept),
            _ => Ok(Method::Bounds),
        };
    }
    let states = reading.space.states();
    let has_bounds = claim.bounds.is_some();
    match reading.cycles {
        Cycles::None | Cycles::Deterministic => {
            let needed = bytes(reading, claim.against.is_some());
            match (needed <= limits::EXACT_BYTES[usize::from(!claim.exact)], claim.exact) {
                (true, _) => Ok(Method::Scaled),
                (false, true) => Err(CheckError::TooLarge(format!(
                    "exact values of {states} states cannot be recomputed in memory"
                ))),
                (false, false) if has_bounds || reading.cycles == Cycles::None => {
                    Ok(Method::Bounds)
                }
                (false, false) => Err(CheckError::NoBounds),
            }
        }
        Cycles::Random | Cycles::Recurrent => {
            let most = limits::FRACTION_STATES[usize::from(!claim.exact)];
            match states <= most && (claim.exact || !has_bounds) {
                true => Ok(Method::Fractions),
                false if has_bounds => Ok(Method::Bounds),
                false => Err(CheckError::NoBounds),
            }
        }
    }
}

/// Returns the least common multiple of the totals of all distributions.
fn base(reading: &Reading) -> UBig {
    let totals = reading.rolls.iter().map(|total| UBig::from(*total));
    totals.fold(UBig::ONE, |base, total| &base / (&base).gcd(&total) * total)
}

/// Estimates the memory, in bytes, that integers for all states would take.
fn bytes(reading: &Reading, two_sides: bool) -> usize {
    let states = reading.space.states();
    let stages = reading.space.stages();
    let average = base(reading).bit_len().saturating_mul(stages) / 16 + 64;
    states.saturating_mul(average).saturating_mul(1 + usize::from(two_sides))
}

/// Compares a claim with exact values.
fn recompute<A: RateArithmetic>(
    claim: &Claim,
    reading: &Reading,
    numbers: &A,
    method: Method,
    steps: &Steps,
) -> Result<Report, CheckError> {
    let mut comparison = ClaimComparison::new(claim, Report::new(reading.space.states(), method));
    let start = claim.states.start();
    let swept = sweep::sweep(reading, numbers, claim.against, start, &mut comparison, steps)?;
    let height = reading.space.stages() - reading.space.sum(start / reading.space.per_cell());
    let [first, second] = swept.starts.map(|value| numbers.fraction(height, &value));
    let second = RBig::ONE - second;
    let average = (&first + &second) / RBig::from(2u8);
    let rates = [first, second, average].map(|rate| nearest_to(&rate));
    Ok(Report { loops: swept.loops, ..comparison.rates(rates, None) })
}

/// Verifies the bounds of a claim.
fn verify(claim: &Claim, reading: &Reading, steps: &Steps) -> Result<Report, CheckError> {
    // Of exact claims the last digits are not proven.
    let error_bound = if claim.exact { limits::EXACT_BOUND } else { claim.error_bound };
    let bounded = Claim { exact: false, error_bound, ..*claim };
    let mut comparison =
        ClaimComparison::new(&bounded, Report::new(reading.space.states(), Method::Bounds));
    let swept = verify::verify(reading, claim, &mut comparison, steps)?;
    let first = swept.starts[0];
    let second = swept.starts[1].complement();
    let rates = [first.middle(), second.middle(), (first.middle() + second.middle()) / 2.0];
    let of_first = reach(first, claim.rates[0]);
    let of_second = reach(second, claim.rates[1]);
    let average = (claim.rates[0] + claim.rates[1]) / 2.0;
    let of_average = (of_first + of_second) / 2.0 + (claim.rates[2] - average).abs();
    let reach = Some([of_first, of_second, of_average]);
    Ok(Report { loops: swept.loops, ..comparison.rates(rates, reach) })
}

/// How far a claimed rate may be from the true one.
fn reach(interval: Interval, rate: f64) -> f64 {
    match (0.0..=1.0).contains(&rate) {
        true => double_above(interval.reach(rate)),
        false => f64::INFINITY,
    }
}
