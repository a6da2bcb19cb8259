//! An independent, naive check of a solved game: every win rate and every set of best rolls is
//! recomputed and compared.
//!
//! The check uses neither the solver nor its tables, only the numbering of states. It evaluates
//! every turn from the rules' formulas, one cell at a time, and solves the states backward by the
//! sum of scores in exact numbers, where these fit in memory (see [`Method`]). An exact claim must
//! hold to the last bit: each win rate must be the double nearest to the true value, and each set
//! of rolls must contain every roll that attains the true maximum and no other.
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
mod contraction;
mod distributions;
mod loops;
mod memories;
mod numbers;
mod reading;
mod recurrent;
mod rounding;
mod scaled;
mod shown;
mod sweep;
mod totals;
mod verdict;

use dashu_base::BitTest;
use dashu_int::UBig;
use dashu_ratio::RBig;

use hog_rules::policy::Plan;
use hog_rules::rules::Rules;
use hog_rules::states::{DiceSet, States};
use hog_rules::turn::Position;
use numbers::{Doubles, Fractions, Numbers};
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
    /// The opponent's fixed plan, for all states of `game`, if the claim is a best response;
    /// `None` for an equilibrium.
    pub against: Option<&'a Plan>,
    /// The claimed win rates of the solved side: moving first, moving second, on average.
    pub rates: [f64; 3],
}

/// The arithmetic in which a claim was recomputed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Integers over a common denominator: exact.
    Scaled,
    /// Reduced fractions, for loops that depend on chance: exact.
    Fractions,
    /// Doubles, where exact numbers would be too large. An exact claim is then compared like a
    /// claim in floats, to within the bounds, and its last digits are not proven.
    Doubles,
}

/// The result of a check. The first of several faults is the one with the highest sum of scores
/// and, among equal sums, the mover's lowest score.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The number of states that were compared.
    pub states: usize,
    /// The arithmetic in which they were recomputed.
    pub method: Method,
    /// A bound on the error of the recomputed values; 0 unless they are doubles. Claims in floats
    /// may deviate by this much in addition to their own bound.
    pub own_bound: f64,
    /// The number of loops: states of one sum of scores that lead back to themselves, counted by
    /// connected component. `None` where turns may lower the sum: whole games are loops there,
    /// and there is more than one way to count.
    pub loops: Option<usize>,
    /// The largest difference between a claimed and a recomputed win rate, in doubles; infinite if
    /// a claimed one is NaN.
    pub worst_difference: f64,
    /// The position of that difference; `None` if there is no difference.
    pub worst_at: Option<Position>,
    /// The number of wrong win rates: those of an exact claim that differ in any bit, others that
    /// differ by more than the bounds.
    pub wrong_values: usize,
    /// The position of the first wrong win rate, and a description of the fault.
    pub first_wrong_value: Option<(Position, String)>,
    /// The number of wrong sets of best rolls: those of an exact claim that differ in any roll,
    /// others that are empty or list a roll that falls short of the best by more than twice
    /// the bounds.
    pub wrong_rolls: usize,
    /// The position of the first wrong set, and a description of the fault.
    pub first_wrong_roll: Option<(Position, String)>,
    /// The recomputed win rates of the solved side: moving first, moving second, on average.
    pub rates: [f64; 3],
    /// How many of the claim's three rates are wrong.
    pub wrong_rates: usize,
}

impl Report {
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
/// The most states that are solved in fractions, whose size has no useful bound:
/// `[for exact claims, for claims in floats]`.
const MOST_IN_FRACTIONS: [usize; 2] = [10_000, 2000];

/// Checks a claim by recomputing it from the rules of its game.
///
/// A game that never ends counts as half a win for each player. Claims in floats are compared with
/// exact values if those take moderate memory, otherwise with doubles.
///
/// `on_step` is called with the number of sums of scores that are done and their total; it returns
/// false to cancel the check.
///
/// # Errors
/// Returns an error if the claim does not fit the game, a rule cannot be evaluated, the check is
/// cancelled, or an exact claim has more states than can be recomputed exactly. A false claim is
/// not an error: see [`Report::ok`].
///
/// # Panics
/// Panics if `against` has fewer states than the game.
pub fn check(claim: &Claim, on_step: &dyn Fn(usize, usize) -> bool) -> Result<Report, CheckError> {
    fits(claim)?;
    let steps = Steps { on_step, total: claim.states.space().stages() };
    let reading = Reading::new(claim.rules, claim.states, &steps)?;
    let method = method(claim, &reading)?;
    let stages = claim.states.space().stages();
    if method == Method::Scaled {
        return run(claim, &reading, &Scaled::new(base(&reading), stages), method, &steps);
    }
    if method == Method::Fractions {
        let report = run(claim, &reading, &Fractions, method, &steps);
        // A component of states may be too large for fractions.
        if !matches!(report, Err(CheckError::TooLarge(_))) {
            return report;
        }
    }
    run(
        &Claim { exact: false, ..*claim },
        &reading,
        &Doubles { bounds: None },
        Method::Doubles,
        &steps,
    )
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

/// Chooses the arithmetic to recompute in.
fn method(claim: &Claim, reading: &Reading) -> Result<Method, CheckError> {
    let states = reading.space.states();
    match reading.cycles {
        Cycles::Random if states <= MOST_IN_FRACTIONS[usize::from(!claim.exact)] => {
            Ok(Method::Fractions)
        }
        Cycles::Random | Cycles::Recurrent => Ok(Method::Doubles),
        Cycles::None | Cycles::Deterministic => {
            let fits =
                bytes(reading, claim.against.is_some()) <= MOST_BYTES[usize::from(!claim.exact)];
            match (fits, claim.exact) {
                (true, _) => Ok(Method::Scaled),
                (false, false) => Ok(Method::Doubles),
                (false, true) => Err(CheckError::TooLarge(format!(
                    "exact values of {states} states cannot be recomputed in memory"
                ))),
            }
        }
    }
}

/// Returns the least common multiple of the totals of all distributions.
fn base(reading: &Reading) -> UBig {
    reading.rolls.iter().fold(UBig::ONE, |base, total| {
        let (mut a, mut b) = (*total, &base % total);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        base * (total / a)
    })
}

/// Estimates the memory, in bytes, that integers for all states would take.
fn bytes(reading: &Reading, two_sides: bool) -> usize {
    let (states, stages) = (reading.space.states(), reading.space.stages());
    let average = base(reading).bit_len().saturating_mul(stages) / 16 + 64;
    states.saturating_mul(average).saturating_mul(1 + usize::from(two_sides))
}

fn run<A: Numbers>(
    claim: &Claim,
    reading: &Reading,
    numbers: &A,
    method: Method,
    steps: &Steps,
) -> Result<Report, CheckError> {
    let report = Report {
        states: reading.space.states(),
        method,
        own_bound: 0.0,
        loops: None,
        worst_difference: 0.0,
        worst_at: None,
        wrong_values: 0,
        first_wrong_value: None,
        wrong_rolls: 0,
        first_wrong_roll: None,
        rates: [0.0; 3],
        wrong_rates: 0,
    };
    let mut comparison = Comparison::new(claim, report);
    let swept = sweep::sweep(
        reading,
        numbers,
        claim.against,
        claim.states.start(),
        &mut comparison,
        steps,
    )?;
    let height = reading.space.stages();
    let [first, second] = swept.starts.map(|value| numbers.fraction(height, &value));
    let second = RBig::ONE - second;
    let average = (&first + &second) / RBig::from(2u8);
    let rates = [first, second, average].map(|rate| nearest_to(&rate));
    let loops = Some(swept.loops).filter(|_| reading.cycles != Cycles::Recurrent);
    Ok(Report { loops, ..comparison.rates(rates) })
}
