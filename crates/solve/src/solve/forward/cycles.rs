//! The visits within one stage: its strongly connected components, in the order of play.

use crate::dice::Weight;

use super::super::components::each_component;
use super::{ForwardPass, SolveError, Watch, next_side};
use crate::game::Successor;
use crate::linear::Component;

/// The most matrix entries written for one component: some seconds of work.
const MOST_WORK: usize = 2_000_000_000;

/// Marks a state that is not a node, or a node that is not in the component.
const OUTSIDE: usize = usize::MAX;

/// The states of a stage that are reached, including those reached only from within it.
struct Stage {
    /// Side and state.
    nodes: Vec<(usize, usize)>,
    /// By node: its successors within the stage, ascending, with the weights.
    next: Vec<Vec<(usize, Weight)>>,
    /// By node: the weight of the outcomes that leave the stage, and the sum of all weights.
    leaving: Vec<(Weight, Weight)>,
}

/// Computes the visits of the states of a stage, given the visits that enter it from earlier
/// stages. In a component that play never leaves, only the entering visits are kept; they are also
/// returned.
pub(super) fn solve(
    pass: &mut ForwardPass,
    stage: usize,
    watch: &Watch,
) -> Result<Vec<(usize, usize, f64)>, SolveError> {
    let found = Stage::find(pass, stage);
    let (mut endless, stages) = (Vec::new(), pass.game.space().stages());
    let mut index_of = vec![OUTSIDE; found.nodes.len()];
    for component in found.components() {
        component.iter().enumerate().for_each(|(index, node)| index_of[*node] = index);
        let (mut inside, mut entries) = (Component::default(), Vec::new());
        for node in &component {
            let (_, total) = found.leaving[*node];
            let chances = found.next[*node].iter().filter(|(to, _)| to != node);
            let next = chances.map(|(to, weight)| (index_of[*to], *weight as f64 / total as f64));
            inside.next.push(next.filter(|(to, _)| *to != OUTSIDE).collect());
            entries.push(*found.visits(pass, *node));
            inside.leaving.push(found.leaving_component(*node, &index_of) as f64 / total as f64);
        }
        if inside.leaving.iter().all(|chance| *chance == 0.0) {
            let entered = component.iter().zip(&entries).filter(|(_, entries)| **entries > 0.0);
            endless.extend(
                entered
                    .map(|(node, entries)| (found.nodes[*node].0, found.nodes[*node].1, *entries)),
            );
            component.iter().for_each(|node| index_of[*node] = OUTSIDE);
            continue;
        }
        let go_on = |work: usize| match work {
            ..=MOST_WORK => watch.report(stage, stages),
            _ => Err(SolveError::TooMuch(format!(
                "a loop of {} states has too many paths",
                component.len()
            ))),
        };
        let visits = inside.eliminate(go_on)?.visits(entries);
        for (node, visits) in component.iter().zip(visits) {
            *found.visits(pass, *node) = visits;
            for (to, weight) in found.next[*node].iter().filter(|(to, _)| index_of[*to] == OUTSIDE)
            {
                *found.visits(pass, *to) +=
                    visits * (*weight as f64 / found.leaving[*node].1 as f64);
            }
        }
        component.iter().for_each(|node| index_of[*node] = OUTSIDE);
    }
    Ok(endless)
}

impl Stage {
    fn find(pass: &mut ForwardPass, stage: usize) -> Self {
        let (game, space, node_of) = (pass.game, pass.game.space(), &mut pass.node_of);
        let mut found = Self { nodes: Vec::new(), next: Vec::new(), leaving: Vec::new() };
        let states = |cell: usize| cell * space.per_cell()..(cell + 1) * space.per_cell();
        for state in space.stage(stage).flat_map(states) {
            let reached = (0..2).filter(|side| pass.visits[*side][state] > 0.0);
            found.nodes.extend(reached.map(|side| (side, state)));
        }
        found
            .nodes
            .iter()
            .enumerate()
            .for_each(|(node, (side, state))| node_of[*side][*state] = node);
        while let Some((side, state)) = found.nodes.get(found.next.len()).copied() {
            let (mut next, action, stops) =
                (Vec::new(), pass.plans[side].action(state), (pass.stops)(side, state));
            let total = game.distribution(state, action).total;
            let mut leaving = if stops { total } else { 0 };
            for (weight, successor) in game.weighted_successors(state, action).filter(|_| !stops) {
                match successor {
                    Successor::Next { to, again } if space.sum(to / space.per_cell()) == stage => {
                        let next_side = next_side(side, again);
                        let node = &mut node_of[next_side][to];
                        if *node == OUTSIDE {
                            *node = found.nodes.len();
                            found.nodes.push((next_side, to));
                        }
                        next.push((*node, weight));
                    }
                    _ => leaving += weight,
                }
            }
            next.sort_unstable_by_key(|(to, _)| *to);
            next.dedup_by(|(to, weight), (before, sum)| {
                let same = to == before;
                *sum += if same { *weight } else { 0 };
                same
            });
            found.next.push(next);
            found.leaving.push((leaving, total));
        }
        found.nodes.iter().for_each(|(side, state)| node_of[*side][*state] = OUTSIDE);
        found
    }

    /// The strongly connected components, each before all components that it leads to.
    fn components(&self) -> Vec<Vec<usize>> {
        let mut components: Vec<Vec<usize>> = Vec::new();
        let next = |node: usize, targets: &mut Vec<u32>| {
            targets.extend(self.next[node].iter().map(|(to, _)| *to as u32));
        };
        let keep = |nodes: &[u32]| {
            components.push(nodes.iter().map(|node| *node as usize).collect());
            Ok::<(), ()>(())
        };
        each_component(self.nodes.len(), next, keep).expect("nothing fails");
        components.reverse();
        components.iter_mut().for_each(|nodes| nodes.sort_unstable());
        components
    }

    /// The weight of a node's outcomes that leave its component.
    fn leaving_component(&self, node: usize, index_of: &[usize]) -> Weight {
        let elsewhere = self.next[node].iter().filter(|(to, _)| index_of[*to] == OUTSIDE);
        self.leaving[node].0 + elsewhere.map(|(_, weight)| weight).sum::<Weight>()
    }

    fn visits<'a>(&self, pass: &'a mut ForwardPass, node: usize) -> &'a mut f64 {
        let (side, state) = self.nodes[node];
        &mut pass.visits[side][state]
    }
}
