//! Successors by points, stored as a few segments.

use super::successors::{PackedSuccessor, TotalSuccessor};

/// The successors for consecutive numbers of points, as an arithmetic progression of packed
/// successors. A segment extends up to the start of the segment before it in the list. Points are
/// usually added to a score, so one or two segments suffice for a total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointsSegment {
    from: u32,
    first: u32,
    step: u32,
}

impl PointsSegment {
    /// Creates the segment in which all points have one successor.
    pub(super) fn any(successor: PackedSuccessor) -> Self {
        Self { from: 0, first: successor.0, step: 0 }
    }

    /// The fewest points of the segment.
    pub fn from(&self) -> usize {
        self.from as usize
    }

    /// The successor for a number of points.
    #[inline(always)]
    pub fn successor(&self, points: usize) -> PackedSuccessor {
        PackedSuccessor(self.first.wrapping_add(self.step.wrapping_mul(points as u32 - self.from)))
    }

    /// The difference between the cells of consecutive numbers of points; meaningful where both are
    /// cells with the same player to move.
    pub fn step(&self) -> isize {
        self.step.cast_signed() as isize
    }
}

/// Compresses the successors for consecutive points from `least` on: to a single successor, or to
/// segments that are appended, those with the most points first. The last segment is extended down
/// to 0 points.
pub(super) fn append_segments(
    segments: &mut Vec<PointsSegment>,
    least: usize,
    successors: impl Iterator<Item = PackedSuccessor>,
) -> TotalSuccessor {
    let before = segments.len();
    for (points, successor) in (least as u32..).zip(successors) {
        match segments[before..].last_mut() {
            // The second successor of a segment determines its step.
            Some(segment) if segment.from + 1 == points => {
                segment.step = successor.0.wrapping_sub(segment.first)
            }
            Some(segment) if segment.successor(points as usize) == successor => {}
            _ => segments.push(PointsSegment { from: points, first: successor.0, step: 0 }),
        }
    }
    if let [PointsSegment { first, step: 0, .. }] = segments[before..] {
        segments.truncate(before);
        return TotalSuccessor::any(PackedSuccessor(first));
    }
    let lowest = &mut segments[before];
    (lowest.from, lowest.first) =
        (0, lowest.first.wrapping_sub(lowest.step.wrapping_mul(lowest.from)));
    segments[before..].reverse();
    TotalSuccessor::by_points(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_reproduce_every_successor_and_extend_as_far_as_possible() {
        for (least, expected, successors) in [
            (0, 2, vec![5, 6, 7, 90, 90, 90]),
            (3, 3, vec![9, 9, 9, 12, 15, 18, 2]),
            (2, 4, vec![4, 1 << 31, 3, 90, 80, 3, 3]),
            (7, 1, vec![1, 2]),
            (2, 0, vec![5, 5, 5]),
        ] {
            let mut segments = vec![PointsSegment::any(PackedSuccessor(7))];
            let found = append_segments(
                &mut segments,
                least,
                successors.iter().copied().map(PackedSuccessor),
            );
            assert_eq!(segments.len() - 1, expected, "{successors:?}");
            let Some(first) = found.segments() else {
                assert_eq!(found, TotalSuccessor::any(PackedSuccessor(5)));
                continue;
            };
            for (points, successor) in (least..).zip(successors) {
                let segment = segments[first..]
                    .iter()
                    .find(|segment| segment.from() <= points)
                    .expect("the last segment starts at 0");
                assert_eq!(segment.successor(points), PackedSuccessor(successor), "at {points}");
            }
            assert_eq!(segments.last().map(PointsSegment::from), Some(0));
        }
    }
}
