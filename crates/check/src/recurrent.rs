//! Games in which turns may lower the sum of scores: repeated sweeps, and a proof of the values
//! found.
//!
//! A sweep F takes the values of lower sums from the sweep before it, at first from the claim, and
//! is repeated until the values converge to some x. More sweeps then prove x: if they lead from `x
//! + d` to at most `x + d` and from `x - d` to at least `x - d`, all their roundings included, the
//! true values lie in between. The reason is that F is monotone and increases no difference, and
//! that each turn that lowers the sum loses a part of `d`. All these are values of the first player:
//! where the second moves, the mover's value is `x - d` when the first player's is `x + d`.

use std::iter::repeat_n;

use super::cell::{Stage, Workspace};
use super::numbers::Numbers;
use super::rounding::fraction_of;
use super::sweep::pass;
use super::verdict::Comparison;
use super::{CheckError, Steps};

/// The values have converged when a sweep changes none by more than this.
const CONVERGED_CHANGE: f64 = 64.0 * f64::EPSILON;
const MOST_SWEEPS: usize = 500;
/// The most sweeps from one edge of the interval. One may not be enough: some turns in a row may
/// all be certain to lower the sum.
const MOST_PROVING: usize = 30;
/// The widths `d` tried in the proof, in multiples of the last sweep's error bound and change. The
/// width needed is about one over the least chance never to lower the sum again.
const WIDTHS: [f64; 4] = [20.0, 200.0, 2000.0, 20_000.0];

/// Computes the values of all sums; returns a proven bound on their error.
pub(super) fn converge<A: Numbers>(
    workspace: &mut Workspace<'_, A>,
    comparison: &mut Comparison,
    steps: &Steps,
) -> Result<f64, CheckError> {
    let mut values = first_guess(workspace, comparison);
    for _ in 0..MOST_SWEEPS {
        let (next, error) = sweep(workspace, comparison, &values, steps)?;
        let change =
            next.iter().zip(&values).map(|(next, value)| (next - value).abs()).fold(0.0, f64::max);
        values = next;
        if change <= CONVERGED_CHANGE {
            let width = proven(workspace, comparison, &values, error + change, steps)?;
            fill(workspace, &values);
            return Ok(width);
        }
    }
    Err(CheckError::TooLarge(format!(
        "the values of this game did not converge in {MOST_SWEEPS} sweeps"
    )))
}

/// Returns the first width for which the values are proven; the widths are multiples of `error`.
fn proven<A: Numbers>(
    workspace: &mut Workspace<'_, A>,
    comparison: &mut Comparison,
    values: &[f64],
    error: f64,
    steps: &Steps,
) -> Result<f64, CheckError> {
    for width in WIDTHS.map(|width| width * error) {
        if leads_inside(workspace, comparison, values, width, steps)?
            && leads_inside(workspace, comparison, values, -width, steps)?
        {
            return Ok(width);
        }
    }
    Err(CheckError::TooLarge(
        "turns of this game lower the sum of scores too often: its values cannot be proven"
            .to_owned(),
    ))
}

/// Returns whether sweeps from an edge of the interval, the first player's values plus `width`
/// (negative for the lower edge), lead back inside it, all their errors included.
fn leads_inside<A: Numbers>(
    workspace: &mut Workspace<'_, A>,
    comparison: &mut Comparison,
    values: &[f64],
    width: f64,
    steps: &Steps,
) -> Result<bool, CheckError> {
    // The values of the side that moves second fall when those of the other rise.
    let of_side = values.len() / workspace.sides.len();
    let widths: Vec<f64> =
        [width, -width].into_iter().flat_map(|width| repeat_n(width, of_side)).collect();
    let edge: Vec<f64> =
        values.iter().zip(&widths).map(|(value, width)| (value + width).clamp(0.0, 1.0)).collect();
    let (mut found, mut error) = (edge.clone(), 0.0);
    for _ in 0..MOST_PROVING {
        let (next, of_sweep) = sweep(workspace, comparison, &found, steps)?;
        error += of_sweep;
        let inside = |next: f64, edge: f64, width: f64| match width > 0.0 {
            true => edge == 1.0 || next + error <= edge,
            false => edge == 0.0 || next - error >= edge,
        };
        let mut ends = next.iter().zip(&edge).zip(&widths);
        if ends.all(|((next, edge), width)| inside(*next, *edge, *width)) {
            return Ok(true);
        }
        if next == found {
            return Ok(false);
        }
        found = next;
    }
    Ok(false)
}

/// Makes one sweep from given values of lower sums; returns the new values, and the error of the
/// sweep.
fn sweep<A: Numbers>(
    workspace: &mut Workspace<'_, A>,
    comparison: &mut Comparison,
    values: &[f64],
    steps: &Steps,
) -> Result<(Vec<f64>, f64), CheckError> {
    fill(workspace, values);
    let done = pass(workspace, comparison, false, steps)?;
    let found = workspace.sides.iter().flat_map(|side| &side.stages).flat_map(|stage| &stage.near);
    Ok((found.copied().collect(), done.error))
}

/// Returns the claim's win rates, and one half where it has none.
fn first_guess<A: Numbers>(workspace: &Workspace<'_, A>, comparison: &Comparison) -> Vec<f64> {
    let space = workspace.reading.space;
    let states = || {
        (0..space.stages()).flat_map(|sum| space.stage(sum)).flat_map(|cell| {
            (0..space.per_cell()).map(move |place| cell * space.per_cell() + place)
        })
    };
    let knows = |side: usize| side == 0 || workspace.sides[side].plan.is_none();
    let of_side = |side: usize| {
        states().map(
            move |state| {
                if knows(side) { comparison.win_rate(state).unwrap_or(0.5) } else { 0.5 }
            },
        )
    };
    (0..workspace.sides.len()).flat_map(of_side).collect()
}

/// Sets the values of all sums of all sides.
fn fill<A: Numbers>(workspace: &mut Workspace<'_, A>, values: &[f64]) {
    let (space, numbers, mut values) =
        (workspace.reading.space, workspace.numbers, values.iter().copied());
    for side in &mut workspace.sides {
        for sum in 0..space.stages() {
            let near: Vec<f64> =
                values.by_ref().take(space.stage(sum).len() * space.per_cell()).collect();
            let height = space.stages() - sum;
            let number = |near: &f64| {
                numbers.number(height, &fraction_of(*near)).unwrap_or_else(|| numbers.half(height))
            };
            side.stages[sum] =
                Stage { values: near.iter().map(number).collect(), near, ..Stage::default() };
        }
    }
}
