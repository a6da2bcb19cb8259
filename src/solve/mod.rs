//! Equilibrium, best response and exact evaluation, in floats with a proven bound or in exact numbers.
//!
//! ```
//! use hog::{game::Game, rules, solve::{Arithmetic, Watch, equilibrium}};
//! let overrides = rules::Overrides { goal: Some(6), max_dice: Some(2) };
//! let game = Game::new(rules::load("nju21", overrides)?)?;
//! let solution = equilibrium(&game, Arithmetic::Exact, &Watch::silent())?;
//! assert_eq!(solution.first_fraction().unwrap().to_string(), "36881/46656");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Map.** The room `kernel` compiles a game; `backward` takes its stages from the end to the start, with numbers of two kinds
//! behind one trait (`numbers`): `floats` (whole rows, by the plain functions of `rows`, with the `bounds` of their error)
//! and `exact` (integers; refused by `estimate` before any is made). `cycles` solves states that lead back to themselves
//! within a stage, and `backward` repeats itself where turns lower the sum of scores; where values have no common denominator,
//! all states are one graph of fractions (`whole`). `forward` follows two policies from the start. Linear systems are left to
//! the room `linear`; the rooms [`pairs`](crate::pairs) and [`partial`](crate::partial) stand on this one.
//!
//! | [`Method`] | chosen for | cost |
//! |---|---|---|
//! | `Rows` | floats | tens of nanoseconds a state |
//! | `Integers` | exact numbers, if all totals have a common multiple and no cycle depends on chance | microseconds a state, more with each stage |
//! | `Rationals` | exact numbers elsewhere, where an estimate of the work allows | grows without measure |
//!
//! **Words.** A *stage* is a sum of scores, a *column* an opponent's score: together they are a cell. A *distribution* tells what
//! an action can lead to: *outcomes*, each of a *class* (the memories it leaves, the rules on totals that apply) and of
//! some points. A *clean sum* runs over the rolls without a 1, found for n dice by one *convolution* of those for n - 1;
//! the *remainder* is all else. A *successor* is *regular* (the totals as they are, the opponent moves), *exceptional* (a
//! swap, a bonus, another turn) or *deferred* (it depends on the points, or lies in a lower stage). A *policy* or *plan*
//! fixes an action for each state; *best* actions are those within the *tolerance* of the largest mean.

mod backward;
mod bounds;
mod choices;
mod components;
mod cycles;
mod estimate;
mod exact;
mod floats;
mod forward;
mod layout;
mod near_ties;
mod numbers;
mod rows;
mod solver;
mod whole;

pub use crate::linear::nearest_double;
pub use choices::{Prospect, action_value, chance_to_win_at_once, choices, prospects, successor_value};
pub use estimate::{admit_exact, practical_arithmetic};
pub(crate) use floats::PreparedPolicy;
pub use forward::{Reach, Transition, reach};
pub use near_ties::{NearTies, may_separate, separate};
pub use solver::{Solver, endless, exact_values};

use std::time::{Duration, Instant};

use dashu_ratio::RBig;

use crate::game::{DiceSet, Game, Plan};

/// Exact numbers, or floating point with a bound on its error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Integers to the last division: every value proven, every tie known.
    Exact,
    /// Doubles with a certified bound.
    Float,
}

/// How a game is solved; chosen from its facts and the arithmetic asked for, in one place ([`Solver`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Doubles, a row of cells at a time.
    Rows,
    /// Integers over a fixed denominator for each stage.
    Integers,
    /// Reduced fractions, where chance closes loops or totals have no common multiple.
    Rationals,
}

impl Method {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Integers => "integers",
            Self::Rationals => "rationals",
        }
    }
}

/// What was solved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// Both sides play to win.
    Equilibrium,
    /// The best play against one fixed policy.
    BestResponse,
    /// One fixed policy against another.
    Evaluation,
}

/// Win rates in floats whose proven bound would be larger are not told: play then stops lowering the sum of scores too rarely
/// for doubles.
pub const LARGEST_BOUND: f64 = 1e-6;

/// Why a game could not be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The caller's [`Watch`] asked to stop.
    #[error("stopped before the end")]
    Cancelled,
    /// Exact numbers would not fit in memory, or would grow without measure.
    #[error("{0}")]
    TooLarge(String),
    /// What was found in floating point could not be proven to be near the truth, and why.
    #[error("the values of this game could not be proven: {0}")]
    Unproven(&'static str),
}

/// Progress of long work, and a way to stop it.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Told how many of how many steps are done; false stops the work.
    on_step: Option<&'a dyn Fn(usize, usize) -> bool>,
}

impl<'a> Watch<'a> {
    /// Reports to nobody and never stops.
    pub fn silent() -> Self {
        Self { on_step: None }
    }

    /// Reports each step to `on_step`; when it returns false the work stops with [`SolveError::Cancelled`].
    pub fn new(on_step: &'a dyn Fn(usize, usize) -> bool) -> Self {
        Self { on_step: Some(on_step) }
    }

    /// Tells that so many of so many steps are done; false if the work should stop.
    pub fn step(&self, done: usize, of: usize) -> bool {
        self.on_step.is_none_or(|on_step| on_step(done, of))
    }

    pub(crate) fn report(&self, done: usize, of: usize) -> Result<(), SolveError> {
        if self.step(done, of) { Ok(()) } else { Err(SolveError::Cancelled) }
    }
}

/// The values of one side's states.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// The mover's win rate in each state.
    pub win_rates: Vec<f64>,
    /// The best numbers of dice in each state: all that tie, as a set of actions.
    pub best: Vec<DiceSet>,
    /// The action to take in each state: see [`Solution::plan`].
    pub choices: Vec<u8>,
}

impl Values {
    /// How many states have more than one best action.
    fn ties(&self) -> usize {
        self.best.iter().map(|set| usize::from(set & set.wrapping_sub(1) != 0)).sum()
    }
}

/// A solved game with all that says how it was had.
#[derive(Clone, Debug)]
pub struct Solution {
    /// What was solved for.
    pub objective: Objective,
    /// In which numbers.
    pub arithmetic: Arithmetic,
    /// By which method.
    pub method: Method,
    /// The states in which the solved side (the first policy, in an evaluation) moves.
    pub own: Values,
    /// The states in which the other side moves; absent where both sides are alike.
    pub other: Option<Values>,
    /// The bound on the error of every win rate in [`Self::own`] and [`Self::other`].
    ///
    /// Exact win rates are the doubles nearest to the exact values (ties to even), so theirs is half a unit in the
    /// last place of 1.
    pub error_bound: f64,
    /// How many states have more than one best number of dice; in floats, how many the bound cannot separate.
    pub ties: usize,
    /// What is known of those ties of floats, if [`separate`] was called.
    pub near_ties: Option<NearTies>,
    /// How many loops of states were solved.
    pub loops: usize,
    /// How long it took.
    pub elapsed: Duration,
    start: usize,
    fractions: Option<[RBig; 2]>,
}

impl Solution {
    /// The win rate of the solved side when it moves first.
    pub fn first(&self) -> f64 {
        self.own.win_rates[self.start]
    }

    /// Its win rate when it moves second.
    pub fn second(&self) -> f64 {
        match (&self.fractions, &self.other) {
            (Some([first, other]), _) => {
                let moving_second = if self.other.is_some() { other } else { first };
                nearest_double(&(RBig::ONE - moving_second))
            }
            (None, Some(other)) => 1.0 - other.win_rates[self.start],
            (None, None) => 1.0 - self.first(),
        }
    }

    /// Its average win rate: half the games it moves first in.
    pub fn average(&self) -> f64 {
        match (&self.fractions, &self.other) {
            (_, None) => 0.5,
            (Some([first, other]), Some(_)) => nearest_double(&((first + (RBig::ONE - other)) / RBig::from(2u8))),
            (None, Some(_)) => (self.first() + self.second()) / 2.0,
        }
    }

    /// The exact win rate of the solved side when it moves first, reduced; `None` in floats.
    pub fn first_fraction(&self) -> Option<&RBig> {
        self.fractions.as_ref().map(|[first, _]| first)
    }

    /// The best numbers of dice at 0-0.
    pub fn first_roll(&self) -> DiceSet {
        self.own.best[self.start]
    }

    /// The solved side's plan: in each state the fewest dice of the best. In floats, where a tie is not proven, these are the
    /// actions of the highest value, to within the roundings of one turn: what all others in [`Values::best`] may cost is
    /// within the bound once, but not over many turns.
    pub fn plan(&self) -> Plan {
        Plan::from_actions(self.own.choices.clone())
    }
}

/// Both sides play to win: the value of each state and all its best numbers of dice.
///
/// This and the functions below ready the game, solve it, and let go of what they know of it: to solve one more than once, make
/// a [`Solver`].
///
/// # Errors
/// If `watch` stops it, or exact numbers would not fit in memory.
pub fn equilibrium(game: &Game, arithmetic: Arithmetic, watch: &Watch) -> Result<Solution, SolveError> {
    once(game, arithmetic, |solver| solver.equilibrium(watch))
}

/// The best play against a fixed plan.
///
/// # Errors
/// As [`equilibrium`].
pub fn best_response(
    game: &Game,
    against: &Plan,
    arithmetic: Arithmetic,
    watch: &Watch,
) -> Result<Solution, SolveError> {
    once(game, arithmetic, |solver| solver.best_response(against, watch))
}

/// One fixed plan against another.
///
/// # Errors
/// As [`equilibrium`].
pub fn evaluate(game: &Game, plans: [&Plan; 2], arithmetic: Arithmetic, watch: &Watch) -> Result<Solution, SolveError> {
    once(game, arithmetic, |solver| solver.evaluate(plans, watch))
}

/// A solution that counts the time to ready the game as well.
fn once(
    game: &Game,
    arithmetic: Arithmetic,
    solve: impl FnOnce(&Solver<&Game>) -> Result<Solution, SolveError>,
) -> Result<Solution, SolveError> {
    let began = Instant::now();
    let mut solution = solve(&Solver::new(game, arithmetic))?;
    solution.elapsed = began.elapsed();
    Ok(solution)
}
