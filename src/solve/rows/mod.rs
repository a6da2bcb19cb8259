//! Plain functions over rows of doubles: the inner loops of the float engine.
//!
//! Each is a fixed order of operations on single columns, so that the bits depend neither on the processor's vectors nor on how
//! rows are cut into blocks. Whoever calls them from a function compiled for several vectors (see [`super::floats`]) has them
//! inlined there.

/// Columns worked on together: two cache lines.
const LANES: usize = 16;
/// The same in short rows.
const FEW: usize = 4;

/// Calls `step::<L>(first, ...)` for each L columns from `first` on. The last ones may be done twice, rather than each by
/// itself: no step reads what it writes. Loops are plain ones: closures would not be compiled for the caller's vectors.
macro_rules! each_lanes {
    ($step:ident, $columns:expr, $($argument:expr),*) => {{
        let columns: usize = $columns;
        if columns >= LANES {
            for part in 0..columns / LANES {
                $step::<LANES>(part * LANES, $($argument),*);
            }
            if columns % LANES > 0 {
                $step::<LANES>(columns - LANES, $($argument),*);
            }
        } else if columns >= FEW {
            for part in 0..columns / FEW {
                $step::<FEW>(part * FEW, $($argument),*);
            }
            if columns % FEW > 0 {
                $step::<FEW>(columns - FEW, $($argument),*);
            }
        } else {
            for column in 0..columns {
                $step::<1>(column, $($argument),*);
            }
        }
    }};
}

/// Some neighbouring columns of a row.
#[inline(always)]
fn lanes<const L: usize>(row: &[f64], first: usize) -> &[f64; L] {
    row[first..].first_chunk().expect("rows are as long as the results")
}

/// The same, to be written.
#[inline(always)]
fn lanes_mut<const L: usize, W>(row: &mut [W], first: usize) -> &mut [W; L] {
    row[first..].first_chunk_mut().expect("rows are as long as the results")
}

/// `out = sum of weight * row`, in the order of the rows; weights of 1 are not multiplied.
#[inline(always)]
pub(super) fn combine(out: &mut [f64], rows: &[&[f64]], weights: &[f64]) {
    let mut unit = true;
    for weight in weights {
        unit &= *weight == 1.0;
    }
    match (unit, rows) {
        (true, [a, b, c, d, e]) => each_lanes!(sum_step, out.len(), out, &[*a, *b, *c, *d, *e]),
        (true, _) => each_lanes!(sum_step, out.len(), out, rows),
        (false, _) => each_lanes!(weigh_step, out.len(), out, rows, weights),
    }
}

#[inline(always)]
fn sum_step<const L: usize>(first: usize, out: &mut [f64], rows: &[&[f64]]) {
    let mut totals = [0.0; L];
    for row in rows {
        let row = lanes::<L>(row, first);
        for lane in 0..L {
            totals[lane] += row[lane];
        }
    }
    *lanes_mut(out, first) = totals;
}

#[inline(always)]
fn weigh_step<const L: usize>(first: usize, out: &mut [f64], rows: &[&[f64]], weights: &[f64]) {
    *lanes_mut(out, first) = weighted::<L>(first, rows, weights);
}

#[inline(always)]
fn weighted<const L: usize>(first: usize, rows: &[&[f64]], weights: &[f64]) -> [f64; L] {
    let mut totals = [0.0; L];
    for (row, weight) in rows.iter().zip(weights) {
        let row = lanes::<L>(row, first);
        for lane in 0..L {
            totals[lane] += weight * row[lane];
        }
    }
    totals
}

/// The mover's means from what the opponent gets: `1 - scale * sum of weight * row`, no less than 0, or `scale * sum` of what both
/// players share. Rounding may have made the sum too large; to keep means within their range brings them no further from
/// the truth.
#[inline(always)]
pub(super) fn means(out: &mut [f64], rows: &[&[f64]], weights: &[f64], (scale, complement): (f64, bool)) {
    match complement {
        true => each_lanes!(complement_step, out.len(), out, rows, weights, scale),
        false => each_lanes!(share_step, out.len(), out, rows, weights, scale),
    }
}

#[inline(always)]
fn complement_step<const L: usize>(first: usize, out: &mut [f64], rows: &[&[f64]], weights: &[f64], scale: f64) {
    let mut totals = weighted::<L>(first, rows, weights);
    for total in &mut totals {
        let mean = 1.0 - *total * scale;
        *total = if mean > 0.0 { mean } else { 0.0 };
    }
    *lanes_mut(out, first) = totals;
}

#[inline(always)]
fn share_step<const L: usize>(first: usize, out: &mut [f64], rows: &[&[f64]], weights: &[f64], scale: f64) {
    let mut totals = weighted::<L>(first, rows, weights);
    for total in &mut totals {
        *total *= scale;
    }
    *lanes_mut(out, first) = totals;
}

/// Copies the columns of `row` whose number is `wanted`.
#[inline(always)]
pub(super) fn select(out: &mut [f64], row: &[f64], numbers: &[f64], wanted: f64) {
    each_lanes!(select_step, out.len(), out, row, numbers, wanted);
}

#[inline(always)]
fn select_step<const L: usize>(first: usize, out: &mut [f64], row: &[f64], numbers: &[f64], wanted: f64) {
    let (out, row, numbers) = (lanes_mut::<L, f64>(out, first), lanes::<L>(row, first), lanes::<L>(numbers, first));
    for lane in 0..L {
        out[lane] = if numbers[lane] == wanted { row[lane] } else { out[lane] };
    }
}

/// What the states of an action set come to, by column. Choices and sets are whole numbers in doubles, which vectors compare and
/// choose by.
pub(super) struct Decisions<'o> {
    pub best: &'o mut [f64],
    /// The first row that may have it: within [`EQUAL`].
    pub choices: &'o mut [f64],
    /// All rows near it, as bits.
    pub sets: &'o mut [f64],
}

/// Means of two actions that differ by no more may be equal: it is less than the bound grows by in any turn, so that what is
/// lost over all turns stays within the bound.
const EQUAL: f64 = 2.0 * f64::EPSILON;

/// By column the largest of some rows, of which there are fewer than 53, and all within `tolerance` of it.
#[inline(always)]
pub(super) fn argmax(rows: &[&[f64]], tolerance: f64, out: Decisions) {
    let Decisions { best, choices, sets } = out;
    best.copy_from_slice(rows[0]);
    for row in &rows[1..] {
        for (value, best) in row.iter().zip(&mut *best) {
            *best = if *value > *best { *value } else { *best };
        }
    }
    sets.fill(0.0);
    let (mut number, mut bit) = (rows.len() as f64, (1_u64 << rows.len()) as f64);
    for row in rows.iter().rev() {
        (number, bit) = (number - 1.0, bit / 2.0);
        near(row, (number, bit, tolerance), best, (choices, sets));
    }
}

#[inline(always)]
fn near(
    row: &[f64],
    (number, bit, tolerance): (f64, f64, f64),
    best: &[f64],
    (choices, sets): (&mut [f64], &mut [f64]),
) {
    for (((value, best), choice), set) in row.iter().zip(best).zip(choices).zip(sets) {
        let loss = *best - *value;
        *choice = if loss <= EQUAL { number } else { *choice };
        *set += if loss <= tolerance { bit } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(seed: usize, length: usize) -> Vec<f64> {
        (0..length).map(|column| ((column * 37 + seed * 101) % 97) as f64 / 97.0).collect()
    }

    #[test]
    fn a_combination_is_the_weighted_sum_of_its_rows() {
        for (length, count) in [0, 1, 15, 16, 40].into_iter().flat_map(|length| (0..9).map(move |count| (length, count))) {
            let rows: Vec<Vec<f64>> = (0..count).map(|seed| row(seed, length + 3)).collect();
            let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
            for weights in [vec![1.0; count], (1..=count).map(|weight| weight as f64).collect()] {
                let mut out = vec![f64::NAN; length];
                combine(&mut out, &rows, &weights);
                for (column, found) in out.iter().enumerate() {
                    let expected: f64 = rows.iter().zip(&weights).map(|(row, weight)| row[column] * weight).sum();
                    assert!((found - expected).abs() < 1e-12, "{count} rows of {length}, column {column}");
                }
            }
        }
    }

    #[test]
    fn means_are_taken_from_the_side_asked_for_and_stay_in_their_range() {
        let (row, mut out) = ([0.0, 1.0, 4.0, 4.0 + f64::EPSILON * 4.0], [f64::NAN; 4]);
        means(&mut out, &[&row], &[1.0], (0.25, true));
        assert_eq!(out, [1.0, 0.75, 0.0, 0.0]);
        means(&mut out, &[&row, &row], &[1.0, 2.0], (0.5, false));
        assert_eq!(out[..3], [0.0, 1.5, 6.0]);
    }

    #[test]
    fn selecting_changes_no_other_column() {
        let mut out = [9.0, 9.0, 9.0];
        select(&mut out, &[1.0, 2.0, 3.0], &[7.0, 8.0, 7.0], 7.0);
        assert_eq!(out, [1.0, 9.0, 3.0]);
    }

    #[test]
    fn the_largest_the_first_that_has_it_and_all_near_it_are_told_for_each_column() {
        for length in [1, 3, 4, 7, 16, 37] {
            check_argmax(length);
        }
    }

    fn check_argmax(length: usize) {
        let rows: Vec<Vec<f64>> = (0..11).map(|seed| row(seed, length)).collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let (mut best, mut choices, mut sets) = (vec![9.0; length], vec![9.0; length], vec![9.0; length]);
        argmax(&rows, 0.05, Decisions { best: &mut best, choices: &mut choices, sets: &mut sets });
        for column in 0..length {
            let of = |action: usize| rows[action][column];
            let largest = (0..11).map(of).fold(0.0, f64::max);
            let near = (0..11).filter(|action| largest - of(*action) <= 0.05).fold(0, |set, action| set | 1 << action);
            assert_eq!((best[column], sets[column]), (largest, f64::from(near)), "column {column}");
            let choice = choices[column] as usize;
            assert!(largest - of(choice) <= EQUAL && (0..choice).all(|action| largest - of(action) > EQUAL));
        }
    }
}
