//! All states backward by the sum of scores: each is solved from those above it.

use rayon::prelude::*;

use crate::game::{DiceSet, Plan};

use super::cell::{Board, Cell, Found, SharedDraw, Side, Spot, Stage};
use super::chooser::Chooser;
use super::loops::{self, Loops};
use super::numbers::Numbers;
use super::reading::{Reading, Stays};
use super::verdict::Judge;
use super::{CheckError, Steps, returns};

/// A state whose turn may leave the sum of scores as it is.
pub(super) struct Pending {
    pub spot: Spot,
    pub place: usize,
    /// Which of the cells looked at.
    pub cell: usize,
    pub draws: Vec<SharedDraw>,
    /// The actions that the claim lists.
    pub claimed: DiceSet,
}

/// A cell, and for each side the answers in its states; `None` where turns may stay.
struct Looked<'a, N> {
    cell: Cell<'a>,
    found: Vec<Vec<Option<Found<N>>>>,
}

/// What is known when all states are solved.
pub(super) struct Swept<N> {
    /// The win rate of the solved side's start when it moves, and of the start when the other moves.
    pub starts: [N; 2],
    /// How many loops were met.
    pub loops: usize,
}

/// Solves every state and lets the judge compare the solved side's with the claim.
pub(super) fn sweep<A: Numbers>(
    reading: &Reading,
    numbers: &A,
    (against, start): (Option<&Plan>, usize),
    judge: &mut Judge,
    steps: &Steps,
) -> Result<Swept<A::Number>, CheckError> {
    let space = reading.space;
    let stages = || (0..space.stages()).map(|_| Stage::default()).collect();
    let mut sides = vec![Side { plan: None, other: against.map_or(0, |_| 1), stages: stages() }];
    sides.extend(against.map(|plan| Side { plan: Some(plan), other: 0, stages: stages() }));
    let mut board = Board { reading, numbers, sides, tolerance: 2.0 * turn_error(reading) };
    if reading.stays == Stays::Returning {
        let error = returns::settle(&mut board, judge, steps)?;
        judge.grant(error);
    }
    let Pass { loops, .. } = pass(&mut board, judge, true, steps)?;
    let at_start = |side: usize| {
        let (cell, place) = (start / space.per_cell(), start % space.per_cell());
        let stage = &board.sides[side].stages[space.sum(cell)];
        stage.values[super::cell::rank(space.goal, cell) * space.per_cell() + place].clone()
    };
    Ok(Swept { starts: [at_start(0), at_start(board.sides.len() - 1)], loops })
}

/// What one pass through all sums took.
pub(super) struct Pass {
    /// How many loops were met.
    pub loops: usize,
    /// How far values may be off, in doubles, those of lower sums being as they were given.
    pub error: f64,
}

/// Solves every state once; the judge compares those of the solved side if `compare` says so.
pub(super) fn pass<A: Numbers>(
    board: &mut Board<'_, A>,
    judge: &mut Judge,
    compare: bool,
    steps: &Steps,
) -> Result<Pass, CheckError> {
    let (reading, space) = (board.reading, board.reading.space);
    let mut pass = Pass { loops: 0, error: 0.0 };
    for sum in (0..space.stages()).rev() {
        let met = solve_layer(board, sum, judge)?;
        pass.loops += met.count;
        if !A::EXACT {
            let error = turn_error(reading) + met.error;
            pass.error += error;
            judge.grant(if compare { error } else { 0.0 });
        }
        if compare {
            judge.stage(space, sum, &board.sides[0].stages[sum]);
        }
        for side in board.sides.iter_mut().filter(|_| reading.stays != Stays::Returning) {
            // No turn from a lower sum reaches this one.
            if let Some(done) = side.stages.get_mut(sum + reading.reach.max(1)) {
                *done = Stage::default();
            }
        }
        steps.report(space.stages() - sum)?;
    }
    Ok(pass)
}

/// What a turn's worth is off in doubles if its successors are rounded once: in units of 2^-53 one for each value, weight
/// and sum of outcomes, and some to spare (for the last steps of a loop, too).
fn turn_error(reading: &Reading) -> f64 {
    (reading.groups as f64 + 16.0) * f64::EPSILON / 2.0
}

fn solve_layer<A: Numbers>(board: &mut Board<'_, A>, sum: usize, judge: &Judge) -> Result<Loops, CheckError> {
    let space = board.reading.space;
    let numbers: Vec<usize> = space.stage(sum).collect();
    let looked: Vec<Looked<A::Number>> =
        numbers.par_iter().map(|cell| look(board, *cell, judge)).collect::<Result<_, _>>()?;
    let height = board.height(sum);
    let mut stages: Vec<Stage<A::Number>> = board.sides.iter().map(|_| Stage::default()).collect();
    let (mut cells, mut pending) = (Vec::new(), Vec::new());
    for Looked { cell, found } in looked {
        for (side, (stage, states)) in stages.iter_mut().zip(found).enumerate() {
            for (place, state) in states.into_iter().enumerate() {
                if state.is_none() {
                    let spot = Spot { side, index: stage.values.len() };
                    let draws = board.draws(side, &cell, place);
                    let claimed = judge.claimed(cell.number * space.per_cell() + place);
                    pending.push(Pending { spot, place, cell: cells.len(), draws, claimed });
                }
                let stand_in =
                    || Found { value: board.numbers.half(height), near: f64::NAN, best: 0, shortfall: f64::NAN };
                stage.push(state.unwrap_or_else(stand_in));
            }
        }
        if pending.last().is_some_and(|last| last.cell == cells.len()) {
            cells.push(cell);
        }
    }
    for (side, stage) in board.sides.iter_mut().zip(stages) {
        side.stages[sum] = stage;
    }
    loops::solve(board, sum, &cells, &pending)
}

fn look<'a, A: Numbers>(
    board: &Board<'a, A>,
    number: usize,
    judge: &Judge,
) -> Result<Looked<'a, A::Number>, CheckError> {
    let cell = board.cell(number)?;
    let per_cell = board.reading.space.per_cell();
    let may_stay = board.reading.stays != Stays::Never;
    let sides = (0..board.sides.len()).map(|side| {
        let mut chooser = Chooser::new(board, &cell, side);
        let state = |place: usize| {
            let draws = board.draws(side, &cell, place);
            if may_stay && draws.iter().any(|(_, draw)| cell.views[*draw].stays) {
                return None;
            }
            chooser.find(&draws, place, judge.claimed(number * per_cell + place))
        };
        (0..per_cell).map(state).collect()
    });
    let found = sides.collect();
    Ok(Looked { cell, found })
}
