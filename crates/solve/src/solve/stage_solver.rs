//! The interface between the backward pass and what solves a stage: [`StageSolver`], implemented
//! for rows of floats and for integers over fixed denominators. Also what both share: sides, the
//! pass's context and tasks.

use std::borrow::Cow;
use std::ops::Range;

use crate::component::Tolerance;
use crate::game::{DiceSet, Game, Order, Outcome, Plan, Space, StateMemories, Successor};
use crate::linear::Number;

use super::Method;
use super::graph::SolvedStates;
use super::layout::Layout;

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
    /// The actions that may be chosen in a state, of a game with `count` actions.
    #[inline(always)]
    pub fn actions(self, state: usize, count: usize) -> Range<usize> {
        match self {
            Self::Best => 0..count,
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
    /// A bound on the error that solved cycles have added to the values that turns read.
    pub allowance: f64,
}

impl<'a> PassContext<'a> {
    pub fn space(&self) -> &Space {
        &self.layout.space
    }

    /// Whether, until cycles are solved, a turn that stays in the stage counts as lost (else as
    /// won), so that a state has the value of its best turn that leaves the stage. Only where no
    /// turn stays by chance: in a loop of chance, the rounding of a loss would count with every
    /// visit.
    pub fn staying_loses(&self) -> bool {
        self.game.order() == Order::Cyclic { random: false }
    }

    #[inline(always)]
    pub fn action_set(&self, stage: usize, column: usize, memories: StateMemories) -> &'a [u32] {
        let set = self.game.action_set_number_at(stage - column, column);
        self.game.action_sets()[set].of(self.space(), memories)
    }

    #[inline(always)]
    pub fn state(&self, stage: usize, column: usize, memories: StateMemories) -> usize {
        self.space().state((stage - column) * self.space().goal + column, memories)
    }
}

/// One task of one stage, with the values it reads.
pub(super) struct StageTask<'a, T> {
    pub context: PassContext<'a>,
    pub side: &'a Side<'a>,
    pub stage: usize,
    /// Which of the stage's tasks.
    pub index: usize,
    /// The numbers of both sides by stage; stages that no turn reaches any more are empty.
    pub solved: [&'a [Vec<T>]; 2],
}

// Deriving `Clone` would require `T: Clone`, but the numbers are only borrowed.
impl<T> Clone for StageTask<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for StageTask<'_, T> {}

impl<T> StageTask<'_, T> {
    /// The task's columns that are cells of the stage.
    pub fn columns(&self) -> Range<usize> {
        let own = self.context.layout.space.scores_in(self.stage);
        let all = self.context.layout.columns_of_task(self.index);
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
            place: layout.at(to.opponent, to.memories),
        })
    }

    pub fn theirs(&self) -> usize {
        self.context.layout.theirs_of_task(self.index)
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

/// What solves a stage, in numbers of its own.
pub(super) trait StageSolver: Sync + Sized {
    type Number: Clone + Default + Send + Sync;
    /// The workspace that a task keeps from stage to stage.
    type Workspace: Send + Sync;
    /// Whether no operation rounds. Cycles are then without chance.
    const IS_EXACT: bool;
    const METHOD: Method;

    /// The bound on the error of every value, except for the solution of cycles.
    fn error_bound(&self) -> f64;

    /// The size of a number of a stage, in machine words.
    fn words(&self, stage: usize) -> usize;

    /// The number of columns in a block of the [`Layout`].
    fn width(&self, space: &Space) -> usize;

    /// Creates the workspace of a task of one side.
    fn workspace(&self, context: &PassContext, side: &Side, task: usize) -> Self::Workspace;

    /// Solves the states of a task, all higher stages being solved; for a stage above all cells,
    /// only updates the workspace. A successor in this stage counts as a win of the mover, or a
    /// loss ([`PassContext::staying_loses`]); the solver of cycles corrects it.
    /// Slices are in the order of [`Layout`].
    fn solve(
        &self,
        task: &StageTask<Self::Number>,
        workspace: &mut Self::Workspace,
        numbers: &mut [Self::Number],
        sets: &mut [DiceSet],
    );

    /// The chosen actions of the task just solved; `None` if they are always the first of their
    /// sets.
    fn choices<'w>(&self, _: &'w Self::Workspace) -> Option<&'w [u8]> {
        None
    }

    /// Returns the value of an action in the task just solved.
    fn action_value(
        &self,
        task: &StageTask<Self::Number>,
        workspace: &Self::Workspace,
        column: usize,
        memories: StateMemories,
        action: usize,
    ) -> Self::Number;

    /// What is computed.
    fn payoff(&self) -> Payoff;

    /// How close values of a stage count as equal.
    fn tolerance(&self, stage: usize, allowance: f64) -> Tolerance;

    /// Whether the mover may gain by passing to a state, if its best other turn is worth `own` and
    /// the next player's is worth `next`.
    fn may_gain(
        &self,
        own: &Self::Number,
        next: &Self::Number,
        stage: usize,
        allowance: f64,
    ) -> bool;

    /// Converts a number of a stage.
    fn convert<C: Number>(&self, number: &Self::Number, stage: usize) -> C;

    /// Returns the number of a stage for the value of a node of its solved cycles.
    fn of_cycle(&self, solved: &SolvedStates, node: usize, stage: usize) -> Self::Number;

    /// Returns the nearest doubles to the numbers of a stage.
    fn doubles<'n>(&self, numbers: &'n [Self::Number], stage: usize) -> Cow<'n, [f64]>;
}
