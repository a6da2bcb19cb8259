//! Arrivals that depend on the points of the turn: sums count them as plain, and the difference is added.

use std::ops::Range;

use super::board::Known;
use super::kernel::Tile;
use super::menu::{Menu, Sure};
use super::question::{Question, end};
use super::setting::Setting;
use super::stretch::{Arrivals, Stretch, Way};
use super::{LANES, Row};
use crate::game::Landing;
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

/// A kind of landing and points with a difference in some columns.
#[derive(Debug)]
struct Found {
    kind: usize,
    points: usize,
    columns: Range<usize>,
}

/// Landings of one kind and with so many points, and an opponent's memory, in a layer where they are looked at.
struct Looked<'l> {
    question: &'l Question<'l>,
    side: &'l Side<'l>,
    known: &'l Known<'l>,
    /// The layer's columns: the first, and the end.
    columns: (usize, usize),
    landing: &'l Landing,
    points: usize,
    memory: usize,
}

impl Differences {
    /// Finds all that turns from a layer read.
    #[inline(always)]
    pub fn find(&mut self, question: &Question, side: &Side, known: &Known, sum: usize) {
        let setting = question.setting;
        let (goal, mine) = (setting.space.goal, setting.space.mine);
        let columns = ((sum + 1).saturating_sub(goal), (sum + 1).min(goal));
        self.width = goal.next_multiple_of(LANES);
        self.found.clear();
        self.numbers.clear();
        self.numbers.resize(setting.by_points.len() * setting.points(), 0);
        // Loops and no closures here and below: those would not be compiled for the caller's vectors.
        for (place, by_points) in setting.by_points.iter().enumerate() {
            let (landing, read) = (&setting.program.kinds[by_points.kind], &setting.program.outcomes[by_points.kind]);
            for reached in by_points.stretches.sums_from(sum) {
                let points = reached - sum;
                match read.get(points) {
                    Some(true) => {}
                    Some(false) => continue,
                    None => break,
                }
                let stretches = by_points.stretches.of_sum(*reached);
                let first = self.found.len() * mine * self.width;
                self.rows.resize(self.rows.len().max(first + mine * self.width), 0.0);
                let mut found = 0..0;
                for memory in 0..mine {
                    let row = &mut self.rows[first + memory * self.width..][..self.width];
                    let looked = Looked { question, side, known, columns, landing, points, memory };
                    found = looked.fill(sum, stretches, row);
                }
                if !found.is_empty() {
                    self.found.push(Found { kind: by_points.kind, points, columns: found });
                    self.numbers[place * setting.points() + points] = self.found.len() as u32;
                }
            }
        }
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

impl Looked<'_> {
    /// Writes the differences in all columns from the first to the last that has one, if any has; these columns.
    #[inline(always)]
    fn fill(&self, sum: usize, stretches: &[Stretch], row: &mut [f64]) -> Range<usize> {
        let Self { question, side, known, points, .. } = *self;
        let slot = known.diagonals.slot(side.other, question.setting.passed(self.landing, self.memory));
        // Plain arrivals lie along a layer, and so do most others.
        let plain = known.diagonals.layer(slot, sum + points);
        let mut found = 0..0;
        for stretch in stretches {
            let columns = stretch.columns(points, self.columns);
            if columns.is_empty() {
                continue;
            }
            if found.is_empty() {
                row.fill(0.0);
                found = columns.clone();
            } else {
                found = found.start.min(columns.start)..found.end.max(columns.end);
            }
            let arrivals = stretch.arrivals(points, columns.start);
            let (row, plain) = (&mut row[columns.clone()], &plain[columns]);
            if let Way::Ended(destination) = arrivals.way {
                subtract_from(end(question.payoff, destination), row, plain);
                continue;
            }
            let (score, opponent) = arrivals.scores;
            match known.diagonals.solved_layer(slot, score + opponent) {
                Some(layer) if arrivals.way == Way::Passed && arrivals.by_column == (1, -1) => {
                    subtract(&layer[score..][..row.len()], row, plain);
                }
                _ => self.fill_scattered(arrivals, row, plain),
            }
        }
        found
    }

    /// Writes the differences where the arrivals of neighbouring columns do not lie side by side.
    #[inline(never)]
    fn fill_scattered(&self, arrivals: Arrivals, row: &mut [f64], plain: &[f64]) {
        let Self { question, side, known, landing, .. } = *self;
        let setting = question.setting;
        let again = arrivals.way == Way::Again;
        let (side, place) = match again {
            true => (side.own, setting.again(landing, self.memory)),
            false => (side.other, setting.passed(landing, self.memory)),
        };
        let (mut score, mut opponent) = arrivals.scores;
        for (difference, plain) in row.iter_mut().zip(plain) {
            let value = known.number(side, score * setting.space.goal + opponent, place);
            *difference = if again { question.flip(value) } else { value } - plain;
            (score, opponent) = (
                score.wrapping_add_signed(arrivals.by_column.0 as isize),
                opponent.wrapping_add_signed(arrivals.by_column.1 as isize),
            );
        }
    }
}

/// Each number less the plain one, a few at a time: most slices are short.
#[inline(always)]
fn subtract(numbers: &[f64], row: &mut [f64], plain: &[f64]) {
    let (rows, last_row) = row.as_chunks_mut::<4>();
    let (numbers, last_numbers) = numbers.as_chunks::<4>();
    let (plain, last_plain) = plain.as_chunks::<4>();
    for ((row, numbers), plain) in rows.iter_mut().zip(numbers).zip(plain) {
        for column in 0..4 {
            row[column] = numbers[column] - plain[column];
        }
    }
    for ((difference, number), plain) in last_row.iter_mut().zip(last_numbers).zip(last_plain) {
        *difference = number - plain;
    }
}

/// The same of one number.
#[inline(always)]
fn subtract_from(number: f64, row: &mut [f64], plain: &[f64]) {
    let (rows, last_row) = row.as_chunks_mut::<4>();
    let (plain, last_plain) = plain.as_chunks::<4>();
    for (row, plain) in rows.iter_mut().zip(plain) {
        for column in 0..4 {
            row[column] = number - plain[column];
        }
    }
    for (difference, plain) in last_row.iter_mut().zip(last_plain) {
        *difference = number - plain;
    }
}

impl Tile<'_> {
    /// Where arrivals depend on the points, sums have counted them as plain: adds the differences.
    #[inline(always)]
    pub fn mend(&self, menu: &Menu, means: &mut [Row]) {
        let mine = self.layer.question.setting.space.mine;
        let (differences, first) = (self.layer.differences, self.strip.first);
        for (number, found) in differences.found.iter().enumerate() {
            if found.columns.start >= first + self.lanes.end || found.columns.end <= first + self.lanes.first {
                continue;
            }
            let (sum, weights) = menu.weights.of(found.kind, found.points);
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
        let (setting, differences) = (self.layer.question.setting, self.layer.differences);
        for (place, points, mask) in &sure.by_points {
            if let Some(row) = differences.of(setting, (*place as usize, *points as usize), memory) {
                let row = differences.row(row, self.strip.first);
                for lane in 0..LANES {
                    mean[lane] += f64::from_bits(row[lane].to_bits() & mask[lane]);
                }
            }
        }
    }

    /// The same for one sum in one column, against one memory.
    #[inline(always)]
    pub fn mended(&self, sum: &Sum, (memory, lane): (usize, usize)) -> f64 {
        let (setting, differences) = (self.layer.question.setting, self.layer.differences);
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
