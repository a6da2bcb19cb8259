//! Successors by points, kept as few segments.

use super::successors::{PackedSuccessor, To};

/// Successors by points, from some number of points up to where the segment before begins: each so much beyond the last, in
/// their four bytes. Points are mostly added to a score, so that one or two segments tell all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointsSegment {
    from: u32,
    first: u32,
    step: u32,
}

impl PointsSegment {
    /// All points lead there.
    pub(super) fn any(successor: PackedSuccessor) -> Self {
        Self { from: 0, first: successor.0, step: 0 }
    }

    /// The fewest points it tells of.
    pub fn from(&self) -> usize {
        self.from as usize
    }

    /// Where so many points lead.
    #[inline(always)]
    pub fn arrival(&self, points: usize) -> PackedSuccessor {
        PackedSuccessor(self.first.wrapping_add(self.step.wrapping_mul(points as u32 - self.from)))
    }

    /// From a cell to that of one more point, as long as those lead to cells for the same player.
    pub fn step(&self) -> isize {
        self.step.cast_signed() as isize
    }
}

/// Where points from `least` on lead: to one successor, or by segments, which are appended, that of the most points first;
/// the last is made to reach down to no points.
pub(super) fn append_segments(
    segments: &mut Vec<PointsSegment>,
    least: usize,
    successors: impl Iterator<Item = PackedSuccessor>,
) -> To {
    let before = segments.len();
    for (points, successor) in (least as u32..).zip(successors) {
        match segments[before..].last_mut() {
            // The second of a segment decides what each point adds.
            Some(segment) if segment.from + 1 == points => segment.step = successor.0.wrapping_sub(segment.first),
            Some(segment) if segment.arrival(points as usize) == successor => {}
            _ => segments.push(PointsSegment { from: points, first: successor.0, step: 0 }),
        }
    }
    if let [PointsSegment { first, step: 0, .. }] = segments[before..] {
        segments.truncate(before);
        return To::any(PackedSuccessor(first));
    }
    let lowest = &mut segments[before];
    (lowest.from, lowest.first) = (0, lowest.first.wrapping_sub(lowest.step.wrapping_mul(lowest.from)));
    segments[before..].reverse();
    To::by_points(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_tell_every_successor_and_go_on_as_long_as_they_can() {
        for (least, expected, successors) in [
            (0, 2, vec![5, 6, 7, 90, 90, 90]),
            (3, 3, vec![9, 9, 9, 12, 15, 18, 2]),
            (2, 4, vec![4, 1 << 31, 3, 90, 80, 3, 3]),
            (7, 1, vec![1, 2]),
            (2, 0, vec![5, 5, 5]),
        ] {
            let mut segments = vec![PointsSegment::any(PackedSuccessor(7))];
            let to = append_segments(&mut segments, least, successors.iter().copied().map(PackedSuccessor));
            assert_eq!(segments.len() - 1, expected, "{successors:?}");
            let Some(first) = to.segments() else {
                assert_eq!(to, To::any(PackedSuccessor(5)));
                continue;
            };
            for (points, successor) in (least..).zip(successors) {
                let segment = segments[first..].iter().find(|segment| segment.from() <= points).expect("down to none");
                assert_eq!(segment.arrival(points), PackedSuccessor(successor), "at {points}");
            }
            assert_eq!(segments.last().map(PointsSegment::from), Some(0));
        }
    }
}
