//! Arrivals that depend on the points of the turn: sums count them as plain, and the difference is added.

use std::ops::Range;

use super::board::Known;
use super::kernel::Tile;
use super::menu::{Menu, Sure};
use super::setting::{ByPoints, Setting, flip};
use super::stretch::{Stretch, Way};
use super::{LANES, Row};
use crate::solve::bellman::Side;
use crate::solve::program::Sum;

/// By how much the arrivals of one side's turns from a layer are worth more than plain ones.
#[derive(Debug, Default)]
pub(super) struct Differences {
    /// Where there are any.
    found: Vec<Found>,
    /// By place of the kind and points: the number of the one found, and one.
    numbers: Vec<u32>,
    /// `[number * opponent's memories + memory][column]`
    rows: Vec<f64>,
    /// The columns of a row: those of all strips.
    width: usize,
}

/// A kind of landing, as its place among those whose arrivals depend on the points, and points, with a difference in some
/// columns.
#[derive(Debug)]
struct Found {
    place: usize,
    points: usize,
    columns: Range<usize>,
}

/// A layer whose arrivals are looked at.
struct Reader<'r> {
    setting: &'r Setting<'r>,
    side: &'r Side<'r>,
    known: &'r Known<'r>,
    sum: usize,
}

impl Differences {
    /// Finds all that turns from a layer read.
    #[inline(always)]
    pub fn find(&mut self, setting: &Setting, side: &Side, known: &Known, sum: usize) {
        let goal = setting.space.goal;
        self.width = goal.next_multiple_of(LANES);
        self.found.clear();
        self.numbers.clear();
        self.numbers.resize(setting.by_points.len() * setting.points(), 0);
        let columns = (sum + 1).saturating_sub(goal)..(sum + 1).min(goal);
        let reader = Reader { setting, side, known, sum };
        for (place, by_points) in setting.by_points.iter().enumerate() {
            for points in &by_points.read {
                if let Some(columns) = self.find_row(&reader, (by_points, *points), &columns) {
                    self.found.push(Found { place, points: *points, columns });
                    self.numbers[place * setting.points() + points] = self.found.len() as u32;
                }
            }
        }
    }

    /// Writes the differences for one number of points as the next to be found; the columns between the first and the last,
    /// if there are any.
    #[inline(always)]
    fn find_row(
        &mut self,
        reader: &Reader,
        (by_points, points): (&ByPoints, usize),
        columns: &Range<usize>,
    ) -> Option<Range<usize>> {
        let size = reader.setting.space.mine * self.width;
        let rows = self.found.len() * size..(self.found.len() + 1) * size;
        let mut all: Option<Range<usize>> = None;
        // Loops and no closures here and below: those would not be compiled for the caller's vectors.
        for stretch in by_points.stretches.of_sum(reader.sum + points) {
            let columns = stretch.columns(points, columns);
            if columns.is_empty() {
                continue;
            }
            let found = if let Some(all) = all {
                all.start.min(columns.start)..all.end.max(columns.end)
            } else {
                self.rows.resize(self.rows.len().max(rows.end), 0.0);
                self.rows[rows.clone()].fill(0.0);
                columns.clone()
            };
            all = Some(found);
            reader.fill((by_points.kind, points), stretch, columns, (&mut self.rows[rows.clone()], self.width));
        }
        all
    }

    /// The row of a kind of landing, as its place, with so many points; `None` where arrivals are plain in all columns.
    #[inline(always)]
    fn of(&self, setting: &Setting, (place, points): (usize, usize), memory: usize) -> Option<usize> {
        let number = self.numbers[place * setting.points() + points] as usize;
        Some(number.checked_sub(1)? * setting.space.mine + memory)
    }

    /// The differences of a row in the columns of a strip.
    #[inline(always)]
    fn row(&self, row: usize, strip_first: usize) -> &[f64; LANES] {
        let columns = &self.rows[row * self.width + strip_first..];
        columns.first_chunk().expect("rows are as wide as all strips")
    }
}

impl Reader<'_> {
    /// Writes the differences in the columns of a stretch, for each memory of the opponent into one row.
    #[inline(always)]
    fn fill(
        &self,
        (kind, points): (usize, usize),
        stretch: &Stretch,
        columns: Range<usize>,
        (rows, width): (&mut [f64], usize),
    ) {
        let Self { setting, side, known, sum } = self;
        let (landing, per_cell) = (&setting.program.kinds[kind], setting.space.per_cell() as isize);
        let (way, cell, step) = stretch.line(points, columns.start);
        for memory in 0..setting.space.mine {
            let row = &mut rows[memory * width..];
            let (row, passed) = (&mut row[columns.clone()], setting.passed(landing, memory));
            // Plain arrivals lie along a layer.
            let plain = known.diagonals.layer((side.other, passed), sum + points, columns.clone());
            let (values, place) = match way {
                Way::Ended(destination) => {
                    let end = setting.end(destination);
                    subtract(row, |_| end, plain);
                    continue;
                }
                Way::Passed => {
                    if step == setting.space.goal as isize - 1
                        && let Some(line) = known.diagonals.line((side.other, passed), cell as usize, columns.len())
                    {
                        subtract_slice(row, line, plain);
                        continue;
                    }
                    (known.whole(side.other), passed)
                }
                Way::Again => (known.whole(side.own), setting.again(landing, memory)),
            };
            let first = cell * per_cell + place as isize;
            let value = |column: usize| values[(first + column as isize * step * per_cell) as usize];
            match way {
                Way::Again => subtract(row, |column| flip(setting.payoff, value(column)), plain),
                _ => subtract(row, value, plain),
            }
        }
    }
}

/// Each number less the plain one, a few at a time: most slices are short.
#[inline(always)]
fn subtract_slice(row: &mut [f64], numbers: &[f64], plain: &[f64]) {
    let (rows, row) = row.as_chunks_mut::<4>();
    let (numbers, last_numbers) = numbers.as_chunks::<4>();
    let (plain, last_plain) = plain.as_chunks::<4>();
    for ((row, numbers), plain) in rows.iter_mut().zip(numbers).zip(plain) {
        for column in 0..4 {
            row[column] = numbers[column] - plain[column];
        }
    }
    subtract(row, |column| last_numbers[column], last_plain);
}

/// The same of numbers that do not lie side by side.
#[inline(always)]
fn subtract(row: &mut [f64], number: impl Fn(usize) -> f64, plain: &[f64]) {
    for (column, (difference, plain)) in row.iter_mut().zip(plain).enumerate() {
        *difference = number(column) - plain;
    }
}

impl Tile<'_> {
    /// Where arrivals depend on the points, sums have counted them as plain: adds the differences.
    #[inline(always)]
    pub fn mend(&self, menu: &Menu, means: &mut [Row]) {
        let (setting, mine) = (self.layer.setting, self.layer.setting.space.mine);
        let (differences, first) = (self.layer.differences, self.strip.first);
        for (number, found) in differences.found.iter().enumerate() {
            if found.columns.start >= first + self.lanes.end || found.columns.end <= first + self.lanes.first {
                continue;
            }
            let (sum, weights) = menu.weights.of(setting.by_points[found.place].kind, found.points);
            let means = &mut means[sum * mine..][..weights.len() * mine];
            for memory in 0..mine {
                let row = differences.row(number * mine + memory, first);
                for (sum, weight) in weights.iter().enumerate() {
                    let mean = &mut means[sum * mine + memory];
                    for lane in 0..LANES {
                        mean[lane] += weight * row[lane];
                    }
                }
            }
        }
    }

    /// The same for turns without chance, against one memory.
    #[inline(always)]
    pub fn mend_sure(&self, sure: &Sure, memory: usize, mean: &mut Row) {
        for lane in 0..LANES {
            if let Some((place, points)) = sure.by_points[lane]
                && let Some(row) =
                    self.layer.differences.of(self.layer.setting, (place as usize, points as usize), memory)
            {
                mean[lane] += self.layer.differences.row(row, self.strip.first)[lane];
            }
        }
    }

    /// The same for one sum in one column, against one memory.
    #[inline(always)]
    pub fn mended(&self, sum: &Sum, (memory, lane): (usize, usize)) -> f64 {
        let (setting, differences) = (self.layer.setting, self.layer.differences);
        let mut total = 0.0;
        for term in &sum.all {
            let Some(place) = setting.by_points.iter().position(|by_points| by_points.kind == term.kind) else {
                continue;
            };
            if let Some(row) = differences.of(setting, (place, term.points), memory) {
                total += term.weight * differences.row(row, self.strip.first)[lane];
            }
        }
        total
    }
}
