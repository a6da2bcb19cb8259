//! Rates pairs of plans that see only the scores, in games with memories of the players.
//!
//! Given the plan's action in a cell, the distribution usually depends on the player's own memory
//! in a simple way: most values of the memory share one distribution, and a few values, the
//! *exceptions*, share another. The values of a cell are therefore stored as a base and a
//! difference that is added for exceptions, both for each memory of the opponent. The mean of a
//! turn is a dot product over adjacent bases, plus one over the differences for each memory of the
//! opponent that can occur there. Which memories can occur is computed for each plan alone, for all
//! opponents.
//!
//! Values are stored by place ([`Planes`]), with the rules on totals already applied, so the sums
//! read adjacent elements whatever the successors are.

mod cell;
mod plan;

use crate::game::planes::Planes;
use crate::game::{Game, Plan};

use super::PairRate;
use cell::{SideValues, solve};
pub(super) use plan::ScorePlan;

/// The data shared by all pairs of a game.
#[derive(Debug)]
pub(super) struct Recall {
    planes: Planes,
    start_memory: usize,
    /// By memory: the planes of the outcomes after which the mover has that memory.
    planes_of_memory: Vec<Vec<usize>>,
}

/// The workspace of one thread.
#[derive(Debug)]
pub(super) struct RecallWorkspace<'t> {
    recall: &'t Recall,
    values: [SideValues; 2],
}

/// The most memory classes of a player: sets of them are the bits of a `u64`.
const MOST_MEMORIES: usize = 64;

/// The additions in the horizontal sum of a block.
const HORIZONTAL: usize = 3;
/// The roundings of one value other than those of its dot products.
const OTHERS: usize = 4;
/// The roundings of weights that doubles cannot represent: in the base, in the differences, and in
/// the total.
const OF_WEIGHTS: usize = 3;

impl Recall {
    /// Prepares a game; `None` if the method does not apply to it.
    pub(super) fn new(game: &Game) -> Option<Self> {
        let memories = game.space().mine;
        if !(2..=MOST_MEMORIES).contains(&memories) {
            return None;
        }
        let planes = Planes::new(game).ok()?;
        let mut planes_of_memory = vec![Vec::new(); memories];
        for (plane, memory) in planes.planes.iter().map(|plane| plane.memory).enumerate() {
            planes_of_memory[memory].push(plane);
        }
        Some(Self { planes, start_memory: game.start() % memories, planes_of_memory })
    }

    /// An upper bound on the error of every win rate, with u = 2^-53 (Higham, *Accuracy and
    /// Stability of Numerical Algorithms*, section 3.1). With b blocks, each of the two dot
    /// products (bases and differences) is rounded in its products, in at most b additions and
    /// in [`HORIZONTAL`] additions across the lanes; none of these numbers exceeds
    /// one. [`OTHERS`] counts the roundings of the difference itself, of the scale, of the product
    /// with the scale, and of the subtraction from 1. Totals above 1 / u add [`OF_WEIGHTS`]. In
    /// each stage, these roundings add to the error of the values that it reads.
    pub(super) fn error_bound(&self) -> f64 {
        let blocks = self
            .planes
            .distributions
            .iter()
            .map(|distribution| distribution.blocks.len())
            .max()
            .unwrap_or(0);
        let rounded = self
            .planes
            .distributions
            .iter()
            .any(|distribution| distribution.scale < f64::EPSILON / 2.0);
        let roundings =
            2 * (1 + blocks + HORIZONTAL) + OTHERS + if rounded { OF_WEIGHTS } else { 0 };
        1.01 * (self.planes.space.stages() * roundings) as f64 * f64::EPSILON / 2.0
    }

    /// Prepares a plan; `None` if the method does not apply to it.
    pub(super) fn prepare(&self, game: &Game, plan: &Plan) -> Option<ScorePlan> {
        ScorePlan::new(self, game, plan)
    }

    pub(super) fn workspace(&self) -> RecallWorkspace<'_> {
        RecallWorkspace {
            recall: self,
            values: [SideValues::new(&self.planes), SideValues::new(&self.planes)],
        }
    }
}

impl RecallWorkspace<'_> {
    /// Returns the win rates of a pair.
    pub(super) fn rate(&mut self, plans: [&ScorePlan; 2]) -> PairRate {
        solve(self.recall, plans, &mut self.values);
        let [first, other] = [0, 1].map(|side| self.values[side].start.clamp(0.0, 1.0));
        PairRate::of([first, other])
    }
}
