//! The tables of stage 3: where totals lead once the rules on totals have been applied, kept for those totals whose
//! successor is exceptional.

use super::segments::PointsSegment;

/// Where a turn leads, in four bytes: the end of the game, or scores and who moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedSuccessor(pub(super) u32);

/// [`PackedSuccessor`] taken apart.
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

const WON: u32 = u32::MAX;
const LOST: u32 = u32::MAX - 1;
const TIED: u32 = u32::MAX - 2;
const AGAIN: u32 = 1 << 31;

impl PackedSuccessor {
    /// From the totals after all rules, and whether the mover moves again.
    #[inline(always)]
    pub(super) fn new(goal: i64, (score, opponent, again): (i64, i64, bool)) -> Self {
        if score >= goal || opponent >= goal {
            return Self(match score.cmp(&opponent) {
                std::cmp::Ordering::Greater => WON,
                std::cmp::Ordering::Less => LOST,
                std::cmp::Ordering::Equal => TIED,
            });
        }
        if again { Self((score * goal + opponent) as u32 | AGAIN) } else { Self((opponent * goal + score) as u32) }
    }

    /// To the opponent with the totals as they are, or to a win where the mover's reaches the goal.
    #[inline(always)]
    pub(super) fn regular(goal: usize, total: usize, opponent: usize) -> Self {
        Self(if total < goal { (opponent * goal + total) as u32 } else { WON })
    }

    /// Where it leads.
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
    pub to: To,
}

/// Where a total leads, in four bytes: to the same whatever the points, or by points as some segments tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct To(u32);

/// Set, with [`AGAIN`] not, where the points matter; cells are below this.
const BY_POINTS: u32 = 1 << 30;
/// The most exceptional totals and the most segments of one context: a few gigabytes. More segments could not be told apart.
pub(super) const MOST_KEPT: usize = 1 << 29;

impl To {
    /// To one successor whatever the points.
    pub fn any(successor: PackedSuccessor) -> Self {
        Self(successor.0)
    }

    /// By points, as the segments from `first` on tell: below [`MOST_KEPT`].
    pub fn by_points(first: usize) -> Self {
        debug_assert!(first < MOST_KEPT, "counted before");
        Self(BY_POINTS | first as u32)
    }

    /// The first of the segments, if the points matter.
    #[inline(always)]
    pub fn segments(self) -> Option<usize> {
        (self.0 & (AGAIN | BY_POINTS) == BY_POINTS).then_some((self.0 & !BY_POINTS) as usize)
    }
}

/// The successors of all totals, in one context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SuccessorTable {
    pub(super) goal: usize,
    /// By opponent's score, the totals with exceptional successors, ascending.
    pub(super) exceptional: Vec<Exceptional>,
    /// Where those of each opponent's score begin, and the end of the last.
    pub(super) first_of: Vec<u32>,
    /// Successors by points.
    pub(super) segments: Vec<PointsSegment>,
    /// The least that rules on totals add to the sum of scores, over those after which the game goes on.
    pub least_correction: i64,
    /// The most, likewise.
    pub most_correction: i64,
}

/// The least and the most that rules on totals add to the sum of scores, where the game goes on.
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

    /// Takes in totals after all rules from a cell (total, opponent's score).
    #[inline(always)]
    pub fn see(&mut self, (score, opponent, _): (i64, i64, bool), (total, other): (usize, usize), goal: i64) {
        if score < goal && opponent < goal {
            let change = score + opponent - total as i64 - other as i64;
            self.join(Self { least: change, most: change });
        }
    }
}

impl SuccessorTable {
    /// No successors yet.
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

    /// The successor from a cell with so many points.
    #[inline(always)]
    pub fn arrival(&self, score: usize, opponent: usize, points: usize) -> PackedSuccessor {
        let (total, totals) = (score + points, self.of_opponent(opponent));
        match totals.binary_search_by_key(&(total as u32), |exceptional| exceptional.total) {
            Ok(place) => self.resolve(totals[place].to, points),
            Err(_) => PackedSuccessor::regular(self.goal, total, opponent),
        }
    }

    #[inline(always)]
    fn resolve(&self, to: To, points: usize) -> PackedSuccessor {
        let Some(first) = to.segments() else { return PackedSuccessor(to.0) };
        let reaches = |segment: &&PointsSegment| segment.from() <= points;
        self.segments[first..].iter().find(reaches).expect("the last segment reaches down to no points").arrival(points)
    }

    /// Of each opponent's score and total with exceptional successors, in ascending order of both: all successors by
    /// points, those of the most points first.
    pub fn each_exceptional(&self, mut see: impl FnMut(usize, usize, &[PointsSegment])) {
        for opponent in 0..self.goal {
            for exceptional in self.of_opponent(opponent) {
                let any = [PointsSegment::any(PackedSuccessor(exceptional.to.0))];
                let segments = exceptional.to.segments().map_or(&any[..], |first| self.segments_from(first));
                see(opponent, exceptional.total as usize, segments);
            }
        }
    }

    fn of_opponent(&self, opponent: usize) -> &[Exceptional] {
        of_row(&self.exceptional, &self.first_of, opponent)
    }

    /// The segments of one total, those of the most points first.
    fn segments_from(&self, first: usize) -> &[PointsSegment] {
        let last = self.segments[first..].iter().position(|segment| segment.from() == 0);
        &self.segments[first..=first + last.expect("the last segment reaches down to no points")]
    }
}

fn of_row<'s>(all: &'s [Exceptional], first: &[u32], row: usize) -> &'s [Exceptional] {
    &all[first[row] as usize..first[row + 1] as usize]
}
