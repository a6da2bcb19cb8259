//! The inner loops of the float solver: functions over rows of doubles.
//!
//! Each is a fixed sequence of operations on single columns, so the resulting bits depend neither
//! on the processor's vector width nor on how rows are cut into blocks. They are inlined into
//! callers that are compiled for several vector widths (see [`super::floats`]).

/// Columns processed together: two cache lines.
pub(super) const LANES: usize = 16;

/// `LANES` neighbouring columns. The length of every row is a multiple of `LANES`, so there is no
/// partial array.
pub(super) type LaneArray = [f64; LANES];

/// Returns a row as arrays of lanes; its length is a multiple of [`LANES`].
#[inline(always)]
pub(super) fn lanes(row: &[f64]) -> &[LaneArray] {
    row.as_chunks().0
}

/// As [`lanes`], mutable.
#[inline(always)]
pub(super) fn lanes_mut(row: &mut [f64]) -> &mut [LaneArray] {
    row.as_chunks_mut().0
}

/// A row and its weight in a sum.
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

/// `out = scale * sum of weight * row`, in the order of the rows.
#[inline(always)]
pub(super) fn means(out: &mut [LaneArray], rows: &[WeightedRow], scale: f64) {
    for (at, out) in out.iter_mut().enumerate() {
        *out = weighted(rows, at).map(|total| total * scale);
    }
}

/// `out = row` in the columns whose number is `selected`.
#[inline(always)]
pub(super) fn select(out: &mut [LaneArray], row: &[LaneArray], numbers: &[u32], selected: u32) {
    for ((out, row), numbers) in out.iter_mut().zip(row).zip(numbers.as_chunks::<LANES>().0) {
        // With copies and a comparison of doubles, the compiler uses vector instructions.
        let old = *out;
        let new = *row;
        let mut difference = [0.0; LANES];
        for lane in 0..LANES {
            difference[lane] = f64::from(numbers[lane] ^ selected);
        }
        for lane in 0..LANES {
            out[lane] = if difference[lane] > 0.0 { old[lane] } else { new[lane] };
        }
    }
}

/// Replaces the opponent's means by the mover's, `max(0, 1 - mean)`. Rounding may make a mean too
/// large; clamping it to its range never increases its error.
#[inline(always)]
pub(super) fn complement(means: &mut [LaneArray]) {
    // Over arrays of lanes, the compiler turns this loop into gathers.
    means
        .as_flattened_mut()
        .iter_mut()
        .for_each(|mean| *mean = if *mean < 1.0 { 1.0 - *mean } else { 0.0 });
}

/// The results of [`argmax`], by column.
pub(super) struct Decisions<'o> {
    pub best: &'o mut [LaneArray],
    /// The first row within [`EQUAL`] of the largest value.
    pub choices: &'o mut [u8],
    /// All rows within the tolerance of the largest value, as a bit set.
    pub sets: &'o mut [u32],
}

/// Means that differ by at most this may be equal. It is less than the growth of the error bound in
/// any turn, so the loss over all turns stays within the bound.
pub(super) const EQUAL: f64 = 2.0 * f64::EPSILON;

/// Finds for each column the largest of at most 32 rows (the bits of a set), and all within
/// `tolerance`, which is at least [`EQUAL`].
#[inline(always)]
pub(super) fn argmax(rows: &[&[LaneArray]], tolerance: f64, out: Decisions) {
    let choices = out.choices.as_chunks_mut::<LANES>().0;
    let sets = out.sets.as_chunks_mut::<LANES>().0;
    for (at, ((best, choices), sets)) in out.best.iter_mut().zip(choices).zip(sets).enumerate() {
        let mut largest = rows[0][at];
        for row in &rows[1..] {
            let row = &row[at];
            for lane in 0..LANES {
                largest[lane] = if row[lane] > largest[lane] { row[lane] } else { largest[lane] };
            }
        }
        *best = largest;
        *sets = within(rows, at, &largest, tolerance);
        for lane in 0..LANES {
            choices[lane] = sets[lane].trailing_zeros() as u8;
            if !sets[lane].is_power_of_two() {
                choices[lane] = first_of(rows, at, lane, largest[lane]);
            }
        }
    }
}

/// Returns, for each lane, the rows within `tolerance` of the largest value as a bit set.
#[inline(always)]
fn within(rows: &[&[LaneArray]], at: usize, largest: &LaneArray, tolerance: f64) -> [u32; LANES] {
    // Built as doubles, by vector instructions: added to 2^52, the sets are the lowest bits of the
    // mantissa.
    let mut within = [(1_u64 << 52) as f64; LANES];
    let mut bit = 1.0;
    let mut sets = [0; LANES];
    for row in rows {
        let row = &row[at];
        for lane in 0..LANES {
            within[lane] += if largest[lane] - row[lane] <= tolerance { bit } else { 0.0 };
        }
        bit *= 2.0;
    }
    for lane in 0..LANES {
        sets[lane] = within[lane].to_bits() as u32;
    }
    sets
}

/// Returns the first row within [`EQUAL`] of the largest value.
#[inline(never)]
fn first_of(rows: &[&[LaneArray]], at: usize, lane: usize, largest: f64) -> u8 {
    rows.iter().position(|row| largest - row[at][lane] <= EQUAL).expect("one row is the largest")
        as u8
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
            let (rows, mut out): (Vec<Vec<f64>>, _) =
                ((0..count).map(row).collect(), vec![f64::NAN; COLUMNS]);
            let weighted: Vec<WeightedRow> =
                rows.iter().map(|row| lanes(row)).zip((1..).map(f64::from)).collect();
            combine(lanes_mut(&mut out), &weighted);
            for (column, found) in out.iter().enumerate() {
                let expected: f64 =
                    rows.iter().zip(1..).map(|(row, weight)| row[column] * f64::from(weight)).sum();
                assert!((found - expected).abs() < 1e-12, "{count} rows, column {column}");
            }
        }
    }

    #[test]
    fn a_row_is_selected_in_the_columns_with_its_number() {
        let (row, mut out) = ([2.0; LANES], [1.0; LANES]);
        let numbers: Vec<u32> = (0..LANES as u32).map(|column| column % 3).collect();
        select(lanes_mut(&mut out), lanes(&row), &numbers, 2);
        assert_eq!(out[..6], [1.0, 1.0, 2.0, 1.0, 1.0, 2.0]);
    }

    #[test]
    fn means_are_scaled_sums_and_their_complements_are_never_negative() {
        let (mut row, mut out) = ([0.0; LANES], [f64::NAN; LANES]);
        row[..4].copy_from_slice(&[0.0, 1.0, 4.0, 4.0 + f64::EPSILON * 4.0]);
        means(lanes_mut(&mut out), &[(lanes(&row), 1.0)], 0.25);
        complement(lanes_mut(&mut out));
        assert_eq!(out[..5], [1.0, 0.75, 0.0, 0.0, 1.0]);
        means(lanes_mut(&mut out), &[(lanes(&row), 1.0), (lanes(&row), 2.0)], 0.5);
        assert_eq!(out[..3], [0.0, 1.5, 6.0]);
    }

    #[test]
    fn argmax_finds_the_largest_its_first_equal_and_all_within_tolerance() {
        let rows: Vec<Vec<f64>> = (0..11).map(row).collect();
        let of_lanes: Vec<&[LaneArray]> = rows.iter().map(|row| lanes(row)).collect();
        let (mut best, mut choices, mut sets) =
            (vec![9.0; COLUMNS], vec![99; COLUMNS], vec![99; COLUMNS]);
        argmax(
            &of_lanes,
            0.05,
            Decisions { best: lanes_mut(&mut best), choices: &mut choices, sets: &mut sets },
        );
        for column in 0..COLUMNS {
            let of = |action: usize| rows[action][column];
            let largest = (0..11).map(of).fold(0.0, f64::max);
            let set = (0..11)
                .filter(|action| largest - of(*action) <= 0.05)
                .fold(0, |set, action| set | 1 << action);
            assert_eq!((best[column], sets[column]), (largest, set), "column {column}");
            let choice = usize::from(choices[column]);
            assert!(
                largest - of(choice) <= EQUAL
                    && (0..choice).all(|action| largest - of(action) > EQUAL)
            );
        }
    }
}
