//! Totals to which each point of the turn adds as much as the one before.

use std::ops::{Range, RangeInclusive};

/// A number that grows, or falls, by as much with each point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The number at no points.
    pub start: i64,
    /// What each point adds.
    pub slope: i64,
}

impl Line {
    /// The number at so many points.
    #[inline(always)]
    pub fn at(self, points: usize) -> i64 {
        self.start.wrapping_add(self.slope.wrapping_mul(points as i64))
    }

    /// How many points, from so many on, leave it below zero, or not below, as it is there; one at least.
    #[inline(always)]
    fn keeps_side(self, points: usize) -> usize {
        let number = self.at(points);
        let (distance, step) = (number.unsigned_abs(), self.slope.unsigned_abs());
        let kept = match number < 0 {
            true if self.slope > 0 => distance.div_ceil(step),
            false if self.slope < 0 => distance / step + 1,
            _ => u64::MAX,
        };
        usize::try_from(kept).unwrap_or(usize::MAX)
    }

    fn minus(self, other: Self) -> Self {
        Self { start: self.start.wrapping_sub(other.start), slope: self.slope.wrapping_sub(other.slope) }
    }
}

/// Both totals after all rules, by the turn's points, and whether the mover moves again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TotalLines {
    /// The mover's.
    pub score: Line,
    /// The opponent's.
    pub opponent: Line,
    /// Whether the mover moves again.
    pub again: bool,
}

impl TotalLines {
    /// Whether the points make no difference.
    pub fn is_level(&self) -> bool {
        self.score.slope == 0 && self.opponent.slope == 0
    }

    /// The totals at so many points.
    #[inline(always)]
    pub fn at(&self, points: usize) -> (i64, i64, bool) {
        (self.score.at(points), self.opponent.at(points), self.again)
    }

    /// Points in pieces, over each of which the game either goes on or ends in the same way.
    pub fn pieces(self, goal: i64, points: RangeInclusive<usize>) -> impl Iterator<Item = Range<usize>> {
        let (mut from, end) = (*points.start(), points.end() + 1);
        std::iter::from_fn(move || {
            let piece = from..from.saturating_add(self.alike(goal, from)).min(end);
            from = piece.end;
            (!piece.is_empty()).then_some(piece)
        })
    }

    /// How many points, from so many on, are alike.
    fn alike(&self, goal: i64, points: usize) -> usize {
        let (score, opponent, goal) = (self.score, self.opponent, Line { start: goal, slope: 0 });
        let sides = score.minus(goal).keeps_side(points).min(opponent.minus(goal).keeps_side(points));
        if score.at(points) < goal.start && opponent.at(points) < goal.start {
            return sides;
        }
        // Who is ahead, if anyone, decides how the game ends.
        sides.min(score.minus(opponent).keeps_side(points)).min(opponent.minus(score).keeps_side(points))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending((score, opponent, _): (i64, i64, bool), goal: i64) -> Option<std::cmp::Ordering> {
        (score >= goal || opponent >= goal).then(|| score.cmp(&opponent))
    }

    #[test]
    fn pieces_cover_all_points_and_a_game_goes_on_or_ends_in_one_way_over_each() {
        let goal = 20;
        let lines = || (0..30).step_by(5).flat_map(|start| (-1..4).map(move |slope| Line { start, slope }));
        for (score, opponent) in lines().flat_map(|score| lines().map(move |opponent| (score, opponent))) {
            let totals = TotalLines { score, opponent, again: false };
            let mut next = 2;
            for piece in totals.pieces(goal, 2..=17) {
                assert_eq!(piece.start, next);
                next = piece.end;
                let mut endings = piece.map(|points| ending(totals.at(points), goal));
                let first = endings.next().expect("a point at least");
                assert!(endings.all(|ending| ending == first), "{totals:?}");
            }
            assert_eq!(next, 18);
        }
    }

    #[test]
    fn a_level_line_is_one_piece() {
        let level = |start| Line { start, slope: 0 };
        let totals = TotalLines { score: level(7), opponent: level(7), again: true };
        assert!(totals.is_level());
        assert_eq!(totals.pieces(7, 0..=5).collect::<Vec<_>>(), vec![Range { start: 0, end: 6 }]);
    }
}
