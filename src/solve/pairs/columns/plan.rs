//! A plan without memory as what is worked out, tile by tile, in solving order.

use crate::game::{Game, Plan};

use super::row::LANES;
use super::tables::Tables;

/// What a plan plays in each tile.
#[derive(Debug)]
pub(in super::super) struct TilePlan {
    /// By chain, sum and tile: the most dice that are read.
    pub(super) dice: Vec<Vec<u8>>,
    /// By points: whether some turn brings them.
    pub(super) brings: Vec<bool>,
    items: Vec<Item>,
    /// By sum: where its items begin.
    first_item: Vec<u32>,
    /// The places of cells whose turns bring no points for certain, by sum.
    pub(super) passes: Vec<Vec<u32>>,
    /// By place: the place that such a turn leads to; [`STRAY`] elsewhere. Empty if there are none.
    leads_to: Vec<u32>,
}

/// A lottery in some columns of a tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) lottery: u32,
    pub(super) tile: u16,
    /// A bit for each column.
    pub(super) lanes: u8,
}

/// No place.
const STRAY: u32 = u32::MAX;

impl TilePlan {
    /// A plan tile by tile.
    pub(super) fn new(tables: &Tables, game: &Game, plan: &Plan) -> Self {
        let space = tables.space;
        let mut tiled = Self {
            dice: Vec::new(),
            brings: vec![false; tables.sums],
            items: Vec::new(),
            first_item: vec![0],
            passes: vec![Vec::new(); space.layers()],
            leads_to: Vec::new(),
        };
        for sum in 0..space.layers() {
            let first = tiled.items.len();
            // Cells come by the mover's score: columns from the last to the first.
            for cell in space.layer(sum) {
                let lottery = tables.program.choices[game.panel_number(cell)][plan.action(cell)];
                if tables.stays(lottery as usize) {
                    tiled.pass(tables, (game, plan), cell);
                } else {
                    tiled.add(first, lottery, cell % space.goal);
                }
            }
            tiled.first_item.push(tiled.items.len() as u32);
        }
        tiled.find_points(tables);
        tiled.find_dice(tables);
        tiled
    }

    /// The items of a sum.
    #[inline(always)]
    pub(super) fn items(&self, sum: usize) -> &[Item] {
        &self.items[self.first_item[sum] as usize..self.first_item[sum + 1] as usize]
    }

    /// Adds a lottery in a column, to a neighbour's item if there is one among those from `first` on.
    fn add(&mut self, first: usize, lottery: u32, column: usize) {
        let item = Item { lottery, tile: (column / LANES) as u16, lanes: 1 << (column % LANES) };
        let same = |known: &&mut Item| (known.lottery, known.tile) == (item.lottery, item.tile);
        let near = self.items.len().saturating_sub(LANES).max(first);
        match self.items[near..].iter_mut().rev().find(same) {
            Some(known) => known.lanes |= item.lanes,
            None => self.items.push(item),
        }
    }

    fn pass(&mut self, tables: &Tables, (game, plan): (&Game, &Plan), cell: usize) {
        let (offer, lottery) = game.lottery(cell, plan.action(cell));
        let landing = &offer.landings[usize::from(lottery.outcomes[0].0)];
        let goal = tables.space.goal;
        let destination = game.destination((cell / goal, cell % goal), landing);
        let to = tables.destination(destination).expect("a game without extra turns");
        self.leads_to.resize(tables.ends(), STRAY);
        self.leads_to[tables.place(cell)] = to as u32;
        self.passes[tables.space.sum(cell)].push(tables.place(cell) as u32);
    }

    fn find_points(&mut self, tables: &Tables) {
        let mut used = vec![false; tables.lotteries.len()];
        self.items.iter().for_each(|item| used[item.lottery as usize] = true);
        for (sum, _) in tables.program.sums.iter().zip(used).filter(|(_, used)| *used) {
            sum.all.iter().for_each(|term| self.brings[term.points] = true);
        }
    }

    /// Finds the most dice that are read: by items, and by one die more, some points below.
    fn find_dice(&mut self, tables: &Tables) {
        let sums = tables.space.layers() + tables.reach;
        self.dice = vec![vec![0; sums * tables.tiles]; tables.chains.len()];
        for (sum, items) in self.first_item.windows(2).enumerate() {
            for item in &self.items[items[0] as usize..items[1] as usize] {
                if let Some((chain, dice, shift)) = tables.program.sums[item.lottery as usize].climb {
                    let read = &mut self.dice[chain][(sum + shift) * tables.tiles + usize::from(item.tile)];
                    *read = (*read).max(dice as u8);
                }
            }
        }
        for (dice, chain) in self.dice.iter_mut().zip(&tables.chains) {
            for at in 0..dice.len() {
                for points in &chain.points {
                    let below = at.checked_sub(points * tables.tiles).map_or(0, |below| dice[below]);
                    dice[at] = dice[at].max(below.saturating_sub(1));
                }
            }
        }
    }

    /// Where a place's turn leads, if it brings no points for certain.
    #[inline(always)]
    pub(super) fn leads(&self, place: usize) -> Option<usize> {
        self.leads_to.get(place).filter(|to| **to != STRAY).map(|to| *to as usize)
    }
}
