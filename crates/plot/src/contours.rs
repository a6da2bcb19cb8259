//! Contour lines through the centres of a grid of cells (marching squares).

use std::collections::BTreeMap;

/// A contour line: its points, in cells from the lower left corner.
pub(super) type Contour = Vec<(f64, f64)>;

/// A crossing of a contour with the segment between two neighbouring centres: the column and row of
/// the first centre, and whether the second one is above it (otherwise it is to its right).
type Crossing = (usize, usize, bool);

/// Returns the contours of `value` (a function of column and row) at a level, longest first.
pub(super) fn contours(
    side: usize,
    value: &dyn Fn(usize, usize) -> f64,
    level: f64,
) -> Vec<Contour> {
    let mut lines: Vec<Contour> = Vec::new();
    for chain in chains(links(side, value, level)) {
        let mut line = Vec::with_capacity(chain.len());
        for (column, row, up) in chain {
            let here = value(column, row);
            let there = if up { value(column, row + 1) } else { value(column + 1, row) };
            let share = ((level - here) / (there - here)).clamp(0.0, 1.0);
            let x = column as f64 + 0.5;
            let y = row as f64 + 0.5;
            line.push(if up { (x, y + share) } else { (x + share, y) });
        }
        lines.push(line);
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.len()));
    lines
}

/// Returns the crossings of a level between neighbouring cells, each with those that a contour
/// joins it to.
fn links(
    side: usize,
    value: &dyn Fn(usize, usize) -> f64,
    level: f64,
) -> BTreeMap<Crossing, Vec<Crossing>> {
    let mut links: BTreeMap<Crossing, Vec<Crossing>> = BTreeMap::new();
    for column in 0..side.saturating_sub(1) {
        for row in 0..side - 1 {
            let corners = [
                value(column, row) >= level,
                value(column + 1, row) >= level,
                value(column + 1, row + 1) >= level,
                value(column, row + 1) >= level,
            ];
            // Bottom, right, top, left.
            let sides = [
                (column, row, false),
                (column + 1, row, true),
                (column, row + 1, false),
                (column, row, true),
            ];
            let crossed: Vec<usize> =
                (0..4).filter(|at| corners[*at] != corners[(*at + 1) % 4]).collect();
            let pairs: &[[usize; 2]] = match crossed[..] {
                [one, other] => &[[one, other]],
                // A saddle: the two high corners are separated.
                [..] if crossed.len() == 4 && corners[0] => &[[0, 3], [1, 2]],
                [..] if crossed.len() == 4 => &[[0, 1], [2, 3]],
                _ => &[],
            };
            for [one, other] in pairs {
                links.entry(sides[*one]).or_default().push(sides[*other]);
                links.entry(sides[*other]).or_default().push(sides[*one]);
            }
        }
    }
    links
}

/// Orders the crossings of each contour along its line: first open contours, then closed ones.
fn chains(mut links: BTreeMap<Crossing, Vec<Crossing>>) -> Vec<Vec<Crossing>> {
    let ends: Vec<Crossing> =
        links.iter().filter(|(_, near)| near.len() == 1).map(|(crossing, _)| *crossing).collect();
    let mut chains: Vec<Vec<Crossing>> =
        ends.into_iter().filter_map(|end| chain(end, &mut links)).collect();
    while let Some((&any, _)) = links.first_key_value() {
        chains.extend(chain(any, &mut links).map(|mut chain| {
            chain.push(any);
            chain
        }));
    }
    chains
}

/// Removes the contour that begins at a crossing from the links; `None` if it was removed from its
/// other end before.
fn chain(first: Crossing, links: &mut BTreeMap<Crossing, Vec<Crossing>>) -> Option<Vec<Crossing>> {
    let mut next = links.remove(&first)?;
    let mut chain = vec![first];
    while let Some(at) = next.into_iter().find(|near| links.contains_key(near)) {
        chain.push(at);
        next = links.remove(&at).unwrap_or_default();
    }
    Some(chain)
}

#[cfg(test)]
mod tests {
    use super::contours;

    #[test]
    fn a_linear_slope_has_one_straight_contour() {
        let lines = contours(5, &|column, _| column as f64, 1.25);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].len(), 5);
        assert!(lines[0].iter().all(|(x, _)| (x - 1.75).abs() < 1e-12));
    }

    #[test]
    fn a_peak_has_a_closed_contour() {
        let lines = contours(5, &|column, row| f64::from(u8::from((column, row) == (2, 2))), 0.5);
        assert_eq!(lines.len(), 1);
        assert_eq!((lines[0].len(), lines[0].first()), (5, lines[0].last()));
    }

    #[test]
    fn a_saddle_has_two_contours() {
        let lines = contours(2, &|column, row| f64::from(u8::from(column == row)), 0.5);
        assert_eq!(lines.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
    }
}
