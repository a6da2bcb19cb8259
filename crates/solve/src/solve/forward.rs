//! The forward pass: how often each state is reached when two fixed policies play each other.
//!
//! Turns usually raise the sum of the scores, so the stages are processed upward, each as a
//! *level*; where turns may lower the sum, all states are one level. In a level the strongly
//! connected components are solved in the order of play, as Markov chains ([`System`]); then all
//! visits are carried to later levels. No operation subtracts, so every number is accurate relative
//! to its own size, however small.

use crate::dice::{Weight, double_of};
use crate::game::{End, Game, Order, Plan, Successor};
use crate::linear::{Chain, System, UnsolvedSystem, each_component};

use super::{SolveError, Watch};

/// The expected visits and results of one game between two fixed policies.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// By side to move, then by state as its mover sees it: the expected number of visits in a
    /// game. In loops that are never left, only the states in which games enter are counted,
    /// once.
    pub visits: [Vec<f64>; 2],
    /// The states in which games enter loops that are never left: the side to move, the state, and
    /// the probability. Where turns may lower the sum, those from which games can no longer end.
    pub endless: Vec<(usize, usize, f64)>,
    /// The probability that the first side wins.
    pub won: f64,
    /// The probability of a tie.
    pub tied: f64,
}

/// Computes the expected visits of states between `plans[0]` and `plans[1]`; `start` are the
/// probabilities that each moves first. A game is broken off in a state for which `stops` is true,
/// given the side to move and the state.
///
/// # Errors
/// Returns an error if `watch` cancels the work, or a loop of states is too large to solve.
pub fn reach(
    game: &Game,
    plans: [&Plan; 2],
    start: [f64; 2],
    stops: &dyn Fn(usize, usize) -> bool,
    watch: &Watch,
) -> Result<Reach, SolveError> {
    let space = game.space();
    let of_states = [0, 1].map(|_| vec![0.0; space.states()]);
    let cyclic = if game.order() == Order::Acyclic { 0 } else { space.states() };
    let node_of = [0, 1].map(|_| vec![NONE; cyclic]);
    let ends = match game.order() {
        Order::Recurrent => {
            Some(game.may_end(plans, &|| watch.step(0, 1)).ok_or(SolveError::Cancelled)?)
        }
        _ => None,
    };
    let never = |side: usize, state: usize| ends.as_ref().is_some_and(|ends| !ends[side][state]);
    let stops = &|side: usize, state: usize| never(side, state) || stops(side, state);
    let mut pass = ForwardPass {
        game,
        plans,
        stops,
        visits: of_states,
        ended: [[0.0; 3]; 2],
        endless: Vec::new(),
        node_of,
    };
    for (visits, chance) in pass.visits.iter_mut().zip(start) {
        visits[game.start()] = chance;
    }
    let levels = if game.order() == Order::Recurrent { 1 } else { space.stages() };
    for level in 0..levels {
        watch.report(level, levels)?;
        if game.order() != Order::Acyclic {
            pass.solve(level, watch)?;
        }
        pass.propagate(level);
    }
    watch.report(levels, levels)?;
    for side in 0..2 {
        for (state, visits) in pass.visits[side].iter().enumerate() {
            if *visits > 0.0 && never(side, state) {
                pass.endless.push((side, state, *visits));
            }
        }
    }
    let [first, second] = &pass.ended;
    let won = first[End::Won as usize] + second[End::Lost as usize];
    let tied = first[End::Tied as usize] + second[End::Tied as usize];
    Ok(Reach { won, tied, visits: pass.visits, endless: pass.endless })
}

/// The side that moves after a turn of `side`.
fn next_side(side: usize, again: bool) -> usize {
    if again { side } else { 1 - side }
}

/// Marks a state that is not a node, or a node that is not in the component.
const NONE: usize = usize::MAX;

struct ForwardPass<'g> {
    game: &'g Game,
    plans: [&'g Plan; 2],
    stops: &'g dyn Fn(usize, usize) -> bool,
    visits: [Vec<f64>; 2],
    /// By the side that has just moved, and end.
    ended: [[f64; 3]; 2],
    endless: Vec<(usize, usize, f64)>,
    /// By side and state: a buffer, all [`NONE`]; empty if turns always raise the sum.
    node_of: [Vec<usize>; 2],
}

/// The states of a level that are reached, including those reached only from within it.
struct ReachedLevel {
    /// Side and state.
    nodes: Vec<(usize, usize)>,
    /// By node: its successors within the level, with the weights.
    next: Vec<Vec<(usize, Weight)>>,
    /// By node: the weight of the outcomes that leave the level, and the sum of all weights.
    leaving: Vec<(Weight, Weight)>,
}

impl ForwardPass<'_> {
    /// Whether a state belongs to a level.
    fn is_in(&self, level: usize, state: usize) -> bool {
        let space = self.game.space();
        self.game.order() == Order::Recurrent || space.sum(state / space.per_cell()) == level
    }

    /// The states of a level.
    fn states(&self, level: usize) -> impl Iterator<Item = usize> + use<> {
        let space = self.game.space();
        let stages = match self.game.order() {
            Order::Recurrent => 0..space.stages(),
            _ => level..level + 1,
        };
        let cells: Vec<usize> = stages.flat_map(|stage| space.stage(stage)).collect();
        let per_cell = space.per_cell();
        cells.into_iter().flat_map(move |cell| cell * per_cell..(cell + 1) * per_cell)
    }

    /// Computes the visits of the states of a level, given those that enter it from earlier ones.
    fn solve(&mut self, level: usize, watch: &Watch) -> Result<(), SolveError> {
        let found = self.find(level);
        let mut components: Vec<Vec<u32>> = Vec::new();
        each_component(
            found.nodes.len(),
            &|node, targets| targets.extend(found.next[node].iter().map(|(to, _)| *to as u32)),
            &mut |nodes| {
                components.push(nodes.to_vec());
                Ok::<(), SolveError>(())
            },
        )?;
        let mut place = vec![NONE; found.nodes.len()];
        // In the order of play.
        for component in components.iter().rev() {
            watch.report(0, 1)?;
            for (index, node) in component.iter().enumerate() {
                place[*node as usize] = index;
            }
            self.solve_component(&found, component, &place, watch)?;
            for node in component {
                place[*node as usize] = NONE;
            }
        }
        Ok(())
    }

    /// Computes the visits of a component, and carries them to what follows it in its level. If
    /// play never leaves it, only the entering visits are kept.
    fn solve_component(
        &mut self,
        level: &ReachedLevel,
        component: &[u32],
        place: &[usize],
        watch: &Watch,
    ) -> Result<(), SolveError> {
        let mut chain = Chain::with_room(component.len(), 4 * component.len());
        let mut entries = Vec::with_capacity(component.len());
        for node in component.iter().map(|node| *node as usize) {
            let (mut outside, total) = level.leaving[node];
            for (to, weight) in &level.next[node] {
                match place[*to] {
                    NONE => outside += weight,
                    to => chain.push(to, double_of(*weight) / double_of(total)),
                }
            }
            chain.end_state(double_of(outside) / double_of(total));
            let (side, state) = level.nodes[node];
            entries.push(self.visits[side][state]);
        }
        if chain.exit.iter().all(|chance| *chance == 0.0) {
            for (node, entries) in component.iter().zip(entries).filter(|(_, of)| *of > 0.0) {
                let (side, state) = level.nodes[*node as usize];
                self.endless.push((side, state, entries));
            }
            return Ok(());
        }
        let visits = match component.len() {
            1 => vec![entries[0] / (chain.exit[0])],
            states => System::new(chain, None, &|| watch.step(0, 1))
                .map_err(|unsolved| match unsolved {
                    UnsolvedSystem::Stopped => SolveError::Cancelled,
                    UnsolvedSystem::TooLarge => {
                        SolveError::TooMuch(format!("a loop of {states} states has too many paths"))
                    }
                })?
                .visits(&entries),
        };
        for (node, visits) in component.iter().map(|node| *node as usize).zip(visits) {
            let (side, state) = level.nodes[node];
            self.visits[side][state] = visits;
            let each = visits / double_of(level.leaving[node].1);
            for (to, weight) in level.next[node].iter().filter(|(to, _)| place[*to] == NONE) {
                let (side, state) = level.nodes[*to];
                self.visits[side][state] += each * double_of(*weight);
            }
        }
        Ok(())
    }

    /// Finds the states of a level that are reached, and the turns among them.
    fn find(&mut self, level: usize) -> ReachedLevel {
        let mut found = ReachedLevel { nodes: Vec::new(), next: Vec::new(), leaving: Vec::new() };
        for state in self.states(level) {
            for side in (0..2).filter(|side| self.visits[*side][state] > 0.0) {
                self.node_of[side][state] = found.nodes.len();
                found.nodes.push((side, state));
            }
        }
        while let Some((side, state)) = found.nodes.get(found.next.len()).copied() {
            let action = self.plans[side].action(state);
            let total = self.game.distribution(state, action).total;
            let mut next = Vec::new();
            if (self.stops)(side, state) {
                found.next.push(next);
                found.leaving.push((total, total));
                continue;
            }
            let mut leaving = 0;
            for (weight, successor) in self.game.successors_by(self.plans[side], state) {
                match successor {
                    Successor::Next { to, again } if self.is_in(level, to) => {
                        let next_side = next_side(side, again);
                        let node = &mut self.node_of[next_side][to];
                        if *node == NONE {
                            *node = found.nodes.len();
                            found.nodes.push((next_side, to));
                        }
                        next.push((*node, weight));
                    }
                    _ => leaving += weight,
                }
            }
            found.next.push(next);
            found.leaving.push((leaving, total));
        }
        for (side, state) in &found.nodes {
            self.node_of[*side][*state] = NONE;
        }
        found
    }

    /// Carries the visits of a level to later levels and ends.
    fn propagate(&mut self, level: usize) {
        let acyclic = self.game.order() == Order::Acyclic;
        for state in self.states(level) {
            for side in 0..2 {
                let visits = self.visits[side][state];
                if visits == 0.0 || (self.stops)(side, state) {
                    continue;
                }
                let action = self.plans[side].action(state);
                let each = visits / double_of(self.game.distribution(state, action).total);
                for (weight, successor) in self.game.successors_by(self.plans[side], state) {
                    match successor {
                        Successor::End(end) => {
                            self.ended[side][end as usize] += each * double_of(weight);
                        }
                        // If every turn raises the sum, the level need not be computed, which
                        // would dominate the cost.
                        Successor::Next { to, again } if acyclic || !self.is_in(level, to) => {
                            self.visits[next_side(side, again)][to] += each * double_of(weight);
                        }
                        Successor::Next { .. } => {}
                    }
                }
            }
        }
    }
}
