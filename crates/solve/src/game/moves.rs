//! The arrays of phase 4: the action set of each cell, and where outcomes lead.

use super::grid::ScoreGrid;
use super::successors::{ScoreSuccessor, SuccessorTable};
use super::{CellActions, Space, TurnOutcome};

/// The action sets of all cells, and the successors of their outcomes.
#[derive(Debug)]
pub(super) struct Moves {
    pub space: Space,
    /// The action set of each cell, as an index into `sets`.
    pub grid: ScoreGrid,
    /// The same by the opponent's score, if the action set does not depend on the mover's score.
    pub by_opponent: Option<Vec<u16>>,
    pub sets: Vec<CellActions>,
    /// The tables of successors, indexed by [`TurnOutcome::table`].
    pub tables: Vec<SuccessorTable>,
}

impl Moves {
    /// The memory of the arrays, in bytes.
    pub fn bytes(&self) -> usize {
        let tables = self.tables.iter().map(SuccessorTable::bytes).sum::<usize>();
        let outcomes = self
            .sets
            .iter()
            .flat_map(|set| &set.by_shared)
            .map(|set| size_of_val(&set.outcomes[..]));
        let sets = self.sets.iter().map(CellActions::bytes).sum::<usize>();
        tables + sets + outcomes.sum::<usize>() + self.grid.bytes()
    }

    /// The action set of a cell.
    #[inline(always)]
    pub fn at(&self, cell: usize) -> &CellActions {
        &self.sets[self.number(cell)]
    }

    /// The index in `sets` of a cell's action set.
    #[inline(always)]
    pub fn number(&self, cell: usize) -> usize {
        let (score, opponent) = self.space.scores(cell);
        self.number_at(score, opponent)
    }

    /// The index in `sets` of the action set of a pair of scores.
    #[inline(always)]
    pub fn number_at(&self, score: usize, opponent: usize) -> usize {
        match &self.by_opponent {
            Some(numbers) => usize::from(numbers[opponent]),
            None => self.grid.at(score, opponent) as usize,
        }
    }

    /// The successor of a pair of scores under an outcome, without the memories.
    #[inline(always)]
    pub fn score_successor(
        &self,
        score: usize,
        opponent: usize,
        outcome: &TurnOutcome,
    ) -> ScoreSuccessor {
        self.table(outcome).successor(score, opponent, outcome.points as usize).score_successor()
    }

    /// The table of successors of an outcome.
    #[inline(always)]
    pub fn table(&self, outcome: &TurnOutcome) -> &SuccessorTable {
        &self.tables[usize::from(outcome.table)]
    }

    /// The successor of a pair of scores under an outcome.
    #[inline(always)]
    pub fn successor(&self, score: usize, opponent: usize, outcome: &TurnOutcome) -> Successor {
        match self.score_successor(score, opponent, outcome) {
            ScoreSuccessor::Won => Successor::End(End::Won),
            ScoreSuccessor::Lost => Successor::End(End::Lost),
            ScoreSuccessor::Tied => Successor::End(End::Tied),
            ScoreSuccessor::Passed { cell } => Successor::Passed {
                cell,
                shared: outcome.shared[0].into(),
                theirs: outcome.mine[0].into(),
            },
            ScoreSuccessor::Again { cell } => Successor::Again {
                cell,
                shared: outcome.shared[1].into(),
                mine: outcome.mine[1].into(),
            },
        }
    }
}

/// The successor of a cell under an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Successor {
    /// The game ends.
    End(End),
    /// The opponent moves next.
    Passed {
        /// The cell as the opponent sees it.
        cell: usize,
        /// The class of the shared memories.
        shared: usize,
        /// The mover's memory class, which is the other player's class to the opponent.
        theirs: usize,
    },
    /// The mover moves again.
    Again {
        /// The cell as the mover sees it.
        cell: usize,
        /// The class of the shared memories.
        shared: usize,
        /// The mover's memory class.
        mine: usize,
    },
}

impl Successor {
    /// The state after a turn, seen by the next player to move, and whether that is the same player
    /// again; or how the game ends for the mover. `theirs` is the class of the opponent's
    /// memory during the turn.
    #[inline(always)]
    pub fn after(self, space: Space, theirs: usize) -> Result<(usize, bool), End> {
        match self {
            Self::End(end) => Err(end),
            Self::Passed { cell, shared, theirs: left } => {
                Ok((space.state(cell, shared, left, theirs), false))
            }
            Self::Again { cell, shared, mine } => {
                Ok((space.state(cell, shared, theirs, mine), true))
            }
        }
    }
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

impl End {
    /// The value to the opponent of the player who has just moved, in halves of a win.
    pub fn halves_to_opponent(self) -> u8 {
        match self {
            Self::Won => 0,
            Self::Tied => 1,
            Self::Lost => 2,
        }
    }

    /// The value to the opponent of the player who has just moved.
    pub fn value_to_opponent(self) -> f64 {
        f64::from(self.halves_to_opponent()) / 2.0
    }
}
