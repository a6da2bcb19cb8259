//! Floats solved a layer at a time, many cells side by side: the engine of games in double precision.
//!
//! Let a column be an opponent's score o. In the layer of a sum S of scores the mover there has t = S - o, and a plain turn
//! of p points leads to the same column of the layer S + p. So whatever a turn reads lies in the column of its cell, and
//! the Bellman step is the same few sums of rows for all columns: one multiplication and one addition for all of them at
//! once. Columns are taken [`LANES`] at a time, a tile, which is what vectors of a processor like.
//!
//! **Arrivals.** For each kind of landing and each column, what arriving there is worth to the opponent: the value of the
//! state, or where the rules on totals lead elsewhere (a swap, a bonus, another turn), what that is worth.
//!
//! **Chains.** A clean roll of n dice is a clean roll of n - 1 dice from wherever the first die leads. With A(t) the value
//! of arriving and U(0, t) = A(t), U(n, t) is the weighted sum of U(n - 1, t + p) over what one die brings, p. So all numbers
//! of dice cost a few additions each instead of a sum over all their outcomes.
//!
//! All operations are on single columns, in a fixed order: the bits do not depend on the processor's vectors or on the
//! number of threads.

mod mend;
mod menu;
mod rings;
mod setting;
mod tile;

use rayon::prelude::*;

use crate::game::{DiceSet, Game, Order};

use super::arithmetic::{Engine, Payoff, Solved};
use super::bellman::Side;
use super::layout::{LayerIndex, Layout};
use super::program::Program;
use menu::Menu;
use rings::{Rings, Row, ZERO};
use setting::{Setting, Surprise, end};
use tile::{Means, Tile, solve_tile};

/// Columns of a tile.
const LANES: usize = 16;

/// A layer is shared between threads from so many numbers of its rows on: below, waking a thread costs more than the work.
const WORTH_SHARING: usize = 50_000;

/// The engine.
#[derive(Debug)]
pub(super) struct Tiles<'a> {
    setting: Setting<'a>,
    sides: Vec<Rings>,
    /// By sum of scores: where arrivals are not plain.
    surprises: Vec<Vec<Surprise>>,
    means: Means,
}

impl<'a> Tiles<'a> {
    /// An engine with nothing solved; `slack` tells how close values of a layer count as tied. `None` for a game in which
    /// it takes the points to tell whether a turn without points stays in its layer, or in which rules lower totals, so
    /// that an arrival may lead to a layer below it.
    pub fn new(game: &'a Game, payoff: Payoff, sides: &[Side], slack: Vec<f64>) -> Option<Self> {
        let (space, program) = (game.space(), Program::new(game));
        let tiles = space.goal.div_ceil(LANES);
        let by_points: Vec<usize> =
            (0..program.kinds.len()).filter(|kind| game.surprises(&program.kinds[*kind]).is_none()).collect();
        let unclear = !by_points.is_empty() && program.reads_own_layer && game.order() != Order::Rising;
        if unclear || game.rules_lower_totals() {
            return None;
        }
        let (arrival_rows, chain_rows) = (program.kinds.len() * space.mine, program.chain_rows(space.mine));
        // Where arrivals depend on the points, any of them is read.
        let reach = if by_points.is_empty() { program.arrivals_reach } else { program.farthest };
        let ring = |rows: usize, reach: usize| vec![vec![ZERO; rows * tiles]; reach + 1];
        let rings = |side: &Side| Rings {
            arrivals: ring(arrival_rows, reach),
            chains: ring(chain_rows, program.chains_reach),
            most_dice: program.most_dice(game, side),
            menus: vec![Vec::new(); tiles],
        };
        let sides = sides.iter().map(rings).collect();
        let past = space.layers() + program.farthest;
        let mut surprises = vec![Vec::new(); past];
        for (kind, landing) in program.kinds.iter().enumerate() {
            for (column, total, destination) in game.surprises(landing).into_iter().flatten() {
                if let Some(of_sum) = surprises.get_mut(column + total) {
                    of_sum.push(Surprise { kind, column, destination });
                }
            }
        }
        let setting = Setting { game, program, space, payoff, slack, tiles, arrival_rows, chain_rows, by_points };
        let mut tiles = Self { setting, sides, surprises, means: Means::new() };
        tiles.pass_the_goal();
        Some(tiles)
    }

    /// Readies the rows of sums of scores that only ended games reach, from the highest down.
    fn pass_the_goal(&mut self) {
        let first = self.setting.space.layers();
        let Some(last) = (first..self.surprises.len()).rev().find(|sum| !self.surprises[*sum].is_empty()) else {
            return;
        };
        for sum in (first..=last).rev() {
            for side in 0..self.sides.len() {
                let mut chains = self.sides[side].take_chains(sum);
                let slots = self.sides[side].slots(sum);
                for (tile, rows) in chains.chunks_exact_mut(self.setting.chain_rows.max(1)).enumerate() {
                    self.sides[side].climb(&self.setting, &slots, tile, rows);
                }
                self.sides[side].put_chains(sum, chains);
                let arrivals = self.sides[side].arrivals_of(sum);
                arrivals.fill(ZERO);
                for surprise in &self.surprises[sum] {
                    let value = end(self.setting.payoff, surprise.destination);
                    let rows = self.setting.rows_of(surprise.kind, surprise.column / LANES);
                    arrivals[rows].iter_mut().for_each(|row| row[surprise.column % LANES] = value);
                }
            }
        }
    }

    /// The first tile of a layer that has something to say: any, if games may go on past the goal there.
    fn first_tile(&self, layout: &Layout, sum: usize) -> usize {
        if self.surprises[self.setting.space.layers()..].iter().any(|of_sum| !of_sum.is_empty()) {
            0
        } else {
            layout.least_score(sum) / LANES
        }
    }
}

impl Engine<f64> for Tiles<'_> {
    fn solve(
        &mut self,
        side: &Side,
        (layout, layer): (&Layout, LayerIndex),
        solved: &Solved<f64>,
        (mut values, mut sets): (&mut [f64], &mut [DiceSet]),
    ) {
        let (setting, sum) = (&self.setting, layout.sum(layer));
        let (space, last) = (setting.space, sum.min(setting.space.goal - 1) / LANES);
        let tiles = self.first_tile(layout, sum)..last + 1;
        if setting.program.reads_own_layer {
            let (rings, surprises) = (&mut self.sides[side.own], &self.surprises[sum]);
            let rows = tiles.start * setting.arrival_rows..tiles.end * setting.arrival_rows;
            rings.arrivals_of(sum)[rows].fill([setting.never(); LANES]);
            setting.foresee(rings.arrivals_of(sum), (sum, surprises), (side, layout, solved));
        }
        let mut all = self.sides[side.own].take_chains(sum);
        let mut menus = std::mem::take(&mut self.sides[side.own].menus);
        let rings = &self.sides[side.own];
        let slots = rings.slots(sum);
        // One row at least, so that a game without chains has tiles too.
        all.resize(all.len().max(setting.tiles), ZERO);
        let rows = setting.chain_rows.max(1);
        let mut parts = Vec::with_capacity(tiles.len());
        let rooms = all.chunks_exact_mut(rows).zip(&mut menus).enumerate();
        for (index, (chains, menus)) in rooms.take(tiles.end).skip(tiles.start).rev() {
            let tile = Tile { setting, rings, side, layout, solved, sum, slots: &slots, tile: index };
            let states = tile.columns().count * space.per_cell();
            let (own_values, own_sets);
            (own_values, values) = values.split_at_mut(states);
            (own_sets, sets) = sets.split_at_mut(states);
            parts.push((tile, (chains, menus), (own_values, own_sets)));
        }
        let work = tiles.len() * LANES * (setting.chain_rows * 4 + space.per_cell() * space.actions * 3);
        type Part<'p> = (Tile<'p>, (&'p mut [Row], &'p mut Vec<Menu>), (&'p mut [f64], &'p mut [DiceSet]));
        let step = |means: &mut Means, (tile, (chains, menus), results): Part| {
            solve_tile(&tile, chains, (menus, means), results);
        };
        if work >= WORTH_SHARING && rayon::current_num_threads() > 1 && parts.len() > 1 {
            parts.into_par_iter().for_each_init(Means::default, step);
        } else {
            let mut means = std::mem::take(&mut self.means);
            parts.into_iter().for_each(|part| step(&mut means, part));
            self.means = means;
        }
        self.sides[side.own].put_chains(sum, all);
        self.sides[side.own].menus = menus;
    }

    fn reflect(&mut self, sides: &[Side], (layout, layer): (&Layout, LayerIndex), solved: &Solved<f64>) {
        let sum = layout.sum(layer);
        let first = self.first_tile(layout, sum);
        let (setting, surprises) = (&self.setting, &self.surprises[sum]);
        for (side, rings) in sides.iter().zip(&mut self.sides) {
            let arrivals = rings.arrivals_of(sum);
            setting.land(sum, (first, layout), &solved.sides[side.other][layer], arrivals);
            for surprise in surprises {
                let kind = &setting.program.kinds[surprise.kind];
                let rows = setting.rows_of(surprise.kind, surprise.column / LANES);
                for (memory, row) in arrivals[rows].iter_mut().enumerate() {
                    let worth = setting.worth(kind, (surprise.destination, memory), (side, layout, solved));
                    row[surprise.column % LANES] = worth;
                }
            }
        }
    }
}
