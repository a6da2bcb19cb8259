//! Phase 5, from action sets and successors to facts: how turns change the sum of the scores.
//! Solvers choose their method by these facts.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::rules::{Faults, Place, Rules};

use super::Successor;
use super::moves::Moves;
use super::outcomes::{ActionSet, Outcome};

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
pub(crate) struct Facts {
    pub order: Order,
    /// An upper bound on the increase of the sum of the scores in a turn that does not end the
    /// game; at least 1.
    pub most_increment: usize,
    /// The most points of any outcome outside a clean sum, and of one die of a convolution: how
    /// many stages above its own a turn may read the values of successors.
    pub most_direct_points: usize,
    /// The most points of one die of a convolution, and of any offset: how many stages above its
    /// own a turn may read clean sums.
    pub most_convolution_points: usize,
    /// The most points of any outcome.
    pub most_points: usize,
    /// The highest stage (of the totals after adding the points) with values other than 0: with a
    /// cell, or with an exceptional successor that is not deferred. In higher stages the mover
    /// has won.
    pub highest_stage: usize,
    /// Whether any outcome has 0 points, so that a stage reads totals of the same stage.
    pub reads_own_stage: bool,
}

/// The error for a game that no sequence of turns can end.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoEnd;

impl NoEnd {
    /// Converts the error to a fault of the rules.
    pub fn into_faults(self, rules: &Rules) -> Faults {
        let [first, second] = rules.start;
        let numbers = rules.numbers.iter();
        let numbers: String =
            numbers.map(|number| format!(" with {} {}", number.name, number.value)).collect();
        let goal = rules.in_points().goal;
        let message = format!(
            "a game that cannot end: no play from {first}-{second} reaches the goal {goal}{numbers}"
        );
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
    let of_dice = moves.convolutions.iter().flat_map(|of| &of.die).map(|(points, _)| *points);
    let of_dice = of_dice.max().unwrap_or(0);
    let mut direct = of_dice;
    let mut convolved = of_dice;
    for distribution in &moves.distributions {
        convolved = convolved.max(distribution.clean.map_or(0, |clean| clean.offset));
        for outcome in &distribution.remainder {
            direct = direct.max(outcome.points);
        }
    }
    let mut highest_stage = moves.space.stages() - 1;
    let mut most_points = 0;
    let mut reads_own_stage = false;
    for class in &moves.classes {
        highest_stage = highest_stage.max(class.successors.highest_stage().unwrap_or(0));
        for points in &class.successors.points {
            most_points = most_points.max(*points);
            reads_own_stage |= *points == 0;
        }
    }
    Ok(Facts {
        order,
        most_increment: most_increment(moves),
        most_direct_points: direct,
        most_convolution_points: convolved,
        most_points,
        highest_stage,
        reads_own_stage,
    })
}

/// Determines how turns change the sum of the scores.
fn order(moves: &Moves) -> Order {
    // Increments are bounds over all totals. Outcomes that may not raise the sum are therefore
    // checked cell by cell.
    let suspects: Vec<Vec<(Outcome, bool)>> =
        moves.action_sets.iter().map(|set| non_raising_outcomes(moves, set)).collect();
    if suspects.iter().all(Vec::is_empty) {
        return Order::Acyclic;
    }
    let lowers = suspects.iter().flatten().any(|(outcome, _)| {
        moves.classes[outcome.class].successors.least_increment(outcome.points) < 0
    });
    let most = Order::Cyclic { random: suspects.iter().flatten().any(|(_, by_chance)| *by_chance) };
    let mut cyclic = false;
    let mut random = false;
    let goal = moves.space.goal;
    for (score, opponent) in
        (0..goal).flat_map(|score| (0..goal).map(move |opponent| (score, opponent)))
    {
        for (outcome, by_chance) in &suspects[moves.number_at(score, opponent)] {
            let Some(next) = moves.next_cell(score, opponent, outcome).state() else { continue };
            match (next.stage as usize).cmp(&(score + opponent)) {
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
    let most = moves.classes.iter().map(|class| {
        let points = class.successors.points.last().map_or(0, |most| *most as i64);
        class.successors.most_correction.saturating_add(points)
    });
    most.max().unwrap_or(1).clamp(1, moves.space.stages() as i64) as usize
}

/// The outcomes that may fail to raise the sum of the scores, and whether each belongs to a random
/// distribution. Of outcomes that lead to the same scores, one is given.
fn non_raising_outcomes(moves: &Moves, set: &ActionSet) -> Vec<(Outcome, bool)> {
    let mut found = Vec::new();
    for number in set.distinct() {
        let distribution = &moves.distributions[number as usize];
        let random = distribution.outcomes.len() > 1;
        found.extend(distribution.non_increasing.iter().map(|outcome| (*outcome, random)));
    }
    // What decides the scores that an outcome leads to.
    found.sort_unstable_by_key(|(outcome, random)| {
        (Arc::as_ptr(&moves.classes[outcome.class].successors), outcome.points, *random)
    });
    found.dedup_by_key(|(outcome, random)| {
        (Arc::as_ptr(&moves.classes[outcome.class].successors), outcome.points, *random)
    });
    found
}

/// Returns an error if no end can be reached from the start.
fn check_can_end(moves: &Moves) -> Result<(), NoEnd> {
    let mut seen = vec![false; moves.space.goal * moves.space.goal];
    let mut waiting = vec![0];
    seen[0] = true;
    while let Some(cell) = waiting.pop() {
        let (score, opponent) = moves.space.scores(cell);
        let set = &moves.action_sets[moves.number_at(score, opponent)];
        let played = set.distinct().into_iter().map(|number| &moves.distributions[number as usize]);
        for outcome in played.flat_map(|distribution| &distribution.outcomes) {
            let Successor::Next { to, .. } = moves.next_cell(score, opponent, outcome) else {
                return Ok(());
            };
            let next = (to.stage - to.column) as usize * moves.space.goal + to.column as usize;
            if !std::mem::replace(&mut seen[next], true) {
                waiting.push(next);
            }
        }
    }
    Err(NoEnd)
}
