//! A second, naive reading of a solved game from its rules: every win rate and best roll recomputed and compared.
//!
//! Nothing of the solver is used, nor what [`Game`] tabulates; only the game's numbering of states. Every turn is read from
//! the rules' formulas, one cell at a time; states are solved backward by the sum of scores in whole numbers over one
//! denominator, so that a claim of exact numbers must hold to the last bit: each win rate the double nearest to the true
//! value, each set of rolls all that attain the true maximum and no other.
//!
//! ```
//! use hog::{check::{Claim, check}, game::Game, rules, solve::{Arithmetic, Watch, equilibrium}};
//! let overrides = rules::Overrides { goal: Some(20), max_dice: Some(3) };
//! let game = Game::new(rules::load("nju21", overrides)?)?;
//! let solution = equilibrium(&game, Arithmetic::Exact, &Watch::silent())?;
//! let claim = Claim {
//!     game: &game,
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

mod cell;
mod chooser;
mod component;
mod contraction;
mod draws;
mod loops;
mod memories;
mod numbers;
mod reading;
mod returns;
mod rounding;
mod scaled;
mod shown;
mod sweep;
mod totals;
mod verdict;

use dashu_base::BitTest;
use dashu_int::UBig;
use dashu_ratio::RBig;

use crate::game::{DiceSet, Game, Plan, Position};
use numbers::{Doubles, Fractions, Numbers};
use reading::{Reading, Stays};
use rounding::nearest_to;
use scaled::Scaled;
use verdict::{Judge, place};

/// What is claimed of a solved game.
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// The game; its rules are read anew, and its numbering of states says what the claim is about.
    pub game: &'a Game,
    /// The best numbers of dice of each state, as a set of actions.
    pub best: &'a [DiceSet],
    /// The mover's win rate of each state; empty if none are claimed (a packed table).
    pub win_rates: &'a [f64],
    /// True if the win rates are claimed to be the doubles nearest to the exact values and the sets complete.
    pub exact: bool,
    /// Unless exact: the claimed bound on the error of each win rate.
    pub error_bound: f64,
    /// The fixed plan that a best response is claimed against, for all states of `game`; `None` for an equilibrium.
    pub against: Option<&'a Plan>,
    /// The solved side's claimed win rates: moving first, moving second, on average.
    pub rates: [f64; 3],
}

/// In which numbers a claim was recomputed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Whole numbers over a common denominator: exact.
    Scaled,
    /// Fractions in lowest terms, for loops that depend on chance: exact.
    Fractions,
    /// Doubles, where exact numbers would be too large: an exact claim is then held against them to within
    /// [`Report::own_bound`], and its last digits are not proven.
    Doubles,
}

/// What a check found. The first of several faults is the one with the highest sum of scores, then the lowest score.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// How many states were compared.
    pub states: usize,
    /// In which numbers.
    pub method: Method,
    /// The bound on the error of the recomputed values, which claims in floats are granted on top of their own: 0 unless
    /// they were recomputed in doubles.
    pub own_bound: f64,
    /// How many loops of states were met.
    pub loops: usize,
    /// The largest difference of a claimed win rate from the recomputed one (in doubles; infinite for no number).
    pub worst_difference: f64,
    /// Where it is; `None` if there is no difference.
    pub worst_at: Option<Position>,
    /// How many claimed win rates are wrong: exact ones in any bit, others by more than the bound.
    pub wrong_values: usize,
    /// The first of them, and what is wrong.
    pub first_wrong_value: Option<(Position, String)>,
    /// How many sets of best rolls are wrong: exact ones in any roll, others if they are empty or list a roll that falls
    /// short of the best by more than twice the bound.
    pub wrong_rolls: usize,
    /// The first of them, and what is wrong.
    pub first_wrong_roll: Option<(Position, String)>,
    /// The recomputed win rates of the solved side: moving first, moving second, on average.
    pub rates: [f64; 3],
    /// How many of the three claimed ones are wrong.
    pub wrong_rates: usize,
}

impl Report {
    /// True if all that is claimed holds.
    pub fn ok(&self) -> bool {
        self.wrong_values == 0 && self.wrong_rolls == 0 && self.wrong_rates == 0
    }
}

/// Why a claim could not be checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// The progress callback asked to stop.
    #[error("stopped before the end")]
    Cancelled,
    /// The claim is not about this game.
    #[error("the claim does not fit the game: {0}")]
    Misfit(String),
    /// A rule has no value, or one out of its range.
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
    /// The game numbers two positions as one state, and they play differently.
    #[error("{} and {} are one state of the game, but {dice} dice do not do the same there", place(.one), place(.other))]
    Unlike {
        /// A position.
        one: Position,
        /// The position that stands for it.
        other: Position,
        /// The number of dice that tells them apart.
        dice: i32,
    },
    /// Too many states, or exact numbers that would not fit in memory.
    #[error("{0}")]
    TooLarge(String),
    /// A loop of states did not settle.
    #[error("the loop of state {state} does not settle")]
    Unsettled {
        /// A state in it.
        state: usize,
    },
}

/// Progress: how many sums of scores are done, of how many.
struct Steps<'a> {
    on_step: &'a dyn Fn(usize, usize) -> bool,
    of: usize,
}

impl Steps<'_> {
    fn report(&self, done: usize) -> Result<(), CheckError> {
        if (self.on_step)(done, self.of) { Ok(()) } else { Err(CheckError::Cancelled) }
    }
}

/// The most memory that exact numbers may take, in bytes: for claims in exact numbers, and in floats.
const MOST_BYTES: [usize; 2] = [16 << 30, 2 << 30];
/// The most states that are solved in fractions, whose sizes grow without measure: for claims in exact numbers, and in floats.
const MOST_IN_FRACTIONS: [usize; 2] = [10_000, 2000];

/// Recomputes all that is claimed from the rules of its game.
///
/// A game that never ends counts half a win for each player. Claims in floats are held against exact values where those
/// take moderate memory, else against doubles.
///
/// `on_step` is told how many of how many sums of scores are done; false stops the work.
///
/// # Errors
/// If the claim does not fit the game, the rules cannot be read, the work is stopped, or an exact claim is about more
/// states than can be recomputed exactly. A claim that is false is no error: see [`Report::ok`].
///
/// # Panics
/// If `against` has fewer states than the game.
pub fn check(claim: &Claim, on_step: &dyn Fn(usize, usize) -> bool) -> Result<Report, CheckError> {
    fits(claim)?;
    let steps = Steps { on_step, of: claim.game.space().stages() };
    let reading = Reading::new(claim.game, &steps)?;
    let method = method(claim, &reading)?;
    let stages = claim.game.space().stages();
    if method == Method::Scaled {
        return run(claim, &reading, (&Scaled::new(base(&reading), stages), method), &steps);
    }
    if method == Method::Fractions {
        let report = run(claim, &reading, (&Fractions, method), &steps);
        // A group of states may be too large for fractions.
        if !matches!(report, Err(CheckError::TooLarge(_))) {
            return report;
        }
    }
    run(&Claim { exact: false, ..*claim }, &reading, (&Doubles, Method::Doubles), &steps)
}

fn fits(claim: &Claim) -> Result<(), CheckError> {
    let space = claim.game.space();
    let states = space.states();
    for (what, found) in [("best rolls", claim.best.len()), ("win rates", claim.win_rates.len())] {
        if found != states && !(found == 0 && what == "win rates") {
            return Err(CheckError::Misfit(format!("it has {found} {what} for {states} states")));
        }
    }
    if let Some(plan) = claim.against
        && let Some(state) = (0..states).find(|state| plan.action(*state) >= space.actions)
    {
        let position = place(&claim.game.position(state));
        return Err(CheckError::Misfit(format!("the plan it answers has no action of the game at {position}")));
    }
    Ok(())
}

/// The numbers to recompute in.
fn method(claim: &Claim, reading: &Reading) -> Result<Method, CheckError> {
    let states = reading.space.states();
    match reading.stays {
        Stays::ByChance if states <= MOST_IN_FRACTIONS[usize::from(!claim.exact)] => Ok(Method::Fractions),
        Stays::ByChance | Stays::Returning => Ok(Method::Doubles),
        Stays::Never | Stays::Surely => {
            let fits = bytes(reading, claim.against.is_some()) <= MOST_BYTES[usize::from(!claim.exact)];
            match (fits, claim.exact) {
                (true, _) => Ok(Method::Scaled),
                (false, false) => Ok(Method::Doubles),
                (false, true) => {
                    Err(CheckError::TooLarge(format!("exact values of {states} states cannot be recomputed in memory")))
                }
            }
        }
    }
}

/// The least number that all turns' totals divide.
fn base(reading: &Reading) -> UBig {
    reading.rolls.iter().fold(UBig::ONE, |base, total| {
        let (mut a, mut b) = (*total, &base % total);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        base * (total / a)
    })
}

/// The memory that whole numbers take, if all were kept.
fn bytes(reading: &Reading, two_sides: bool) -> usize {
    let (states, stages) = (reading.space.states(), reading.space.stages());
    let average = base(reading).bit_len().saturating_mul(stages) / 16 + 64;
    states.saturating_mul(average).saturating_mul(1 + usize::from(two_sides))
}

fn run<A: Numbers>(
    claim: &Claim,
    reading: &Reading,
    (numbers, method): (&A, Method),
    steps: &Steps,
) -> Result<Report, CheckError> {
    let report = Report {
        states: reading.space.states(),
        method,
        own_bound: 0.0,
        loops: 0,
        worst_difference: 0.0,
        worst_at: None,
        wrong_values: 0,
        first_wrong_value: None,
        wrong_rolls: 0,
        first_wrong_roll: None,
        rates: [0.0; 3],
        wrong_rates: 0,
    };
    let mut judge = Judge::new(claim, report);
    let swept = sweep::sweep(reading, numbers, (claim.against, claim.game.start()), &mut judge, steps)?;
    let height = reading.space.stages();
    let [first, second] = swept.starts.map(|value| numbers.fraction(height, &value));
    let second = RBig::ONE - second;
    let average = (&first + &second) / RBig::from(2u8);
    let rates = [first, second, average].map(|rate| nearest_to(&rate));
    Ok(Report { loops: swept.loops, ..judge.rates(rates) })
}
