//! Stage 5, from action sets and successors to facts: what solvers choose their methods by, how turns move the sum of scores.

use std::cmp::Ordering;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use crate::rules::{Faults, Rules};

use super::intern::Interner;
use super::moves::Moves;
use super::{DistributionSet, ScoreSuccessor, Successor, TurnOutcome};

/// How the sum of both scores moves in a turn that does not end the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Every turn raises it: one backward pass over the sums solves the game.
    Acyclic,
    /// No turn lowers it, but some leave it unchanged: states of one sum may form loops.
    Cyclic {
        /// Whether a turn of chance may leave it unchanged: then values have no common denominator.
        random: bool,
    },
    /// Some turn lowers it: states of all sums may lead round to each other.
    Recurrent,
}

/// What is known of a game beside its arrays.
#[derive(Debug)]
pub(super) struct Facts {
    pub order: Order,
    /// The most that a turn raises the sum of scores by, if it does not end the game; at least 1.
    pub reach: usize,
    /// By sum of scores, the most states of that sum that a value may pass through, one after another; empty where every
    /// turn raises the sum, or chance decides where it stays.
    pub longest_paths: Vec<usize>,
}

/// A game whose end no play reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoEnd;

impl NoEnd {
    /// The same as a fault of the rules.
    pub fn told(self, rules: &Rules) -> Faults {
        let message = "a game that cannot end: no play from 0-0 reaches the goal".to_owned();
        rules.fault(None, message, "let some turn bring points")
    }
}

/// From a cell to a cell of the same sum of scores.
type Stay = (u32, u32);

/// The facts of a game, from its action sets and successors.
///
/// # Errors
/// If the game cannot end.
pub(super) fn facts(moves: &Moves) -> Result<Facts, NoEnd> {
    let (order, stays) = order(moves);
    if order != Order::Acyclic {
        refuse_endless(moves)?;
    }
    let longest = if order == (Order::Cyclic { random: false }) { longest_paths(moves, &stays) } else { Vec::new() };
    Ok(Facts { order, reach: most_increment(moves), longest_paths: longest })
}

/// The least that an outcome raises the sum of scores by, if the game goes on; it may be less from no cell.
fn least_increment(moves: &Moves, outcome: &TurnOutcome) -> i64 {
    moves.table(outcome).least_correction.saturating_add(i64::from(outcome.points))
}

/// How the sum of scores moves, and where turns leave it unchanged.
fn order(moves: &Moves) -> (Order, Vec<Stay>) {
    // The increments are bounds over all totals; what counts is what happens from the cells themselves.
    let suspects: Vec<Vec<(TurnOutcome, bool)>> = moves
        .sets
        .iter()
        .map(|set| {
            let mut suspects: Vec<_> = set.by_shared.iter().flat_map(|set| staying_outcomes(moves, set)).collect();
            // What memories they leave makes no difference here.
            suspects.sort_unstable_by_key(|(outcome, random)| (outcome.table, outcome.points, *random));
            suspects.dedup_by_key(|(outcome, random)| (outcome.table, outcome.points, *random));
            suspects
        })
        .collect();
    if suspects.iter().all(Vec::is_empty) {
        return (Order::Acyclic, Vec::new());
    }
    let (mut stays, mut random, goal) = (Vec::new(), false, moves.space.goal);
    for (score, opponent) in (0..goal).flat_map(|score| (0..goal).map(move |opponent| (score, opponent))) {
        for (outcome, by_chance) in &suspects[moves.number_at(score, opponent)] {
            match moves.score_successor((score, opponent), outcome) {
                ScoreSuccessor::Passed { cell: next } | ScoreSuccessor::Again { cell: next } => {
                    match moves.space.sum(next).cmp(&(score + opponent)) {
                        Ordering::Less => return (Order::Recurrent, Vec::new()),
                        Ordering::Equal => stays.push(((score * goal + opponent) as u32, next as u32)),
                        Ordering::Greater => continue,
                    }
                    random |= by_chance;
                }
                _ => {}
            }
        }
    }
    (if stays.is_empty() { Order::Acyclic } else { Order::Cyclic { random } }, stays)
}

fn most_increment(moves: &Moves) -> usize {
    let outcomes = moves.sets.iter().flat_map(|set| &set.by_shared).flat_map(|set| &set.outcomes);
    let most = outcomes.map(|outcome| moves.table(outcome).most_correction.saturating_add(i64::from(outcome.points)));
    most.max().unwrap_or(1).clamp(1, moves.space.stages() as i64) as usize
}

/// The outcomes that may leave the sum of scores as it is, and whether each is one of several outcomes of some distribution.
fn staying_outcomes(moves: &Moves, set: &DistributionSet) -> Vec<(TurnOutcome, bool)> {
    let chances = set.distributions.iter().filter(|distribution| distribution.outcomes.len() > 1);
    let by_chance: Vec<u16> =
        chances.flat_map(|distribution| distribution.outcomes.iter().map(|(outcome, _)| *outcome)).collect();
    let staying = (0..).zip(&set.outcomes).filter(|(_, outcome)| least_increment(moves, outcome) <= 0);
    staying.map(|(place, outcome)| (*outcome, by_chance.contains(&place))).collect()
}

/// By sum of scores, the most states of that sum that a value may pass through, one after another: the longest chain of
/// turns that leave the sum as it is, each set of states that lead round to each other counted whole; 0 where no turn does.
fn longest_paths(moves: &Moves, stays: &[Stay]) -> Vec<usize> {
    let mut longest = vec![0; moves.space.stages()];
    // Most stays are the last of their chain; few are left to be searched for loops.
    let goes_on = |(_, next): &Stay| stays.binary_search_by_key(next, |(cell, _)| *cell).is_ok();
    let (inner, last): (Vec<Stay>, Vec<Stay>) = stays.iter().partition(|stay| goes_on(stay));
    last.iter().for_each(|(cell, _)| longest[moves.space.sum(*cell as usize)] = 2);
    let mut nodes = Interner::new();
    let edges: Vec<Stay> = inner.iter().map(|(cell, next)| (nodes.number(*cell), nodes.number(*next))).collect();
    // By node: how many cells come after it beside those in the graph.
    let mut beside = vec![0; nodes.count()];
    last.iter().filter_map(|(cell, _)| nodes.find(cell)).for_each(|node| beside[node as usize] = 1);
    let cells: Vec<u32> = nodes.into_items();
    let graph = DiGraph::<(), ()>::from_edges(edges);
    let mut length = vec![0; cells.len()];
    // Each set comes after all that it leads to.
    for set in kosaraju_scc(&graph) {
        let after = set.iter().flat_map(|node| graph.neighbors(*node)).map(|next| length[next.index()]);
        let after = after.chain(set.iter().map(|node| beside[node.index()]));
        let chain = after.max().unwrap_or(0) + set.len();
        set.iter().for_each(|node| length[node.index()] = chain);
        let longest = &mut longest[moves.space.sum(cells[set[0].index()] as usize)];
        *longest = chain.max(*longest);
    }
    longest.into_iter().map(|chain| chain * moves.space.per_cell()).collect()
}

/// Refuses a game whose start cannot lead to its end.
fn refuse_endless(moves: &Moves) -> Result<(), NoEnd> {
    let mut seen = vec![false; moves.space.goal * moves.space.goal];
    let mut waiting = vec![0];
    seen[0] = true;
    while let Some(cell) = waiting.pop() {
        for outcome in moves.at(cell).by_shared.iter().flat_map(|set| &set.outcomes) {
            match moves.successor(cell, outcome) {
                Successor::End(_) => return Ok(()),
                Successor::Passed { cell: next, .. } | Successor::Again { cell: next, .. } if !seen[next] => {
                    seen[next] = true;
                    waiting.push(next);
                }
                _ => {}
            }
        }
    }
    Err(NoEnd)
}
