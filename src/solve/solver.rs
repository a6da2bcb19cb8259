//! A game made ready to be solved, and all ways to solve it.

use std::borrow::Borrow;
use std::time::{Duration, Instant};

use dashu_ratio::RBig;

use crate::game::{Game, Order, Plan};
use crate::linear::nearest_double;

use super::backward::{self, Solved, Wanted};
use super::cycles::ExactNumbers;
use super::estimate::{admit_fractions, admit_integers, has_denominators};
use super::exact::{self, Scaled};
use super::floats::{Floats, PreparedPolicy};
use super::layout::Layout;
use super::numbers::{Decider, Numbers, PassContext, Payoff, Side, fixed, opposed, symmetric};
use super::whole::{self, FloatValues};
use super::{Arithmetic, Method, Objective, Solution, SolveError, Values, Watch};
use crate::kernel::Kernel;

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

/// The error of the double nearest to an exact value: half a unit in the last place of 1.
const NEAREST: f64 = f64::EPSILON / 4.0;

/// What was found for some sides.
struct RunResult {
    values: Vec<Values>,
    /// The exact numbers of the states asked for, by side, if numbers are exact.
    fractions: Option<Vec<Vec<RBig>>>,
    cycles: usize,
    error_bound: f64,
}

impl<G: Borrow<Game>> Solver<G> {
    /// Readies a game to be solved in an arithmetic.
    pub fn new(game: G, arithmetic: Arithmetic) -> Self {
        let kernel = Kernel::new(game.borrow());
        let engine = match arithmetic {
            Arithmetic::Float => ChosenMethod::Rows(Floats::new(&kernel, Payoff::WinRate)),
            Arithmetic::Exact => ChosenMethod::exact(game.borrow(), &kernel),
        };
        Self { game, kernel, engine }
    }

    /// Both sides play to win: the value of each state and all its best numbers of dice.
    ///
    /// # Errors
    /// If `watch` stops it, or exact numbers would not fit in memory.
    pub fn equilibrium(&self, watch: &Watch) -> Result<Solution, SolveError> {
        self.solve((Objective::Equilibrium, &symmetric(Decider::Best)), watch)
    }

    /// The best play against a fixed plan.
    ///
    /// # Errors
    /// As [`Self::equilibrium`].
    pub fn best_response(&self, against: &Plan, watch: &Watch) -> Result<Solution, SolveError> {
        self.solve((Objective::BestResponse, &opposed([Decider::Best, Decider::Fixed(against)])), watch)
    }

    /// One fixed plan against another.
    ///
    /// # Errors
    /// As [`Self::equilibrium`].
    pub fn evaluate(&self, plans: [&Plan; 2], watch: &Watch) -> Result<Solution, SolveError> {
        self.solve((Objective::Evaluation, &fixed(plans)), watch)
    }

    /// One fixed plan against itself: half the work of two plans.
    ///
    /// # Errors
    /// As [`Self::equilibrium`].
    pub fn evaluate_itself(&self, plan: &Plan, watch: &Watch) -> Result<Solution, SolveError> {
        self.solve((Objective::Evaluation, &symmetric(Decider::Fixed(plan))), watch)
    }

    fn solve(&self, asked: (Objective, &[Side]), watch: &Watch) -> Result<Solution, SolveError> {
        let began = Instant::now();
        let start = [self.game().start()];
        let method = match &self.engine {
            ChosenMethod::Rows(_) => Method::Rows,
            ChosenMethod::Integers(_) => Method::Integers,
            ChosenMethod::Rationals => Method::Rationals,
            ChosenMethod::Refused(error) => return Err(error.clone()),
        };
        let RunResult { mut values, fractions, cycles, error_bound } = self.run((asked.1, &start), watch)?;
        let other = (values.len() > 1).then(|| values.swap_remove(1));
        let own = values.swap_remove(0);
        let fractions = fractions.map(|sides| [0, sides.len() - 1].map(|side| sides[side][0].clone()));
        Ok(Solution {
            objective: asked.0,
            arithmetic: if method == Method::Rows { Arithmetic::Float } else { Arithmetic::Exact },
            method,
            ties: own.ties(),
            near_ties: None,
            own,
            other,
            error_bound,
            loops: cycles,
            elapsed: began.elapsed().max(Duration::from_nanos(1)),
            start: start[0],
            fractions,
        })
    }

    /// Solves for these sides; also the exact numbers of some states, if numbers are exact, and how many cycles there were.
    fn run(&self, asked: (&[Side], &[usize]), watch: &Watch) -> Result<RunResult, SolveError> {
        match &self.engine {
            ChosenMethod::Rows(floats) => {
                let context = context(self.game(), &self.kernel, floats);
                let solved = solve_in_floats(context, floats, (asked.0, Wanted::Values(asked.1)), watch)?;
                let error_bound = floats.bound_of_rows() + solved.cycle_error;
                Ok(RunResult { values: solved.values, fractions: None, cycles: solved.cycles, error_bound })
            }
            ChosenMethod::Integers(scaled) => self.backward(scaled, asked, watch),
            ChosenMethod::Rationals => self.in_fractions(asked, watch),
            ChosenMethod::Refused(error) => Err(error.clone()),
        }
    }

    /// As one graph, without what floats show to be worse.
    fn in_fractions(&self, (sides, asked): (&[Side], &[usize]), watch: &Watch) -> Result<RunResult, SolveError> {
        let fractions =
            ExactNumbers { payoff: Payoff::WinRate, one: RBig::ONE, tolerance: RBig::ZERO, equal: RBig::ZERO };
        let known = self.proven_in_floats(sides, watch)?;
        let floats = known.as_ref().map(|found| (found.values.iter().collect(), found.error_bound));
        let floats = floats.map(|(values, bound)| FloatValues { values, bound });
        let solve = |floats| whole::solve((&fractions, nearest_double), (self.game(), sides), floats, watch);
        let (values, solved) = match solve(floats.as_ref())? {
            Some(found) => found,
            None => solve(None)?.expect("fractions need no proof"),
        };
        let states = self.game().space().states();
        let of_side = |side: usize| asked.iter().map(|state| solved.values[side * states + state].clone()).collect();
        let fractions = Some((0..sides.len()).map(of_side).collect());
        // With the actions that were left out, cycles may have gone.
        let cycles = known.map_or(solved.count, |found| found.cycles);
        Ok(RunResult { values, fractions, cycles, error_bound: NEAREST })
    }

    /// What is found in floats, if it can be proven.
    fn proven_in_floats(&self, sides: &[Side], watch: &Watch) -> Result<Option<RunResult>, SolveError> {
        let floats = Floats::new(&self.kernel, Payoff::WinRate);
        let go_on = |_: usize, _: usize| watch.step(0, 1);
        let context = context(self.game(), &self.kernel, &floats);
        match solve_in_floats(context, &floats, (sides, Wanted::Values(&[])), &Watch::new(&go_on)) {
            Ok(Solved { values, cycles, cycle_error, .. }) => {
                let error_bound = floats.bound_of_rows() + cycle_error;
                Ok(Some(RunResult { values, fractions: None, cycles, error_bound }))
            }
            Err(SolveError::Unproven(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn backward<N: Numbers>(
        &self,
        numbers: &N,
        (sides, asked): (&[Side], &[usize]),
        watch: &Watch,
    ) -> Result<RunResult, SolveError> {
        let context = context(self.game(), &self.kernel, numbers);
        let solved = backward::solve(context, numbers, (sides, Wanted::Values(asked)), watch)?;
        let fraction = |(state, number): (&usize, &N::Number)| {
            let (stage, ..) = context.layout.of_state(*state);
            numbers.to_rational(number, stage)
        };
        let of_side = |numbers: &Vec<N::Number>| asked.iter().zip(numbers).map(fraction).collect();
        let fractions = solved.asked.iter().map(of_side).collect();
        Ok(RunResult { values: solved.values, fractions: Some(fractions), cycles: solved.cycles, error_bound: NEAREST })
    }

    /// The bound on the error of every value that was found in floats so far.
    pub(crate) fn error_bound(&self) -> f64 {
        self.floats().bound()
    }

    /// What the start is worth to either of two fixed plans when it moves first, in floats.
    pub(crate) fn pair(
        &self,
        [a, b]: [(&Plan, Option<&PreparedPolicy>); 2],
        watch: &Watch,
    ) -> Result<[f64; 2], SolveError> {
        let mut sides = fixed([a.0, b.0]);
        (sides[0].prepared, sides[1].prepared) = (a.1, b.1);
        start_values(self.game(), &self.kernel, self.floats(), &sides, watch)
    }

    /// Makes a policy ready to be one of many pairs, if the game is one without memory.
    pub(crate) fn prepare(&self, plan: &Plan) -> Option<PreparedPolicy> {
        let floats = self.floats();
        floats.prepare(&context(self.game(), &self.kernel, floats), plan)
    }

    fn floats(&self) -> &Floats {
        let ChosenMethod::Rows(floats) = &self.engine else { unreachable!("pairs are rated in floats") };
        floats
    }

    pub(crate) fn game(&self) -> &Game {
        self.game.borrow()
    }

    pub(crate) fn kernel(&self) -> &Kernel {
        &self.kernel
    }
}

/// The mover's exact win rate in each of `states` if both sides play to win, reduced.
///
/// # Errors
/// If `watch` stops it, or exact numbers would not fit in memory.
pub fn exact_values(game: &Game, states: &[usize], watch: &Watch) -> Result<Vec<RBig>, SolveError> {
    let found = Solver::new(game, Arithmetic::Exact).run((&symmetric(Decider::Best), states), watch)?;
    Ok(found.fractions.expect("numbers are exact").swap_remove(0))
}

impl ChosenMethod {
    /// Integers where all totals have a common multiple, else fractions; refused where these would not fit.
    fn exact(game: &Game, kernel: &Kernel) -> Self {
        let base = exact::base(kernel).filter(|_| has_denominators(game));
        if let Err(error) = base.map_or_else(|| admit_fractions(game), |base| admit_integers(game, kernel, base)) {
            return Self::Refused(error);
        }
        let context = PassContext { game, kernel, layout: Layout::new(game.space(), 1), allowance: 0.0 };
        base.and_then(|_| Scaled::new(&context)).map_or(Self::Rationals, Self::Integers)
    }
}

/// What a backward pass over a game shares.
fn context<'a, N: Numbers>(game: &'a Game, kernel: &'a Kernel, numbers: &N) -> PassContext<'a> {
    PassContext { game, kernel, layout: Layout::new(game.space(), numbers.width(&game.space())), allowance: 0.0 }
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
    let floats = Floats::new(&kernel, Payoff::Endless);
    start_values(game, &kernel, &floats, &fixed(plans), watch)
}

fn solve_in_floats(
    context: PassContext,
    floats: &Floats,
    asked: (&[Side], Wanted),
    watch: &Watch,
) -> Result<Solved<f64>, SolveError> {
    let solved = match context.game.order() {
        Order::Recurrent => backward::solve_recurrent(context, floats, asked, watch),
        _ => backward::solve(context, floats, asked, watch),
    }?;
    floats.note_cycle_error(solved.cycle_error);
    Ok(solved)
}

fn start_values(
    game: &Game,
    kernel: &Kernel,
    floats: &Floats,
    sides: &[Side; 2],
    watch: &Watch,
) -> Result<[f64; 2], SolveError> {
    let solved = solve_in_floats(context(game, kernel, floats), floats, (sides, Wanted::Start), watch)?;
    // Roundings may lead past 1.
    Ok([0, 1].map(|side| solved.asked[side][0].clamp(0.0, 1.0)))
}
