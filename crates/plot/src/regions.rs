//! Outlines of regions of cells of the same kind, and the largest squares inside them, for labels.

use std::collections::BTreeMap;

use super::scene::{Path, PathStep};

/// A square grid of kinds, which are numbers: column by column from the left, each from the bottom
/// up.
#[derive(Clone, Debug)]
pub(super) struct SquareGrid {
    pub side: usize,
    pub kinds: Vec<i32>,
}

/// A square of cells of one kind: its lower left cell and its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Square {
    pub column: usize,
    pub row: usize,
    pub side: usize,
}

impl Square {
    /// Returns its centre, in cells.
    pub fn centre(&self) -> (f64, f64) {
        let half = self.side as f64 / 2.0;
        (self.column as f64 + half, self.row as f64 + half)
    }
}

impl SquareGrid {
    /// Creates a grid from a function of column and row.
    pub fn new(side: usize, kind: impl Fn(usize, usize) -> i32) -> Self {
        let kind = &kind;
        Self {
            side,
            kinds: (0..side)
                .flat_map(|column| (0..side).map(move |row| kind(column, row)))
                .collect(),
        }
    }

    /// Returns the kind of a cell; `None` outside of the grid.
    fn at(&self, column: usize, row: usize) -> Option<i32> {
        (column < self.side && row < self.side).then(|| self.kinds[column * self.side + row])
    }

    /// Counts the cells of each kind.
    pub fn counts(&self) -> BTreeMap<i32, usize> {
        let mut counts = BTreeMap::new();
        for kind in &self.kinds {
            *counts.entry(*kind).or_default() += 1;
        }
        counts
    }

    /// Returns the outline of each kind's cells, in cells from the lower left corner. Holes have
    /// the opposite orientation.
    pub fn outlines(&self) -> BTreeMap<i32, Path> {
        let mut edges: BTreeMap<i32, Edges> = BTreeMap::new();
        let width = self.side + 1;
        for column in 0..self.side {
            for row in 0..self.side {
                let kind = self.kinds[column * self.side + row];
                // The corners, and the neighbours, counterclockwise from the lower left and below.
                let corner = column * width + row;
                let corners = [corner, corner + width, corner + width + 1, corner + 1];
                let neighbours = [
                    row.checked_sub(1).and_then(|below| self.at(column, below)),
                    self.at(column + 1, row),
                    self.at(column, row + 1),
                    column.checked_sub(1).and_then(|before| self.at(before, row)),
                ];
                for side in 0..4 {
                    if neighbours[side] != Some(kind) {
                        edges.entry(kind).or_default().add(corners[side], corners[(side + 1) % 4]);
                    }
                }
            }
        }
        edges.into_iter().map(|(kind, edges)| (kind, edges.chained(width))).collect()
    }

    /// Returns the largest square of each connected component if its side is at least `least`,
    /// largest first.
    pub fn squares(&self, least: usize) -> Vec<(i32, Square)> {
        let mut found: BTreeMap<usize, (i32, Square)> = BTreeMap::new();
        let components = self.components();
        let mut sides = vec![0_usize; self.side * self.side];
        for column in 0..self.side {
            for row in 0..self.side {
                let cell = column * self.side + row;
                let joined = column > 0 && row > 0 && {
                    let kind = self.kinds[cell];
                    [cell - 1, cell - self.side, cell - self.side - 1]
                        .iter()
                        .all(|near| self.kinds[*near] == kind)
                };
                sides[cell] = if joined {
                    1 + sides[cell - 1]
                        .min(sides[cell - self.side])
                        .min(sides[cell - self.side - 1])
                } else {
                    1
                };
                let side = sides[cell];
                let square = Square { column: column + 1 - side, row: row + 1 - side, side };
                let known = found.get(&components[cell]).map_or(0, |(_, known)| known.side);
                if side >= least && side > known {
                    found.insert(components[cell], (self.kinds[cell], square));
                }
            }
        }
        let mut squares: Vec<(i32, Square)> = found.into_values().collect();
        squares.sort_by_key(|(_, square)| std::cmp::Reverse(square.side));
        squares
    }

    /// Labels each cell with a number that is the same throughout its connected component (cells of
    /// one kind, connected by their sides).
    fn components(&self) -> Vec<usize> {
        let mut component = vec![usize::MAX; self.kinds.len()];
        let mut open = Vec::new();
        for first in 0..self.kinds.len() {
            if component[first] != usize::MAX {
                continue;
            }
            component[first] = first;
            open.push(first);
            while let Some(cell) = open.pop() {
                let row = cell % self.side;
                let near = [
                    (row > 0).then(|| cell - 1),
                    (row + 1 < self.side).then(|| cell + 1),
                    cell.checked_sub(self.side),
                    Some(cell + self.side).filter(|cell| *cell < self.kinds.len()),
                ];
                for near in near.into_iter().flatten() {
                    if component[near] == usize::MAX && self.kinds[near] == self.kinds[cell] {
                        component[near] = first;
                        open.push(near);
                    }
                }
            }
        }
        component
    }
}

/// Directed edges of cells, by the corner at which they begin. The inside is on their left.
#[derive(Default)]
struct Edges {
    from: BTreeMap<usize, Vec<usize>>,
}

impl Edges {
    fn add(&mut self, from: usize, to: usize) {
        self.from.entry(from).or_default().push(to);
    }

    /// Joins the edges into closed lines, without corners between collinear edges.
    fn chained(mut self, width: usize) -> Path {
        let mut path = Path::default();
        while let Some((&begun, _)) = self.from.first_key_value() {
            let mut corners = vec![begun];
            let mut at = begun;
            loop {
                let ends = self.from.get_mut(&at).expect("each corner has as many edges out as in");
                let next = ends.pop().expect("corners without edges are removed");
                if ends.is_empty() {
                    self.from.remove(&at);
                }
                if next == begun {
                    break;
                }
                corners.push(next);
                at = next;
            }
            close(&corners, width, &mut path);
        }
        path
    }
}

/// Adds a closed line through corners to a path, leaving out those where it does not turn.
fn close(corners: &[usize], width: usize, path: &mut Path) {
    let begun = path.steps.len();
    for (place, corner) in corners.iter().enumerate() {
        let before = corners[(place + corners.len() - 1) % corners.len()];
        let after = corners[(place + 1) % corners.len()];
        let columns = [before, *corner, after].map(|corner| corner / width);
        let rows = [before, *corner, after].map(|corner| corner % width);
        let is_straight = columns == [columns[1]; 3] || rows == [rows[1]; 3];
        if !is_straight {
            let x = columns[1] as f64;
            let y = rows[1] as f64;
            path.steps.push(if path.steps.len() == begun {
                PathStep::Move(x, y)
            } else {
                PathStep::Line(x, y)
            });
        }
    }
    // Closing draws the last side.
    path.steps.push(PathStep::Close);
}

#[cfg(test)]
mod tests {
    use super::{PathStep, Square, SquareGrid};

    /// Returns the area inside a path, minus its holes (shoelace formula).
    fn area(steps: &[PathStep]) -> f64 {
        let (mut sum, mut at, mut begun) = (0.0, (0.0, 0.0), (0.0, 0.0));
        for step in steps {
            let next = match *step {
                PathStep::Move(x, y) => {
                    begun = (x, y);
                    (x, y)
                }
                PathStep::Line(x, y) => (x, y),
                PathStep::Close => begun,
            };
            if !matches!(step, PathStep::Move(..)) {
                sum += at.0 * next.1 - next.0 * at.1;
            }
            at = next;
        }
        sum / 2.0
    }

    #[test]
    fn the_area_of_an_outline_is_the_number_of_its_cells() {
        let grid = SquareGrid::new(23, |column, row| {
            ((column * 7 + row * row * 3 + column / 5) % 4) as i32
        });
        let (outlines, counts) = (grid.outlines(), grid.counts());
        assert_eq!(outlines.len(), 4);
        for (kind, path) in outlines {
            assert_eq!(area(&path.steps), counts[&kind] as f64, "{kind}");
        }
    }

    #[test]
    fn an_outline_with_a_hole_has_two_lines_of_four_corners() {
        let grid = SquareGrid::new(5, |column, row| {
            i32::from((1..4).contains(&column) && (1..4).contains(&row))
        });
        let outlines = grid.outlines();
        assert_eq!(outlines[&0].steps.len(), 10);
        assert_eq!(outlines[&1].steps.len(), 5);
        assert_eq!((area(&outlines[&0].steps), area(&outlines[&1].steps)), (16.0, 9.0));
    }

    #[test]
    fn each_component_has_its_largest_square() {
        let grid = SquareGrid::new(9, |column, row| i32::from(column < 4 || row < 2));
        let squares = grid.squares(2);
        assert_eq!(
            squares,
            [
                (0, Square { column: 4, row: 2, side: 5 }),
                (1, Square { column: 0, row: 0, side: 4 })
            ]
        );
    }
}
