//! Applies the rules on totals to many cells at once.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use crate::rules::formula::{
    Arrays, Cells, Formula, Lane, NONLINEAR, Variable, VariableSet, select, without_slopes,
};
use crate::rules::{Hook, Rule, Rules, totals_at_the_end};

/// A formula somewhere has no value or makes a score negative. [`failure`](super::failure) finds
/// the place.
pub(super) struct RuleFailure;

/// Applies all rules to the totals that `arrays` binds as `score` and `opponent`.
pub(super) fn apply_rules(rules: &Rules, arrays: Arrays) -> Result<FinalTotals, RuleFailure> {
    let mut totals = Totals { again: arrays.constant(0), over: None, arrays };
    rules.rules.iter().try_for_each(|rule| totals.apply(rule))?;
    let [score, opponent] = TOTALS.map(|variable| totals.arrays.take(variable).expect("bound"));
    Ok(FinalTotals { score, opponent, again: totals.again })
}

/// The variables of the mover's and the opponent's total.
const TOTALS: [Variable; 2] = [Variable::SCORE, Variable::OPPONENT];

/// Checks new totals. Whether one that depends on the points becomes negative is checked for each
/// number of points.
fn not_negative(cells: Cells) -> Result<Cells, RuleFailure> {
    if !cells.may_be_negative() {
        return Ok(cells);
    }
    let cells = without_slopes(Cow::Owned(cells)).into_owned();
    if cells.is_negative() { Err(RuleFailure) } else { Ok(cells) }
}

/// The totals of some cells while rules are applied one after another.
struct Totals<'a> {
    arrays: Arrays<'a>,
    again: Cells,
    /// Where an earlier rule has ended the game; `None` if none has an `end`.
    over: Option<Cells>,
}

impl Totals<'_> {
    /// Applies one rule; all its hooks read the totals as they were before it.
    fn apply(&mut self, rule: &Rule) -> Result<(), RuleFailure> {
        let mut score = None;
        let mut opponent = None;
        let mut swap = None;
        let mut end = None;
        for (hook, formula) in &rule.hooks {
            match hook {
                Hook::Score => score = Some(self.unless_over(formula, Variable::SCORE)?),
                Hook::OpponentScore => {
                    opponent = Some(self.unless_over(formula, Variable::OPPONENT)?)
                }
                Hook::Swap => swap = Some(self.holds(formula)?),
                Hook::Again => {
                    let again = self.holds(formula)?;
                    self.again = select(&again, &self.arrays.constant(1), &self.again);
                }
                Hook::End => end = Some(self.holds(formula)?),
                _ => {}
            }
        }
        for (variable, cells) in TOTALS.into_iter().zip([score, opponent]) {
            if let Some(cells) = cells {
                self.arrays.bind(variable, not_negative(cells)?);
            }
        }
        if let Some(swap) = swap {
            let [score, opponent] =
                TOTALS.map(|variable| self.arrays.get(variable).expect("bound"));
            let one = select(&swap, opponent, score);
            let other = select(&swap, score, opponent);
            self.arrays.bind(Variable::SCORE, one);
            self.arrays.bind(Variable::OPPONENT, other);
        }
        match end {
            Some(end) => self.end(end),
            None => Ok(()),
        }
    }

    /// Ends the game where `end` holds, with the totals that count then.
    fn end(&mut self, end: Cells) -> Result<(), RuleFailure> {
        let [score, opponent] = totals_at_the_end()
            .each_ref()
            .map(|formula| checked(formula.values(&self.arrays)).map(Cow::into_owned));
        for (variable, at_the_end) in TOTALS.into_iter().zip([score?, opponent?]) {
            let total = self.arrays.get(variable).expect("bound");
            let total = select(&end, &at_the_end, total);
            self.arrays.bind(variable, total);
        }
        self.over = Some(match self.over.take() {
            Some(over) => select(&over, &self.arrays.constant(1), &end),
            None => end,
        });
        Ok(())
    }

    /// The values of a formula; of the total `usual` where the game is over.
    fn unless_over(&self, formula: &Formula, usual: Variable) -> Result<Cells, RuleFailure> {
        self.values(formula, self.arrays.get(usual).expect("bound"))
    }

    /// Where a condition holds and the game is not over.
    fn holds(&self, condition: &Formula) -> Result<Cells, RuleFailure> {
        self.values(condition, &self.arrays.constant(0))
    }

    fn values(&self, formula: &Formula, if_over: &Cells) -> Result<Cells, RuleFailure> {
        let values = formula.values(&self.arrays);
        let values = match &self.over {
            Some(over) => Cow::Owned(select(over, if_over, &values)),
            None => values,
        };
        Ok(checked(values)?.into_owned())
    }
}

fn checked(cells: Cow<Cells>) -> Result<Cow<Cells>, RuleFailure> {
    if cells.first_fault().is_some() { Err(RuleFailure) } else { Ok(cells) }
}

/// The totals after all rules.
pub(super) struct FinalTotals {
    score: Cells,
    opponent: Cells,
    again: Cells,
}

/// One row of the totals after all rules.
pub(super) struct FinalRow<'a> {
    score: Lane<'a, i64>,
    opponent: Lane<'a, i64>,
    again: Lane<'a, i64>,
    slopes: [Lane<'a, i64>; 2],
    flags: [Lane<'a, u8>; 3],
}

impl FinalTotals {
    /// The totals of one row.
    pub fn row(&self, row: usize) -> FinalRow<'_> {
        let all = [&self.score, &self.opponent, &self.again];
        let [score, opponent, again] = all.map(|cells| cells.row(row));
        let slopes = [&self.score, &self.opponent].map(|cells| cells.slopes_of_row(row));
        FinalRow { score, opponent, again, slopes, flags: all.map(|cells| cells.flags_of_row(row)) }
    }
}

impl FinalRow<'_> {
    /// For each column, 0 if the rules leave both totals unchanged and do not let the mover move
    /// again, for any number of points; otherwise nonzero. `totals` holds the mover's total of
    /// each column before the rules, `opponent` the opponent's.
    pub fn changes(&self, totals: &[usize], opponent: i64) -> Vec<i64> {
        let mut changes: Vec<i64> = totals.iter().map(|total| *total as i64).collect();
        match self.score {
            Lane::One(score) => changes.iter_mut().for_each(|total| *total ^= score),
            Lane::Each(scores) => {
                changes.iter_mut().zip(scores).for_each(|(total, score)| *total ^= score)
            }
        }
        mark_unusual(&mut changes, self.opponent, opponent);
        mark_unusual(&mut changes, self.again, 0);
        self.slopes.iter().for_each(|slopes| mark_unusual(&mut changes, *slopes, 0));
        self.flags.iter().for_each(|flags| mark_unusual(&mut changes, *flags, 0));
        changes
    }

    /// Whether the totals must be computed for each number of points separately.
    pub fn is_nonlinear(&self, column: usize) -> bool {
        self.flags.iter().any(|flags| flags.at(column) & NONLINEAR != 0)
    }

    /// The totals as linear functions of the points; valid only where [`Self::is_nonlinear`] is
    /// false.
    pub fn linear(&self, column: usize) -> LinearTotals {
        let Settled { score, opponent, again } = self.at(column);
        let [of_score, of_opponent] = [self.slopes[0].at(column), self.slopes[1].at(column)];
        LinearTotals { score: (score, of_score), opponent: (opponent, of_opponent), again }
    }

    /// Calls `pass` with the totals of some columns, one after another.
    #[inline(always)]
    pub fn each(&self, columns: RangeInclusive<usize>, mut pass: impl FnMut(Settled)) {
        match (&self.score, &self.opponent, &self.again) {
            // The most common case: no rule lets the mover move again.
            (Lane::Each(scores), Lane::Each(opponents), Lane::One(again)) => {
                let pairs = scores[columns.clone()].iter().zip(&opponents[columns]);
                pairs.for_each(|(score, opponent)| {
                    pass(Settled { score: *score, opponent: *opponent, again: *again != 0 })
                });
            }
            _ => columns.for_each(|column| pass(self.at(column))),
        }
    }

    /// The totals in a column.
    #[inline(always)]
    pub fn at(&self, column: usize) -> Settled {
        Settled {
            score: self.score.at(column),
            opponent: self.opponent.at(column),
            again: self.again.at(column) != 0,
        }
    }
}

/// The totals after all rules.
#[derive(Clone, Copy)]
pub(super) struct Settled {
    pub score: i64,
    pub opponent: i64,
    /// Whether the mover moves again.
    pub again: bool,
}

/// Totals that are linear in the points of the turn, each as its value at 0 points and its slope.
pub(super) struct LinearTotals {
    score: (i64, i64),
    opponent: (i64, i64),
    again: bool,
}

impl LinearTotals {
    /// Whether the totals do not depend on the points.
    pub fn is_constant(&self) -> bool {
        self.score.1 == 0 && self.opponent.1 == 0
    }

    /// The totals for a number of points.
    #[inline(always)]
    pub fn at(&self, points: usize) -> Settled {
        let [score, opponent] = [self.score, self.opponent]
            .map(|(start, slope)| start.wrapping_add(slope.wrapping_mul(points as i64)));
        Settled { score, opponent, again: self.again }
    }
}

/// Makes each mark nonzero whose number differs from the usual one.
fn mark_unusual<A: Copy + Into<i64>>(marks: &mut [i64], numbers: Lane<A>, usual: i64) {
    match numbers {
        Lane::One(number) if number.into() == usual => {}
        Lane::One(number) => {
            for mark in marks {
                *mark |= number.into() ^ usual;
            }
        }
        Lane::Each(numbers) => {
            for (mark, number) in marks.iter_mut().zip(numbers) {
                *mark |= (*number).into() ^ usual;
            }
        }
    }
}

/// Whether no rule depends on how far a total exceeds the goal: all totals that reach the goal end
/// the game alike.
pub(super) fn past_goal_alike(rules: &Rules) -> bool {
    let of_totals = VariableSet::of(&[Variable::SCORE, Variable::SCORE_BEFORE, Variable::POINTS]);
    let mut hooks = rules.rules.iter().flat_map(|rule| &rule.hooks);
    hooks.all(|(hook, formula)| match hook {
        Hook::Score | Hook::OpponentScore | Hook::End => false,
        Hook::Swap | Hook::Again => formula.reads().is_disjoint(of_totals),
        _ => true,
    })
}
