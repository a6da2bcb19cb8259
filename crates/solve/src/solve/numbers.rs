//! The interface between the backward pass and the numbers it computes in: [`Numbers`], implemented
//! for rows of floats and for integers over fixed denominators. Also what both share: sides, the
//! pass's context and jobs.

use std::borrow::Cow;
use std::ops::Range;

use dashu_ratio::RBig;

use crate::dice::Weight;
use crate::game::{DiceSet, Game, Order, Outcome, Plan, Space, Successor};

use super::cycles::{CycleValues, ExactNumbers};
use super::layout::{Layout, Memories};

/// The quantity that is computed for every state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Payoff {
    /// The probability that the mover wins; a game that never ends counts one half.
    WinRate,
    /// The probability that the game never ends.
    Endless,
}

/// How a side chooses its actions.
#[derive(Clone, Copy, Debug)]
pub(super) enum Decider<'a> {
    /// By the largest value for the mover.
    Best,
    Fixed(&'a Plan),
}

impl Decider<'_> {
    /// The actions that may be chosen in a state, of a game with so many actions.
    #[inline(always)]
    pub fn actions(self, state: usize, all: usize) -> Range<usize> {
        match self {
            Self::Best => 0..all,
            Self::Fixed(plan) => {
                let action = plan.action(state);
                action..action + 1
            }
        }
    }
}

/// One of the players: how it chooses its actions, and which player's values its turns read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side<'a> {
    pub decider: Decider<'a>,
    /// The index of this side.
    pub own: usize,
    /// The index of the side that moves after this one; its own if both players share one policy.
    pub other: usize,
}

/// The only side, if both players choose in the same way.
pub(super) fn symmetric(decider: Decider) -> [Side; 1] {
    [Side { decider, own: 0, other: 0 }]
}

/// Two sides that choose in different ways.
pub(super) fn opposed<'a>(deciders: [Decider<'a>; 2]) -> [Side<'a>; 2] {
    [0, 1].map(|own| Side { decider: deciders[own], own, other: 1 - own })
}

/// What all stages of a backward pass share.
#[derive(Clone, Copy)]
pub(super) struct PassContext<'a> {
    pub game: &'a Game,
    pub layout: Layout,
    /// A bound on the error of the values that turns read, other than the rounding of turns: due
    /// to the solution of cycles.
    pub allowance: f64,
}

impl<'a> PassContext<'a> {
    pub fn space(&self) -> &Space {
        &self.layout.space
    }

    /// Whether a successor that is not solved yet counts as a loss of the mover instead of a win,
    /// so that a state has the value of its best turn that leaves the stage. Only where no turn
    /// stays by chance: in a loop of chance, the rounding of a loss would count with every
    /// visit. Bases of turns that stay are then always replaced.
    pub fn staying_loses(&self) -> bool {
        self.game.order() == Order::Cyclic { random: false }
    }

    #[inline(always)]
    pub fn action_set(
        &self,
        stage: usize,
        column: usize,
        (shared, mine, theirs): Memories,
    ) -> &'a [u32] {
        let set = self.game.action_set_number_at(stage - column, column);
        self.game.action_sets()[set].of(self.space(), shared, mine, theirs)
    }

    #[inline(always)]
    pub fn state(&self, stage: usize, column: usize, (shared, mine, theirs): Memories) -> usize {
        self.space().state((stage - column) * self.space().goal + column, shared, theirs, mine)
    }
}

/// One task of one stage, with the values it reads.
pub(super) struct Job<'a, T> {
    pub context: PassContext<'a>,
    pub side: &'a Side<'a>,
    pub stage: usize,
    pub task: usize,
    /// The numbers of both sides by stage; stages that no turn reaches any more are empty.
    pub solved: [&'a [Vec<T>]; 2],
}

// Deriving `Clone` would require `T: Clone`, but the numbers are only borrowed.
impl<T> Clone for Job<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Job<'_, T> {}

impl<T> Job<'_, T> {
    /// The task's columns that are cells of the stage.
    pub fn columns(&self) -> Range<usize> {
        let (own, all) = (
            self.context.layout.columns(self.stage),
            self.context.layout.columns_of_task(self.task),
        );
        let first = own.start.max(all.start);
        first..own.end.min(all.end).max(first)
    }

    /// Returns the successor of an outcome from a column, `theirs` being the opponent's memory
    /// class.
    #[inline]
    pub fn next(&self, column: usize, theirs: usize, outcome: &Outcome) -> Successor<NextState> {
        let PassContext { game, layout, .. } = &self.context;
        game.next(self.stage - column, column, theirs, outcome).map(|to, again| NextState {
            side: if again { self.side.own } else { self.side.other },
            stage: to.score + to.opponent,
            column: to.opponent,
            place: layout.at(to.opponent, (to.shared, to.mine, to.theirs)),
        })
    }

    /// Computes [`Numbers::base`] in the numbers of `values`, with their rounding errors only; the
    /// values of higher stages are read as they are.
    pub fn recompute_base<N: Numbers<Number = T>, C: CycleValues>(
        &self,
        numbers: &N,
        values: &C,
        at: (usize, Memories),
        action: usize,
    ) -> C::Value {
        let number = self.context.action_set(self.stage, at.0, at.1)[action];
        let distribution = &self.context.game.distributions()[number as usize];
        let endless = values.payoff() == Payoff::Endless;
        let mut base = values.ratio(Weight::from(!endless), 1);
        for outcome in &distribution.outcomes {
            let (known, again) = match self.next(at.0, at.1.2, outcome) {
                Successor::Next { to, .. } if to.stage <= self.stage => continue,
                Successor::Next { to: NextState { side, stage, place, .. }, again } => (
                    values.value_of(&numbers.to_rational(&self.solved[side][stage][place], stage)),
                    again,
                ),
                Successor::End(_) if endless => continue,
                Successor::End(end) => (values.ratio(end.halves_to_opponent().into(), 2), false),
            };
            base = values.substitute(base, &known, (again, outcome.weight, distribution.total));
        }
        base
    }

    pub fn theirs(&self) -> usize {
        self.context.layout.theirs_of_task(self.task)
    }
}

/// The state after a turn, where its number is.
#[derive(Clone, Copy, Debug)]
pub(super) struct NextState {
    /// The side that moves.
    pub side: usize,
    pub stage: usize,
    pub column: usize,
    /// The place of its number in the stage.
    pub place: usize,
}

/// The type of values in cycles for some numbers.
pub(super) type CycleValue<N> = <<N as Numbers>::Cycles as CycleValues>::Value;

/// A representation of values with the code that solves a stage in it.
pub(super) trait Numbers: Sync + Sized {
    type Number: Clone + Default + Send + Sync;
    /// The workspace that a task keeps from stage to stage.
    type Work: Send + Sync;
    /// The arithmetic for cycles.
    type Cycles: CycleValues;

    /// The size of a number of a stage, in machine words.
    fn words(&self, stage: usize) -> usize;

    /// The number of columns in a block of the [`Layout`].
    fn width(&self, space: &Space) -> usize;

    /// Creates the workspace of a task of one side.
    fn work(&self, context: &PassContext, side: &Side, task: usize) -> Self::Work;

    /// Solves the states of a task, all higher stages being solved; for a stage above all cells,
    /// only updates the workspace. A successor in this stage or a lower one counts as a win of
    /// the mover, or a loss ([`PassContext::staying_loses`]); the solver of cycles corrects it.
    /// Slices are in the order of [`Layout`].
    fn solve(
        &self,
        job: &Job<Self::Number>,
        work: &mut Self::Work,
        numbers: &mut [Self::Number],
        sets: &mut [DiceSet],
    );

    /// The chosen actions of the task just solved; `None` if they are always the first of their
    /// sets.
    fn choices<'w>(&self, _: &'w Self::Work) -> Option<&'w [u8]> {
        None
    }

    /// Returns the base of an action: its value in the task just solved.
    fn base(
        &self,
        job: &Job<Self::Number>,
        work: &Self::Work,
        column: usize,
        memories: Memories,
        action: usize,
    ) -> Self::Number;

    /// The arithmetic for the cycles of a stage.
    fn cycle_values(&self, stage: usize, allowance: f64) -> Self::Cycles;

    /// Converts a number to a value of cycles, and back.
    fn cycle_value(&self, number: &Self::Number) -> CycleValue<Self>;
    fn cycle_number(&self, value: &CycleValue<Self>, stage: usize) -> Self::Number;

    /// A bound on the error of a value due to the solution of its cycles alone, as a probability;
    /// if it is too large, the cycles are solved again with more digits.
    fn cycle_error(&self, _: &CycleValue<Self>) -> f64 {
        0.0
    }

    /// The exact arithmetic for the cycles of a stage.
    fn exact_cycle_values(&self, stage: usize, allowance: f64) -> ExactNumbers;

    /// Returns the exact value of a number.
    fn to_rational(&self, number: &Self::Number, stage: usize) -> RBig;

    /// Returns the number of a stage nearest to a value; equal to it in exact numbers.
    fn nearest(&self, value: &RBig, stage: usize) -> Self::Number;

    /// Returns the nearest doubles to the numbers of a stage.
    fn doubles<'n>(&self, numbers: &'n [Self::Number], stage: usize) -> Cow<'n, [f64]>;
}
