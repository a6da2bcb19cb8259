//! Pairs of plans that see only the scores, in a game whose players remember something of their own.
//!
//! Where a memory decides the points of the same roll, nearly all its values share one distribution and a few, the exceptions,
//! another. So a cell is worth a number and, for the exceptions, a difference, each for every memory of the opponent; a
//! turn's mean is a dot product over numbers that lie side by side, and one over the differences for each memory of the
//! opponent that can come up there. What can come up is found out for each plan by itself, whatever it meets.
//!
//! Boards hold what arriving is worth, rules on totals applied ([`Planes`]), so that a sum reads neighbours whatever these lead
//! to.

mod cell;
mod plan;

use crate::game::{Game, Plan};
use crate::kernel::Kernel;
use crate::kernel::planes::Planes;

use super::PairRate;
use cell::{Board, solve};
pub(super) use plan::ScorePlan;

/// Rates pairs of plans of a game with memories.
#[derive(Debug)]
pub(super) struct Recall {
    planes: Planes,
    start_memory: usize,
    /// By memory: the planes of the outcomes that leave it.
    leaving: Vec<Vec<usize>>,
}

/// Room for one thread's pairs.
#[derive(Debug)]
pub(super) struct Room<'t> {
    recall: &'t Recall,
    boards: [Board; 2],
}

/// The most memories of a player: they are the bits of a set.
const MOST_MEMORIES: usize = 64;

/// Additions across the lanes of a block.
const ACROSS: usize = 3;
/// Roundings of one value beside its sums.
const ON_TOP: usize = 4;
/// Those of weights that doubles do not hold: of base and of extras, and of their total.
const OF_WEIGHTS: usize = 3;

impl Recall {
    /// For the pairs of a game, if it fits.
    pub(super) fn new(game: &Game, kernel: &Kernel) -> Option<Self> {
        let memories = kernel.space.mine;
        if !(2..=MOST_MEMORIES).contains(&memories) {
            return None;
        }
        let (planes, mut leaving) = (Planes::new(kernel).ok()?, vec![Vec::new(); memories]);
        for (plane, memory) in planes.planes.iter().map(|plane| plane.memory).enumerate() {
            leaving[memory].push(plane);
        }
        Some(Self { planes, start_memory: game.start() % memories, leaving })
    }

    /// A bound on the error of every win rate, with u = 2^-53 (Higham, *Accuracy and Stability of Numerical Algorithms*,
    /// section 3.1). Of b blocks, the means of base and of extras are each rounded by their products, by b additions at most
    /// and by [`ACROSS`] across the lanes, none of them above 1; on top come the extras' own difference, the scale and its
    /// product, and the difference from 1; totals past 1 / u add [`OF_WEIGHTS`]. Each stage adds that to what its values read
    /// are off by.
    pub(super) fn error_bound(&self) -> f64 {
        let blocks = self.planes.distributions.iter().map(|distribution| distribution.blocks.len()).max().unwrap_or(0);
        let rounded = self.planes.distributions.iter().any(|distribution| distribution.scale < f64::EPSILON / 2.0);
        let roundings = 2 * (1 + blocks + ACROSS) + ON_TOP + if rounded { OF_WEIGHTS } else { 0 };
        1.01 * (self.planes.space.stages() * roundings) as f64 * f64::EPSILON / 2.0
    }

    /// Makes a plan ready, if it fits.
    pub(super) fn prepare(&self, (game, kernel): (&Game, &Kernel), plan: &Plan) -> Option<ScorePlan> {
        ScorePlan::new(self, (game, kernel), plan)
    }

    pub(super) fn room(&self) -> Room<'_> {
        Room { recall: self, boards: [Board::new(&self.planes), Board::new(&self.planes)] }
    }
}

impl Room<'_> {
    /// The rates of a pair.
    pub(super) fn rate(&mut self, plans: [&ScorePlan; 2]) -> PairRate {
        solve(self.recall, plans, &mut self.boards);
        let [first, other] = [0, 1].map(|side| self.boards[side].start.clamp(0.0, 1.0));
        PairRate { first, second: 1.0 - other }
    }
}
