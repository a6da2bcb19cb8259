//! What arriving at totals is worth: taken in when a stage is solved, or deferred to the stage whose turns lead there.

use std::ops::Range;

use crate::kernel::{Kernel, OutcomeClass, Segment, Target};
use crate::solve::layout::Layout;
use crate::solve::numbers::{Job, Payoff};

use super::{Floats, RowsWork};

/// The deferred arrivals of one stage.
#[derive(Debug)]
pub(super) struct Deferred {
    width: usize,
    /// By class that defers and points: the row with its values, if there are any in this stage.
    row_of: Vec<Vec<Option<u32>>>,
    rows: Vec<f64>,
    count: usize,
}

impl Deferred {
    pub fn new(kernel: &Kernel, width: usize) -> Self {
        let places = |class: &OutcomeClass| match class.successors.defers() {
            true => vec![None; class.successors.points.last().map_or(0, |most| most + 1)],
            false => Vec::new(),
        };
        Self { width, row_of: kernel.classes.iter().map(places).collect(), rows: Vec::new(), count: 0 }
    }

    /// What is deferred from the outcomes of a class with so many points, by column of the task.
    #[inline(always)]
    pub fn row(&self, class: usize, points: usize) -> Option<&[f64]> {
        let row = self.row_of[class][points]? as usize;
        Some(&self.rows[row * self.width..(row + 1) * self.width])
    }

    fn clear(&mut self) {
        self.row_of.iter_mut().for_each(|of_class| of_class.fill(None));
        self.count = 0;
    }

    /// The same, to be written; a new row is zeros.
    fn row_mut(&mut self, class: usize, points: usize) -> &mut [f64] {
        let row = self.row_of[class][points].unwrap_or_else(|| {
            let row = self.count;
            (self.row_of[class][points], self.count) = (Some(row as u32), row + 1);
            self.rows.resize(self.rows.len().max(self.count * self.width), 0.0);
            self.rows[row * self.width..(row + 1) * self.width].fill(0.0);
            row as u32
        });
        let row = row as usize;
        &mut self.rows[row * self.width..(row + 1) * self.width]
    }
}

impl Floats {
    /// Readies the arrivals of the stage itself for turns of no points: those that leave it get their worth, the others count
    /// as won.
    pub(super) fn foresee(&self, job: &Job<f64>, work: &mut RowsWork) {
        let slot = job.stage & (work.arrivals.len() - 1);
        let mut arrivals = std::mem::take(&mut work.arrivals[slot]);
        for (class, row) in job.context.kernel.classes.iter().zip(arrivals.chunks_exact_mut(work.width)) {
            row.fill(0.0);
            let all = job.context.layout.columns_of_task(job.task);
            for segment in class.successors.known(job.stage).iter().filter_map(|segment| segment.within(&all)) {
                if !matches!(segment.target, Target::Cell { stage, .. } if stage as usize <= job.stage) {
                    self.copy(job, class, &segment, &mut row[segment.first as usize - all.start..]);
                }
            }
        }
        work.arrivals[slot] = arrivals;
    }

    /// Takes in a stage that is solved: what arriving in it is worth.
    pub(super) fn take_arrivals(&self, job: &Job<f64>, work: &mut RowsWork) {
        let slot = job.stage & (work.arrivals.len() - 1);
        let mut arrivals = std::mem::take(&mut work.arrivals[slot]);
        let (all, cells) = (job.context.layout.columns_of_task(job.task), job.columns());
        for (class, row) in job.context.kernel.classes.iter().zip(arrivals.chunks_exact_mut(work.width)) {
            // Below the first column of the stage the mover has won.
            row.fill(0.0);
            if !cells.is_empty() && !class.successors.is_exceptional(job.stage, &cells) {
                let regular = Segment::regular(job.stage, &cells);
                self.copy(job, class, &regular, &mut row[cells.start - all.start..]);
            }
            for segment in class.successors.known(job.stage).iter().filter_map(|segment| segment.within(&all)) {
                self.copy(job, class, &segment, &mut row[segment.first as usize - all.start..]);
            }
            for segment in class.successors.left_out(job.stage).iter().filter_map(|segment| segment.within(&all)) {
                row[segment.first as usize - all.start..][..segment.count as usize].fill(0.0);
            }
        }
        work.arrivals[slot] = arrivals;
    }

    /// Finds what the turns of a stage are worth that lead to deferred arrivals.
    pub(super) fn defer(&self, job: &Job<f64>, work: &mut RowsWork) {
        let columns = job.columns();
        let (deferred, first) = (&mut work.deferred, work.first);
        deferred.clear();
        for (number, class) in
            job.context.kernel.classes.iter().enumerate().filter(|(_, class)| class.successors.defers())
        {
            for (place, points) in class.successors.points.iter().enumerate() {
                let totals = job.stage + points;
                if !class.successors.defers_from(totals) {
                    continue;
                }
                for segment in class.successors.deferred(totals, place).filter_map(|segment| segment.within(&columns)) {
                    let row = deferred.row_mut(number, *points);
                    if !matches!(segment.target, Target::Cell { stage, .. } if stage as usize <= job.stage) {
                        self.copy(job, class, &segment, &mut row[segment.first as usize - first..]);
                    }
                }
            }
        }
    }

    /// Copies what the columns of a segment are worth to the opponent.
    fn copy(&self, job: &Job<f64>, class: &OutcomeClass, segment: &Segment, out: &mut [f64]) {
        let (layout, theirs) = (&job.context.layout, job.theirs());
        let out = &mut out[..segment.count as usize];
        let (again, stage, column) = match segment.target {
            Target::End(end) => return out.fill(if self.payoff == Payoff::Endless { 0.0 } else { end.lost() }),
            Target::Cell { again, stage, column } => (again, stage as usize, column as usize),
        };
        let (side, memories) = match again {
            false => {
                (job.side.other, (usize::from(class.outcome.shared[0]), theirs, usize::from(class.outcome.mine[0])))
            }
            true => (job.side.own, (usize::from(class.outcome.shared[1]), usize::from(class.outcome.mine[1]), theirs)),
        };
        let values = &job.solved[side][stage];
        copy_columns(layout, (values, memories), (column, segment.step), out);
        if again {
            out.iter_mut().for_each(|value| *value = self.complement_of(*value));
        }
    }
}

/// Copies the values of some memory classes at a column and those beyond it, `step` by `step`.
fn copy_columns(
    layout: &Layout,
    (values, memories): (&[f64], (usize, usize, usize)),
    (column, step): (usize, i32),
    out: &mut [f64],
) {
    let mut done = 0;
    while done < out.len() {
        let at = (column as i64 + i64::from(step) * done as i64) as usize;
        let (block, place) = layout.place(at);
        let row = layout.row(block, memories);
        // As far as the columns are of one block.
        let left = out.len() - done;
        let count = match step {
            1 => left.min(layout.width() - place),
            -1 => left.min(place + 1),
            _ => left,
        };
        let part = &mut out[done..done + count];
        let range = |range: Range<usize>| &values[row + range.start..row + range.end];
        match step {
            1 => part.copy_from_slice(range(place..place + count)),
            -1 => part
                .iter_mut()
                .zip(range(place + 1 - count..place + 1).iter().rev())
                .for_each(|(out, value)| *out = *value),
            _ => part.fill(values[row + place]),
        }
        done += count;
    }
}
