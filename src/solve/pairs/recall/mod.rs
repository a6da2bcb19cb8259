//! Pairs of plans that see only the scores, in a game whose players remember something of their own.
//!
//! Where a memory decides the points of the same roll, nearly all its values share one distribution and a few, the exceptions,
//! another. So a cell is worth a number and, for the exceptions, a difference, each for every memory of the opponent; a
//! turn's mean is a dot product over numbers that lie side by side, and one over the differences for each memory of the
//! opponent that can come up there. What can come up is found out for each plan by itself, whatever it meets.
//!
//! Boards hold what arriving is worth, rules on totals applied, so that a sum reads neighbours whatever these lead to.

mod cell;
mod plan;
mod tables;

use crate::game::{Game, Plan};

use super::PairRate;
use cell::{Board, solve};
pub(super) use plan::ScorePlan;
use tables::Tables;

/// Rates pairs of plans of a game with memories.
#[derive(Debug)]
pub(super) struct Recall {
    tables: Tables,
}

/// Room for one thread's pairs.
#[derive(Debug)]
pub(super) struct Room<'t> {
    tables: &'t Tables,
    boards: [Board; 2],
}

impl Recall {
    /// For the pairs of a game, if it fits.
    pub(super) fn new(game: &Game) -> Option<Self> {
        Some(Self { tables: Tables::new(game)? })
    }

    /// No rate is further than this from the exact one.
    pub(super) fn error_bound(&self) -> f64 {
        self.tables.error_bound()
    }

    /// Makes a plan ready, if it fits.
    pub(super) fn prepare(&self, game: &Game, plan: &Plan) -> Option<ScorePlan> {
        ScorePlan::new(&self.tables, game, plan)
    }

    pub(super) fn room(&self) -> Room<'_> {
        Room { tables: &self.tables, boards: [Board::new(&self.tables), Board::new(&self.tables)] }
    }
}

impl Room<'_> {
    /// The rates of a pair.
    pub(super) fn rate(&mut self, plans: [&ScorePlan; 2]) -> PairRate {
        solve(self.tables, plans, &mut self.boards);
        PairRate { first: self.boards[0].start, second: 1.0 - self.boards[1].start }
    }
}
