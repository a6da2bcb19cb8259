//! Lotteries over many hidden states at once: lanes side by side, as many as vectors like; and small sets of distributions.

use super::flow::Board;

/// The lanes to keep for so many, 64 at most: a number that vectors like, and that [`gather`] and [`scatter`] have a case for.
pub(super) fn padded(needed: usize) -> usize {
    [1, 2, 4, 8, 12, 16, 32].into_iter().find(|lanes| *lanes >= needed).unwrap_or(64)
}

/// The mean, in each lane, of what a board holds where a lottery leads.
#[inline(always)]
pub(super) fn gather(from: &Board, cell: usize, lottery: usize, board: &[f64], means: &mut [f64]) {
    match means.len() {
        1 => gather_lanes::<1>(from, cell, lottery, board, means),
        2 => gather_two(from, cell, lottery, board, means),
        4 => gather_lanes::<4>(from, cell, lottery, board, means),
        8 => gather_lanes::<8>(from, cell, lottery, board, means),
        12 => gather_lanes::<12>(from, cell, lottery, board, means),
        16 => gather_lanes::<16>(from, cell, lottery, board, means),
        32 => gather_lanes::<32>(from, cell, lottery, board, means),
        _ => gather_lanes::<64>(from, cell, lottery, board, means),
    }
}

/// Outcomes that are summed apart, so that one addition need not wait for the last.
const STRIPES: usize = 4;

#[inline(always)]
fn gather_lanes<const N: usize>(from: &Board, cell: usize, lottery: usize, board: &[f64], means: &mut [f64]) {
    let (goal, tables) = (from.game.space().goal, &from.tables);
    let origin = cell % goal * tables.width + cell / goal;
    let flat = &tables.distributions[from.panels[cell].0 as usize + lottery];
    let mut stripes = [[0.0; N]; STRIPES];
    for part in &tables.parts[flat.parts.clone()] {
        let rows = board[(origin + part.offset) * N..][..part.length * N].as_chunks::<N>().0;
        let (rows, last_rows) = rows.as_chunks::<STRIPES>();
        let (weights, last_weights) = tables.weights[part.weights..][..part.length].as_chunks::<STRIPES>();
        for (weights, rows) in weights.iter().zip(rows) {
            for stripe in 0..STRIPES {
                for lane in 0..N {
                    stripes[stripe][lane] += weights[stripe] * rows[stripe][lane];
                }
            }
        }
        for (weight, row) in last_weights.iter().zip(last_rows) {
            for lane in 0..N {
                stripes[0][lane] += weight * row[lane];
            }
        }
    }
    for mend in from.mends_of(cell, lottery) {
        for lane in 0..N {
            let (to, plain) = (board[mend.to as usize * N + lane], board[mend.plain as usize * N + lane]);
            stripes[1][lane] += mend.weight * (to - plain);
        }
    }
    for lane in 0..N {
        means[lane] = ((stripes[0][lane] + stripes[1][lane]) + (stripes[2][lane] + stripes[3][lane])) / flat.total;
    }
}

/// The same for two lanes: one sum over pairs of numbers.
#[inline(always)]
fn gather_two(from: &Board, cell: usize, lottery: usize, board: &[f64], means: &mut [f64]) {
    let (goal, tables) = (from.game.space().goal, &from.tables);
    let origin = cell % goal * tables.width + cell / goal;
    let flat = &tables.distributions[from.panels[cell].0 as usize + lottery];
    let mut sums = [0.0; 8];
    for part in &tables.parts[flat.parts.clone()] {
        let (values, last_values) = board[(origin + part.offset) * 2..][..part.length * 2].as_chunks::<8>();
        let (weights, last_weights) = from.doubled[part.weights * 2..][..part.length * 2].as_chunks::<8>();
        for (weights, values) in weights.iter().zip(values) {
            for lane in 0..8 {
                sums[lane] += weights[lane] * values[lane];
            }
        }
        for ((sum, weight), value) in sums.iter_mut().zip(last_weights).zip(last_values) {
            *sum += weight * value;
        }
    }
    for mend in from.mends_of(cell, lottery) {
        let (to, plain) = (mend.to as usize * 2, mend.plain as usize * 2);
        sums[0] += mend.weight * (board[to] - board[plain]);
        sums[1] += mend.weight * (board[to + 1] - board[plain + 1]);
    }
    means[0] = ((sums[0] + sums[2]) + (sums[4] + sums[6])) / flat.total;
    means[1] = ((sums[1] + sums[3]) + (sums[5] + sums[7])) / flat.total;
}

/// Adds the shares in each lane to the places of a board that a lottery leads to.
#[inline(always)]
pub(super) fn scatter(from: &Board, cell: usize, lottery: usize, met: &[f64], board: &mut [f64]) {
    match met.len() {
        1 => scatter_lanes::<1>(from, cell, lottery, met, board),
        2 => scatter_lanes::<2>(from, cell, lottery, met, board),
        4 => scatter_lanes::<4>(from, cell, lottery, met, board),
        8 => scatter_lanes::<8>(from, cell, lottery, met, board),
        12 => scatter_lanes::<12>(from, cell, lottery, met, board),
        16 => scatter_lanes::<16>(from, cell, lottery, met, board),
        32 => scatter_lanes::<32>(from, cell, lottery, met, board),
        _ => scatter_lanes::<64>(from, cell, lottery, met, board),
    }
}

#[inline(always)]
fn scatter_lanes<const N: usize>(from: &Board, cell: usize, lottery: usize, met: &[f64], board: &mut [f64]) {
    let (goal, tables) = (from.game.space().goal, &from.tables);
    let origin = cell % goal * tables.width + cell / goal;
    let flat = &tables.distributions[from.panels[cell].0 as usize + lottery];
    let mut share = [0.0; N];
    for (share, met) in share.iter_mut().zip(met) {
        *share = met / flat.total;
    }
    for part in &tables.parts[flat.parts.clone()] {
        let rows = board[(origin + part.offset) * N..][..part.length * N].as_chunks_mut::<N>().0;
        for (weight, row) in tables.weights[part.weights..][..part.length].iter().zip(rows) {
            for lane in 0..N {
                row[lane] += weight * share[lane];
            }
        }
    }
    for mend in from.mends_of(cell, lottery) {
        for (lane, share) in share.iter().enumerate() {
            board[mend.to as usize * N + lane] += mend.weight * share;
            board[mend.plain as usize * N + lane] -= mend.weight * share;
        }
    }
}

/// A member of a set of 64 bits, the last of which stands for all from there on.
#[inline(always)]
pub(super) fn bit(member: usize) -> u64 {
    1 << member.min(63)
}

/// The members below `count` of such a set.
#[inline(always)]
pub(super) fn members(set: u64, count: usize) -> impl Iterator<Item = usize> {
    let (mut left, mut beyond) = (set & (u64::MAX >> 1), if set >> 63 == 1 { 63..count } else { 0..0 });
    std::iter::from_fn(move || {
        if left == 0 {
            return beyond.next();
        }
        let member = left.trailing_zeros() as usize;
        left &= left - 1;
        Some(member)
    })
}
