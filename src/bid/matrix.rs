//! The equilibrium of a symmetric matrix game, in fractions.

use dashu_base::{Gcd, Sign};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// The rows played and their exact shares, of a skew-symmetric matrix with entries above -1: no column loses less than
/// nothing to them.
///
/// A row that no column beats is played alone, the first of them. Otherwise a linear program has the answer. Its exact
/// numbers would have thousands of digits, so it is solved with the entries cut to a few bits first; of that only the
/// rows played are kept. Their shares are the kernel of the exact matrix on those rows (Kaplansky, 1945), and every
/// column is held against them. Should the cut have led to other rows, more bits are kept, and in the end all.
pub(super) fn equilibrium(matrix: &[Vec<RBig>]) -> Vec<(usize, RBig)> {
    if let Some(sure) = matrix.iter().position(|row| row.iter().all(|entry| entry.sign() == Sign::Positive)) {
        return vec![(sure, RBig::ONE)];
    }
    for bits in [32, 64, 128, 256] {
        let scale = UBig::ONE << bits;
        let rows: Vec<usize> = simplex(matrix, &scale).into_iter().map(|(row, _)| row).collect();
        let shares = kernel(matrix, &rows).filter(|shares| nothing_beats(matrix, &rows, shares));
        if let Some(shares) = shares {
            return rows.into_iter().zip(shares).collect();
        }
    }
    let all = matrix.iter().flatten();
    let scale = all.fold(UBig::ONE, |scale, entry| {
        let common = scale.clone().gcd(entry.denominator());
        scale / common * entry.denominator()
    });
    simplex(matrix, &scale)
}

/// Whether these are shares to which every column loses or which it equals.
fn nothing_beats(matrix: &[Vec<RBig>], rows: &[usize], shares: &[RBig]) -> bool {
    let gain = |column: usize| {
        rows.iter().zip(shares).fold(RBig::ZERO, |sum, (row, share)| sum + &matrix[*row][column] * share)
    };
    shares.iter().all(|share| share.sign() == Sign::Positive)
        && (0..matrix.len()).all(|column| gain(column).sign() == Sign::Positive)
}

/// The equilibrium of a skew-symmetric matrix whose entries are cut to multiples of 1 / `scale`: the shares y / sum y,
/// where y maximises sum y subject to (A + 1) y <= 1, y >= 0. It is one for the rows, since A is skew-symmetric.
///
/// The simplex method on a condensed tableau of integers with one common denominator, the last pivot: all divisions go
/// out evenly (J. Edmonds, "Systems of distinct representatives and linear algebra", 1967).
fn simplex(matrix: &[Vec<RBig>], scale: &UBig) -> Vec<(usize, RBig)> {
    let count = matrix.len();
    let cut = |entry: &RBig| entry.numerator() * scale / entry.denominator();
    let constraint = |row: &Vec<RBig>| row.iter().map(|entry| cut(entry) + scale).chain([IBig::ONE]).collect();
    let mut tableau: Vec<Vec<IBig>> = matrix.iter().map(constraint).collect();
    tableau.push((0..count).map(|_| IBig::ONE).chain([IBig::ZERO]).collect());
    // Numbers from `count` up are the slacks of the constraints.
    let (mut free, mut basic): (Vec<usize>, Vec<usize>) = ((0..count).collect(), (count..2 * count).collect());
    let mut denominator = IBig::ONE;
    for pivots in 0.. {
        let gains = (0..count).filter(|column| tableau[count][*column] > IBig::ZERO);
        // The largest gain leads there in few steps; the least number (Bland, 1977) leads there for certain.
        let entering = if pivots < 8 * count {
            gains.max_by_key(|column| &tableau[count][*column])
        } else {
            gains.min_by_key(|column| free[*column])
        };
        let Some(column) = entering else { break };
        let rows = (0..count).filter(|row| tableau[*row][column] > IBig::ZERO);
        let row = rows
            .min_by(|a, b| {
                let limits = (&tableau[*a][count] * &tableau[*b][column], &tableau[*b][count] * &tableau[*a][column]);
                limits.0.cmp(&limits.1).then(basic[*a].cmp(&basic[*b]))
            })
            .expect("entries above -1 bound the shares");
        pivot(&mut tableau, (row, column), &mut denominator);
        std::mem::swap(&mut free[column], &mut basic[row]);
    }
    let total = (0..count).filter(|row| basic[*row] < count).fold(IBig::ZERO, |sum, row| sum + &tableau[row][count]);
    let total = UBig::try_from(total).expect("some y is positive");
    let share = |row: usize| RBig::from_parts(tableau[row][count].clone(), total.clone());
    let played = (0..count).filter(|row| basic[*row] < count && tableau[*row][count] > IBig::ZERO);
    let mut shares: Vec<(usize, RBig)> = played.map(|row| (basic[row], share(row))).collect();
    shares.sort_by_key(|(row, _)| *row);
    shares
}

/// Exchanges the variable of a row for that of a column.
fn pivot(tableau: &mut [Vec<IBig>], (row, column): (usize, usize), denominator: &mut IBig) {
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
        let found = equilibrium(&matrix(rows));
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

    /// Random games: what is found with entries cut to 32 bits is what the exact linear program has, or as good.
    #[test]
    fn cut_and_exact_entries_lead_to_shares_that_nothing_beats() {
        let mut state = 1u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i32 % 5 - 2
        };
        for count in [2, 3, 5, 8, 9, 12] {
            let mut rows = vec![vec![0; count]; count];
            for (row, column) in (0..count).flat_map(|row| (0..row).map(move |column| (row, column))) {
                rows[row][column] = draw();
                rows[column][row] = -rows[row][column];
            }
            let matrix = matrix(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
            for found in [equilibrium(&matrix), simplex(&matrix, &UBig::from(10u8))] {
                let (rows, shares): (Vec<usize>, Vec<RBig>) = found.into_iter().unzip();
                assert!(nothing_beats(&matrix, &rows, &shares), "{count}");
                assert_eq!(shares.iter().fold(RBig::ZERO, |sum, share| sum + share), RBig::ONE);
            }
        }
    }

    #[test]
    fn a_bid_that_is_worse_by_less_than_is_kept_first_is_not_made() {
        let small = RBig::from_parts(1.into(), UBig::ONE << 100);
        for (worse, better) in [(0, 3), (3, 0)] {
            // A circle of three, one of which comes twice, once a little worse.
            let mut game = matrix(&[&[0, -1, 1, 0], &[1, 0, -1, 1], &[-1, 1, 0, -1], &[0, -1, 1, 0]]);
            for other in [1, 2, better] {
                game[worse][other] = &game[worse][other] - &small;
                game[other][worse] = &game[other][worse] + &small;
            }
            let found: Vec<usize> = equilibrium(&game).into_iter().map(|(row, _)| row).collect();
            assert_eq!(found, (0..4).filter(|row| *row != worse).collect::<Vec<_>>());
        }
    }
}
