//! Stage 3, from distributions to successors: the rules on totals, tabulated. All totals that turns can reach are looked at
//! for some opponents' scores at a time, and only where the points matter, by points too.

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

use ndarray::{ArrayD, IxDyn};
use rayon::prelude::*;

use crate::rules::formula::{Arrays, Cells, Lookups, Variable};
use crate::rules::{Faults, Rules};

use super::limits;
use super::misrule;
use super::raw::{Context, Distributions};
use super::segments::{PointsSegment, append_segments};
use super::successors::{Corrections, Exceptional, MOST_KEPT, PackedSuccessor, SuccessorTable, To};
use super::totals::{Misrule, TotalLines, settle};
use super::{GameError, GoOn};

/// Cells of one array while rules are tabulated: several arrays fit the caches, and none is so large that the system is
/// asked for its memory each time.
const CELLS_AT_ONCE: usize = 1 << 13;
/// The same by points, where more arrays are at work.
const CELLS_BY_POINTS: usize = 1 << 11;
/// Fewer cells than this are not worth waking a thread.
const WORTH_SHARING: usize = 1 << 16;
/// How many times the work a total is where some must be looked at by points.
const BY_POINTS_COSTS: usize = 8;
/// Parts for each thread that are held before they are put together, and before it is asked whether to go on.
const PARTS_AT_ONCE: usize = 16;
/// The same by points, where a part takes longer.
const PARTS_BY_POINTS: usize = 2;
/// Parts among which the first misrule is looked for: that of the first rule, then of the first cell.
const PARTS_SEARCHED: usize = 4;

/// Where turns lead.
pub(super) struct Successors {
    /// The distinct tables.
    pub tables: Vec<SuccessorTable>,
    /// The table of each context.
    pub of_context: Vec<u16>,
}

/// The successors of all contexts.
///
/// # Errors
/// If a rule on totals has no value somewhere or makes a score negative, too much would have to be tabulated, or the work
/// is stopped.
pub(super) fn successors(rules: &Rules, distributions: &Distributions, go_on: GoOn) -> Result<Successors, GameError> {
    let tabulation = Tabulation::new(rules, distributions);
    limits::refuse_many_totals(rules, tabulation.totals.len(), distributions.contexts.len())?;
    let mut tables: Vec<SuccessorTable> = Vec::new();
    let mut of_context = Vec::with_capacity(distributions.contexts.len());
    for context in &distributions.contexts {
        let table = tabulation.table(context, go_on)?;
        let number = tables.iter().position(|known| *known == table).unwrap_or_else(|| {
            tables.push(table);
            tables.len() - 1
        });
        let number = u16::try_from(number).map_err(|_| {
            let message = "the rules on totals tell apart more than 65,536 kinds of turns".to_owned();
            rules.fault(None, message, "let them read fewer variables")
        })?;
        of_context.push(number);
    }
    Ok(Successors { tables, of_context })
}

/// What is tabulated.
pub(super) struct Tabulation<'a> {
    pub rules: &'a Rules,
    /// Whether the rules on totals read the points.
    pub by_points: bool,
    /// The points that turns may bring, ascending.
    points: Vec<usize>,
    /// The totals that these may lead to, ascending.
    pub totals: Vec<usize>,
    /// What formulas have looked up, in other contexts too.
    lookups: Lookups,
}

/// Successors against some opponents' scores.
#[derive(Default)]
struct TablePart {
    exceptional: Vec<Exceptional>,
    /// How many of them each opponent's score has.
    counts: Vec<u32>,
    segments: Vec<PointsSegment>,
    corrections: Corrections,
}

impl<'a> Tabulation<'a> {
    fn new(rules: &'a Rules, distributions: &Distributions) -> Self {
        let clean = distributions.all.iter().filter_map(|distribution| distribution.clean.as_ref());
        let outcomes = clean.flat_map(|clean| &clean.outcomes);
        let outcomes = outcomes.chain(distributions.all.iter().flat_map(|distribution| &distribution.remainder));
        Self::of_points(rules, distributions.by_points, outcomes.map(|(outcome, _)| outcome.points as usize))
    }

    fn of_points(rules: &'a Rules, by_points: bool, points: impl Iterator<Item = usize>) -> Self {
        let points: Vec<usize> = points.collect::<BTreeSet<usize>>().into_iter().collect();
        let mut totals: Vec<usize> = Vec::new();
        for points in &points {
            let first = totals.last().map_or(0, |last| last + 1);
            totals.extend(first.max(*points)..points + rules.goal as usize);
        }
        Self { rules, by_points, points, totals, lookups: Lookups::default() }
    }

    /// Tabulates the successors of one context.
    ///
    /// # Errors
    /// If a rule on totals has no value somewhere or makes a score negative: the first of some opponents' scores that are
    /// tabulated together.
    fn table(&self, context: &Context, go_on: GoOn) -> Result<SuccessorTable, GameError> {
        let (goal, width, together) = (self.rules.goal as usize, self.totals.len(), self.together());
        let firsts: Vec<usize> = (0..goal).step_by(together).collect();
        let part = |first: &usize| (*first, self.part(context, *first..goal.min(first + together)));
        let mut table = SuccessorTable::empty(goal);
        let at_once = if self.by_points { PARTS_BY_POINTS } else { PARTS_AT_ONCE } * rayon::current_num_threads();
        for firsts in firsts.chunks(at_once) {
            go_on.ask()?;
            let parts: Vec<_> = if goal * width * if self.by_points { BY_POINTS_COSTS } else { 1 } > WORTH_SHARING {
                firsts.par_iter().map(part).collect()
            } else {
                firsts.iter().map(part).collect()
            };
            for (first, part) in parts {
                table.append(part.map_err(|Misrule| self.misrule(context, first))?);
                if table.exceptional.len().max(table.segments.len()) > MOST_KEPT {
                    let message = "the rules on totals change more totals, or by more points, than can be kept";
                    let fix = "lower the goal or the points of a turn";
                    return Err(self.rules.fault(None, message.to_owned(), fix).into());
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
        (CELLS_AT_ONCE / self.totals.len()).max(1)
    }

    /// The most points of a turn.
    pub fn most_points(&self) -> usize {
        self.points.last().copied().unwrap_or(0)
    }

    /// The range of totals.
    fn range(&self) -> RangeInclusive<i64> {
        0..=self.totals.last().copied().unwrap_or(0) as i64
    }

    fn part(&self, context: &Context, opponents: Range<usize>) -> Result<TablePart, Misrule> {
        let settled = settle(self.rules, self.arrays_of_totals(context, opponents.clone()))?;
        let (mut part, mut open) = (TablePart::default(), Vec::new());
        let below = self.totals.partition_point(|total| *total < self.rules.goal as usize);
        for (row, opponent) in opponents.enumerate() {
            let (before, settled) = (part.exceptional.len(), settled.row(row));
            let changes = settled.changes(&self.totals, opponent as i64);
            if changes[..below].contains(&0) {
                part.corrections.join(Corrections { least: 0, most: 0 });
            }
            let changed = changes.iter().zip(&self.totals).enumerate().filter(|(_, (change, _))| **change != 0);
            for (column, (_, total)) in changed {
                let cell = (*total, opponent);
                if settled.is_open(column) {
                    open.push((part.exceptional.len(), cell));
                    // Known further down.
                    part.exceptional.push(Exceptional { total: *total as u32, to: To::by_points(0) });
                } else if let Some(to) = part.to(&settled.lines(column), cell, self) {
                    part.exceptional.push(Exceptional { total: *total as u32, to });
                }
            }
            part.counts.push((part.exceptional.len() - before) as u32);
        }
        for cells in open.chunks((CELLS_BY_POINTS / self.columns()).max(1)) {
            self.by_points(context, cells, &mut part)?;
        }
        Ok(part)
    }

    /// All totals against some opponents' scores, and points as lines.
    fn arrays_of_totals(&self, context: &Context, opponents: Range<usize>) -> Arrays<'_> {
        let goal = i64::from(self.rules.goal);
        let mut arrays = self.arrays(context);
        for variable in [Variable::OPPONENT, Variable::OPPONENT_BEFORE] {
            arrays.bind_axis(variable, (0, 0..=goal - 1), opponents.clone().map(|opponent| opponent as i64));
        }
        arrays.bind_axis(Variable::SCORE, (1, self.range()), self.totals.iter().map(|total| *total as i64));
        if self.by_points {
            let (none, most) = (arrays.constant(0), self.most_points() as i64);
            let totals = arrays.get(Variable::SCORE).expect("bound").clone();
            arrays.bind_line(Variable::POINTS, none, (1, 0..=most));
            arrays.bind_line(Variable::SCORE_BEFORE, totals, (-1, -most..=*self.range().end()));
        }
        arrays
    }

    fn arrays(&self, context: &Context) -> Arrays<'_> {
        let goal = self.rules.goal as usize;
        let mut arrays = Arrays::new(2, &self.lookups, goal * self.totals.len());
        arrays.bind_constant(Variable::GOAL, goal as i64);
        arrays.bind_constant(Variable::MAX_DICE, i64::from(self.rules.max_dice));
        for (variable, value) in &context.values {
            arrays.bind_constant(*variable, *value);
        }
        arrays
    }

    /// Tabulates cells (total, opponent's score) by points, each with its place among the exceptional.
    fn by_points(
        &self,
        context: &Context,
        cells: &[(usize, (usize, usize))],
        part: &mut TablePart,
    ) -> Result<(), Misrule> {
        let (goal, columns) = (i64::from(self.rules.goal), self.columns());
        let mut arrays = self.arrays(context);
        for variable in [Variable::OPPONENT, Variable::OPPONENT_BEFORE] {
            arrays.bind_axis(variable, (0, 0..=goal - 1), cells.iter().map(|(_, (_, opponent))| *opponent as i64));
        }
        let totals = cells.iter().map(|(_, (total, _))| *total as i64);
        arrays.bind_axis(Variable::SCORE, (0, self.range()), totals);
        let mut points = Vec::with_capacity(cells.len() * columns);
        for (_, (total, _)) in cells {
            // Where fewer can have led to the total, the most of them fill the row.
            let (least, most) = self.points_to(*total).into_inner();
            points.extend((least..least + columns).map(|points| points.min(most) as i64));
        }
        let points = ArrayD::from_shape_vec(IxDyn(&[cells.len(), columns]), points).expect("one for each");
        arrays.bind(Variable::POINTS, Cells::new(points, 0..=self.most_points() as i64));
        let [score, points] = [Variable::SCORE, Variable::POINTS].map(|v| arrays.get(v).expect("bound"));
        arrays.bind(Variable::SCORE_BEFORE, arrays.difference(score, points));
        let settled = settle(self.rules, arrays)?;
        let mut successors = Vec::with_capacity(columns);
        for (row, (place, cell)) in cells.iter().enumerate() {
            let (least, most) = self.points_to(cell.0).into_inner();
            settled.row(row).each(0..=most - least, |totals| {
                part.corrections.see(totals, *cell, goal);
                successors.push(PackedSuccessor::new(goal, totals));
            });
            part.exceptional[*place].to = append_segments(&mut part.segments, least, successors.drain(..));
        }
        Ok(())
    }

    /// The points that may lead to a total, from a score below the goal.
    fn points_to(&self, total: usize) -> RangeInclusive<usize> {
        (total + 1).saturating_sub(self.rules.goal as usize)..=total.min(self.most_points())
    }

    /// The most numbers of points that may lead to one total.
    fn columns(&self) -> usize {
        (self.most_points() + 1).min(self.rules.goal as usize)
    }
}

impl TablePart {
    /// Where a cell's totals after all rules lead, if that is exceptional.
    fn to(&mut self, totals: &TotalLines, cell: (usize, usize), tabulation: &Tabulation) -> Option<To> {
        let goal = tabulation.rules.goal as i64;
        if totals.is_level() {
            self.corrections.see(totals.at(0), cell, goal);
            let successor = PackedSuccessor::new(goal, totals.at(0));
            return (successor != PackedSuccessor::regular(goal as usize, cell.0, cell.1))
                .then_some(To::any(successor));
        }
        let (least, most) = tabulation.points_to(cell.0).into_inner();
        // What holds at both ends of a line holds between: that the game goes on, or that the mover has won.
        let [fewest, most_points] = [least, most].map(|points| {
            self.corrections.see(totals.at(points), cell, goal);
            let (score, opponent, _) = totals.at(points);
            (score < goal && opponent < goal, score >= goal && score > opponent)
        });
        let alike = fewest == most_points && fewest != (false, false);
        let last = if alike { most.min(least + 1) } else { most };
        let successors = (least..=last).map(|points| {
            self.corrections.see(totals.at(points), cell, goal);
            PackedSuccessor::new(goal, totals.at(points))
        });
        Some(append_segments(&mut self.segments, least, successors))
    }
}

impl To {
    /// The same where so many segments come before. Too many are refused once all are counted.
    fn after(self, segments: usize) -> Self {
        self.segments().map_or(self, |first| Self::by_points((first + segments) % MOST_KEPT))
    }
}

impl SuccessorTable {
    fn append(&mut self, part: TablePart) {
        let (goal, segments) = (self.goal, self.segments.len());
        let mut found = part.exceptional.into_iter();
        for count in part.counts {
            let opponent = self.first_of.len() - 1;
            for exceptional in found.by_ref().take(count as usize) {
                let to = exceptional.to.after(segments);
                if to != To::any(PackedSuccessor::regular(goal, exceptional.total as usize, opponent)) {
                    self.exceptional.push(Exceptional { to, ..exceptional });
                }
            }
            self.first_of.push(self.exceptional.len() as u32);
        }
        self.segments.extend(part.segments);
        self.least_correction = self.least_correction.min(part.corrections.least);
        self.most_correction = self.most_correction.max(part.corrections.most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::settle;

    const MOST_POINTS: usize = 11;

    fn rules(hooks: &str) -> Rules {
        let text = format!("id = \"lines\"\ngoal = 20\nmax_dice = 2\n[[rule]]\nname = \"Lines\"\n{hooks}");
        crate::rules::rules_from_text(&text, "lines", Default::default()).expect("sound rules")
    }

    fn table(rules: &Rules) -> Result<SuccessorTable, Faults> {
        let table = Tabulation::of_points(rules, true, 0..=MOST_POINTS).table(&Context::default(), GoOn(&|| true));
        table.map_err(|error| match error {
            GameError::Faulty(faults) => faults,
            GameError::Stopped => panic!("nobody stops it"),
        })
    }

    /// Holds all successors equal to those of single turns, and the corrections to the least and the most of theirs.
    fn compare(hooks: &str) {
        let (rules, goal) = (rules(hooks), 20);
        let table = table(&rules).expect("sound rules");
        let mut corrections = Corrections::default();
        for (score, opponent) in (0..goal).flat_map(|score| (0..goal).map(move |opponent| (score, opponent))) {
            for points in 0..=MOST_POINTS {
                let total = score + points;
                let turn = settle(&rules, (total as u32, opponent as u32), points as u32).expect("a value");
                let totals = (turn.score, turn.opponent, turn.again);
                corrections.see(totals, (total, opponent), goal as i64);
                let successor = PackedSuccessor::new(goal as i64, totals);
                assert_eq!(
                    table.arrival(score, opponent, points),
                    successor,
                    "{hooks} from {score}-{opponent} by {points}"
                );
            }
        }
        assert_eq!((table.least_correction, table.most_correction), (corrections.least, corrections.most), "{hooks}");
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
