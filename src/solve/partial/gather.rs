//! The mean of the values that a distribution leads to, in many lanes at once.

use super::super::transitions::{Segment, Transitions};

/// Writes to `means`, by lane, the means of `values` (by row and lane) over a distribution of a cell.
#[inline(always)]
pub(super) fn gather(
    flat: &Transitions,
    (cell, distribution): (usize, usize),
    values: &[f64],
    means: &mut [f64],
    room: &mut Vec<Segment>,
) {
    let (segments, total) = (flat.segments(cell, 0, distribution, room), flat.total(cell, 0, distribution));
    match means.len() {
        1 => means.copy_from_slice(&sums::<1>(flat, segments, values, (0, 1))),
        2 => means.copy_from_slice(&sums::<2>(flat, segments, values, (0, 2))),
        4 => means.copy_from_slice(&sums::<4>(flat, segments, values, (0, 4))),
        8 => means.copy_from_slice(&sums::<8>(flat, segments, values, (0, 8))),
        12 => means.copy_from_slice(&sums::<12>(flat, segments, values, (0, 12))),
        lanes => {
            for (block, means) in means.chunks_exact_mut(16).enumerate() {
                means.copy_from_slice(&sums::<16>(flat, segments, values, (16 * block, lanes)));
            }
        }
    }
    for mean in means {
        *mean /= total;
    }
}

/// Outcomes that are summed apart, so that one addition need not wait for the last.
const STRIPES: usize = 4;

/// The weighted sums of `N` lanes; `block` is the first of them and the lanes of a row.
#[inline(always)]
fn sums<const N: usize>(flat: &Transitions, segments: &[Segment], values: &[f64], block: (usize, usize)) -> [f64; N] {
    // Known to the compiler but for the many lanes that are taken in blocks.
    let (first_lane, stride) = if N < 16 { (0, N) } else { block };
    let mut stripes = [[0.0; N]; STRIPES];
    for segment in segments {
        let (first, length, weights) = (segment.row as usize, usize::from(segment.length), segment.weights as usize);
        if first >= flat.rows() {
            let (weight, end) = (flat.before[weights + length] - flat.before[weights], values[first * stride]);
            stripes[1].iter_mut().for_each(|sum| *sum += weight * end);
            continue;
        }
        let (weights, last_weights) = flat.weights[weights..][..length].as_chunks::<STRIPES>();
        let rows = &values[first * stride..][..length * stride];
        let (rows, last_rows) = rows.split_at(weights.len() * STRIPES * stride);
        for (weights, rows) in weights.iter().zip(rows.chunks_exact(STRIPES * stride)) {
            for stripe in 0..STRIPES {
                let row = &rows[stripe * stride + first_lane..][..N];
                for lane in 0..N {
                    stripes[stripe][lane] += weights[stripe] * row[lane];
                }
            }
        }
        for (weight, row) in last_weights.iter().zip(last_rows.chunks_exact(stride)) {
            for lane in 0..N {
                stripes[0][lane] += weight * row[first_lane + lane];
            }
        }
    }
    std::array::from_fn(|lane| (stripes[0][lane] + stripes[1][lane]) + (stripes[2][lane] + stripes[3][lane]))
}
