//! One tile of a layer: its means, its best actions, or what a fixed plan brings.

use crate::game::{DiceSet, Plan};

use super::LANES;
use super::mend::Mended;
use super::menu::Menu;
use super::rings::{Rings, Row, Slots, ZERO, add};
use super::setting::{Setting, flip};
use crate::solve::arithmetic::{Payoff, Solved};
use crate::solve::bellman::{Chooser, Side};
use crate::solve::layout::Layout;
use crate::solve::program::Sum;

/// One tile of a layer on its way.
pub(super) struct Tile<'a> {
    pub(super) setting: &'a Setting<'a>,
    pub(super) rings: &'a Rings,
    pub(super) side: &'a Side<'a>,
    pub(super) layout: &'a Layout,
    pub(super) solved: &'a Solved<'a, f64>,
    pub(super) sum: usize,
    /// See [`Rings::slots`].
    pub(super) slots: &'a Slots,
    pub(super) tile: usize,
}

/// Room for the means of one tile, `[row * mine + opponent's memory]`.
pub(super) type Means = Vec<Row>;

/// The columns of a tile, as far as the layer has cells there.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    pub(super) first: usize,
    /// How many.
    pub(super) count: usize,
}

impl Tile<'_> {
    /// The tile's columns that are cells, counted from its first.
    pub(super) fn columns(&self) -> Columns {
        let least = self.layout.least_score(self.sum);
        let most = self.sum.min(self.setting.space.goal - 1);
        let start = self.tile * LANES;
        let first = least.max(start);
        Columns { first: first - start, count: (most + 1).min(start + LANES).saturating_sub(first) }
    }

    pub(super) fn cell(&self, lane: usize) -> usize {
        let column = self.tile * LANES + lane;
        (self.sum - column) * self.setting.space.goal + column
    }

    /// Solves the tile's cells; results are in ascending order of the mover's score, so columns count down.
    #[inline(always)]
    pub(super) fn solve(
        &self,
        chains: &mut [Row],
        (menus, means): (&mut Vec<Menu>, &mut Means),
        results: (&mut [f64], &mut [DiceSet]),
    ) {
        self.rings.climb(self.setting, self.slots, self.tile, chains);
        let columns = self.columns();
        if columns.count == 0 {
            return;
        }
        match self.side.chooser {
            Chooser::Best => {
                let menu = self.read_menu(columns, menus);
                self.weigh(chains, columns, (menu, means));
                self.choose(columns, (menu, means), results);
            }
            Chooser::Fixed(plan) => self.follow(plan, chains, columns, results),
        }
    }

    /// The means of all rows on the menu.
    #[inline(always)]
    pub(super) fn weigh(&self, chains: &[Row], columns: Columns, (menu, means): (&Menu, &mut Means)) {
        let (program, mine) = (&self.setting.program, self.setting.space.mine);
        let rows = (program.sums.len() + menu.mixed.len()) * mine;
        if means.len() < rows {
            means.resize(rows, ZERO);
        }
        for index in &menu.wanted {
            let sum = &program.sums[*index as usize];
            for memory in 0..mine {
                let mut total = self.start(sum, chains, memory);
                for term in &sum.rest {
                    add(&mut total, term.weight, self.arrival(term.kind, term.points, memory));
                }
                means[*index as usize * mine + memory] = total;
            }
        }
        let mut mended = Vec::new();
        for kind in &self.setting.by_points {
            for lane in columns.first..columns.first + columns.count {
                self.mend(menu, *kind, lane, (means, &mut mended));
            }
        }
        for index in &menu.wanted {
            let scale = program.sums[*index as usize].scale;
            for row in &mut means[*index as usize * mine..(*index as usize + 1) * mine] {
                for value in row {
                    let mean = *value * scale;
                    *value = if self.setting.payoff == Payoff::WinRate { 1.0 - mean } else { mean };
                }
            }
        }
        for (place, sums) in menu.mixed.iter().enumerate() {
            for memory in 0..mine {
                let mut row = ZERO;
                for (lane, sum) in sums.iter().enumerate() {
                    row[lane] = means[*sum as usize * mine + memory][lane];
                }
                means[(program.sums.len() + place) * mine + memory] = row;
            }
        }
    }

    /// The clean rolls of a sum.
    #[inline(always)]
    pub(super) fn start(&self, sum: &Sum, chains: &[Row], memory: usize) -> Row {
        let Some((chain, dice, shift)) = sum.climb else { return ZERO };
        let setting = self.setting;
        let row = setting.program.chains[chain].first_row + (dice - 1) * setting.space.mine + memory;
        match shift {
            0 => chains[row],
            _ => self.rings.chains[self.slots.chains[shift]][self.tile * setting.chain_rows + row],
        }
    }

    #[inline(always)]
    pub(super) fn arrival(&self, kind: usize, points: usize, memory: usize) -> &Row {
        &self.rings.arrivals[self.slots.arrivals[points]]
            [self.tile * self.setting.arrival_rows + kind * self.setting.space.mine + memory]
    }

    /// The best of all actions in every state, and those that tie with it.
    #[inline(always)]
    pub(super) fn choose(
        &self,
        columns: Columns,
        (menu, means): (&Menu, &Means),
        (values, sets): (&mut [f64], &mut [DiceSet]),
    ) {
        let space = self.setting.space;
        let slack = self.setting.slack[self.layout.layers() - 1 - self.sum];
        let theirs_matter = self.setting.game.panels()[menu.panels[0]].theirs_matter();
        for shared in 0..space.shared {
            for mine in 0..space.mine {
                for theirs in 0..space.mine {
                    let row = shared * space.mine + mine;
                    let place = if theirs_matter { row * space.mine + theirs } else { row };
                    let rows = &menu.rows[place * space.actions..][..space.actions];
                    let (best, set) = best(rows, &means[theirs..], space.mine, slack);
                    let state = space.state(0, shared, theirs, mine);
                    let mut lane = columns.first + columns.count;
                    let cells = values.chunks_exact_mut(space.per_cell()).zip(sets.chunks_exact_mut(space.per_cell()));
                    for (values, sets) in cells {
                        lane -= 1;
                        (values[state], sets[state]) = (best[lane], set[lane] as DiceSet);
                    }
                }
            }
        }
    }
}

impl Tile<'_> {
    /// What a fixed plan brings in every state.
    pub(super) fn follow(
        &self,
        plan: &Plan,
        chains: &[Row],
        columns: Columns,
        (values, sets): (&mut [f64], &mut [DiceSet]),
    ) {
        let (space, game) = (self.setting.space, self.setting.game);
        let mut mended = Vec::new();
        for (place, lane) in (columns.first..columns.first + columns.count).rev().enumerate() {
            let cell = self.cell(lane);
            let (panel, choices) = (game.panel(cell), &self.setting.program.choices[game.panel_number(cell)]);
            self.list_mended(lane, &mut mended);
            for state in 0..space.per_cell() {
                let (_, memories) = space.parts(state);
                let action = plan.action(cell * space.per_cell() + state);
                let index = choices[panel.place(&space, memories) * space.actions + action] as usize;
                let mean =
                    self.mean(index, chains, (memories.2, lane), &mended) * self.setting.program.sums[index].scale;
                values[place * space.per_cell() + state] = flip(self.setting.payoff, mean);
                sets[place * space.per_cell() + state] = 1 << action;
            }
        }
    }

    /// The weighted sum of one lottery in one column, against one memory.
    #[inline(always)]
    pub(super) fn mean(&self, index: usize, chains: &[Row], (memory, lane): (usize, usize), mended: &[Mended]) -> f64 {
        let sum = &self.setting.program.sums[index];
        let mut total = match sum.climb {
            Some((chain, dice, 0)) => {
                let first = self.setting.program.chains[chain].first_row;
                chains[first + (dice - 1) * self.setting.space.mine + memory][lane]
            }
            _ => self.start(sum, chains, memory)[lane],
        };
        for term in &sum.rest {
            total += term.weight * self.arrival(term.kind, term.points, memory)[lane];
        }
        for mended in mended.iter().filter(|mended| mended.memory == memory) {
            let weight = sum.all.iter().find(|term| (term.kind, term.points) == (mended.kind, mended.points));
            total += weight.map_or(0.0, |term| term.weight) * mended.difference;
        }
        total
    }
}

/// The largest of some rows in each column, and those that tie with it; rows are `stride` apart.
#[inline(always)]
fn best(rows: &[u32], means: &[Row], stride: usize, slack: f64) -> (Row, [u64; LANES]) {
    let mut best = means[rows[0] as usize * stride];
    for row in &rows[1..] {
        for (best, value) in best.iter_mut().zip(&means[*row as usize * stride]) {
            *best = if *value > *best { *value } else { *best };
        }
    }
    let mut least = best;
    for least in &mut least {
        *least -= slack;
    }
    let mut set = [0u64; LANES];
    for (action, row) in rows.iter().enumerate() {
        let bit = 1u64 << action;
        for ((set, least), value) in set.iter_mut().zip(&least).zip(&means[*row as usize * stride]) {
            *set |= if *value >= *least { bit } else { 0 };
        }
    }
    (best, set)
}

/// Solves a tile with the best vectors that this processor has.
#[multiversion::multiversion(targets("x86_64+avx2", "x86_64+avx"))]
pub(super) fn solve_tile(
    tile: &Tile,
    chains: &mut [Row],
    room: (&mut Vec<Menu>, &mut Means),
    results: (&mut [f64], &mut [DiceSet]),
) {
    tile.solve(chains, room, results);
}
