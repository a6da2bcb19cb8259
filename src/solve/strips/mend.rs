//! Arrivals that depend on the points of the turn: sums count them as plain, and the difference is added.

use super::detours::{Detours, Leg, To};
use super::groups::GROUP;
use super::kernel::Tile;
use super::menu::Sure;
use super::question::end;
use super::stretch::{Arrivals, Way};
use super::strip::add;
use super::weights::Weights;
use super::{LANES, Row, ZERO};
use crate::solve::program::Sum;

/// By how much the arrivals of a strip's turns from a layer are worth more than plain ones.
#[derive(Debug, Default)]
pub(super) struct Differences {
    /// `[detour * opponent's memories + memory]`
    rows: Vec<Row>,
    /// The detours: the first, and the end. All others have none in the strip.
    detours: (usize, usize),
}

impl Differences {
    /// The detour of a landing, if it has one in the strip.
    #[inline(always)]
    fn detour(&self, detours: &Detours, landing: usize) -> Option<usize> {
        let (detour, end) = detours.of((landing, landing + 1));
        (detour < end && detour >= self.detours.0 && detour < self.detours.1).then_some(detour)
    }
}

impl<const MEMORYLESS: bool> Tile<'_, MEMORYLESS> {
    /// Finds all differences.
    // Loops and no closures here and below: those would not be compiled for the caller's vectors.
    #[inline(always)]
    pub fn find_differences(&self, differences: &mut Differences) {
        let (layer, mine) = (self.layer, self.memories());
        let legs = layer.detours.legs(self.strip.first);
        let first = legs.first().map_or(0, |leg| leg.detour as usize);
        let end = legs.last().map_or(0, |leg| leg.detour as usize + 1);
        differences.detours = (first, end);
        let rows = &mut differences.rows;
        rows.resize(rows.len().max(end * mine), ZERO);
        let arrivals = &self.strip.arrivals[layer.slots.arrivals..];
        let (mut scratch, mut next) = (ZERO, first);
        for leg in legs {
            let detour = leg.detour as usize;
            let fresh = detour >= next;
            // Detours without legs here.
            rows[next.min(detour) * mine..detour * mine].fill(ZERO);
            next = detour + 1;
            let (from, until) = leg.lanes().bits();
            let rows = &mut rows[detour * mine..][..mine];
            for (memory, row) in rows.iter_mut().enumerate() {
                let values = self.values(leg, memory, &mut scratch);
                let plain = &arrivals[leg.plain as usize + memory];
                let mut own = if fresh { ZERO } else { *row };
                for lane in 0..LANES {
                    let difference = (values[lane] - plain[lane]).to_bits() & from[lane] & until[lane];
                    own[lane] = f64::from_bits(own[lane].to_bits() | difference);
                }
                *row = own;
            }
        }
    }

    /// What arrivals of a leg are worth, against one memory; where they are not known side by side, in `scratch`.
    #[inline(always)]
    fn values<'r>(&'r self, leg: &Leg, memory: usize, scratch: &'r mut Row) -> &'r [f64; LANES] {
        let layer = self.layer;
        match leg.to {
            To::Layer { above, score } => {
                let which = (layer.side.other, leg.place as usize * self.memories() + memory);
                layer.known.diagonals.window(which, above as usize, score as usize)
            }
            To::Ended(destination) => {
                scratch.fill(end(layer.question.payoff, destination));
                scratch
            }
            To::Cells(scattered) => {
                self.read_scattered((leg, memory), layer.detours.arrivals(scattered), scratch);
                scratch
            }
        }
    }

    /// What arrivals are worth that do not lie side by side from neighbouring columns.
    #[inline(never)]
    fn read_scattered(&self, (leg, memory): (&Leg, usize), arrivals: Arrivals, values: &mut Row) {
        let (question, side) = (self.layer.question, self.layer.side);
        let setting = question.setting;
        let landing = &setting.program.kinds[setting.by_points[leg.place as usize].kind];
        let again = arrivals.way == Way::Again;
        let (side, place) = match again {
            true => (side.own, setting.again(landing, memory)),
            false => (side.other, setting.passed(landing, memory)),
        };
        let (mut score, mut opponent) = arrivals.scores;
        for lane in leg.lanes().range() {
            let cell = score as usize * setting.space.goal + opponent as usize;
            let value = self.layer.known.number(side, cell, place);
            values[lane] = if again { question.flip(value) } else { value };
            (score, opponent) = (score + arrivals.by_column.0, opponent + arrivals.by_column.1);
        }
    }

    /// Where arrivals depend on the points, sums on the menu have counted them as plain: adds the differences to those of a
    /// group, against one memory.
    #[inline(always)]
    pub fn mend(
        &self,
        differences: &Differences,
        weights: &Weights,
        (group, memory): (usize, usize),
        means: &mut [Row; GROUP],
    ) {
        let mine = self.memories();
        let detours = self.layer.detours;
        for run in weights.runs(group) {
            let (first, end) = detours.of(run.landings);
            let (first, end) = (first.max(differences.detours.0), end.min(differences.detours.1));
            if first >= end {
                continue;
            }
            let (weights, rows) = (weights.of(run), &differences.rows[first * mine..end * mine]);
            for (landing, rows) in detours.landings[first..end].iter().zip(rows.chunks_exact(mine)) {
                let (weights, row) = (&weights[*landing as usize - run.landings.0], &rows[memory]);
                for sum in 0..GROUP {
                    add(&mut means[sum], weights[sum], row);
                }
            }
        }
    }

    /// The same for turns without chance.
    #[inline(always)]
    pub fn mend_sure(&self, differences: &Differences, sure: &Sure, memory: usize, mean: &mut Row) {
        let mine = self.memories();
        for (landing, mask) in &sure.by_points {
            if let Some(detour) = differences.detour(self.layer.detours, *landing as usize) {
                let row = &differences.rows[detour * mine + memory];
                for lane in 0..LANES {
                    mean[lane] += f64::from_bits(row[lane].to_bits() & mask[lane]);
                }
            }
        }
    }

    /// The same for one sum in one column, against one memory.
    #[inline(always)]
    pub fn mended(&self, differences: &Differences, sum: &Sum, (memory, lane): (usize, usize)) -> f64 {
        let setting = self.layer.question.setting;
        let mut total = 0.0;
        for term in &sum.all {
            let Some(landing) = setting.number_of(term.kind, term.points) else { continue };
            if let Some(detour) = differences.detour(self.layer.detours, landing) {
                total += term.weight * differences.rows[detour * self.memories() + memory][lane];
            }
        }
        total
    }
}
