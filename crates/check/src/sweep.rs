//! The pass in exact numbers over all states, backward by the sum of scores: each state is solved
//! from those with higher sums. Where turns may lower the sum, all states are solved together.

use std::ops::Range;

use rayon::prelude::*;

use hog_rules::policy::Plan;

use super::argmax::Argmax;
use super::cell::{Cell, Spot, Stage, StateSolution, Workspace, rank};
use super::component::Pending;
use super::error::{CheckError, Steps};
use super::loops;
use super::numbers::RateArithmetic;
use super::reading::{Cycles, Reading};
use super::verdict::ClaimComparison;

/// A cell, and for each side the solutions of its states; `None` for pending states.
struct SolvedCell<'a, N> {
    cell: Cell<'a>,
    found: Vec<Vec<Option<StateSolution<N>>>>,
}

/// The result of a check's sweep over all states.
pub(super) struct Swept<N> {
    /// The mover's win rate at the start: if the solved side moves first, and if the other side
    /// does.
    pub starts: [N; 2],
    /// The number of loops.
    pub loops: usize,
}

/// Solves every state, and lets the comparison compare those of the solved side with the claim.
pub(super) fn sweep<A: RateArithmetic>(
    reading: &Reading,
    numbers: &A,
    against: Option<&Plan>,
    start: usize,
    comparison: &mut ClaimComparison,
    steps: &Steps,
) -> Result<Swept<A::Number>, CheckError> {
    let space = reading.space;
    let mut workspace = Workspace::new(reading, numbers, against, against.is_some());
    let cell = start / space.per_cell();
    let index = rank(space.goal, cell) * space.per_cell() + start % space.per_cell();
    let sides = [0, workspace.sides.len() - 1];
    let mut starts = None;
    let mut loops = 0;
    if reading.cycles == Cycles::Recurrent {
        loops = solve_sums(&mut workspace, 0..space.stages(), comparison, steps)?;
    }
    for sum in (0..space.stages()).rev() {
        if reading.cycles != Cycles::Recurrent {
            loops += solve_sums(&mut workspace, sum..sum + 1, comparison, steps)?;
        }
        comparison.stage(space, sum, &workspace.sides[0].stages[sum]);
        if sum == space.sum(cell) {
            starts =
                Some(sides.map(|side| workspace.sides[side].stages[sum].values[index].clone()));
        }
        for side in &mut workspace.sides {
            // No turn from a lower sum reaches this one.
            if let Some(done) = side.stages.get_mut(sum + reading.most_increment.max(1)) {
                *done = Stage::default();
            }
        }
        steps.report(space.stages() - sum)?;
    }
    let starts = starts.expect("all sums are solved");
    Ok(Swept { starts, loops })
}

/// Solves the states of some sums, whose turns lead to these sums or to solved ones; returns the
/// number of loops.
fn solve_sums<A: RateArithmetic>(
    workspace: &mut Workspace<'_, A>,
    sums: Range<usize>,
    comparison: &ClaimComparison,
    steps: &Steps,
) -> Result<usize, CheckError> {
    // Those of higher sums.
    let done = workspace.reading.space.stages() - sums.end;
    let mut cells = Vec::new();
    let mut pending = Vec::new();
    for sum in sums {
        steps.report(done)?;
        read_sum(workspace, sum, comparison, &mut cells, &mut pending)?;
    }
    loops::solve(workspace, &cells, &pending, steps, done)
}

/// Solves the states of a sum that lead to higher sums alone, and appends the others.
fn read_sum<'a, A: RateArithmetic>(
    workspace: &mut Workspace<'a, A>,
    sum: usize,
    comparison: &ClaimComparison,
    cells: &mut Vec<Cell<'a>>,
    pending: &mut Vec<Pending>,
) -> Result<(), CheckError> {
    let space = workspace.reading.space;
    let numbers: Vec<usize> = space.stage(sum).collect();
    let solved: Vec<SolvedCell<A::Number>> = numbers
        .par_iter()
        .map(|cell| solve_cell(workspace, *cell, comparison))
        .collect::<Result<_, _>>()?;
    let height = workspace.height(sum);
    let mut stages: Vec<Stage<A::Number>> =
        workspace.sides.iter().map(|_| Stage::default()).collect();
    for SolvedCell { cell, found } in solved {
        for (side, (stage, states)) in stages.iter_mut().zip(found).enumerate() {
            for (place, state) in states.into_iter().enumerate() {
                if state.is_none() {
                    let spot = Spot { side, index: stage.values.len() };
                    let distributions = workspace.distributions(side, &cell, place);
                    let claimed = comparison.claimed(cell.number * space.per_cell() + place);
                    pending.push(Pending {
                        spot,
                        place,
                        cell: cells.len(),
                        distributions,
                        claimed,
                    });
                }
                stage.push(state.unwrap_or_else(|| StateSolution {
                    value: workspace.numbers.half(height),
                    near: f64::NAN,
                    best: 0,
                    shortfall: f64::NAN,
                }));
            }
        }
        if pending.last().is_some_and(|last| last.cell == cells.len()) {
            cells.push(cell);
        }
    }
    for (side, stage) in workspace.sides.iter_mut().zip(stages) {
        side.stages[sum] = stage;
    }
    Ok(())
}

fn solve_cell<'a, A: RateArithmetic>(
    workspace: &Workspace<'a, A>,
    number: usize,
    comparison: &ClaimComparison,
) -> Result<SolvedCell<'a, A::Number>, CheckError> {
    let cell = workspace.cell(number)?;
    let per_cell = workspace.reading.space.per_cell();
    let cycles = workspace.reading.cycles;
    let mut found = Vec::with_capacity(workspace.sides.len());
    for side in 0..workspace.sides.len() {
        let mut argmax = Argmax::new(workspace, &cell, side);
        let mut of_side = Vec::with_capacity(per_cell);
        for place in 0..per_cell {
            let distributions = workspace.distributions(side, &cell, place);
            let stays = distributions.iter().any(|(_, distribution)| match cycles {
                Cycles::None => false,
                Cycles::Recurrent => !cell.transitions[*distribution].continuing.is_empty(),
                _ => cell.transitions[*distribution].may_stay,
            });
            let claimed = comparison.claimed(number * per_cell + place);
            of_side.push(match stays {
                true => None,
                false => argmax.find(&distributions, place, claimed),
            });
        }
        found.push(of_side);
    }
    Ok(SolvedCell { cell, found })
}
