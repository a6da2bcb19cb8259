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
mod component;
mod distributions;
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

use dashu_base::BitTest;
use dashu_int::UBig;
use dashu_ratio::RBig;

use hog_rules::policy::Plan;
use hog_rules::rules::Rules;
use hog_rules::states::{DiceSet, States};
use hog_rules::turn::Position;
use numbers::{Fractions, Numbers};
use reading::{Cycles, Reading};
use rounding::nearest_to;
use scaled::Scaled;
use verdict::{Comparison, place};

/// A claim about a solved game: its values, its best rolls and their error bound.
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// The rules, which are evaluated from scratch.
    pub rules: &'a Rules,
    /// The numbering of states, which indexes the claim. That it joins only memories which behave
    /// alike is proven.
    pub states: &'a States,
    /// The best numbers of dice of each state, as a set of actions.
    pub best: &'a [DiceSet],
    /// The mover's win rate in each state; empty if the claim has no win rates (a packed table).
    pub win_rates: &'a [f64],
    /// Whether the win rates are claimed to be the doubles nearest to the exact values, and the
    /// sets to be complete.
    pub exact: bool,
    /// Unless `exact`, the claimed bound on the error of each win rate.
    pub error_bound: f64,
    /// The bounds of the states on loops, if the claim has any.
    pub bounds: Option<LoopBounds<'a>>,
    /// The opponent's fixed plan, for all states of `game`, if the claim is a best response;
    /// `None` for an equilibrium.
    pub against: Option<&'a Plan>,
    /// The claimed win rates of the solved side: moving first, moving second, on average.
    pub rates: [f64; 3],
}

/// Bounds on the win rates of the states on loops, which prove themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoopBounds<'a> {
    /// The mover's win rate in each state of the other side; empty if both sides are alike.
    pub other: &'a [f64],
    /// The states on loops, ascending; those of the other side follow, each plus the number of
    /// states. The win rates of states that are missing have no error.
    pub states: &'a [u32],
    /// For each of them, how far the true value may be below the win rate, if those of higher sums
    /// of scores are exact.
    pub below: &'a [f64],
    /// How far it may be above.
    pub above: &'a [f64],
}

impl LoopBounds<'_> {
    /// The value of a state, and its bounds; `None` if it has none that make sense. `own` are the
    /// win rates of the solved side.
    fn of(&self, own: &[f64], side: usize, state: usize) -> Option<(f64, [f64; 2])> {
        let values = if side == 0 { own } else { self.other };
        let value = *values.get(state)?;
        let at = self.states.binary_search(&((side * own.len() + state) as u32));
        let bound = |bounds: &[f64]| at.map_or(Some(0.0), |at| bounds.get(at).copied());
        let below = bound(self.below)?;
        let above = bound(self.above)?;
        let is_sound = |number: f64| (-1.0..=1.0).contains(&number);
        let all_sound = (0.0..=1.0).contains(&value) && is_sound(below) && is_sound(above);
        all_sound.then_some((value, [below, above]))
    }
}

/// How a claim was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Recomputed in integers over a common denominator: exact.
    Scaled,
    /// Recomputed in reduced fractions, for loops that depend on chance: exact.
    Fractions,
    /// By bounds in directed rounding, which the claim brings for the states of loops. The last
    /// digits of an exact claim are not proven then, nor that its sets of rolls are complete.
    Bounds,
}

/// The result of a check. The first of several faults is the one with the highest sum of scores
/// and, among equal sums, the mover's lowest score.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The number of states that were compared.
    pub states: usize,
    /// How they were checked.
    pub method: Method,
    /// The proven bound on the error of every win rate of a claim in floats.
    pub bound: f64,
    /// The most by which a listed roll falls short of the best; 0 of an exact claim.
    pub shortfall: f64,
    /// The number of loops: strongly connected components of states that lead back to themselves.
    pub loops: usize,
    /// The largest difference between a claimed and a recomputed win rate, in doubles; infinite if
    /// a claimed one is NaN.
    pub worst_difference: f64,
    /// The position of that difference; `None` if there is no difference.
    pub worst_at: Option<Position>,
    /// The number of wrong win rates: those of an exact claim that differ in any bit, others that
    /// are not proven to be within the claim's bound.
    pub wrong_values: usize,
    /// The position of the first wrong win rate, and a description of the fault.
    pub first_wrong_value: Option<(Position, String)>,
    /// The number of wrong sets of best rolls: those of an exact claim that differ in any roll,
    /// others that are empty or list a roll that falls short of the best by more than four times
    /// the bound.
    pub wrong_rolls: usize,
    /// The position of the first wrong set, and a description of the fault.
    pub first_wrong_roll: Option<(Position, String)>,
    /// The recomputed win rates of the solved side: moving first, moving second, on average.
    pub rates: [f64; 3],
    /// How many of the claim's three rates are wrong.
    pub wrong_rates: usize,
}

impl Report {
    /// The report with its positions in points, where `rules` count steps.
    fn in_points(mut self, rules: &Rules) -> Self {
        let wrong = [&mut self.first_wrong_value, &mut self.first_wrong_roll];
        let wrong = wrong.into_iter().flatten().map(|(position, _)| position);
        for position in wrong.chain(&mut self.worst_at) {
            *position = position.in_points(rules);
        }
        self
    }

    /// Returns true if the claim has no fault.
    pub fn ok(&self) -> bool {
        self.wrong_values == 0 && self.wrong_rolls == 0 && self.wrong_rates == 0
    }
}

/// Why a claim could not be checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// The progress callback cancelled the check.
    #[error("stopped before the end")]
    Cancelled,
    /// The claim is not about this game.
    #[error("the claim does not fit the game: {0}")]
    Misfit(String),
    /// A rule's formula has no value, or one out of its range.
    #[error("the rule {rule} at {score}-{opponent}: {fault}")]
    Rule {
        /// The rule's name.
        rule: String,
        /// The mover's score then.
        score: i64,
        /// The opponent's score then.
        opponent: i64,
        /// What is wrong.
        fault: String,
    },
    /// The game numbers two positions as one state although they are not equivalent.
    #[error("the game numbers {} and {} as one state, but {dice} dice differ there", place(.one), place(.other))]
    Unlike {
        /// A position.
        one: Position,
        /// The position that represents it.
        other: Position,
        /// The number of dice that distinguishes them.
        dice: i32,
    },
    /// A loop of the game has no bounds that could be verified.
    #[error(
        "it brings no bounds for the loops of its game that could be verified: older versions of hog \
         wrote none, packed tables hold none, and where play lasts too long none can be proven"
    )]
    NoBounds,
    /// Too many states, or exact numbers that would not fit in memory.
    #[error("{0}")]
    TooLarge(String),
    /// The values of a loop did not converge.
    #[error("the values of the loop through state {state} do not converge")]
    NotConverged {
        /// A state in it.
        state: usize,
    },
}

/// Reports progress: the number of sums of scores that are done, and their total.
struct Steps<'a> {
    on_step: &'a dyn Fn(usize, usize) -> bool,
    total: usize,
}

impl Steps<'_> {
    fn report(&self, done: usize) -> Result<(), CheckError> {
        if (self.on_step)(done, self.total) { Ok(()) } else { Err(CheckError::Cancelled) }
    }
}

/// The most memory that exact values may take, in bytes: `[for exact claims, for claims in
/// floats]`.
const MOST_BYTES: [usize; 2] = [16 << 30, 2 << 30];
/// Bounds of exact claims are not told by them; no solver proves larger ones.
const LARGEST_BOUND: f64 = 1e-6;
/// The most states that are solved in fractions, whose size has no useful bound: of exact claims,
/// and of claims in floats that bring no bounds.
const MOST_IN_FRACTIONS: [usize; 2] = [10_000, 2000];

/// Checks a claim by recomputing or verifying it from the rules of its game.
///
/// A game that never ends counts as half a win for each player.
///
/// `on_step` is called with the number of sums of scores that are done and their total; it returns
/// false to cancel the check.
///
/// # Errors
/// Returns an error if the claim does not fit the game, a rule cannot be evaluated, the check is
/// cancelled, or the claim can be neither recomputed nor verified. A false claim is not an error: see
/// [`Report::ok`].
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
        return match (claim.against, claim.bounds) {
            (Some(_), _) => Err(CheckError::TooLarge(
                "best responses in games in which dice are kept cannot be verified yet".into(),
            )),
            (None, None) if reading.cycles != Cycles::None => Err(CheckError::NoBounds),
            _ => Ok(Method::Bounds),
        };
    }
    let states = reading.space.states();
    let has_bounds = claim.bounds.is_some();
    match reading.cycles {
        Cycles::None | Cycles::Deterministic => {
            let needed = bytes(reading, claim.against.is_some());
            match (needed <= MOST_BYTES[usize::from(!claim.exact)], claim.exact) {
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
            let most = MOST_IN_FRACTIONS[usize::from(!claim.exact)];
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
    reading.rolls.iter().fold(UBig::ONE, |base, total| {
        let mut a = *total;
        let mut b = &base % total;
        while b != 0 {
            (a, b) = (b, a % b);
        }
        base * (total / a)
    })
}

/// Estimates the memory, in bytes, that integers for all states would take.
fn bytes(reading: &Reading, two_sides: bool) -> usize {
    let states = reading.space.states();
    let stages = reading.space.stages();
    let average = base(reading).bit_len().saturating_mul(stages) / 16 + 64;
    states.saturating_mul(average).saturating_mul(1 + usize::from(two_sides))
}

fn empty_report(reading: &Reading, method: Method) -> Report {
    Report {
        states: reading.space.states(),
        method,
        bound: 0.0,
        shortfall: 0.0,
        loops: 0,
        worst_difference: 0.0,
        worst_at: None,
        wrong_values: 0,
        first_wrong_value: None,
        wrong_rolls: 0,
        first_wrong_roll: None,
        rates: [0.0; 3],
        wrong_rates: 0,
    }
}

/// Compares a claim with exact values.
fn recompute<A: Numbers>(
    claim: &Claim,
    reading: &Reading,
    numbers: &A,
    method: Method,
    steps: &Steps,
) -> Result<Report, CheckError> {
    let mut comparison = Comparison::new(claim, empty_report(reading, method));
    let start = claim.states.start();
    let swept = sweep::sweep(reading, numbers, claim.against, start, &mut comparison, steps)?;
    let height = reading.space.stages();
    let [first, second] = swept.starts.map(|value| numbers.fraction(height, &value));
    let second = RBig::ONE - second;
    let average = (&first + &second) / RBig::from(2u8);
    let rates = [first, second, average].map(|rate| nearest_to(&rate));
    Ok(Report { loops: swept.loops, ..comparison.rates(rates, None) })
}

/// Verifies the bounds of a claim.
fn verify(claim: &Claim, reading: &Reading, steps: &Steps) -> Result<Report, CheckError> {
    // Of exact claims the last digits are not proven.
    let error_bound = if claim.exact { LARGEST_BOUND } else { claim.error_bound };
    let bounded = Claim { exact: false, error_bound, ..*claim };
    let mut comparison = Comparison::new(&bounded, empty_report(reading, Method::Bounds));
    let swept = verify::verify(reading, claim, &mut comparison, steps)?;
    let first = swept.starts[0];
    let second = swept.starts[1].complement();
    let rates = [first.middle(), second.middle(), (first.middle() + second.middle()) / 2.0];
    let reach = |of: bounds::Interval, rate: f64| match (0.0..=1.0).contains(&rate) {
        true => bounds::double_above(of.reach(rate)),
        false => f64::INFINITY,
    };
    let [of_first, of_second] = [reach(first, claim.rates[0]), reach(second, claim.rates[1])];
    let average = (claim.rates[0] + claim.rates[1]) / 2.0;
    let of_average = (of_first + of_second) / 2.0 + (claim.rates[2] - average).abs();
    let reach = Some([of_first, of_second, of_average]);
    Ok(Report { loops: swept.loops, ..comparison.rates(rates, reach) })
}
