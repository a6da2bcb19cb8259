//! Games in which turns may lower the sum of scores: repeated sweeps, and a proof of the values
//! found.
//!
//! A sweep F takes the values of lower sums from the sweep before it, at first from the claim, and
//! is repeated until the values converge to some x. More sweeps, in [`Bounds`], then prove x. Let U be
//! `x + d`, of the first player's values: it is an upper bound if sweeps lead from U to at most U,
//! and to less than U wherever U is below 1/2. For let the second player always play as these sweeps
//! do. Then what the first player may expect never rises above U, and each visit to a state where U is
//! below 1/2 lowers it by a certain least amount. So play that never ends visits such states only
//! finitely often, and 1/2, which it is worth, is no more than U. Lower bounds are the upper bounds of
//! the other player.

use rayon::prelude::*;

use super::bounds::Bounds;
use super::cell::{Stage, Workspace};
use super::numbers::{Doubles, Numbers};
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
/// States that lead to each other with certainty must have equal values, so the values of the proof
/// are rounded to multiples of this.
const COARSE: f64 = 1.0 / (1u64 << 44) as f64;
/// The widths `d` tried in the proof, in multiples of the last sweep's error bound and change. The
/// width needed is about one over the least chance never to lower the sum again.
const WIDTHS: [f64; 4] = [20.0, 200.0, 2000.0, 20_000.0];

/// Computes the values of all sums; returns a proven bound on their error.
pub(super) fn converge<A: Numbers>(
    workspace: &mut Workspace<'_, A>,
    comparison: &mut Comparison,
    steps: &Steps,
) -> Result<f64, CheckError> {
    // Loops may keep up what a false claim says, but endless play is worth 1/2.
    let claimed = first_guess(workspace, comparison)?;
    let even = vec![0.5; claimed.len()];
    for start in [claimed, even] {
        let Some((values, error)) = fixed_point(workspace, comparison, start, steps)? else {
            continue;
        };
        if let Some(width) = proven(workspace, comparison, &values, error, steps)? {
            fill(workspace, &values);
            return Ok(width);
        }
    }
    Err(CheckError::TooLarge(
        "turns of this game lower the sum of scores too often: its values cannot be proven"
            .to_owned(),
    ))
}

/// Sweeps from given values until they converge; returns them with the error and the change of the
/// last sweep, or `None` if they do not converge.
fn fixed_point<A: Numbers>(
    workspace: &mut Workspace<'_, A>,
    comparison: &mut Comparison,
    mut values: Vec<f64>,
    steps: &Steps,
) -> Result<Option<(Vec<f64>, f64)>, CheckError> {
    for _ in 0..MOST_SWEEPS {
        let (next, error) = sweep(workspace, comparison, &values, steps)?;
        let change =
            next.iter().zip(&values).map(|(next, value)| (next - value).abs()).fold(0.0, f64::max);
        values = next;
        if change <= CONVERGED_CHANGE {
            return Ok(Some((values, error + change)));
        }
    }
    Ok(None)
}

/// Returns the first width for which the values are proven, or `None`; the widths are multiples of
/// `error`.
fn proven<A: Numbers>(
    workspace: &Workspace<'_, A>,
    comparison: &mut Comparison,
    values: &[f64],
    error: f64,
    steps: &Steps,
) -> Result<Option<f64>, CheckError> {
    let against = workspace.sides.last().and_then(|side| side.plan);
    // Where both play optimally, each player's bounds are those of the other.
    let (values, uppers): (Vec<f64>, &[usize]) = match against {
        Some(_) => (values.to_vec(), &[0, 1]),
        None => (values.repeat(2), &[0]),
    };
    let of_side = values.len() / 2;
    'widths: for width in WIDTHS.map(|width| ((width * error) / COARSE).ceil() * COARSE) {
        for upper in uppers {
            let edge = values.iter().enumerate().map(|(at, value)| {
                let value = (value / COARSE).round() * COARSE;
                let width = if at / of_side == *upper { width } else { -width };
                (value + width).clamp(0.0, 1.0)
            });
            let numbers = Doubles { bounds: Some(Bounds { upper: *upper }) };
            let mut workspace = Workspace::new(workspace.reading, &numbers, against, true);
            let edge: Vec<f64> = edge.collect();
            if !leads_inside(&mut workspace, comparison, &edge, *upper, steps)? {
                continue 'widths;
            }
        }
        return Ok(Some(width + COARSE));
    }
    Ok(None)
}

/// Returns whether sweeps from bounds on all values, upper ones of the side `upper`, lead to bounds
/// that prove them.
fn leads_inside(
    workspace: &mut Workspace<'_, Doubles>,
    comparison: &mut Comparison,
    edge: &[f64],
    upper: usize,
    steps: &Steps,
) -> Result<bool, CheckError> {
    let of_side = edge.len() / 2;
    let mut found = edge.to_vec();
    for _ in 0..MOST_PROVING {
        let (next, _) = sweep(workspace, comparison, &found, steps)?;
        let is_inside = |at: usize| {
            // Of lower bounds, the other player's are upper ones; these numbers are exact.
            let of_upper = |bound: f64| if at / of_side == upper { bound } else { 1.0 - bound };
            let (next, edge) = (of_upper(next[at]), of_upper(edge[at]));
            edge == 1.0 || next < edge || next == edge && edge >= 0.5
        };
        if (0..edge.len()).all(is_inside) {
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

/// Returns the claim's win rates, or one half if it has none; of a player with a plan, what follows
/// from them.
fn first_guess<A: Numbers>(
    workspace: &mut Workspace<'_, A>,
    comparison: &Comparison,
) -> Result<Vec<f64>, CheckError> {
    let space = workspace.reading.space;
    let cells: Vec<usize> = (0..space.stages()).flat_map(|sum| space.stage(sum)).collect();
    let states = cells
        .iter()
        .flat_map(|cell| (0..space.per_cell()).map(move |place| cell * space.per_cell() + place));
    let mut values: Vec<f64> =
        states.map(|state| comparison.win_rate(state).unwrap_or(0.5)).collect();
    if workspace.sides.len() == 1 {
        return Ok(values);
    }
    let of_side = values.len();
    values.resize(2 * of_side, 0.5);
    for _ in 0..MOST_SWEEPS {
        fill(workspace, &values);
        let turns = |number: &usize| {
            let cell = workspace.cell(*number)?;
            let turn = |place: usize| {
                let distributions = workspace.distributions(1, &cell, place);
                let theirs = workspace.theirs(place);
                let turns = distributions.iter().map(|(_, at)| &cell.transitions[*at]);
                turns.map(|turn| workspace.near(1, turn, theirs)).fold(0.0, f64::max)
            };
            Ok((0..space.per_cell()).map(turn).collect())
        };
        let next: Vec<Vec<f64>> = cells.par_iter().map(turns).collect::<Result<_, CheckError>>()?;
        let mut change: f64 = 0.0;
        for (value, next) in values[of_side..].iter_mut().zip(next.into_iter().flatten()) {
            change = change.max((next - *value).abs());
            *value = next;
        }
        if change <= CONVERGED_CHANGE {
            break;
        }
    }
    Ok(values)
}

/// Sets the values of all sums of all sides.
fn fill<A: Numbers>(workspace: &mut Workspace<'_, A>, values: &[f64]) {
    let (space, numbers, mut values) =
        (workspace.reading.space, workspace.numbers, values.iter().copied());
    for (side, of_side) in workspace.sides.iter_mut().enumerate() {
        for sum in 0..space.stages() {
            let near: Vec<f64> =
                values.by_ref().take(space.stage(sum).len() * space.per_cell()).collect();
            let height = space.stages() - sum;
            let number = |near: &f64| {
                numbers
                    .number(height, side, &fraction_of(*near))
                    .unwrap_or_else(|| numbers.half(height))
            };
            of_side.stages[sum] =
                Stage { values: near.iter().map(number).collect(), near, ..Stage::default() };
        }
    }
}
