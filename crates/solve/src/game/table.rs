//! The tables of phase 3: the successors of totals after the rules on totals, packed. Only
//! exceptional successors are stored. [`ClassSuccessors`](super::ClassSuccessors) arranges a table
//! as the solver reads it.

use super::successor::{Cell, End, Successor};
use super::totals::Settled;

/// The successor of a turn in four bytes: the end of the game, or the scores and the player to move
/// next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct PackedSuccessor(u32);

const WON: u32 = PackedSuccessor::WON.0;
const LOST: u32 = u32::MAX - 1;
const TIED: u32 = u32::MAX - 2;
const AGAIN: u32 = 1 << 31;

impl PackedSuccessor {
    /// The game is over and the mover has won.
    pub const WON: Self = Self(u32::MAX);

    /// The cell some columns to the right in the same stage, with the same player to move;
    /// meaningful if there is one.
    #[inline(always)]
    pub fn columns_on(self, columns: i32, goal: usize) -> Self {
        // The next column has one point more for one player and one less for the other.
        Self(self.0.wrapping_add_signed(columns * (1 - goal as i32)))
    }

    /// Packs the totals after all rules.
    #[inline(always)]
    pub fn new(goal: i64, Settled { score, opponent, again }: Settled) -> Self {
        if score >= goal || opponent >= goal {
            return Self(match score.cmp(&opponent) {
                std::cmp::Ordering::Greater => WON,
                std::cmp::Ordering::Less => LOST,
                std::cmp::Ordering::Equal => TIED,
            });
        }
        if again {
            Self((score * goal + opponent) as u32 | AGAIN)
        } else {
            Self((opponent * goal + score) as u32)
        }
    }

    /// The regular successor: the opponent moves with the totals as they are, or the mover has
    /// reached the goal.
    #[inline(always)]
    pub fn regular(goal: usize, total: usize, opponent: usize) -> Self {
        Self(if total < goal { (opponent * goal + total) as u32 } else { WON })
    }

    /// Unpacks the successor.
    pub fn unpacked(self, goal: usize) -> Successor<Cell> {
        match self.0 {
            WON => Successor::End(End::Won),
            LOST => Successor::End(End::Lost),
            TIED => Successor::End(End::Tied),
            packed => {
                let cell = packed & !AGAIN;
                let goal = goal as u32;
                let column = cell % goal;
                let to = Cell { stage: cell / goal + column, column };
                Successor::Next { to, again: packed & AGAIN != 0 }
            }
        }
    }
}

/// A total whose successor is exceptional.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exceptional {
    pub total: u32,
    pub successor: TotalSuccessor,
}

/// The successors of a total in four bytes: one successor for all points, or the index of segments
/// by points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TotalSuccessor(u32);

/// Marks an index of segments, if [`AGAIN`] is not set too. Cells are below this value.
const BY_POINTS: u32 = 1 << 30;
/// The most exceptional totals, and the most segments, of one context (a few gigabytes). Bounds
/// indices of segments.
pub(super) const MOST_KEPT: usize = 1 << 29;

impl TotalSuccessor {
    /// One successor for all points.
    pub fn any(successor: PackedSuccessor) -> Self {
        Self(successor.0)
    }

    /// Successors by points, given by the segments from index `first` on, which is below
    /// [`MOST_KEPT`].
    pub fn by_points(first: usize) -> Self {
        debug_assert!(first < MOST_KEPT, "counted before");
        Self(BY_POINTS | first as u32)
    }

    /// Shifts the index of segments. An index that wraps is refused by the caller, which counts all
    /// segments.
    pub fn after(self, segments: usize) -> Self {
        self.segments().map_or(self, |first| Self::by_points((first + segments) % MOST_KEPT))
    }

    /// The successor, if it is the same for all points.
    pub fn for_all_points(self) -> Option<PackedSuccessor> {
        self.segments().is_none().then_some(PackedSuccessor(self.0))
    }

    /// The index of the first segment, if the successor depends on the points.
    pub fn segments(self) -> Option<usize> {
        (self.0 & (AGAIN | BY_POINTS) == BY_POINTS).then_some((self.0 & !BY_POINTS) as usize)
    }
}

/// The successors for consecutive numbers of points, as an arithmetic progression of packed
/// successors. A segment extends up to the start of the segment before it in the list. Points are
/// usually added to a score, so one or two segments suffice for a total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PointsSegment {
    from: u32,
    first: u32,
    step: u32,
}

impl PointsSegment {
    /// The successor for a number of points.
    #[inline(always)]
    fn successor(&self, points: usize) -> PackedSuccessor {
        PackedSuccessor(self.first.wrapping_add(self.step.wrapping_mul(points as u32 - self.from)))
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

/// The successors of all totals in one context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SuccessorTable {
    pub goal: usize,
    /// The totals with exceptional successors, ordered by opponent's score and then by total.
    pub exceptional: Vec<Exceptional>,
    /// The index in `exceptional` at which each opponent's score begins, and the end of the last.
    pub first_of: Vec<u32>,
    /// The segments of totals whose successors depend on the points.
    pub segments: Vec<PointsSegment>,
    pub most_correction: MostCorrection,
}

/// The largest correction, over totals after which the game continues; `i64::MIN` if there are
/// none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MostCorrection(pub i64);

impl Default for MostCorrection {
    fn default() -> Self {
        Self(i64::MIN)
    }
}

impl MostCorrection {
    pub fn join(&mut self, other: Self) {
        self.0 = self.0.max(other.0);
    }

    /// Includes the correction from a cell (total, opponent's score) to the totals after all rules.
    #[inline(always)]
    pub fn see(
        &mut self,
        Settled { score, opponent, .. }: Settled,
        total: usize,
        other: usize,
        goal: i64,
    ) {
        if score < goal && opponent < goal {
            self.join(Self(score + opponent - total as i64 - other as i64));
        }
    }
}

impl SuccessorTable {
    /// Creates a table without entries; opponents' scores are then appended in ascending order.
    pub fn empty(goal: usize) -> Self {
        Self {
            goal,
            exceptional: Vec::new(),
            first_of: vec![0],
            segments: Vec::new(),
            most_correction: MostCorrection::default(),
        }
    }

    /// The memory for the entries, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.exceptional[..])
            + size_of_val(&self.first_of[..])
            + size_of_val(&self.segments[..])
    }

    /// The totals with exceptional successors, each with the opponent's score, in ascending order
    /// of that and then of the total.
    pub fn each_exceptional(&self) -> impl Iterator<Item = (usize, &Exceptional)> {
        (0..self.goal).flat_map(|opponent| {
            let [first, end] = [opponent, opponent + 1].map(|of| self.first_of[of] as usize);
            self.exceptional[first..end].iter().map(move |exceptional| (opponent, exceptional))
        })
    }

    /// The successor for a number of points, given the index of a total's first segment.
    pub fn by_points(&self, first: usize, points: usize) -> PackedSuccessor {
        let mut segments = self.segments[first..].iter();
        let segment = segments.find(|segment| segment.from as usize <= points);
        segment.expect("the last segment starts at 0").successor(points)
    }
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
            let mut segments = vec![PointsSegment { from: 0, first: 7, step: 0 }];
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
                    .find(|segment| segment.from as usize <= points)
                    .expect("the last segment starts at 0");
                assert_eq!(segment.successor(points), PackedSuccessor(successor), "at {points}");
            }
            assert_eq!(segments.last().map(|segment| segment.from), Some(0));
        }
    }
}
