//! The equilibrium of a symmetric matrix game, in fractions.

use dashu_base::{Gcd, Sign};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::solve::{SolveError, Watch};

/// Returns the rows played in an equilibrium of a skew-symmetric matrix with entries above -1, with
/// their exact probabilities. The expected payoff of these rows is non-negative against every
/// column.
///
/// If there is a row without negative entries, the first such row is played alone. Otherwise the
/// equilibrium is the solution of a linear program. Its exact numbers would have thousands of
/// digits, so it is first solved with the entries truncated to a few bits, and only the support is
/// kept. The probabilities are the null vector of the exact matrix restricted to the support
/// (Kaplansky, 1945), and are verified against every column. If truncation led to a wrong support,
/// more bits are kept, and finally all.
///
/// # Errors
/// Returns an error if `watch` cancels the work.
pub(super) fn equilibrium(
    matrix: &[Vec<RBig>],
    watch: &Watch,
) -> Result<Vec<(usize, RBig)>, SolveError> {
    if let Some(unbeaten) =
        matrix.iter().position(|row| row.iter().all(|entry| entry.sign() == Sign::Positive))
    {
        return Ok(vec![(unbeaten, RBig::ONE)]);
    }
    for bits in [32, 64, 128, 256] {
        let scale = UBig::ONE << bits;
        let rows: Vec<usize> =
            simplex(matrix, &scale, watch)?.into_iter().map(|(row, _)| row).collect();
        let shares =
            null_vector(matrix, &rows).filter(|shares| nothing_beats(matrix, &rows, shares));
        if let Some(shares) = shares {
            return Ok(rows.into_iter().zip(shares).collect());
        }
    }
    let all = matrix.iter().flatten();
    let scale = all.fold(UBig::ONE, |scale, entry| {
        let common = scale.clone().gcd(entry.denominator());
        scale / common * entry.denominator()
    });
    simplex(matrix, &scale, watch)
}

/// Returns whether all shares and the expected payoffs against all columns are non-negative.
fn nothing_beats(matrix: &[Vec<RBig>], rows: &[usize], shares: &[RBig]) -> bool {
    if shares.iter().any(|share| share.sign() == Sign::Negative) {
        return false;
    }
    (0..matrix.len()).all(|column| {
        let gains = rows.iter().zip(shares).map(|(row, share)| &matrix[*row][column] * share);
        gains.fold(RBig::ZERO, |sum, gain| sum + gain).sign() == Sign::Positive
    })
}

/// Returns an equilibrium of a skew-symmetric matrix A whose entries are truncated to multiples of
/// 1 / `scale`: the shares y / sum y, where y maximises sum y subject to (A + 1) y <= 1 and y >= 0.
/// It is an equilibrium strategy for the rows as well, since A is skew-symmetric.
///
/// It uses the simplex method on a condensed tableau of integers with one common denominator, the
/// last pivot. All divisions are exact (J. Edmonds, "Systems of distinct representatives and linear
/// algebra", 1967).
fn simplex(
    matrix: &[Vec<RBig>],
    scale: &UBig,
    watch: &Watch,
) -> Result<Vec<(usize, RBig)>, SolveError> {
    let count = matrix.len();
    let mut tableau: Vec<Vec<IBig>> = Vec::with_capacity(count + 1);
    for row in matrix {
        let cut = row.iter().map(|entry| entry.numerator() * scale / entry.denominator());
        tableau.push(cut.map(|entry| entry + scale).chain([IBig::ONE]).collect());
    }
    tableau.push((0..count).map(|_| IBig::ONE).chain([IBig::ZERO]).collect());
    // Numbers from `count` up are the slack variables of the constraints.
    let mut free: Vec<usize> = (0..count).collect();
    let mut basic: Vec<usize> = (count..2 * count).collect();
    let mut denominator = IBig::ONE;
    for pivots in 0.. {
        watch.report(0, 1)?;
        let gains = (0..count).filter(|column| tableau[count][*column] > IBig::ZERO);
        // The largest gain usually takes few pivots; the lowest number (Bland, 1977) is certain to
        // terminate.
        let entering = if pivots < 8 * count {
            gains.max_by_key(|column| &tableau[count][*column])
        } else {
            gains.min_by_key(|column| free[*column])
        };
        let Some(column) = entering else { break };
        let rows = (0..count).filter(|row| tableau[*row][column] > IBig::ZERO);
        let leaving = rows.min_by(|a, b| {
            let limit = &tableau[*a][count] * &tableau[*b][column];
            let other = &tableau[*b][count] * &tableau[*a][column];
            limit.cmp(&other).then(basic[*a].cmp(&basic[*b]))
        });
        let row = leaving.expect("entries above -1 bound the shares");
        pivot(&mut tableau, row, column, &mut denominator);
        std::mem::swap(&mut free[column], &mut basic[row]);
    }
    let total = (0..count)
        .filter(|row| basic[*row] < count)
        .fold(IBig::ZERO, |sum, row| sum + &tableau[row][count]);
    let total = UBig::try_from(total).expect("some y is positive");
    let mut shares: Vec<(usize, RBig)> = Vec::new();
    for row in (0..count).filter(|row| basic[*row] < count) {
        let share = &tableau[row][count];
        if *share > IBig::ZERO {
            shares.push((basic[row], RBig::from_parts(share.clone(), total.clone())));
        }
    }
    shares.sort_by_key(|(row, _)| *row);
    Ok(shares)
}

/// Exchanges the variable of a row with that of a column.
fn pivot(tableau: &mut [Vec<IBig>], row: usize, column: usize, denominator: &mut IBig) {
    let leading = tableau[row].clone();
    for (_, line) in tableau.iter_mut().enumerate().filter(|(place, _)| *place != row) {
        let factor = std::mem::replace(&mut line[column], IBig::ZERO);
        for (entry, lead) in line.iter_mut().zip(&leading) {
            *entry = (&*entry * &leading[column] - &factor * lead) / &*denominator;
        }
        line[column] = -factor;
    }
    tableau[row][column] = std::mem::replace(denominator, leading[column].clone());
}

/// Returns the vector of sum 1 that the matrix, restricted to the support, maps to 0, by
/// elimination in fractions; `None` unless it exists and is unique.
fn null_vector(matrix: &[Vec<RBig>], support: &[usize]) -> Option<Vec<RBig>> {
    let count = support.len();
    // One equation for each column, and one for the sum; the last entry is the right-hand side.
    let mut rows: Vec<Vec<RBig>> = support
        .iter()
        .map(|column| {
            support.iter().map(|row| matrix[*row][*column].clone()).chain([RBig::ZERO]).collect()
        })
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
                row.iter_mut()
                    .zip(&leading)
                    .for_each(|(entry, lead)| *entry = &*entry - &factor * lead);
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
        let found = equilibrium(&matrix(rows), &Watch::silent()).unwrap();
        found.into_iter().map(|(row, share)| (row, share.to_string())).collect()
    }

    #[test]
    fn rock_paper_scissors_with_unequal_stakes() {
        // The share of each row of a 3 x 3 skew-symmetric game is proportional to the stake between
        // the other two rows.
        let found = shares(&[&[0, -1, 2], &[1, 0, -3], &[-2, 3, 0]]);
        assert_eq!(found, [(0, "1/2".into()), (1, "1/3".into()), (2, "1/6".into())]);
    }

    #[test]
    fn an_unbeaten_row_is_played_alone() {
        assert_eq!(shares(&[&[0, -1, 0], &[1, 0, 2], &[0, -2, 0]]), [(1, "1".into())]);
        assert_eq!(shares(&[&[0]]), [(0, "1".into())]);
    }

    #[test]
    fn a_row_that_loses_to_all_others_is_not_played() {
        let found = shares(&[&[0, -1, 1, 2], &[1, 0, -1, 2], &[-1, 1, 0, 2], &[-2, -2, -2, 0]]);
        assert_eq!(found, [(0, "1/3".into()), (1, "1/3".into()), (2, "1/3".into())]);
    }

    /// Random games: neither the shares found with truncated entries nor those of the exact linear
    /// program can be beaten.
    #[test]
    fn truncated_and_exact_entries_lead_to_unbeatable_shares() {
        let mut state = 1u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i32 % 5 - 2
        };
        for count in [2, 3, 5, 8, 9, 12] {
            let mut rows = vec![vec![0; count]; count];
            for (row, column) in
                (0..count).flat_map(|row| (0..row).map(move |column| (row, column)))
            {
                rows[row][column] = random();
                rows[column][row] = -rows[row][column];
            }
            let matrix = matrix(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let watch = Watch::silent();
            for found in [equilibrium(&matrix, &watch), simplex(&matrix, &UBig::from(10u8), &watch)]
                .map(Result::unwrap)
            {
                let (rows, shares): (Vec<usize>, Vec<RBig>) = found.into_iter().unzip();
                assert!(nothing_beats(&matrix, &rows, &shares), "{count}");
                assert_eq!(shares.iter().fold(RBig::ZERO, |sum, share| sum + share), RBig::ONE);
            }
        }
    }

    #[test]
    fn a_row_that_is_worse_by_less_than_the_truncation_is_not_played() {
        let small = RBig::from_parts(1.into(), UBig::ONE << 100);
        for (worse, better) in [(0, 3), (3, 0)] {
            // A cycle of three rows, one of which has a copy that is slightly worse.
            let mut game =
                matrix(&[&[0, -1, 1, 0], &[1, 0, -1, 1], &[-1, 1, 0, -1], &[0, -1, 1, 0]]);
            for other in [1, 2, better] {
                game[worse][other] = &game[worse][other] - &small;
                game[other][worse] = &game[other][worse] + &small;
            }
            let found: Vec<usize> = equilibrium(&game, &Watch::silent())
                .unwrap()
                .into_iter()
                .map(|(row, _)| row)
                .collect();
            assert_eq!(found, (0..4).filter(|row| *row != worse).collect::<Vec<_>>());
        }
    }
}
