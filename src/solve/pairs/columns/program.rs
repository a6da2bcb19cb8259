//! A plan without memory as what is worked out, tile by tile, in solving order.

use crate::game::{End, Game, Plan, Successor};

use super::row::LANES;
use super::tables::Tables;

/// What a plan plays.
#[derive(Debug)]
pub(in super::super) struct Program {
    /// By chain, sum and tile: the most dice that are read.
    pub(super) dice: Vec<Vec<u8>>,
    /// By points: whether some turn brings them.
    pub(super) brings: Vec<bool>,
    pub(super) items: Vec<Item>,
    /// By sum: where its items begin.
    pub(super) first_item: Vec<u32>,
    /// The places of cells whose turns bring no points for certain, by sum.
    pub(super) passes: Vec<Vec<u32>>,
    /// By place: the place that such a turn leads to; [`STRAY`] elsewhere. Empty if there are none.
    pub(super) leads_to: Vec<u32>,
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
pub(super) const STRAY: u32 = u32::MAX;

impl Program {
    /// The program of a plan.
    pub(super) fn new(tables: &Tables, game: &Game, plan: &Plan) -> Self {
        let space = tables.space;
        let mut program = Self {
            dice: Vec::new(),
            brings: vec![false; tables.sums],
            items: Vec::new(),
            first_item: vec![0],
            passes: vec![Vec::new(); space.layers()],
            leads_to: Vec::new(),
        };
        for sum in 0..space.layers() {
            let first = program.items.len();
            // Cells come by the mover's score: columns from the last to the first.
            for cell in space.layer(sum) {
                let lottery = tables.choices[game.panel_number(cell)][plan.action(cell)];
                if tables.stays(lottery as usize) {
                    program.pass(tables, (game, plan), cell);
                    continue;
                }
                let (tile, lane) = (cell % space.goal / LANES, cell % space.goal % LANES);
                let item = Item { lottery, tile: tile as u16, lanes: 1 << lane };
                let same = |known: &&mut Item| (known.lottery, known.tile) == (item.lottery, item.tile);
                let near = program.items.len().saturating_sub(LANES).max(first);
                match program.items[near..].iter_mut().rev().find(same) {
                    Some(known) => known.lanes |= item.lanes,
                    None => program.items.push(item),
                }
            }
            program.first_item.push(program.items.len() as u32);
        }
        let mut used = vec![false; tables.lotteries.len()];
        program.items.iter().for_each(|item| used[item.lottery as usize] = true);
        for (index, _) in used.iter().enumerate().filter(|(_, used)| **used) {
            tables.points(index).for_each(|points| program.brings[points] = true);
        }
        program.find_dice(tables);
        program
    }

    /// Finds the most dice that are read: by items, and by one die more, some points below.
    fn find_dice(&mut self, tables: &Tables) {
        let sums = tables.space.layers() + tables.reach;
        self.dice = vec![vec![0; sums * tables.tiles]; tables.chains.len()];
        for (sum, items) in self.first_item.windows(2).enumerate() {
            for item in &self.items[items[0] as usize..items[1] as usize] {
                if let Some(climb) = tables.lotteries[item.lottery as usize].climb {
                    let at = (sum + climb.shift) * tables.tiles + usize::from(item.tile);
                    let dice = &mut self.dice[climb.chain][at];
                    *dice = (*dice).max(climb.dice as u8);
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

    fn pass(&mut self, tables: &Tables, (game, plan): (&Game, &Plan), cell: usize) {
        let (offer, lottery) = game.lottery(cell, plan.action(cell));
        let to = match game.successor(cell, &offer.landings[usize::from(lottery.outcomes[0].0)]) {
            Successor::End(End::Won) => tables.ends(),
            Successor::End(End::Lost) => tables.ends() + 1,
            Successor::End(End::Tied) => tables.ends() + 2,
            Successor::Passed { cell, .. } | Successor::Again { cell, .. } => tables.place(cell),
        };
        self.leads_to.resize(tables.ends(), STRAY);
        self.leads_to[tables.place(cell)] = to as u32;
        self.passes[tables.space.sum(cell)].push(tables.place(cell) as u32);
    }

    /// Where a place's turn leads, if it brings no points for certain.
    #[inline(always)]
    pub(super) fn leads(&self, place: usize) -> Option<usize> {
        self.leads_to.get(place).filter(|to| **to != STRAY).map(|to| *to as usize)
    }
}
