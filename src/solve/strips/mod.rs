//! Floats solved many cells side by side: the engine of games in double precision.
//!
//! Let a column be an opponent's score o. In the layer of a sum S of scores the mover there has t = S - o, and a plain turn
//! of p points leads to the same column of the layer S + p. So whatever a turn reads lies in the column of its cell, and
//! the Bellman step is the same few sums of rows for all columns: one multiplication and one addition for all of them at
//! once. Columns are taken [`LANES`] at a time, a strip, which is what vectors of a processor like.
//!
//! **Arrivals.** For each kind of landing and each column, what arriving there is worth to the opponent: the value of the
//! state, or where the rules on totals lead elsewhere (a swap, a bonus, another turn), what that is worth.
//!
//! **Differences.** Where it depends on the points of the turn what an arrival is worth, it counts as plain, and what it is
//! worth more is found for the columns of each strip and added to the sums that read it. Into layers that no turn reaches as a
//! plain one would, arrivals count as nothing, and all of their worth is added. Where such turns lead from each layer and strip,
//! its detours, is a fact of the game, like all of the [`Setting`].
//!
//! **Chains.** A clean roll of n dice is a clean roll of n - 1 dice from wherever the first die leads. With A(t) the value
//! of arriving and U(0, t) = A(t), U(n, t) is the weighted sum of U(n - 1, t + p) over what one die brings, p. So all numbers
//! of dice cost a few additions each instead of a sum over all their outcomes. What clean rolls read is known some layers before
//! they are, so several layers are climbed at a time.
//!
//! **Blocks.** A turn reads from the mover's column, at higher totals; what it finds there are cells in which the opponent
//! moves, at the mirrored place of the board. So a square block of cells and its mirror image depend on each other and on
//! blocks further up, and on no other block with the same distance from the end: such pairs of blocks are solved at the
//! same time, each in the cache of one core. Small boards are one block.
//!
//! All operations are on single columns, in a fixed order: the bits do not depend on the processor's vectors, on the
//! blocks, or on the number of threads.

mod board;
mod climb;
mod detours;
mod diagonals;
mod groups;
mod kernel;
mod line;
mod mend;
mod menu;
mod order;
mod pair;
mod passes;
mod question;
mod setting;
mod stock;
mod stretch;
mod strip;
mod weights;

use std::ops::{Deref, DerefMut};

use crate::game::Game;

use super::arithmetic::Payoff;
use super::bellman::Side;
use super::{SolveError, Values, Watch};
use board::Board;
use question::Question;
use setting::Setting;
use stock::Stock;

/// Columns of a strip.
const LANES: usize = 16;

/// One number for each column of a strip: whole lines of the cache, for a vector that lies across two of them takes twice
/// as long to load.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
struct Row([f64; LANES]);

const ZERO: Row = Row([0.0; LANES]);

impl Deref for Row {
    type Target = [f64; LANES];

    #[inline(always)]
    fn deref(&self) -> &[f64; LANES] {
        &self.0
    }
}

impl DerefMut for Row {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f64; LANES] {
        &mut self.0
    }
}

/// A game made ready for this engine.
#[derive(Debug)]
pub(super) struct Strips<'g> {
    setting: Setting<'g>,
    stock: Stock,
}

impl<'g> Strips<'g> {
    /// `None` for games that do not fit (see [`Setting::new`]).
    pub fn new(game: &'g Game) -> Option<Self> {
        let setting = Setting::new(game)?;
        Some(Self { stock: Stock::new(&setting), setting })
    }

    /// All values of each side, and how many loops were solved; two values of a layer closer than its `slack` count as tied.
    /// `None` if the passes of these sides are more than to and fro.
    pub fn solve(
        &self,
        sides: &[Side],
        (payoff, slack): (Payoff, &[f64]),
        watch: &Watch,
    ) -> Option<Result<(Vec<Values>, usize), SolveError>> {
        let question = Question::new(&self.setting, sides, (payoff, slack))?;
        Some(Board::new(&question, &self.stock).solve(watch))
    }
}
