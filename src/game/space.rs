//! The sizes of a game's state space, and how its states are numbered.

use super::{DiceSet, End, Successor};

/// The sizes of a game's state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// Scores run from 0 to this, exclusive.
    pub goal: usize,
    /// Classes of one player's memories.
    pub mine: usize,
    /// Classes of the shared memories.
    pub shared: usize,
    /// Actions: numbers of dice from the fewest up.
    pub actions: usize,
    /// The fewest dice: the dice of action 0.
    pub min_dice: i32,
}

impl Space {
    /// How many states there are.
    pub fn states(&self) -> usize {
        self.goal * self.goal * self.per_cell()
    }

    /// How many states share one pair of scores.
    pub fn per_cell(&self) -> usize {
        self.shared * self.mine * self.mine
    }

    /// The index of a state. The mover's own memory counts fastest, so that the states a turn leads to, which
    /// differ in just the next mover's memory, lie side by side.
    #[inline(always)]
    pub fn state(&self, cell: usize, shared: usize, theirs: usize, mine: usize) -> usize {
        ((cell * self.shared + shared) * self.mine + theirs) * self.mine + mine
    }

    /// The cell of a state and its memory classes (shared, the mover's, the other's): the inverse of [`Self::state`].
    #[inline(always)]
    pub fn parts(&self, state: usize) -> (usize, (usize, usize, usize)) {
        let (mine, rest) = (state % self.mine, state / self.mine);
        let (theirs, rest) = (rest % self.mine, rest / self.mine);
        (rest / self.shared, (rest % self.shared, mine, theirs))
    }

    /// The state that a turn leads to, as whoever moves next sees it, and whether that is the mover again; or how the game ends
    /// for the mover. `theirs` is the class of the opponent's memory during the turn.
    #[inline(always)]
    pub fn after(&self, theirs: usize, successor: Successor) -> Result<(usize, bool), End> {
        match successor {
            Successor::End(end) => Err(end),
            Successor::Passed { cell, shared, theirs: left } => Ok((self.state(cell, shared, left, theirs), false)),
            Successor::Again { cell, shared, mine } => Ok((self.state(cell, shared, theirs, mine), true)),
        }
    }

    /// The sum of the scores of a cell.
    pub fn sum(&self, cell: usize) -> usize {
        cell / self.goal + cell % self.goal
    }

    /// The cells of one sum of scores, in ascending order of the mover's score.
    pub fn stage(&self, sum: usize) -> impl ExactSizeIterator<Item = usize> + use<> {
        let (goal, least) = (self.goal, (sum + 1).saturating_sub(self.goal));
        (least..sum.min(goal - 1) + 1).map(move |score| score * goal + sum - score)
    }

    /// How many sums of scores there are.
    pub fn stages(&self) -> usize {
        2 * self.goal - 1
    }

    /// The number of dice of an action.
    pub fn dice(&self, action: usize) -> i32 {
        self.min_dice + action as i32
    }

    /// The action of a number of dice.
    pub fn action(&self, dice: i32) -> Option<usize> {
        usize::try_from(dice.checked_sub(self.min_dice)?).ok().filter(|action| *action < self.actions)
    }

    /// The numbers of dice in a set, ascending.
    pub fn dice_in(&self, set: DiceSet) -> Vec<i32> {
        (0..self.actions).filter(|action| set >> action & 1 == 1).map(|action| self.dice(action)).collect()
    }
}
