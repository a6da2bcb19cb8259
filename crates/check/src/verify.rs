//! The verification of bounds that a claim brings, in one pass.
//!
//! Each state of a loop has an interval from the claim; all others follow from what their turns
//! lead to. A claimed upper end is proven if no choice of the mover leads to more than it, and
//! strictly less where it is below one half; a lower end if some choice leads to no less, and
//! strictly more where it is above one half (docs/proofs.md has the theorem). Nothing is solved
//! here, and no rounding is left to be counted: see [`bounds`](super::bounds).

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use petgraph::unionfind::UnionFind;
use rayon::prelude::*;

use hog_rules::dice::Weight;
use hog_rules::states::DiceSet;

use super::bounds::{ANYTHING, HALF, Interval, Intervals, double_above};
use super::cell::{Cell, Spot, Stage, Transitions, Workspace, rank};
use super::claim::{Claim, LoopBounds};
use super::error::{CheckError, Steps};
use super::reading::{Cycles, Reading};
use super::sweep::Swept;
use super::totals::Successor;
use super::verdict::ClaimComparison;

/// Verifies the bounds of all states, and lets the comparison compare those of the solved side with
/// the claim.
pub(super) fn verify(
    reading: &Reading,
    claim: &Claim,
    comparison: &mut ClaimComparison,
    steps: &Steps,
) -> Result<Swept<Interval>, CheckError> {
    let against = claim.against;
    let workspace = Workspace::new(reading, &Intervals, against, against.is_some());
    let sides = workspace.sides.len();
    let is_on_loop = vec![vec![false; reading.space.states()]; sides];
    let mut check = Verification {
        workspace,
        win_rates: claim.win_rates,
        bounds: claim.bounds.unwrap_or_default(),
        widened: 0,
        is_on_loop,
    };
    let loops = match reading.cycles {
        Cycles::Recurrent => check.as_one_loop(comparison, steps)?,
        _ => check.by_sums(comparison, steps)?,
    };
    if loops > 0 && claim.bounds.is_none() {
        return Err(CheckError::NoBounds);
    }
    let starts = [0, sides - 1].map(|side| check.value(side, claim.states.start()));
    Ok(Swept { starts, loops })
}

struct Verification<'a> {
    workspace: Workspace<'a, Intervals>,
    /// The claimed win rates of the solved side.
    win_rates: &'a [f64],
    bounds: LoopBounds<'a>,
    /// How far the values of higher sums may be from those claimed: bounds of loops assume that
    /// these are exact, unless dice are kept.
    widened: u128,
    /// By side and state.
    is_on_loop: Vec<Vec<bool>>,
}

/// What was found in a state.
struct Checked {
    /// The interval that is proven, if none of its ends is missed.
    interval: Interval,
    /// By how much an end is missed.
    missed: u128,
    /// The actions that may be best.
    best: DiceSet,
    /// The most by which a listed action may fall short of the best.
    shortfall: u128,
}

/// What was found, and where.
struct CheckedState {
    side: usize,
    state: usize,
    checked: Checked,
}

/// A strongly connected component.
struct StrongComponent {
    /// Sides and states.
    states: Vec<(usize, usize)>,
    /// Whether it is more than a state that does not lead to itself.
    is_loop: bool,
}

/// A state with its successors in the graph that is searched for loops.
struct GraphState {
    side: usize,
    state: usize,
    next: Vec<usize>,
}

impl Verification<'_> {
    /// The index of a state in its stage.
    fn index(&self, state: usize) -> usize {
        let space = self.workspace.reading.space;
        let cell = state / space.per_cell();
        let place = state % space.per_cell();
        rank(space.goal, cell) * space.per_cell() + place
    }

    fn value(&self, side: usize, state: usize) -> Interval {
        let space = self.workspace.reading.space;
        let sum = space.sum(state / space.per_cell());
        self.workspace.sides[side].stages[sum].values[self.index(state)]
    }

    fn set(&mut self, side: usize, state: usize, interval: Interval) {
        let space = self.workspace.reading.space;
        let sum = space.sum(state / space.per_cell());
        let index = self.index(state);
        self.workspace.sides[side].stages[sum].values[index] = interval;
    }

    /// Gives the states of a sum any value.
    fn open(&mut self, sum: usize) {
        let space = self.workspace.reading.space;
        let count = space.stage(sum).len() * space.per_cell();
        for side in &mut self.workspace.sides {
            side.stages[sum] =
                Stage { values: vec![ANYTHING; count], near: vec![0.0; count], ..Stage::default() };
        }
    }

    /// The interval that the claim gives to a state.
    fn claimed(&self, side: usize, state: usize) -> Interval {
        match self.bounds.of(self.win_rates, side, state) {
            Some((value, [below, above])) => {
                let by = if self.workspace.reading.has_menus { 0 } else { self.widened };
                Interval::around(value, below, above).widened(by)
            }
            None => ANYTHING,
        }
    }

    /// The sides, and the states of a cell.
    fn states_of(&self, cell: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let per_cell = self.workspace.reading.space.per_cell();
        let states = cell * per_cell..(cell + 1) * per_cell;
        (0..self.workspace.sides.len())
            .flat_map(move |side| states.clone().map(move |state| (side, state)))
    }

    /// Verifies a game in which turns may lower the sum: all states have bounds from the claim.
    fn as_one_loop(
        &mut self,
        comparison: &mut ClaimComparison,
        steps: &Steps,
    ) -> Result<usize, CheckError> {
        let space = self.workspace.reading.space;
        let cells: Vec<usize> = (0..space.stages()).flat_map(|sum| space.stage(sum)).collect();
        let mut first = Vec::with_capacity(space.stages());
        let mut states = 0;
        for sum in 0..space.stages() {
            first.push(states);
            states += space.stage(sum).len() * space.per_cell();
            self.open(sum);
        }
        let nodes = cells.par_iter().map(|number| {
            let cell = self.workspace.cell(*number)?;
            Ok(self
                .nodes(&cell, &|_| true, &|sum, spot| spot.side * states + first[sum] + spot.index))
        });
        let components = self.components(nodes.collect::<Result<_, CheckError>>()?);
        let loops = self.mark_loops(&components);
        for component in &components {
            for (side, state) in &component.states {
                self.set(*side, *state, self.claimed(*side, *state));
            }
        }
        for sum in (0..space.stages()).rev() {
            steps.report(space.stages() - 1 - sum)?;
            let numbers: Vec<usize> = space.stage(sum).collect();
            let found = numbers.par_iter().map(|number| {
                let cell = self.workspace.cell(*number)?;
                Ok(self.found(&cell, &|side, state| {
                    Some(self.verified(&cell, side, state, comparison))
                }))
            });
            let found: Vec<Vec<CheckedState>> = found.collect::<Result<_, CheckError>>()?;
            for found in found.iter().flatten() {
                report(comparison, found);
            }
        }
        Ok(loops)
    }

    /// What is found in the states of a cell, if anything.
    fn found(
        &self,
        cell: &Cell,
        check: &dyn Fn(usize, usize) -> Option<Checked>,
    ) -> Vec<CheckedState> {
        let mut all = Vec::new();
        for (side, state) in self.states_of(cell.number) {
            if let Some(checked) = check(side, state) {
                all.push(CheckedState { side, state, checked });
            }
        }
        all
    }

    /// Verifies a game sum by sum, from the highest.
    fn by_sums(
        &mut self,
        comparison: &mut ClaimComparison,
        steps: &Steps,
    ) -> Result<usize, CheckError> {
        let reading = self.workspace.reading;
        let mut loops = 0;
        for sum in (0..reading.space.stages()).rev() {
            loops += self.one_sum(sum, comparison)?;
            for side in &mut self.workspace.sides {
                // No turn from a lower sum reaches this one.
                if let Some(done) = side.stages.get_mut(sum + reading.most_increment.max(1)) {
                    *done = Stage::default();
                }
            }
            steps.report(reading.space.stages() - sum)?;
        }
        Ok(loops)
    }

    /// Verifies the states of one sum; returns the number of its loops.
    fn one_sum(
        &mut self,
        sum: usize,
        comparison: &mut ClaimComparison,
    ) -> Result<usize, CheckError> {
        let space = self.workspace.reading.space;
        self.open(sum);
        let all: Vec<usize> = space.stage(sum).collect();
        if !self.workspace.reading.has_menus {
            return self.some_cells(sum, &all, comparison);
        }
        // The transitions of all cells would take much memory.
        let mut loops = 0;
        for cells in self.groups(sum, &all)? {
            loops += self.some_cells(sum, &cells, comparison)?;
        }
        Ok(loops)
    }

    /// The cells of a sum in groups that turns connect.
    fn groups(&self, sum: usize, cells: &[usize]) -> Result<Vec<Vec<usize>>, CheckError> {
        let reading = self.workspace.reading;
        let mut joined = UnionFind::<usize>::new(cells.len());
        for (at, cell) in cells.iter().enumerate() {
            for (points, context) in &reading.action_set(*cell).outcomes {
                let next = match reading.successor(*cell, *points, *context)? {
                    Successor::Passed(next) | Successor::Again(next) => next as usize,
                    Successor::End(_) => continue,
                };
                if reading.space.sum(next) == sum {
                    joined.union(at, rank(reading.space.goal, next));
                }
            }
        }
        let mut groups = vec![Vec::new(); cells.len()];
        for (at, cell) in cells.iter().enumerate() {
            groups[joined.find(at)].push(*cell);
        }
        groups.retain(|group| !group.is_empty());
        Ok(groups)
    }

    /// Verifies the states of some cells of a sum, of which turns lead to no others of this sum.
    fn some_cells(
        &mut self,
        sum: usize,
        numbers: &[usize],
        comparison: &mut ClaimComparison,
    ) -> Result<usize, CheckError> {
        let space = self.workspace.reading.space;
        let cells: Vec<Cell> = numbers
            .par_iter()
            .map(|number| self.workspace.cell(*number))
            .collect::<Result<_, CheckError>>()?;
        let mut reach = self.widened;
        self.set_won(&cells);
        // First the states that lead to higher sums alone.
        let found = cells.par_iter().map(|cell| {
            self.found(cell, &|side, state| {
                let is_later = self.may_stay(cell, side, state)
                    || self.is_won(cell, side, state % space.per_cell());
                (!is_later).then(|| self.computed(cell, side, state, comparison))
            })
        });
        let found: Vec<Vec<CheckedState>> = found.collect();
        for found in found.iter().flatten() {
            self.set(found.side, found.state, found.checked.interval);
            reach = reach.max(self.reach(found));
            report(comparison, found);
        }
        self.widened = reach;
        if self.workspace.reading.cycles == Cycles::None && !self.workspace.reading.has_menus {
            return Ok(0);
        }
        self.rest_of_cells(sum, &cells, comparison)
    }

    /// Verifies the states of some cells that may lead to others of their sum, each after those
    /// that it leads to, and those that are won.
    fn rest_of_cells(
        &mut self,
        sum: usize,
        cells: &[Cell],
        comparison: &mut ClaimComparison,
    ) -> Result<usize, CheckError> {
        let space = self.workspace.reading.space;
        let per_cell = space.per_cell();
        let mut reach = self.widened;
        let count = cells.len() * per_cell;
        let first = rank(space.goal, cells[0].number);
        let mut place_of = vec![0; rank(space.goal, cells[cells.len() - 1].number) - first + 1];
        for (place, cell) in cells.iter().enumerate() {
            place_of[rank(space.goal, cell.number) - first] = place;
        }
        let mut nodes = Vec::with_capacity(cells.len());
        for cell in cells {
            nodes.push(self.nodes(cell, &|next| next == sum, &|_, spot| {
                let place = place_of[spot.index / per_cell - first];
                spot.side * count + place * per_cell + spot.index % per_cell
            }));
        }
        let components = self.components(nodes);
        let loops = self.mark_loops(&components);
        for component in components.iter().filter(|component| component.is_loop) {
            for (side, state) in &component.states {
                self.set(*side, *state, self.claimed(*side, *state));
            }
        }
        for component in components.iter().filter(|component| !component.is_loop) {
            let (side, state) = component.states[0];
            let cell = &cells[place_of[rank(space.goal, state / per_cell) - first]];
            if self.may_stay(cell, side, state) {
                let checked = self.computed(cell, side, state, comparison);
                self.set(side, state, checked.interval);
                let found = CheckedState { side, state, checked };
                reach = reach.max(self.reach(&found));
                report(comparison, &found);
            }
        }
        for found in self.on_loops_and_won(cells, comparison).iter().flatten() {
            reach = reach.max(self.reach(found));
            report(comparison, found);
        }
        self.widened = reach;
        Ok(loops)
    }

    /// Verifies the states of some cells that are on loops, and those that are won.
    fn on_loops_and_won(
        &self,
        cells: &[Cell],
        comparison: &ClaimComparison,
    ) -> Vec<Vec<CheckedState>> {
        let on_loops = cells.par_iter().map(|cell| {
            self.found(cell, &|side, state| {
                let is_on_loop = self.is_on_loop[side][state];
                is_on_loop.then(|| self.verified(cell, side, state, comparison))
            })
        });
        let mut found: Vec<Vec<CheckedState>> = on_loops.collect();
        if self.workspace.reading.has_menus {
            // Of states that are won at once, only the best actions are left to be seen.
            let per_cell = self.workspace.reading.space.per_cell();
            let won = cells.par_iter().map(|cell| {
                self.found(cell, &|side, state| {
                    let is_won = self.is_won(cell, side, state % per_cell);
                    is_won.then(|| self.computed(cell, side, state, comparison))
                })
            });
            found.extend(won.collect::<Vec<_>>());
        }
        found
    }

    /// Gives the states that are won at once their value.
    fn set_won(&mut self, cells: &[Cell]) {
        if !self.workspace.reading.has_menus {
            return;
        }
        let per_cell = self.workspace.reading.space.per_cell();
        for cell in cells {
            for (side, state) in self.states_of(cell.number) {
                if self.is_won(cell, side, state % per_cell) {
                    self.set(side, state, Interval { low: ANYTHING.high, high: ANYTHING.high });
                }
            }
        }
    }

    /// How far a state may be from its claimed value.
    fn reach(&self, found: &CheckedState) -> u128 {
        let claimed = self.bounds.of(self.win_rates, found.side, found.state);
        claimed.map_or(0, |(value, _)| found.checked.interval.reach(value))
    }

    /// Whether a turn from a state may leave the sum as it is.
    fn may_stay(&self, cell: &Cell, side: usize, state: usize) -> bool {
        let place = state % self.workspace.reading.space.per_cell();
        let distributions = self.workspace.distributions(side, cell, place);
        !self.is_won(cell, side, place)
            && distributions
                .iter()
                .any(|(_, distribution)| cell.transitions[*distribution].may_stay)
    }

    /// Whether an action is a certain win, where dice are kept: then no loop matters.
    fn is_won(&self, cell: &Cell, side: usize, place: usize) -> bool {
        if !self.workspace.reading.has_menus {
            return false;
        }
        self.workspace.distributions(side, cell, place).iter().any(|(_, distribution)| {
            let transitions = &cell.transitions[*distribution];
            transitions.halves == 2 * transitions.total
        })
    }

    /// The states of a cell with their successors among the sums that `is_inside` names; `node`
    /// numbers states.
    fn nodes(
        &self,
        cell: &Cell,
        is_inside: &dyn Fn(usize) -> bool,
        node: &(dyn Fn(usize, Spot) -> usize + Sync),
    ) -> Vec<GraphState> {
        let workspace = &self.workspace;
        let per_cell = workspace.reading.space.per_cell();
        let mut nodes = Vec::new();
        for (side, state) in self.states_of(cell.number) {
            let place = state % per_cell;
            let mut next = Vec::new();
            for (_, distribution) in workspace.distributions(side, cell, place) {
                if self.is_won(cell, side, place) {
                    break;
                }
                let theirs = workspace.theirs(place);
                let transitions = &cell.transitions[distribution];
                for transition in workspace.reached(side, transitions, theirs).iter() {
                    if is_inside(transition.sum) {
                        let spot = workspace.spot(side, transition, theirs);
                        next.push(node(transition.sum, spot));
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            nodes.push(GraphState { side, state, next });
        }
        nodes
    }

    /// The strongly connected components of a graph, successors first. Nodes are numbered by side,
    /// then in the order of `nodes`.
    fn components(&self, nodes: Vec<Vec<GraphState>>) -> Vec<StrongComponent> {
        let mut all: Vec<GraphState> = nodes.into_iter().flatten().collect();
        all.sort_by_key(|node| node.side);
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(all.len(), all.len());
        let numbers: Vec<_> = all.iter().map(|_| graph.add_node(())).collect();
        for (from, node) in numbers.iter().zip(&all) {
            for to in &node.next {
                graph.add_edge(*from, numbers[*to], ());
            }
        }
        let mut components = Vec::new();
        for members in kosaraju_scc(&graph) {
            let is_loop = members.len() > 1 || graph.contains_edge(members[0], members[0]);
            let mut states = Vec::with_capacity(members.len());
            for member in members {
                let node = &all[member.index()];
                states.push((node.side, node.state));
            }
            components.push(StrongComponent { states, is_loop });
        }
        components
    }

    /// Marks the states on loops; returns the number of loops.
    fn mark_loops(&mut self, components: &[StrongComponent]) -> usize {
        let mut loops = 0;
        for component in components.iter().filter(|component| component.is_loop) {
            loops += 1;
            for (side, state) in &component.states {
                self.is_on_loop[*side][*state] = true;
            }
        }
        loops
    }

    /// Whether a turn always leads to the state itself, whoever moves there then. Its value is that
    /// of play that never ends (docs/proofs.md).
    fn only_stays(&self, side: usize, state: usize, transitions: &Transitions) -> bool {
        let per_cell = self.workspace.reading.space.per_cell();
        let theirs = self.workspace.theirs(state % per_cell);
        let sum = self.workspace.reading.space.sum(state / per_cell);
        let own = Spot { side, index: self.index(state) };
        let mut weight: Weight = 0;
        for transition in &transitions.continuing {
            if transition.sum != sum || self.workspace.spot(side, transition, theirs) != own {
                return false;
            }
            weight += transition.weight;
        }
        weight == transitions.total
    }

    /// What the choices of a state lead to.
    fn computed(
        &self,
        cell: &Cell,
        side: usize,
        state: usize,
        comparison: &ClaimComparison,
    ) -> Checked {
        let workspace = &self.workspace;
        let place = state % workspace.reading.space.per_cell();
        let theirs = workspace.theirs(place);
        let listed = if side == 0 { comparison.claimed(state) } else { 0 };
        let mut means = Vec::new();
        let mut interval = Interval { low: 0, high: 0 };
        for (actions, distribution) in workspace.distributions(side, cell, place) {
            let transitions = &cell.transitions[distribution];
            let mean = match self.only_stays(side, state, transitions) {
                true => Interval { low: HALF, high: HALF },
                false => workspace.exact(side, cell.sum, transitions, theirs),
            };
            interval.low = interval.low.max(mean.low);
            interval.high = interval.high.max(mean.high);
            means.push((actions, mean));
        }
        let mut found = Checked { interval, missed: 0, best: 0, shortfall: 0 };
        for (actions, mean) in means {
            found.best |= if mean.high >= interval.low { actions } else { 0 };
            if actions & listed != 0 {
                found.shortfall = found.shortfall.max(interval.high.saturating_sub(mean.low));
            }
        }
        found
    }

    /// Holds the bounds of a state against what its choices lead to.
    fn verified(
        &self,
        cell: &Cell,
        side: usize,
        state: usize,
        comparison: &ClaimComparison,
    ) -> Checked {
        let found = self.computed(cell, side, state, comparison);
        let own = self.value(side, state);
        // Play that never ends must not be better than a bound, on whose side it stays.
        let is_on_loop = self.is_on_loop[side][state];
        let most = own.high.saturating_sub(u128::from(is_on_loop && own.high < HALF));
        let least = own.low + u128::from(is_on_loop && own.low > HALF);
        // Nothing is worth more than a certain win, or less than a certain loss.
        let above =
            if own.high == ANYTHING.high { 0 } else { found.interval.high.saturating_sub(most) };
        let below =
            if own.low == ANYTHING.low { 0 } else { least.saturating_sub(found.interval.low) };
        Checked { interval: own, missed: above.max(below), ..found }
    }
}

/// Compares what was found with the claim.
fn report(comparison: &mut ClaimComparison, found: &CheckedState) {
    let CheckedState { side, state, checked } = found;
    comparison.bounds(*side, *state, checked.interval, checked.missed);
    if *side == 0 {
        comparison.rolls(*state, checked.best, double_above(checked.shortfall));
    }
}
