//! What the engine knows of a game: its sums, and what arrivals are worth.

use rayon::prelude::*;

use crate::game::{Destination, Game, Landing, Order, Space};

use super::rings::Row;
use super::{LANES, WORTH_SHARING};
use crate::solve::arithmetic::{Payoff, Solved};
use crate::solve::bellman::Side;
use crate::solve::layout::Layout;
use crate::solve::program::Program;

/// What the engine knows of a game and of how it is solved.
#[derive(Debug)]
pub(super) struct Setting<'a> {
    pub(super) game: &'a Game,
    pub(super) program: Program,
    pub(super) space: Space,
    pub(super) payoff: Payoff,
    /// Two values of a layer closer than this count as tied, by layer.
    pub(super) slack: Vec<f64>,
    /// Tiles of a layer.
    pub(super) tiles: usize,
    /// Rows of arrivals, and of chains, of a tile.
    pub(super) arrival_rows: usize,
    pub(super) chain_rows: usize,
    /// Landings whose arrivals depend on the points: their kinds.
    pub(super) by_points: Vec<usize>,
}

/// An arrival that is not plain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surprise {
    pub(super) kind: usize,
    pub(super) column: usize,
    pub(super) destination: Destination,
}

/// What one player's win is worth to the other.
pub(super) fn flip(payoff: Payoff, value: f64) -> f64 {
    if payoff == Payoff::WinRate { 1.0 - value } else { value }
}

/// What an arrival that ends the game is worth to the opponent.
pub(super) fn end(payoff: Payoff, destination: Destination) -> f64 {
    match (payoff, destination) {
        (Payoff::WinRate, Destination::Lost) => 1.0,
        (Payoff::WinRate, Destination::Tied) => 0.5,
        _ => 0.0,
    }
}

impl Setting<'_> {
    /// By kind of landing and points: its weight in each of some sums.
    pub(super) fn weights(&self, sums: &[u32]) -> Vec<Vec<Vec<f64>>> {
        let mut weights = vec![vec![Vec::new(); self.program.farthest + 1]; self.program.kinds.len()];
        for (place, index) in sums.iter().enumerate() {
            for term in &self.program.sums[*index as usize].all {
                let of_landing = &mut weights[term.kind][term.points];
                of_landing.resize(sums.len(), 0.0);
                of_landing[place] = term.weight;
            }
        }
        weights
    }

    /// The rows of a kind of landing in a tile.
    pub(super) fn rows_of(&self, kind: usize, tile: usize) -> std::ops::Range<usize> {
        let first = tile * self.arrival_rows + kind * self.space.mine;
        first..first + self.space.mine
    }

    /// What a landing of a kind is worth to the opponent with a memory, where it leads to `destination`.
    pub(super) fn worth(
        &self,
        kind: &Landing,
        (destination, memory): (Destination, usize),
        (side, layout, solved): (&Side, &Layout, &Solved<f64>),
    ) -> f64 {
        let number = |side: usize, cell: usize, place: usize| {
            let (layer, cell) = layout.locate(cell);
            solved.sides[side][layer][cell * self.space.per_cell() + place]
        };
        match destination {
            Destination::Passed { cell } => {
                let place = self.space.state(0, kind.shared[0].into(), kind.mine[0].into(), memory);
                number(side.other, cell, place)
            }
            Destination::Again { cell } => {
                let place = self.space.state(0, kind.shared[1].into(), memory, kind.mine[1].into());
                flip(self.payoff, number(side.own, cell, place))
            }
            ended => end(self.payoff, ended),
        }
    }

    /// What a turn that stays in its layer counts as while that is solved: infinitely much to the opponent, so that nobody
    /// chooses it there.
    pub(super) fn never(&self) -> f64 {
        match (self.game.order(), self.payoff) {
            (Order::Rising, _) => 0.0,
            (Order::Level { .. }, Payoff::WinRate) => f64::INFINITY,
            (Order::Level { .. }, Payoff::Endless) => f64::NEG_INFINITY,
        }
    }

    /// Readies the arrivals of a layer for those of its own turns that bring no points and leave it all the same.
    pub(super) fn foresee(
        &self,
        arrivals: &mut [Row],
        (sum, surprises): (usize, &[Surprise]),
        known: (&Side, &Layout, &Solved<f64>),
    ) {
        for surprise in surprises {
            let stays = match surprise.destination {
                Destination::Passed { cell } | Destination::Again { cell } => self.space.sum(cell) == sum,
                _ => false,
            };
            if stays {
                continue;
            }
            let kind = &self.program.kinds[surprise.kind];
            let rows = self.rows_of(surprise.kind, surprise.column / LANES);
            for (memory, row) in arrivals[rows].iter_mut().enumerate() {
                row[surprise.column % LANES] = self.worth(kind, (surprise.destination, memory), known);
            }
        }
    }

    /// Writes the plain arrivals of a layer; `values` are those of the next mover's side.
    pub(super) fn land(&self, sum: usize, (first, layout): (usize, &Layout), values: &[f64], arrivals: &mut [Row]) {
        let (space, goal) = (self.space, self.space.goal);
        let least = layout.least_score(sum);
        let last = sum.min(goal - 1) / LANES;
        let write = |(tile, rows): (usize, &mut [Row])| {
            for (kind, landing) in self.program.kinds.iter().enumerate() {
                let place = space.state(0, landing.shared[0].into(), landing.mine[0].into(), 0);
                let rows = &mut rows[kind * space.mine..(kind + 1) * space.mine];
                for lane in 0..LANES {
                    let column = tile * LANES + lane;
                    // Outside of the layer's cells the mover has won, or there is no such score.
                    if column < least || column > sum.min(goal - 1) {
                        rows.iter_mut().for_each(|row| row[lane] = 0.0);
                        continue;
                    }
                    let block = &values[(column - least) * space.per_cell() + place..][..space.mine];
                    rows.iter_mut().zip(block).for_each(|(row, value)| row[lane] = *value);
                }
            }
        };
        let tiles = arrivals.chunks_exact_mut(self.arrival_rows).enumerate().take(last + 1).skip(first);
        if values.len() >= WORTH_SHARING && rayon::current_num_threads() > 1 {
            tiles.par_bridge().for_each(write);
        } else {
            tiles.for_each(write);
        }
    }
}
