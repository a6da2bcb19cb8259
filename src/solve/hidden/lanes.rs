//! Lotteries over many hidden states at once: lanes side by side, as many as vectors like.

use super::flow::Board;

/// Lanes are padded to numbers that vectors like.
pub(super) fn padded(needed: usize) -> usize {
    [1, 2, 4, 8, 12, 16, 32].into_iter().find(|lanes| *lanes >= needed).unwrap_or(64)
}

/// The mean, in each lane, of what a board holds where a lottery leads.
pub(super) fn gather(from: &Board, cell: usize, lottery: usize, board: &[f64], means: &mut [f64]) {
    match means.len() {
        1 => gather_lanes::<1>(from, cell, lottery, board, means),
        2 => gather_lanes::<2>(from, cell, lottery, board, means),
        4 => gather_lanes::<4>(from, cell, lottery, board, means),
        8 => gather_lanes::<8>(from, cell, lottery, board, means),
        12 => gather_lanes::<12>(from, cell, lottery, board, means),
        16 => gather_lanes::<16>(from, cell, lottery, board, means),
        32 => gather_lanes::<32>(from, cell, lottery, board, means),
        _ => gather_lanes::<64>(from, cell, lottery, board, means),
    }
}

fn gather_lanes<const N: usize>(from: &Board, cell: usize, lottery: usize, board: &[f64], means: &mut [f64]) {
    let (goal, tables) = (from.game.space().goal, &from.tables);
    let origin = cell % goal * tables.width + cell / goal;
    let flat = &tables.lotteries[from.panels[cell].0 as usize + lottery];
    let mut sums = [0.0; N];
    for part in &tables.parts[flat.parts.clone()] {
        let rows = board[(origin + part.offset) * N..][..part.length * N].as_chunks::<N>().0;
        for (weight, row) in tables.weights[part.weights..][..part.length].iter().zip(rows) {
            for lane in 0..N {
                sums[lane] += weight * row[lane];
            }
        }
    }
    for mend in from.mends_of(cell, lottery) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum += mend.weight * (board[mend.to as usize * N + lane] - board[mend.plain as usize * N + lane]);
        }
    }
    means.iter_mut().zip(sums).for_each(|(mean, sum)| *mean = sum / flat.total);
}

/// Adds the shares in each lane to the places of a board that a lottery leads to.
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

fn scatter_lanes<const N: usize>(from: &Board, cell: usize, lottery: usize, met: &[f64], board: &mut [f64]) {
    let (goal, tables) = (from.game.space().goal, &from.tables);
    let origin = cell % goal * tables.width + cell / goal;
    let flat = &tables.lotteries[from.panels[cell].0 as usize + lottery];
    let mut share = [0.0; N];
    share.iter_mut().zip(met).for_each(|(share, met)| *share = met / flat.total);
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
