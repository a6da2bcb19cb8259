//! One stage of a task: convolutions, means, and the best or the policy's actions, by the functions
//! of [`rows`].
//!
//! The entry points are compiled for several vector widths, chosen at run time, except with the
//! feature `portable`.

use std::ops::Range;

use crate::game::{DiceSet, StateMemories};
use crate::solve::rows::{self, LANES, LaneArray, WeightedRow};
use crate::solve::stage_solver::{Decider, Payoff, StageTask};

use super::{Floats, RowsWorkspace, Source};

/// A range of places in a task's rows, in multiples of [`LANES`]; it may include unused columns
/// before and after.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    pub start: usize,
    pub end: usize,
}

impl Places {
    /// The places of some columns; `first` is the task's first column.
    pub fn of(columns: &Range<usize>, first: usize) -> Self {
        let end = (columns.end - first).next_multiple_of(LANES);
        Self { start: (columns.start - first) / LANES * LANES, end }
    }

    /// Splits the places into parts for which the rows of all actions fit a core's first-level
    /// cache.
    pub fn parts(self) -> impl Iterator<Item = Self> {
        (self.start..self.end)
            .step_by(PART)
            .map(move |start| Self { start, end: self.end.min(start + PART) })
    }

    #[inline(always)]
    fn lanes_of(self, row: &[f64]) -> &[LaneArray] {
        rows::lanes(&row[self.start..self.end])
    }

    #[inline(always)]
    fn of_row_mut(self, rows: &mut [f64], row: usize, width: usize) -> &mut [LaneArray] {
        rows::lanes_mut(&mut rows[row * width + self.start..row * width + self.end])
    }
}

const PART: usize = 8 * LANES;
const ZEROS: [f64; PART] = [0.0; PART];
/// Room for the rows of a sum, small enough for the allocator's fastest lists.
const ROWS: usize = 40;

impl RowsWorkspace {
    /// The row of successor values of a class in a stage; `None` if all are 0.
    #[inline(always)]
    fn successor_values_of(&self, class: usize, stage: usize) -> Option<&[f64]> {
        let of_stage = &self.successor_values[stage & (self.successor_values.len() - 1)];
        (stage <= self.highest).then(|| &of_stage[class * self.width..][..self.width])
    }

    /// The row of a clean sum in a stage; `None` if all are 0.
    #[inline(always)]
    fn sums_of(&self, convolution: usize, dice: usize, stage: usize) -> Option<&[f64]> {
        let row = self.rows_of_sums[convolution].0 + dice - 1;
        let of_stage = &self.sums[stage & (self.sums.len() - 1)];
        (stage <= self.highest).then(|| &of_stage[row * self.width..][..self.width])
    }

    /// The row of a source for a stage; `None` if all are 0.
    #[inline(always)]
    fn row_of(&self, source: Source, stage: usize) -> Option<&[f64]> {
        match source {
            Source::CleanSum { convolution, dice, points } => {
                self.sums_of(convolution, dice, stage + points)
            }
            Source::SuccessorValues { class, points } => {
                self.successor_values_of(class, stage + points)
            }
            Source::Deferred { class, points } => self.deferred.row(class, points),
        }
    }

    /// Computes the mean of the opponent's values after a distribution, at some places.
    #[inline(always)]
    fn means_at<'w>(
        &'w self,
        floats: &'w Floats,
        stage: usize,
        distribution: u32,
        at: Places,
        rows: &mut Vec<WeightedRow<'w>>,
        out: &mut [LaneArray],
    ) {
        let terms = &floats.terms[distribution as usize];
        rows.clear();
        for (source, weight) in &terms.sources {
            rows.extend(self.row_of(*source, stage).map(|row| (at.lanes_of(row), *weight)));
        }
        rows::means(out, rows, terms.scale);
    }

    /// Computes such means at a part's places, each of its own distribution: the means of each one
    /// `listed` (all of them must be) are computed at all places, then selected.
    #[inline(always)]
    fn means_of_each<'w>(
        &'w self,
        floats: &'w Floats,
        stage: usize,
        at: Places,
        distributions: &[u32],
        listed: &[u32],
        rows: &mut Vec<WeightedRow<'w>>,
        out: &mut [LaneArray],
    ) {
        self.means_at(floats, stage, listed[0], at, rows, out);
        let mut found = [0.0; PART];
        let found = &mut rows::lanes_mut(&mut found)[..out.len()];
        for distribution in &listed[1..] {
            self.means_at(floats, stage, *distribution, at, rows, found);
            rows::select(out, found, distributions, *distribution);
        }
    }
}

/// Lists distributions without duplicates.
fn list_unique(distributions: impl Iterator<Item = u32>, listed: &mut Vec<u32>) {
    listed.clear();
    for distribution in distributions {
        if !listed.contains(&distribution) {
            listed.push(distribution);
        }
    }
}

/// Computes the clean sums of a stage.
#[cfg_attr(
    not(feature = "portable"),
    multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))
)]
pub(super) fn convolve(floats: &Floats, stage: usize, goal: usize, workspace: &mut RowsWorkspace) {
    let slot = stage & (workspace.sums.len() - 1);
    let mut sums = std::mem::take(&mut workspace.sums[slot]);
    let last = (workspace.first + workspace.width).min(goal).min(stage + 1);
    let mut rows: Vec<WeightedRow> = Vec::with_capacity(8);
    for (index, convolved) in floats.convolutions.iter().enumerate() {
        let (first_row, most_dice) = workspace.rows_of_sums[index];
        for dice in 1..=most_dice {
            // Below the stage's first column the total is past the goal. Only the dice not yet
            // added and the offset lead there, each by fewer points than the ring has
            // stages.
            let passed = if convolved.passes_goal {
                (most_dice - dice + 1) * workspace.sums.len()
            } else {
                0
            };
            let least = (stage + 1).saturating_sub(goal + passed).max(workspace.first);
            if least >= last {
                continue;
            }
            let at = Places::of(&(least..last), workspace.first);
            rows.clear();
            for (points, weight) in &convolved.die {
                let row = match dice {
                    1 => workspace.successor_values_of(convolved.class, stage + points),
                    _ => workspace.sums_of(index, dice - 1, stage + points),
                };
                rows.extend(row.map(|row| (at.lanes_of(row), *weight)));
            }
            let out = at.of_row_mut(&mut sums, first_row + dice - 1, workspace.width);
            rows::combine(out, &rows);
        }
    }
    workspace.sums[slot] = sums;
}

/// Computes all needed means at some places of a stage.
#[cfg_attr(
    not(feature = "portable"),
    multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))
)]
pub(super) fn compute_means(
    floats: &Floats,
    stage: usize,
    at: Places,
    workspace: &mut RowsWorkspace,
) {
    let actions = workspace.selection.actions.clone().expect("the side chooses the best action");
    let mut means = std::mem::take(&mut workspace.means);
    let mut rows = Vec::with_capacity(ROWS);
    means.resize(means.len().max(actions.means.len() * workspace.width), 0.0);
    let set_of_column = &workspace.selection.set_of_column[at.start..at.end];
    let mut distributions = vec![0; set_of_column.len()];
    let mut listed = Vec::new();
    let mut present = vec![false; workspace.selection.sets.len()];
    set_of_column.iter().for_each(|index| present[*index as usize] = true);
    for (place, of_sets) in
        actions.means.iter().enumerate().filter(|(place, _)| !actions.certain[*place])
    {
        let out = at.of_row_mut(&mut means, place, workspace.width);
        if let [distribution] = of_sets[..] {
            workspace.means_at(floats, stage, distribution, at, &mut rows, out);
            continue;
        }
        distributions
            .iter_mut()
            .zip(set_of_column)
            .for_each(|(out, index)| *out = of_sets[*index as usize]);
        let present = of_sets.iter().zip(&present).filter(|(_, present)| **present);
        list_unique(present.map(|(distribution, _)| *distribution), &mut listed);
        workspace.means_of_each(floats, stage, at, &distributions, &listed, &mut rows, out);
    }
    workspace.means = means;
    compute_certain(floats, stage, at, workspace);
    if floats.payoff == Payoff::WinRate {
        (0..actions.means.len()).for_each(|place| {
            rows::complement(at.of_row_mut(&mut workspace.means, place, workspace.width))
        });
    }
}

/// Computes the means of the actions with a single roll in each column, as zero dice have, column
/// by column.
fn compute_certain(floats: &Floats, stage: usize, at: Places, workspace: &mut RowsWorkspace) {
    let actions = workspace.selection.actions.clone().expect("the side chooses the best action");
    let mut means = std::mem::take(&mut workspace.means);
    for (place, of_sets) in
        actions.means.iter().enumerate().filter(|(place, _)| actions.certain[*place])
    {
        // The value of the successor, and its deferred value; at least one of them is 0.
        let mut rows: Vec<[&[f64]; 2]> = Vec::with_capacity(of_sets.len());
        for distribution in of_sets {
            let sources = floats.terms[*distribution as usize].sources.iter();
            let found = sources.filter_map(|(source, _)| workspace.row_of(*source, stage));
            let mut both = [&ZEROS[..at.end - at.start]; 2];
            for (row, found) in both.iter_mut().zip(found) {
                *row = &found[at.start..at.end];
            }
            rows.push(both);
        }
        let out = at.of_row_mut(&mut means, place, workspace.width);
        for (out, column) in out.as_flattened_mut().iter_mut().zip(at.start..) {
            let [value, deferred] = rows[workspace.selection.set_of_column[column] as usize];
            *out = value[column - at.start] + deferred[column - at.start];
        }
    }
    workspace.means = means;
}

/// Chooses the best actions of all states of a task at some places.
#[cfg_attr(
    not(feature = "portable"),
    multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))
)]
pub(super) fn choose_best(
    at: Places,
    actions: usize,
    tolerance: f64,
    workspace: &mut RowsWorkspace,
    numbers: &mut [f64],
    sets: &mut [DiceSet],
) {
    let mut choices = std::mem::take(&mut workspace.choices);
    let width = workspace.width;
    let selected = workspace.selection.actions.as_ref().expect("the side chooses the best action");
    let mut rows: Vec<&[LaneArray]> = Vec::with_capacity(actions);
    for (row, places) in selected.places.chunks_exact(actions).enumerate() {
        rows.clear();
        rows.extend(
            places
                .iter()
                .map(|place| at.lanes_of(&workspace.means[*place as usize * width..][..width])),
        );
        let own = row * width + at.start..row * width + at.end;
        let best = at.of_row_mut(numbers, row, width);
        let choices = &mut choices[own.clone()];
        let sets = &mut sets[own];
        rows::argmax(&rows, tolerance, rows::Decisions { best, choices, sets });
    }
    workspace.choices = choices;
}

/// Evaluates the policy's action in all states of a task.
#[cfg_attr(
    not(feature = "portable"),
    multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))
)]
pub(super) fn evaluate_policy(
    floats: &Floats,
    task: &StageTask<f64>,
    workspace: &mut RowsWorkspace,
    numbers: &mut [f64],
    sets: &mut [DiceSet],
) {
    let (context, space, Decider::Fixed(plan)) =
        (&task.context, task.context.space(), task.side.decider)
    else {
        unreachable!("the policy is fixed")
    };
    let mut choices = std::mem::take(&mut workspace.choices);
    let width = workspace.width;
    let at = Places::of(&task.columns(), workspace.first);
    let mut rows = Vec::with_capacity(ROWS);
    let mut distributions = vec![0; width];
    let mut listed = Vec::new();
    for row in 0..space.shared * space.mine {
        let memories = StateMemories {
            shared: row / space.mine,
            mine: row % space.mine,
            theirs: task.theirs(),
        };
        for (index, column) in task.columns().enumerate() {
            let action = plan.action(context.state(task.stage, column, memories));
            let distribution = context.action_set(task.stage, column, memories)[action];
            let place = column - workspace.first;
            if index == 0 {
                distributions.fill(distribution);
            }
            distributions[place] = distribution;
            sets[row * width + place] = 1 << action;
            choices[row * width + place] = action as u8;
        }
        for part in at.parts() {
            let distributions = &distributions[part.start..part.end];
            let out = part.of_row_mut(numbers, row, width);
            list_unique(distributions.iter().copied(), &mut listed);
            workspace.means_of_each(
                floats,
                task.stage,
                part,
                distributions,
                &listed,
                &mut rows,
                out,
            );
            if floats.payoff == Payoff::WinRate {
                rows::complement(out);
            }
        }
    }
    workspace.choices = choices;
}
