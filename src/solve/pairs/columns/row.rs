//! Rows of numbers side by side, and clean rolls of one more die.

use std::hint::black_box;
use std::ops::{Deref, DerefMut, Range};

/// Numbers that are worked on together.
pub(super) const LANES: usize = 8;

/// The numbers of a tile: neighbouring columns. Unlike the rows of strips these have no alignment of their own, for they are
/// also read from any column on ([`Rows`] aligns them all).
pub(super) type Row = [f64; LANES];

/// Nothing.
pub(super) const ZERO: Row = [0.0; LANES];

/// Rows that lie on whole lines of the cache: a vector that lies across two of them takes twice as long to load.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Before the first row: what is left of a line.
    numbers: Vec<f64>,
    first: usize,
}

impl Rows {
    /// So many of nothing.
    pub(super) fn new(count: usize) -> Self {
        let mut numbers = vec![0.0; (count + 1) * LANES];
        let first = numbers.as_ptr().align_offset(size_of::<Row>()).min(LANES);
        numbers.truncate(first + count * LANES);
        Self { numbers, first }
    }
}

impl Deref for Rows {
    type Target = [Row];

    #[inline(always)]
    fn deref(&self) -> &[Row] {
        self.numbers[self.first..].as_chunks().0
    }
}

impl DerefMut for Rows {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Row] {
        self.numbers[self.first..].as_chunks_mut().0
    }
}

/// Adds `weight` times `row`.
#[inline(always)]
pub(super) fn add(total: &mut Row, weight: f64, row: &Row) {
    for lane in 0..LANES {
        total[lane] += weight * row[lane];
    }
}

/// How much more one row is than another.
#[inline(always)]
pub(super) fn less(mut row: Row, other: &Row) -> Row {
    for lane in 0..LANES {
        row[lane] -= other[lane];
    }
    row
}

/// The sums of rows, at some places.
// Loops here and below, not closures: these would not be compiled for the vectors of the function around them. Black boxes
// keep the compiler from taking rows apart to vectorize over many of them.
#[inline(always)]
pub(super) fn sum_rows<const TERMS: usize>(terms: &[&[Row]; TERMS], places: Range<usize>, into: &mut [Row]) {
    let (terms, into) = (cut(terms, &places), &mut into[places.clone()]);
    for place in 0..into.len() {
        let mut total = terms[0][place];
        for term in &terms[1..] {
            let row = &term[place];
            for lane in 0..LANES {
                total[lane] += row[lane];
            }
        }
        into[place] = total;
    }
}

/// The sums of rows, at some places: of all but the first, and of all but the last.
#[inline(always)]
pub(super) fn sum_rows_twice<const TERMS: usize>(
    terms: &[&[Row]; TERMS],
    places: Range<usize>,
    (upper, lower): (&mut [Row], &mut [Row]),
) {
    let (terms, upper, lower) = (cut(terms, &places), &mut upper[places.clone()], &mut lower[places]);
    let count = upper.len();
    let lower = &mut lower[..count];
    for place in 0..count {
        // What both have in common.
        let mut total = *black_box(&terms[1][place]);
        for rows in &terms[2..TERMS - 1] {
            let row = &rows[place];
            for lane in 0..LANES {
                total[lane] += row[lane];
            }
        }
        let (first, last) = (&terms[0][place], &terms[TERMS - 1][place]);
        let (mut below, mut above) = (total, total);
        for lane in 0..LANES {
            below[lane] += first[lane];
        }
        for lane in 0..LANES {
            above[lane] += last[lane];
        }
        (upper[place], lower[place]) = (above, below);
    }
}

/// The sums of rows, each so many times, at some places.
#[inline(always)]
pub(super) fn sum_weighted_rows<const TERMS: usize>(
    terms: &[&[Row]; TERMS],
    weights: &[f64; TERMS],
    places: Range<usize>,
    into: &mut [Row],
) {
    let (terms, into) = (cut(terms, &places), &mut into[places.clone()]);
    // Weights stay in vectors, for a black box forgets what is in memory.
    let mut wide = [ZERO; TERMS];
    for term in 0..TERMS {
        wide[term] = [weights[term]; LANES];
    }
    for place in 0..into.len() {
        let mut total = *black_box(&terms[0][place]);
        for lane in 0..LANES {
            total[lane] *= wide[0][lane];
        }
        for term in 1..TERMS {
            let row = &terms[term][place];
            for lane in 0..LANES {
                total[lane] += wide[term][lane] * row[lane];
            }
        }
        into[place] = total;
    }
}

#[inline(always)]
fn cut<'t, const TERMS: usize>(terms: &[&'t [Row]; TERMS], places: &Range<usize>) -> [&'t [Row]; TERMS] {
    let mut own = *terms;
    for term in &mut own {
        *term = &term[places.clone()];
    }
    own
}

/// By set of lanes: all bits of those in it.
const TAKEN: [[u64; LANES]; 256] = {
    let mut taken = [[0; LANES]; 256];
    let mut at = 0;
    while at < 256 * LANES {
        taken[at / LANES][at % LANES] = if (at / LANES) >> (at % LANES) & 1 == 1 { u64::MAX } else { 0 };
        at += 1;
    }
    taken
};

/// Takes the lanes of a set from `row`.
#[inline(always)]
pub(super) fn take(into: &mut Row, row: &Row, lanes: u8) {
    if lanes == u8::MAX {
        *into = *row;
        return;
    }
    let (mut all, taken) = (*into, &TAKEN[usize::from(lanes)]);
    for lane in 0..LANES {
        all[lane] = f64::from_bits(row[lane].to_bits() & taken[lane] | all[lane].to_bits() & !taken[lane]);
    }
    *into = all;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of numbers that are all different, from one on.
    fn rows(count: usize, first: f64) -> Vec<Row> {
        (0..count).map(|row| std::array::from_fn(|lane| first + (row * LANES + lane) as f64)).collect()
    }

    #[test]
    fn rows_lie_on_whole_lines_and_hold_nothing_at_first() {
        let rows = Rows::new(5);
        assert_eq!(*rows, [ZERO; 5]);
        assert_eq!(rows.as_ptr().align_offset(64), 0);
    }

    #[test]
    fn rows_are_summed_at_some_places_and_left_elsewhere() {
        let (a, b) = (rows(4, 1.0), rows(4, 100.0));
        let mut into = vec![ZERO; 4];
        sum_rows(&[&a, &b], 1..3, &mut into);
        sum_weighted_rows(&[&a, &b], &[2.0, 3.0], 3..4, &mut into);
        assert_eq!(into[0], ZERO);
        for lane in 0..LANES {
            assert_eq!([into[1][lane], into[2][lane]], [a[1][lane] + b[1][lane], a[2][lane] + b[2][lane]]);
            assert_eq!(into[3][lane], 2.0 * a[3][lane] + 3.0 * b[3][lane]);
        }
        let mut both = [vec![ZERO; 4], vec![ZERO; 4]];
        let [upper, lower] = &mut both;
        sum_rows_twice(&[&a, &b, &a], 1..2, (upper, lower));
        assert_eq!(both[0][1], std::array::from_fn(|lane| b[1][lane] + a[1][lane]));
        assert_eq!(both[1][1], std::array::from_fn(|lane| a[1][lane] + b[1][lane]));
        assert_eq!(both.map(|rows| [rows[0], rows[2]]), [[ZERO; 2]; 2]);
    }

    #[test]
    fn only_the_lanes_of_a_set_are_taken() {
        let (mut into, row) = ([1.0; LANES], [2.0; LANES]);
        take(&mut into, &row, 0b1000_0101);
        assert_eq!(into, [2.0, 1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 2.0]);
        take(&mut into, &row, u8::MAX);
        assert_eq!(into, row);
    }
}
