//! The entry point: chooses the method for a game and runs it.

use std::borrow::Borrow;
use std::time::{Duration, Instant};

use dashu_ratio::RBig;

use crate::game::{Game, Order, Plan};
use crate::linear::{Bits, Float, Wide, nearest_double};

use super::backward::{self, Solved};
use super::cycles::{Approximate, ExactNumbers, Intervals};
use super::estimate::{
    admit_fractions, admit_integers, common_base, exact_bytes, practical_arithmetic,
    practical_in_digits,
};
use super::exact::Scaled;
use super::floats::{self, Floats};
use super::full_graph::{self, FloatValues};
use super::layout::Layout;
use super::numbers::{Decider, Numbers, PassContext, Payoff, Side, opposed, symmetric};
use super::{
    Arithmetic, LARGEST_BOUND, Method, Objective, Solution, SolveError, Values, Watch, rows,
};

/// A game with the chosen method and its precomputed data, for any number of solutions. It holds
/// the game as an
/// `Arc` or by reference.
///
/// ```
/// use std::sync::Arc;
/// use hog_rules::rules;
/// use hog_solve::{game::Game, solve::{Arithmetic, Solver, Watch}};
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
    method: ChosenMethod,
}

/// What a [`Solver`] borrows to solve: a type without parameters, so that only this crate generates
/// its code.
struct Compiled<'s> {
    game: &'s Game,
    method: &'s ChosenMethod,
}

/// The chosen [`Method`] with its precomputed data.
#[derive(Debug)]
enum ChosenMethod {
    Rows(Floats),
    /// Doubles, all states as one graph.
    Graph,
    Integers(Scaled),
    Rationals,
    /// Exact numbers would be too large.
    Refused(SolveError),
}

/// The error of rounding to the nearest double up to 1: half a unit in the last place just below 1.
const NEAREST: f64 = f64::EPSILON / 4.0;

/// Values of a graph with a larger error are computed again with more digits.
const MOST_ERROR: f64 = 1e-11;
const MORE_DIGITS: [Bits; 2] = [Bits(128), Bits(512)];

/// Values with a larger error do not help to find worse actions.
const MOST_TO_COMPARE: f64 = 1e-3;
const UNPROVEN: SolveError = SolveError::Unproven("turns lower the sum of scores too often");

/// Fractions that take at most about so long replace floats that prove nothing.
const SECONDS_FOR_PROOF: f64 = 100.0;

/// The result of solving for one side or two.
struct RunResult {
    method: Method,
    values: Vec<Values>,
    /// The exact values of the requested states, by side; `None` in floats.
    fractions: Option<Vec<Vec<RBig>>>,
    cycles: usize,
    error_bound: f64,
}

impl<G: Borrow<Game>> Solver<G> {
    /// Chooses the method and prepares it. If exact numbers would be too large, each solution
    /// returns the error.
    pub fn new(game: G, arithmetic: Arithmetic) -> Self {
        let method = match arithmetic {
            Arithmetic::Float => ChosenMethod::floats(game.borrow()),
            Arithmetic::Exact => ChosenMethod::exact(game.borrow()),
        };
        Self { game, method }
    }

    /// Solves for optimal play of both sides: the value of each state and all its best actions.
    ///
    /// # Errors
    /// Returns an error if `watch` cancels the work, exact numbers would be too large, or values in
    /// floats cannot be proven.
    pub fn equilibrium(&self, watch: &Watch) -> Result<Solution, SolveError> {
        self.compiled().solve(Objective::Equilibrium, &symmetric(Decider::Best), watch)
    }

    /// Solves for the best response to a fixed plan.
    ///
    /// # Errors
    /// As for [`Self::equilibrium`].
    pub fn best_response(&self, against: &Plan, watch: &Watch) -> Result<Solution, SolveError> {
        self.compiled().solve(
            Objective::BestResponse,
            &opposed([Decider::Best, Decider::Fixed(against)]),
            watch,
        )
    }

    /// Evaluates one fixed plan against another.
    ///
    /// # Errors
    /// As for [`Self::equilibrium`].
    pub fn evaluate(&self, plans: [&Plan; 2], watch: &Watch) -> Result<Solution, SolveError> {
        self.compiled().solve(Objective::Evaluation, &opposed(plans.map(Decider::Fixed)), watch)
    }

    /// Evaluates one fixed plan against itself, in half the time of two plans.
    ///
    /// # Errors
    /// As for [`Self::equilibrium`].
    pub fn evaluate_itself(&self, plan: &Plan, watch: &Watch) -> Result<Solution, SolveError> {
        self.compiled().solve(Objective::Evaluation, &symmetric(Decider::Fixed(plan)), watch)
    }

    pub(crate) fn game(&self) -> &Game {
        self.game.borrow()
    }

    fn compiled(&self) -> Compiled<'_> {
        Compiled { game: self.game(), method: &self.method }
    }
}

impl Compiled<'_> {
    fn solve(
        &self,
        objective: Objective,
        sides: &[Side],
        watch: &Watch,
    ) -> Result<Solution, SolveError> {
        let began = Instant::now();
        let start = [self.game.start()];
        let RunResult { method, mut values, fractions, cycles, error_bound } =
            self.run(sides, &start, watch)?;
        let other = (values.len() > 1).then(|| values.swap_remove(1));
        let own = values.swap_remove(0);
        let fractions =
            fractions.map(|sides| [0, sides.len() - 1].map(|side| sides[side][0].clone()));
        Ok(Solution {
            objective,
            arithmetic: method.arithmetic(),
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

    /// Solves for some sides; in exact arithmetic, also returns the exact values of the requested
    /// states. If floats prove nothing, fractions are used where they are practical.
    fn run(
        &self,
        sides: &[Side],
        requested: &[usize],
        watch: &Watch,
    ) -> Result<RunResult, SolveError> {
        match self.method {
            ChosenMethod::Rows(_) | ChosenMethod::Graph => {
                let found = in_floats(self.game, self.method, sides, watch);
                let proves_little = match &found {
                    Ok(found) => found.error_bound > LARGEST_BOUND,
                    Err(error) => matches!(error, SolveError::Unproven(_)),
                };
                let in_fractions =
                    || practical_arithmetic(self.game, SECONDS_FOR_PROOF) == Arithmetic::Exact;
                if !proves_little {
                    found
                } else if in_fractions() {
                    self.in_fractions(sides, requested, watch)
                } else {
                    found.and(Err(UNPROVEN))
                }
            }
            ChosenMethod::Integers(scaled) => self.in_integers(scaled, sides, requested, watch),
            ChosenMethod::Rationals => self.in_fractions(sides, requested, watch),
            ChosenMethod::Refused(error) => Err(error.clone()),
        }
    }

    /// Solves the game as one graph in fractions, without the actions that floats show to be worse.
    fn in_fractions(
        &self,
        sides: &[Side],
        requested: &[usize],
        watch: &Watch,
    ) -> Result<RunResult, SolveError> {
        let fractions = ExactNumbers {
            payoff: Payoff::WinRate,
            one: RBig::ONE,
            tolerance: RBig::ZERO,
            equal: RBig::ZERO,
        };
        let known = self.proven_in_floats(sides, watch)?;
        let floats = known.as_ref().map(|found| (found.values.iter().collect(), found.error_bound));
        let floats = floats.map(|(values, bound)| FloatValues { values, bound });
        let solve =
            |floats| full_graph::solve(&fractions, nearest_double, self.game, sides, floats, watch);
        let (values, solved) = match solve(floats.as_ref())? {
            Some(found) => found,
            None => solve(None)?.expect("a graph of all actions needs no proof"),
        };
        let states = self.game.space().states();
        let of_side = |side: usize| {
            requested.iter().map(|at| solved.values[side * states + at].clone()).collect()
        };
        let fractions = Some((0..sides.len()).map(of_side).collect());
        // Without those actions the graph may have fewer cycles.
        let cycles = known.map_or(solved.count, |found| found.cycles);
        Ok(RunResult { method: Method::Rationals, values, fractions, cycles, error_bound: NEAREST })
    }

    /// Solves in floats; `None` if the values cannot be proven.
    fn proven_in_floats(
        &self,
        sides: &[Side],
        watch: &Watch,
    ) -> Result<Option<RunResult>, SolveError> {
        let go_on = |_: usize, _: usize| watch.step(0, 1);
        let method = ChosenMethod::floats(self.game);
        match in_floats(self.game, &method, sides, &watch.of_part(&go_on)) {
            Err(SolveError::Unproven(_)) => Ok(None),
            found => found.map(Some),
        }
    }

    fn in_integers(
        &self,
        numbers: &Scaled,
        sides: &[Side],
        requested: &[usize],
        watch: &Watch,
    ) -> Result<RunResult, SolveError> {
        watch.admit(exact_bytes(self.game), "lower the goal or solve it in floating point")?;
        let context = context(self.game, numbers);
        let Solved { values, requested: found, cycles, .. } =
            backward::solve(context, numbers, sides, requested, watch)?;
        let fraction = |(state, number): (&usize, &Vec<_>)| {
            numbers.to_rational(number, context.layout.of_state(*state).0)
        };
        let fractions = Some(
            found.iter().map(|side| requested.iter().zip(side).map(fraction).collect()).collect(),
        );
        Ok(RunResult { method: Method::Integers, values, fractions, cycles, error_bound: NEAREST })
    }
}

/// Returns the mover's exact, reduced win rate in each of `states` under optimal play of both
/// sides.
///
/// # Errors
/// Returns an error if `watch` cancels the work or exact numbers would be too large.
pub fn exact_values(game: &Game, states: &[usize], watch: &Watch) -> Result<Vec<RBig>, SolveError> {
    let found = Solver::new(game, Arithmetic::Exact).compiled().run(
        &symmetric(Decider::Best),
        states,
        watch,
    )?;
    Ok(found.fractions.expect("numbers are exact").swap_remove(0))
}

impl ChosenMethod {
    fn floats(game: &Game) -> Self {
        match game.order() {
            Order::Recurrent => Self::Graph,
            _ => Self::Rows(Floats::new(game, Payoff::WinRate)),
        }
    }

    /// Chooses integers where all totals have a common multiple, else fractions; refuses too large
    /// numbers.
    fn exact(game: &Game) -> Self {
        let base = common_base(game);
        if let Err(error) =
            base.map_or_else(|| admit_fractions(game), |base| admit_integers(game, base))
        {
            return Self::Refused(error);
        }
        let context = PassContext { game, layout: Layout::new(game.space(), 1), allowance: 0.0 };
        if base.is_some() { Self::Integers(Scaled::new(&context)) } else { Self::Rationals }
    }
}

/// The context of a backward pass over a game.
fn context<'a, N: Numbers>(game: &'a Game, numbers: &N) -> PassContext<'a> {
    PassContext {
        game,
        layout: Layout::new(game.space(), numbers.width(&game.space())),
        allowance: 0.0,
    }
}

/// Returns the probability that a game between two plans never ends: if the first plan moves first,
/// and if it moves second.
///
/// # Errors
/// Returns the errors of [`endless_by_state`].
pub fn endless(game: &Game, plans: [&Plan; 2], watch: &Watch) -> Result<[f64; 2], SolveError> {
    let by_state = endless_by_state(game, plans, watch)?;
    Ok(by_state.map_or([0.0; 2], |sides| sides.map(|side| side[game.start()])))
}

/// Returns the probability that a game between two plans never ends, by side to move (that of the
/// first plan first) and state; `None` if it is 0 in all states.
///
/// # Errors
/// Returns an error if `watch` cancels the work or the probabilities cannot be computed in floats.
pub fn endless_by_state(
    game: &Game,
    plans: [&Plan; 2],
    watch: &Watch,
) -> Result<Option<[Vec<f64>; 2]>, SolveError> {
    if game.order() == Order::Acyclic {
        return Ok(None);
    }
    // A finite game that may end from every state ends with probability 1.
    let may_end = game.may_end(plans, &|| watch.step(0, 1)).ok_or(SolveError::Cancelled)?;
    if may_end.iter().flatten().all(|may_end| *may_end) {
        return Ok(None);
    }
    let sides = opposed(plans.map(Decider::Fixed));
    let solved = match game.order() {
        Order::Recurrent => graph_in_floats(game, Payoff::Endless, &sides, watch)?.values,
        _ => rows_in_floats(game, &Floats::new(game, Payoff::Endless), &sides, watch)?.values,
    };
    // Rounding may lead past 1.
    Ok(Some(
        [0, 1]
            .map(|side| solved[side].win_rates.iter().map(|value| value.clamp(0.0, 1.0)).collect()),
    ))
}

fn in_floats(
    game: &Game,
    method: &ChosenMethod,
    sides: &[Side],
    watch: &Watch,
) -> Result<RunResult, SolveError> {
    match method {
        ChosenMethod::Rows(floats) => in_rows(game, floats, sides, watch),
        _ => graph_in_floats(game, Payoff::WinRate, sides, watch),
    }
}

fn in_rows(
    game: &Game,
    floats: &Floats,
    sides: &[Side],
    watch: &Watch,
) -> Result<RunResult, SolveError> {
    let solved = rows_in_floats(game, floats, sides, watch)?;
    let (values, cycles, error_bound) =
        (solved.values, solved.cycles, floats.bound_of_rows() + solved.cycle_error);
    Ok(RunResult { method: Method::Rows, values, fractions: None, cycles, error_bound })
}

fn rows_in_floats(
    game: &Game,
    floats: &Floats,
    sides: &[Side],
    watch: &Watch,
) -> Result<Solved<f64>, SolveError> {
    let context = context(game, floats);
    let columns = context.layout.width * context.layout.tasks() * sides.len();
    watch.admit(floats::bytes_of_rows(game, columns), "let turns give fewer points")?;
    backward::solve(context, floats, sides, &[], watch)
}

/// Solves the game as one graph in doubles or, where these prove too little, with more digits.
fn graph_in_floats(
    game: &Game,
    payoff: Payoff,
    sides: &[Side],
    watch: &Watch,
) -> Result<RunResult, SolveError> {
    watch.admit(full_graph::bytes(game, sides.len()), "lower the goal or the largest memories")?;
    let mut found = graph_in(&numbers::<f64>((), payoff), game, sides, None, watch)?;
    for bits in MORE_DIGITS {
        let is_enough = found.as_ref().is_some_and(|found| found.error_bound <= MOST_ERROR);
        if is_enough || !practical_in_digits(game, bits.digits()) {
            break;
        }
        let wide = numbers::<Wide>(bits, payoff);
        // Even inaccurate values show which actions are worse. Without these there may be more cycles.
        let mut precise = None;
        if let Some(found) = found.as_ref().filter(|found| found.error_bound <= MOST_TO_COMPARE) {
            let floats =
                FloatValues { values: found.values.iter().collect(), bound: found.error_bound };
            precise = graph_in(&wide, game, sides, Some(&floats), watch)?
                .map(|precise| RunResult { cycles: found.cycles, ..precise });
        }
        if precise.is_none() {
            precise = graph_in(&wide, game, sides, None, watch)?;
        }
        let is_better = |precise: &RunResult| {
            found.as_ref().is_none_or(|found| precise.error_bound < found.error_bound)
        };
        found = precise.filter(is_better).or(found);
    }
    found.ok_or(UNPROVEN)
}

/// Numbers for a whole game, whose values tie if their errors cannot tell them apart.
fn numbers<F: Float>(precision: F::Precision, payoff: Payoff) -> Intervals<F> {
    let equal = F::from_double(precision, rows::EQUAL).in_units(precision);
    Intervals::new(precision, payoff, [0.0, equal])
}

fn graph_in<F: Float>(
    numbers: &Intervals<F>,
    game: &Game,
    sides: &[Side],
    floats: Option<&FloatValues>,
    watch: &Watch,
) -> Result<Option<RunResult>, SolveError> {
    let to_double = |value: &Approximate<F>| value.value.to_double().clamp(0.0, 1.0);
    let Some((values, solved)) = full_graph::solve(numbers, to_double, game, sides, floats, watch)?
    else {
        return Ok(None);
    };
    let errors = solved.values.iter().map(|value| numbers.to_double(value).error);
    let error_bound = errors.fold(0.0, f64::max) + numbers.error_in_doubles();
    Ok(Some(RunResult {
        method: Method::Graph,
        values,
        fractions: None,
        cycles: solved.count,
        error_bound,
    }))
}
