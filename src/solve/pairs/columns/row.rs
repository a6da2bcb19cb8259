//! Rows of numbers side by side, and clean rolls of one more die.

use std::hint::black_box;

/// Numbers that are worked on together.
pub(super) const LANES: usize = 8;

/// The numbers of a tile: neighbouring columns.
pub(super) type Row = [f64; LANES];

/// Nothing.
pub(super) const ZERO: Row = [0.0; LANES];

/// Adds `weight` times `row`.
#[inline(always)]
pub(super) fn add(total: &mut Row, weight: f64, row: &Row) {
    for (total, value) in total.iter_mut().zip(row) {
        *total += weight * value;
    }
}

/// Clean rolls of one die more than those in `sources`, which hold, for each step of a die, what it leads to; `weights` are
/// those of the steps. Blocks are given by their first row, which is of no dice, and by how many dice there are after it.
// Loops, not closures: these would not be compiled for the vectors of the function around them. Black boxes
// keep the compiler from taking rows apart to vectorize over many of them.
#[inline(always)]
pub(super) fn climb(
    sources: &[&[Row]],
    weights: &[f64],
    blocks: impl Iterator<Item = (usize, usize)>,
    into: &mut [Row],
) {
    match (sources, weights) {
        // Dice of four and of six sides.
        ([a, b, c], [1.0, 1.0, 1.0]) => {
            for (at, dice) in blocks {
                let rows = at..at + dice;
                let rows = (a[rows.clone()].iter()).zip(&b[rows.clone()]).zip(&c[rows]);
                for (into, ((a, b), c)) in into[at + 1..at + 1 + dice].iter_mut().zip(rows) {
                    *into = plus(plus(*black_box(a), b), c);
                }
            }
        }
        ([a, b, c, d, e], [1.0, 1.0, 1.0, 1.0, 1.0]) => {
            for (at, dice) in blocks {
                let rows = at..at + dice;
                let two = (a[rows.clone()].iter()).zip(&b[rows.clone()]).zip(&c[rows.clone()]);
                let rows = two.zip(&d[rows.clone()]).zip(&e[rows]);
                for (into, ((((a, b), c), d), e)) in into[at + 1..at + 1 + dice].iter_mut().zip(rows) {
                    *into = plus(plus(plus(plus(*a, b), c), d), e);
                }
            }
        }
        ([a, b, c], [by_a, by_b, by_c]) => {
            for (at, dice) in blocks {
                let rows = at..at + dice;
                let rows = (a[rows.clone()].iter()).zip(&b[rows.clone()]).zip(&c[rows]);
                for (into, ((a, b), c)) in into[at + 1..at + 1 + dice].iter_mut().zip(rows) {
                    *into = plus(plus(times(*by_a, *black_box(a)), &times(*by_b, *b)), &times(*by_c, *c));
                }
            }
        }
        _ => {
            for (at, dice) in blocks {
                for place in at..at + dice {
                    let mut total = ZERO;
                    for (source, weight) in sources.iter().zip(weights) {
                        add(&mut total, *weight, &source[place]);
                    }
                    into[place + 1] = total;
                }
            }
        }
    }
}

#[inline(always)]
fn times(weight: f64, mut row: Row) -> Row {
    for value in &mut row {
        *value *= weight;
    }
    row
}

#[inline(always)]
fn plus(mut total: Row, row: &Row) -> Row {
    for (total, value) in total.iter_mut().zip(row) {
        *total += value;
    }
    total
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
    let mut all = *into;
    for ((all, value), taken) in all.iter_mut().zip(row).zip(&TAKEN[usize::from(lanes)]) {
        *all = f64::from_bits(value.to_bits() & taken | all.to_bits() & !taken);
    }
    *into = all;
}
