//! Clean sums of a game without memories: what rolls without a 1 read is shared between numbers of dice.
//!
//! A roll of n dice without a 1 is one of n - 1 dice from wherever the first die leads. So from each column of a stage the sums
//! over the rolls of 1, 2, ... dice are kept, each a sum of a few numbers of one die less from higher stages. A distribution
//! is then one such sum and what remains of its outcomes: with n dice it would be 4n + 1 numbers otherwise.
//! What is deferred counts as nothing here, as in floats.

use std::ops::Range;

use crate::game::End;
use crate::solve::kernel::{CleanSum, Kernel, Target};
use crate::solve::numbers::PassContext;

/// The most rows: each has a bit of a word, and one is left.
const MOST_ROWS: usize = 63;

/// Which clean sums are kept.
#[derive(Debug)]
pub(super) struct CleanSums {
    goal: usize,
    /// Numbers of a cell.
    pub rows: usize,
    /// By convolution: the row of one die; those of more follow.
    first_rows: Vec<usize>,
    /// By cell: a bit for each row that some turn reads.
    read: Vec<u64>,
}

impl CleanSums {
    /// `None` where none are kept: in games with memories, whose rolls are too many, and where the game may go on from totals
    /// past the goal, whose numbers would have any height.
    pub fn new(context: &PassContext) -> Option<Self> {
        let (kernel, goal) = (context.kernel, context.space().goal);
        let goes_on = |class: &crate::solve::kernel::OutcomeClass| class.successors.goes_on_past(goal);
        if context.space().per_cell() > 1 || kernel.classes.iter().any(goes_on) {
            return None;
        }
        let mut rows = 0;
        let first_row = |convolution: &crate::solve::kernel::Convolution| {
            rows += convolution.most_dice;
            rows - convolution.most_dice
        };
        let first_rows = kernel.convolutions.iter().map(first_row).collect();
        let mut sums = Self { goal, rows, first_rows, read: Vec::new() };
        if rows == 0 || rows > MOST_ROWS {
            return None;
        }
        sums.find_reads(context);
        Some(sums)
    }

    /// Finds which rows are read: by distributions, and by rolls of one die more from lower totals.
    fn find_reads(&mut self, context: &PassContext) {
        let (goal, kernel) = (self.goal, context.kernel);
        let of_set = |set: &crate::solve::kernel::ActionSet| {
            let clean = set.all().iter().filter_map(|place| kernel.distributions[*place as usize].clean);
            let mut rows: Vec<(usize, u64)> = clean.map(|clean| (clean.offset, 1 << self.row(&clean))).collect();
            rows.sort_unstable();
            rows.dedup();
            rows
        };
        let of_sets: Vec<Vec<(usize, u64)>> = kernel.action_sets.iter().map(of_set).collect();
        let mut read = vec![0; goal * goal];
        for (score, column) in (0..goal).flat_map(|score| (0..goal).map(move |column| (score, column))) {
            let cell = score * goal + column;
            let rows = &of_sets[context.game.action_set_number_at(score, column)];
            for (offset, row) in rows.iter().filter(|(offset, _)| score + offset < goal) {
                read[cell + offset * goal] |= row;
            }
            for (convolution, first_row) in kernel.convolutions.iter().zip(&self.first_rows) {
                // All rows of the convolution but the first, each as the one before it.
                let fewer = read[cell] >> (first_row + 1) & ((1 << (convolution.most_dice - 1)) - 1);
                for (points, _) in convolution.die.iter().filter(|(points, _)| fewer > 0 && score + points < goal) {
                    read[cell + points * goal] |= fewer << first_row;
                }
            }
        }
        self.read = read;
    }

    /// The row of a clean sum.
    pub fn row(&self, clean: &CleanSum) -> usize {
        self.first_rows[clean.convolution] + clean.dice - 1
    }

    /// Whether some turn reads a row from a total and column; past the goal any may be.
    pub fn is_read(&self, (total, column): (usize, usize), row: usize) -> bool {
        total >= self.goal || self.read[total * self.goal + column] >> row & 1 == 1
    }
}

/// The clean sums that a task keeps, by stage in turns.
#[derive(Debug)]
pub(super) struct Kept {
    columns: Range<usize>,
    rows: usize,
    goal: usize,
    /// By row and column: limbs of a number, or past the goal a count of halves in one limb.
    stages: Vec<(usize, Vec<u64>)>,
}

/// A clean sum as it is kept.
pub(super) enum KeptSum<'n> {
    Halves(u64),
    Limbs(&'n [u64]),
}

impl Kept {
    pub fn new(kernel: &Kernel, sums: &CleanSums, columns: Range<usize>) -> Self {
        // Above all stages that are begun, nothing is worth anything to the opponent.
        let stages = vec![(1, vec![0; sums.rows * columns.len()]); kernel.convolution_reach + 1];
        Self { columns, rows: sums.rows, goal: sums.goal, stages }
    }

    /// Room for a stage, each number of so many limbs; all of them 0.
    pub fn begin(&mut self, stage: usize, limbs: usize) {
        let slot = stage % self.stages.len();
        let (kept_limbs, numbers) = &mut self.stages[slot];
        *kept_limbs = limbs;
        numbers.clear();
        numbers.resize(self.rows * self.columns.len() * limbs, 0);
    }

    fn place(&self, row: usize, column: usize, limbs: usize) -> usize {
        (row * self.columns.len() + column - self.columns.start) * limbs
    }

    /// A sum from a column of a stage.
    pub fn get(&self, row: usize, (stage, column): (usize, usize)) -> KeptSum<'_> {
        let (limbs, numbers) = &self.stages[stage % self.stages.len()];
        let number = &numbers[self.place(row, column, *limbs)..][..*limbs];
        if stage - column >= self.goal { KeptSum::Halves(number[0]) } else { KeptSum::Limbs(number) }
    }

    /// Keeps a sum; limbs beyond its own are 0.
    pub fn set(&mut self, row: usize, (stage, column): (usize, usize), number: &[u64]) {
        let slot = stage % self.stages.len();
        let limbs = self.stages[slot].0;
        let place = self.place(row, column, limbs);
        self.stages[slot].1[place..place + number.len()].copy_from_slice(number);
    }
}

/// What arriving at totals past the goal is worth to the opponent, in halves.
pub(super) fn halves(target: Option<Target>) -> u64 {
    match target {
        Some(Target::End(End::Lost)) => 2,
        Some(Target::End(End::Tied)) => 1,
        _ => 0,
    }
}
