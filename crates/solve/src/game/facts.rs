//! Phase 5, from action sets and successors to facts: how turns change the sum of the scores.
//! Solvers choose their method by these facts.

use std::cmp::Ordering;

use crate::rules::{Faults, Place, Rules};

use super::moves::Moves;
use super::{DistributionSet, ScoreSuccessor, Successor, TurnOutcome};

/// How a turn that does not end the game changes the sum of the scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Every turn raises it: one backward pass over the stages solves the game.
    Acyclic,
    /// No turn lowers it, but some leave it unchanged: states of one stage may form cycles.
    Cyclic {
        /// Whether a turn that leaves it unchanged may depend on chance: values then have no
        /// common denominator.
        random: bool,
    },
    /// Some turn lowers it: cycles may span several stages.
    Recurrent,
}

/// Properties of a game derived from its arrays.
#[derive(Debug)]
pub(super) struct Facts {
    pub order: Order,
    /// An upper bound on the increase of the sum of the scores in a turn that does not end the
    /// game; at least 1.
    pub most_increment: usize,
}

/// The error for a game that no sequence of turns can end.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoEnd;

impl NoEnd {
    /// Converts the error to a fault of the rules.
    pub fn into_faults(self, rules: &Rules) -> Faults {
        let message = "a game that cannot end: no play from 0-0 reaches the goal".to_owned();
        rules.fault(Place::File, message, "let some turn score points")
    }
}

/// Derives the facts of a game from its action sets and successors.
///
/// # Errors
/// Returns [`NoEnd`] if the game cannot end.
pub(super) fn facts(moves: &Moves) -> Result<Facts, NoEnd> {
    let order = order(moves);
    if order != Order::Acyclic {
        check_can_end(moves)?;
    }
    Ok(Facts { order, most_increment: most_increment(moves) })
}

/// A lower bound, over all cells, on the increase of the sum of the scores by an outcome that does
/// not end the game.
fn least_increment(moves: &Moves, outcome: &TurnOutcome) -> i64 {
    moves.table(outcome).least_correction.saturating_add(i64::from(outcome.points))
}

/// Determines how turns change the sum of the scores.
fn order(moves: &Moves) -> Order {
    // Increments are bounds over all totals. Outcomes that may not raise the sum are therefore
    // checked cell by cell.
    let suspects: Vec<Vec<(TurnOutcome, bool)>> = moves
        .sets
        .iter()
        .map(|set| {
            let mut suspects: Vec<_> =
                set.by_shared.iter().flat_map(|set| non_raising_outcomes(moves, set)).collect();
            // The memories after the turn do not matter here.
            suspects
                .sort_unstable_by_key(|(outcome, random)| (outcome.table, outcome.points, *random));
            suspects.dedup_by_key(|(outcome, random)| (outcome.table, outcome.points, *random));
            suspects
        })
        .collect();
    if suspects.iter().all(Vec::is_empty) {
        return Order::Acyclic;
    }
    let lowers = suspects.iter().flatten().any(|(outcome, _)| least_increment(moves, outcome) < 0);
    let most = Order::Cyclic { random: suspects.iter().flatten().any(|(_, by_chance)| *by_chance) };
    let (mut cyclic, mut random, goal) = (false, false, moves.space.goal);
    for (score, opponent) in
        (0..goal).flat_map(|score| (0..goal).map(move |opponent| (score, opponent)))
    {
        for (outcome, by_chance) in &suspects[moves.number_at(score, opponent)] {
            let (ScoreSuccessor::Passed { cell: next } | ScoreSuccessor::Again { cell: next }) =
                moves.score_successor(score, opponent, outcome)
            else {
                continue;
            };
            match moves.space.sum(next).cmp(&(score + opponent)) {
                Ordering::Less => return Order::Recurrent,
                Ordering::Equal => (cyclic, random) = (true, random | by_chance),
                Ordering::Greater => {}
            }
            // No other cell can change the order.
            if cyclic && !lowers && most == (Order::Cyclic { random }) {
                return most;
            }
        }
    }
    if cyclic { Order::Cyclic { random } } else { Order::Acyclic }
}

fn most_increment(moves: &Moves) -> usize {
    let outcomes = moves.sets.iter().flat_map(|set| &set.by_shared).flat_map(|set| &set.outcomes);
    let most = outcomes.map(|outcome| {
        moves.table(outcome).most_correction.saturating_add(i64::from(outcome.points))
    });
    most.max().unwrap_or(1).clamp(1, moves.space.stages() as i64) as usize
}

/// The outcomes that may fail to raise the sum of the scores, and whether each belongs to a random
/// distribution.
fn non_raising_outcomes(moves: &Moves, set: &DistributionSet) -> Vec<(TurnOutcome, bool)> {
    let chances = set.distributions.iter().filter(|distribution| distribution.outcomes.len() > 1);
    let by_chance: Vec<u16> = chances
        .flat_map(|distribution| distribution.outcomes.iter().map(|(outcome, _)| *outcome))
        .collect();
    let non_raising =
        (0..).zip(&set.outcomes).filter(|(_, outcome)| least_increment(moves, outcome) <= 0);
    non_raising.map(|(place, outcome)| (*outcome, by_chance.contains(&place))).collect()
}

/// Returns an error if no end can be reached from the start.
fn check_can_end(moves: &Moves) -> Result<(), NoEnd> {
    let mut seen = vec![false; moves.space.goal * moves.space.goal];
    let mut waiting = vec![0];
    seen[0] = true;
    while let Some(cell) = waiting.pop() {
        for outcome in moves.at(cell).by_shared.iter().flat_map(|set| &set.outcomes) {
            let (score, opponent) = moves.space.scores(cell);
            match moves.successor(score, opponent, outcome) {
                Successor::End(_) => return Ok(()),
                Successor::Passed { cell: next, .. } | Successor::Again { cell: next, .. }
                    if !seen[next] =>
                {
                    seen[next] = true;
                    waiting.push(next);
                }
                _ => {}
            }
        }
    }
    Err(NoEnd)
}
