//! The dimensions of a game's state space, and the numbering of its states.

use super::{DiceSet, End, Successor};

/// The dimensions of a game's state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// The goal: scores run from 0 to `goal - 1`.
    pub goal: usize,
    /// The number of classes of one player's memories.
    pub mine: usize,
    /// The number of classes of the shared memories.
    pub shared: usize,
    /// The number of actions; action 0 rolls `min_dice` dice.
    pub actions: usize,
    /// The fewest dice that may be requested.
    pub min_dice: i32,
}

impl Space {
    /// The number of states.
    pub fn states(&self) -> usize {
        self.goal * self.goal * self.per_cell()
    }

    /// The number of states of one cell.
    pub fn per_cell(&self) -> usize {
        self.shared * self.mine * self.mine
    }

    /// The index of a state. The mover's own memory varies fastest, so the possible successors of a turn, which differ
    /// only in the next mover's memory, are adjacent.
    #[inline(always)]
    pub fn state(&self, cell: usize, shared: usize, theirs: usize, mine: usize) -> usize {
        ((cell * self.shared + shared) * self.mine + theirs) * self.mine + mine
    }

    /// The cell of a state and its memory classes (shared, the mover's, the other's): the inverse of [`Self::state`].
    #[inline(always)]
    pub fn parts(&self, state: usize) -> (usize, (usize, usize, usize)) {
        let (mine, quotient) = (state % self.mine, state / self.mine);
        let (theirs, quotient) = (quotient % self.mine, quotient / self.mine);
        (quotient / self.shared, (quotient % self.shared, mine, theirs))
    }

    /// The state after a turn, seen by the next player to move, and whether that is the same player again; or how the
    /// game ends for the mover. `theirs` is the class of the opponent's memory during the turn.
    #[inline(always)]
    pub fn after(&self, theirs: usize, successor: Successor) -> Result<(usize, bool), End> {
        match successor {
            Successor::End(end) => Err(end),
            Successor::Passed { cell, shared, theirs: left } => Ok((self.state(cell, shared, left, theirs), false)),
            Successor::Again { cell, shared, mine } => Ok((self.state(cell, shared, theirs, mine), true)),
        }
    }

    /// The mover's and the opponent's score in a cell.
    #[inline(always)]
    pub fn scores(&self, cell: usize) -> (usize, usize) {
        // Cells fit 32 bits, in which division is cheaper than in 64.
        let (cell, goal) = (cell as u32, self.goal as u32);
        ((cell / goal) as usize, (cell % goal) as usize)
    }

    /// The sum of the scores of a cell.
    #[inline(always)]
    pub fn sum(&self, cell: usize) -> usize {
        let (score, opponent) = self.scores(cell);
        score + opponent
    }

    /// The cells of one stage (sum of the scores), in ascending order of the mover's score.
    pub fn stage(&self, sum: usize) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + use<> {
        let (goal, least) = (self.goal, (sum + 1).saturating_sub(self.goal));
        (least..sum.min(goal - 1) + 1).map(move |score| score * goal + sum - score)
    }

    /// The number of stages: sums of the scores from 0 to `2 * goal - 2`.
    pub fn stages(&self) -> usize {
        2 * self.goal - 1
    }

    /// The number of dice of an action.
    pub fn dice(&self, action: usize) -> i32 {
        self.min_dice + action as i32
    }

    /// The action of a number of dice, if there is one.
    pub fn action(&self, dice: i32) -> Option<usize> {
        usize::try_from(dice.checked_sub(self.min_dice)?).ok().filter(|action| *action < self.actions)
    }

    /// The numbers of dice in a set, ascending.
    pub fn dice_in(&self, set: DiceSet) -> Vec<i32> {
        (0..self.actions).filter(|action| set >> action & 1 == 1).map(|action| self.dice(action)).collect()
    }
}
