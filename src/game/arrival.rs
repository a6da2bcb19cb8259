//! Where a turn arrives, once the rules on totals have been applied: kept for the totals where that is not plain.

use std::ops::Range;

use crate::rules::formula::{Variable, VariableSet};
use crate::rules::{Hook, Rules};

use super::points_run::PointsRun;

/// Where a turn leads, in four bytes: the end of the game, or scores and who moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arrival(pub(super) u32);

/// [`Arrival`] taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
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

impl Arrival {
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
    pub(super) fn plain(goal: usize, total: usize, opponent: usize) -> Self {
        Self(if total < goal { (opponent * goal + total) as u32 } else { WON })
    }

    /// Whether the game ends there.
    #[inline(always)]
    pub(super) fn ends(self) -> bool {
        self.0 >= TIED
    }

    /// Where it leads.
    #[inline(always)]
    pub fn destination(self) -> Destination {
        match self.0 {
            WON => Destination::Won,
            LOST => Destination::Lost,
            TIED => Destination::Tied,
            cell if cell & AGAIN != 0 => Destination::Again { cell: (cell & !AGAIN) as usize },
            cell => Destination::Passed { cell: cell as usize },
        }
    }
}

/// What the rules on totals read beside the totals and the points, for one kind of outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct Context {
    /// Values of the variables they read, in ascending order of the variables.
    pub values: Vec<(Variable, i64)>,
}

/// The variables that the rules on totals read beside the two totals: without the points, and whether those too.
pub(super) fn context_variables(rules: &Rules) -> (VariableSet, bool) {
    let hooks = [Hook::Score, Hook::OpponentScore, Hook::Swap, Hook::Again];
    let formulas = hooks.iter().flat_map(|hook| rules.hooked(*hook));
    let reads = formulas.fold(VariableSet::NONE, |set, (_, formula)| set.union(formula.reads()));
    let wanted = VariableSet::of(&[Variable::DICE, Variable::ROLLED, Variable::BUSTED]);
    let context = reads.and(wanted.union(rules.vocabulary().memories()));
    // The score before the turn is the total less the points.
    (context, reads.holds(Variable::POINTS) || reads.holds(Variable::SCORE_BEFORE))
}

/// A total at which an arrival is not plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Surprise {
    pub total: u32,
    pub to: To,
}

/// Where a total leads, in four bytes: to the same whatever the points, or by points as some runs tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct To(u32);

/// Set, with [`AGAIN`] not, where the points matter; cells are below this.
const BY_POINTS: u32 = 1 << 30;
/// The most surprises and the most runs: a few gigabytes. More than so many runs could not be told apart.
pub(super) const MOST_KEPT: usize = 1 << 29;

impl To {
    /// To an arrival whatever the points.
    pub fn any(arrival: Arrival) -> Self {
        Self(arrival.0)
    }

    /// By points, as the runs from `first` on tell: below [`MOST_KEPT`].
    pub fn by_points(first: usize) -> Self {
        debug_assert!(first < MOST_KEPT, "counted before");
        Self(BY_POINTS | first as u32)
    }

    /// The first of the runs, if the points matter.
    #[inline(always)]
    pub fn runs(self) -> Option<usize> {
        (self.0 & (AGAIN | BY_POINTS) == BY_POINTS).then_some((self.0 & !BY_POINTS) as usize)
    }
}

/// The arrivals of one context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ArrivalTable {
    pub(super) goal: usize,
    /// The most points of a turn.
    pub(super) most_points: usize,
    /// Whether the rules on totals read the points.
    pub(super) by_points: bool,
    /// By opponent's score, the totals with arrivals that are not plain, ascending.
    pub(super) surprises: Vec<Surprise>,
    /// Where each opponent's score's surprises begin, and the end of the last.
    pub(super) first_surprise: Vec<u32>,
    /// Arrivals by points.
    pub(super) runs: Vec<PointsRun>,
    /// By opponent's score and total, if there are few: where each leads.
    pub(super) dense: Vec<To>,
    /// The least that the sum of scores grows by beside the turn's points, over arrivals that go on.
    pub least_excess: i64,
    /// The most, likewise.
    pub most_excess: i64,
}

/// Up to so many totals of all opponents' scores, each has an entry of its own: that is faster than a search.
pub(super) const MOST_DENSE: usize = 1 << 17;

impl ArrivalTable {
    /// No arrivals yet.
    pub fn empty(goal: usize, most_points: usize, by_points: bool) -> Self {
        Self {
            goal,
            most_points,
            by_points,
            surprises: Vec::new(),
            first_surprise: vec![0],
            runs: Vec::new(),
            dense: Vec::new(),
            least_excess: i64::MAX,
            most_excess: i64::MIN,
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
            let plain = |total| To::any(Arrival::plain(self.goal, total, opponent));
            self.dense.extend((0..self.goal).map(plain));
            self.dense.resize((opponent + 1) * width, plain(self.goal));
            for surprise in of_row(&self.surprises, &self.first_surprise, opponent) {
                self.dense[opponent * width + surprise.total as usize] = surprise.to;
            }
        }
    }

    /// The arrival from a cell with so many points.
    #[inline(always)]
    pub fn arrival(&self, score: usize, opponent: usize, points: usize) -> Arrival {
        let total = score + points;
        if self.dense.is_empty() {
            return self.find(total, opponent, points);
        }
        self.resolve(self.dense[opponent * self.width() + total], points)
    }

    fn find(&self, total: usize, opponent: usize, points: usize) -> Arrival {
        let surprises = self.of_opponent(opponent);
        match surprises.binary_search_by_key(&(total as u32), |surprise| surprise.total) {
            Ok(place) => self.resolve(surprises[place].to, points),
            Err(_) => Arrival::plain(self.goal, total, opponent),
        }
    }

    #[inline(always)]
    fn resolve(&self, to: To, points: usize) -> Arrival {
        let Some(first) = to.runs() else { return Arrival(to.0) };
        let reaches = |run: &&PointsRun| run.from() <= points;
        self.runs[first..].iter().find(reaches).expect("the last run reaches down to no points").arrival(points)
    }

    /// Of each opponent's score and total with arrivals that are not plain, in ascending order of both: all arrivals by
    /// points, those of the most points first.
    pub fn each_surprise(&self, mut see: impl FnMut(usize, usize, &[PointsRun])) {
        for opponent in 0..self.goal {
            for surprise in self.of_opponent(opponent) {
                let any = [PointsRun::any(Arrival(surprise.to.0))];
                let runs = surprise.to.runs().map_or(&any[..], |first| self.runs_from(first));
                see(opponent, surprise.total as usize, runs);
            }
        }
    }

    fn of_opponent(&self, opponent: usize) -> &[Surprise] {
        of_row(&self.surprises, &self.first_surprise, opponent)
    }

    /// The most arrivals that are not plain among so many consecutive ones: totals, or where arrivals depend on the points,
    /// points from one cell.
    pub fn most_surprises(&self, window: usize) -> usize {
        let mut most = 0;
        for opponent in 0..self.goal {
            let row = self.of_opponent(opponent);
            most = most.max(if self.by_points { self.most_from_a_cell(opponent) } else { most_within(row, window) });
        }
        most
    }

    /// The most points, over all scores, that lead from a cell with the opponent's score to arrivals that are not plain.
    fn most_from_a_cell(&self, opponent: usize) -> usize {
        // By score: by how many more than the score before.
        let mut more = vec![0_isize; self.goal + 1];
        for surprise in self.of_opponent(opponent) {
            let total = surprise.total as usize;
            let mut count = |points: Range<usize>, times: isize| {
                let (first, last) =
                    (points.start.max((total + 1).saturating_sub(self.goal)), points.end.min(total + 1));
                if first < last {
                    more[total + 1 - last] += times;
                    more[total + 1 - first] -= times;
                }
            };
            count(0..self.most_points + 1, 1);
            let Some(first) = surprise.to.runs() else { continue };
            let plain = Arrival::plain(self.goal, total, opponent);
            let mut end = self.most_points + 1;
            for run in self.runs_from(first) {
                count(run.points_to(plain, end), -1);
                end = run.from();
            }
        }
        let mut from = 0;
        let counts = more.iter().map(|more| {
            from += more;
            from as usize
        });
        counts.max().unwrap_or(0)
    }

    /// The runs of one total, those of the most points first.
    fn runs_from(&self, first: usize) -> &[PointsRun] {
        let last = self.runs[first..].iter().position(|run| run.from() == 0);
        &self.runs[first..=first + last.expect("the last run reaches down to no points")]
    }

    /// All arrivals that are not plain: opponent's score, total, destination; `None` if the rules on totals read the points.
    pub fn surprises(&self) -> Option<impl Iterator<Item = (usize, usize, Destination)> + use<'_>> {
        let of_opponent = |opponent: usize| {
            let arrival = |surprise: &Surprise| self.resolve(surprise.to, 0).destination();
            self.of_opponent(opponent).iter().map(move |s| (opponent, s.total as usize, arrival(s)))
        };
        (!self.by_points).then(|| (0..self.goal).flat_map(of_opponent))
    }

    /// The arrivals from a cell that are not plain: points, destination.
    pub fn surprises_from(
        &self,
        score: usize,
        opponent: usize,
    ) -> impl Iterator<Item = (usize, Destination)> + use<'_> {
        let surprises = self.of_opponent(opponent);
        let first = surprises.partition_point(|surprise| (surprise.total as usize) < score);
        let last = if self.by_points { score + self.most_points } else { usize::MAX };
        let reached = surprises[first..].iter().take_while(move |surprise| surprise.total as usize <= last);
        reached.filter_map(move |surprise| {
            let points = surprise.total as usize - score;
            let arrival = self.resolve(surprise.to, points);
            let plain = Arrival::plain(self.goal, surprise.total as usize, opponent);
            (arrival != plain).then(|| (points, arrival.destination()))
        })
    }
}

fn of_row<'s>(surprises: &'s [Surprise], first: &[u32], row: usize) -> &'s [Surprise] {
    &surprises[first[row] as usize..first[row + 1] as usize]
}

/// The most surprises of a row among so many consecutive totals.
fn most_within(row: &[Surprise], window: usize) -> usize {
    let (mut first, mut most) = (0, 0);
    for (last, surprise) in row.iter().enumerate() {
        while (row[first].total as usize) + window <= surprise.total as usize {
            first += 1;
        }
        most = most.max(last + 1 - first);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::super::points_run::{Piece, append_runs};
    use super::*;

    #[test]
    fn surprises_by_points_are_counted_as_one_by_one() {
        let (goal, most_points) = (9, 6);
        let mut table = ArrivalTable::empty(goal, most_points, true);
        for opponent in 0..goal {
            for total in (0..goal + most_points).filter(|total| (total * 5 + opponent * 3) % 4 > 0) {
                let points = (total + 1).saturating_sub(goal)..=total.min(most_points);
                let plain = Arrival::plain(goal, total, opponent).0;
                let odd = |points: usize| match (total + opponent + points) % 5 {
                    0 => plain,
                    1 => WON,
                    _ => (plain % 40 + (total + opponent) as u32 % 3 * points as u32) % 81,
                };
                let least = *points.start();
                let arrivals = points.map(|points| Piece::one(Arrival(odd(points))));
                let to = if (total + opponent) % 7 == 0 {
                    To::any(LOST_ARRIVAL)
                } else {
                    append_runs(&mut table.runs, least, arrivals)
                };
                if to != To::any(Arrival(plain)) {
                    table.surprises.push(Surprise { total: total as u32, to });
                }
            }
            table.first_surprise.push(table.surprises.len() as u32);
        }
        for opponent in 0..goal {
            let from = |score: usize| table.surprises_from(score, opponent).count();
            let one_by_one = (0..goal).map(from).max().unwrap_or(0);
            assert_eq!(table.most_from_a_cell(opponent), one_by_one, "against {opponent}");
        }
    }

    const LOST_ARRIVAL: Arrival = Arrival(LOST);

    #[test]
    fn runs_tell_every_arrival_by_points() {
        for (least, arrivals) in [
            (0, vec![5, 6, 7, WON, WON, WON]),
            (3, vec![9, 9, 9, 12, 15, 18, LOST]),
            (2, vec![4, AGAIN, 3, WON, TIED, 3, 3]),
            (7, vec![1, 2]),
        ] {
            let arrivals: Vec<Arrival> = arrivals.into_iter().map(Arrival).collect();
            let mut table = ArrivalTable { most_points: least + arrivals.len(), ..ArrivalTable::empty(20, 0, true) };
            let mut append = |least: usize, arrivals: &[Arrival]| {
                append_runs(&mut table.runs, least, arrivals.iter().map(|arrival| Piece::one(*arrival)))
            };
            append(0, &[Arrival(1), Arrival(2), Arrival(4)]);
            let to = append(least, &arrivals);
            append(0, &[Arrival(8), Arrival(2)]);
            for (at, arrival) in arrivals.iter().enumerate() {
                assert_eq!(table.resolve(to, least + at), *arrival, "{arrivals:?} at {at}");
            }
        }
    }
}
