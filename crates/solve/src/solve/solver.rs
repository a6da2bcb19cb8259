//! The entry point: chooses the method for a game and runs it.

use std::borrow::Borrow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dashu_ratio::RBig;

use crate::component::Tolerance;
use crate::game::{Game, Order, Plan};
use crate::limits;
use crate::linear::UNIT;

use super::backward;
use super::estimate::{
    SECONDS_FOR_PROOF, admit_fractions, admit_integers, common_base, exact_bytes,
    practical_in_fractions,
};
use super::exact::Scaled;
use super::floats::{self, Floats};
use super::full_graph;
use super::graph::{Digits, GraphProblem, NEAREST, UNPROVEN};
use super::kept;
use super::layout::Layout;
use super::stage_solver::{Decider, PassContext, Payoff, Side, StageSolver, opposed, symmetric};
use super::{
    Arithmetic, Bounds, Method, Objective, RunResult, Solution, SolveError, Values, Watch, rows,
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
    /// Doubles or fractions, where dice are kept.
    Kept(Arithmetic),
    /// Exact numbers would be too large.
    Refused(SolveError),
}

const IN_FLOATS: [Digits; 2] = [Digits::Doubles, Digits::Twofold];
/// Fractions, where floats prove nothing.
const IN_FLOATS_OR_EXACTLY: [Digits; 3] = [Digits::Doubles, Digits::Twofold, Digits::Fractions];
/// The values in floats show which actions are worse.
const EXACTLY: [Digits; 2] = [Digits::Doubles, Digits::Fractions];

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
        let RunResult { method, mut values, fractions, cycles, error_bound, bounds } =
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
            bounds: bounds.map(Arc::new),
            loops: cycles,
            elapsed: began.elapsed().max(Duration::from_nanos(1)),
            start: start[0],
            keeps_dice: self.game.rules().keeps_dice(),
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
            ChosenMethod::Rows(floats) => in_rows(self.game, floats, sides, watch),
            ChosenMethod::Graph => {
                let fractions = practical_in_fractions(self.game, SECONDS_FOR_PROOF);
                let digits = if fractions { &IN_FLOATS_OR_EXACTLY[..] } else { &IN_FLOATS };
                in_graph(self.game, Payoff::WinRate, sides, digits, requested, watch)
            }
            ChosenMethod::Integers(scaled) => self.in_integers(scaled, sides, requested, watch),
            ChosenMethod::Rationals => {
                in_graph(self.game, Payoff::WinRate, sides, &EXACTLY, requested, watch)
            }
            ChosenMethod::Kept(arithmetic) => {
                let digits = match arithmetic {
                    Arithmetic::Float => IN_FLOATS,
                    Arithmetic::Exact => EXACTLY,
                };
                kept::solve(self.game, Payoff::WinRate, sides, &digits, requested, watch)
            }
            ChosenMethod::Refused(error) => Err(error.clone()),
        }
    }

    fn in_integers(
        &self,
        solver: &Scaled,
        sides: &[Side],
        requested: &[usize],
        watch: &Watch,
    ) -> Result<RunResult, SolveError> {
        watch.admit(exact_bytes(self.game), "lower the goal or solve it in floating point")?;
        backward::solve(context(self.game, solver), solver, sides, requested, watch)
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
            _ if game.rules().keeps_dice() => Self::Kept(Arithmetic::Float),
            Order::Recurrent => Self::Graph,
            _ => Self::Rows(Floats::new(game, Payoff::WinRate)),
        }
    }

    /// Chooses integers where all totals have a common multiple, else fractions; refuses too large
    /// numbers.
    fn exact(game: &Game) -> Self {
        if game.rules().keeps_dice() {
            return match admit_fractions(game) {
                Ok(()) => Self::Kept(Arithmetic::Exact),
                Err(error) => Self::Refused(error),
            };
        }
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
fn context<'a, N: StageSolver>(game: &'a Game, solver: &N) -> PassContext<'a> {
    PassContext {
        game,
        layout: Layout::new(game.space(), solver.width(&game.space())),
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
        _ if game.rules().keeps_dice() => {
            kept::solve(game, Payoff::Endless, &sides, &IN_FLOATS, &[], watch)?.values
        }
        Order::Recurrent => in_graph(game, Payoff::Endless, &sides, &IN_FLOATS, &[], watch)?.values,
        _ => in_rows(game, &Floats::new(game, Payoff::Endless), &sides, watch)?.values,
    };
    // Rounding may lead past 1.
    Ok(Some(
        [0, 1]
            .map(|side| solved[side].win_rates.iter().map(|value| value.clamp(0.0, 1.0)).collect()),
    ))
}

fn in_rows(
    game: &Game,
    floats: &Floats,
    sides: &[Side],
    watch: &Watch,
) -> Result<RunResult, SolveError> {
    let context = context(game, floats);
    let columns = context.layout.width * context.layout.tasks() * sides.len();
    watch.admit(floats::bytes_of_rows(game, columns), "let turns give fewer points")?;
    backward::solve(context, floats, sides, &[], watch)
}

/// Solves the game as one graph, in the first of some arithmetics that is accurate enough.
fn in_graph(
    game: &Game,
    payoff: Payoff,
    sides: &[Side],
    digits: &[Digits],
    requested: &[usize],
    watch: &Watch,
) -> Result<RunResult, SolveError> {
    watch.admit(full_graph::bytes(game, sides.len()), "lower the goal or the largest memories")?;
    let tolerance = Tolerance { tie: 0.0, equal: rows::EQUAL };
    let problem = GraphProblem::new(payoff, tolerance);
    let in_floats = digits != EXACTLY;
    let mut solved = full_graph::solve(
        game,
        sides,
        digits,
        problem,
        |found| found.fractions.is_some() || in_floats && found.error <= limits::GRAPH_ERROR,
        watch,
    )?;
    if solved.error > limits::ERROR_BOUND {
        return Err(UNPROVEN);
    }
    let states = game.space().states();
    let mut values = Vec::new();
    // Here the errors of all states are bounds of their own.
    let bounds = solved.bounds.take().map(|bounds| Bounds::new((0..).zip(bounds)));
    for side in 0..sides.len() {
        let nodes = side * states..(side + 1) * states;
        values.push(Values {
            win_rates: solved.values[nodes.clone()].to_vec(),
            best: solved.best[nodes.clone()].to_vec(),
            choices: solved.choices[nodes.clone()].to_vec(),
        });
    }
    let is_exact = solved.fractions.is_some();
    let fractions = solved.fractions.as_ref().map(|fractions| {
        let sides = fractions.chunks_exact(states);
        sides.map(|side| requested.iter().map(|state| side[*state].clone()).collect()).collect()
    });
    Ok(RunResult {
        method: if is_exact { Method::Rationals } else { Method::Graph },
        values,
        fractions,
        cycles: solved.cycles,
        error_bound: if is_exact { NEAREST } else { solved.error.max(UNIT) },
        bounds,
    })
}
