//! Which panel is on offer at a cell, kept by the scores that make a difference.

use super::grid::ScoreGrid;

/// The number of the panel of each cell.
#[derive(Clone, Debug)]
pub(super) enum PanelIndex {
    /// The own score makes no difference: by the opponent's.
    ByOpponent(Vec<u16>),
    /// By both.
    ByScores(ScoreGrid),
}

impl PanelIndex {
    /// An index whose panels are numbered as the grid does it.
    pub fn new(grid: ScoreGrid) -> Self {
        grid.by_opponent().map_or(Self::ByScores(grid), Self::ByOpponent)
    }

    /// The number of a cell's panel.
    #[inline(always)]
    pub fn of_cell(&self, cell: usize, goal: usize) -> usize {
        // A division of 32 bits is cheaper than one of 64, and cells fit.
        let (cell, goal) = (cell as u32, goal as u32);
        match self {
            Self::ByOpponent(panels) => usize::from(panels[(cell % goal) as usize]),
            Self::ByScores(grid) => grid.at((cell / goal) as usize, (cell % goal) as usize) as usize,
        }
    }

    /// The number of the panel of a pair of scores.
    #[inline(always)]
    pub fn at(&self, score: usize, opponent: usize) -> usize {
        match self {
            Self::ByOpponent(panels) => usize::from(panels[opponent]),
            Self::ByScores(grid) => grid.at(score, opponent) as usize,
        }
    }

    /// After how many own scores they repeat.
    pub fn period(&self) -> usize {
        match self {
            Self::ByOpponent(_) => 1,
            Self::ByScores(grid) => grid.period(),
        }
    }

    /// By the opponent's score, if the own makes no difference.
    pub fn by_opponent(&self) -> Option<&[u16]> {
        match self {
            Self::ByOpponent(panels) => Some(panels),
            Self::ByScores(_) => None,
        }
    }
}
