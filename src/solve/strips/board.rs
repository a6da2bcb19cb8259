//! The whole board: blocks of cells, pairs of them in an order in which all that they read is solved before.

use rayon::prelude::*;

use crate::game::Space;

use super::LANES;
use super::kernel::pass_the_goal;
use super::pair::{Crew, Pair};
use super::setting::Setting;
use super::strip::Strip;
use crate::solve::bellman::Side;
use crate::solve::{SolveError, Values, Watch};

/// A square of cells, solved or on its way.
#[derive(Debug)]
pub(super) struct Block {
    /// Its place: rows of blocks by the mover's score, columns by the opponent's.
    pub at: (usize, usize),
    /// The movers' scores: the first, and the end.
    pub rows: (usize, usize),
    /// The opponents' scores, likewise.
    pub columns: (usize, usize),
    /// By side: the values and best actions of its states, in the order of a board of just these cells.
    pub sides: Vec<Values>,
}

impl Block {
    fn new((row, column): (usize, usize), setting: &Setting, sides: usize) -> Self {
        let (goal, edge) = (setting.space.goal, setting.edge);
        let range = |number: usize| (number * edge, (number * edge + edge).min(goal));
        let (rows, columns) = (range(row), range(column));
        let states = (rows.1 - rows.0) * (columns.1 - columns.0) * setting.space.per_cell();
        let empty = || Values { win_rates: vec![0.0; states], best: vec![0; states] };
        Self { at: (row, column), rows, columns, sides: (0..sides).map(|_| empty()).collect() }
    }

    /// The place of the first state of a cell.
    #[inline(always)]
    pub fn place(&self, space: &Space, score: usize, opponent: usize) -> usize {
        let width = self.columns.1 - self.columns.0;
        ((score - self.rows.0) * width + opponent - self.columns.0) * space.per_cell()
    }
}

/// All that is solved, as a pair of blocks sees it: its own blocks, and those before.
pub(super) struct Known<'k> {
    pub space: Space,
    pub edge: usize,
    pub own: &'k [Block],
    /// By row and column; empty where nothing is solved yet, or nothing reads it any more.
    pub others: &'k [Option<Block>],
}

impl Known<'_> {
    /// The number of a state of a cell on one side.
    #[inline(always)]
    pub fn number(&self, side: usize, cell: usize, place: usize) -> f64 {
        let own = &self.own[0];
        if self.edge >= self.space.goal {
            return own.sides[side].win_rates[cell * self.space.per_cell() + place];
        }
        let (score, opponent) = (cell / self.space.goal, cell % self.space.goal);
        let at = (score / self.edge, opponent / self.edge);
        let block = match self.own.iter().find(|block| block.at == at) {
            Some(own) => own,
            None => {
                let other = &self.others[at.0 * self.space.goal.div_ceil(self.edge) + at.1];
                other.as_ref().expect("turns lead to blocks that are solved before")
            }
        };
        block.sides[side].win_rates[block.place(&self.space, score, opponent) + place]
    }
}

/// The whole board on its way.
pub(super) struct Board<'a> {
    setting: &'a Setting<'a>,
    sides: &'a [Side<'a>],
    /// Blocks in a row.
    count: usize,
    /// By side and chain.
    most_dice: Vec<Vec<usize>>,
    /// The strips of each column of blocks; empty while a pair has them.
    crews: Vec<Crew>,
    solved: Vec<Option<Block>>,
}

impl<'a> Board<'a> {
    /// A board with nothing solved.
    pub fn new(setting: &'a Setting, sides: &'a [Side]) -> Self {
        let (goal, edge) = (setting.space.goal, setting.edge);
        let count = goal.div_ceil(edge);
        let most_dice: Vec<Vec<usize>> =
            sides.iter().map(|side| setting.program.most_dice(setting.game, side)).collect();
        let mut of_strip = vec![Vec::new(); goal.div_ceil(LANES)];
        setting.surprises.iter().for_each(|surprise| of_strip[surprise.column / LANES].push(*surprise));
        let strip = |number: usize, side: usize| {
            let mut strip = Strip::new(setting, number * LANES, of_strip[number].clone());
            pass_the_goal(&mut strip, setting, &most_dice[side]);
            strip
        };
        let crew = |column: usize| {
            let strips = column * edge / LANES..(column * edge + edge).min(goal).div_ceil(LANES);
            Crew::new(setting, sides, |side| strips.clone().map(|number| strip(number, side)).collect())
        };
        let crews = (0..count).map(crew).collect();
        let solved = (0..count * count).map(|_| None).collect();
        Self { setting, sides, count, most_dice, crews, solved }
    }

    /// Solves all of it.
    pub fn solve(mut self, watch: &Watch) -> Result<(Vec<Values>, usize), SolveError> {
        if self.count == 1 {
            let mut pair = self.pair(0, 0);
            pair.solve(&[], watch)?;
            let block = pair.blocks.pop().expect("its only block");
            return Ok((block.sides, pair.loops));
        }
        let states = self.setting.space.states();
        let empty = || Values { win_rates: vec![0.0; states], best: vec![0; states] };
        let mut values: Vec<Values> = self.sides.iter().map(|_| empty()).collect();
        let (bands, mut loops) = (2 * self.count - 1, 0);
        for band in (0..bands).rev() {
            watch.report(bands - 1 - band, bands)?;
            let columns = band.saturating_sub(self.count - 1)..=band / 2;
            let mut pairs: Vec<Pair> = columns.map(|low| self.pair(band - low, low)).collect();
            let solved = &self.solved;
            // Nobody watches what threads do between bands.
            pairs.par_iter_mut().try_for_each(|pair| pair.solve(solved, &Watch::silent()))?;
            for pair in pairs {
                loops += pair.loops;
                for (block, crew) in pair.blocks.into_iter().zip(pair.crews) {
                    self.crews[block.at.1] = crew;
                    let place = block.at.0 * self.count + block.at.1;
                    self.solved[place] = Some(block);
                }
            }
            self.copy_band(band, &mut values);
            self.retire(band);
        }
        watch.report(bands, bands)?;
        Ok((values, loops))
    }

    /// The pair of the block with a place and its mirror image, ready to be solved.
    fn pair(&mut self, high: usize, low: usize) -> Pair<'a> {
        let places = if high == low { vec![(low, low)] } else { vec![(high, low), (low, high)] };
        let (setting, sides) = (self.setting, self.sides);
        let blocks = places.iter().map(|at| Block::new(*at, setting, sides.len())).collect();
        let crews = places.iter().map(|(_, column)| std::mem::take(&mut self.crews[*column])).collect();
        Pair { setting, sides, most_dice: self.most_dice.clone(), blocks, crews, loops: 0 }
    }

    /// Copies the blocks of a band to where their states belong.
    fn copy_band(&self, band: usize, values: &mut [Values]) {
        let (goal, per_cell) = (self.setting.space.goal, self.setting.space.per_cell());
        let rows = self.setting.edge * goal * per_cell;
        for (side, values) in values.iter_mut().enumerate() {
            let parts = values.win_rates.par_chunks_mut(rows).zip(values.best.par_chunks_mut(rows)).enumerate();
            parts.for_each(|(row, (win_rates, best))| {
                let block = band.checked_sub(row).filter(|column| *column < self.count);
                let Some(block) = block.and_then(|column| self.solved[row * self.count + column].as_ref()) else {
                    return;
                };
                let width = (block.columns.1 - block.columns.0) * per_cell;
                let first = block.columns.0 * per_cell;
                copy_rows(&block.sides[side].win_rates, (win_rates, goal * per_cell), (first, width));
                copy_rows(&block.sides[side].best, (best, goal * per_cell), (first, width));
            });
        }
    }

    /// Lets go of blocks that no turn reaches any more.
    fn retire(&mut self, band: usize) {
        // A turn that raises the sum of scores by `reach` leads at most so many bands up.
        let last = band + self.setting.game.reach() / self.setting.edge + 2;
        for row in 0..self.count {
            if let Some(column) = last.checked_sub(row).filter(|column| *column < self.count) {
                self.solved[row * self.count + column] = None;
            }
        }
    }
}

/// Copies rows that lie side by side to rows of a wider board, from a first place on.
fn copy_rows<T: Copy>(from: &[T], (to, stride): (&mut [T], usize), (first, width): (usize, usize)) {
    for (to, from) in to.chunks_mut(stride).zip(from.chunks_exact(width)) {
        to[first..first + width].copy_from_slice(from);
    }
}
