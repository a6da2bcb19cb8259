//! A game made ready to be solved, and all ways to solve it.

use std::borrow::Borrow;
use std::time::{Duration, Instant};

use dashu_ratio::RBig;

use crate::game::{Game, Order, Plan};

use super::backward::{self, Wanted};
use super::exact::{self, Rational, Scaled};
use super::floats::{Floats, PreparedPolicy};
use super::kernel::Kernel;
use super::layout::Layout;
use super::numbers::{Decider, Numbers, PassContext, Payoff, Side, fixed, opposed, symmetric};
use super::{Arithmetic, Method, Objective, Solution, SolveError, Values, Watch};

/// A game made ready to be solved: what all its solutions share is found out once. It holds the game, as an `Arc` or by
/// reference.
///
/// ```
/// use std::sync::Arc;
/// use hog::{game::Game, rules, solve::{Arithmetic, Solver, Watch}};
/// let game = Arc::new(Game::new(rules::load("fa21", rules::Overrides::default())?)?);
/// let solver = Solver::new(game, Arithmetic::Float);
/// let equilibrium = solver.equilibrium(&Watch::silent())?;
/// let answer = solver.best_response(&equilibrium.plan(), &Watch::silent())?;
/// assert!((answer.average() - 0.5).abs() < answer.error_bound);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver<G> {
    game: G,
    prepared: Prepared,
}

/// What is known of a game before it is solved; the game itself is told with each call.
#[derive(Debug)]
pub(super) struct Prepared {
    kernel: Kernel,
    engine: ChosenMethod,
}

/// What a game is solved in: the one choice of a method.
#[derive(Debug)]
enum ChosenMethod {
    Rows(Floats),
    Integers(Scaled),
    Rationals,
    /// Exact numbers would not fit.
    Refused(SolveError),
}

/// The exact number of a state, or what a caller makes of it.
type Fractions = Option<Vec<Vec<RBig>>>;

impl<G: Borrow<Game>> Solver<G> {
    /// Readies a game to be solved in an arithmetic.
    pub fn new(game: G, arithmetic: Arithmetic) -> Self {
        Self { prepared: Prepared::new(game.borrow(), arithmetic), game }
    }

    /// Both sides play to win: the value of each state and all its best numbers of dice.
    ///
    /// # Errors
    /// If `watch` stops it, or exact numbers would not fit in memory.
    pub fn equilibrium(&self, watch: &Watch) -> Result<Solution, SolveError> {
        self.prepared.equilibrium(self.game.borrow(), watch)
    }

    /// The best play against a fixed plan.
    ///
    /// # Errors
    /// As [`Self::equilibrium`].
    pub fn best_response(&self, against: &Plan, watch: &Watch) -> Result<Solution, SolveError> {
        self.prepared.best_response(self.game.borrow(), against, watch)
    }

    /// One fixed plan against another.
    ///
    /// # Errors
    /// As [`Self::equilibrium`].
    pub fn evaluate(&self, plans: [&Plan; 2], watch: &Watch) -> Result<Solution, SolveError> {
        self.prepared.solve(self.game.borrow(), (Objective::Evaluation, &fixed(plans)), watch)
    }

    /// One fixed plan against itself: half the work of two plans.
    ///
    /// # Errors
    /// As [`Self::equilibrium`].
    pub fn evaluate_itself(&self, plan: &Plan, watch: &Watch) -> Result<Solution, SolveError> {
        self.prepared.evaluate_itself(self.game.borrow(), plan, watch)
    }
}

impl Prepared {
    pub fn new(game: &Game, arithmetic: Arithmetic) -> Self {
        let kernel = Kernel::new(game);
        let engine = match arithmetic {
            Arithmetic::Float => ChosenMethod::Rows(Floats::new(game, &kernel, Payoff::WinRate)),
            Arithmetic::Exact => ChosenMethod::exact(game, &kernel),
        };
        Self { kernel, engine }
    }

    pub fn equilibrium(&self, game: &Game, watch: &Watch) -> Result<Solution, SolveError> {
        let sides = symmetric(Decider::Best);
        self.solve(game, (Objective::Equilibrium, &sides), watch)
    }

    pub fn best_response(&self, game: &Game, against: &Plan, watch: &Watch) -> Result<Solution, SolveError> {
        let sides = opposed([Decider::Best, Decider::Fixed(against)]);
        self.solve(game, (Objective::BestResponse, &sides), watch)
    }

    pub fn evaluate_itself(&self, game: &Game, plan: &Plan, watch: &Watch) -> Result<Solution, SolveError> {
        let sides = symmetric(Decider::Fixed(plan));
        self.solve(game, (Objective::Evaluation, &sides), watch)
    }

    pub fn solve(&self, game: &Game, asked: (Objective, &[Side]), watch: &Watch) -> Result<Solution, SolveError> {
        let began = Instant::now();
        let start = [game.start()];
        let method = match &self.engine {
            ChosenMethod::Rows(_) => Method::Rows,
            ChosenMethod::Integers(_) => Method::Integers,
            ChosenMethod::Rationals => Method::Rationals,
            ChosenMethod::Refused(error) => return Err(error.clone()),
        };
        let (mut values, fractions, cycles) = self.run(game, (asked.1, &start), watch)?;
        let other = (values.len() > 1).then(|| values.swap_remove(1));
        let own = values.swap_remove(0);
        let fractions = fractions.map(|sides| [0, sides.len() - 1].map(|side| sides[side][0].clone()));
        Ok(Solution {
            objective: asked.0,
            arithmetic: if method == Method::Rows { Arithmetic::Float } else { Arithmetic::Exact },
            method,
            ties: own.best.iter().map(|set| u32::from(set & set.wrapping_sub(1) != 0)).sum::<u32>() as usize,
            own,
            other,
            error_bound: self.error_bound(),
            loops: cycles,
            elapsed: began.elapsed().max(Duration::from_nanos(1)),
            start: start[0],
            fractions,
        })
    }

    /// Solves for these sides; also the exact numbers of some states, if numbers are exact, and how many cycles there were.
    fn run(
        &self,
        game: &Game,
        (sides, asked): (&[Side], &[usize]),
        watch: &Watch,
    ) -> Result<(Vec<Values>, Fractions, usize), SolveError> {
        match &self.engine {
            ChosenMethod::Rows(floats) => {
                let (values, _, cycles) = self.backward(game, floats, (sides, asked), watch)?;
                Ok((values, None, cycles))
            }
            ChosenMethod::Integers(scaled) => self.backward(game, scaled, (sides, asked), watch),
            ChosenMethod::Rationals => self.backward(game, &Rational, (sides, asked), watch),
            ChosenMethod::Refused(error) => Err(error.clone()),
        }
    }

    fn backward<N: Numbers>(
        &self,
        game: &Game,
        numbers: &N,
        (sides, asked): (&[Side], &[usize]),
        watch: &Watch,
    ) -> Result<(Vec<Values>, Fractions, usize), SolveError> {
        let context = context(game, &self.kernel, numbers, Payoff::WinRate);
        let solved = backward::solve(context, numbers, (sides, Wanted::Values(asked)), watch)?;
        let fraction = |(state, number): (&usize, &Vec<N::Word>)| {
            let (stage, ..) = context.layout.of_state(*state);
            numbers.to_rational(number, stage)
        };
        let of_side = |numbers: &Vec<Vec<N::Word>>| asked.iter().zip(numbers).map(fraction).collect();
        Ok((solved.values, Some(solved.asked.iter().map(of_side).collect()), solved.cycles))
    }

    /// The bound on the error of every value.
    pub fn error_bound(&self) -> f64 {
        match &self.engine {
            ChosenMethod::Rows(floats) => floats.bound(),
            // Half a unit in the last place of 1.
            _ => f64::EPSILON / 4.0,
        }
    }

    /// What the start is worth to either of two fixed plans when it moves first, in floats.
    pub fn pair(&self, game: &Game, sides: &[Side; 2], watch: &Watch) -> Result<[f64; 2], SolveError> {
        start_values(game, &self.kernel, self.floats(), sides, watch)
    }

    /// Makes a policy ready to be one of many pairs, if the game is one without memory.
    pub fn prepare(&self, game: &Game, plan: &Plan) -> Option<PreparedPolicy> {
        let floats = self.floats();
        floats.prepare(&context(game, &self.kernel, floats, Payoff::WinRate), plan)
    }

    fn floats(&self) -> &Floats {
        let ChosenMethod::Rows(floats) = &self.engine else { unreachable!("pairs are rated in floats") };
        floats
    }

    /// The mover's exact win rate in some states if both sides play to win.
    pub fn exact_values(&self, game: &Game, states: &[usize], watch: &Watch) -> Result<Vec<RBig>, SolveError> {
        let sides = symmetric(Decider::Best);
        let (_, fractions, _) = self.run(game, (&sides, states), watch)?;
        Ok(fractions.expect("numbers are exact").swap_remove(0))
    }
}

impl ChosenMethod {
    /// Integers where all totals have a common multiple, else fractions; refused where these would not fit.
    fn exact(game: &Game, kernel: &Kernel) -> Self {
        let integers = exact::base(kernel).filter(|_| game.order() != RANDOM_LOOPS);
        let Some(base) = integers else {
            return refused_growing(game).map_or(Self::Rationals, Self::Refused);
        };
        let gib = integer_bytes(game, kernel, base) / (1 << 30) as f64;
        if gib > MOST_EXACT_GIB {
            let message =
                format!("exact values of this game take {gib:.0} GiB; lower the goal or solve it in floating point");
            return Self::Refused(SolveError::TooLarge(message));
        }
        let context = PassContext { game, kernel, layout: Layout::new(game.space(), 1), payoff: Payoff::WinRate };
        Scaled::new(&context).map_or(Self::Rationals, Self::Integers)
    }
}

/// What a backward pass over a game shares.
fn context<'a, N: Numbers>(game: &'a Game, kernel: &'a Kernel, numbers: &N, payoff: Payoff) -> PassContext<'a> {
    PassContext { game, kernel, layout: Layout::new(game.space(), numbers.width(&game.space())), payoff }
}

fn refused_growing(game: &Game) -> Option<SolveError> {
    let states = game.space().states();
    let message = || {
        format!(
            "the exact values of this game have no common denominator (its loops depend on chance, or its dice have too \
             many rolls), and {states} states of them would grow without measure; at most {MOST_RATIONAL_STATES} are \
             solved: lower the goal or solve it in floating point"
        )
    };
    (states > MOST_RATIONAL_STATES).then(|| SolveError::TooLarge(message()))
}

/// What the numbers of two sides take at a time, the table of denominators included: estimated before any is made.
fn integer_bytes(game: &Game, kernel: &Kernel, base: u64) -> f64 {
    let (space, bits) = (game.space(), (base as f64).log2());
    let heights = space.stages();
    let limbs = |height: usize| 1.0 + height as f64 * bits / 64.0;
    let rows: usize = kernel.convolutions.iter().map(|convolution| convolution.most_dice).sum();
    let rows = if space.per_cell() == 1 { rows * (kernel.convolution_reach + 1) } else { 0 };
    let kept = (game.most_increment().min(heights) * space.per_cell() + rows) as f64;
    let cells = |height: usize| height.min(space.goal).min(2 * space.goal - height) as f64;
    let most = (1..heights + 1).map(|height| cells(height) * limbs(height)).fold(0.0, f64::max);
    8.0 * (2.0 * kept * most + limbs(heights) * heights as f64)
}

/// The share of games between two plans that never end: if the first plan moves first, and if it moves second.
///
/// # Errors
/// If `watch` stops it.
pub fn endless(game: &Game, plans: [&Plan; 2], watch: &Watch) -> Result<[f64; 2], SolveError> {
    if game.order() == Order::Acyclic {
        return Ok([0.0; 2]);
    }
    let kernel = Kernel::new(game);
    let floats = Floats::new(game, &kernel, Payoff::Endless);
    start_values(game, &kernel, &floats, &fixed(plans), watch)
}

fn start_values(
    game: &Game,
    kernel: &Kernel,
    floats: &Floats,
    sides: &[Side; 2],
    watch: &Watch,
) -> Result<[f64; 2], SolveError> {
    let context = context(game, kernel, floats, floats.payoff());
    let solved = backward::solve(context, floats, (sides, Wanted::Start), watch)?;
    Ok([solved.asked[0][0][0], solved.asked[1][0][0]])
}

/// Exact numbers where they take at most this many 64-bit words, about ten seconds of work on one core.
const PRACTICAL_WORDS: f64 = 1e8;

/// The arithmetic to solve a game in if nobody says: exact, unless the game is too large for it.
pub fn practical_arithmetic(game: &Game) -> Arithmetic {
    let (space, totals) = (game.space(), game.action_sets().iter().flat_map(|actions| &actions.by_shared));
    let totals = totals.flat_map(|set| &set.distributions).map(|distribution| distribution.total);
    let practical = match exact::common_multiple(totals) {
        // A number of height h has about h log2(D) bits.
        Some(base) if game.order() != RANDOM_LOOPS => {
            let bits = (base as f64).log2() * space.stages() as f64 / 2.0;
            space.states() as f64 * bits / 64.0 <= PRACTICAL_WORDS
        }
        _ => space.states() <= MOST_RATIONAL_STATES,
    };
    if practical { Arithmetic::Exact } else { Arithmetic::Float }
}

/// Values of such games have no common denominator.
const RANDOM_LOOPS: Order = Order::Cyclic { random: true };

/// The most memory that exact numbers may take, in GiB.
const MOST_EXACT_GIB: f64 = 16.0;
/// The most states of a game whose exact values have no common denominator.
const MOST_RATIONAL_STATES: usize = 1000;
