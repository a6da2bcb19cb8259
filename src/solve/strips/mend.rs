//! Arrivals that depend on the points of the turn: sums count them as plain, and the difference is added.

use std::ops::Range;

use super::kernel::Tile;
use super::menu::Menu;
use super::setting::flip;
use super::stretch::{Stretch, Way};
use super::strip::add;
use super::{LANES, Row, ZERO};
use crate::solve::program::Sum;

/// By how much arrivals of a tile are worth more than plain ones.
#[derive(Debug, Default)]
pub(super) struct Differences {
    /// `[(place of the kind * points + points) * opponent's memories + memory]`
    rows: Vec<Row>,
    /// By place of the kind and points: whether there are any.
    any: Vec<bool>,
    /// Where there are: place of the kind, and points.
    found: Vec<(usize, usize)>,
}

impl Tile<'_> {
    /// Where arrivals depend on the points, sums have counted them as plain: adds the differences.
    #[inline(always)]
    pub fn mend(&self, menu: &Menu, means: &mut [Row], differences: &Differences) {
        let (setting, mine) = (self.layer.setting, self.layer.setting.space.mine);
        for (place, points) in &differences.found {
            let first = setting.differences_of(*place, *points);
            let rows = &differences.rows[first..first + mine];
            for (sum, weight) in menu.weights.of(setting.by_points[*place].kind, *points) {
                let means = &mut means[*sum as usize * mine..][..mine];
                // Loops here and below, not closures: those would not be compiled for the caller's vectors.
                for (mean, row) in means.iter_mut().zip(rows) {
                    add(mean, *weight, row);
                }
            }
        }
    }

    /// The same for one sum in one column, against one memory.
    #[inline(always)]
    pub fn mended(&self, sum: &Sum, (memory, lane): (usize, usize), differences: &Differences) -> f64 {
        let setting = self.layer.setting;
        let mut total = 0.0;
        for term in &sum.all {
            let Some(place) = setting.by_points.iter().position(|by_points| by_points.kind == term.kind) else {
                continue;
            };
            if differences.any[place * setting.points() + term.points] {
                total += term.weight * differences.rows[setting.differences_of(place, term.points) + memory][lane];
            }
        }
        total
    }

    /// Finds all differences that turns read.
    #[inline(always)]
    pub fn find_differences(&self, differences: &mut Differences) {
        let setting = self.layer.setting;
        let all = setting.by_points.len() * setting.points();
        differences.rows.resize(all * setting.space.mine, ZERO);
        differences.any.clear();
        differences.any.resize(all, false);
        differences.found.clear();
        let columns = self.strip.first + self.lanes.first..self.strip.first + self.lanes.end;
        for (place, by_points) in setting.by_points.iter().enumerate() {
            for points in &by_points.read {
                for stretch in by_points.stretches.of_sum(self.layer.sum + points) {
                    if stretch.first_column() >= columns.end {
                        break;
                    }
                    let columns = stretch.columns(*points, &columns);
                    if columns.is_empty() {
                        continue;
                    }
                    let first = setting.differences_of(place, *points);
                    let rows = &mut differences.rows[first..first + setting.space.mine];
                    let any = &mut differences.any[place * setting.points() + points];
                    if !*any {
                        *any = true;
                        rows.fill(ZERO);
                        differences.found.push((place, *points));
                    }
                    self.fill((by_points.kind, *points), stretch, columns, rows);
                }
            }
        }
    }

    /// The differences in the columns of a stretch.
    #[inline(always)]
    fn fill(&self, (kind, points): (usize, usize), stretch: &Stretch, columns: Range<usize>, rows: &mut [Row]) {
        let (setting, side, known) = (self.layer.setting, self.layer.side, self.layer.known);
        let (per_cell, landing) = (setting.space.per_cell() as isize, &setting.program.kinds[kind]);
        let (way, cell, step) = stretch.line(points, columns.start);
        let lanes = columns.start - self.strip.first..columns.end - self.strip.first;
        for (memory, row) in rows.iter_mut().enumerate() {
            let plain = self.arrival(kind, points, memory);
            let (values, place) = match way {
                Way::Ended(destination) => {
                    for lane in lanes.clone() {
                        row[lane % LANES] = setting.end(destination) - plain[lane % LANES];
                    }
                    continue;
                }
                Way::Passed => (known.whole(side.other), setting.passed(landing, memory)),
                Way::Again => (known.whole(side.own), setting.again(landing, memory)),
            };
            let mut state = cell * per_cell + place as isize;
            for lane in lanes.clone() {
                let value = values[state as usize];
                let worth = if way == Way::Again { flip(setting.payoff, value) } else { value };
                row[lane % LANES] = worth - plain[lane % LANES];
                state += step * per_cell;
            }
        }
    }
}
