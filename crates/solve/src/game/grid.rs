//! A number for each pair of scores, stored once for all scores that behave alike.

use super::intern::Interner;

/// A number for each cell. Scores with equal rows of numbers share one row, and opponents' scores
/// with equal columns share one column. A game whose cells differ only by the opponent's score is
/// stored as a single row, and a game whose die depends on the sum of the scores modulo seven as
/// seven by seven numbers, whatever its goal.
#[derive(Clone, Debug)]
pub(super) struct ScoreGrid {
    /// The row of each score; rows are numbered in the order of their first occurrence.
    row_of: Vec<u16>,
    /// The column of each opponent's score, numbered likewise.
    column_of: Vec<u16>,
    /// The number of columns.
    columns: usize,
    /// By row and column. Numbers are assigned in the order of their first occurrence, row by row.
    numbers: Vec<u32>,
}

impl ScoreGrid {
    /// Creates a grid in which all cells have the number 0.
    pub fn of_one(goal: usize) -> Self {
        Self { row_of: vec![0; goal], column_of: vec![0; goal], columns: 1, numbers: vec![0] }
    }

    /// Creates a grid from rows of numbers: one row for each score, or a single row if scores do
    /// not matter; each row with one number for each opponent's score, or a single number.
    /// Cells with equal input numbers get equal numbers.
    pub fn new(goal: usize, rows: GridRows) -> Self {
        let GridRows { row_of, rows } = rows;
        let width = rows.first().map_or(1, Vec::len);
        let mut columns = Interner::new();
        let mut column_of: Vec<u16> = Vec::with_capacity(width);
        for place in 0..width {
            let column: Vec<u32> = rows.iter().map(|row| row[place]).collect();
            column_of.push(columns.number(column) as u16);
        }
        let first = first_places(&column_of);
        let numbers = rows.iter().flat_map(|row| first.iter().map(|place| row[*place])).collect();
        let mut grid = Self { row_of, column_of, columns: first.len(), numbers };
        for of in [&mut grid.row_of, &mut grid.column_of] {
            if of.len() < goal {
                *of = vec![0; goal];
            }
        }
        grid.renumber();
        grid
    }

    /// The grid that distinguishes two cells if either grid does.
    pub fn joined(&self, other: &Self) -> Self {
        let (row_of, rows) = joint_classes(&self.row_of, &other.row_of);
        let (column_of, columns) = joint_classes(&self.column_of, &other.column_of);
        let mut numbers = Interner::new();
        let mut joined = Vec::with_capacity(rows.len() * columns.len());
        for score in rows {
            for opponent in &columns {
                let both = (self.at(score, *opponent), other.at(score, *opponent));
                joined.push(numbers.number(both));
            }
        }
        Self { row_of, column_of, columns: columns.len(), numbers: joined }
    }

    /// The memory of the numbers, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.row_of[..])
            + size_of_val(&self.column_of[..])
            + size_of_val(&self.numbers[..])
    }

    /// The number of a pair of scores.
    #[inline(always)]
    pub fn at(&self, score: usize, opponent: usize) -> u32 {
        self.numbers
            [usize::from(self.row_of[score]) * self.columns + usize::from(self.column_of[opponent])]
    }

    /// The grid with each number replaced by the one listed for it.
    pub fn renamed(mut self, names: &[u32]) -> Self {
        self.numbers.iter_mut().for_each(|number| *number = names[*number as usize]);
        self
    }

    /// For each number, the first cell that has it, as a pair of scores.
    pub fn representatives(&self) -> Vec<(usize, usize)> {
        let rows = first_places(&self.row_of);
        let columns = first_places(&self.column_of);
        let mut representatives = Vec::new();
        for (place, number) in self.numbers.iter().enumerate() {
            if *number as usize == representatives.len() {
                representatives.push((rows[place / self.columns], columns[place % self.columns]));
            }
        }
        representatives
    }

    /// The numbers by opponent's score, if the mover's score does not matter.
    pub fn by_opponent(&self) -> Option<Vec<u16>> {
        let numbers = self.column_of.iter().map(|column| self.numbers[usize::from(*column)] as u16);
        (self.numbers.len() == self.columns).then(|| numbers.collect())
    }

    /// Renumbers in the order of first occurrence.
    fn renumber(&mut self) {
        let mut interner = Interner::new();
        self.numbers.iter_mut().for_each(|number| *number = interner.number(*number));
    }
}

/// Rows of numbers, equal rows stored once.
pub(super) struct GridRows {
    /// The row of each score; rows are numbered in the order of their first occurrence.
    pub row_of: Vec<u16>,
    /// The distinct rows.
    pub rows: Vec<Vec<u32>>,
}

/// The first index of each class; classes are numbered in the order of their first occurrence.
fn first_places(class_of: &[u16]) -> Vec<usize> {
    let mut firsts = Vec::new();
    for (place, class) in class_of.iter().enumerate() {
        if usize::from(*class) == firsts.len() {
            firsts.push(place);
        }
    }
    firsts
}

/// Joins two classifications: the class of each pair of classes, and the first index of each class.
fn joint_classes(one: &[u16], other: &[u16]) -> (Vec<u16>, Vec<usize>) {
    let mut interner = Interner::new();
    let class_of: Vec<u16> =
        one.iter().zip(other).map(|pair| interner.number(pair) as u16).collect();
    let firsts = first_places(&class_of);
    (class_of, firsts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(goal: usize, number: impl Fn(usize, usize) -> u32) -> ScoreGrid {
        let mut rows = Interner::new();
        let row_of = (0..goal)
            .map(|s| rows.number((0..goal).map(|o| number(s, o)).collect()) as u16)
            .collect();
        ScoreGrid::new(goal, GridRows { row_of, rows: rows.into_items() })
    }

    #[test]
    fn cells_are_numbered_by_first_occurrence_and_equal_rows_and_columns_are_stored_once() {
        let (sevens, digits) = (|s, o| ((s + o) % 7) as u32 + 5, |_, o| 9 - (o % 10) as u32);
        let joined = grid(60, sevens).joined(&grid(60, digits));
        assert_eq!((joined.numbers.len(), joined.columns), (7 * 60, 60));
        let mut known = Vec::new();
        for (s, o) in (0..3600).map(|cell| (cell / 60, cell % 60)) {
            let pair = (sevens(s, o), digits(s, o));
            let number = known.iter().position(|k| *k == pair).unwrap_or_else(|| {
                known.push(pair);
                assert_eq!(joined.representatives()[known.len() - 1], (s, o));
                known.len() - 1
            });
            assert_eq!(joined.at(s, o) as usize, number);
        }
        assert_eq!(joined.representatives().len(), known.len());
    }

    #[test]
    fn by_opponent_is_given_only_if_the_movers_score_does_not_matter() {
        assert_eq!(grid(4, |_, o| [8, 3, 8, 1][o]).by_opponent(), Some(vec![0, 1, 0, 2]));
        assert_eq!(grid(3, |s, _| s as u32).by_opponent(), None);
        assert_eq!(ScoreGrid::of_one(3).by_opponent(), Some(vec![0; 3]));
    }
}
