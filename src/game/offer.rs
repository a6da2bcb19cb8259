//! Action sets: the outcomes of the actions at a cell, distributions over them, and which state has which.

use crate::dice::Weight;

use super::Space;

/// What an action may lead to, as far as it does not depend on the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TurnOutcome {
    /// Which table of successors.
    pub(super) table: u16,
    /// The mover's memory class if the turn passes, and if the mover moves again.
    pub mine: [u16; 2],
    /// The shared class, likewise.
    pub shared: [u16; 2],
    /// The turn's points.
    pub points: u32,
}

/// What one action can lead to: outcomes with whole weights.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeDistribution {
    /// The index of an outcome in [`DistributionSet::outcomes`], ascending, and its weight.
    pub outcomes: Vec<(u16, Weight)>,
    /// The sum of the weights.
    pub total: Weight,
    /// The same outcomes as a convolution, where rolls without a 1 differ by their points alone.
    pub convolution: Option<RollConvolution>,
}

/// A distribution as clean rolls, whose points are a sum over their dice, and the remainder.
#[derive(Clone, Debug, PartialEq)]
pub struct RollConvolution {
    /// Which of [`Game::die_sums`](super::Game::die_sums) tells what one die brings.
    pub die: usize,
    /// How many dice.
    pub dice: usize,
    /// The outcome of a clean roll whose dice bring no points: its points are the offset.
    pub at_offset: TurnOutcome,
    /// The other outcomes.
    pub remainder: Vec<(u16, Weight)>,
}

impl TurnOutcome {
    /// The same outcome with other points.
    pub fn with_points(self, points: u32) -> Self {
        Self { points, ..self }
    }
}

/// The outcomes and distributions of some cells in one class of the shared memories.
#[derive(Clone, Debug, Default)]
pub struct DistributionSet {
    /// All outcomes of the distributions.
    pub outcomes: Vec<TurnOutcome>,
    /// The distinct distributions.
    pub distributions: Vec<OutcomeDistribution>,
}

/// The distributions of all actions at some cells, by memories.
#[derive(Clone, Debug, Default)]
pub struct CellActions {
    /// By class of the shared memories.
    pub by_shared: Vec<DistributionSet>,
    /// OutcomeDistribution of each action: `choices[((g * mine + i) * mine + j) * actions + action]`, or without `j` where the
    /// opponent's memory does not matter.
    pub(super) choices: Vec<u16>,
    pub(super) theirs_matter: bool,
}

impl CellActions {
    /// The distributions, among `by_shared[shared]`, of each action in a state with memories (shared, mine, theirs).
    #[inline(always)]
    pub fn distributions(&self, space: &Space, memories: (usize, usize, usize)) -> &[u16] {
        &self.choices[self.place(space, memories) * space.actions..][..space.actions]
    }

    /// The place of memories (shared, mine, theirs) among those that a state may have as far as they matter.
    #[inline(always)]
    pub fn place(&self, space: &Space, (shared, mine, theirs): (usize, usize, usize)) -> usize {
        let row = shared * space.mine + mine;
        if self.theirs_matter { row * space.mine + theirs } else { row }
    }

    /// The distributions, among `by_shared[shared]`, of all actions at all places of a shared class, in order.
    pub fn all_distributions(&self, space: &Space, shared: usize) -> &[u16] {
        let each = self.choices.len() / space.shared;
        &self.choices[shared * each..(shared + 1) * each]
    }

    /// Whether the distributions depend on the opponent's memory.
    pub fn theirs_matter(&self) -> bool {
        self.theirs_matter
    }
}
