//! What the backward pass asks of numbers, so that one pass serves floats, integers over fixed denominators and rationals.

use std::borrow::Cow;
use std::ops::Range;

use dashu_ratio::RBig;

use crate::dice::Weight;
use crate::game::{DiceSet, End, Game, Plan, Space, Successor};

use super::cycles::{CycleValues, ExactNumbers};
use super::floats::PreparedPolicy;
use super::layout::{Layout, Memories};
use crate::kernel::{Kernel, Outcome};

/// What is computed for every state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Payoff {
    /// The probability that the mover wins, a game without end counting half.
    WinRate,
    /// The probability that the game never ends.
    Endless,
}

/// Who decides on a side.
#[derive(Clone, Copy, Debug)]
pub(super) enum Decider<'a> {
    /// The best action for the mover.
    Best,
    /// A fixed policy.
    Fixed(&'a Plan),
}

/// A side of the game: who moves there, and on which side the states lie after the move is passed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side<'a> {
    pub decider: Decider<'a>,
    /// The index of the side whose numbers these are.
    pub own: usize,
    /// The index of the side whose numbers are read after passing; its own for symmetric play.
    pub other: usize,
    /// What is known of a fixed policy beforehand.
    pub prepared: Option<&'a PreparedPolicy>,
}

/// The one side of play in which both do the same.
pub(super) fn symmetric(decider: Decider) -> [Side; 1] {
    [Side { decider, own: 0, other: 0, prepared: None }]
}

/// Two sides that differ.
pub(super) fn opposed<'a>(deciders: [Decider<'a>; 2]) -> [Side<'a>; 2] {
    [0, 1].map(|own| Side { decider: deciders[own], own, other: 1 - own, prepared: None })
}

/// The two sides of a pair of fixed policies.
pub(super) fn fixed<'a>(plans: [&'a Plan; 2]) -> [Side<'a>; 2] {
    opposed(plans.map(Decider::Fixed))
}

/// What all stages of a backward pass share.
#[derive(Clone, Copy)]
pub(super) struct PassContext<'a> {
    pub game: &'a Game,
    pub kernel: &'a Kernel,
    pub layout: Layout,
    /// How far numbers of higher stages may be off by the solution of cycles.
    pub allowance: f64,
}

impl PassContext<'_> {
    /// The sizes of the state space.
    pub fn space(&self) -> &Space {
        &self.kernel.space
    }

    /// The distributions of all actions in a state.
    #[inline(always)]
    pub fn action_set(&self, stage: usize, column: usize, memories: Memories) -> &[u32] {
        let set = self.game.action_set_number_at(stage - column, column);
        self.kernel.action_sets[set].of(self.space(), memories)
    }

    /// The index of a state.
    #[inline(always)]
    pub fn state(&self, stage: usize, column: usize, (shared, mine, theirs): Memories) -> usize {
        self.space().state((stage - column) * self.space().goal + column, shared, theirs, mine)
    }
}

/// A task in one stage, and all that was solved before it.
pub(super) struct Job<'a, T> {
    pub context: PassContext<'a>,
    pub side: &'a Side<'a>,
    pub stage: usize,
    pub task: usize,
    /// The numbers of both sides by stage; stages that no turn reaches any more are empty.
    pub solved: [&'a [Vec<T>]; 2],
}

// Derived, this would ask the numbers to be copied, which are only borrowed.
impl<T> Clone for Job<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Job<'_, T> {}

impl<T> Job<'_, T> {
    /// The task's columns that are cells of the stage.
    pub fn columns(&self) -> Range<usize> {
        let (own, all) = (self.context.layout.columns(self.stage), self.context.layout.columns_of_task(self.task));
        let first = own.start.max(all.start);
        first..own.end.min(all.end).max(first)
    }

    /// Where an outcome leads from a column, the opponent's memory being of a class.
    #[inline]
    pub fn next(&self, (column, theirs): (usize, usize), outcome: &Outcome) -> Next {
        let PassContext { game, kernel, layout, .. } = &self.context;
        let goal = kernel.space.goal;
        let turn = kernel.classes[outcome.class].outcome.with_points(outcome.points as u32);
        let (side, cell, memories, again) = match game.successor((self.stage - column) * goal + column, &turn) {
            Successor::End(end) => return Next::End(end),
            Successor::Passed { cell, shared, theirs: left } => (self.side.other, cell, (shared, theirs, left), false),
            Successor::Again { cell, shared, mine } => (self.side.own, cell, (shared, mine, theirs), true),
        };
        Next::State { cell, side, stage: kernel.space.sum(cell), place: layout.at(cell % goal, memories), again }
    }

    /// What an action is worth as [`Numbers::base`] counts, found anew: exact, or with no errors but those of `values`, for the
    /// numbers above as they are.
    pub fn base_anew<N: Numbers<Number = T>, C: CycleValues>(
        &self,
        (numbers, values): (&N, &C),
        at: (usize, Memories),
        action: usize,
    ) -> C::Value {
        let kernel = self.context.kernel;
        let distribution = &kernel.distributions[self.context.action_set(self.stage, at.0, at.1)[action] as usize];
        let endless = values.payoff() == Payoff::Endless;
        let mut base = values.ratio(Weight::from(!endless), 1);
        for outcome in &distribution.outcomes {
            let (known, again) = match self.next((at.0, at.1.2), outcome) {
                Next::State { stage, .. } if stage <= self.stage => continue,
                Next::State { side, stage, place, again, .. } => {
                    (values.of_fraction(&numbers.to_rational(&self.solved[side][stage][place], stage)), again)
                }
                Next::End(_) if endless => continue,
                Next::End(end) => (values.ratio(end.lost_halves().into(), 2), false),
            };
            base = values.settle(base, &known, (again, outcome.weight, distribution.total));
        }
        base
    }

    /// The opponent's memory class.
    pub fn theirs(&self) -> usize {
        self.context.layout.theirs_of_task(self.task)
    }
}

/// Where an outcome leads from a state.
#[derive(Clone, Copy, Debug)]
pub(super) enum Next {
    End(End),
    /// To a state of a cell: whose turn it is, its stage, the place of its number there, and whether the mover goes on.
    State {
        cell: usize,
        side: usize,
        stage: usize,
        place: usize,
        again: bool,
    },
}

/// What the cycles of some numbers count with.
pub(super) type CycleValue<N> = <<N as Numbers>::Cycles as CycleValues>::Value;

/// Numbers a game can be solved in.
pub(super) trait Numbers: Sync + Sized {
    /// One of them.
    type Number: Clone + Default + Send + Sync;
    /// What a task keeps from stage to stage.
    type Work: Send + Sync;
    /// What cycles are solved in.
    type Cycles: CycleValues;

    /// The length of a number of a stage, in machine words.
    fn words(&self, stage: usize) -> usize;

    /// The columns that a task takes.
    fn width(&self, space: &Space) -> usize;

    /// What a task of a side keeps.
    fn work(&self, context: &PassContext, side: &Side, task: usize) -> Self::Work;

    /// Solves the states of a task, all stages above being solved; above all cells, readies the stage. A successor of the stage
    /// that is being solved counts as won: whoever knows more asks for [`Self::base`]. Numbers and sets lie as in [`Layout`],
    /// from the task's first on.
    fn solve(&self, job: &Job<Self::Number>, work: &mut Self::Work, solved: (&mut [Self::Number], &mut [DiceSet]));

    /// The actions taken in the states of the task just solved, if they are told apart from the sets' first.
    fn choices<'w>(&self, work: &'w Self::Work) -> Option<&'w [u8]>;

    /// What an action is worth in a state of the stage just solved, if each successor in that stage is won.
    fn base(&self, job: &Job<Self::Number>, work: &Self::Work, at: (usize, Memories), action: usize) -> Self::Number;

    /// How the cycles of a stage count.
    fn cycle_values(&self, stage: usize, allowance: f64) -> Self::Cycles;

    /// A number as cycles count with it, and back.
    fn cycle_value(&self, number: &Self::Number) -> CycleValue<Self>;
    fn cycle_number(&self, value: &CycleValue<Self>, stage: usize) -> Self::Number;

    /// How far a value may be off by the solution of its cycles alone; where that is too much, they are solved again in fractions.
    fn cycle_error(&self, _: &CycleValue<Self>) -> f64 {
        0.0
    }

    /// How the cycles of a stage count in fractions.
    fn exact_cycle_values(&self, stage: usize, allowance: f64) -> ExactNumbers;

    /// The exact value of a number.
    fn to_rational(&self, number: &Self::Number, stage: usize) -> RBig;

    /// The number of a stage that is nearest to a value; exact numbers hold it exactly.
    fn nearest(&self, value: &RBig, stage: usize) -> Self::Number;

    /// The doubles nearest to the numbers of a stage.
    fn doubles<'n>(&self, numbers: &'n [Self::Number], stage: usize) -> Cow<'n, [f64]>;
}
