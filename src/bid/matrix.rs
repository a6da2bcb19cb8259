//! The equilibrium of a symmetric matrix game: its support from a linear program in floats, all else in fractions.

use dashu::base::Sign;
use dashu::rational::RBig;
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

use crate::solve::nearest_double;

/// The rows played and their exact shares, of a skew-symmetric matrix: no column loses less than nothing to them.
///
/// A row that no column beats is played alone, the first of them. Otherwise the support is read off the solution of a
/// linear program in doubles; its shares are then the kernel of the matrix on the support (Kaplansky, 1945), solved in
/// fractions, and every column is held against them in fractions. So the result is proven however it was guessed.
///
/// # Errors
/// In words, if the candidate fails the proof.
pub(super) fn equilibrium(matrix: &[Vec<RBig>]) -> Result<Vec<(usize, RBig)>, String> {
    let is_safe = |row: &&Vec<RBig>| row.iter().all(|entry| entry.sign() == Sign::Positive);
    if let Some(sure) = matrix.iter().position(|row| is_safe(&row)) {
        return Ok(vec![(sure, RBig::ONE)]);
    }
    let support = likely_support(matrix)?;
    let shares = kernel(matrix, &support).ok_or("the bids of its support have no unique shares")?;
    if let Some((bid, _)) = support.iter().zip(&shares).find(|(_, share)| share.sign() == Sign::Negative) {
        return Err(format!("the share of bid {bid} would be negative"));
    }
    let loses = |column: usize| {
        let gain =
            support.iter().zip(&shares).fold(RBig::ZERO, |sum, (row, share)| sum + &matrix[*row][column] * share);
        gain.sign() == Sign::Negative
    };
    if let Some(better) = (0..matrix.len()).find(|column| loses(*column)) {
        return Err(format!("bid {better} wins against it"));
    }
    Ok(support.into_iter().zip(shares).collect())
}

/// Shares below this are none: the linear program works to about 1e-9.
const LEAST_SHARE: f64 = 1e-7;

/// The rows that an optimal strategy in doubles plays.
fn likely_support(matrix: &[Vec<RBig>]) -> Result<Vec<usize>, String> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let gain = problem.add_var(1.0, (-1.0, 1.0));
    let shares: Vec<Variable> = matrix.iter().map(|_| problem.add_var(0.0, (0.0, 1.0))).collect();
    let all: Vec<(Variable, f64)> = shares.iter().map(|share| (*share, 1.0)).collect();
    problem.add_constraint(&all[..], ComparisonOp::Eq, 1.0);
    for column in 0..matrix.len() {
        let mut terms: Vec<(Variable, f64)> = vec![(gain, -1.0)];
        terms.extend(shares.iter().zip(matrix).map(|(share, row)| (*share, nearest_double(&row[column]))));
        problem.add_constraint(&terms[..], ComparisonOp::Ge, 0.0);
    }
    let failed = |error: String| format!("the linear program failed ({error})");
    let outcome = problem.solve().map_err(|error| failed(error.to_string()))?;
    let solution = outcome.into_solution().map_err(|_| failed("interrupted".into()))?;
    Ok((0..matrix.len()).filter(|row| solution.var_value(shares[*row]) > LEAST_SHARE).collect())
}

/// The numbers with sum 1 that the matrix, kept to the support, sends to 0; `None` unless there is exactly one such
/// list. By elimination in fractions.
fn kernel(matrix: &[Vec<RBig>], support: &[usize]) -> Option<Vec<RBig>> {
    let count = support.len();
    // One equation a column, and the sum; the last entry is the right side.
    let mut rows: Vec<Vec<RBig>> = support
        .iter()
        .map(|column| support.iter().map(|row| matrix[*row][*column].clone()).chain([RBig::ZERO]).collect())
        .collect();
    rows.push(vec![RBig::ONE; count + 1]);
    for unknown in 0..count {
        let pivot = (unknown..rows.len()).find(|row| !rows[*row][unknown].is_zero())?;
        rows.swap(unknown, pivot);
        let head = rows[unknown][unknown].clone();
        rows[unknown].iter_mut().for_each(|entry| *entry = &*entry / &head);
        let leading = rows[unknown].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(place, _)| *place != unknown) {
            let factor = row[unknown].clone();
            if !factor.is_zero() {
                row.iter_mut().zip(&leading).for_each(|(entry, lead)| *entry = &*entry - &factor * lead);
            }
        }
    }
    let solvable = rows[count].iter().all(RBig::is_zero);
    solvable.then(|| rows[..count].iter().map(|row| row[count].clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[i32]]) -> Vec<Vec<RBig>> {
        let entry = |n: &i32| RBig::from_parts((*n).into(), 10u8.into());
        rows.iter().map(|row| row.iter().map(entry).collect()).collect()
    }

    fn shares(rows: &[&[i32]]) -> Vec<(usize, String)> {
        let found = equilibrium(&matrix(rows)).unwrap();
        found.into_iter().map(|(row, share)| (row, share.to_string())).collect()
    }

    #[test]
    fn rock_paper_scissors_with_unequal_stakes() {
        // The shares of a 3 x 3 skew-symmetric game are its stakes, each at the pair it is not part of.
        let found = shares(&[&[0, -1, 2], &[1, 0, -3], &[-2, 3, 0]]);
        assert_eq!(found, [(0, "1/2".into()), (1, "1/3".into()), (2, "1/6".into())]);
    }

    #[test]
    fn a_row_that_nothing_beats_is_played_alone() {
        assert_eq!(shares(&[&[0, -1, 0], &[1, 0, 2], &[0, -2, 0]]), [(1, "1".into())]);
        assert_eq!(shares(&[&[0]]), [(0, "1".into())]);
    }

    #[test]
    fn a_row_that_loses_to_all_is_left_out() {
        let found = shares(&[&[0, -1, 1, 2], &[1, 0, -1, 2], &[-1, 1, 0, 2], &[-2, -2, -2, 0]]);
        assert_eq!(found, [(0, "1/3".into()), (1, "1/3".into()), (2, "1/3".into())]);
    }
}
