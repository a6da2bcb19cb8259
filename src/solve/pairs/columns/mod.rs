//! Pairs of plans of a game without memory, rated a tile of cells at a time.
//!
//! Let a column be an opponent's score. In the layer of a sum of scores S, a plain turn of p points leads to the same column
//! of the layer S + p, so that the numbers that neighbouring cells read lie side by side. A clean roll of n dice is a clean
//! roll of n - 1 dice from wherever the first die leads, so that it takes a few additions (see `strips`, which does the same
//! for equilibria). Which of these sums a plan reads at all, at which scores and with how many dice, is found out when it is
//! made ready. Then each lottery that it plays in a tile is one row of sums, of which it takes the columns where it plays it.
//!
//! Neighbouring tiles lie side by side, so that what a plan does alike in all of them is one pass over slices.
//!
//! Where what is on offer alternates from score to score, even and odd columns lie apart: then all columns of a tile choose
//! alike, and clean rolls are needed in every other tile only.
//!
//! Arrivals hold, by sum and column, what arriving there is worth to the next mover, rules on totals applied. Where these
//! depend on the points of the turn, the excess over the plain arrival is worked out for neighbouring columns together.

mod climb;
mod excess;
mod layer;
mod plan;
mod row;
mod tables;

use crate::game::{Game, Plan};

use super::PairRate;
use crate::solve::arithmetic::Payoff;
use crate::solve::float::Float;
use layer::{Side, solve};
pub(super) use plan::TilePlan;
use tables::Tables;

/// Rates pairs of plans of a game without memory.
#[derive(Debug)]
pub(super) struct Columns {
    tables: Tables,
    error_bound: f64,
}

/// Room for one thread's pairs.
#[derive(Debug)]
pub(super) struct Room<'t> {
    tables: &'t Tables,
    sides: [Side; 2],
}

impl Columns {
    /// For the pairs of a game, if it fits.
    pub(super) fn new(game: &Game) -> Option<Self> {
        let tables = Tables::new(game)?;
        // The sums are those of floats (see there): no more roundings, in the same order of states.
        let error_bound = Float::new(game, Payoff::WinRate).bound(game.space().stages() - 1);
        Some(Self { tables, error_bound })
    }

    /// No rate is further than this from the exact one.
    pub(super) fn error_bound(&self) -> f64 {
        self.error_bound
    }

    /// Makes a plan ready.
    pub(super) fn prepare(&self, game: &Game, plan: &Plan) -> TilePlan {
        TilePlan::new(&self.tables, game, plan)
    }

    pub(super) fn room(&self) -> Room<'_> {
        Room { tables: &self.tables, sides: [Side::new(&self.tables), Side::new(&self.tables)] }
    }
}

impl Room<'_> {
    /// The rates of a pair.
    pub(super) fn rate(&mut self, plans: [&TilePlan; 2]) -> PairRate {
        solve(self.tables, plans, &mut self.sides);
        PairRate { first: self.sides[0].start(), second: 1.0 - self.sides[1].start() }
    }
}
