//! Games in which turns may lower the sum of scores: swept again and again, and proven.
//!
//! A sweep F takes the values of lower sums from the sweep before, first of all from the claim; then it is repeated until nothing
//! changes. What is found, x, is proven by some sweeps more: if they lead from `x + d` to no more than `x + d` and from `x - d` to
//! no less than `x - d`, all roundings of theirs included, the true values lie between, for F is monotone and makes no
//! difference larger, and each time the sum is lowered something of `d` is lost.

use super::cell::{Board, Stage};
use super::numbers::Numbers;
use super::rounding::fraction_of;
use super::sweep::pass;
use super::verdict::Judge;
use super::{CheckError, Steps};

/// Sweeps that change no value by more have settled.
const SETTLED: f64 = 64.0 * f64::EPSILON;
const MOST_SWEEPS: usize = 500;
/// As many sweeps are made from an edge: the sum may surely be lowered some times in a row.
const MOST_PROVING: usize = 30;
/// The widths tried in the proof, in bounds of a sweep: the least chance never to lower the sum again is about one over it.
const WIDTHS: [f64; 4] = [20.0, 200.0, 2000.0, 20_000.0];

/// Settles the values of all sums; a bound on how far they may be off before the next sweep.
pub(super) fn settle<A: Numbers>(
    board: &mut Board<'_, A>,
    judge: &mut Judge,
    steps: &Steps,
) -> Result<f64, CheckError> {
    let mut values = first_guess(board, judge);
    for _ in 0..MOST_SWEEPS {
        let (next, error) = sweep(board, judge, &values, steps)?;
        let change = next.iter().zip(&values).map(|(next, value)| (next - value).abs()).fold(0.0, f64::max);
        values = next;
        if change <= SETTLED {
            let width = proven(board, judge, (&values, error + change), steps)?;
            fill(board, &values);
            return Ok(width);
        }
    }
    Err(CheckError::TooLarge(format!("the values of this game have not settled after {MOST_SWEEPS} sweeps")))
}

/// The width of a proof around values that a sweep changes by no more than its error.
fn proven<A: Numbers>(
    board: &mut Board<'_, A>,
    judge: &mut Judge,
    (values, error): (&[f64], f64),
    steps: &Steps,
) -> Result<f64, CheckError> {
    for width in WIDTHS.map(|width| width * error) {
        if leads_inside(board, judge, (values, width), steps)? && leads_inside(board, judge, (values, -width), steps)? {
            return Ok(width);
        }
    }
    Err(CheckError::TooLarge(
        "turns of this game lower the sum of scores too often: its values are not proven".to_owned(),
    ))
}

/// Whether sweeps from an edge, so far above the values or below them, come back inside it, all their errors included.
fn leads_inside<A: Numbers>(
    board: &mut Board<'_, A>,
    judge: &mut Judge,
    (values, width): (&[f64], f64),
    steps: &Steps,
) -> Result<bool, CheckError> {
    let edge: Vec<f64> = values.iter().map(|value| (value + width).clamp(0.0, 1.0)).collect();
    let (mut found, mut error) = (edge.clone(), 0.0);
    for _ in 0..MOST_PROVING {
        let (next, of_sweep) = sweep(board, judge, &found, steps)?;
        error += of_sweep;
        let inside = |next: f64, edge: f64| match width > 0.0 {
            true => edge == 1.0 || next + error <= edge,
            false => edge == 0.0 || next - error >= edge,
        };
        if next.iter().zip(&edge).all(|(next, edge)| inside(*next, *edge)) {
            return Ok(true);
        }
        if next == found {
            return Ok(false);
        }
        found = next;
    }
    Ok(false)
}

/// The values after a sweep from some values of lower sums, and its error.
fn sweep<A: Numbers>(
    board: &mut Board<'_, A>,
    judge: &mut Judge,
    values: &[f64],
    steps: &Steps,
) -> Result<(Vec<f64>, f64), CheckError> {
    fill(board, values);
    let done = pass(board, judge, false, steps)?;
    let found = board.sides.iter().flat_map(|side| &side.stages).flat_map(|stage| &stage.near);
    Ok((found.copied().collect(), done.error))
}

/// The claim's win rates, where it has any; else one half.
fn first_guess<A: Numbers>(board: &Board<'_, A>, judge: &Judge) -> Vec<f64> {
    let space = board.reading.space;
    let states = || {
        (0..space.stages())
            .flat_map(|sum| space.stage(sum))
            .flat_map(|cell| (0..space.per_cell()).map(move |place| cell * space.per_cell() + place))
    };
    let of_side =
        |side: usize| states().map(move |state| if side == 0 { judge.win_rate(state).unwrap_or(0.5) } else { 0.5 });
    (0..board.sides.len()).flat_map(of_side).collect()
}

/// Sets the values of all sums of all sides.
fn fill<A: Numbers>(board: &mut Board<'_, A>, values: &[f64]) {
    let (space, numbers, mut values) = (board.reading.space, board.numbers, values.iter().copied());
    for side in &mut board.sides {
        for sum in 0..space.stages() {
            let near: Vec<f64> = values.by_ref().take(space.stage(sum).len() * space.per_cell()).collect();
            let height = space.stages() - sum;
            let number =
                |near: &f64| numbers.number(height, &fraction_of(*near)).unwrap_or_else(|| numbers.half(height));
            side.stages[sum] = Stage { values: near.iter().map(number).collect(), near, ..Stage::default() };
        }
    }
}
