//! The tables of phase 3: the successors of totals after the rules on totals. Only exceptional
//! successors are stored.

use super::segments::PointsSegment;
use super::totals::Settled;

/// The successor of a turn in four bytes: the end of the game, or the scores and the player to move
/// next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PackedSuccessor(pub(super) u32);

/// An unpacked [`PackedSuccessor`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreSuccessor {
    /// The game is over and the mover has won.
    Won,
    /// The game is over and the mover has lost.
    Lost,
    /// The game is over with equal scores.
    Tied,
    /// The opponent moves; the cell is seen by the opponent.
    Passed {
        /// `score * goal + opponent`.
        cell: usize,
    },
    /// The mover moves again; the cell is seen by the mover.
    Again {
        /// `score * goal + opponent`.
        cell: usize,
    },
}

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
    pub(super) fn new(goal: i64, Settled { score, opponent, again }: Settled) -> Self {
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
    #[inline(always)]
    pub fn score_successor(self) -> ScoreSuccessor {
        match self.0 {
            WON => ScoreSuccessor::Won,
            LOST => ScoreSuccessor::Lost,
            TIED => ScoreSuccessor::Tied,
            cell if cell & AGAIN != 0 => ScoreSuccessor::Again { cell: (cell & !AGAIN) as usize },
            cell => ScoreSuccessor::Passed { cell: cell as usize },
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

    /// The index of the first segment, if the successor depends on the points.
    #[inline(always)]
    pub fn segments(self) -> Option<usize> {
        (self.0 & (AGAIN | BY_POINTS) == BY_POINTS).then_some((self.0 & !BY_POINTS) as usize)
    }
}

/// The successors of all totals in one context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SuccessorTable {
    pub(super) goal: usize,
    /// The totals with exceptional successors, ordered by opponent's score and then by total.
    pub(super) exceptional: Vec<Exceptional>,
    /// The index in `exceptional` at which each opponent's score begins, and the end of the last.
    pub(super) first_of: Vec<u32>,
    /// The segments of totals whose successors depend on the points.
    pub(super) segments: Vec<PointsSegment>,
    /// The smallest correction, over totals after which the game continues; `i64::MAX` if there
    /// are none.
    pub least_correction: i64,
    /// The largest such correction; `i64::MIN` if there are none.
    pub most_correction: i64,
}

/// The range of corrections, over totals after which the game continues.
#[derive(Clone, Copy)]
pub(super) struct Corrections {
    pub least: i64,
    pub most: i64,
}

impl Default for Corrections {
    fn default() -> Self {
        Self { least: i64::MAX, most: i64::MIN }
    }
}

impl Corrections {
    pub fn join(&mut self, other: Self) {
        (self.least, self.most) = (self.least.min(other.least), self.most.max(other.most));
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
            let change = score + opponent - total as i64 - other as i64;
            self.join(Self { least: change, most: change });
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
            least_correction: i64::MAX,
            most_correction: i64::MIN,
        }
    }

    /// The memory for the entries, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.exceptional[..])
            + size_of_val(&self.first_of[..])
            + size_of_val(&self.segments[..])
    }

    /// The successor of a cell for a number of points.
    #[inline(always)]
    pub fn successor(&self, score: usize, opponent: usize, points: usize) -> PackedSuccessor {
        let (total, totals) = (score + points, self.of_opponent(opponent));
        match totals.binary_search_by_key(&(total as u32), |exceptional| exceptional.total) {
            Ok(place) => self.resolve(totals[place].successor, points),
            Err(_) => PackedSuccessor::regular(self.goal, total, opponent),
        }
    }

    #[inline(always)]
    fn resolve(&self, successor: TotalSuccessor, points: usize) -> PackedSuccessor {
        let Some(first) = successor.segments() else { return PackedSuccessor(successor.0) };
        let reaches = |segment: &&PointsSegment| segment.from() <= points;
        self.segments[first..]
            .iter()
            .find(reaches)
            .expect("the last segment starts at 0")
            .successor(points)
    }

    /// Calls `see(opponent, total, segments)` for each total with exceptional successors, in
    /// ascending order of the opponent's score and then of the total. Segments with the most
    /// points come first.
    pub fn each_exceptional(&self, mut see: impl FnMut(usize, usize, &[PointsSegment])) {
        for opponent in 0..self.goal {
            for exceptional in self.of_opponent(opponent) {
                let any = [PointsSegment::any(PackedSuccessor(exceptional.successor.0))];
                let segments = exceptional
                    .successor
                    .segments()
                    .map_or(&any[..], |first| self.segments_from(first));
                see(opponent, exceptional.total as usize, segments);
            }
        }
    }

    fn of_opponent(&self, opponent: usize) -> &[Exceptional] {
        of_row(&self.exceptional, &self.first_of, opponent)
    }

    /// The segments of one total, those with the most points first.
    fn segments_from(&self, first: usize) -> &[PointsSegment] {
        let last = self.segments[first..].iter().position(|segment| segment.from() == 0);
        &self.segments[first..=first + last.expect("the last segment starts at 0")]
    }
}

fn of_row<'s>(all: &'s [Exceptional], first: &[u32], row: usize) -> &'s [Exceptional] {
    &all[first[row] as usize..first[row + 1] as usize]
}
