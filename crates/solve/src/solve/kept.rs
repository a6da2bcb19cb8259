//! Games in which the mover chooses after the roll which dice to keep.
//!
//! Stages are solved from the highest down, as in `backward`. In a stage, the cells that turns
//! connect are one component: a turn of several rolls passes through many states of a cell, and a
//! roll without dice to keep leads to the opponent's. In the descending order of their memories
//! most states come after those that they lead to, so few sweeps suffice. States whose mover can
//! win at once are known beforehand.

use dashu_ratio::RBig;
use petgraph::unionfind::UnionFind;
use rayon::prelude::*;

use crate::component::{Near, Tolerance};
use crate::game::{DiceSet, Distribution, End, Game, Order, Outcome, StateParts, Successor, taken};
use crate::limits;
use crate::linear::{Number, UNIT};

use super::graph::{self, ComponentBuilder, Digits, GraphProblem, StateGraph, TurnGraph};
use super::stage_solver::{Decider, Payoff, Side};
use super::{Bounds, Method, RunResult, SolveError, Values, Watch, rows};

/// The memory to solve a game, in bytes: values, best actions and choices of all states, the bounds
/// of loops, and the component that is being solved.
pub(super) fn bytes(game: &Game, sides: usize) -> u64 {
    let cells = if game.order() == Order::Recurrent { game.space().goal.pow(2) } else { 2 };
    let menus = game.distributions().iter().map(|distribution| distribution.outcomes.len()).max();
    let component = cells * game.space().per_cell() * (menus.unwrap_or(0) * 8 + 256);
    (sides * (game.space().states() * 37 + component)) as u64
}

/// Solves a game whose distributions have menus, in the first of some arithmetics that is accurate
/// enough; the last one may be that of fractions. Then the exact values of the requested states are
/// returned, too.
///
/// # Errors
/// Returns an error if `watch` cancels the work, a plan does not say which dice it keeps, or values
/// cannot be proven.
pub(super) fn solve(
    game: &Game,
    payoff: Payoff,
    sides: &[Side],
    digits: &[Digits],
    requested: &[usize],
    watch: &Watch,
) -> Result<RunResult, SolveError> {
    for side in sides {
        if let Decider::Fixed(plan) = side.decider
            && plan.worth().is_none()
        {
            return Err(SolveError::Unproven("a strategy does not say which dice it keeps"));
        }
    }
    watch.admit(bytes(game, sides.len()), "lower the goal, the dice or the memories' max")?;
    let is_exact = digits.contains(&Digits::Fractions) && digits.len() == 2;
    let mut pass = KeptPass::new(game, payoff, sides, digits, is_exact);
    let space = game.space();
    if game.order() == Order::Recurrent {
        let all: Vec<usize> = (0..space.goal * space.goal).collect();
        pass.solve_cells(&all, vec![all.clone()], &|| watch.step(0, 1))?;
        return pass.finish(requested);
    }
    for stage in (0..space.stages()).rev() {
        let done = space.stages() - 1 - stage;
        watch.report(done, space.stages())?;
        let cells: Vec<usize> = space.stage(stage).collect();
        let groups = pass.groups(stage, &cells);
        pass.solve_cells(&cells, groups, &|| watch.step(done, space.stages()))?;
    }
    watch.report(1, 1)?;
    pass.finish(requested)
}

struct KeptPass<'p> {
    game: &'p Game,
    payoff: Payoff,
    sides: &'p [Side<'p>],
    digits: &'p [Digits],
    values: Vec<Values>,
    fractions: Option<Vec<Vec<RBig>>>,
    /// By action set: the outcomes that may lead to the same stage, each place once.
    staying: Vec<Vec<Outcome>>,
    cycles: usize,
    /// By side and cell: a bound on the errors of its values, 0 as long as these are not known.
    errors: Vec<f64>,
    /// The largest of these.
    error: f64,
    /// By side and state: how far the true value may be below, or no number if it has no bounds.
    below: Vec<f64>,
    /// How far it may be above.
    above: Vec<f64>,
    has_bounds: bool,
}

impl<'p> KeptPass<'p> {
    fn new(
        game: &'p Game,
        payoff: Payoff,
        sides: &'p [Side<'p>],
        digits: &'p [Digits],
        is_exact: bool,
    ) -> Self {
        let states = game.space().states();
        let none = Values {
            win_rates: vec![0.0; states],
            best: vec![0; states],
            choices: vec![0; states],
        };
        let fractions = vec![vec![RBig::ZERO; if is_exact { states } else { 0 }]; sides.len()];
        let mut staying = Vec::with_capacity(game.action_sets().len());
        for set in game.action_sets() {
            let mut found: Vec<Outcome> = Vec::new();
            for number in set.distinct() {
                found.extend(&game.distributions()[number as usize].non_increasing);
            }
            game.keep_one_of_alike(&mut found);
            staying.push(found);
        }
        Self {
            game,
            payoff,
            sides,
            digits,
            values: vec![none; sides.len()],
            fractions: is_exact.then_some(fractions),
            staying,
            cycles: 0,
            errors: vec![0.0; sides.len() * game.space().goal.pow(2)],
            error: 0.0,
            below: vec![f64::NAN; states * sides.len()],
            above: vec![f64::NAN; states * sides.len()],
            has_bounds: true,
        }
    }

    /// The cells of a stage in groups that turns connect.
    fn groups(&self, stage: usize, cells: &[usize]) -> Vec<Vec<usize>> {
        let space = self.game.space();
        let first = (stage + 1).saturating_sub(space.goal);
        let mut joined = UnionFind::<usize>::new(cells.len());
        for (at, cell) in cells.iter().enumerate() {
            let (score, opponent) = space.scores(*cell);
            for outcome in &self.staying[self.game.action_set_number(*cell)] {
                let next = self.game.next(score, opponent, 0, outcome);
                if let Successor::Next { to, .. } = next
                    && to.score + to.opponent == stage
                {
                    joined.union(at, to.score - first);
                }
            }
        }
        let mut groups = vec![Vec::new(); cells.len()];
        for (at, cell) in cells.iter().enumerate() {
            groups[joined.find(at)].push(*cell);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// Solves all states of some cells: first those of turns that go on, group by group, then those
    /// whose mover can win at once, of which only the best actions are not known yet.
    fn solve_cells(
        &mut self,
        cells: &[usize],
        groups: Vec<Vec<usize>>,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), SolveError> {
        let won: Vec<Vec<SideState>> = cells.par_iter().map(|cell| self.won(*cell)).collect();
        for SideState { side, state } in won.iter().flatten() {
            self.values[*side].win_rates[*state] = 1.0;
            if let Some(fractions) = &mut self.fractions {
                fractions[*side][*state] = RBig::ONE;
            }
        }
        let groups = groups.into_par_iter();
        let solved: Vec<SolvedGroup> = groups
            .map(|cells| CellGroup::of_cells(self, cells).solve(go_on))
            .collect::<Result<_, SolveError>>()?;
        for group in solved {
            self.write_errors(&group);
            self.write(group);
        }
        let won = won.into_par_iter();
        let decided: Vec<SolvedGroup> = won
            .map(|nodes| CellGroup::of_known(self, nodes).solve(go_on))
            .collect::<Result<_, SolveError>>()?;
        decided.into_iter().for_each(|group| self.write(group));
        Ok(())
    }

    /// The states of a cell whose mover can win at once with certainty.
    fn won(&self, cell: usize) -> Vec<SideState> {
        let mut won = Vec::new();
        if self.payoff == Payoff::Endless {
            return won;
        }
        let per_cell = self.game.space().per_cell();
        for (side, of_side) in self.sides.iter().enumerate() {
            if !matches!(of_side.decider, Decider::Best) {
                continue;
            }
            for state in cell * per_cell..(cell + 1) * per_cell {
                let wins = self.game.actions(state).iter().any(|number| {
                    let distribution = &self.game.distributions()[*number as usize];
                    matches!(&distribution.outcomes[..], [only]
                        if self.game.successor(state, only) == Successor::End(End::Won))
                });
                if wins {
                    won.push(SideState { side, state });
                }
            }
        }
        won
    }

    /// Records how far the values of a group may be off.
    fn write_errors(&mut self, group: &SolvedGroup) {
        self.error = self.error.max(group.solved.error);
        for (at, SideState { side, state }) in group.nodes.iter().enumerate() {
            let bounds = group.solved.bounds.as_ref().map(|bounds| bounds[at]);
            let error = bounds.map_or(group.solved.error, |[below, above]| below.max(above));
            let place = self.place_of_error(*side, *state);
            self.errors[place] = self.errors[place].max(error);
        }
    }

    fn place_of_error(&self, side: usize, state: usize) -> usize {
        let space = self.game.space();
        side * space.goal.pow(2) + state / space.per_cell()
    }

    fn write(&mut self, group: SolvedGroup) {
        let SolvedGroup { nodes, solved } = group;
        let states = self.game.space().states();
        self.cycles += solved.cycles;
        match solved.bounds_on_cycles() {
            Some(bounds) => {
                for (node, [below, above]) in bounds {
                    let SideState { side, state } = nodes[node as usize];
                    self.below[side * states + state] = below;
                    self.above[side * states + state] = above;
                }
            }
            None => self.has_bounds = false,
        }
        for (at, SideState { side, state }) in nodes.into_iter().enumerate() {
            let best = self.with_equals(state, solved.best[at]);
            let values = &mut self.values[side];
            values.win_rates[state] = solved.values[at];
            values.best[state] = best;
            values.choices[state] = solved.choices[at];
            if let Some(all) = &mut self.fractions
                && let Some(of_group) = &solved.fractions
            {
                all[side][state] = of_group[at].clone();
            }
        }
    }

    /// Adds to a set of actions those that roll the same.
    fn with_equals(&self, state: usize, set: DiceSet) -> DiceSet {
        let rolls = self.game.actions(state);
        let mut all = set;
        for (action, roll) in rolls.iter().enumerate() {
            if (0..rolls.len()).any(|other| set >> other & 1 == 1 && rolls[other] == *roll) {
                all |= 1 << action;
            }
        }
        all
    }

    fn finish(self, requested: &[usize]) -> Result<RunResult, SolveError> {
        if self.error > limits::ERROR_BOUND {
            return Err(graph::UNPROVEN);
        }
        let mut bounds = Bounds { states: Vec::new(), below: self.below, above: self.above };
        for (state, below) in (0..).zip(&bounds.below) {
            if !below.is_nan() {
                bounds.states.push(state);
            }
        }
        bounds.below.retain(|below| !below.is_nan());
        bounds.above.retain(|above| !above.is_nan());
        let is_exact = self.fractions.is_some();
        let fractions = self.fractions.map(|sides| {
            let sides = sides.iter();
            sides.map(|side| requested.iter().map(|state| side[*state].clone()).collect()).collect()
        });
        Ok(RunResult {
            method: if is_exact { Method::Rationals } else { Method::Graph },
            values: self.values,
            fractions,
            cycles: self.cycles,
            error_bound: if is_exact { graph::NEAREST } else { self.error.max(UNIT) },
            bounds: (self.has_bounds && !bounds.states.is_empty()).then_some(bounds),
        })
    }
}

/// A state of a side.
#[derive(Clone, Copy)]
struct SideState {
    side: usize,
    state: usize,
}

struct SolvedGroup {
    nodes: Vec<SideState>,
    solved: graph::SolvedStates,
}

/// States that are solved together; all others that their turns lead to are known.
struct CellGroup<'g> {
    pass: &'g KeptPass<'g>,
    nodes: Vec<SideState>,
    /// The cells of the group, ascending; none if all states are known.
    cells: Vec<usize>,
    /// By index of the cell, side and state in the cell: the node, or [`OUTSIDE`].
    node_of: Vec<u32>,
}

const OUTSIDE: u32 = u32::MAX;

/// Where an outcome leads.
#[derive(Clone, Copy)]
enum Destination {
    End(End),
    Node { node: usize, again: bool },
    Known { side: usize, state: usize, again: bool },
}

impl<'g> CellGroup<'g> {
    /// The states of some cells that are not known yet.
    fn of_cells(pass: &'g KeptPass<'g>, cells: Vec<usize>) -> Self {
        let space = pass.game.space();
        let per_cell = space.per_cell();
        let mut node_of = vec![OUTSIDE; cells.len() * pass.sides.len() * per_cell];
        let mut nodes = Vec::with_capacity(node_of.len());
        for (index, cell) in cells.iter().enumerate() {
            for side in 0..pass.sides.len() {
                let is_best = matches!(pass.sides[side].decider, Decider::Best);
                for place in (0..per_cell).rev() {
                    let state = cell * per_cell + place;
                    // Only states that are won at once have a value already.
                    if is_best && pass.values[side].win_rates[state] == 1.0 {
                        continue;
                    }
                    node_of[(index * pass.sides.len() + side) * per_cell + place] =
                        nodes.len() as u32;
                    nodes.push(SideState { side, state });
                }
            }
        }
        Self { pass, nodes, cells, node_of }
    }

    /// States whose turns lead to states that are all known.
    fn of_known(pass: &'g KeptPass<'g>, nodes: Vec<SideState>) -> Self {
        Self { pass, nodes, cells: Vec::new(), node_of: Vec::new() }
    }

    /// Values to start from: those of cells with one and two more points, extrapolated, where these
    /// are known. With more points of the mover's own other turns win at once, so the opponent's
    /// are raised.
    fn near(&self) -> Option<Vec<f64>> {
        let space = self.pass.game.space();
        let has_stages = self.pass.game.order() != Order::Recurrent;
        if !has_stages || self.cells.is_empty() || self.pass.payoff == Payoff::Endless {
            return None;
        }
        let mut near = Vec::with_capacity(self.nodes.len());
        for SideState { side, state } in &self.nodes {
            let (score, opponent) = space.scores(state / space.per_cell());
            let known = &self.pass.values[*side].win_rates;
            let is_last = opponent + 1 == space.goal;
            let missing = space.goal - if is_last { score } else { opponent };
            let step = space.per_cell() * if is_last { space.goal } else { 1 };
            near.push(match missing {
                1 => return None,
                2 => known[state + step],
                _ => (2.0 * known[state + step] - known[state + 2 * step]).clamp(0.0, 1.0),
            });
        }
        Some(near)
    }

    fn solve(self, go_on: &(dyn Fn() -> bool + Sync)) -> Result<SolvedGroup, SolveError> {
        let near = self.near();
        let tolerance = Tolerance { tie: 0.0, equal: rows::EQUAL };
        let problem = GraphProblem::new(self.pass.payoff, tolerance);
        let near = near.as_deref().map(|values| Near { values, off: f64::INFINITY });
        let problem = GraphProblem { near, ..problem };
        let is_exact = self.pass.fractions.is_some();
        let enough = self.pass.error + limits::LOOP_ERROR;
        let solved = graph::solve(
            &self,
            self.pass.digits,
            problem,
            |found| !is_exact && found.error <= enough,
            &|_| go_on(),
        )?;
        Ok(SolvedGroup { nodes: self.nodes, solved })
    }

    fn target(&self, node: SideState, parts: StateParts, outcome: &Outcome) -> Destination {
        let game = self.pass.game;
        let side = &self.pass.sides[node.side];
        match game.next(parts.score, parts.opponent, parts.memories.theirs, outcome) {
            Successor::End(end) => Destination::End(end),
            Successor::Next { to, again } => {
                let space = game.space();
                let side = if again { side.own } else { side.other };
                let state = to.state(&space);
                let cell = to.score * space.goal + to.opponent;
                let Ok(index) = self.cells.binary_search(&cell) else {
                    return Destination::Known { side, state, again };
                };
                let place = state - cell * space.per_cell();
                let at = index * self.pass.sides.len() + side;
                match self.node_of[at * space.per_cell() + place] {
                    OUTSIDE => Destination::Known { side, state, again },
                    node => Destination::Node { node: node as usize, again },
                }
            }
        }
    }

    /// Whether an action is worse than a certain win, as an outcome that cannot be chosen is.
    fn may_not_win(&self, node: SideState, distribution: &Distribution) -> bool {
        let parts = StateParts::of(node.state, &self.pass.game.space());
        let mut certain = distribution.outcomes.iter().filter(|outcome| outcome.weight > 0);
        certain.any(|outcome| {
            let value = match self.target(node, parts, outcome) {
                Destination::End(end) => 1.0 - end.value_to_opponent(),
                Destination::Known { side, state, again } => {
                    let value = self.pass.values[side].win_rates[state];
                    if again { value } else { 1.0 - value }
                }
                Destination::Node { .. } => 1.0,
            };
            (1.0 - value) * distribution.chance(outcome) > CERTAINLY_WORSE
        })
    }

    fn value<N: Number>(&self, side: usize, state: usize) -> N {
        match &self.pass.fractions {
            Some(fractions) => N::from_fraction(&fractions[side][state]),
            None => N::from_double(self.pass.values[side].win_rates[state]),
        }
    }

    /// A bound on the error of a known value, in units.
    fn error<N: Number>(&self, side: usize, state: usize) -> f64 {
        match N::IS_EXACT {
            true => 0.0,
            false => {
                let error = self.pass.errors[self.pass.place_of_error(side, state)];
                error / N::units(1.0).to_double()
            }
        }
    }

    fn outcome<N: Number>(
        &self,
        target: Destination,
        weight: u128,
        builder: &mut ComponentBuilder<N>,
    ) {
        match target {
            Destination::End(end) => builder.end(weight, end.halves_to_opponent()),
            Destination::Node { node, again } => builder.lead(node, weight, again),
            Destination::Known { side, state, again } => {
                let value = self.value(side, state);
                let error = self.error::<N>(side, state);
                builder.leave(&value, error, weight, again);
            }
        }
    }

    fn add_target<N: Number>(&self, target: Destination, builder: &mut ComponentBuilder<N>) {
        match target {
            Destination::End(end) => {
                let halves = 2 - end.halves_to_opponent();
                builder.target(&N::ratio(halves.into(), 2), 0.0, true);
            }
            Destination::Node { node, again } => builder.target_node(node, again),
            Destination::Known { side, state, again } => {
                let value = self.value(side, state);
                let error = self.error::<N>(side, state);
                builder.target(&value, error, again);
            }
        }
    }

    fn read_action<N: Number>(
        &self,
        node: SideState,
        distribution: &Distribution,
        builder: &mut ComponentBuilder<N>,
    ) {
        let parts = StateParts::of(node.state, &self.pass.game.space());
        let mut targets = Vec::with_capacity(distribution.outcomes.len());
        for outcome in &distribution.outcomes {
            let target = self.target(node, parts, outcome);
            targets.push(target);
            if outcome.weight > 0 {
                self.outcome(target, outcome.weight, builder);
            }
        }
        if distribution.menus.is_empty() {
            return;
        }
        if let Decider::Fixed(plan) = self.pass.sides[node.side].decider {
            let outcomes = self.pass.game.kept_outcomes(plan, node.state, distribution);
            for (weight, options) in distribution.menus.iter() {
                self.outcome(targets[taken(options, &outcomes)], weight, builder);
            }
            return;
        }
        builder.begin_menus(&distribution.menus);
        for target in targets {
            self.add_target(target, builder);
        }
    }
}

/// Far more than values in doubles are off.
const CERTAINLY_WORSE: f64 = 1e-5;

impl StateGraph for CellGroup<'_> {
    fn count(&self) -> usize {
        self.nodes.len()
    }

    fn append_targets(&self, _: usize, _: &mut Vec<u32>) {
        unreachable!("all nodes are one component");
    }

    fn is_one_component(&self) -> bool {
        true
    }
}

impl<N: Number> TurnGraph<N> for CellGroup<'_> {
    fn read(&self, node: usize, keep: DiceSet, builder: &mut ComponentBuilder<N>) {
        let node = self.nodes[node];
        let game = self.pass.game;
        let rolls = game.actions(node.state);
        let decider = self.pass.sides[node.side].decider;
        for action in decider.actions(node.state, rolls.len()) {
            let is_fixed = matches!(decider, Decider::Fixed(_));
            // Of actions that roll the same, the first is read.
            let is_known = rolls[..action].contains(&rolls[action]);
            if !is_fixed && (is_known || keep >> action & 1 == 0) {
                continue;
            }
            let distribution = &game.distributions()[rolls[action] as usize];
            if self.cells.is_empty() && self.may_not_win(node, distribution) {
                continue;
            }
            builder.begin(action, distribution.total);
            self.read_action(node, distribution, builder);
            builder.finish();
        }
    }
}
