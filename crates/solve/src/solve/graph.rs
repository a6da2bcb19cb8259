//! States whose turns lead to each other, solved one strongly connected component after another,
//! successors first, in one arithmetic after another until the errors are small enough.

use std::sync::Arc;

use dashu_ratio::RBig;

use crate::component::{Component, Menus, Near, Solved, Tolerance, Unsolved};
use crate::dice::Weight;
use crate::game::DiceSet;
use crate::linear::{Number, Twofold, UNIT, each_component};

use super::SolveError;
use super::stage_solver::Payoff;

/// States, and the turns among them: those of a stage, or of a whole game. Each state is a node.
pub(super) trait StateGraph {
    /// The number of nodes.
    fn count(&self) -> usize;
    /// Appends the nodes that the turns of a node may lead to, possibly with duplicates.
    fn append_targets(&self, node: usize, targets: &mut Vec<u32>);
    /// Whether all nodes are solved as one component, in their order.
    fn is_one_component(&self) -> bool {
        false
    }
}

/// States whose turns can be read in numbers of one kind.
pub(super) trait TurnGraph<N: Number>: StateGraph {
    /// Reads the turns of a node by those of its actions that `keep` lists.
    fn read(&self, node: usize, keep: DiceSet, builder: &mut ComponentBuilder<N>);
}

/// Builds a component from the turns of its nodes; what is solved already leaves it.
pub(super) struct ComponentBuilder<'r, N: Number> {
    payoff: Payoff,
    component: &'r mut Component<N>,
    /// By choice of the component: the action.
    actions: &'r mut Vec<u8>,
    /// By node: its place in the component, or [`OUTSIDE`].
    place: &'r [u32],
    solved: &'r SolvedNodes<N>,
}

/// Marks a node that is not in the component.
const OUTSIDE: u32 = u32::MAX;

impl<N: Number> ComponentBuilder<'_, N> {
    /// Begins an action whose outcomes have so many rolls in total.
    pub fn begin(&mut self, action: usize, total: Weight) {
        self.actions.push(action as u8);
        self.component.begin_choice(total);
    }

    /// Adds rolls that lead to a node.
    pub fn lead(&mut self, node: usize, weight: Weight, again: bool) {
        let again = again || self.payoff == Payoff::Endless;
        match self.place[node] {
            OUTSIDE => {
                let [below, above] = self.solved.errors[node];
                let value = &self.solved.values[node];
                self.component.leave(weight, value, below.max(above), again);
            }
            place => self.component.lead(place as usize, weight, again),
        }
    }

    /// Adds rolls that lead to a state of a known value, with a bound on its error in units.
    pub fn leave(&mut self, value: &N, error: f64, weight: Weight, again: bool) {
        let again = again || self.payoff == Payoff::Endless;
        self.component.leave(weight, value, error, again);
    }

    /// Adds rolls that end the game with so many halves of a win of the opponent.
    pub fn end(&mut self, weight: Weight, halves_to_opponent: u8) {
        let halves = if self.payoff == Payoff::Endless { 0 } else { 2 - halves_to_opponent };
        self.component.end(weight, halves);
    }

    /// Begins the menus of an action; all their targets follow.
    pub fn begin_menus(&mut self, menus: &Arc<Menus>) {
        self.component.begin_menus(menus);
    }

    /// Adds a target of menus that is a node.
    pub fn target_node(&mut self, node: usize, again: bool) {
        match self.place[node] {
            OUTSIDE => self.target(&self.solved.values[node], 0.0, again),
            place => self.component.target_node(place as usize, again),
        }
    }

    /// Adds a target of menus that is a state of a known value, with a bound on its error in units.
    pub fn target(&mut self, value: &N, error: f64, again: bool) {
        // The complement of a value in floats is rounded.
        match again {
            true => self.component.target(value, error),
            false => self.component.target(&N::ONE.minus(value), error + 1.0),
        }
    }

    /// Ends an action.
    pub fn finish(&mut self) {
        self.component.end_choice();
    }
}

/// The values and best actions of all nodes in one arithmetic.
struct SolvedNodes<N> {
    values: Vec<N>,
    /// By node: see [`Solved::errors`]; infinite if they are not proven.
    errors: Vec<[f64; 2]>,
    may_be_best: Vec<DiceSet>,
    best: Vec<DiceSet>,
    choices: Vec<u8>,
    on_cycle: Vec<bool>,
    cycles: usize,
}

/// The values and best actions of all nodes, in doubles.
pub(super) struct SolvedStates {
    /// By node: the double nearest to the mover's value.
    pub values: Vec<f64>,
    /// By node: how far the true value may be below and above that, such that no turn leads beyond
    /// it. `None` where doubles are too short for such bounds, or there are none yet, as of
    /// fractions.
    pub bounds: Option<Vec<[f64; 2]>>,
    /// By node: the exact values, from fractions.
    pub fractions: Option<Vec<RBig>>,
    /// All actions that may be best, including those by which a player who is ahead would stall.
    pub may_be_best: Vec<DiceSet>,
    pub best: Vec<DiceSet>,
    /// By node: the chosen action.
    pub choices: Vec<u8>,
    /// By node: whether it is on a cycle.
    pub on_cycle: Vec<bool>,
    /// The number of strongly connected components with a cycle.
    pub cycles: usize,
    /// The largest of the bounds.
    pub error: f64,
    /// The decimal digits of the arithmetic.
    pub digits: usize,
}

impl SolvedStates {
    /// The nodes on cycles with their bounds, if there are bounds.
    pub fn bounds_on_cycles(&self) -> Option<Vec<(u32, [f64; 2])>> {
        let bounds = (0..).zip(self.bounds.as_ref()?.iter().copied());
        Some(bounds.filter(|(node, _)| self.on_cycle[*node as usize]).collect())
    }

    /// Takes over the bounds of less accurate values.
    fn take_bounds(&mut self, other: &Self) {
        let Some(mut bounds) = other.bounds.clone() else { return };
        for (node, [below, above]) in bounds.iter_mut().enumerate() {
            let off = other.values[node] - self.values[node];
            *below -= off;
            *above += off;
        }
        self.bounds = Some(bounds);
    }
}

/// An arithmetic to solve in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Digits {
    Doubles,
    Twofold,
    Fractions,
}

impl Digits {
    /// The decimal digits of its numbers.
    pub fn count(self) -> usize {
        match self {
            Self::Doubles => f64::DIGITS as usize,
            Self::Twofold => 31,
            Self::Fractions => usize::MAX,
        }
    }
}

/// What is computed, and how.
#[derive(Clone, Copy)]
pub(super) struct GraphProblem<'t> {
    pub payoff: Payoff,
    pub tolerance: Tolerance,
    /// By node: the actions that may be best, if others are known to be worse.
    pub keep: Option<&'t [DiceSet]>,
    /// Values to start from.
    pub near: Option<Near<'t>>,
    /// The most nodes of a component that is solved; values of larger ones are not found.
    pub most_nodes: usize,
}

impl GraphProblem<'_> {
    /// A problem of which nothing is known, in components of any size.
    pub fn new(payoff: Payoff, tolerance: Tolerance) -> Self {
        Self { payoff, tolerance, keep: None, near: None, most_nodes: usize::MAX }
    }
}

/// Values with larger errors do not show which actions are worse.
const MOST_TO_COMPARE: f64 = 1e-3;
/// Cancellation is checked once for so many nodes.
const CHECKED_EVERY: usize = 64;

/// Solves all states in the first of some arithmetics; in the next one as well, while the result is
/// not `enough`. `go_on` is called with the number of solved nodes, and returns false to stop.
///
/// # Errors
/// Returns an error if `go_on` stops it, or no arithmetic proves the values.
pub(super) fn solve(
    states: &(impl TurnGraph<f64> + TurnGraph<Twofold> + TurnGraph<RBig>),
    digits: &[Digits],
    problem: GraphProblem,
    enough: impl Fn(&SolvedStates) -> bool,
    go_on: &dyn Fn(usize) -> bool,
) -> Result<SolvedStates, SolveError> {
    let mut best: Option<SolvedStates> = None;
    for digits in digits {
        let keep = best.as_ref().filter(|best| best.error <= MOST_TO_COMPARE);
        let keep = keep.map(|best| best.may_be_best.clone());
        let near =
            best.as_ref().map(|best| Near { values: &best.values, off: best.error + 4.0 * UNIT });
        let near = near.or(problem.near);
        let problem = GraphProblem { keep: keep.as_deref().or(problem.keep), near, ..problem };
        let mut found = match *digits {
            Digits::Doubles => in_numbers::<f64>(states, problem, go_on)?,
            Digits::Twofold => in_numbers::<Twofold>(states, problem, go_on)?,
            Digits::Fractions => in_numbers::<RBig>(states, problem, go_on)?,
        };
        found.digits = digits.count();
        if best.is_some() && !found.error.is_finite() {
            continue;
        }
        if let Some(before) = &best {
            // Without the actions that are worse there may be fewer cycles.
            found.cycles = before.cycles;
            found.on_cycle.clone_from(&before.on_cycle);
            if found.fractions.is_some() {
                found.take_bounds(before);
            }
        }
        let is_enough = enough(&found);
        best = Some(found);
        if is_enough {
            break;
        }
    }
    let best = best.filter(|best| best.error.is_finite());
    best.ok_or(SolveError::Unproven("play may last too long for floating point"))
}

/// Solves all states in one arithmetic, and rounds the result.
fn in_numbers<N: Number>(
    states: &dyn TurnGraph<N>,
    problem: GraphProblem,
    go_on: &dyn Fn(usize) -> bool,
) -> Result<SolvedStates, SolveError> {
    let found = ComponentSearch::<N>::new(states, problem).run(go_on)?;
    let mut solved = SolvedStates {
        values: Vec::with_capacity(found.values.len()),
        bounds: None,
        fractions: None,
        may_be_best: found.may_be_best,
        best: found.best,
        choices: found.choices,
        on_cycle: found.on_cycle,
        cycles: found.cycles,
        error: 0.0,
        digits: 0,
    };
    // Exact numbers have no margins, which bounds need to prove themselves; rounded bounds would
    // not prove themselves either.
    let mut are_held = !N::IS_EXACT;
    let mut bounds = found.errors;
    for (value, of_node) in found.values.iter().zip(&mut bounds) {
        let nearest = value.to_double().clamp(0.0, 1.0);
        solved.values.push(nearest);
        let off = value.minus(&N::from_double(nearest));
        for (bound, off) in of_node.iter_mut().zip([N::ZERO.minus(&off), off]) {
            if !bound.is_finite() {
                *bound = 0.0;
                solved.error = f64::INFINITY;
                are_held = false;
                continue;
            }
            let exact = N::units(*bound).plus(&off);
            *bound = exact.to_double();
            are_held &= N::from_double(*bound) == exact;
            solved.error = solved.error.max(bound.next_up());
        }
    }
    solved.bounds = are_held.then_some(bounds);
    if N::IS_EXACT {
        solved.fractions = Some(found.values.iter().map(N::to_fraction).collect());
    }
    Ok(solved)
}

/// The search through all components.
struct ComponentSearch<'s, N: Number> {
    states: &'s dyn TurnGraph<N>,
    problem: GraphProblem<'s>,
    place: Vec<u32>,
    component: Component<N>,
    actions: Vec<u8>,
    found: SolvedNodes<N>,
}

impl<'s, N: Number> ComponentSearch<'s, N> {
    fn new(states: &'s dyn TurnGraph<N>, problem: GraphProblem<'s>) -> Self {
        let count = states.count();
        let component = Component::new();
        let component = match problem.payoff {
            Payoff::WinRate => component,
            Payoff::Endless => component.with_endless(N::ONE),
        };
        Self {
            states,
            problem,
            place: vec![OUTSIDE; count],
            component,
            actions: Vec::new(),
            found: SolvedNodes {
                values: vec![N::ZERO; count],
                errors: vec![[0.0; 2]; count],
                may_be_best: vec![0; count],
                best: vec![0; count],
                choices: vec![0; count],
                on_cycle: vec![false; count],
                cycles: 0,
            },
        }
    }

    fn run(mut self, go_on: &dyn Fn(usize) -> bool) -> Result<SolvedNodes<N>, SolveError> {
        let states = self.states;
        let mut done = 0;
        if states.is_one_component() {
            let nodes: Vec<u32> = (0..states.count() as u32).collect();
            self.solve(&nodes, &|| go_on(0))?;
            return Ok(self.found);
        }
        each_component(
            states.count(),
            &|node, targets| states.append_targets(node, targets),
            &mut |nodes| {
                let before = done;
                done += nodes.len();
                if before / CHECKED_EVERY != done / CHECKED_EVERY && !go_on(before) {
                    return Err(SolveError::Cancelled);
                }
                self.solve(nodes, &|| go_on(before))
            },
        )?;
        Ok(self.found)
    }

    /// Reads and solves a component.
    fn solve(&mut self, nodes: &[u32], go_on: &dyn Fn() -> bool) -> Result<(), SolveError> {
        self.component.clear();
        self.actions.clear();
        for (place, node) in nodes.iter().enumerate() {
            self.place[*node as usize] = place as u32;
        }
        for node in nodes.iter().map(|node| *node as usize) {
            let mut builder = ComponentBuilder {
                payoff: self.problem.payoff,
                component: &mut self.component,
                actions: &mut self.actions,
                place: &self.place,
                solved: &self.found,
            };
            let keep = self.problem.keep.map_or(DiceSet::MAX, |keep| keep[node]);
            self.states.read(node, keep, &mut builder);
            self.component.end_node();
        }
        for node in nodes {
            self.place[*node as usize] = OUTSIDE;
        }
        if self.component.has_edges() {
            self.found.cycles += match self.states.is_one_component() {
                true => self.component.loops(),
                false => 1,
            };
            for node in nodes {
                self.found.on_cycle[*node as usize] = true;
            }
        }
        let found = match self.problem.near {
            _ if nodes.len() > self.problem.most_nodes => Err(Unsolved::TooLarge),
            Some(Near { values, off }) => {
                let values: Vec<f64> = nodes.iter().map(|node| values[*node as usize]).collect();
                self.component.solve(Some(Near { values: &values, off }), go_on)
            }
            None => self.component.solve(None, go_on),
        };
        let solved = match found {
            Ok(solved) => solved,
            Err(Unsolved::Stopped) => return Err(SolveError::Cancelled),
            Err(Unsolved::TooLarge) => self.unproven(vec![0.5; nodes.len()]),
            Err(Unsolved::Unproven(values)) => self.unproven(values),
        };
        self.decide(nodes, solved);
        Ok(())
    }

    /// Values that are not proven: the next arithmetic starts from them.
    fn unproven(&self, values: Vec<f64>) -> Solved<N> {
        let errors = vec![[f64::INFINITY; 2]; values.len()];
        let values = values.into_iter().map(N::from_double);
        Solved { values: values.collect(), errors }
    }

    /// Records the values and best actions of a component.
    fn decide(&mut self, nodes: &[u32], solved: Solved<N>) {
        let decided = self.component.decide(&solved, self.problem.tolerance);
        let found = &mut self.found;
        for (place, node) in nodes.iter().map(|node| *node as usize).enumerate() {
            for choice in self.component.choices(place) {
                let action = 1 << self.actions[choice];
                found.may_be_best[node] |= if decided.may_be_best[choice] { action } else { 0 };
                found.best[node] |= if decided.is_best[choice] { action } else { 0 };
            }
            found.choices[node] = self.actions[decided.chosen[place] as usize];
            // Even numbers of units are short in tables; the margins have room for them.
            found.errors[node] = solved.errors[place].map(|error| 2.0 * (error / 2.0).ceil());
        }
        for (node, value) in nodes.iter().zip(solved.values) {
            found.values[*node as usize] = value;
        }
    }
}

/// The error of a whole game whose values in floats are off by more than
/// [`limits::ERROR_BOUND`](crate::limits::ERROR_BOUND).
pub(super) const UNPROVEN: SolveError =
    SolveError::Unproven("turns lower the sum of scores too often");

/// Half a unit in the last place of a double just below 1: the error of the nearest double.
pub(super) const NEAREST: f64 = UNIT / 2.0;
