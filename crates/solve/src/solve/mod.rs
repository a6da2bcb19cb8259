//! **Map.** [`Solver`] chooses a [`Method`] for a game, prepares it, and assembles the
//! [`Solution`].
//!
//! * `backward` is the backward pass: it solves the stages from the last to the first, by a
//!   `stage_solver::StageSolver`: `floats` (rows of doubles, by the inner loops in `rows`, with the
//!   error `bounds`) or `exact` (integers; `estimate` refuses games that are too large). `layout`
//!   gives the order of the numbers.
//! * `cycles` solves the states of a stage that lead back to themselves.
//! * `full_graph` solves all states of a game as one graph: in doubles or longer floats where turns
//!   may lower the sum of the scores, in fractions where values have no common denominator, or in
//!   pairs of doubles to separate `near_ties`.
//! * `forward` computes how often two fixed policies reach each state; `choices` the value of each
//!   action.
//! * `graph` solves states that lead to each other, one [`component`](crate::component) after
//!   another. The modules `pairs` and `partial` build on this room.
//!
//! What each [`Method`] is chosen for, and what it costs:
//!
//! * `Rows`: floats; tens of nanoseconds a state.
//! * `Graph`: floats, where turns may lower the sum of the scores; ten nanoseconds an outcome, for
//!   each sweep in a loop.
//! * `Integers`: exact numbers, if all totals have a common multiple and no cycle depends on
//!   chance; microseconds a state, more with each stage.
//! * `Rationals`: other exact numbers, where the estimated work allows, and games of which floats
//!   prove nothing; fractions grow with the number of states, without a limit.
//!
//! **Words.** A *stage* is a sum of scores, a *column* an opponent's score: together they give a
//! cell. A *distribution* lists the *outcomes* of an action, each of a *class* (the memories it
//! leaves, the rules on totals that apply) and with some points. A *clean sum* is the part of a
//! distribution whose rolls have no 1, computed for n dice by one *convolution* of that for n - 1;
//! the *remainder* is every other outcome. A *successor* is *regular* (the totals as they are, the
//! opponent moves), *exceptional* (a swap, a bonus, another turn) or *deferred* (it depends on the
//! points, or lies in a lower stage). A *policy* or *plan* fixes an action for each state; the
//! *best* actions are those within the *tolerance* of the largest mean. A value is the mover's
//! unless stated otherwise.

mod backward;
pub(crate) mod bounds;
mod choices;
mod cycles;
mod estimate;
mod exact;
mod floats;
mod forward;
mod full_graph;
mod graph;
mod kept;
mod layout;
mod near_ties;
mod rows;
mod solver;
mod stage_solver;

pub use crate::linear::nearest_double;
pub use choices::{
    Prospect, action_value, best_successors, chance_to_win_at_once, choices, prospects,
    successor_value,
};
pub use estimate::{Cost, admit_exact, cost, exact_bytes, practical_arithmetic};
pub use forward::{Reach, reach};
pub use near_ties::{Separation, may_separate, separate};
pub use solver::{Solver, endless, endless_by_state, exact_values};

use std::sync::Arc;
use std::time::{Duration, Instant};

use dashu_ratio::RBig;

use crate::game::{DiceSet, Game, Plan, USUAL_MEMORY};

/// The numbers a game is solved in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Integers or fractions: every value is exact and every tie is certain.
    Exact,
    /// Doubles with a proven error bound.
    Float,
}

/// How a game is solved; [`Solver`] chooses it from the game's facts and the requested arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Doubles, one row of cells at a time.
    Rows,
    /// Doubles, all states as one graph, one component after another.
    Graph,
    /// Integers, over one fixed denominator for each stage.
    Integers,
    /// Reduced fractions, where cycles depend on chance or totals have no common multiple.
    Rationals,
}

impl Method {
    /// Returns the name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Graph => "graph",
            Self::Integers => "integers",
            Self::Rationals => "rationals",
        }
    }

    /// Returns the numbers that it computes in.
    pub fn arithmetic(self) -> Arithmetic {
        match self {
            Self::Rows | Self::Graph => Arithmetic::Float,
            Self::Integers | Self::Rationals => Arithmetic::Exact,
        }
    }
}

/// What was solved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// Both sides play to win.
    Equilibrium,
    /// The best response to one fixed policy.
    BestResponse,
    /// One fixed policy plays against another.
    Evaluation,
}

/// Why a game could not be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The caller's [`Watch`] cancelled the work.
    #[error("stopped before the end")]
    Cancelled,
    /// Exact numbers would not fit in memory or would take too long.
    #[error("{0}")]
    TooLarge(String),
    /// The work would take too much memory or time in any numbers.
    #[error("{0}")]
    TooMuch(String),
    /// The error of the values in floating point could not be bounded, for the given reason.
    #[error("the values of this game could not be proven: {0}")]
    Unproven(&'static str),
}

/// What long work may take: a callback that receives its progress and can cancel it, and a limit on
/// its memory.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Called, by any thread, with the number of steps done and of all steps; returns false to
    /// cancel.
    on_step: Option<&'a (dyn Fn(usize, usize) -> bool + Sync)>,
    /// The most memory for the tables of the work, in bytes, by an estimate made before they are
    /// allocated.
    memory: u64,
}

impl<'a> Watch<'a> {
    /// Creates a watch that reports nothing and never cancels.
    pub fn silent() -> Self {
        Self { on_step: None, memory: USUAL_MEMORY }
    }

    /// Creates a watch that calls `on_step`; if that returns false, the work stops with
    /// [`SolveError::Cancelled`].
    pub fn new(on_step: &'a (dyn Fn(usize, usize) -> bool + Sync)) -> Self {
        Self { on_step: Some(on_step), memory: USUAL_MEMORY }
    }

    /// Sets the most memory for the tables of the work, in bytes; without it, that is
    /// [`USUAL_MEMORY`].
    #[must_use]
    pub fn memory(self, bytes: u64) -> Self {
        Self { memory: bytes, ..self }
    }

    /// Returns a watch with the same limit on memory and another callback, for a part of the work.
    pub fn of_part<'p>(&self, on_step: &'p (dyn Fn(usize, usize) -> bool + Sync)) -> Watch<'p> {
        Watch { on_step: Some(on_step), memory: self.memory }
    }

    /// Refuses work whose tables would take more memory than allowed, in bytes; `fix` says what
    /// would take less.
    ///
    /// # Errors
    /// Returns an error if it would.
    pub fn admit(&self, bytes: u64, fix: &str) -> Result<(), SolveError> {
        if bytes <= self.memory {
            return Ok(());
        }
        let [needed, most] = [bytes, self.memory].map(|bytes| bytes >> 20);
        Err(SolveError::TooMuch(format!(
            "this takes {needed} MiB of memory; {most} MiB are allowed: {fix}"
        )))
    }

    /// Reports that `done` of `of` steps are done; returns false if the work should stop.
    pub fn step(&self, done: usize, of: usize) -> bool {
        self.on_step.is_none_or(|on_step| on_step(done, of))
    }

    /// As [`Self::step`], but returns an error if the work should stop.
    ///
    /// # Errors
    /// Returns [`SolveError::Cancelled`] then.
    pub fn report(&self, done: usize, of: usize) -> Result<(), SolveError> {
        if self.step(done, of) { Ok(()) } else { Err(SolveError::Cancelled) }
    }
}

/// The values of the states of one side, indexed by state.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// The mover's win rate.
    pub win_rates: Vec<f64>,
    /// The best actions, as a set: all that tie.
    pub best: Vec<DiceSet>,
    /// The action to take: see [`Solution::plan`].
    pub choices: Vec<u8>,
}

impl Values {
    /// Counts the states with more than one best action.
    fn ties(&self) -> usize {
        self.best.iter().map(|set| usize::from(set & set.wrapping_sub(1) != 0)).sum()
    }
}

/// Bounds on the win rates of the states on cycles. They prove themselves: no turn leads beyond
/// them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The states on cycles, ascending (all states, where turns may lower the sum of the scores);
    /// those in which the other side moves follow, each plus the number of states.
    pub states: Vec<u32>,
    /// For each of them, how far the true value may be below the win rate, if the values that leave
    /// its sum of scores are exact.
    pub below: Vec<f64>,
    /// How far it may be above.
    pub above: Vec<f64>,
}

impl Bounds {
    /// States in ascending order, each with how far the value may be below and above.
    fn new(by_state: impl Iterator<Item = (u32, [f64; 2])>) -> Self {
        let mut bounds = Self::default();
        for (state, [below, above]) in by_state {
            bounds.states.push(state);
            bounds.below.push(below);
            bounds.above.push(above);
        }
        bounds
    }
}

/// The result of solving for one side or two.
struct RunResult {
    method: Method,
    /// By side.
    values: Vec<Values>,
    /// By side: the exact values of the requested states; `None` in floats.
    fractions: Option<Vec<Vec<RBig>>>,
    cycles: usize,
    error_bound: f64,
    bounds: Option<Bounds>,
}

/// A solved game, with the method, error bound and counts that certify it.
#[derive(Clone, Debug)]
pub struct Solution {
    /// What was solved for.
    pub objective: Objective,
    /// The numbers it was solved in.
    pub arithmetic: Arithmetic,
    /// The method.
    pub method: Method,
    /// The states in which the solved side (the first policy, in an evaluation) moves.
    pub own: Values,
    /// The states in which the other side moves; absent where both sides are alike.
    pub other: Option<Values>,
    /// A bound on the error of every win rate in [`Self::own`] and [`Self::other`]; for exact
    /// solutions that of rounding to the nearest double, ties to even: half a unit in the last
    /// place just below 1.
    pub error_bound: f64,
    /// The bounds of the states on cycles; `None` if the game has no cycles, exact numbers decide
    /// them without, or none were found that doubles can hold.
    pub bounds: Option<Arc<Bounds>>,
    /// The number of states with several best actions; in floats, with several that the bound
    /// cannot separate.
    pub ties: usize,
    /// The result of [`separate`] for ties in floats, if it was called.
    pub near_ties: Option<Separation>,
    /// The number of cycles of states that were solved.
    pub loops: usize,
    /// The time the solution took.
    pub elapsed: Duration,
    start: usize,
    keeps_dice: bool,
    fractions: Option<[RBig; 2]>,
}

impl Solution {
    /// Returns the win rate of the solved side when it moves first.
    pub fn first(&self) -> f64 {
        self.own.win_rates[self.start]
    }

    /// Returns the win rate of the solved side when it moves second.
    pub fn second(&self) -> f64 {
        match &self.fractions {
            Some([first, other]) => {
                nearest_double(&(RBig::ONE - if self.other.is_some() { other } else { first }))
            }
            None => 1.0 - self.values().1.win_rates[self.start],
        }
    }

    /// Returns the mean of [`Self::first`] and [`Self::second`].
    pub fn average(&self) -> f64 {
        match (&self.fractions, &self.other) {
            (_, None) => 0.5,
            (Some([first, other]), Some(_)) => {
                nearest_double(&((first + (RBig::ONE - other)) / RBig::from(2u8)))
            }
            (None, Some(_)) => (self.first() + self.second()) / 2.0,
        }
    }

    /// Returns the values of the states in which the solved side moves, and of those in which the
    /// other side does.
    pub fn values(&self) -> (&Values, &Values) {
        (&self.own, self.other.as_ref().unwrap_or(&self.own))
    }

    /// Returns the exact, reduced win rate of the solved side when it moves first; `None` in
    /// floats.
    pub fn first_fraction(&self) -> Option<&RBig> {
        self.fractions.as_ref().map(|[first, _]| first)
    }

    /// Returns the set of best actions at the start.
    pub fn first_roll(&self) -> DiceSet {
        self.own.best[self.start]
    }

    /// Returns the solved side's plan: in each state the best action with the fewest dice.
    ///
    /// In floats, where ties are not proven, it consists of actions whose value is the largest to
    /// within the rounding errors of one turn. Any other action in [`Values::best`] costs at
    /// most the error bound when used once, but may cost more over many turns.
    /// Where dice are kept, it keeps those after which its win rate is largest.
    pub fn plan(&self) -> Plan {
        let plan = Plan::from_actions(self.own.choices.clone());
        if self.keeps_dice { plan.keeping(self.own.win_rates.clone()) } else { plan }
    }
}

/// Solves for optimal play of both sides: the value of each state and all its best actions.
///
/// This function and those below prepare the game's method for one solution: to solve a game
/// several times, create a [`Solver`].
///
/// # Errors
/// Returns an error if `watch` cancels the work, exact numbers would be too large, or values in
/// floats cannot be proven.
pub fn equilibrium(
    game: &Game,
    arithmetic: Arithmetic,
    watch: &Watch,
) -> Result<Solution, SolveError> {
    once(game, arithmetic, |solver| solver.equilibrium(watch))
}

/// Solves for the best response to a fixed plan.
///
/// # Errors
/// As for [`equilibrium`].
pub fn best_response(
    game: &Game,
    against: &Plan,
    arithmetic: Arithmetic,
    watch: &Watch,
) -> Result<Solution, SolveError> {
    once(game, arithmetic, |solver| solver.best_response(against, watch))
}

/// Evaluates one fixed plan against another.
///
/// # Errors
/// As for [`equilibrium`].
pub fn evaluate(
    game: &Game,
    plans: [&Plan; 2],
    arithmetic: Arithmetic,
    watch: &Watch,
) -> Result<Solution, SolveError> {
    once(game, arithmetic, |solver| solver.evaluate(plans, watch))
}

/// Solves a game once; [`Solution::elapsed`] includes the time to prepare it.
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
