//! Action sets: the outcomes of the actions at a cell, and the distributions of each state over
//! them.

use crate::dice::Weight;

use super::Space;

/// An outcome of an action, independent of the cell in which the action is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TurnOutcome {
    /// The index of its table of successors.
    pub(super) table: u16,
    /// The mover's memory class if the turn passes, and if the mover moves again.
    pub mine: [u16; 2],
    /// The class of the shared memories, likewise.
    pub shared: [u16; 2],
    /// The turn's points.
    pub points: u32,
}

/// The distribution of an action: its outcomes with integer weights.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeDistribution {
    /// Indices into [`DistributionSet::outcomes`], ascending, each with its weight.
    pub outcomes: Vec<(u16, Weight)>,
    /// The sum of the weights.
    pub total: Weight,
    /// The same outcomes as a convolution and a remainder, if rolls without a 1 differ only in
    /// their points.
    pub convolution: Option<RollConvolution>,
}

/// A distribution split into rolls without a 1, whose points are a sum over the dice, and a
/// remainder.
#[derive(Clone, Debug, PartialEq)]
pub struct RollConvolution {
    /// The index in [`Game::die_sums`](super::Game::die_sums) of the points of one die.
    pub die: usize,
    /// The number of dice.
    pub dice: usize,
    /// The outcome of a roll without a 1 whose dice contribute no points: its points are the
    /// offset.
    pub at_offset: TurnOutcome,
    /// The other outcomes, as in [`OutcomeDistribution::outcomes`].
    pub remainder: Vec<(u16, Weight)>,
}

impl TurnOutcome {
    /// The same outcome with other points.
    pub fn with_points(self, points: u32) -> Self {
        Self { points, ..self }
    }
}

/// The outcomes and distributions of an action set for one class of the shared memories.
#[derive(Clone, Debug, Default)]
pub struct DistributionSet {
    /// All outcomes of the distributions.
    pub outcomes: Vec<TurnOutcome>,
    /// The distinct distributions.
    pub distributions: Vec<OutcomeDistribution>,
}

/// An action set: the distributions of all actions, by memories.
#[derive(Clone, Debug, Default)]
pub struct CellActions {
    /// Outcomes and distributions by class of the shared memories.
    pub by_shared: Vec<DistributionSet>,
    /// The distribution of each action: `choices[((g * mine + i) * mine + j) * actions + action]`
    /// for memory classes (shared g, mover's i, opponent's j), or without `j` if the
    /// opponent's memory does not matter.
    pub(super) choices: Vec<u16>,
    pub(super) theirs_matter: bool,
}

impl CellActions {
    /// The memory for the choices and the distributions, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let distributions = self.by_shared.iter().flat_map(|set| &set.distributions);
        let weights = distributions.map(|distribution| {
            let remainder =
                distribution.convolution.as_ref().map_or(0, |split| split.remainder.len());
            distribution.outcomes.len() + remainder
        });
        size_of_val(&self.choices[..]) + weights.sum::<usize>() * size_of::<(u16, Weight)>()
    }

    /// The distribution of each action for memories (shared, mine, theirs), as indices into
    /// `by_shared[shared]`.
    #[inline(always)]
    pub fn distributions(
        &self,
        space: &Space,
        shared: usize,
        mine: usize,
        theirs: usize,
    ) -> &[u16] {
        &self.choices[self.place(space, shared, mine, theirs) * space.actions..][..space.actions]
    }

    /// The index of memories (shared, mine, theirs) among the combinations that the action set
    /// distinguishes.
    #[inline(always)]
    pub fn place(&self, space: &Space, shared: usize, mine: usize, theirs: usize) -> usize {
        let row = shared * space.mine + mine;
        if self.theirs_matter { row * space.mine + theirs } else { row }
    }

    /// The distributions of all actions for all memories of a shared class, as indices into
    /// `by_shared[shared]`.
    pub fn all_distributions(&self, space: &Space, shared: usize) -> &[u16] {
        let each = self.choices.len() / space.shared;
        &self.choices[shared * each..(shared + 1) * each]
    }

    /// Whether the distributions depend on the opponent's memory.
    pub fn theirs_matter(&self) -> bool {
        self.theirs_matter
    }
}
