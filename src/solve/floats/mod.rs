//! Games solved in doubles, a row of columns at a time.
//!
//! A turn of p points from a cell of stage s and column o leads to the totals of stage s + p in the same column, so a row of
//! cells reads rows:
//!
//! * `arrivals[class][s]`: what it is worth to the opponent that the totals of stage s are reached, rules on totals applied;
//!   0 where that is not known before the turn's points are (see [`Successors`](super::kernel::Successors)).
//! * `sums[n][s]`: the weighted sum of arrivals over all rolls of n dice without a 1. One die more is one convolution:
//!   `sums[n][s] = sum over what a die brings, p, of weight(p) * sums[n - 1][s + p]`, with `sums[0] = arrivals`.
//! * `deferred[class, points]`: the arrivals left out above, as the turns of this stage meet them.
//!
//! The mean of a distribution is `1 - (clean sum + remainder + deferred) / total`, a few rows for all columns at once.

mod arrivals;
mod selection;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

use dashu_ratio::RBig;

use crate::game::{DiceSet, End, Game, Plan, Space};

use super::bounds;
use super::exact::nearest_double;
use super::kernel::{Distribution, Kernel};
use super::layout::Memories;
use super::numbers::{Context, Decider, Job, Numbers, Payoff, Side};
use super::rows;
pub(super) use selection::PreparedPolicy;
use selection::{ActionRow, Selection};

/// Doubles with a bound on the error of every stage; ties are values closer than twice the bound.
#[derive(Debug)]
pub(super) struct Floats {
    payoff: Payoff,
    /// By stage.
    bounds: Vec<f64>,
    convolutions: Vec<Convolved>,
    /// Stages of arrivals and of clean sums that turns may still read, or more: powers of 2, by which division is a mask.
    arrivals_kept: usize,
    sums_kept: usize,
}

/// A convolution of the kernel, its weights as doubles.
#[derive(Debug)]
struct Convolved {
    class: usize,
    points: Vec<usize>,
    weights: Vec<f64>,
    most_dice: usize,
    /// Whether sums from past the goal are not all 0.
    passes_goal: bool,
}

/// Blocks of more columns are cut, so that what a task keeps fits a core's cache.
const WIDTH: usize = 512;

/// The rows that a task keeps.
#[derive(Debug)]
pub(super) struct Work {
    first: usize,
    width: usize,
    /// By stage, in turns: by class and column.
    arrivals: Vec<Vec<f64>>,
    /// By stage, in turns: by convolution, number of dice from 1, and column.
    sums: Vec<Vec<f64>>,
    /// Of each convolution: its first row, and how many dice this side may roll.
    rows_of_sums: Vec<(usize, usize)>,
    selection: Selection,
    /// By place among the needed distributions, and column.
    means: Vec<f64>,
    /// By mix and column.
    mixed: Vec<f64>,
    deferred: arrivals::Deferred,
    /// By row, in the order of the results, and column.
    choices: Vec<u8>,
    /// Choices and sets of one row.
    decisions: Vec<f64>,
}

impl Floats {
    /// For a game and what is asked of it.
    pub fn new(game: &Game, kernel: &Kernel, payoff: Payoff) -> Self {
        let convolved = |convolution: &super::kernel::Convolution| Convolved {
            class: convolution.class,
            points: convolution.die.iter().map(|(points, _)| *points).collect(),
            weights: convolution.die.iter().map(|(_, weight)| *weight as f64).collect(),
            most_dice: convolution.most_dice,
            passes_goal: kernel.classes[convolution.class].successors.passes_goal(kernel.space.goal),
        };
        Self {
            payoff,
            bounds: bounds::by_stage(game, kernel),
            convolutions: kernel.convolutions.iter().map(convolved).collect(),
            arrivals_kept: (kernel.direct_reach + 1).next_power_of_two(),
            sums_kept: (kernel.convolution_reach + 1).next_power_of_two(),
        }
    }

    /// What is computed.
    pub fn payoff(&self) -> Payoff {
        self.payoff
    }

    /// The bound on the error of every value.
    pub fn bound(&self) -> f64 {
        self.bounds[0]
    }

    /// What the end of the game is worth to the opponent of who has just moved.
    fn end(&self, end: End) -> f64 {
        match (self.payoff, end) {
            (Payoff::Endless, _) | (_, End::Won) => 0.0,
            (_, End::Lost) => 1.0,
            (_, End::Tied) => 0.5,
        }
    }

    fn complement_of(&self, value: f64) -> f64 {
        if self.payoff == Payoff::WinRate { 1.0 - value } else { value }
    }

    /// Makes a policy ready to be evaluated more than once; `None` in games with memory, or with more than one task.
    pub fn prepare(&self, context: &Context, plan: &Plan) -> Option<PreparedPolicy> {
        if context.layout.tasks() > 1 || context.space().per_cell() > 1 {
            return None;
        }
        let side = Side { decider: Decider::Fixed(plan), own: 0, other: 0, prepared: None };
        let most_dice = self.most_dice(context, &side);
        let mut selection = Selection::default();
        let of_stage = |stage: usize| {
            selection.find(&Job::<f64> { context: *context, side: &side, stage, task: 0, solved: [&[], &[]] });
            selection.played.clone().expect("the policy is fixed")
        };
        Some(PreparedPolicy { most_dice, stages: (0..context.layout.stages()).map(of_stage).collect() })
    }

    /// The most dice of each convolution that a side may roll.
    fn most_dice(&self, context: &Context, side: &Side) -> Vec<usize> {
        if let Some(prepared) = side.prepared {
            return prepared.most_dice.clone();
        }
        let all: Vec<usize> = self.convolutions.iter().map(|convolved| convolved.most_dice).collect();
        let Decider::Fixed(plan) = side.decider else { return all };
        let mut used = vec![false; context.kernel.distributions.len()];
        for stage in 0..context.layout.stages() {
            for (column, memories) in
                context.layout.columns(stage).flat_map(|column| context.layout.memories().map(move |it| (column, it)))
            {
                let action = plan.action(context.state(stage, column, memories));
                used[context.action_set(stage, column, memories)[action] as usize] = true;
            }
        }
        let mut most = vec![0; all.len()];
        let played = context.kernel.distributions.iter().zip(used).filter(|(_, used)| *used);
        for clean in played.filter_map(|(distribution, _)| distribution.clean) {
            most[clean.convolution] = clean.dice.max(most[clean.convolution]);
        }
        most
    }
}

/// Columns of a task as places of its rows.
#[derive(Clone, Copy)]
struct Places {
    start: usize,
    end: usize,
}

impl Work {
    fn places(&self, columns: &Range<usize>) -> Places {
        Places { start: columns.start - self.first, end: columns.end - self.first }
    }

    /// What is kept of the arrivals of a class in a stage.
    #[inline(always)]
    fn arrivals_of(&self, class: usize, stage: usize, at: Places) -> &[f64] {
        let row = class * self.width;
        &self.arrivals[stage & (self.arrivals.len() - 1)][row + at.start..row + at.end]
    }

    /// What is kept of a clean sum in a stage.
    #[inline(always)]
    fn sums_of(&self, (convolution, dice): (usize, usize), stage: usize, at: Places) -> &[f64] {
        let row = (self.rows_of_sums[convolution].0 + dice - 1) * self.width;
        &self.sums[stage & (self.sums.len() - 1)][row + at.start..row + at.end]
    }
}

/// Readies the clean sums of a stage.
#[cfg_attr(not(feature = "portable"), multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+avx")))]
fn convolve(floats: &Floats, (stage, goal): (usize, usize), work: &mut Work) {
    let slot = stage & (work.sums.len() - 1);
    let mut sums = std::mem::take(&mut work.sums[slot]);
    let last = (work.first + work.width).min(goal).min(stage + 1);
    let mut rows: Vec<&[f64]> = Vec::with_capacity(8);
    for (index, convolved) in floats.convolutions.iter().enumerate() {
        // Below the first column of the stage the goal is passed.
        let least = if convolved.passes_goal { 0 } else { (stage + 1).saturating_sub(goal) };
        let at = Places { start: least.max(work.first) - work.first, end: last.saturating_sub(work.first) };
        if at.start >= at.end {
            continue;
        }
        let (first_row, most_dice) = work.rows_of_sums[index];
        for dice in 1..=most_dice {
            rows.clear();
            for points in &convolved.points {
                rows.push(match dice {
                    1 => work.arrivals_of(convolved.class, stage + points, at),
                    _ => work.sums_of((index, dice - 1), stage + points, at),
                });
            }
            let row = (first_row + dice - 1) * work.width;
            rows::combine(&mut sums[row + at.start..row + at.end], &rows, &convolved.weights);
        }
    }
    work.sums[slot] = sums;
}

/// Finds the means of all distributions needed in a stage.
#[cfg_attr(not(feature = "portable"), multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+avx")))]
fn find_means(floats: &Floats, (kernel, stage): (&Kernel, usize), columns: &Range<usize>, work: &mut Work) {
    let mut means = std::mem::take(&mut work.means);
    means.resize(means.len().max(work.selection.needed().len() * work.width), 0.0);
    let (mut rows, mut weights) = (Vec::with_capacity(64), Vec::with_capacity(64));
    for (place, needed) in work.selection.needed().iter().enumerate() {
        let distribution = &kernel.distributions[needed.distribution as usize];
        for run in needed.runs(columns) {
            let at = work.places(&run);
            let out = &mut means[place * work.width + at.start..place * work.width + at.end];
            rows.clear();
            weights.clear();
            read(work, distribution, (stage, at), &mut rows, &mut weights);
            rows::means(out, &rows, &weights, (1.0 / distribution.total as f64, floats.payoff == Payoff::WinRate));
        }
    }
    work.means = means;
}

/// Lists all rows that a distribution is summed from, the clean sum first.
#[inline(always)]
fn read<'w>(
    work: &'w Work,
    distribution: &Distribution,
    (stage, at): (usize, Places),
    rows: &mut Vec<&'w [f64]>,
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
            rows.push(&row[at.start..at.end]);
            weights.push(outcome.weight as f64);
        }
    }
}

/// Takes the best action, or the policy's, in all states of a task.
#[cfg_attr(not(feature = "portable"), multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+avx")))]
fn decide(
    (columns, actions, tolerance): (Range<usize>, usize, f64),
    work: &mut Work,
    (numbers, sets): (&mut [f64], &mut [DiceSet]),
) {
    let (at, width) = (work.places(&columns), work.width);
    if work.selection.played.is_some() {
        return take_played(&columns, work, (numbers, sets));
    }
    mix(at, work);
    let (mut choices, mut decisions) = (std::mem::take(&mut work.choices), std::mem::take(&mut work.decisions));
    let selected = work.selection.actions.as_ref().expect("looked at above");
    let mut rows: Vec<&[f64]> = Vec::with_capacity(actions);
    for (row, offered) in selected.rows.chunks_exact(actions).enumerate() {
        rows.clear();
        for action in offered {
            let (means, place) = match action {
                ActionRow::Uniform(place) => (&work.means, *place as usize),
                ActionRow::Mixed(place) => (&work.mixed, *place as usize),
            };
            rows.push(&means[place * width + at.start..place * width + at.end]);
        }
        let own = row * width + at.start..row * width + at.end;
        let (chosen, near) = decisions.split_at_mut(width);
        let (chosen, near) = (&mut chosen[at.start..at.end], &mut near[at.start..at.end]);
        let best = &mut numbers[own.clone()];
        rows::argmax(&rows, tolerance, rows::Decisions { best, choices: chosen, sets: near });
        for (((set, near), choice), chosen) in sets[own.clone()].iter_mut().zip(near).zip(&mut choices[own]).zip(chosen) {
            // Whole numbers in range, which need no saturation.
            (*set, *choice) = (*near as i64 as u32, *chosen as i32 as u8);
        }
    }
    (work.choices, work.decisions) = (choices, decisions);
}

/// Puts rows of actions together that are not the same distribution at all columns.
#[inline(always)]
fn mix(at: Places, work: &mut Work) {
    let selected = work.selection.actions.as_ref().expect("the side's best is asked for");
    let (width, kinds) = (work.width, &work.selection.kinds[at.start..at.end]);
    work.mixed.resize(work.mixed.len().max(selected.mixes.len() * width), 0.0);
    for (row, mix) in selected.mixes.iter().enumerate() {
        let out = &mut work.mixed[row * width + at.start..row * width + at.end];
        for (kind, place) in mix.iter().enumerate() {
            let place = *place as usize;
            rows::select(out, &work.means[place * width + at.start..place * width + at.end], kinds, kind as f64);
        }
    }
}

#[inline(always)]
fn take_played(columns: &Range<usize>, work: &mut Work, (numbers, sets): (&mut [f64], &mut [DiceSet])) {
    let (at, width, count) = (work.places(columns), work.width, columns.len());
    let played = work.selection.played.as_ref().expect("the policy is fixed");
    for (row, (places, choices)) in played.places.chunks_exact(count).zip(played.choices.chunks_exact(count)).enumerate() {
        let own = row * width + at.start..row * width + at.end;
        for (place, needed) in work.selection.needed().iter().enumerate() {
            let means = &work.means[place * width..(place + 1) * width];
            for run in needed.runs(columns) {
                let (start, end) = (run.start - work.first, run.end - work.first);
                let numbers = &mut numbers[row * width + start..row * width + end];
                rows::select(numbers, &means[start..end], &places[start - at.start..end - at.start], place as f64);
            }
        }
        for (set, choice) in sets[own.clone()].iter_mut().zip(choices) {
            *set = 1 << choice;
        }
        work.choices[own].copy_from_slice(choices);
    }
}

impl Numbers for Floats {
    type Word = f64;
    type Work = Work;

    fn words(&self, _: usize) -> usize {
        1
    }

    fn width(&self, space: &Space) -> usize {
        if space.goal <= 2 * WIDTH { space.goal } else { WIDTH }
    }

    fn work(&self, context: &Context, side: &Side, task: usize) -> Work {
        let (width, mut rows) = (context.layout.width(), 0);
        let rows_of_sums: Vec<(usize, usize)> = self
            .most_dice(context, side)
            .into_iter()
            .map(|most_dice| {
                rows += most_dice;
                (rows - most_dice, most_dice)
            })
            .collect();
        Work {
            first: context.layout.columns_of_task(task).start,
            width,
            arrivals: vec![vec![0.0; context.kernel.classes.len() * width]; self.arrivals_kept],
            sums: vec![vec![0.0; rows * width]; self.sums_kept],
            rows_of_sums,
            selection: Selection::default(),
            means: Vec::new(),
            mixed: Vec::new(),
            deferred: arrivals::Deferred::new(context.kernel, width),
            choices: vec![0; context.layout.numbers_of_task()],
            decisions: vec![0.0; 2 * width],
        }
    }

    fn solve(&self, job: &Job<f64>, work: &mut Work, (numbers, sets): (&mut [f64], &mut [DiceSet])) {
        let context = &job.context;
        if context.kernel.reads_own_stage {
            self.foresee(job, work);
        }
        convolve(self, (job.stage, context.space().goal), work);
        if job.columns().is_empty() {
            return;
        }
        self.defer(job, work);
        work.selection.find(job);
        find_means(self, (context.kernel, job.stage), &job.columns(), work);
        decide((job.columns(), context.space().actions, self.tolerance(job.stage)), work, (numbers, sets));
    }

    fn choices<'w>(&self, work: &'w Work) -> Option<&'w [u8]> {
        Some(&work.choices)
    }

    fn base(
        &self,
        job: &Job<f64>,
        work: &mut Work,
        (column, (shared, mine, _)): (usize, Memories),
        action: usize,
        value: &mut Vec<f64>,
    ) {
        let space = job.context.space();
        let row = shared * space.mine + mine;
        let place = work.selection.place((row, action), (space.actions, &job.columns()), column);
        value.clear();
        value.push(work.means[place * work.width + column - work.first]);
    }

    fn arrive(&self, job: &Job<f64>, work: &mut Work) {
        self.take_arrivals(job, work);
    }

    fn compare(&self, a: &[f64], b: &[f64]) -> Ordering {
        // Win rates are numbers, never NaN; equal ones count as equal.
        a[0].partial_cmp(&b[0]).unwrap_or(Ordering::Equal)
    }

    fn ties(&self, best: &[f64], other: &[f64], stage: usize) -> bool {
        best[0] - other[0] <= self.tolerance(stage)
    }

    fn tolerance(&self, stage: usize) -> f64 {
        2.0 * self.bounds[stage]
    }

    fn complement(&self, number: &[f64], _: usize) -> Vec<f64> {
        vec![self.complement_of(number[0])]
    }

    fn to_rational(&self, number: &[f64], _: usize) -> RBig {
        RBig::try_from(number[0]).expect("win rates are finite")
    }

    fn nearest(&self, value: &RBig, _: usize) -> Vec<f64> {
        vec![nearest_double(value)]
    }

    fn doubles<'n>(&self, numbers: &'n [f64], _: usize) -> Cow<'n, [f64]> {
        Cow::Borrowed(numbers)
    }
}
