//! A game made ready to be solved, and all ways to solve it.

use std::time::{Duration, Instant};

use dashu::rational::RBig;

use crate::game::{Game, Order, Plan};

use super::arithmetic::{self, Payoff};
use super::bellman::{Board, Chooser, Side};
use super::float::Float;
use super::layout::Layout;
use super::rational::Rational;
use super::scaled::{self, Scaled};
use super::strips::Strips;
use super::sweep::sweep;
use super::{Arithmetic, Objective, Solution, SolveError, Values, Watch};

/// A game made ready to be solved: what all its solutions share is found out once.
///
/// ```
/// use hog::{game::Game, rules, solve::{Arithmetic, Solver, Watch}};
/// let game = Game::new(rules::load("fa21", rules::Overrides::default())?)?;
/// let solver = Solver::new(&game, Arithmetic::Float);
/// let equilibrium = solver.equilibrium(&Watch::silent())?;
/// let answer = solver.best_response(&equilibrium.plan(&game), &Watch::silent())?;
/// assert!((answer.average() - 0.5).abs() < answer.error_bound);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver<'g> {
    game: &'g Game,
    arithmetic: Arithmetic,
    pub(super) numbers: Numbers<'g>,
}

/// What a game is solved in.
#[derive(Debug)]
pub(super) enum Numbers<'g> {
    Float(Box<Floats<'g>>),
    Scaled(Scaled),
    Rational,
}

/// Doubles, many cells side by side for games that fit.
#[derive(Debug)]
pub(super) struct Floats<'g> {
    payoff: Payoff,
    float: Float,
    slack: Vec<f64>,
    strips: Option<Strips<'g>>,
}

impl<'g> Floats<'g> {
    fn new(game: &'g Game, payoff: Payoff) -> Self {
        let float = Float::new(game, payoff);
        Self { payoff, slack: float.slacks(), float, strips: Strips::new(game) }
    }

    /// All values of each side, and how many loops were solved, many cells side by side; `None` if it does not fit.
    fn solve(&self, sides: &[Side], watch: &Watch) -> Option<Result<(Vec<Values>, usize), SolveError>> {
        self.strips.as_ref()?.solve(sides, (self.payoff, &self.slack), watch)
    }
}

impl<'g> Solver<'g> {
    /// Readies a game to be solved in an arithmetic.
    pub fn new(game: &'g Game, arithmetic: Arithmetic) -> Self {
        let scaled = || Scaled::new(game).filter(|_| game.order() != RANDOM_LOOPS);
        let numbers = match arithmetic {
            Arithmetic::Float => Numbers::Float(Box::new(Floats::new(game, Payoff::WinRate))),
            Arithmetic::Exact => scaled().map_or(Numbers::Rational, Numbers::Scaled),
        };
        Self { game, arithmetic, numbers }
    }

    /// Both sides play to win: the value of each state and all its best numbers of dice.
    ///
    /// # Errors
    /// If `watch` stops it, or exact numbers would not fit in memory.
    pub fn equilibrium(&self, watch: &Watch) -> Result<Solution, SolveError> {
        let sides = [Side { chooser: Chooser::Best, own: 0, other: 0 }];
        self.solve(Objective::Equilibrium, &sides, watch)
    }

    /// The best play against a fixed plan.
    ///
    /// # Errors
    /// As [`Self::equilibrium`].
    pub fn best_response(&self, against: &Plan, watch: &Watch) -> Result<Solution, SolveError> {
        let sides = [
            Side { chooser: Chooser::Best, own: 0, other: 1 },
            Side { chooser: Chooser::Fixed(against), own: 1, other: 0 },
        ];
        self.solve(Objective::BestResponse, &sides, watch)
    }

    /// One fixed plan against another.
    ///
    /// # Errors
    /// As [`Self::equilibrium`].
    pub fn evaluate(&self, plans: [&Plan; 2], watch: &Watch) -> Result<Solution, SolveError> {
        self.solve(Objective::Evaluation, &fixed(plans), watch)
    }

    /// One fixed plan against itself: half the work of two plans.
    ///
    /// # Errors
    /// As [`Self::equilibrium`].
    pub fn evaluate_itself(&self, plan: &Plan, watch: &Watch) -> Result<Solution, SolveError> {
        let sides = [Side { chooser: Chooser::Fixed(plan), own: 0, other: 0 }];
        self.solve(Objective::Evaluation, &sides, watch)
    }

    fn solve(&self, objective: Objective, sides: &[Side], watch: &Watch) -> Result<Solution, SolveError> {
        let began = Instant::now();
        let asked = (objective, sides);
        let mut solution = match &self.numbers {
            Numbers::Float(floats) => {
                let bound = floats.float.bound(self.game.space().layers() - 1);
                match floats.solve(sides, watch) {
                    Some(solved) => self.solution(objective, solved?, None, bound),
                    None => self.run(&floats.float, asked, bound, watch)?,
                }
            }
            Numbers::Scaled(scaled) => {
                self.refuse_large(scaled, sides.len())?;
                self.run(scaled, asked, f64::EPSILON / 4.0, watch)?
            }
            Numbers::Rational => {
                self.refuse_growing()?;
                self.run(&Rational, asked, f64::EPSILON / 4.0, watch)?
            }
        };
        solution.elapsed = began.elapsed();
        Ok(solution)
    }

    pub(super) fn refuse_large(&self, scaled: &Scaled, sides: usize) -> Result<(), SolveError> {
        let layout = Layout::new(self.game.space(), |layer| scaled.limbs(layer));
        let (layers, reach) = (layout.layers(), self.game.reach());
        let held = (0..layers).step_by(reach).map(|first| layout.words_of(first..layers.min(first + reach)));
        let words = held.max().unwrap_or(0).saturating_add(scaled.most_words_of_rolls());
        let bytes = words.saturating_mul(8 * sides);
        if bytes > MOST_EXACT_BYTES {
            let gib = bytes >> 30;
            let message = format!("exact values of this game take {gib} GiB; lower the goal or use --arithmetic float");
            return Err(SolveError::TooLarge(message));
        }
        Ok(())
    }

    pub(super) fn refuse_growing(&self) -> Result<(), SolveError> {
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
        (objective, sides): (Objective, &[Side]),
        error_bound: f64,
        watch: &Watch,
    ) -> Result<Solution, SolveError> {
        let layout = Layout::new(self.game.space(), |layer| numbers.words(layer));
        let board = Board { game: self.game, layout: &layout, arithmetic: numbers };
        let start = self.game.start();
        let swept = sweep(board, Payoff::WinRate, (sides, &[start]), watch)?;
        let layer = layout.layer_of(start / layout.space.per_cell());
        let fraction = |side: usize| numbers.to_rational(&swept.asked[side][0], layer);
        let exact = self.arithmetic == Arithmetic::Exact;
        let fractions = exact.then(|| [0, swept.asked.len() - 1].map(fraction));
        Ok(self.solution(objective, (swept.sides, swept.loops), fractions, error_bound))
    }

    fn solution(
        &self,
        objective: Objective,
        (sides, loops): (Vec<Values>, usize),
        fractions: Option<[RBig; 2]>,
        error_bound: f64,
    ) -> Solution {
        let mut values = sides.into_iter();
        let own = values.next().expect("a side to solve");
        Solution {
            objective,
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

/// The share of games between two plans that never end: if the first plan moves first, and if it moves second.
///
/// # Errors
/// If `watch` stops it.
pub fn endless(game: &Game, plans: [&Plan; 2], watch: &Watch) -> Result<[f64; 2], SolveError> {
    if game.order() == Order::Rising {
        return Ok([0.0; 2]);
    }
    let floats = Floats::new(game, Payoff::Endless);
    let (sides, start) = (fixed(plans), game.start());
    if let Some(solved) = floats.solve(&sides, watch) {
        let (values, _) = solved?;
        return Ok([values[0].win_rates[start], values[1].win_rates[start]]);
    }
    let layout = Layout::new(game.space(), |_| 1);
    let board = Board { game, layout: &layout, arithmetic: &floats.float };
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
