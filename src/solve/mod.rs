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

mod arithmetic;
mod bellman;
mod choices;
mod float;
mod hidden;
mod layout;
mod loops;
mod pairs;
mod program;
mod rational;
mod recursive;
mod scaled;
mod strips;
mod sweep;
mod values;
mod visits;

pub use choices::choices;
pub use float::nearest_double;
pub use hidden::{Field, HiddenError, HiddenSearch, HiddenSolution, Sees};
pub use pairs::{Contender, PairRate, PairRoom, Rater, rate};
pub use values::exact_values;
pub use visits::{Visits, visits};

use std::time::{Duration, Instant};

use dashu::rational::RBig;

use crate::game::{DiceSet, Game, Order, Plan};
use arithmetic::Payoff;
use bellman::{Board, Chooser, Side};
use float::Float;
use layout::Layout;
use rational::Rational;
use scaled::Scaled;
use strips::Question;
use sweep::sweep;

/// Exact numbers, or floating point with a bound on its error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Integers to the last division: every value proven, every tie known.
    Exact,
    /// Doubles with a certified bound.
    Float,
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

/// Why a game could not be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The caller's [`Watch`] asked to stop.
    #[error("stopped before the end")]
    Cancelled,
    /// Exact numbers would not fit in memory, or would grow without measure.
    #[error("{0}")]
    TooLarge(String),
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

    fn report(&self, done: usize, of: usize) -> Result<(), SolveError> {
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
}

/// A solved game with all that says how it was had.
#[derive(Clone, Debug)]
pub struct Solution {
    /// What was solved for.
    pub objective: Objective,
    /// In which numbers.
    pub arithmetic: Arithmetic,
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
                float::nearest_double(&(RBig::ONE - moving_second))
            }
            (None, Some(other)) => 1.0 - other.win_rates[self.start],
            (None, None) => 1.0 - self.first(),
        }
    }

    /// Its average win rate: half the games it moves first in.
    pub fn average(&self) -> f64 {
        match (&self.fractions, &self.other) {
            (_, None) => 0.5,
            (Some([first, other]), Some(_)) => {
                float::nearest_double(&((first + (RBig::ONE - other)) / RBig::from(2u8)))
            }
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

    /// The solved side's plan: in each state the fewest dice of the best.
    pub fn plan(&self) -> Plan {
        Plan::from_actions(self.own.best.iter().map(|set| set.trailing_zeros() as u8).collect())
    }
}

/// Both sides play to win: the value of each state and all its best numbers of dice.
///
/// # Errors
/// If `watch` stops it, or exact numbers would not fit in memory.
pub fn equilibrium(game: &Game, arithmetic: Arithmetic, watch: &Watch) -> Result<Solution, SolveError> {
    let sides = [Side { chooser: Chooser::Best, own: 0, other: 0 }];
    Problem { game, objective: Objective::Equilibrium, arithmetic, sides: &sides }.solve(watch)
}

/// The best play against a fixed plan.
///
/// # Errors
/// If `watch` stops it, or exact numbers would not fit in memory.
pub fn best_response(
    game: &Game,
    against: &Plan,
    arithmetic: Arithmetic,
    watch: &Watch,
) -> Result<Solution, SolveError> {
    let sides = [
        Side { chooser: Chooser::Best, own: 0, other: 1 },
        Side { chooser: Chooser::Fixed(against), own: 1, other: 0 },
    ];
    Problem { game, objective: Objective::BestResponse, arithmetic, sides: &sides }.solve(watch)
}

/// One fixed plan against another.
///
/// # Errors
/// If `watch` stops it, or exact numbers would not fit in memory.
pub fn evaluate(game: &Game, plans: [&Plan; 2], arithmetic: Arithmetic, watch: &Watch) -> Result<Solution, SolveError> {
    let sides = fixed(plans);
    Problem { game, objective: Objective::Evaluation, arithmetic, sides: &sides }.solve(watch)
}

/// One fixed plan against itself: half the work of two plans.
///
/// # Errors
/// If `watch` stops it, or exact numbers would not fit in memory.
pub fn evaluate_itself(
    game: &Game,
    plan: &Plan,
    arithmetic: Arithmetic,
    watch: &Watch,
) -> Result<Solution, SolveError> {
    let sides = [Side { chooser: Chooser::Fixed(plan), own: 0, other: 0 }];
    Problem { game, objective: Objective::Evaluation, arithmetic, sides: &sides }.solve(watch)
}

/// The share of games between two plans that never end: if the first plan moves first, and if it moves second.
///
/// # Errors
/// If `watch` stops it.
pub fn endless(game: &Game, plans: [&Plan; 2], watch: &Watch) -> Result<[f64; 2], SolveError> {
    if game.order() == Order::Rising {
        return Ok([0.0; 2]);
    }
    let layout = Layout::new(game.space(), |_| 1);
    let float = Float::new(game, Payoff::Endless);
    let (sides, start) = (fixed(plans), game.start());
    let question = Question { game, payoff: Payoff::Endless, sides: &sides, slack: float.slacks() };
    if let Some(solved) = strips::solve(question, watch) {
        let (values, _) = solved?;
        return Ok([values[0].win_rates[start], values[1].win_rates[start]]);
    }
    let board = Board { game, layout: &layout, arithmetic: &float };
    let swept = sweep(board, Payoff::Endless, (&sides, &[start]), watch)?;
    Ok([swept.asked[0][0][0], swept.asked[1][0][0]])
}

fn fixed<'a>(plans: [&'a Plan; 2]) -> [Side<'a>; 2] {
    [
        Side { chooser: Chooser::Fixed(plans[0]), own: 0, other: 1 },
        Side { chooser: Chooser::Fixed(plans[1]), own: 1, other: 0 },
    ]
}

/// Exact numbers where they take at most this many 64-bit words, about ten seconds of work on one core.
const PRACTICAL_WORDS: usize = 100_000_000;

/// The arithmetic to solve a game in if nobody says: exact, unless the game is too large for it.
pub fn practical_arithmetic(game: &Game) -> Arithmetic {
    let heights = game.space().layers();
    let practical = match scaled::base(game) {
        // Before any table of powers is made: a number of height h has about h log2(D) bits.
        Some(base) if game.order() != RANDOM_LOOPS => {
            let bits = (base as f64).log2() * heights as f64 / 2.0;
            game.space().states() as f64 * bits / 64.0 <= PRACTICAL_WORDS as f64
        }
        _ => game.space().states() <= MOST_RATIONAL_STATES,
    };
    if practical { Arithmetic::Exact } else { Arithmetic::Float }
}

/// Values of such games have no common denominator.
const RANDOM_LOOPS: Order = Order::Level { random: true };

/// The most memory that exact numbers may take, in bytes.
const MOST_EXACT_BYTES: usize = 16 << 30;
/// The most states of a game whose exact values have no common denominator.
const MOST_RATIONAL_STATES: usize = 1000;

struct Problem<'a> {
    game: &'a Game,
    objective: Objective,
    arithmetic: Arithmetic,
    sides: &'a [Side<'a>],
}

impl Problem<'_> {
    fn solve(&self, watch: &Watch) -> Result<Solution, SolveError> {
        let began = Instant::now();
        let game = self.game;
        let mut solution = match (self.arithmetic, scaled::base(game)) {
            (Arithmetic::Float, _) => {
                let float = Float::new(game, Payoff::WinRate);
                let bound = float.bound(game.space().layers() - 1);
                let question = Question { game, payoff: Payoff::WinRate, sides: self.sides, slack: float.slacks() };
                match strips::solve(question, watch) {
                    Some(solved) => solved.map(|(sides, loops)| self.solution((sides, loops), None, bound)),
                    None => self.run(&float, bound, watch),
                }
            }
            (Arithmetic::Exact, Some(base)) if game.order() != RANDOM_LOOPS => {
                let scaled = Scaled::new(base, game.space().layers());
                self.refuse_large(&scaled)?;
                self.run(&scaled, f64::EPSILON / 4.0, watch)
            }
            (Arithmetic::Exact, _) => {
                self.refuse_growing()?;
                self.run(&Rational, f64::EPSILON / 4.0, watch)
            }
        }?;
        solution.elapsed = began.elapsed();
        Ok(solution)
    }

    fn refuse_large(&self, scaled: &Scaled) -> Result<(), SolveError> {
        let layout = Layout::new(self.game.space(), |layer| scaled.limbs(layer));
        let (layers, reach) = (layout.layers(), self.game.reach());
        let held = (0..layers).step_by(reach).map(|first| layout.words_of(first..layers.min(first + reach)));
        let bytes = held.max().unwrap_or(0).saturating_mul(8 * self.sides.len());
        if bytes > MOST_EXACT_BYTES {
            let gib = bytes >> 30;
            let message = format!("exact values of this game take {gib} GiB; lower the goal or use --arithmetic float");
            return Err(SolveError::TooLarge(message));
        }
        Ok(())
    }

    fn refuse_growing(&self) -> Result<(), SolveError> {
        let states = self.game.space().states();
        if states > MOST_RATIONAL_STATES {
            let message = format!(
                "the exact values of this game have no common denominator (its loops depend on chance, or its dice have too \
                 many rolls), and {states} states of them would grow without measure; at most {MOST_RATIONAL_STATES} are \
                 solved: lower the goal or use --arithmetic float"
            );
            return Err(SolveError::TooLarge(message));
        }
        Ok(())
    }

    fn run<A: arithmetic::Arithmetic>(
        &self,
        numbers: &A,
        error_bound: f64,
        watch: &Watch,
    ) -> Result<Solution, SolveError> {
        let layout = Layout::new(self.game.space(), |layer| numbers.words(layer));
        let board = Board { game: self.game, layout: &layout, arithmetic: numbers };
        let start = self.game.start();
        let swept = sweep(board, Payoff::WinRate, (self.sides, &[start]), watch)?;
        let layer = layout.layer_of(start / layout.space.per_cell());
        let fraction = |side: usize| numbers.to_rational(&swept.asked[side][0], layer);
        let exact = self.arithmetic == Arithmetic::Exact;
        let fractions = exact.then(|| [0, swept.asked.len() - 1].map(fraction));
        Ok(self.solution((swept.sides, swept.loops), fractions, error_bound))
    }

    fn solution(
        &self,
        (sides, loops): (Vec<Values>, usize),
        fractions: Option<[RBig; 2]>,
        error_bound: f64,
    ) -> Solution {
        let mut values = sides.into_iter();
        let own = values.next().expect("a side to solve");
        Solution {
            objective: self.objective,
            arithmetic: self.arithmetic,
            ties: own.best.iter().map(|set| u32::from(set & set.wrapping_sub(1) != 0)).sum::<u32>() as usize,
            own,
            other: values.next(),
            error_bound,
            loops,
            elapsed: Duration::ZERO,
            start: self.game.start(),
            fractions,
        }
    }
}
