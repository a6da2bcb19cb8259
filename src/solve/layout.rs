//! Where the numbers of a stage lie while a game is solved.
//!
//! A stage is a sum of scores; all that it depends on lies in itself or in higher stages, which are solved before it. Within a
//! stage a *row* holds the numbers of one combination of memory classes, by column (the opponent's score). Rows are cut
//! into blocks of columns; a block's rows of one class of the opponent's memory are a *task*, worked on by one thread.

use std::ops::Range;

use crate::game::Space;

/// The order of the numbers of each stage: `[block][theirs][shared][mine][column within the block]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub space: Space,
    /// Columns of a block; the last block may have some to spare.
    width: usize,
    blocks: usize,
}

/// The memory classes of a state: shared, the mover's, the other's.
pub(super) type Memories = (usize, usize, usize);

impl Layout {
    /// With blocks of so many columns.
    pub fn new(space: Space, width: usize) -> Self {
        Self { space, width, blocks: space.goal.div_ceil(width) }
    }

    /// The sums of scores of cells run from 0 to this, exclusive.
    pub fn stages(&self) -> usize {
        self.space.stages()
    }

    /// The columns of the cells of a stage.
    #[inline(always)]
    pub fn columns(&self, stage: usize) -> Range<usize> {
        (stage + 1).saturating_sub(self.space.goal)..self.space.goal.min(stage + 1)
    }

    /// How many numbers a stage has room for.
    pub fn numbers(&self) -> usize {
        self.tasks() * self.numbers_of_task()
    }

    /// How many tasks there are.
    pub fn tasks(&self) -> usize {
        self.blocks * self.space.mine
    }

    /// How many numbers a task has room for.
    pub fn numbers_of_task(&self) -> usize {
        self.space.shared * self.space.mine * self.width
    }

    /// The columns of a task, whether or not a stage has all of them.
    pub fn columns_of_task(&self, task: usize) -> Range<usize> {
        let first = task / self.space.mine * self.width;
        first..self.space.goal.min(first + self.width)
    }

    /// The class of the opponent's memory of a task.
    pub fn theirs_of_task(&self, task: usize) -> usize {
        task % self.space.mine
    }

    /// Columns of a block.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The place of a state's number in its stage.
    #[inline(always)]
    pub fn at(&self, column: usize, memories: Memories) -> usize {
        let (block, place) = self.place(column);
        self.row(block, memories) + place
    }

    /// The block of a column, and its place there.
    #[inline(always)]
    pub fn place(&self, column: usize) -> (usize, usize) {
        if self.blocks == 1 { (0, column) } else { (column / self.width, column % self.width) }
    }

    /// Where the row of some memory classes begins in a block.
    #[inline(always)]
    pub fn row(&self, block: usize, (shared, mine, theirs): Memories) -> usize {
        (((block * self.space.mine + theirs) * self.space.shared + shared) * self.space.mine + mine) * self.width
    }

    /// The column and the memory classes of a place: what [`Self::at`] is told.
    pub fn of_place(&self, place: usize) -> (usize, Memories) {
        let Space { shared, mine, .. } = self.space;
        let (row, column) = (place / self.width, place % self.width);
        let (task, memories) = (row / (shared * mine), row % (shared * mine));
        (task / mine * self.width + column, (memories / mine, memories % mine, task % mine))
    }

    /// The stage, the column and the memory classes of a state.
    pub fn of_state(&self, state: usize) -> (usize, usize, Memories) {
        let (cell, memories) = self.space.parts(state);
        (self.space.sum(cell), cell % self.space.goal, memories)
    }

    /// All combinations of memory classes.
    pub fn memories(&self) -> impl Iterator<Item = Memories> + use<> {
        let Space { shared, mine, .. } = self.space;
        (0..shared).flat_map(move |g| (0..mine).flat_map(move |theirs| (0..mine).map(move |own| (g, own, theirs))))
    }
}
