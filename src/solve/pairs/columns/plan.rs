//! A plan without memory as what is worked out, tile by tile, in solving order.

use std::ops::Range;

use crate::game::{Game, Plan};

use super::row::LANES;
use super::tables::Tables;

/// What a plan plays in each tile.
#[derive(Debug)]
pub(in super::super) struct TilePlan {
    items: Vec<Item>,
    /// By sum: where its items begin.
    first_item: Vec<u32>,
    /// The columns of each item, tile by tile: a bit for each.
    lanes: Vec<u8>,
    steps: Vec<Step>,
    /// By sum and chain: where its steps begin.
    first_step: Vec<u32>,
    /// By chain: the most dice that are read.
    pub(super) most_dice: Vec<usize>,
    /// The runs of excesses that are read, by number.
    runs: Vec<u32>,
    /// By sum: where its runs begin; empty if there are none.
    first_run: Vec<u32>,
    /// The places of cells whose turns bring no points for certain, by sum.
    pub(super) passes: Vec<Vec<u32>>,
    /// By place: the place that such a turn leads to; [`STRAY`] elsewhere. Empty if there are none.
    leads_to: Vec<u32>,
}

/// A lottery in some columns of neighbouring tiles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) lottery: u32,
    pub(super) class: u8,
    pub(super) tile: u16,
    pub(super) tiles: u16,
    /// Where its lanes begin.
    lanes: u32,
}

/// Clean rolls of some dice, of one more, and so on, in neighbouring tiles. The rows of each follow those of the roll before
/// after as many as a board has tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    /// The first of the rows.
    pub(super) into: u32,
    pub(super) tiles: u32,
    /// From the first row to the last, with those in between of other tiles.
    pub(super) numbers: u32,
    pub(super) from: Source,
}

/// What a die more is rolled before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Source {
    /// Nothing: it is the last.
    Arrivals { tile: u32 },
    /// A roll of one die less: its first row.
    Rolls { at: u32 },
}

/// No place.
const STRAY: u32 = u32::MAX;

impl TilePlan {
    /// A plan tile by tile.
    pub(super) fn new(tables: &Tables, game: &Game, plan: &Plan) -> Self {
        let space = tables.space;
        let mut tiled = Self {
            items: Vec::new(),
            first_item: vec![0],
            lanes: Vec::new(),
            steps: Vec::new(),
            first_step: vec![0],
            most_dice: vec![0; tables.chains.len()],
            runs: Vec::new(),
            first_run: Vec::new(),
            passes: vec![Vec::new(); space.stages()],
            leads_to: Vec::new(),
        };
        // By lottery, tile and lanes.
        let mut found: Vec<(u32, u16, u8)> = Vec::new();
        for sum in 0..space.stages() {
            found.clear();
            // Cells come by the mover's score: columns from the last to the first.
            for cell in space.stage(sum) {
                let lottery = tables.program.choices[game.action_set_number(cell)][plan.action(cell)];
                if tables.stays(lottery as usize) {
                    tiled.pass(tables, (game, plan), cell);
                } else {
                    find(&mut found, lottery, tables.position(cell % space.goal), tables.classes);
                }
            }
            tiled.list_items(tables, &mut found);
        }
        tiled.list_steps(tables);
        if !tables.excesses.is_empty() {
            tiled.list_runs(tables);
        }
        tiled
    }

    /// The items of a sum.
    #[inline(always)]
    pub(super) fn items(&self, sum: usize) -> &[Item] {
        &self.items[self.first_item[sum] as usize..self.first_item[sum + 1] as usize]
    }

    /// The columns of an item, tile by tile.
    #[inline(always)]
    pub(super) fn lanes(&self, item: &Item) -> &[u8] {
        &self.lanes[item.lanes as usize..][..usize::from(item.tiles)]
    }

    /// The steps of a chain, given by its number among those of all chains, sum by sum: those of the sums that are climbed at
    /// its own.
    #[inline(always)]
    pub(super) fn steps(&self, number: usize) -> &[Step] {
        &self.steps[self.first_step[number] as usize..self.first_step[number + 1] as usize]
    }

    /// The numbers of the runs of excesses that are read at a sum, in ascending order.
    #[inline(always)]
    pub(super) fn runs(&self, sum: usize) -> &[u32] {
        &self.runs[self.first_run[sum] as usize..self.first_run[sum + 1] as usize]
    }

    /// Where a place's turn leads, if it brings no points for certain.
    #[inline(always)]
    pub(super) fn leads(&self, place: usize) -> Option<usize> {
        self.leads_to.get(place).filter(|to| **to != STRAY).map(|to| *to as usize)
    }

    fn pass(&mut self, tables: &Tables, (game, plan): (&Game, &Plan), cell: usize) {
        let (offer, lottery) = game.distribution(cell, plan.action(cell));
        let landing = &offer.outcomes[usize::from(lottery.outcomes[0].0)];
        let goal = tables.space.goal;
        let destination = game.score_successor((cell / goal, cell % goal), landing);
        let to = tables.score_successor(destination).expect("a game without extra turns");
        self.leads_to.resize(tables.ends(), STRAY);
        self.leads_to[tables.place(cell)] = to as u32;
        self.passes[tables.space.sum(cell)].push(tables.place(cell) as u32);
    }

    /// Lists what is played at the next sum as items, each as long as it can be in a class.
    fn list_items(&mut self, tables: &Tables, found: &mut [(u32, u16, u8)]) {
        found.sort_unstable();
        let first = self.items.len();
        for (lottery, tile, lanes) in found {
            match self.items[first..].last_mut() {
                Some(item)
                    if (item.lottery, item.tile + item.tiles) == (*lottery, *tile)
                        && usize::from(*tile) % tables.class_tiles > 0 =>
                {
                    item.tiles += 1;
                }
                _ => {
                    let lanes = self.lanes.len() as u32;
                    let class = (usize::from(*tile) / tables.class_tiles) as u8;
                    self.items.push(Item { lottery: *lottery, class, tile: *tile, tiles: 1, lanes });
                }
            }
            self.lanes.push(*lanes);
        }
        self.first_item.push(self.items.len() as u32);
    }

    /// Lists the steps of chains that are read: by items, and by one die more, some points below.
    fn list_steps(&mut self, tables: &Tables) {
        let mut reads = Reads::new(tables);
        for (sum, items) in self.first_item.windows(2).enumerate() {
            for item in &self.items[items[0] as usize..items[1] as usize] {
                if let Some((chain, dice, shift)) = tables.program.sums[item.lottery as usize].convolution {
                    self.most_dice[chain] = self.most_dice[chain].max(dice);
                    let row = tables.chains[chain].first_row + dice - 1;
                    (item.tile..item.tile + item.tiles).for_each(|tile| reads.add(row, sum + shift, tile));
                }
            }
        }
        for (chain, most_dice) in tables.chains.iter().zip(&self.most_dice) {
            for row in (chain.first_row + 1..chain.first_row + most_dice).rev() {
                (0..tables.space.stages()).for_each(|sum| reads.add_below(row, sum, &chain.points));
            }
        }
        for sum in 0..tables.space.stages() {
            let live: Vec<usize> = (0..tables.tiles).filter(|tile| tables.is_live(sum, *tile)).collect();
            reads.keep(sum, &live);
            let climbed = tables.climbed_at(sum);
            if climbed.len() > 1 {
                reads.join(sum, climbed.start);
            }
            for (chain, most_dice) in tables.chains.iter().zip(&self.most_dice) {
                let first = self.steps.len();
                for dice in (1..=*most_dice).filter(|_| !climbed.is_empty()) {
                    let row = chain.first_row + dice - 1;
                    reads.each_run(row, sum, |tiles| {
                        add_step((&mut self.steps, first), (row, dice == 1), tiles, tables.tiles);
                    });
                }
                self.first_step.push(self.steps.len() as u32);
            }
        }
    }

    /// Lists the runs of the excesses that items read.
    fn list_runs(&mut self, tables: &Tables) {
        self.first_run.push(0);
        let mut read = vec![false; tables.excesses.rows];
        for sum in 0..tables.space.stages() {
            read.fill(false);
            for item in self.items(sum) {
                let mends = tables.excesses.mends(sum, item.lottery as usize);
                mends.iter().for_each(|mend| read[mend.at as usize / tables.tiles] = true);
            }
            let runs = tables.excesses.runs_of(sum);
            self.runs.extend(runs.filter(|run| read[tables.excesses.runs[*run].row as usize]).map(|run| run as u32));
            self.first_run.push(self.runs.len() as u32);
        }
    }
}

/// Adds a roll in some tiles, of which a row has so many, to the steps of a chain at a sum, which begin with `first`: to the
/// last one if it goes on with that.
fn add_step(
    (steps, first): (&mut Vec<Step>, usize),
    (row, is_one_die): (usize, bool),
    tiles: Range<usize>,
    stride: usize,
) {
    if tiles.is_empty() {
        return;
    }
    let (into, tile, tiles, stride) =
        ((row * stride + tiles.start) as u32, tiles.start as u32, tiles.len() as u32, stride as u32);
    let goes_on = |last: &&mut Step| {
        let is_next = last.into + last.numbers == into + tiles - stride && last.tiles == tiles;
        is_next && matches!(last.from, Source::Rolls { .. })
    };
    match steps[first..].last_mut().filter(goes_on) {
        Some(last) => last.numbers += stride,
        None => {
            let from = if is_one_die { Source::Arrivals { tile } } else { Source::Rolls { at: into - stride } };
            steps.push(Step { into, tiles, numbers: tiles, from });
        }
    }
}

/// Adds a lottery at the place of a column, to what a neighbour in its tile plays if that is the same. Neighbours of so many
/// tiles come in turns.
fn find(found: &mut Vec<(u32, u16, u8)>, lottery: u32, column: usize, tiles: usize) {
    let (tile, lane) = ((column / LANES) as u16, 1 << (column % LANES));
    let near = found.len().saturating_sub(tiles * LANES);
    match found[near..].iter_mut().rev().find(|known| (known.0, known.1) == (lottery, tile)) {
        Some((_, _, lanes)) => *lanes |= lane,
        None => found.push((lottery, tile, lane)),
    }
}

/// Where the rows of chains are read: a bit for each tile, by row and sum.
struct Reads {
    sums: usize,
    /// Words of a row at a sum.
    words: usize,
    tiles: Vec<u64>,
}

impl Reads {
    fn new(tables: &Tables) -> Self {
        let (sums, words) = (tables.space.stages() + tables.reach, tables.tiles.div_ceil(64));
        Self { sums, words, tiles: vec![0; tables.chain_rows * sums * words] }
    }

    fn words_of(&self, row: usize, sum: usize) -> Range<usize> {
        let first = (row * self.sums + sum) * self.words;
        first..first + self.words
    }

    fn add(&mut self, row: usize, sum: usize, tile: u16) {
        let words = self.words_of(row, sum);
        self.tiles[words][usize::from(tile / 64)] |= 1 << (tile % 64);
    }

    /// What a row reads of the row before it, which is of one die less.
    fn add_below(&mut self, row: usize, sum: usize, points: &[usize]) {
        for points in points {
            for (word, below) in self.words_of(row, sum).zip(self.words_of(row - 1, sum + points)) {
                self.tiles[below] |= self.tiles[word];
            }
        }
    }

    /// Forgets the tiles of a sum that are not among some, in ascending order.
    fn keep(&mut self, sum: usize, tiles: &[usize]) {
        let mut kept = vec![0; self.words];
        tiles.iter().for_each(|tile| kept[tile / 64] |= 1_u64 << (tile % 64));
        for row in 0..self.tiles.len() / (self.sums * self.words) {
            let words = self.words_of(row, sum);
            self.tiles[words].iter_mut().zip(&kept).for_each(|(word, kept)| *word &= kept);
        }
    }

    /// Adds the tiles of another sum.
    fn join(&mut self, sum: usize, other: usize) {
        for row in 0..self.tiles.len() / (self.sums * self.words) {
            for (word, other) in self.words_of(row, sum).zip(self.words_of(row, other)) {
                self.tiles[word] |= self.tiles[other];
            }
        }
    }

    /// Passes on the runs of tiles, none of them from one word into another.
    fn each_run(&self, row: usize, sum: usize, mut pass: impl FnMut(Range<usize>)) {
        for (number, word) in self.tiles[self.words_of(row, sum)].iter().enumerate() {
            let mut left = *word;
            while left != 0 {
                let first = left.trailing_zeros();
                let end = first + (left >> first).trailing_ones();
                pass(number * 64 + first as usize..number * 64 + end as usize);
                // Carries through the lowest run.
                left &= left.wrapping_add(1 << first);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What one row reads at one sum.
    fn reads(tiles: &[u16]) -> Reads {
        let mut reads = Reads { sums: 1, words: 2, tiles: vec![0; 2] };
        tiles.iter().for_each(|tile| reads.add(0, 0, *tile));
        reads
    }

    #[test]
    fn tiles_that_are_read_are_told_as_runs_of_neighbours() {
        for (tiles, told) in [
            (vec![], vec![]),
            (vec![0, 2], vec![0..1, 2..3]),
            (vec![5, 3, 4, 9], vec![3..6, 9..10]),
            ((60..70).collect(), vec![60..64, 64..70]),
            ((0..128).collect(), vec![0..64, 64..128]),
        ] {
            let mut runs = Vec::new();
            reads(&tiles).each_run(0, 0, |run| runs.push(run));
            assert_eq!(runs, told);
        }
    }

    #[test]
    fn a_row_reads_the_one_before_it_at_the_sums_a_die_leads_to() {
        let mut reads = Reads { sums: 5, words: 1, tiles: vec![0; 2 * 5] };
        reads.add(1, 1, 7);
        reads.add_below(1, 1, &[1, 3]);
        let below: Vec<bool> = (0..5).map(|sum| reads.tiles[reads.words_of(0, sum)] == [1 << 7]).collect();
        assert_eq!(below, [false, false, true, false, true]);
    }

    #[test]
    fn rolls_of_one_die_stand_alone_and_others_go_on_in_the_same_tiles() {
        let mut steps = Vec::new();
        for (row, tiles) in [(0, 0..3), (1, 0..3), (2, 0..3), (3, 0..0), (3, 1..3), (4, 1..3)] {
            add_step((&mut steps, 0), (row, row == 0), tiles, 10);
        }
        let told = [
            Step { into: 0, tiles: 3, numbers: 3, from: Source::Arrivals { tile: 0 } },
            Step { into: 10, tiles: 3, numbers: 13, from: Source::Rolls { at: 0 } },
            Step { into: 31, tiles: 2, numbers: 12, from: Source::Rolls { at: 21 } },
        ];
        assert_eq!(steps, told);
    }

    #[test]
    fn columns_of_a_tile_that_play_alike_are_one_find() {
        let mut found = Vec::new();
        for (lottery, column) in [(3, 12), (4, 11), (3, 10), (3, 7)] {
            find(&mut found, lottery, column, 1);
        }
        assert_eq!(found, [(3, 1, 0b0001_0100), (4, 1, 0b1000), (3, 0, 0b1000_0000)]);
    }
}
