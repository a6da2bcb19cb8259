//! Games solved in doubles, a row of columns at a time.
//!
//! A turn of p points from a cell of stage s and column o leads to the totals of stage s + p in the same column, so a row of
//! cells reads rows:
//!
//! * `arrivals[class][s]`: what it is worth to the opponent that the totals of stage s are reached, rules on totals applied;
//!   0 where that is not known before the turn's points are (see [`ClassSuccessors`](crate::kernel::ClassSuccessors)).
//! * `sums[n][s]`: the weighted sum of arrivals over all rolls of n dice without a 1. One die more is one convolution:
//!   `sums[n][s] = sum over what a die brings, p, of weight(p) * sums[n - 1][s + p]`, with `sums[0] = arrivals`.
//! * `deferred[class, points]`: the arrivals left out above, as the turns of this stage meet them.
//!
//! The mean of a distribution is `1 - (clean sum + remainder + deferred) / total`, a few rows for all columns at once.

mod arrivals;
mod selection;
mod stage;

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use dashu_ratio::RBig;

use crate::game::{DiceSet, Plan, Space};
use crate::linear::{UNIT, exact_double, nearest_double};

use super::bounds;
use super::cycles::{Approximate, ExactNumbers, Intervals};
use super::layout::Memories;
use super::numbers::{Decider, Job, Numbers, PassContext, Payoff, Side};
use super::rows::{self, LANES};
use crate::kernel::{Distribution, Kernel};
pub(crate) use selection::PreparedPolicy;
use selection::Selection;
use stage::{Places, convolve, find_means, take_best, take_played};

/// Doubles with a bound on the error of every stage; ties are values closer than twice the bound.
#[derive(Debug)]
pub(super) struct Floats {
    payoff: Payoff,
    /// By stage.
    bounds: Vec<f64>,
    /// What the solution of cycles adds to all bounds: the bits of the most that was found so far.
    cycle_error: AtomicU64,
    convolutions: Vec<Convolved>,
    /// By distribution.
    terms: Vec<Terms>,
    /// Stages of arrivals and of clean sums that turns may still read, or more: powers of 2, by which division is a mask.
    arrivals_kept: usize,
    sums_kept: usize,
}

/// A convolution of the kernel, its weights as doubles.
#[derive(Debug)]
struct Convolved {
    class: usize,
    /// What a die brings, with weights.
    die: Vec<(usize, f64)>,
    most_dice: usize,
    /// Whether sums from past the goal are not all 0.
    passes_goal: bool,
}

/// A distribution as a sum of rows.
#[derive(Debug)]
struct Terms {
    /// One over the sum of the weights.
    scale: f64,
    /// In the order of the sum, with weights.
    sources: Vec<(Source, f64)>,
}

/// A row that sums are made of: what turns of so many points from the stage read.
#[derive(Clone, Copy, Debug)]
enum Source {
    CleanSum { convolution: usize, dice: usize, points: usize },
    Arrivals { class: usize, points: usize },
    Deferred { class: usize, points: usize },
}

impl Terms {
    fn new(distribution: &Distribution) -> Self {
        let clean = distribution.clean.map(|clean| {
            let (convolution, dice, points) = (clean.convolution, clean.dice, clean.offset);
            (Source::CleanSum { convolution, dice, points }, 1.0)
        });
        let remainder = distribution
            .remainder
            .iter()
            .map(|outcome| (Source::Arrivals { class: outcome.class, points: outcome.points }, outcome.weight as f64));
        let deferred = distribution
            .deferred
            .iter()
            .map(|outcome| (Source::Deferred { class: outcome.class, points: outcome.points }, outcome.weight as f64));
        let sources = clean.into_iter().chain(remainder).chain(deferred).collect();
        Self { scale: 1.0 / distribution.total as f64, sources }
    }
}

/// Games of more columns are cut into blocks of [`WIDTH`], so that what a task keeps fits a core's cache.
const MOST_COLUMNS: usize = 1024;
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
    /// By place in [`selection::Actions`], and column.
    means: Vec<f64>,
    deferred: arrivals::Deferred,
    /// By row, in the order of the results, and column.
    choices: Vec<u8>,
}

impl Floats {
    /// For a game and what is asked of it.
    pub fn new(kernel: &Kernel, payoff: Payoff) -> Self {
        let convolved = |convolution: &crate::kernel::Convolution| Convolved {
            class: convolution.class,
            die: convolution.die.iter().map(|(points, weight)| (*points, *weight as f64)).collect(),
            most_dice: convolution.most_dice,
            passes_goal: kernel.classes[convolution.class].successors.passes_goal(kernel.space.goal),
        };
        Self {
            payoff,
            bounds: bounds::by_stage(kernel),
            cycle_error: AtomicU64::new(0),
            convolutions: kernel.convolutions.iter().map(convolved).collect(),
            terms: kernel.distributions.iter().map(Terms::new).collect(),
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
        self.bounds[0] + f64::from_bits(self.cycle_error.load(Relaxed))
    }

    /// The same, but for the solution of cycles.
    pub fn bound_of_rows(&self) -> f64 {
        self.bounds[0]
    }

    /// Notes by how much a solution may be off by its cycles.
    pub fn note_cycle_error(&self, error: f64) {
        // Of numbers above 0 the larger has the larger bits.
        self.cycle_error.fetch_max(error.to_bits(), Relaxed);
    }

    /// How far apart two numbers of a stage may be that count as equal.
    fn tolerance(&self, stage: usize, allowance: f64) -> f64 {
        2.0 * (self.bounds[stage] + allowance)
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
        Some(PreparedPolicy::new(context, plan, self.most_dice(context, &side)))
    }

    /// The most dice of each convolution that a side may roll.
    fn most_dice(&self, context: &PassContext, side: &Side) -> Vec<usize> {
        if let Some(prepared) = side.prepared {
            return prepared.most_dice.clone();
        }
        let all: Vec<usize> = self.convolutions.iter().map(|convolved| convolved.most_dice).collect();
        let Decider::Fixed(plan) = side.decider else { return all };
        let mut most = vec![0; all.len()];
        let played = context.kernel.played(context.game, plan);
        let played = context.kernel.distributions.iter().zip(played).filter(|(_, played)| *played);
        for clean in played.filter_map(|(distribution, _)| distribution.clean) {
            most[clean.convolution] = clean.dice.max(most[clean.convolution]);
        }
        most
    }
}

impl Numbers for Floats {
    type Number = f64;
    type Work = RowsWork;
    type Cycles = Intervals<f64>;

    fn words(&self, _: usize) -> usize {
        1
    }

    fn width(&self, space: &Space) -> usize {
        if space.goal <= MOST_COLUMNS { space.goal.next_multiple_of(LANES) } else { WIDTH }
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
            deferred: arrivals::Deferred::new(context.kernel, width),
            choices: vec![0; context.layout.numbers_of_task()],
        }
    }

    fn solve(&self, job: &Job<f64>, work: &mut RowsWork, (numbers, sets): (&mut [f64], &mut [DiceSet])) {
        let context = &job.context;
        self.take_arrivals(&Job { stage: job.stage + 1, ..*job }, work);
        if context.kernel.reads_own_stage {
            self.foresee(job, work);
        }
        convolve(self, (job.stage, context.space().goal), work);
        if job.columns().is_empty() {
            return;
        }
        self.defer(job, work);
        if let Decider::Fixed(_) = job.side.decider {
            return take_played(self, job, work, (numbers, sets));
        }
        work.selection.find(job);
        let (at, actions) = (Places::of(&job.columns(), work.first), context.space().actions);
        for part in at.parts() {
            find_means(self, job.stage, part, work);
            take_best((part, actions, self.tolerance(job.stage, context.allowance)), work, (numbers, sets));
        }
    }

    fn choices<'w>(&self, work: &'w RowsWork) -> Option<&'w [u8]> {
        Some(&work.choices)
    }

    fn base(&self, job: &Job<f64>, work: &RowsWork, (column, memories): (usize, Memories), action: usize) -> f64 {
        let context = &job.context;
        let (Decider::Best, Some(actions)) = (job.side.decider, &work.selection.actions) else {
            // The only action there is, and it was just taken.
            return job.solved[job.side.own][job.stage][context.layout.at(column, memories)];
        };
        let row = memories.0 * context.space().mine + memories.1;
        let place = actions.places[row * context.space().actions + action] as usize;
        work.means[place * work.width + column - work.first]
    }

    fn cycle_values(&self, stage: usize, allowance: f64) -> Intervals<f64> {
        Intervals::new(self.payoff, [self.tolerance(stage, allowance), rows::EQUAL].map(|of| of / UNIT))
    }

    fn cycle_value(&self, number: &f64) -> Approximate<f64> {
        Approximate { value: *number, error: 0.0 }
    }

    fn cycle_number(&self, value: &Approximate<f64>, _: usize) -> f64 {
        // Roundings may lead past 0 and 1.
        value.value.clamp(0.0, 1.0)
    }

    fn cycle_error(&self, value: &Approximate<f64>) -> f64 {
        value.error * UNIT
    }

    fn exact_cycle_values(&self, stage: usize, allowance: f64) -> ExactNumbers {
        let [tolerance, equal] = [self.tolerance(stage, allowance), rows::EQUAL].map(exact_double);
        ExactNumbers { payoff: self.payoff, one: RBig::ONE, tolerance, equal }
    }

    fn to_rational(&self, number: &f64, _: usize) -> RBig {
        exact_double(*number)
    }

    fn nearest(&self, value: &RBig, _: usize) -> f64 {
        // Roundings of what it was found from may lead past the ends, where no win rate is.
        nearest_double(value).clamp(0.0, 1.0)
    }

    fn doubles<'n>(&self, numbers: &'n [f64], _: usize) -> Cow<'n, [f64]> {
        Cow::Borrowed(numbers)
    }
}
