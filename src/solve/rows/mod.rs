//! Plain functions over rows of doubles: the inner loops of the float engine.
//!
//! Each is a fixed order of operations on single columns, so that the bits depend neither on the processor's vectors nor on how
//! rows are cut into blocks. Whoever calls them from a function compiled for several vectors (see [`super::floats`]) has them
//! inlined there.

/// Columns worked on together: two cache lines.
pub(super) const LANES: usize = 16;

/// Some neighbouring columns. Rows are whole numbers of them, so that no column is left to be done by itself.
pub(super) type LaneArray = [f64; LANES];

/// A row as lanes; its length is a multiple of theirs.
#[inline(always)]
pub(super) fn lanes(row: &[f64]) -> &[LaneArray] {
    row.as_chunks().0
}

/// The same, to be written.
#[inline(always)]
pub(super) fn lanes_mut(row: &mut [f64]) -> &mut [LaneArray] {
    row.as_chunks_mut().0
}

/// A row, and what it counts for in a sum.
pub(super) type WeightedRow<'r> = (&'r [LaneArray], f64);

/// `out = sum of weight * row`, in the order of the rows.
#[inline(always)]
pub(super) fn combine(out: &mut [LaneArray], rows: &[WeightedRow]) {
    for (at, out) in out.iter_mut().enumerate() {
        *out = weighted(rows, at);
    }
}

#[inline(always)]
fn weighted(rows: &[WeightedRow], at: usize) -> LaneArray {
    let mut totals = [0.0; LANES];
    for (row, weight) in rows {
        let row = &row[at];
        for lane in 0..LANES {
            totals[lane] += weight * row[lane];
        }
    }
    totals
}

/// The mover's means from what the opponent gets: `1 - scale * sum of weight * row`, no less than 0, or `scale * sum` of what both
/// players share. Rounding may have made the sum too large; to keep means within their range brings them no further from
/// the truth.
#[inline(always)]
pub(super) fn means(out: &mut [LaneArray], rows: &[WeightedRow], (scale, complement): (f64, bool)) {
    for (at, out) in out.iter_mut().enumerate() {
        let mut totals = weighted(rows, at);
        for total in &mut totals {
            *total *= scale;
        }
        *out = totals;
    }
    if complement {
        // Over arrays of lanes, this loop becomes gathers.
        out.as_flattened_mut().iter_mut().for_each(|mean| *mean = kept_in_range(*mean, true));
    }
}

/// The mover's mean from one that counts for the opponent, no less than 0; or one that counts for both as it is.
#[inline(always)]
pub(super) fn kept_in_range(mean: f64, complement: bool) -> f64 {
    let rest = 1.0 - mean;
    match complement {
        true if rest > 0.0 => rest,
        true => 0.0,
        false => mean,
    }
}

/// What the states of an action set come to, by column.
pub(super) struct Decisions<'o> {
    pub best: &'o mut [LaneArray],
    /// The first row that may have it: within [`EQUAL`].
    pub choices: &'o mut [u8],
    /// All rows near it.
    pub sets: &'o mut [u32],
}

/// Means of two actions that differ by no more may be equal: it is less than the bound grows by in any turn, so that what is
/// lost over all turns stays within the bound.
pub(super) const EQUAL: f64 = 2.0 * f64::EPSILON;

/// By column the largest of some rows, of which there are fewer than 53, and all within `tolerance` of it, which is no less
/// than [`EQUAL`].
#[inline(always)]
pub(super) fn argmax(rows: &[&[LaneArray]], tolerance: f64, out: Decisions) {
    let (choices, sets) = (out.choices.as_chunks_mut::<LANES>().0, out.sets.as_chunks_mut::<LANES>().0);
    for (at, ((best, choices), sets)) in out.best.iter_mut().zip(choices).zip(sets).enumerate() {
        let mut largest = rows[0][at];
        for row in &rows[1..] {
            let row = &row[at];
            for lane in 0..LANES {
                largest[lane] = if row[lane] > largest[lane] { row[lane] } else { largest[lane] };
            }
        }
        *best = largest;
        *sets = near(rows, at, &largest, tolerance);
        for lane in 0..LANES {
            choices[lane] = sets[lane].trailing_zeros() as u8;
            if !sets[lane].is_power_of_two() {
                choices[lane] = first_of(rows, (at, lane), largest[lane]);
            }
        }
    }
}

/// The rows within `tolerance` of the largest.
#[inline(always)]
fn near(rows: &[&[LaneArray]], at: usize, largest: &LaneArray, tolerance: f64) -> [u32; LANES] {
    // Sets are whole numbers in doubles at first, which vectors choose by; on top of 2^52 they are the lowest bits.
    let (mut near, mut bit, mut sets) = ([(1_u64 << 52) as f64; LANES], 1.0, [0; LANES]);
    for row in rows {
        let row = &row[at];
        for lane in 0..LANES {
            near[lane] += if largest[lane] - row[lane] <= tolerance { bit } else { 0.0 };
        }
        bit *= 2.0;
    }
    for lane in 0..LANES {
        sets[lane] = near[lane].to_bits() as u32;
    }
    sets
}

/// The first row that may have the largest.
#[inline(never)]
fn first_of(rows: &[&[LaneArray]], (at, lane): (usize, usize), largest: f64) -> u8 {
    rows.iter().position(|row| largest - row[at][lane] <= EQUAL).expect("one has it") as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: usize = 3 * LANES;

    fn row(seed: usize) -> Vec<f64> {
        (0..COLUMNS).map(|column| ((column * 37 + seed * 101) % 97) as f64 / 97.0).collect()
    }

    #[test]
    fn a_combination_is_the_weighted_sum_of_its_rows() {
        for count in 0..9 {
            let rows: Vec<Vec<f64>> = (0..count).map(row).collect();
            for weights in [vec![1.0; count], (1..=count).map(|weight| weight as f64).collect()] {
                let mut out = vec![f64::NAN; COLUMNS];
                let weighted: Vec<WeightedRow> = rows.iter().map(|row| lanes(row)).zip(weights.clone()).collect();
                combine(lanes_mut(&mut out), &weighted);
                for (column, found) in out.iter().enumerate() {
                    let expected: f64 = rows.iter().zip(&weights).map(|(row, weight)| row[column] * weight).sum();
                    assert!((found - expected).abs() < 1e-12, "{count} rows, column {column}");
                }
            }
        }
    }

    #[test]
    fn means_are_taken_from_the_side_asked_for_and_stay_in_their_range() {
        let (mut row, mut out) = ([0.0; LANES], [f64::NAN; LANES]);
        row[..4].copy_from_slice(&[0.0, 1.0, 4.0, 4.0 + f64::EPSILON * 4.0]);
        means(lanes_mut(&mut out), &[(lanes(&row), 1.0)], (0.25, true));
        assert_eq!(out[..5], [1.0, 0.75, 0.0, 0.0, 1.0]);
        means(lanes_mut(&mut out), &[(lanes(&row), 1.0), (lanes(&row), 2.0)], (0.5, false));
        assert_eq!(out[..3], [0.0, 1.5, 6.0]);
    }

    #[test]
    fn the_largest_the_first_that_may_have_it_and_all_near_it_are_told_for_each_column() {
        let rows: Vec<Vec<f64>> = (0..11).map(row).collect();
        let of_lanes: Vec<&[LaneArray]> = rows.iter().map(|row| lanes(row)).collect();
        let (mut best, mut choices, mut sets) = (vec![9.0; COLUMNS], vec![99; COLUMNS], vec![99; COLUMNS]);
        argmax(&of_lanes, 0.05, Decisions { best: lanes_mut(&mut best), choices: &mut choices, sets: &mut sets });
        for column in 0..COLUMNS {
            let of = |action: usize| rows[action][column];
            let largest = (0..11).map(of).fold(0.0, f64::max);
            let near = (0..11).filter(|action| largest - of(*action) <= 0.05).fold(0, |set, action| set | 1 << action);
            assert_eq!((best[column], sets[column]), (largest, near), "column {column}");
            let choice = usize::from(choices[column]);
            assert!(largest - of(choice) <= EQUAL && (0..choice).all(|action| largest - of(action) > EQUAL));
        }
    }
}
