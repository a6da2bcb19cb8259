//! States of one stage that lead to each other: their strongly connected components, in the order of play.

use std::collections::BTreeMap;

use super::super::components::strong_components;
use super::super::elimination::Component;
use super::{ForwardPass, SolveError, Watch, next_state};

/// The most entries that may be written for one component: some seconds of work.
const MOST_WORK: usize = 2_000_000_000;

/// The states of a stage that are reached and those that they lead to within it.
struct Stage {
    /// Side and state.
    nodes: Vec<(usize, usize)>,
    /// By node: the nodes that a turn leads to within the stage, ascending, with the weights.
    next: Vec<Vec<(usize, u64)>>,
    /// By node: the weight of turns that leave the stage, and the sum of all weights.
    leaving: Vec<(u64, u64)>,
}

/// Completes the visits of a stage, given the entries from earlier ones: afterwards each state has all its visits, within
/// the stage too. Where play never leaves a component, only the entries are left there; they are returned as well.
pub(super) fn solve(
    pass: &mut ForwardPass,
    stage: usize,
    watch: &Watch,
) -> Result<Vec<(usize, usize, f64)>, SolveError> {
    let found = Stage::find(pass, stage);
    let (mut endless, stages) = (Vec::new(), pass.game.space().stages());
    for component in found.components() {
        let mut index_of = BTreeMap::new();
        index_of.extend(component.iter().enumerate().map(|(index, node)| (*node, index)));
        let (mut inside, mut entries) = (Component::default(), Vec::new());
        for node in &component {
            let (_, total) = found.leaving[*node];
            let chances = found.next[*node].iter().filter(|(to, _)| to != node);
            let next = chances.filter_map(|(to, weight)| Some((*index_of.get(to)?, *weight as f64 / total as f64)));
            inside.next.push(next.collect());
            entries.push(*found.visits(pass, *node));
            inside.leaving.push(found.leaving_component(*node, &index_of) as f64 / total as f64);
        }
        if inside.leaving.iter().all(|chance| *chance == 0.0) {
            let entered = component.iter().zip(&entries).filter(|(_, entries)| **entries > 0.0);
            endless.extend(entered.map(|(node, entries)| (found.nodes[*node].0, found.nodes[*node].1, *entries)));
            continue;
        }
        let go_on = |work: usize| match work {
            ..=MOST_WORK => watch.report(stage, stages),
            _ => {
                Err(SolveError::TooLarge(format!("a loop of {} states has too many ways through it", component.len())))
            }
        };
        let visits = inside.eliminate(go_on)?.visits(entries);
        for (node, visits) in component.iter().zip(visits) {
            *found.visits(pass, *node) = visits;
            for (to, weight) in found.next[*node].iter().filter(|(to, _)| !index_of.contains_key(to)) {
                *found.visits(pass, *to) += visits * (*weight as f64 / found.leaving[*node].1 as f64);
            }
        }
    }
    Ok(endless)
}

impl Stage {
    fn find(pass: &ForwardPass, stage: usize) -> Self {
        let (game, space) = (pass.game, pass.game.space());
        let mut found = Self { nodes: Vec::new(), next: Vec::new(), leaving: Vec::new() };
        let states = |cell: usize| cell * space.per_cell()..(cell + 1) * space.per_cell();
        for state in space.stage(stage).flat_map(states) {
            let reached = (0..2).filter(|side| pass.visits[*side][state] > 0.0);
            found.nodes.extend(reached.map(|side| (side, state)));
        }
        let mut node_of: BTreeMap<(usize, usize), usize> =
            found.nodes.iter().enumerate().map(|(node, at)| (*at, node)).collect();
        while let Some((side, state)) = found.nodes.get(found.next.len()).copied() {
            let (mut next, mut leaving, action) = (BTreeMap::new(), 0, pass.plans[side].action(state));
            for (weight, successor) in game.weighted_successors(state, action) {
                match next_state(game, (side, state), successor) {
                    Ok(to) if space.sum(to.1 / space.per_cell()) == stage => {
                        let node = *node_of.entry(to).or_insert_with(|| {
                            found.nodes.push(to);
                            found.nodes.len() - 1
                        });
                        *next.entry(node).or_default() += weight;
                    }
                    _ => leaving += weight,
                }
            }
            found.next.push(next.into_iter().collect());
            found.leaving.push((leaving, game.distribution(state, action).1.total));
        }
        found
    }

    /// The strongly connected components, each before all that it leads to.
    fn components(&self) -> Vec<Vec<usize>> {
        let next = |node: usize| self.next[node].iter().map(|(to, _)| *to);
        let mut components = strong_components(self.nodes.len(), next);
        components.reverse();
        components.iter_mut().for_each(|nodes| nodes.sort_unstable());
        components
    }

    /// The weight of a node's turns that leave its component.
    fn leaving_component(&self, node: usize, inside: &BTreeMap<usize, usize>) -> u64 {
        let elsewhere = self.next[node].iter().filter(|(to, _)| !inside.contains_key(to));
        self.leaving[node].0 + elsewhere.map(|(_, weight)| weight).sum::<u64>()
    }

    fn visits<'a>(&self, pass: &'a mut ForwardPass, node: usize) -> &'a mut f64 {
        let (side, state) = self.nodes[node];
        &mut pass.visits[side][state]
    }
}
