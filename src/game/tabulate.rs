//! The rules on totals, tabulated: all totals of some opponents' scores at a time, and only where the points matter, by
//! points too.

use std::ops::{Range, RangeInclusive};

use ndarray::{ArrayD, IxDyn};
use rayon::prelude::*;

use crate::rules::formula::{Arrays, Cells, Lookups, Variable};
use crate::rules::{Faults, Rules};

use super::arrival::{Arrival, ArrivalTable, Context, MOST_KEPT, Surprise, To};
use super::line::TotalLines;
use super::misrule;
use super::points_run::{Piece, PointsRun, append_runs};
use super::totals::{Misrule, SettledRow, settle};

/// Cells of one array while rules are tabulated: several arrays fit the caches, and none is so large that the system is
/// asked for its memory each time.
const CELLS_AT_ONCE: usize = 1 << 13;
/// The same by points, where more arrays are at work.
const CELLS_BY_POINTS: usize = 1 << 11;
/// Fewer cells than this are not worth waking a thread.
const WORTH_SHARING: usize = 1 << 16;
/// Parts of which all are held before they are put together.
const PARTS_AT_ONCE: usize = 256;
/// Parts among which the first misrule is looked for: that of the first rule, then of the first cell.
const PARTS_SEARCHED: usize = 4;

/// What is tabulated.
pub(super) struct Tabulation<'a> {
    pub rules: &'a Rules,
    /// Whether the rules on totals read the points.
    pub by_points: bool,
    /// The most points of a turn.
    pub most_points: usize,
    /// What formulas have looked up, in other contexts too.
    pub lookups: Lookups,
}

/// Arrivals against some opponents' scores.
#[derive(Default)]
struct Part {
    surprises: Vec<Surprise>,
    /// How many of them each opponent's score has.
    counts: Vec<u32>,
    runs: Vec<PointsRun>,
    excess: Excess,
}

impl Tabulation<'_> {
    /// Tabulates the arrivals of one context.
    ///
    /// # Errors
    /// If a rule on totals has no value somewhere or makes a score negative: the first of some opponents' scores that are
    /// tabulated together.
    pub fn table(&self, context: &Context) -> Result<ArrivalTable, Faults> {
        let (goal, width, together) = (self.rules.goal as usize, self.width(), self.together());
        let firsts: Vec<usize> = (0..goal).step_by(together).collect();
        let part = |first: &usize| (*first, self.part(context, *first..goal.min(first + together)));
        let mut table = ArrivalTable::empty(goal, self.most_points, self.by_points);
        for firsts in firsts.chunks(PARTS_AT_ONCE) {
            let parts: Vec<_> = if goal * width > WORTH_SHARING {
                firsts.par_iter().map(part).collect()
            } else {
                firsts.iter().map(part).collect()
            };
            for (first, part) in parts {
                table.append(part.map_err(|Misrule| self.misrule(context, first))?);
                if table.surprises.len().max(table.runs.len()) > MOST_KEPT {
                    let message = "the rules on totals change more totals, or by more points, than can be kept";
                    return Err(self.rules.fault(None, message.to_owned(), "lower the goal or the points of a turn"));
                }
            }
        }
        Ok(table)
    }

    /// What is wrong against some opponent's score, or another close to it.
    fn misrule(&self, context: &Context, opponent: usize) -> Faults {
        let (goal, searched) = (self.rules.goal as usize, PARTS_SEARCHED * self.together());
        let first = opponent / searched * searched;
        misrule::describe(self, context, first..goal.min(first + searched))
    }

    /// Opponents' scores that make one part.
    fn together(&self) -> usize {
        (CELLS_AT_ONCE / self.width()).max(1)
    }

    /// Totals against one opponent's score.
    fn width(&self) -> usize {
        self.rules.goal as usize + self.most_points
    }

    fn part(&self, context: &Context, opponents: Range<usize>) -> Result<Part, Misrule> {
        let settled = settle(self.rules, self.arrays_of_totals(context, opponents.clone()))?;
        let (mut part, mut open) = (Part::default(), Vec::new());
        for (row, opponent) in opponents.enumerate() {
            let (before, settled) = (part.surprises.len(), settled.row(row));
            let changes = settled.changes(self.width(), opponent as i64);
            if changes[..self.rules.goal as usize].contains(&0) {
                part.excess.join(Excess { least: 0, most: 0 });
            }
            for total in (0..self.width()).filter(|total| changes[*total] != 0) {
                let cell = (total, opponent);
                if settled.is_open(total) {
                    open.push((part.surprises.len(), cell));
                    // Known further down.
                    part.surprises.push(Surprise { total: total as u32, to: To::by_points(0) });
                } else if let Some(to) = part.to(&settled.lines(total), cell, self) {
                    part.surprises.push(Surprise { total: total as u32, to });
                }
            }
            part.counts.push((part.surprises.len() - before) as u32);
        }
        self.settle_open(context, &open, &mut part)?;
        Ok(part)
    }

    /// All totals against some opponents' scores, and points as lines.
    fn arrays_of_totals(&self, context: &Context, opponents: Range<usize>) -> Arrays<'_> {
        let (goal, width) = (self.rules.goal as i64, self.width() as i64);
        let mut arrays = self.arrays(context);
        for variable in [Variable::OPPONENT, Variable::OPPONENT_BEFORE] {
            arrays.bind_axis(variable, (0, 0..=goal - 1), opponents.clone().map(|opponent| opponent as i64));
        }
        arrays.bind_axis(Variable::SCORE, (1, 0..=width - 1), 0..width);
        if self.by_points {
            let (none, most) = (arrays.constant(0), self.most_points as i64);
            let totals = arrays.get(Variable::SCORE).expect("bound").clone();
            arrays.bind_line(Variable::POINTS, none, (1, 0..=most));
            arrays.bind_line(Variable::SCORE_BEFORE, totals, (-1, -most..=width - 1));
        }
        arrays
    }

    /// Tabulates open cells, each with the place of its surprise, by points.
    fn settle_open(&self, context: &Context, open: &[(usize, (usize, usize))], part: &mut Part) -> Result<(), Misrule> {
        let together = (CELLS_BY_POINTS / (self.most_points + 1)).max(1);
        let tabulate = |cells| self.by_points(context, cells);
        let by_points: Result<Vec<ByPoints>, Misrule> = if open.len() * (self.most_points + 1) > WORTH_SHARING {
            open.par_chunks(together).map(tabulate).collect()
        } else {
            open.chunks(together).map(tabulate).collect()
        };
        let by_points = by_points?;
        let mut places = open.iter().map(|(place, _)| *place);
        for ByPoints { destinations, runs, excess, .. } in by_points {
            let before = part.runs.len();
            for (to, place) in destinations.into_iter().zip(places.by_ref()) {
                part.surprises[place].to = to.after(before);
            }
            part.runs.extend(runs);
            part.excess.join(excess);
        }
        Ok(())
    }

    fn arrays(&self, context: &Context) -> Arrays<'_> {
        let goal = self.rules.goal as usize;
        let mut arrays = Arrays::new(2, &self.lookups, goal * self.width());
        arrays.bind_constant(Variable::GOAL, goal as i64);
        arrays.bind_constant(Variable::MAX_DICE, i64::from(self.rules.max_dice));
        for (variable, value) in &context.values {
            arrays.bind_constant(*variable, *value);
        }
        arrays
    }

    /// Tabulates cells (total, opponent's score) by points.
    fn by_points(&self, context: &Context, cells: &[(usize, (usize, usize))]) -> Result<ByPoints, Misrule> {
        let (goal, columns) = (self.rules.goal as i64, self.most_points + 1);
        let mut arrays = self.arrays(context);
        for variable in [Variable::OPPONENT, Variable::OPPONENT_BEFORE] {
            arrays.bind_axis(variable, (0, 0..=goal - 1), cells.iter().map(|(_, (_, opponent))| *opponent as i64));
        }
        let totals = cells.iter().map(|(_, (total, _))| *total as i64);
        arrays.bind_axis(Variable::SCORE, (0, 0..=self.width() as i64 - 1), totals);
        let mut points = Vec::with_capacity(cells.len() * columns);
        for (_, (total, _)) in cells {
            // Points that cannot have led to the total stand for the nearest that can.
            let (least, most) = self.points_to(*total).into_inner();
            points.extend((0..columns).map(|points| points.clamp(least, most) as i64));
        }
        let points = ArrayD::from_shape_vec(IxDyn(&[cells.len(), columns]), points).expect("one for each");
        arrays.bind(Variable::POINTS, Cells::new(points, 0..=self.most_points as i64));
        let [score, points] = [Variable::SCORE, Variable::POINTS].map(|v| arrays.get(v).expect("bound"));
        arrays.bind(Variable::SCORE_BEFORE, arrays.difference(score, points));
        let settled = settle(self.rules, arrays)?;
        let mut by_points = ByPoints::default();
        for (row, (_, cell)) in cells.iter().enumerate() {
            by_points.append(&settled.row(row), *cell, self);
        }
        Ok(by_points)
    }

    /// The points that may lead to a total, from a score below the goal.
    fn points_to(&self, total: usize) -> RangeInclusive<usize> {
        (total + 1).saturating_sub(self.rules.goal as usize)..=total.min(self.most_points)
    }
}

/// Cells tabulated by points.
#[derive(Default)]
struct ByPoints {
    destinations: Vec<To>,
    runs: Vec<PointsRun>,
    excess: Excess,
    /// Those of the cell at hand.
    arrivals: Vec<Arrival>,
}

impl ByPoints {
    /// Appends the arrivals of a cell by points, or finds that the points do not matter.
    fn append(&mut self, settled: &SettledRow, cell: (usize, usize), tabulation: &Tabulation) {
        let goal = tabulation.rules.goal as i64;
        let plain = Arrival::plain(goal as usize, cell.0, cell.1);
        let points = tabulation.points_to(cell.0);
        let least = *points.start();
        self.arrivals.clear();
        settled.each(points, |totals| {
            self.arrivals.push(self.excess.arrival(totals, cell, goal).unwrap_or(plain));
        });
        let pieces = self.arrivals.iter().map(|arrival| Piece::one(*arrival));
        self.destinations.push(append_runs(&mut self.runs, least, pieces));
    }
}

impl Part {
    /// Where a cell's totals after all rules lead, if that is not plain.
    fn to(&mut self, totals: &TotalLines, cell: (usize, usize), tabulation: &Tabulation) -> Option<To> {
        let goal = tabulation.rules.goal as i64;
        if totals.is_level() {
            return self.excess.arrival(totals.at(0), cell, goal).map(To::any);
        }
        let arrival = |points| Arrival::new(goal, totals.at(points));
        let piece = |points: Range<usize>| {
            let (count, first) = (points.len(), arrival(points.start));
            if first.ends() || count == 1 {
                self.excess.see(totals.at(points.start), cell, goal);
                return Piece { count, first, step: 0 };
            }
            // What grows along a line is least and most at its ends.
            for points in [points.start, points.end - 1] {
                self.excess.see(totals.at(points), cell, goal);
            }
            Piece { count, first, step: arrival(points.start + 1).0.wrapping_sub(first.0) }
        };
        let points = tabulation.points_to(cell.0);
        let least = *points.start();
        Some(append_runs(&mut self.runs, least, totals.pieces(goal, points).map(piece)))
    }
}

impl To {
    /// The same where so many runs come before. Too many are refused once all are counted.
    fn after(self, runs: usize) -> Self {
        self.runs().map_or(self, |first| Self::by_points((first + runs) % MOST_KEPT))
    }
}

/// The least and the most that the sum of scores grows by beside the turn's points, over arrivals that go on.
#[derive(Clone, Copy)]
struct Excess {
    least: i64,
    most: i64,
}

impl Default for Excess {
    fn default() -> Self {
        Self { least: i64::MAX, most: i64::MIN }
    }
}

impl Excess {
    fn join(&mut self, other: Self) {
        (self.least, self.most) = (self.least.min(other.least), self.most.max(other.most));
    }

    /// Takes in totals after all rules from a cell (total, opponent's score).
    #[inline(always)]
    fn see(&mut self, (score, opponent, _): (i64, i64, bool), (total, other): (usize, usize), goal: i64) {
        if score < goal && opponent < goal {
            let excess = score + opponent - total as i64 - other as i64;
            self.join(Self { least: excess, most: excess });
        }
    }

    /// The arrival with totals after all rules from a cell (total, opponent's score), if it is not plain.
    #[inline(always)]
    fn arrival(&mut self, totals: (i64, i64, bool), (total, other): (usize, usize), goal: i64) -> Option<Arrival> {
        self.see(totals, (total, other), goal);
        if totals == (total as i64, other as i64, false) {
            return None;
        }
        let arrival = Arrival::new(goal, totals);
        (arrival != Arrival::plain(goal as usize, total, other)).then_some(arrival)
    }
}

impl ArrivalTable {
    fn append(&mut self, part: Part) {
        let (goal, runs) = (self.goal, self.runs.len());
        let mut surprises = part.surprises.into_iter();
        for count in part.counts {
            let opponent = self.first_surprise.len() - 1;
            for surprise in surprises.by_ref().take(count as usize) {
                let to = surprise.to.after(runs);
                if to != To::any(Arrival::plain(goal, surprise.total as usize, opponent)) {
                    self.surprises.push(Surprise { to, ..surprise });
                }
            }
            self.first_surprise.push(self.surprises.len() as u32);
        }
        self.runs.extend(part.runs);
        self.least_excess = self.least_excess.min(part.excess.least);
        self.most_excess = self.most_excess.max(part.excess.most);
    }
}

#[cfg(test)]
mod tests {
    use super::super::turn::settle;
    use super::*;

    const MOST_POINTS: usize = 11;

    fn rules(hooks: &str) -> Rules {
        let text = format!("id = \"lines\"\ngoal = 20\nmax_dice = 2\n[[rule]]\nname = \"Lines\"\n{hooks}");
        crate::rules::rules_from_text(&text, "lines", Default::default()).expect("sound rules")
    }

    fn table(rules: &Rules) -> Result<ArrivalTable, Faults> {
        let tabulation = Tabulation { rules, by_points: true, most_points: MOST_POINTS, lookups: Lookups::default() };
        tabulation.table(&Context::default())
    }

    /// Holds all arrivals equal to those of single turns, and the excess to the least and the most of theirs.
    fn compare(hooks: &str) {
        let (rules, goal) = (rules(hooks), 20);
        let table = table(&rules).expect("sound rules");
        let mut excess = Excess::default();
        for (score, opponent) in (0..goal).flat_map(|score| (0..goal).map(move |opponent| (score, opponent))) {
            for points in 0..=MOST_POINTS {
                let total = score + points;
                let turn = settle(&rules, (total as u32, opponent as u32), points as u32).expect("a value");
                let totals = (turn.score, turn.opponent, turn.again);
                excess.see(totals, (total, opponent), goal as i64);
                let arrival = Arrival::new(goal as i64, totals);
                assert_eq!(
                    table.arrival(score, opponent, points),
                    arrival,
                    "{hooks} from {score}-{opponent} by {points}"
                );
            }
        }
        assert_eq!((table.least_excess, table.most_excess), (excess.least, excess.most), "{hooks}");
    }

    #[test]
    fn totals_that_grow_with_the_points_lead_where_single_turns_do() {
        let prime = |whose: &str| format!("is_prime(score + opponent) && {whose}");
        let (own, other) = (
            prime("score > opponent ? score + points : score"),
            prime("opponent > score ? opponent + points : opponent"),
        );
        compare(&format!("score = \"{own}\"\nopponent_score = \"{other}\""));
        compare(
            "score = \"opponent % 3 == 0 ? score_before : score + points + points\"\nagain = \"opponent % 2 == 0\"",
        );
        compare("opponent_score = \"score % 2 == 0 ? opponent + points : opponent\"\nswap = \"opponent % 5 == 1\"");
    }

    #[test]
    fn totals_that_depend_on_the_points_in_other_ways_do_too() {
        compare("score = \"points % 4 == 1 ? score_before : score + 2 * points\"");
        compare("score = \"score % 3 == 0 ? score - points : score\"\nswap = \"points > opponent\"");
        compare("again = \"score_before == opponent\"");
    }

    #[test]
    fn a_line_below_zero_is_a_fault_where_points_can_lead_there() {
        compare("score = \"score >= 15 ? score - points : score\"");
        assert!(table(&rules("score = \"score - points - points\"")).is_err());
    }
}
