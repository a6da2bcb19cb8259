//! What turns may come to: outcome classes, outcomes, distributions and action sets. They refer to
//! each other by index in the lists of the [`Game`](super::Game).

use std::sync::Arc;

use crate::component::Menus;
use crate::dice::Weight;

use super::{ClassSuccessors, Space, StateMemories};

/// Outcomes that differ only in their points: they leave the same memories, and the same rules on
/// totals apply to them.
#[derive(Debug)]
pub(crate) struct OutcomeClass {
    /// The mover's memory class if the turn passes, and if the mover moves again.
    pub mine: [u16; 2],
    /// The class of the shared memories, likewise.
    pub shared: [u16; 2],
    /// Where the totals lead. Classes with equal successors share them.
    pub successors: Arc<ClassSuccessors>,
}

impl OutcomeClass {
    /// The memory classes of the state after a turn. The mover of the turn moves `again` or not;
    /// `theirs` is the other player's class.
    #[inline(always)]
    pub fn memories_after(&self, again: bool, theirs: usize) -> StateMemories {
        let [shared, left] =
            [self.shared, self.mine].map(|classes| usize::from(classes[usize::from(again)]));
        if again {
            StateMemories { shared, mine: left, theirs }
        } else {
            StateMemories { shared, mine: theirs, theirs: left }
        }
    }
}

/// An outcome of an action: its class, the turn's points, and how many of the equally likely rolls
/// have this outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Outcome {
    /// The index of its class: what the rules on totals read besides the totals and the points, and
    /// the memories after the turn.
    pub class: usize,
    /// The turn's points.
    pub points: usize,
    /// The weight.
    pub weight: Weight,
}

/// The outcomes of an action.
#[derive(Debug)]
pub struct Distribution {
    /// All outcomes. The weight of one is the number of rolls that have it and no other.
    pub outcomes: Vec<Outcome>,
    /// The rolls after which the mover chooses among several outcomes, as indices of `outcomes`;
    /// none in games in which no dice are kept.
    pub menus: Arc<Menus>,
    /// The sum of the weights.
    pub total: Weight,
    /// The part of the outcomes that is a clean sum, if there is one; `remainder` lists the
    /// others.
    pub(crate) clean: Option<CleanSum>,
    pub(crate) remainder: Vec<Outcome>,
    /// The outcomes whose class has deferred successors.
    pub(crate) deferred: Vec<Outcome>,
    /// The outcomes that, from at least one cell, do not raise the sum of the scores.
    pub(crate) non_increasing: Vec<Outcome>,
}

impl Distribution {
    /// The probability of an outcome.
    pub fn chance(&self, outcome: &Outcome) -> f64 {
        outcome.weight as f64 / self.total as f64
    }

    /// The mean of the turn's points.
    pub fn mean_points(&self) -> f64 {
        let outcomes = self.outcomes.iter();
        outcomes.map(|outcome| outcome.points as f64 * self.chance(outcome)).sum()
    }

    /// The memory of the outcomes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let lists = [&self.outcomes, &self.remainder, &self.deferred, &self.non_increasing];
        self.menus.bytes() + lists.map(|outcomes| size_of_val(&outcomes[..])).iter().sum::<usize>()
    }
}

/// The sum of `dice` dice of a convolution, plus `offset` points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CleanSum {
    pub convolution: usize,
    pub dice: usize,
    pub offset: usize,
}

/// The rolls without a 1 of one kind of dice: their points are the sum of the points of each die.
#[derive(Debug)]
pub(crate) struct Convolution {
    pub class: usize,
    /// The points of one die, at least 1, with their weights.
    pub die: Vec<(usize, Weight)>,
    pub most_dice: usize,
}

/// The distributions of all actions in the cells that share this set.
#[derive(Debug)]
pub struct ActionSet {
    /// The index of the distribution, at `[((shared * mine + i) * mine + j) * actions + action]`,
    /// where i is the mover's memory class and j the opponent's; without j if `theirs_matter`
    /// is false.
    pub(super) distributions: Vec<u32>,
    pub(crate) theirs_matter: bool,
    /// Whether any of the distributions has a non-increasing outcome.
    pub(crate) may_not_increase: bool,
}

impl ActionSet {
    /// The distributions of all actions for all memory classes, in the order of storage.
    pub(crate) fn all(&self) -> &[u32] {
        &self.distributions
    }

    /// The distributions of all actions for all memory classes, ascending, each once.
    pub(crate) fn distinct(&self) -> Vec<u32> {
        let mut distinct = self.distributions.clone();
        distinct.sort_unstable();
        distinct.dedup();
        distinct
    }

    /// The distributions of all actions in a state with these memory classes.
    #[inline(always)]
    pub(crate) fn of(&self, space: &Space, memories: StateMemories) -> &[u32] {
        let row = memories.shared * space.mine + memories.mine;
        let row = if self.theirs_matter { row * space.mine + memories.theirs } else { row };
        &self.distributions[row * space.actions..][..space.actions]
    }
}
