//! A block of cells and its mirror image: layer by layer, from the highest sum of scores down.

use crate::game::DiceSet;

use super::board::{Block, Known};
use super::kernel::{Out, Room, solve_strip};
use super::setting::{Setting, Slots};
use super::strip::{Layer, Strip};
use super::{LANES, ZERO};
use crate::solve::bellman::Side;
use crate::solve::{SolveError, Values, Watch};

/// The strips of some columns and their results in one layer, by side.
#[derive(Debug, Default)]
pub(super) struct Crew {
    strips: Vec<Vec<Strip>>,
    outs: Vec<Vec<Out>>,
}

impl Crew {
    /// The strips that `strips` makes for each side.
    pub fn new(setting: &Setting, sides: &[Side], strips: impl Fn(usize) -> Vec<Strip>) -> Self {
        let strips: Vec<Vec<Strip>> = (0..sides.len()).map(strips).collect();
        let states = setting.space.per_cell();
        let out = || Out { values: vec![ZERO; states], sets: vec![[0; LANES]; states] };
        let outs = strips.iter().map(|strips| strips.iter().map(|_| out()).collect()).collect();
        Self { strips, outs }
    }
}

/// A block and its mirror image, or a block that is its own.
pub(super) struct Pair<'a> {
    pub setting: &'a Setting<'a>,
    pub sides: &'a [Side<'a>],
    /// By side and chain.
    pub most_dice: Vec<Vec<usize>>,
    pub blocks: Vec<Block>,
    /// By block.
    pub crews: Vec<Crew>,
    /// How many loops were solved.
    pub loops: usize,
}

impl Pair<'_> {
    /// Solves all cells; `others` is the board as far as it is solved.
    pub fn solve(&mut self, others: &[Values], watch: &Watch) -> Result<(), SolveError> {
        let (rows, columns) = (self.blocks[0].rows, self.blocks[0].columns);
        let (first, end) = (rows.0 + columns.0, rows.1 + columns.1 - 1);
        let (mut room, mut slots) = (Room::default(), Slots::default());
        for sum in (first..end).rev() {
            watch.report(end - 1 - sum, end - first)?;
            slots.turn(self.setting, sum);
            self.choose(sum, (others, &slots), &mut room);
            if self.setting.passes.any(sum) {
                let outs = &mut self.crews[0].outs;
                self.loops += self.setting.passes.settle(self.setting, sum, outs);
            }
            self.write(sum);
            self.land(sum, (others, &slots));
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
    fn choose(&mut self, sum: usize, (others, slots): (&[Values], &Slots), room: &mut Room) {
        let setting = self.setting;
        for block in 0..self.blocks.len() {
            let active = self.active(block, sum);
            let known = Known { space: setting.space, edge: self.setting.edge, own: &self.blocks, others };
            for (side, most_dice) in self.sides.iter().zip(&self.most_dice) {
                let rows = self.blocks[block].rows;
                let layer = Layer { setting, side, sum, slots, most_dice, rows, known: &known };
                let Crew { strips, outs } = &mut self.crews[block];
                let (strips, outs) = (&mut strips[side.own][active.clone()], &mut outs[side.own][active.clone()]);
                strips.iter_mut().zip(outs).for_each(|(strip, out)| solve_strip(&layer, strip, out, room));
            }
        }
    }

    /// Copies the results of a layer to where their states belong.
    fn write(&mut self, sum: usize) {
        let per_cell = self.setting.space.per_cell();
        for block in 0..self.blocks.len() {
            let active = self.active(block, sum);
            let (block, crew) = (&mut self.blocks[block], &self.crews[block]);
            let (rows, columns) = (block.rows, block.columns);
            let stride = (columns.1 - columns.0) * per_cell;
            for (values, (strips, outs)) in block.sides.iter_mut().zip(crew.strips.iter().zip(&crew.outs)) {
                let mut rest = (&mut values.win_rates[..], &mut values.best[..]);
                let mut row = rows.0;
                let strips = strips[active.clone()].iter().zip(&outs[active.clone()]).rev();
                // From a strip to the one before, the scores go up: each has rows of its own.
                let parts = strips.map(|(strip, out)| {
                    let first = (sum + 1).saturating_sub(rows.1).max(strip.first);
                    let end = (sum + 1 - rows.0).min(columns.1).min(strip.first + LANES);
                    let skipped = (sum + 1 - end - row) * stride;
                    let taken = (end - first) * stride;
                    let win_rates = take(&mut rest.0, skipped, taken);
                    let sets = take(&mut rest.1, skipped, taken);
                    row = sum + 1 - first;
                    let lanes = first - strip.first..end - strip.first;
                    Part { out, lanes, column: (first - columns.0) * per_cell, stride, win_rates, sets }
                });
                parts.for_each(|part| part.write(per_cell));
            }
        }
    }

    /// Makes the results of a layer known to all strips.
    fn land(&mut self, sum: usize, (others, slots): (&[Values], &Slots)) {
        let setting = self.setting;
        let known = Known { space: setting.space, edge: self.setting.edge, own: &self.blocks, others };
        for block in 0..self.blocks.len() {
            let mirror = self.blocks.len() - 1 - block;
            let (active, mirror_first) = (self.active(block, sum), self.blocks[mirror].columns.0);
            for (side, most_dice) in self.sides.iter().zip(&self.most_dice) {
                let rows = self.blocks[block].rows;
                let layer = Layer { setting, side, sum, slots, most_dice, rows, known: &known };
                let mut strips = std::mem::take(&mut self.crews[block].strips[side.own]);
                let outs = &self.crews[mirror].outs[side.other];
                strips[active.clone()].iter_mut().for_each(|strip| strip.land(&layer, (outs, mirror_first)));
                self.crews[block].strips[side.own] = strips;
            }
        }
    }
}

/// Takes a part of a slice away, after so many items that are skipped.
fn take<'s, T>(rest: &mut &'s mut [T], skipped: usize, taken: usize) -> &'s mut [T] {
    let (part, after) = std::mem::take(rest)[skipped..].split_at_mut(taken);
    *rest = after;
    part
}

/// The results of a strip, and the rows of a block that their cells are in, one in each.
struct Part<'p> {
    out: &'p Out,
    lanes: std::ops::Range<usize>,
    /// The place of the first cell in its row, which is the last.
    column: usize,
    stride: usize,
    win_rates: &'p mut [f64],
    sets: &'p mut [DiceSet],
}

impl Part<'_> {
    fn write(self, per_cell: usize) {
        let rows = self.win_rates.chunks_exact_mut(self.stride).zip(self.sets.chunks_exact_mut(self.stride)).rev();
        if let ([values], [sets]) = (&self.out.values[..], &self.out.sets[..]) {
            let results = values[self.lanes.clone()].iter().zip(&sets[self.lanes]);
            for (place, ((win_rates, best), (value, set))) in (self.column..).zip(rows.zip(results)) {
                (win_rates[place], best[place]) = (*value, *set);
            }
            return;
        }
        for (place, ((win_rates, best), lane)) in (0..).zip(rows.zip(self.lanes)) {
            let (lane, states) = (lane % LANES, self.column + place * per_cell..);
            for (win_rate, row) in win_rates[states.clone()].iter_mut().zip(&self.out.values) {
                *win_rate = row[lane];
            }
            for (set, row) in best[states].iter_mut().zip(&self.out.sets) {
                *set = row[lane];
            }
        }
    }
}
