//! What is on offer at a cell: landings, lotteries over them, and which state may take which.

use super::Space;

/// Where an outcome arrives, as far as it does not depend on the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Landing {
    /// Which table of arrivals.
    pub(super) table: u16,
    /// The mover's memory class if the turn passes, and if the mover moves again.
    pub mine: [u16; 2],
    /// The shared class, likewise.
    pub shared: [u16; 2],
    /// The turn's points.
    pub points: u32,
}

/// What one action can lead to: landings of a panel with whole weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Lottery {
    /// The landing's index in [`Offer::landings`], ascending, and its weight.
    pub outcomes: Vec<(u16, u64)>,
    /// The sum of the weights.
    pub total: u64,
    /// The same outcomes as a climb, where all rolls without a 1 land alike but for their points.
    pub climb: Option<Climb>,
}

/// A lottery as clean rolls, each die of which brings some points more, and a rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Climb {
    /// Which of [`Game::ladders`](super::Game::ladders) tells what one die brings.
    pub ladder: usize,
    /// How many dice.
    pub dice: usize,
    /// Where a clean roll whose dice bring no points would land.
    pub foot: Landing,
    /// The other outcomes.
    pub rest: Vec<(u16, u64)>,
}

impl Landing {
    /// The same landing with other points.
    pub fn with_points(self, points: u32) -> Self {
        Self { points, ..self }
    }
}

impl Offer {
    /// The landings that may leave the sum of scores as it is, from some cell.
    pub fn level_landings(&self) -> impl Iterator<Item = &Landing> {
        self.level.iter().map(|landing| &self.landings[usize::from(*landing)])
    }
}

/// What is on offer at some cells for one class of the shared memories.
#[derive(Clone, Debug, Default)]
pub struct Offer {
    /// All landings of the lotteries.
    pub landings: Vec<Landing>,
    /// Those that may leave the sum of scores as it is, from some cell.
    pub level: Vec<u16>,
    /// The distinct lotteries.
    pub lotteries: Vec<Lottery>,
}

/// What is on offer at some cells.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// By class of the shared memories.
    pub offers: Vec<Offer>,
    /// Lottery of each action: `choices[((g * mine + i) * mine + j) * actions + action]`, or without `j` where the
    /// opponent's memory does not matter.
    pub(super) choices: Vec<u16>,
    pub(super) theirs_matter: bool,
}

impl Panel {
    /// The lotteries, among `offers[shared]`, of each action in a state with memories (shared, mine, theirs).
    #[inline(always)]
    pub fn lotteries(&self, space: &Space, memories: (usize, usize, usize)) -> &[u16] {
        &self.choices[self.place(space, memories) * space.actions..][..space.actions]
    }

    /// The place of memories (shared, mine, theirs) among those that a state may have as far as they matter.
    #[inline(always)]
    pub fn place(&self, space: &Space, (shared, mine, theirs): (usize, usize, usize)) -> usize {
        let row = shared * space.mine + mine;
        if self.theirs_matter { row * space.mine + theirs } else { row }
    }

    /// The lotteries, among `offers[shared]`, of all actions at all places of a shared class, in order.
    pub fn all_lotteries(&self, space: &Space, shared: usize) -> &[u16] {
        let each = self.choices.len() / space.shared;
        &self.choices[shared * each..(shared + 1) * each]
    }

    /// Whether the lotteries depend on the opponent's memory.
    pub fn theirs_matter(&self) -> bool {
        self.theirs_matter
    }
}
