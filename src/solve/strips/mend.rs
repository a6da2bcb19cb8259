//! Arrivals that depend on the points of the turn: sums count them as plain, and the difference is added.

use super::climb::add;
use super::detours::{Byway, Columns, Detours};
use super::groups::GROUP;
use super::kernel::Tile;
use super::menu::Sure;
use super::question::end;
use super::stretch::Way;
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
        let here = layer.detours.in_strip(self.strip.first);
        let (first, end) = (here.first, here.first + here.first_legs.len());
        differences.detours = (first, end);
        if differences.rows.len() < end * mine {
            differences.rows.resize(end * mine, ZERO);
        }
        let rows = &mut differences.rows[..end * mine];
        let (lines, side) = (layer.known.diagonals, layer.side.other);
        for (leg, rows) in here.first_legs.iter().zip(rows[first * mine..].chunks_exact_mut(mine)) {
            for (memory, row) in rows.iter_mut().enumerate() {
                *row = taken(lines.window((side, usize::from(leg.place) * mine + memory), leg.ahead), leg.lanes);
            }
        }
        for leg in here.more_legs {
            for (memory, row) in rows[leg.detour as usize * mine..][..mine].iter_mut().enumerate() {
                // Of other columns.
                let more = taken(lines.window((side, usize::from(leg.place) * mine + memory), leg.ahead), leg.lanes);
                let mut both = *row;
                for lane in 0..LANES {
                    both[lane] = f64::from_bits(both[lane].to_bits() | more[lane].to_bits());
                }
                *row = both;
            }
        }
        for byway in here.byways {
            for (memory, row) in rows[byway.detour as usize * mine..][..mine].iter_mut().enumerate() {
                self.follow_byway(byway, memory, row);
            }
        }
        let arrivals = &self.strip.arrivals[layer.slots.arrivals..];
        for plain in here.plain {
            for (memory, row) in rows[plain.detour as usize * mine..][..mine].iter_mut().enumerate() {
                let counted = taken(&arrivals[plain.row as usize + memory], plain.lanes);
                for lane in 0..LANES {
                    row[lane] -= counted[lane];
                }
            }
        }
    }

    /// What arrivals are worth that do not lie side by side from neighbouring columns, against one memory.
    #[inline(never)]
    fn follow_byway(&self, byway: &Byway, memory: usize, row: &mut Row) {
        let (question, side) = (self.layer.question, self.layer.side);
        let (setting, arrivals) = (question.setting, &byway.arrivals);
        let landing = &setting.program.kinds[setting.by_points[usize::from(byway.place)].kind];
        let (mut score, mut opponent) = arrivals.scores;
        for lane in byway.lanes.lanes().range() {
            let cell = score as usize * setting.space.goal + opponent as usize;
            let number = |side, place| self.layer.known.number(side, cell, place);
            row[lane] = match arrivals.way {
                Way::Ended(destination) => end(question.payoff, destination),
                Way::Passed => number(side.other, setting.passed(landing, memory)),
                Way::Again => question.flip(number(side.own, setting.again(landing, memory))),
            };
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
            let (first, end) = detours.of(run.outcomes);
            let (first, end) = (first.max(differences.detours.0), end.min(differences.detours.1));
            if first >= end {
                continue;
            }
            let (weights, rows) = (weights.of(run), &differences.rows[first * mine..end * mine]);
            for (landing, rows) in detours.outcomes[first..end].iter().zip(rows.chunks_exact(mine)) {
                let (weights, row) = (&weights[*landing as usize - run.outcomes.0], &rows[memory]);
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

/// Some columns of `values`, and nothing in all others.
#[inline(always)]
fn taken(values: &[f64; LANES], columns: Columns) -> Row {
    let (from, until) = columns.lanes().bits();
    let mut row = ZERO;
    for lane in 0..LANES {
        row[lane] = f64::from_bits(values[lane].to_bits() & from[lane] & until[lane]);
    }
    row
}
