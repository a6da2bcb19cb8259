//! Stage 5, from action sets and successors to facts: what solvers choose their methods by, how turns move the sum of scores.

use std::cmp::Ordering;

use crate::rules::{Faults, Rules};

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

/// The facts of a game, from its action sets and successors.
///
/// # Errors
/// If the game cannot end.
pub(super) fn facts(moves: &Moves) -> Result<Facts, NoEnd> {
    let order = order(moves);
    if order != Order::Acyclic {
        refuse_endless(moves)?;
    }
    Ok(Facts { order, reach: most_increment(moves) })
}

/// The least that an outcome raises the sum of scores by, if the game goes on; it may be less from no cell.
fn least_increment(moves: &Moves, outcome: &TurnOutcome) -> i64 {
    moves.table(outcome).least_correction.saturating_add(i64::from(outcome.points))
}

/// How the sum of scores moves.
fn order(moves: &Moves) -> Order {
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
        return Order::Acyclic;
    }
    let (mut stays, mut random, goal) = (false, false, moves.space.goal);
    for (score, opponent) in (0..goal).flat_map(|score| (0..goal).map(move |opponent| (score, opponent))) {
        for (outcome, by_chance) in &suspects[moves.number_at(score, opponent)] {
            let (ScoreSuccessor::Passed { cell: next } | ScoreSuccessor::Again { cell: next }) =
                moves.score_successor((score, opponent), outcome)
            else {
                continue;
            };
            match moves.space.sum(next).cmp(&(score + opponent)) {
                Ordering::Less => return Order::Recurrent,
                Ordering::Equal => (stays, random) = (true, random | by_chance),
                Ordering::Greater => {}
            }
        }
    }
    if stays { Order::Cyclic { random } } else { Order::Acyclic }
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
