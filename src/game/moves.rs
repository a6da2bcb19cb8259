//! Stage 4's arrays: what may be done at each cell, and where it leads.

use super::grid::ScoreGrid;
use super::successors::{Destination, SuccessorTable};
use super::{Landing, Panel, Space};

/// The action sets of all cells, and the successors of their outcomes.
#[derive(Debug)]
pub(super) struct Moves {
    pub space: Space,
    /// The action set of each cell, by its place in `sets`.
    pub grid: ScoreGrid,
    /// The same by the opponent's score, if the own makes no difference.
    pub by_opponent: Option<Vec<u16>>,
    pub sets: Vec<Panel>,
    /// The successors of outcomes, by [`Landing::table`].
    pub tables: Vec<SuccessorTable>,
}

impl Moves {
    /// What may be done at a cell.
    #[inline(always)]
    pub fn at(&self, cell: usize) -> &Panel {
        &self.sets[self.number(cell)]
    }

    /// The place in `sets` of a cell's action set.
    #[inline(always)]
    pub fn number(&self, cell: usize) -> usize {
        // A division of 32 bits is cheaper than one of 64, and cells fit.
        let (cell, goal) = (cell as u32, self.space.goal as u32);
        self.number_at((cell / goal) as usize, (cell % goal) as usize)
    }

    /// The same for a pair of scores.
    #[inline(always)]
    pub fn number_at(&self, score: usize, opponent: usize) -> usize {
        match &self.by_opponent {
            Some(numbers) => usize::from(numbers[opponent]),
            None => self.grid.at(score, opponent) as usize,
        }
    }

    /// Where an outcome leads from a pair of scores, without the memories.
    #[inline(always)]
    pub fn destination(&self, (score, opponent): (usize, usize), landing: &Landing) -> Destination {
        self.table(landing).arrival(score, opponent, landing.points as usize).destination()
    }

    /// The successors of an outcome.
    #[inline(always)]
    pub fn table(&self, landing: &Landing) -> &SuccessorTable {
        &self.tables[usize::from(landing.table)]
    }

    /// The view from a cell.
    #[inline(always)]
    pub fn outlook(&self, cell: usize) -> Outlook<'_> {
        Outlook { moves: self, score: cell / self.space.goal, opponent: cell % self.space.goal }
    }
}

/// Where a lottery's outcome leads from a given cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Successor {
    /// The game ends.
    End(End),
    /// The opponent moves next.
    Passed {
        /// The cell as the opponent sees it.
        cell: usize,
        /// The shared class.
        shared: usize,
        /// The mover's memory class, which the opponent sees as the other's.
        theirs: usize,
    },
    /// The mover moves again.
    Again {
        /// The cell as the mover sees it.
        cell: usize,
        /// The shared class.
        shared: usize,
        /// The mover's memory class.
        mine: usize,
    },
}

/// How a game ends for the player who has just moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With the higher score.
    Won,
    /// With the lower score.
    Lost,
    /// With equal scores.
    Tied,
}

/// A cell, from which landings are looked at.
#[derive(Clone, Copy, Debug)]
pub struct Outlook<'a> {
    moves: &'a Moves,
    score: usize,
    opponent: usize,
}

impl Outlook<'_> {
    /// Where a landing leads.
    #[inline(always)]
    pub fn successor(&self, landing: &Landing) -> Successor {
        match self.moves.destination((self.score, self.opponent), landing) {
            Destination::Won => Successor::End(End::Won),
            Destination::Lost => Successor::End(End::Lost),
            Destination::Tied => Successor::End(End::Tied),
            Destination::Passed { cell } => {
                Successor::Passed { cell, shared: landing.shared[0].into(), theirs: landing.mine[0].into() }
            }
            Destination::Again { cell } => {
                Successor::Again { cell, shared: landing.shared[1].into(), mine: landing.mine[1].into() }
            }
        }
    }
}
