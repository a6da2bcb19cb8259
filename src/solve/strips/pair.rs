//! A block of cells and its mirror image: layer by layer, from the highest sum of scores down.

use std::ops::Range;

use rayon::prelude::*;

use super::LANES;
use super::board::{Block, Known};
use super::detours::Detours;
use super::diagonals::Diagonals;
use super::kernel::{Room, land, solve_strip};
use super::line::Line;
use super::question::Question;
use super::setting::{Setting, Slots};
use super::stock::Stock;
use super::strip::{Layer, Strip};
use crate::solve::{SolveError, Values, Watch};

/// The strips of some columns and their results in one layer, by side.
#[derive(Debug, Default)]
pub(super) struct Crew {
    strips: Vec<Vec<Strip>>,
    lines: Vec<Line>,
}

impl Crew {
    /// Strips with the numbers of a range, for so many sides.
    pub fn new(setting: &Setting, sides: usize, numbers: Range<usize>) -> Self {
        let strip = |number| Strip::new(setting, number);
        // As for results: large strips on several threads, small ones at once.
        let strips = |_| match setting.is_large() {
            true => numbers.clone().into_par_iter().map(strip).collect(),
            false => numbers.clone().map(strip).collect(),
        };
        let strips: Vec<Vec<Strip>> = (0..sides).map(strips).collect();
        let lines = (0..sides).map(|_| Line::new(setting.edge, setting.space.per_cell())).collect();
        Self { strips, lines }
    }

    /// Of how many sides it has strips.
    pub fn sides(&self) -> usize {
        self.strips.len()
    }

    /// Readies all of it for a question.
    pub fn begin(&mut self, question: &Question, stock: &Stock) {
        for (side, strips) in self.strips.iter_mut().enumerate() {
            let begin = |strip: &mut Strip| stock.begin(strip, question, side);
            match question.setting.is_large() {
                true => strips.par_iter_mut().for_each(begin),
                false => strips.iter_mut().for_each(begin),
            }
        }
    }
}

/// A block and its mirror image, or a block that is its own.
pub(super) struct Pair<'a> {
    pub question: &'a Question<'a>,
    pub blocks: Vec<Block>,
    /// By block.
    pub crews: Vec<Crew>,
    pub diagonals: Diagonals,
    /// How many loops were solved.
    pub loops: usize,
}

impl Pair<'_> {
    /// Solves all cells; `others` is the board as far as it is solved.
    pub fn solve(&mut self, others: &[Values], watch: &Watch) -> Result<(), SolveError> {
        let (rows, columns) = (self.blocks[0].rows, self.blocks[0].columns);
        let (first, end) = (rows.0 + columns.0, rows.1 + columns.1 - 1);
        let (mut room, mut slots) = (Room::default(), Slots::default());
        for (block, crew) in self.blocks.iter().zip(&mut self.crews) {
            crew.lines.iter_mut().for_each(|line| line.turn(block.rows.0));
        }
        for sum in (first..end).rev() {
            watch.report(end - 1 - sum, end - first)?;
            slots.turn(self.question.setting, sum);
            self.diagonals.turn(sum);
            let found;
            let detours = match &self.question.setting.detours {
                Some(layers) => &layers[sum],
                None => {
                    found = Detours::new(self.question.setting, sum);
                    &found
                }
            };
            self.choose(sum, (others, &slots, detours), &mut room);
            if self.question.passes.any(sum) {
                self.loops += self.question.passes.settle(self.question, sum, &mut self.crews[0].lines);
            }
            self.write(sum);
            self.land(sum, (others, &slots, detours));
        }
        watch.report(end - first, end - first)
    }

    /// The strips of a block that have cells in a layer.
    fn active(&self, block: usize, sum: usize) -> std::ops::Range<usize> {
        let Block { rows, columns, .. } = &self.blocks[block];
        let first = (sum + 1).saturating_sub(rows.1 + columns.0) / LANES;
        let end = (sum + 1 - rows.0 - columns.0).div_ceil(LANES);
        first..end.min((columns.1 - columns.0).div_ceil(LANES))
    }

    /// The best actions of all cells of a layer, or what plans bring.
    fn choose(&mut self, sum: usize, (others, slots, detours): (&[Values], &Slots, &Detours), room: &mut Room) {
        let question = self.question;
        for block in 0..self.blocks.len() {
            let active = self.active(block, sum);
            let known = known(question.setting, (&self.blocks, &self.diagonals), others);
            for side in question.sides {
                let rows = self.blocks[block].rows;
                let layer = Layer { question, side, sum, slots, rows, known: &known, detours };
                let Crew { strips, lines } = &mut self.crews[block];
                let line = &mut lines[side.own];
                strips[side.own][active.clone()].iter_mut().for_each(|strip| solve_strip(&layer, strip, line, room));
            }
        }
    }

    /// Copies the results of a layer to where their states belong.
    fn write(&mut self, sum: usize) {
        let space = self.question.setting.space;
        for block in 0..self.blocks.len() {
            let (block, crew) = (&mut self.blocks[block], &self.crews[block]);
            let scores = (sum + 1).saturating_sub(block.columns.1).max(block.rows.0)
                ..(sum + 1).saturating_sub(block.columns.0).min(block.rows.1);
            // From a score to the next, the column goes down by 1; a block of one cell has no next.
            let step = ((block.columns.1 - block.columns.0 - 1) * space.per_cell()).max(1);
            let first = block.place(&space, scores.start, sum - scores.start);
            for (side, line) in crew.lines.iter().enumerate() {
                write(line, scores.clone(), (first, step), &mut block.sides[side]);
                self.diagonals.keep(side, line);
            }
        }
    }

    /// Makes the results of a layer known to all strips.
    fn land(&mut self, sum: usize, (others, slots, detours): (&[Values], &Slots, &Detours)) {
        let question = self.question;
        let known = known(question.setting, (&self.blocks, &self.diagonals), others);
        for block in 0..self.blocks.len() {
            let mirror = self.blocks.len() - 1 - block;
            let active = self.active(block, sum);
            for side in question.sides {
                let rows = self.blocks[block].rows;
                let layer = Layer { question, side, sum, slots, rows, known: &known, detours };
                let mut strips = std::mem::take(&mut self.crews[block].strips[side.own]);
                let line = &self.crews[mirror].lines[side.other];
                strips[active.clone()].iter_mut().for_each(|strip| land(&layer, strip, line));
                self.crews[block].strips[side.own] = strips;
            }
        }
    }
}

/// All that a pair of blocks sees: its own cells, and those before.
fn known<'k>(setting: &Setting, (own, diagonals): (&'k [Block], &'k Diagonals), others: &'k [Values]) -> Known<'k> {
    Known { space: setting.space, edge: setting.edge, own, others, diagonals }
}

/// Copies the results of some scores to the places of their states: the lowest one's, and each next one's so many after it.
fn write(line: &Line, scores: Range<usize>, (first, step): (usize, usize), values: &mut Values) {
    let (spot, states) = (line.spot(scores.start), line.states());
    if states == 1 {
        let (numbers, sets) = line.from(0, spot);
        let mut place = first;
        for (value, set) in numbers.iter().zip(sets).take(scores.len()) {
            (values.win_rates[place], values.best[place]) = (*value, *set);
            place += step;
        }
        return;
    }
    for (number, score) in scores.enumerate() {
        let states = first + number * step..first + number * step + states;
        line.copy_score(score, (&mut values.win_rates[states.clone()], &mut values.best[states]));
    }
}
