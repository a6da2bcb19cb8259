//! Clean rolls of one die more, from those of one die less.

use super::layer::Board;
use super::plan::{Source, Step, TilePlan};
use super::row::{Row, ZERO, add, sum_rows, sum_rows_twice, sum_weighted_rows};
use super::tables::{Chain, Tables};

impl Tables {
    /// Clean rolls from all cells of a sum from which they are read.
    #[inline(always)]
    pub(super) fn convolution(&self, plan: &TilePlan, sum: usize, side: &mut Board) {
        match self.climbed_at(sum).len() {
            0 => {}
            1 => self.climb_one(plan, sum, side),
            _ => self.climb_two(plan, sum, side),
        }
    }

    /// The rolls of a sum and of the next one at the same time, which read nearly the same.
    #[inline(always)]
    fn climb_two(&self, plan: &TilePlan, sum: usize, side: &mut Board) {
        let mask = side.ring.len() - 1;
        let sums = [sum, sum - 1];
        let mut rows = sums.map(|sum| std::mem::take(&mut side.ring[sum & mask]));
        for (number, chain) in self.chains.iter().enumerate() {
            let steps = plan.steps(sum * self.chains.len() + number);
            // Dice of four and of six sides.
            match chain.points.len() {
                3 => self.climb_both::<4>((chain, steps), sum, side, &mut rows),
                _ => self.climb_both::<6>((chain, steps), sum, side, &mut rows),
            }
        }
        for (sum, rows) in sums.into_iter().zip(rows) {
            self.copy_edges(plan, sum, rows);
            side.ring[sum & mask] = rows;
        }
    }

    /// Takes steps of a chain, whose die is a fair one: `TERMS` is the number of its faces beside the 1, and one.
    #[inline(always)]
    fn climb_both<const TERMS: usize>(
        &self,
        (chain, steps): (&Chain, &[Step]),
        sum: usize,
        side: &Board,
        [upper, lower]: &mut [&mut [Row]; 2],
    ) {
        let (mask, first) = (side.ring.len() - 1, sum + chain.points[0] - 1);
        for step in steps {
            let numbers = step.numbers as usize;
            let mut terms: [&[Row]; TERMS] = [&[]; TERMS];
            match step.from {
                Source::Arrivals { tile } => {
                    for (term, rows) in terms.iter_mut().enumerate() {
                        let arrivals = self.arrivals(chain.kind, first + term) + tile as usize;
                        *rows = &side.arrivals[arrivals..][..numbers];
                    }
                }
                Source::Rolls { at } => {
                    for (term, rows) in terms.iter_mut().enumerate() {
                        *rows = &side.ring[(first + term) & mask][at as usize..][..numbers];
                    }
                }
            }
            let into = step.into as usize..step.into as usize + numbers;
            let (upper, lower) = (&mut upper[into.clone()], &mut lower[into]);
            for at in (0..numbers).step_by(self.tiles) {
                sum_rows_twice(&terms, at..at + step.tiles as usize, (upper, lower));
            }
        }
    }

    /// The rolls of one sum.
    #[inline(always)]
    fn climb_one(&self, plan: &TilePlan, sum: usize, side: &mut Board) {
        let slot = sum & (side.ring.len() - 1);
        let rows = std::mem::take(&mut side.ring[slot]);
        self.copy_edges(plan, sum, rows);
        if sum < self.space.stages() {
            for (number, chain) in self.chains.iter().enumerate() {
                let steps = plan.steps(sum * self.chains.len() + number);
                match chain.points.len() {
                    // Dice of four and of six sides.
                    3 => self.climb_chain::<3>((chain, steps), sum, side, rows),
                    5 => self.climb_chain::<5>((chain, steps), sum, side, rows),
                    _ => self.climb_any_chain((chain, steps), sum, side, rows),
                }
            }
        }
        side.ring[slot] = rows;
    }

    /// Takes steps of a chain whose die brings so many different numbers of points.
    #[inline(always)]
    fn climb_chain<const WAYS: usize>(
        &self,
        (chain, steps): (&Chain, &[Step]),
        sum: usize,
        side: &Board,
        rows: &mut [Row],
    ) {
        let (points, weights) = (chain.points.first_chunk::<WAYS>(), chain.weights.first_chunk::<WAYS>());
        let (points, weights) = (points.expect("so many ways"), weights.expect("so many ways"));
        let slots = side.ring.len() - 1;
        for step in steps {
            let numbers = step.numbers as usize;
            let mut terms: [&[Row]; WAYS] = [&[]; WAYS];
            match step.from {
                Source::Arrivals { tile } => {
                    let arrivals = &side.arrivals[self.arrivals(chain.kind, sum) + tile as usize..];
                    for way in 0..WAYS {
                        terms[way] = &arrivals[points[way] * self.tiles..][..numbers];
                    }
                }
                Source::Rolls { at } => {
                    for way in 0..WAYS {
                        terms[way] = &side.ring[(sum + points[way]) & slots][at as usize..][..numbers];
                    }
                }
            }
            let into = &mut rows[step.into as usize..][..numbers];
            let mut at = 0;
            while at < numbers {
                let tiles = at..at + step.tiles as usize;
                if chain.is_fair {
                    sum_rows(&terms, tiles, into);
                } else {
                    sum_weighted_rows(&terms, weights, tiles, into);
                }
                at += self.tiles;
            }
        }
    }

    /// The same for any die.
    #[inline(always)]
    fn climb_any_chain(&self, (chain, steps): (&Chain, &[Step]), sum: usize, side: &Board, rows: &mut [Row]) {
        let slots = side.ring.len() - 1;
        for step in steps {
            for at in (0..step.numbers as usize).step_by(self.tiles) {
                let into = &mut rows[step.into as usize + at..][..step.tiles as usize];
                into.fill(ZERO);
                for (points, weight) in chain.points.iter().zip(&chain.weights) {
                    let above = match step.from {
                        Source::Arrivals { tile } => {
                            &side.arrivals[self.arrivals(chain.kind, sum + points) + tile as usize..]
                        }
                        Source::Rolls { at } => &side.ring[(sum + points) & slots][at as usize..],
                    };
                    for (into, row) in into.iter_mut().zip(&above[at..]) {
                        add(into, *weight, row);
                    }
                }
            }
        }
    }

    /// Copies what chains hold where totals are past the goal.
    #[inline(always)]
    fn copy_edges(&self, plan: &TilePlan, sum: usize, rows: &mut [Row]) {
        let edges = &self.edges[sum];
        if edges.is_empty() {
            return;
        }
        let tiles = &self.edge_tiles[sum];
        for (chain, most_dice) in self.chains.iter().zip(&plan.most_dice) {
            for row in chain.first_row..chain.first_row + most_dice {
                for (edge, tile) in edges[row * tiles.len()..].iter().zip(tiles) {
                    rows[row * self.tiles + *tile as usize] = *edge;
                }
            }
        }
    }
}
