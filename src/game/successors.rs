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
    /// The most points of a turn.
    pub(super) most_points: usize,
    /// Whether the rules on totals read the points.
    pub(super) by_points: bool,
    /// By opponent's score, the totals with exceptional successors, ascending.
    pub(super) exceptional: Vec<Exceptional>,
    /// Where those of each opponent's score begin, and the end of the last.
    pub(super) first_of: Vec<u32>,
    /// Successors by points.
    pub(super) segments: Vec<PointsSegment>,
    /// By opponent's score and total, if there are few: where each leads.
    pub(super) dense: Vec<To>,
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

/// Up to so many totals of all opponents' scores, each has an entry of its own: that is faster than a search.
pub(super) const MOST_DENSE: usize = 1 << 17;

impl SuccessorTable {
    /// No successors yet.
    pub fn empty(goal: usize, most_points: usize, by_points: bool) -> Self {
        Self {
            goal,
            most_points,
            by_points,
            exceptional: Vec::new(),
            first_of: vec![0],
            segments: Vec::new(),
            dense: Vec::new(),
            least_correction: i64::MAX,
            most_correction: i64::MIN,
        }
    }

    /// Totals of one opponent's score.
    fn width(&self) -> usize {
        self.goal + self.most_points
    }

    /// Gives each total an entry of its own, if there are no more than so many.
    pub fn spread(&mut self, most: usize) {
        let width = self.width();
        if self.goal * width > most {
            return;
        }
        self.dense = Vec::with_capacity(self.goal * width);
        for opponent in 0..self.goal {
            let regular = |total| To::any(PackedSuccessor::regular(self.goal, total, opponent));
            self.dense.extend((0..self.goal).map(regular));
            self.dense.resize((opponent + 1) * width, regular(self.goal));
            for exceptional in of_row(&self.exceptional, &self.first_of, opponent) {
                self.dense[opponent * width + exceptional.total as usize] = exceptional.to;
            }
        }
    }

    /// The successor from a cell with so many points.
    #[inline(always)]
    pub fn arrival(&self, score: usize, opponent: usize, points: usize) -> PackedSuccessor {
        let total = score + points;
        if self.dense.is_empty() {
            return self.find(total, opponent, points);
        }
        self.resolve(self.dense[opponent * self.width() + total], points)
    }

    fn find(&self, total: usize, opponent: usize, points: usize) -> PackedSuccessor {
        let totals = self.of_opponent(opponent);
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

    /// The most exceptional successors that the outcomes of a cell may have, if points differ by less than `window`; may be
    /// too many where successors depend on the points.
    pub fn most_exceptional(&self, window: usize) -> usize {
        (0..self.goal).map(|opponent| most_within(self.of_opponent(opponent), window)).max().unwrap_or(0)
    }

    /// The segments of one total, those of the most points first.
    fn segments_from(&self, first: usize) -> &[PointsSegment] {
        let last = self.segments[first..].iter().position(|segment| segment.from() == 0);
        &self.segments[first..=first + last.expect("the last segment reaches down to no points")]
    }

    /// All exceptional successors: opponent's score, total, successor; `None` if the rules on totals read the points.
    pub fn exceptional(&self) -> Option<impl Iterator<Item = (usize, usize, ScoreSuccessor)> + use<'_>> {
        let of_opponent = |opponent: usize| {
            let successor = |exceptional: &Exceptional| self.resolve(exceptional.to, 0).score_successor();
            self.of_opponent(opponent).iter().map(move |s| (opponent, s.total as usize, successor(s)))
        };
        (!self.by_points).then(|| (0..self.goal).flat_map(of_opponent))
    }

    /// The exceptional successors from a cell: points, successor.
    pub fn exceptional_from(
        &self,
        score: usize,
        opponent: usize,
    ) -> impl Iterator<Item = (usize, ScoreSuccessor)> + use<'_> {
        let totals = self.of_opponent(opponent);
        let first = totals.partition_point(|exceptional| (exceptional.total as usize) < score);
        let last = if self.by_points { score + self.most_points } else { usize::MAX };
        let reached = totals[first..].iter().take_while(move |exceptional| exceptional.total as usize <= last);
        reached.filter_map(move |exceptional| {
            let points = exceptional.total as usize - score;
            let successor = self.resolve(exceptional.to, points);
            let regular = PackedSuccessor::regular(self.goal, exceptional.total as usize, opponent);
            (successor != regular).then(|| (points, successor.score_successor()))
        })
    }
}

fn of_row<'s>(all: &'s [Exceptional], first: &[u32], row: usize) -> &'s [Exceptional] {
    &all[first[row] as usize..first[row + 1] as usize]
}

/// The most exceptional totals of a row among so many consecutive totals.
fn most_within(row: &[Exceptional], window: usize) -> usize {
    let (mut first, mut most) = (0, 0);
    for (last, exceptional) in row.iter().enumerate() {
        while (row[first].total as usize) + window <= exceptional.total as usize {
            first += 1;
        }
        most = most.max(last + 1 - first);
    }
    most
}
