//! Games solved in doubles, a row of columns at a time.
//!
//! A turn of p points from a cell of stage s and column o leads to the totals of stage s + p in the same column, so a row of
//! cells reads rows:
//!
//! * `arrivals[class][s]`: what it is worth to the opponent that the totals of stage s are reached, rules on totals applied;
//!   0 where that is not known before the turn's points are (see [`ClassSuccessors`](super::kernel::ClassSuccessors)).
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
use super::numbers::{Decider, Job, Numbers, PassContext, Payoff, Side};
use super::rows::{self, LANES, LaneArray};
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
    /// Whether all weights are 1.
    unit: bool,
    most_dice: usize,
    /// Whether sums from past the goal are not all 0.
    passes_goal: bool,
}

/// Blocks of more columns are cut, so that what a task keeps fits a core's cache.
const WIDTH: usize = 512;

/// The rows that a task keeps.
#[derive(Debug)]
pub(super) struct RowsWork {
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
}

impl Floats {
    /// For a game and what is asked of it.
    pub fn new(game: &Game, kernel: &Kernel, payoff: Payoff) -> Self {
        let convolved = |convolution: &super::kernel::Convolution| Convolved {
            class: convolution.class,
            points: convolution.die.iter().map(|(points, _)| *points).collect(),
            weights: convolution.die.iter().map(|(_, weight)| *weight as f64).collect(),
            unit: convolution.die.iter().all(|(_, weight)| *weight == 1),
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
    pub fn prepare(&self, context: &PassContext, plan: &Plan) -> Option<PreparedPolicy> {
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
    fn most_dice(&self, context: &PassContext, side: &Side) -> Vec<usize> {
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

/// Columns of a task as places of its rows: whole lanes, so that some columns before and after may be worked on that nobody asks
/// for.
#[derive(Clone, Copy, Debug)]
struct Places {
    start: usize,
    end: usize,
}

impl Places {
    /// Of columns, the first of the task being `first`.
    fn of(columns: &Range<usize>, first: usize) -> Self {
        let end = (columns.end - first).next_multiple_of(LANES);
        Self { start: (columns.start - first) / LANES * LANES, end }
    }

    /// Some of them at a time: as many as keep the rows of all actions within a core's first cache.
    fn parts(self) -> impl Iterator<Item = Self> {
        (self.start..self.end).step_by(PART).map(move |start| Self { start, end: self.end.min(start + PART) })
    }

    /// As columns, the first of the task being `first`.
    fn columns(self, first: usize) -> Range<usize> {
        self.start + first..self.end + first
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
fn convolve(floats: &Floats, (stage, goal): (usize, usize), work: &mut RowsWork) {
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
fn find_means(floats: &Floats, (kernel, stage): (&Kernel, usize), at: Places, work: &mut RowsWork) {
    let mut means = std::mem::take(&mut work.means);
    means.resize(means.len().max(work.selection.needed().len() * work.width), 0.0);
    let (mut rows, mut weights) = (Vec::with_capacity(64), Vec::with_capacity(64));
    for (place, needed) in work.selection.needed().iter().enumerate() {
        let distribution = &kernel.distributions[needed.distribution as usize];
        for run in needed.runs(&at.columns(work.first)) {
            let at = Places::of(&run, work.first);
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
fn take_best(
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
fn take_played(columns: &Range<usize>, work: &mut RowsWork, (numbers, sets): (&mut [f64], &mut [DiceSet])) {
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

impl Numbers for Floats {
    type Word = f64;
    type Work = RowsWork;

    fn words(&self, _: usize) -> usize {
        1
    }

    fn width(&self, space: &Space) -> usize {
        if space.goal <= 2 * WIDTH { space.goal.next_multiple_of(LANES) } else { WIDTH }
    }

    fn work(&self, context: &PassContext, side: &Side, task: usize) -> RowsWork {
        let (width, mut rows) = (context.layout.width(), 0);
        let rows_of_sums: Vec<(usize, usize)> = self
            .most_dice(context, side)
            .into_iter()
            .map(|most_dice| {
                rows += most_dice;
                (rows - most_dice, most_dice)
            })
            .collect();
        RowsWork {
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
        }
    }

    fn solve(&self, job: &Job<f64>, work: &mut RowsWork, (numbers, sets): (&mut [f64], &mut [DiceSet])) {
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
        let (at, actions) = (Places::of(&job.columns(), work.first), context.space().actions);
        if work.selection.played.is_some() {
            find_means(self, (context.kernel, job.stage), at, work);
            return take_played(&job.columns(), work, (numbers, sets));
        }
        for part in at.parts() {
            find_means(self, (context.kernel, job.stage), part, work);
            take_best((part, actions, self.tolerance(job.stage)), work, (numbers, sets));
        }
    }

    fn choices<'w>(&self, work: &'w RowsWork) -> Option<&'w [u8]> {
        Some(&work.choices)
    }

    fn base(
        &self,
        job: &Job<f64>,
        work: &mut RowsWork,
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

    fn arrive(&self, job: &Job<f64>, work: &mut RowsWork) {
        self.take_arrivals(job, work);
    }

    fn compare(&self, a: &[f64], b: &[f64]) -> Ordering {
        // Win rates are numbers, never NaN; equal ones count as equal.
        a[0].partial_cmp(&b[0]).unwrap_or(Ordering::Equal)
    }

    fn ties(&self, best: &[f64], other: &[f64], stage: usize) -> bool {
        best[0] - other[0] <= self.tolerance(stage)
    }

    fn equal(&self, best: &[f64], other: &[f64], _: usize) -> bool {
        best[0] - other[0] <= rows::EQUAL
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
        // Roundings of what it was found from may lead past the ends, where no win rate is.
        vec![nearest_double(value).clamp(0.0, 1.0)]
    }

    fn doubles<'n>(&self, numbers: &'n [f64], _: usize) -> Cow<'n, [f64]> {
        Cow::Borrowed(numbers)
    }
}
