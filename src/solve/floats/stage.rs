//! One stage of a task: convolutions, means, and the best or the played action, as calls of the functions of [`rows`].

use std::ops::Range;

use crate::game::DiceSet;
use crate::solve::kernel::{Distribution, Kernel};
use crate::solve::numbers::Payoff;
use crate::solve::rows::{self, LANES, LaneArray};

use super::selection::ActionRow;
use super::{Floats, RowsWork};

/// Columns of a task as places of its rows: whole lanes, so that some columns before and after may be worked on that nobody asks
/// for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    pub start: usize,
    pub end: usize,
}

impl Places {
    /// Of columns, the first of the task being `first`.
    pub fn of(columns: &Range<usize>, first: usize) -> Self {
        let end = (columns.end - first).next_multiple_of(LANES);
        Self { start: (columns.start - first) / LANES * LANES, end }
    }

    /// Some of them at a time: as many as keep the rows of all actions within a core's first cache.
    pub fn parts(self) -> impl Iterator<Item = Self> {
        (self.start..self.end).step_by(PART).map(move |start| Self { start, end: self.end.min(start + PART) })
    }

    #[inline(always)]
    fn of_row(self, rows: &[f64], row: usize, width: usize) -> &[LaneArray] {
        rows::lanes(&rows[row * width + self.start..row * width + self.end])
    }

    #[inline(always)]
    fn of_row_mut(self, rows: &mut [f64], row: usize, width: usize) -> &mut [LaneArray] {
        rows::lanes_mut(&mut rows[row * width + self.start..row * width + self.end])
    }
}

/// Columns of a part.
const PART: usize = 8 * LANES;

impl RowsWork {
    /// What is kept of the arrivals of a class in a stage.
    #[inline(always)]
    fn arrivals_of(&self, class: usize, stage: usize, at: Places) -> &[LaneArray] {
        at.of_row(&self.arrivals[stage & (self.arrivals.len() - 1)], class, self.width)
    }

    /// What is kept of a clean sum in a stage.
    #[inline(always)]
    fn sums_of(&self, (convolution, dice): (usize, usize), stage: usize, at: Places) -> &[LaneArray] {
        let row = self.rows_of_sums[convolution].0 + dice - 1;
        at.of_row(&self.sums[stage & (self.sums.len() - 1)], row, self.width)
    }
}

/// Readies the clean sums of a stage.
#[cfg_attr(
    not(feature = "portable"),
    multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+avx"))
)]
pub(super) fn convolve(floats: &Floats, (stage, goal): (usize, usize), work: &mut RowsWork) {
    let slot = stage & (work.sums.len() - 1);
    let mut sums = std::mem::take(&mut work.sums[slot]);
    let last = (work.first + work.width).min(goal).min(stage + 1);
    let mut rows: Vec<&[LaneArray]> = Vec::with_capacity(8);
    for (index, convolved) in floats.convolutions.iter().enumerate() {
        // Below the first column of the stage the goal is passed.
        let least = if convolved.passes_goal { 0 } else { (stage + 1).saturating_sub(goal) }.max(work.first);
        if least >= last {
            continue;
        }
        let (at, (first_row, most_dice)) = (Places::of(&(least..last), work.first), work.rows_of_sums[index]);
        for dice in 1..=most_dice {
            rows.clear();
            for points in &convolved.points {
                rows.push(match dice {
                    1 => work.arrivals_of(convolved.class, stage + points, at),
                    _ => work.sums_of((index, dice - 1), stage + points, at),
                });
            }
            let out = at.of_row_mut(&mut sums, first_row + dice - 1, work.width);
            rows::combine(out, &rows, &convolved.weights, convolved.unit);
        }
    }
    work.sums[slot] = sums;
}

/// Finds the means of all distributions needed at some places of a stage.
#[cfg_attr(
    not(feature = "portable"),
    multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+avx"))
)]
pub(super) fn find_means(floats: &Floats, (kernel, stage): (&Kernel, usize), at: Places, work: &mut RowsWork) {
    let mut means = std::mem::take(&mut work.means);
    means.resize(means.len().max(work.selection.needed().len() * work.width), 0.0);
    let (mut rows, mut weights) = (Vec::with_capacity(64), Vec::with_capacity(64));
    for (place, needed) in work.selection.needed().iter().enumerate() {
        let distribution = &kernel.distributions[needed.distribution as usize];
        for at in needed.runs(at) {
            rows.clear();
            weights.clear();
            read(work, distribution, (stage, at), &mut rows, &mut weights);
            let out = at.of_row_mut(&mut means, place, work.width);
            rows::means(out, &rows, &weights, (1.0 / distribution.total as f64, floats.payoff == Payoff::WinRate));
        }
    }
    work.means = means;
}

/// Lists all rows that a distribution is summed from, the clean sum first.
#[inline(always)]
fn read<'w>(
    work: &'w RowsWork,
    distribution: &Distribution,
    (stage, at): (usize, Places),
    rows: &mut Vec<&'w [LaneArray]>,
    weights: &mut Vec<f64>,
) {
    if let Some(clean) = &distribution.clean {
        rows.push(work.sums_of((clean.convolution, clean.dice), stage + clean.offset, at));
        weights.push(1.0);
    }
    for outcome in &distribution.remainder {
        rows.push(work.arrivals_of(outcome.class, stage + outcome.points, at));
        weights.push(outcome.weight as f64);
    }
    for outcome in &distribution.deferred {
        if let Some(row) = work.deferred.row(outcome.class, outcome.points) {
            rows.push(rows::lanes(&row[at.start..at.end]));
            weights.push(outcome.weight as f64);
        }
    }
}

/// Takes the best action in all states of a task, at some places.
#[cfg_attr(
    not(feature = "portable"),
    multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+avx"))
)]
pub(super) fn take_best(
    (at, actions, tolerance): (Places, usize, f64),
    work: &mut RowsWork,
    (numbers, sets): (&mut [f64], &mut [DiceSet]),
) {
    mix(at, work);
    let (mut choices, width) = (std::mem::take(&mut work.choices), work.width);
    let selected = work.selection.actions.as_ref().expect("the side's best is asked for");
    let mut rows: Vec<&[LaneArray]> = Vec::with_capacity(actions);
    for (row, offered) in selected.rows.chunks_exact(actions).enumerate() {
        rows.clear();
        for action in offered {
            rows.push(match action {
                ActionRow::Uniform(place) => at.of_row(&work.means, *place as usize, width),
                ActionRow::Mixed(place) => at.of_row(&work.mixed, *place as usize, width),
            });
        }
        let own = row * width + at.start..row * width + at.end;
        let best = at.of_row_mut(numbers, row, width);
        let (choices, sets) = (&mut choices[own.clone()], &mut sets[own]);
        rows::argmax(&rows, tolerance, rows::Decisions { best, choices, sets });
    }
    work.choices = choices;
}

/// Puts rows of actions together that are not the same distribution at all columns.
#[inline(always)]
fn mix(at: Places, work: &mut RowsWork) {
    let selected = work.selection.actions.as_ref().expect("the side's best is asked for");
    let width = work.width;
    work.mixed.resize(work.mixed.len().max(selected.mixes.len() * width), 0.0);
    for (row, mix) in selected.mixes.iter().enumerate() {
        for (kind, place) in mix.iter().enumerate() {
            let means = at.of_row(&work.means, *place as usize, width);
            let kinds = at.of_row(&work.selection.kinds, 0, width);
            rows::select(at.of_row_mut(&mut work.mixed, row, width), means, kinds, kind as f64);
        }
    }
}

/// Takes the policy's action in all states of a task.
pub(super) fn take_played(columns: &Range<usize>, work: &mut RowsWork, (numbers, sets): (&mut [f64], &mut [DiceSet])) {
    let (at, width) = (Places::of(columns, work.first), work.width);
    let played = work.selection.played.as_ref().expect("the policy is fixed");
    let count = at.end - at.start;
    for (row, (places, choices)) in
        played.places.chunks_exact(count).zip(played.choices.chunks_exact(count)).enumerate()
    {
        let own = row * width + at.start..row * width + at.end;
        let out = numbers[own.clone()].iter_mut().zip(&mut sets[own.clone()]);
        for ((column, (number, set)), (place, choice)) in (at.start..).zip(out).zip(places.iter().zip(choices)) {
            (*number, *set) = (work.means[*place as usize * width + column], 1 << choice);
        }
        work.choices[own].copy_from_slice(choices);
    }
}
