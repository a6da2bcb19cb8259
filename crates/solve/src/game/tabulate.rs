//! Phase 3, from distributions to successors: applies the rules on totals to all totals that turns
//! can reach, for a few opponents' scores at a time; where the result depends on the points, also
//! for each number of points.

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

use ndarray::{ArrayD, IxDyn};
use rayon::prelude::*;

use crate::rules::formula::{Arrays, Cells, Lookups, Variable};
use crate::rules::{Place, Rules};

use super::failure;
use super::raw::{Context, Distributions};
use super::size;
use super::table::{
    Exceptional, MOST_KEPT, MostCorrection, PackedSuccessor, PointsSegment, SuccessorTable,
    TotalSuccessor, append_segments,
};
use super::totals::{LinearTotals, RuleFailure, Settled, apply_rules};
use super::{Budget, GameError};

/// The target number of cells in one array: several fit the caches, and none needs a system call to
/// be allocated.
const CELLS_AT_ONCE: usize = 1 << 13;
/// The same when tabulating by points, which uses more arrays.
const CELLS_BY_POINTS: usize = 1 << 11;
/// Tables of at most this many cells are computed on one thread.
const MOST_SERIAL: usize = 1 << 16;
/// The assumed cost of a cell if rules on totals read the points, relative to a cell otherwise.
const POINTS_COST: usize = 8;
/// Parts that each thread computes before they are appended to the table and cancellation is
/// checked.
const PARTS_AT_ONCE: usize = 16;
/// The same if rules on totals read the points, where a part takes longer.
const PARTS_BY_POINTS: usize = 2;
/// The number of parts that are searched for the first failing rule and its first cell.
const PARTS_SEARCHED: usize = 4;

/// The successors of all contexts.
pub(super) struct Successors {
    /// The distinct tables.
    pub tables: Vec<SuccessorTable>,
    /// The table of each context.
    pub of_context: Vec<u16>,
}

/// Tabulates the successors of all contexts.
///
/// # Errors
/// Returns an error if a rule on totals fails somewhere, the tables would be too large, or the work
/// is cancelled.
pub(super) fn successors(
    rules: &Rules,
    distributions: &Distributions,
    budget: Budget,
) -> Result<Successors, GameError> {
    let tabulation = Tabulation::new(rules, distributions, budget);
    size::refuse_many_totals(rules, tabulation.totals.len(), distributions.contexts.len())?;
    let mut tables: Vec<SuccessorTable> = Vec::new();
    let mut kept = 0;
    let mut of_context = Vec::with_capacity(distributions.contexts.len());
    for context in &distributions.contexts {
        let table = tabulation.table(context, kept)?;
        let number = tables.iter().position(|known| *known == table).unwrap_or_else(|| {
            kept += table.bytes();
            tables.push(table);
            tables.len() - 1
        });
        let number = u16::try_from(number).map_err(|_| {
            let message =
                "the rules on totals distinguish more than 65,536 kinds of turns".to_owned();
            rules.fault(Place::File, message, "let them read fewer variables")
        })?;
        of_context.push(number);
    }
    Ok(Successors { tables, of_context })
}

/// The input of a tabulation.
pub(super) struct Tabulation<'a> {
    pub rules: &'a Rules,
    /// Whether the rules on totals read the points.
    pub points_matter: bool,
    /// The points that turns may score, ascending.
    points: Vec<usize>,
    /// The totals that turns may reach, ascending.
    pub totals: Vec<usize>,
    /// Cached function values, shared by all contexts.
    lookups: Lookups<'a>,
    /// What stops the tabulation.
    budget: Budget<'a>,
}

/// The part of a table for some opponents' scores.
#[derive(Default)]
struct TablePart {
    exceptional: Vec<Exceptional>,
    /// The number of exceptional totals of each opponent's score.
    counts: Vec<u32>,
    segments: Vec<PointsSegment>,
    most_correction: MostCorrection,
}

impl<'a> Tabulation<'a> {
    fn new(rules: &'a Rules, distributions: &Distributions, budget: Budget<'a>) -> Self {
        let clean = distributions.all.iter().filter_map(|distribution| distribution.clean.as_ref());
        let outcomes = clean.flat_map(|clean| &clean.outcomes);
        let outcomes = outcomes
            .chain(distributions.all.iter().flat_map(|distribution| &distribution.remainder));
        let points = outcomes.map(|(outcome, _)| outcome.points as usize);
        Self::of_points(rules, distributions.points_matter, points, budget)
    }

    fn of_points(
        rules: &'a Rules,
        points_matter: bool,
        points: impl Iterator<Item = usize>,
        budget: Budget<'a>,
    ) -> Self {
        let points: Vec<usize> = points.collect::<BTreeSet<usize>>().into_iter().collect();
        let mut totals: Vec<usize> = Vec::new();
        for points in &points {
            let first = totals.last().map_or(0, |last| last + 1);
            totals.extend(first.max(*points)..points + rules.goal as usize);
        }
        Self {
            rules,
            points_matter,
            points,
            totals,
            lookups: Lookups::watched(budget.keep_going),
            budget,
        }
    }

    /// Tabulates the successors of one context; tables of `kept` bytes are in memory already.
    ///
    /// # Errors
    /// Returns the errors of [`successors`]; the failure of a rule is described for the first part
    /// that fails.
    fn table(&self, context: &Context, kept: usize) -> Result<SuccessorTable, GameError> {
        let goal = self.rules.goal as usize;
        let width = self.totals.len();
        let firsts: Vec<usize> = (0..goal).step_by(self.together()).collect();
        let cost = goal * width * if self.points_matter { POINTS_COST } else { 1 };
        let mut table = SuccessorTable::empty(goal);
        let at_once = if self.points_matter { PARTS_BY_POINTS } else { PARTS_AT_ONCE }
            * rayon::current_num_threads();
        for firsts in firsts.chunks(at_once) {
            self.budget.check()?;
            let parts: Vec<_> = if cost > MOST_SERIAL {
                firsts.par_iter().map(|first| self.part_from(context, *first)).collect()
            } else {
                firsts.iter().map(|first| self.part_from(context, *first)).collect()
            };
            for (first, part) in firsts.iter().zip(parts) {
                match part {
                    Ok(part) => table.append(part),
                    Err(RuleFailure) => return Err(self.describe_failure(context, *first)),
                }
                if table.exceptional.len().max(table.segments.len()) > MOST_KEPT {
                    let message = "the rules on totals change too many totals to be tabulated";
                    let fix = "lower the goal or the points of a turn";
                    return Err(self.rules.fault(Place::File, message.to_owned(), fix).into());
                }
            }
            size::refuse_much_memory(self.rules, kept + table.bytes(), self.budget)?;
        }
        table.exceptional.shrink_to_fit();
        table.segments.shrink_to_fit();
        Ok(table)
    }

    /// Describes the failure at an opponent's score, or at a nearby one. Rules also fail where they
    /// were stopped.
    fn describe_failure(&self, context: &Context, opponent: usize) -> GameError {
        if let Err(stopped) = self.budget.check() {
            return stopped;
        }
        let goal = self.rules.goal as usize;
        let searched = PARTS_SEARCHED * self.together();
        let first = opponent / searched * searched;
        let opponents = first..goal.min(first + searched);
        let every: Vec<usize> = (0..=self.most_points()).collect();
        // Where the points do not matter, a total is told as points from the score 0.
        let (scores, points) =
            if self.points_matter { (0..goal, &every) } else { (0..1, &self.totals) };
        match failure::describe(self.rules, context, opponents, scores, points, self.budget) {
            Ok(faults) => faults.into(),
            Err(stopped) => stopped,
        }
    }

    /// The number of opponents' scores in one part.
    fn together(&self) -> usize {
        (CELLS_AT_ONCE / self.totals.len()).max(1)
    }

    /// The most points of a turn.
    pub fn most_points(&self) -> usize {
        self.points.last().copied().unwrap_or(0)
    }

    /// A range that holds all totals.
    fn range(&self) -> RangeInclusive<i64> {
        0..=self.totals.last().copied().unwrap_or(0) as i64
    }

    /// Computes the part of the table from an opponent's score on.
    fn part_from(&self, context: &Context, first: usize) -> Result<TablePart, RuleFailure> {
        let end = (first + self.together()).min(self.rules.goal as usize);
        self.part(context, first..end)
    }

    /// Computes the part of the table for some opponents' scores.
    fn part(&self, context: &Context, opponents: Range<usize>) -> Result<TablePart, RuleFailure> {
        let result = apply_rules(self.rules, self.arrays_of_totals(context, opponents.clone()))?;
        let mut part = TablePart::default();
        let mut nonlinear = Vec::new();
        let below = self.totals.partition_point(|total| *total < self.rules.goal as usize);
        for (row, opponent) in opponents.enumerate() {
            let before = part.exceptional.len();
            let result = result.row(row);
            let changes = result.changes(&self.totals, opponent as i64);
            if changes[..below].contains(&0) {
                part.most_correction.join(MostCorrection(0));
            }
            let changed = changes
                .iter()
                .zip(&self.totals)
                .enumerate()
                .filter(|(_, (change, _))| **change != 0);
            for (column, (_, total)) in changed {
                let cell = (*total, opponent);
                if result.is_nonlinear(column) {
                    nonlinear.push((part.exceptional.len(), cell));
                    // A placeholder, replaced below.
                    part.exceptional.push(Exceptional {
                        total: *total as u32,
                        successor: TotalSuccessor::by_points(0),
                    });
                } else if let Some(successor) =
                    part.exceptional_successor(&result.linear(column), cell, self)
                {
                    part.exceptional.push(Exceptional { total: *total as u32, successor });
                }
            }
            part.counts.push((part.exceptional.len() - before) as u32);
        }
        for cells in nonlinear.chunks((CELLS_BY_POINTS / self.columns()).max(1)) {
            self.tabulate_by_points(context, cells, &mut part)?;
        }
        Ok(part)
    }

    /// Binds the totals (columns) and some opponents' scores (rows), with the points as linear
    /// variables.
    fn arrays_of_totals(&self, context: &Context, opponents: Range<usize>) -> Arrays<'_> {
        let goal = i64::from(self.rules.goal);
        let mut arrays = self.arrays(context);
        for variable in [Variable::OPPONENT, Variable::OPPONENT_BEFORE] {
            arrays.bind_axis(
                variable,
                0,
                0..=goal - 1,
                opponents.clone().map(|opponent| opponent as i64),
            );
        }
        arrays.bind_axis(
            Variable::SCORE,
            1,
            self.range(),
            self.totals.iter().map(|total| *total as i64),
        );
        if self.points_matter {
            let none = arrays.constant(0);
            let most = self.most_points() as i64;
            let totals = arrays.get(Variable::SCORE).expect("bound").clone();
            arrays.bind_linear(Variable::POINTS, none, 1, 0..=most);
            arrays.bind_linear(Variable::SCORE_BEFORE, totals, -1, -most..=*self.range().end());
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

    /// Tabulates cells (total, opponent's score), each with its index in `part.exceptional`, for
    /// each number of points.
    fn tabulate_by_points(
        &self,
        context: &Context,
        cells: &[(usize, (usize, usize))],
        part: &mut TablePart,
    ) -> Result<(), RuleFailure> {
        let goal = i64::from(self.rules.goal);
        let columns = self.columns();
        let mut arrays = self.arrays(context);
        for variable in [Variable::OPPONENT, Variable::OPPONENT_BEFORE] {
            arrays.bind_axis(
                variable,
                0,
                0..=goal - 1,
                cells.iter().map(|(_, (_, opponent))| *opponent as i64),
            );
        }
        let totals = cells.iter().map(|(_, (total, _))| *total as i64);
        arrays.bind_axis(Variable::SCORE, 0, self.range(), totals);
        let mut points = Vec::with_capacity(cells.len() * columns);
        for (_, (total, _)) in cells {
            // If fewer numbers of points can lead to the total, the row is padded with the largest
            // of them.
            let (least, most) = self.points_to(*total).into_inner();
            points.extend((least..least + columns).map(|points| points.min(most) as i64));
        }
        let points =
            ArrayD::from_shape_vec(IxDyn(&[cells.len(), columns]), points).expect("one for each");
        arrays.bind(Variable::POINTS, Cells::new(points, 0..=self.most_points() as i64));
        let [score, points] =
            [Variable::SCORE, Variable::POINTS].map(|v| arrays.get(v).expect("bound"));
        arrays.bind(Variable::SCORE_BEFORE, arrays.difference(score, points));
        let result = apply_rules(self.rules, arrays)?;
        let mut successors = Vec::with_capacity(columns);
        for (row, (place, cell)) in cells.iter().enumerate() {
            let (least, most) = self.points_to(cell.0).into_inner();
            result.row(row).each(0..=most - least, |totals| {
                part.most_correction.see(totals, cell.0, cell.1, goal);
                successors.push(PackedSuccessor::new(goal, totals));
            });
            part.exceptional[*place].successor =
                append_segments(&mut part.segments, least, successors.drain(..));
        }
        Ok(())
    }

    /// The points by which a turn can reach a total from a score below the goal.
    fn points_to(&self, total: usize) -> RangeInclusive<usize> {
        (total + 1).saturating_sub(self.rules.goal as usize)..=total.min(self.most_points())
    }

    /// An upper bound on how many numbers of points can lead to one total.
    fn columns(&self) -> usize {
        (self.most_points() + 1).min(self.rules.goal as usize)
    }
}

impl TablePart {
    /// The successors of a cell with these totals after all rules, if they may be exceptional.
    fn exceptional_successor(
        &mut self,
        totals: &LinearTotals,
        cell: (usize, usize),
        tabulation: &Tabulation,
    ) -> Option<TotalSuccessor> {
        let goal = tabulation.rules.goal as i64;
        if totals.is_constant() {
            self.most_correction.see(totals.at(0), cell.0, cell.1, goal);
            let successor = PackedSuccessor::new(goal, totals.at(0));
            return (successor != PackedSuccessor::regular(goal as usize, cell.0, cell.1))
                .then_some(TotalSuccessor::any(successor));
        }
        let (least, most) = tabulation.points_to(cell.0).into_inner();
        // A condition that holds at both ends holds in between: that the game continues, or that
        // the mover has won.
        let [fewest, most_points] = [least, most].map(|points| {
            self.most_correction.see(totals.at(points), cell.0, cell.1, goal);
            let Settled { score, opponent, .. } = totals.at(points);
            (score < goal && opponent < goal, score >= goal && score > opponent)
        });
        let alike = fewest == most_points && fewest != (false, false);
        let last = if alike { most.min(least + 1) } else { most };
        let successors = (least..=last).map(|points| {
            self.most_correction.see(totals.at(points), cell.0, cell.1, goal);
            PackedSuccessor::new(goal, totals.at(points))
        });
        Some(append_segments(&mut self.segments, least, successors))
    }
}

impl SuccessorTable {
    fn append(&mut self, part: TablePart) {
        let goal = self.goal;
        let segments = self.segments.len();
        let mut found = part.exceptional.into_iter();
        for count in part.counts {
            let opponent = self.first_of.len() - 1;
            for exceptional in found.by_ref().take(count as usize) {
                let successor = exceptional.successor.after(segments);
                let regular = PackedSuccessor::regular(goal, exceptional.total as usize, opponent);
                if successor != TotalSuccessor::any(regular) {
                    self.exceptional.push(Exceptional { successor, ..exceptional });
                }
            }
            self.first_of.push(self.exceptional.len() as u32);
        }
        self.segments.extend(part.segments);
        self.most_correction.join(part.most_correction);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ClassSuccessors;
    use crate::rules::Faults;
    use crate::turn::settle;

    const MOST_POINTS: usize = 11;

    fn rules(hooks: &str) -> Rules {
        let text =
            format!("id = \"lines\"\ngoal = 20\nmax_dice = 2\n[[rule]]\nname = \"Lines\"\n{hooks}");
        crate::rules::rules_from_text(&text, "lines", Default::default()).expect("valid rules")
    }

    fn table(rules: &Rules) -> Result<SuccessorTable, Faults> {
        let budget = Budget { memory: u64::MAX, keep_going: &|| true };
        let table = Tabulation::of_points(rules, true, 0..=MOST_POINTS, budget)
            .table(&Context::default(), 0);
        table.map_err(|error| match error {
            GameError::Faulty(faults) => faults,
            GameError::Stopped => panic!("the callback never cancels"),
        })
    }

    /// Asserts that all successors equal those of single turns, and that the largest correction is
    /// exact.
    fn compare(hooks: &str) {
        let (rules, goal) = (rules(hooks), 20);
        let table = table(&rules).expect("valid rules");
        let successors = ClassSuccessors::new(&table, (0..=MOST_POINTS).collect());
        let mut most_correction = MostCorrection::default();
        for (score, opponent) in
            (0..goal).flat_map(|score| (0..goal).map(move |opponent| (score, opponent)))
        {
            for points in 0..=MOST_POINTS {
                let total = score + points;
                let turn =
                    settle(&rules, total as u32, opponent as u32, points as u32).expect("a value");
                let totals =
                    Settled { score: turn.score, opponent: turn.opponent, again: turn.again };
                most_correction.see(totals, total, opponent, goal as i64);
                assert_eq!(
                    successors.after(score + opponent, opponent, points),
                    PackedSuccessor::new(goal as i64, totals).unpacked(goal),
                    "{hooks} from {score}-{opponent} by {points}"
                );
            }
        }
        assert_eq!(table.most_correction, most_correction, "{hooks}");
    }

    #[test]
    fn totals_that_are_linear_in_the_points_agree_with_single_turns() {
        let prime = |whose: &str| format!("is_prime(score + opponent) && {whose}");
        let (own, other) = (
            prime("score > opponent ? score + points : score"),
            prime("opponent > score ? opponent + points : opponent"),
        );
        compare(&format!("score = \"{own}\"\nopponent_score = \"{other}\""));
        compare(
            "score = \"opponent % 3 == 0 ? score_before : score + points + points\"\nagain \
             = \"opponent % 2 == 0\"",
        );
        compare(
            "opponent_score = \"score % 2 == 0 ? opponent + points : opponent\"\nswap \
             = \"opponent % 5 == 1\"",
        );
    }

    #[test]
    fn totals_that_depend_on_the_points_in_other_ways_agree_with_single_turns() {
        compare("score = \"points % 4 == 1 ? score_before : score + 2 * points\"");
        compare(
            "score = \"score % 3 == 0 ? score - points : score\"\nswap = \"points > opponent\"",
        );
        compare("again = \"score_before == opponent\"");
    }

    #[test]
    fn totals_after_an_end_agree_with_single_turns() {
        let later = "\n[[rule]]\nname = \"Later\"\nscore = \"score + 2 * points\"\n\
                     opponent_score = \"12 / (21 - points)\"\nswap = \"score % 3 == 1\"\n\
                     again = \"points == 4\"\nend = \"opponent == 3\"\n\
                     [[rule]]\nname = \"Last\"\nopponent_score = \"opponent + 1\"\n";
        for end in ["score + opponent > 20", "points > 5", "score_before < opponent"] {
            compare(&format!("end = \"{end}\"{later}"));
        }
    }

    #[test]
    fn a_negative_total_is_a_fault_only_if_points_can_lead_to_it() {
        compare("score = \"score >= 15 ? score - points : score\"");
        assert!(table(&rules("score = \"score - points - points\"")).is_err());
    }
}
