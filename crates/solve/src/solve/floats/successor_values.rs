//! Rows of successor values, computed when the stage of the totals is solved or, if deferred, when
//! turns lead there.

use std::ops::Range;

use crate::game::{Cell, End, Game, OutcomeClass, Segment, StateMemories, Successor};
use crate::solve::layout::Layout;
use crate::solve::stage_solver::{Payoff, StageTask};

use super::{Floats, RowsWorkspace};

/// The values of the deferred successors of one stage.
#[derive(Debug)]
pub(super) struct Deferred {
    width: usize,
    /// By class and points: the index of the row, if this stage has one; empty for classes that
    /// defer nothing.
    row_of: Vec<Vec<Option<u32>>>,
    rows: Vec<f64>,
    count: usize,
}

impl Deferred {
    pub fn new(game: &Game, width: usize) -> Self {
        let mut row_of = Vec::with_capacity(game.classes().len());
        for class in game.classes() {
            row_of.push(match class.successors.defers() {
                true => vec![None; class.successors.points.last().map_or(0, |most| most + 1)],
                false => Vec::new(),
            });
        }
        Self { width, row_of, rows: Vec::new(), count: 0 }
    }

    /// The deferred values of the outcomes of a class with these points, by column of the task.
    #[inline(always)]
    pub fn row(&self, class: usize, points: usize) -> Option<&[f64]> {
        let row = self.row_of[class][points]? as usize;
        Some(&self.rows[row * self.width..(row + 1) * self.width])
    }

    fn clear(&mut self) {
        self.row_of.iter_mut().for_each(|of_class| of_class.fill(None));
        self.count = 0;
    }

    /// As [`Self::row`], mutable; in a new row, these columns of the task are filled with zeros.
    fn row_mut(&mut self, class: usize, points: usize, columns: Range<usize>) -> &mut [f64] {
        let row = self.row_of[class][points].unwrap_or_else(|| {
            let row = self.count;
            (self.row_of[class][points], self.count) = (Some(row as u32), row + 1);
            self.rows.resize(self.rows.len().max(self.count * self.width), 0.0);
            self.rows[row * self.width..][columns].fill(0.0);
            row as u32
        });
        let row = row as usize;
        &mut self.rows[row * self.width..(row + 1) * self.width]
    }
}

impl Floats {
    /// Computes the successor values of a stage. If it is not yet `solved`, as when turns of 0
    /// points read their own stage, only successors in higher stages and ends have their value;
    /// the others count as wins or losses.
    pub(super) fn fill_stage(
        &self,
        task: &StageTask<f64>,
        workspace: &mut RowsWorkspace,
        solved: bool,
    ) {
        let slot = task.stage & (workspace.successor_values.len() - 1);
        let mut successor_values = std::mem::take(&mut workspace.successor_values[slot]);
        let all = task.context.layout.columns_of_task(task.index);
        let cells = task.columns();
        for (class, row) in task
            .context
            .game
            .classes()
            .iter()
            .zip(successor_values.chunks_exact_mut(workspace.width))
        {
            // Below the first column of the stage the mover's total is past the goal: the mover has
            // won.
            row.fill(0.0);
            if !cells.is_empty() && !class.successors.is_exceptional(task.stage, &cells) {
                let regular = Segment::regular(task.stage, &cells);
                self.write(task, solved, class, &regular, &mut row[cells.start - all.start..]);
            }
            for segment in
                class.successors.known(task.stage).iter().filter_map(|segment| segment.within(&all))
            {
                self.write(
                    task,
                    solved,
                    class,
                    &segment,
                    &mut row[segment.first as usize - all.start..],
                );
            }
            for segment in class
                .successors
                .deferred_columns(task.stage)
                .iter()
                .filter_map(|part| part.within(&all))
            {
                row[segment.first as usize - all.start..][..segment.count as usize].fill(0.0);
            }
        }
        workspace.successor_values[slot] = successor_values;
    }

    /// Computes the values of the deferred successors of the turns of a stage.
    pub(super) fn fill_deferred(&self, task: &StageTask<f64>, workspace: &mut RowsWorkspace) {
        let columns = task.columns();
        let deferred = &mut workspace.deferred;
        let first = workspace.first;
        let classes = task.context.game.classes().iter().enumerate();
        deferred.clear();
        for (number, class) in classes.filter(|(_, class)| class.successors.defers()) {
            for (points, segments) in class.successors.deferred_from(task.stage) {
                // Where the mover has won, the opponent's value is 0.
                let segments =
                    segments.filter(|segment| segment.target != Successor::End(End::Won));
                for segment in segments.filter_map(|segment| segment.within(&columns)) {
                    let row = deferred.row_mut(
                        number,
                        points,
                        columns.start - first..columns.end - first,
                    );
                    self.write(
                        task,
                        false,
                        class,
                        &segment,
                        &mut row[segment.first as usize - first..],
                    );
                }
            }
        }
    }

    /// Writes the opponent's values at the targets of a segment; those up to the task's stage may
    /// not be `solved`.
    fn write(
        &self,
        task: &StageTask<f64>,
        solved: bool,
        class: &OutcomeClass,
        segment: &Segment,
        out: &mut [f64],
    ) {
        let layout = &task.context.layout;
        let theirs = task.theirs();
        let out = &mut out[..segment.count as usize];
        let at_once = match segment.target {
            Successor::End(end) => Some(end.value_to_opponent()),
            Successor::Next { to, .. } if !solved && to.stage as usize <= task.stage => {
                Some(task.context.staying_loses().into())
            }
            Successor::Next { .. } => None,
        };
        if let Some(value) = at_once {
            return out.fill(if self.payoff == Payoff::Endless { 0.0 } else { value });
        }
        let Successor::Next { to: Cell { stage, column }, again } = segment.target else { return };
        let side = if again { task.side.own } else { task.side.other };
        let values = &task.solved[side][stage as usize];
        let memories = class.memories_after(again, theirs);
        copy_columns(layout, values, memories, column as usize, segment.step, out);
        if again {
            out.iter_mut().for_each(|value| *value = self.complement_of(*value));
        }
    }
}

/// Copies values of some memory classes, from a column on in steps of `step` columns.
fn copy_columns(
    layout: &Layout,
    values: &[f64],
    memories: StateMemories,
    column: usize,
    step: i32,
    out: &mut [f64],
) {
    let mut done = 0;
    while done < out.len() {
        let at = (column as i64 + i64::from(step) * done as i64) as usize;
        let (block, place) = layout.place(at);
        let row = layout.row(block, memories);
        // Up to the end of the block.
        let left = out.len() - done;
        let count = match step {
            1 => left.min(layout.width - place),
            -1 => left.min(place + 1),
            _ => left,
        };
        let part = &mut out[done..done + count];
        let at = row + place;
        match step {
            1 => part.copy_from_slice(&values[at..at + count]),
            -1 => {
                let back = values[at + 1 - count..at + 1].iter().rev();
                part.iter_mut().zip(back).for_each(|(out, value)| *out = *value);
            }
            _ => part.fill(values[at]),
        }
        done += count;
    }
}
