//! The order of the numbers of a stage while a game is solved.
//!
//! Stages (sums of scores) are solved from the highest down, because most turns lead to higher
//! ones. In a stage, a *row* holds the numbers of one combination of memory classes, by column (the
//! opponent's score). Rows are cut into blocks of columns; a block's rows with one class of the
//! opponent's memory are a *task*, solved by one thread.

use std::ops::Range;

use crate::game::{Space, StateMemories};

/// The order of the numbers of each stage: `[block][theirs][shared][mine][column within the
/// block]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub space: Space,
    /// The columns in a block; in the last block some may be unused.
    pub width: usize,
    blocks: usize,
}

impl Layout {
    /// Creates a layout with blocks of `width` columns.
    pub fn new(space: Space, width: usize) -> Self {
        Self { space, width, blocks: space.goal.div_ceil(width) }
    }

    /// The number of stages: the sums of scores of cells are `0..stages()`.
    pub fn stages(&self) -> usize {
        self.space.stages()
    }

    /// The size of a stage, in numbers.
    pub fn numbers(&self) -> usize {
        self.tasks() * self.numbers_of_task()
    }

    pub fn tasks(&self) -> usize {
        self.blocks * self.space.mine
    }

    /// The size of a task, in numbers.
    pub fn numbers_of_task(&self) -> usize {
        self.space.shared * self.space.mine * self.width
    }

    /// The columns of a task; a stage may have cells in only some of them.
    pub fn columns_of_task(&self, task: usize) -> Range<usize> {
        let first = task / self.space.mine * self.width;
        first..self.space.goal.min(first + self.width)
    }

    /// The opponent's memory class of a task.
    pub fn theirs_of_task(&self, task: usize) -> usize {
        task % self.space.mine
    }

    /// The place of a state's number in its stage.
    #[inline(always)]
    pub fn at(&self, column: usize, memories: StateMemories) -> usize {
        let (block, place) = self.place(column);
        self.row(block, memories) + place
    }

    /// The block of a column, and the column's place in it.
    #[inline(always)]
    pub fn place(&self, column: usize) -> (usize, usize) {
        if self.blocks == 1 { (0, column) } else { (column / self.width, column % self.width) }
    }

    /// Cuts a range of columns into segments, each within a block.
    pub fn segments(&self, columns: Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
        let width = self.width;
        let blocks = self.place(columns.start).0..self.blocks;
        let segments = blocks.map(move |block| {
            columns.start.max(block * width)..columns.end.min((block + 1) * width)
        });
        segments.take_while(|segment| !segment.is_empty())
    }

    /// The place where the row of some memory classes begins in a block.
    #[inline(always)]
    pub fn row(&self, block: usize, memories: StateMemories) -> usize {
        let StateMemories { shared, mine, theirs } = memories;
        (((block * self.space.mine + theirs) * self.space.shared + shared) * self.space.mine + mine)
            * self.width
    }

    /// The stage, the column and the memory classes of a state.
    pub fn of_state(&self, state: usize) -> (usize, usize, StateMemories) {
        let (cell, memories) = self.space.parts(state);
        let (score, column) = self.space.scores(cell);
        (score + column, column, memories)
    }

    /// All combinations of memory classes, in the order of states.
    pub fn memories(&self) -> impl Iterator<Item = StateMemories> + use<> {
        let Space { shared, mine, .. } = self.space;
        (0..shared).flat_map(move |shared| {
            (0..mine).flat_map(move |theirs| {
                (0..mine).map(move |mine| StateMemories { shared, mine, theirs })
            })
        })
    }
}
