//! The float solver: one row of columns at a time.
//!
//! A turn of p points from a cell of stage s and column o leads to the totals of stage s + p in the
//! same column, so the row of a stage is computed from rows of higher stages. A task keeps two
//! rings of the rows most recently computed, and the deferred values of the current stage:
//!
//! * `successor_values[s][class]`: the opponent's value when the totals of stage s are reached, the
//!   rules on totals applied; 0 (as if the mover had won) where the successor is deferred (see
//!   [`ClassSuccessors`](crate::game::ClassSuccessors)).
//! * `sums[s][n]`: the weighted sum of successor values over all rolls of n dice without a 1, by
//!   one convolution for each die: `sums[s][n] = sum of weight(p) * sums[s + p][n - 1]` over the
//!   points p of one die, where `sums[s][0]` is `successor_values[s]`.
//! * `deferred[class, points]`: the values of deferred successors for turns of these points from
//!   the current stage.
//!
//! The mean of a distribution is `1 - (clean sum + remainder + deferred) / total`, the sum of a few
//! rows for all columns together. The best action of each state is that of the largest mean
//! ([`rows`]).

mod selection;
mod stage;
mod successor_values;

use std::borrow::Cow;

use crate::component::Tolerance;
use crate::game::{Convolution, DiceSet, Distribution, Game, Space, StateMemories};
use crate::linear::Number;

use super::Method;
use super::bounds;
use super::graph::SolvedStates;
use super::rows::{self, LANES};
use super::stage_solver::{Decider, PassContext, Payoff, Side, StageSolver, StageTask};
use selection::Selection;
use stage::{Places, choose_best, compute_means, convolve, evaluate_policy};

/// The float solver with the error bound of each stage; values closer than twice the bound count as
/// ties.
#[derive(Debug)]
pub(super) struct Floats {
    pub payoff: Payoff,
    /// By stage.
    bounds: Vec<f64>,
    convolutions: Vec<Convolved>,
    /// By distribution.
    terms: Vec<Terms>,
}

/// A convolution of the game, with weights in doubles.
#[derive(Debug)]
struct Convolved {
    class: usize,
    /// The points of one die, with weights.
    die: Vec<(usize, f64)>,
    most_dice: usize,
    /// Whether sums over totals past the goal may be other than 0.
    passes_goal: bool,
}

/// A distribution as a weighted sum of rows.
#[derive(Debug)]
struct Terms {
    /// The reciprocal of the sum of the weights.
    scale: f64,
    /// In the order of summation, with weights.
    sources: Vec<(Source, f64)>,
}

/// A row that a sum reads: for turns of `points` points, that of the stage `points` above.
#[derive(Clone, Copy, Debug)]
enum Source {
    CleanSum { convolution: usize, dice: usize, points: usize },
    SuccessorValues { class: usize, points: usize },
    Deferred { class: usize, points: usize },
}

impl Terms {
    fn new(distribution: &Distribution) -> Self {
        let clean = distribution.clean.map(|clean| {
            let convolution = clean.convolution;
            let dice = clean.dice;
            let points = clean.offset;
            (Source::CleanSum { convolution, dice, points }, 1.0)
        });
        let remainder = distribution.remainder.iter().map(|outcome| {
            (
                Source::SuccessorValues { class: outcome.class, points: outcome.points },
                outcome.weight as f64,
            )
        });
        let deferred = distribution.deferred.iter().map(|outcome| {
            (
                Source::Deferred { class: outcome.class, points: outcome.points },
                outcome.weight as f64,
            )
        });
        let sources = clean.into_iter().chain(remainder).chain(deferred).collect();
        Self { scale: 1.0 / distribution.total as f64, sources }
    }
}

/// The number of stages whose successor values, and whose clean sums, a task keeps: at least those
/// that turns read, rounded up to a power of 2, so that a stage's slot is a bit mask.
fn rings(game: &Game) -> [usize; 2] {
    let facts = game.facts();
    [facts.most_direct_points, facts.most_convolution_points]
        .map(|points| (points.min(facts.highest_stage) + 1).next_power_of_two())
}

/// Estimates the memory for the rows of all stages that are kept, if a row has `columns` numbers,
/// in bytes.
pub(super) fn bytes_of_rows(game: &Game, columns: usize) -> u64 {
    let of_dice: usize = game.convolutions().iter().map(|convolution| convolution.most_dice).sum();
    let rows: u64 = rings(game)
        .iter()
        .zip([game.classes().len(), of_dice])
        .map(|(stages, of_stage)| (stages * of_stage) as u64)
        .sum();
    rows.saturating_mul((columns * size_of::<f64>()) as u64)
}

/// Games with more columns are cut into blocks of [`WIDTH`], so that a task's rows fit a core's
/// cache.
const MOST_COLUMNS: usize = 1024;
const WIDTH: usize = 512;

/// The workspace of a task: the rows it keeps.
#[derive(Debug)]
pub(super) struct RowsWorkspace {
    first: usize,
    width: usize,
    /// The game's `highest_stage`.
    highest: usize,
    /// A ring of stages; each holds rows by class, then column.
    successor_values: Vec<Vec<f64>>,
    /// A ring of stages; each holds rows by convolution and number of dice from 1, then column.
    sums: Vec<Vec<f64>>,
    /// By convolution: its first row, and the most dice this side may roll.
    rows_of_sums: Vec<(usize, usize)>,
    selection: Selection,
    /// By index in [`selection::Actions`], then column.
    means: Vec<f64>,
    deferred: successor_values::Deferred,
    /// By row, in the order of the results, then column.
    choices: Vec<u8>,
}

impl Floats {
    /// Prepares a game for computing a payoff.
    pub fn new(game: &Game, payoff: Payoff) -> Self {
        let mut convolutions = Vec::new();
        for Convolution { class, die, most_dice } in game.convolutions() {
            convolutions.push(Convolved {
                class: *class,
                die: die.iter().map(|(points, weight)| (*points, *weight as f64)).collect(),
                most_dice: *most_dice,
                passes_goal: game.classes()[*class].successors.passes_goal(),
            });
        }
        Self {
            payoff,
            bounds: bounds::by_stage(game, bounds::roundings),
            convolutions,
            terms: game.distributions().iter().map(Terms::new).collect(),
        }
    }

    /// The largest difference of two values of a stage that count as equal.
    fn within(&self, stage: usize, allowance: f64) -> f64 {
        2.0 * (self.bounds[stage] + allowance)
    }

    fn complement_of(&self, value: f64) -> f64 {
        if self.payoff == Payoff::WinRate { 1.0 - value } else { value }
    }

    /// By convolution: the most dice that a side may roll.
    fn most_dice(&self, context: &PassContext, side: &Side) -> Vec<usize> {
        let all: Vec<usize> =
            self.convolutions.iter().map(|convolved| convolved.most_dice).collect();
        let Decider::Fixed(plan) = side.decider else { return all };
        let mut most = vec![0; all.len()];
        let played = context.game.distributions().iter().zip(context.game.played(plan));
        let played = played.filter(|(_, played)| *played);
        for clean in played.filter_map(|(distribution, _)| distribution.clean) {
            most[clean.convolution] = clean.dice.max(most[clean.convolution]);
        }
        most
    }
}

impl StageSolver for Floats {
    type Number = f64;
    type Workspace = RowsWorkspace;
    const IS_EXACT: bool = false;
    const METHOD: Method = Method::Rows;

    fn error_bound(&self) -> f64 {
        self.bounds[0]
    }

    fn words(&self, _: usize) -> usize {
        1
    }

    fn width(&self, space: &Space) -> usize {
        if space.goal <= MOST_COLUMNS { space.goal.next_multiple_of(LANES) } else { WIDTH }
    }

    fn workspace(&self, context: &PassContext, side: &Side, task: usize) -> RowsWorkspace {
        let width = context.layout.width;
        let mut rows = 0;
        let [successor_ring, sums_ring] = rings(context.game);
        let rows_of_sums: Vec<(usize, usize)> = self
            .most_dice(context, side)
            .into_iter()
            .map(|most_dice| {
                rows += most_dice;
                (rows - most_dice, most_dice)
            })
            .collect();
        RowsWorkspace {
            highest: context.game.facts().highest_stage,
            first: context.layout.columns_of_task(task).start,
            width,
            successor_values: vec![vec![0.0; context.game.classes().len() * width]; successor_ring],
            sums: vec![vec![0.0; rows * width]; sums_ring],
            rows_of_sums,
            selection: Selection::default(),
            means: Vec::new(),
            deferred: successor_values::Deferred::new(context.game, width),
            choices: vec![0; context.layout.numbers_of_task()],
        }
    }

    fn solve(
        &self,
        task: &StageTask<f64>,
        workspace: &mut RowsWorkspace,
        numbers: &mut [f64],
        sets: &mut [DiceSet],
    ) {
        let context = &task.context;
        self.fill_stage(&StageTask { stage: task.stage + 1, ..*task }, workspace, true);
        if context.game.facts().reads_own_stage {
            self.fill_stage(task, workspace, false);
        }
        convolve(self, task.stage, context.space().goal, workspace);
        if task.columns().is_empty() {
            return;
        }
        self.fill_deferred(task, workspace);
        if let Decider::Fixed(_) = task.side.decider {
            return evaluate_policy(self, task, workspace, numbers, sets);
        }
        workspace.selection.find(task);
        let at = Places::of(&task.columns(), workspace.first);
        let actions = context.space().actions;
        for part in at.parts() {
            compute_means(self, task.stage, part, workspace);
            choose_best(
                part,
                actions,
                self.within(task.stage, context.allowance),
                workspace,
                numbers,
                sets,
            );
        }
    }

    fn choices<'w>(&self, workspace: &'w RowsWorkspace) -> Option<&'w [u8]> {
        Some(&workspace.choices)
    }

    fn action_value(
        &self,
        task: &StageTask<f64>,
        workspace: &RowsWorkspace,
        column: usize,
        memories: StateMemories,
        action: usize,
    ) -> f64 {
        let context = &task.context;
        if let Decider::Best = task.side.decider
            && let Some(actions) = &workspace.selection.actions
        {
            let row = memories.shared * context.space().mine + memories.mine;
            let place = actions.places[row * context.space().actions + action] as usize;
            return workspace.means[place * workspace.width + column - workspace.first];
        }
        // A fixed policy has one action; its value was just computed.
        task.solved[task.side.own][task.stage][context.layout.at(column, memories)]
    }

    fn payoff(&self) -> Payoff {
        self.payoff
    }

    fn tolerance(&self, stage: usize, allowance: f64) -> Tolerance {
        Tolerance { tie: self.within(stage, allowance), equal: rows::EQUAL }
    }

    fn may_gain(&self, own: &f64, next: &f64, stage: usize, allowance: f64) -> bool {
        *own <= 1.0 - next + self.within(stage, allowance)
    }

    fn convert<C: Number>(&self, number: &f64, _: usize) -> C {
        C::from_double(*number)
    }

    fn of_cycle(&self, solved: &SolvedStates, node: usize, _: usize) -> f64 {
        solved.values[node]
    }

    fn doubles<'n>(&self, numbers: &'n [f64], _: usize) -> Cow<'n, [f64]> {
        Cow::Borrowed(numbers)
    }
}
