//! The rules on totals, applied to many cells at once.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use crate::rules::formula::{Arrays, Cells, Lane, OPEN, Variable, VariableSet, choose, opened};
use crate::rules::{Hook, Rule, Rules};

/// Somewhere a formula has no value, or makes a score negative: [`misrule`](super::misrule) looks for the place.
pub(super) struct Misrule;

/// Applies all rules to totals that are bound as score and opponent.
pub(super) fn settle(rules: &Rules, arrays: Arrays) -> Result<SettledTotals, Misrule> {
    let mut totals = TotalsInPlay { again: arrays.constant(0), arrays };
    rules.rules.iter().try_for_each(|rule| totals.apply(rule))?;
    let [score, opponent] = TOTALS.map(|variable| totals.arrays.take(variable).expect("bound"));
    Ok(SettledTotals { score, opponent, again: totals.again })
}

/// The mover's total, and the opponent's.
const TOTALS: [Variable; 2] = [Variable::SCORE, Variable::OPPONENT];

/// The totals of some cells while rules change them.
struct TotalsInPlay<'a> {
    arrays: Arrays<'a>,
    again: Cells,
}

impl TotalsInPlay<'_> {
    /// Applies one rule; all its hooks read the totals as they were before it.
    fn apply(&mut self, rule: &Rule) -> Result<(), Misrule> {
        let (mut score, mut opponent, mut swap) = (None, None, None);
        for (hook, formula) in &rule.hooks {
            let slot = match hook {
                Hook::Score => &mut score,
                Hook::OpponentScore => &mut opponent,
                Hook::Swap => &mut swap,
                Hook::Again => {
                    let again = sound(formula.values(&self.arrays))?;
                    self.again = choose(&again, &self.arrays.constant(1), &self.again);
                    continue;
                }
                _ => continue,
            };
            *slot = Some(sound(formula.values(&self.arrays))?.into_owned());
        }
        for (variable, cells) in TOTALS.into_iter().zip([score, opponent]) {
            if let Some(mut cells) = cells {
                if cells.may_be_negative() {
                    // Whether a line gets there is seen point by point.
                    cells = opened(Cow::Owned(cells)).into_owned();
                    if cells.is_negative() {
                        return Err(Misrule);
                    }
                }
                self.arrays.bind(variable, cells);
            }
        }
        if let Some(swap) = swap {
            let [score, opponent] = TOTALS.map(|variable| self.arrays.get(variable).expect("bound"));
            let (one, other) = (choose(&swap, opponent, score), choose(&swap, score, opponent));
            self.arrays.bind(Variable::SCORE, one);
            self.arrays.bind(Variable::OPPONENT, other);
        }
        Ok(())
    }
}

fn sound(cells: Cow<Cells>) -> Result<Cow<Cells>, Misrule> {
    if cells.first_fault().is_some() { Err(Misrule) } else { Ok(cells) }
}

/// TotalsInPlay after all rules.
pub(super) struct SettledTotals {
    score: Cells,
    opponent: Cells,
    again: Cells,
}

/// TotalsInPlay of one row after all rules.
pub(super) struct SettledRow<'a> {
    score: Lane<'a, i64>,
    opponent: Lane<'a, i64>,
    again: Lane<'a, i64>,
    slopes: [Lane<'a, i64>; 2],
    flags: [Lane<'a, u8>; 3],
}

impl SettledTotals {
    /// One row of the cells.
    pub fn row(&self, row: usize) -> SettledRow<'_> {
        let all = [&self.score, &self.opponent, &self.again];
        let [score, opponent, again] = all.map(|cells| cells.row(row));
        let slopes = [&self.score, &self.opponent].map(|cells| cells.slopes_of_row(row));
        SettledRow { score, opponent, again, slopes, flags: all.map(|cells| cells.flags_of_row(row)) }
    }
}

impl SettledRow<'_> {
    /// By column, 0 if no rule changes the mover's total listed for it, or the opponent's total, or lets the mover move again,
    /// whatever the points.
    pub fn changes(&self, totals: &[usize], opponent: i64) -> Vec<i64> {
        let mut changes: Vec<i64> = totals.iter().map(|total| *total as i64).collect();
        match self.score {
            Lane::One(score) => changes.iter_mut().for_each(|total| *total ^= score),
            Lane::Each(scores) => changes.iter_mut().zip(scores).for_each(|(total, score)| *total ^= score),
        }
        mark_unusual(&mut changes, self.opponent, opponent);
        mark_unusual(&mut changes, self.again, 0);
        self.slopes.iter().for_each(|slopes| mark_unusual(&mut changes, *slopes, 0));
        self.flags.iter().for_each(|flags| mark_unusual(&mut changes, *flags, 0));
        changes
    }

    /// Whether it takes each number of points by itself to tell.
    pub fn is_open(&self, column: usize) -> bool {
        self.flags.iter().any(|flags| flags.at(column) & OPEN != 0)
    }

    /// The totals by points, where they are not open.
    pub fn lines(&self, column: usize) -> TotalLines {
        let (score, opponent, again) = self.at(column);
        let [of_score, of_opponent] = [self.slopes[0].at(column), self.slopes[1].at(column)];
        TotalLines { score: (score, of_score), opponent: (opponent, of_opponent), again }
    }

    /// Passes on some columns, one after another.
    #[inline(always)]
    pub fn each(&self, columns: RangeInclusive<usize>, mut pass: impl FnMut((i64, i64, bool))) {
        match (&self.score, &self.opponent, &self.again) {
            // The commonest case: no rule lets the mover move again.
            (Lane::Each(scores), Lane::Each(opponents), Lane::One(again)) => {
                let pairs = scores[columns.clone()].iter().zip(&opponents[columns]);
                pairs.for_each(|(score, opponent)| pass((*score, *opponent, *again != 0)));
            }
            _ => columns.for_each(|column| pass(self.at(column))),
        }
    }

    /// The mover's total, the opponent's, and whether the mover moves again.
    #[inline(always)]
    pub fn at(&self, column: usize) -> (i64, i64, bool) {
        (self.score.at(column), self.opponent.at(column), self.again.at(column) != 0)
    }
}

/// TotalsInPlay to which each point of the turn adds as much as the one before: their numbers at no points, and what each adds.
pub(super) struct TotalLines {
    score: (i64, i64),
    opponent: (i64, i64),
    again: bool,
}

impl TotalLines {
    /// Whether the points make no difference.
    pub fn is_level(&self) -> bool {
        self.score.1 == 0 && self.opponent.1 == 0
    }

    /// The totals at so many points.
    #[inline(always)]
    pub fn at(&self, points: usize) -> (i64, i64, bool) {
        let [score, opponent] =
            [self.score, self.opponent].map(|(start, slope)| start.wrapping_add(slope.wrapping_mul(points as i64)));
        (score, opponent, self.again)
    }
}

/// Makes what belongs to numbers other than the usual one other than 0.
fn mark_unusual<A: Copy + Into<i64>>(marks: &mut [i64], numbers: Lane<A>, usual: i64) {
    let mark = |mark: &mut i64, number: A| *mark |= number.into() ^ usual;
    match numbers {
        Lane::One(number) if number.into() == usual => {}
        Lane::One(number) => marks.iter_mut().for_each(|it| mark(it, number)),
        Lane::Each(numbers) => marks.iter_mut().zip(numbers).for_each(|(it, number)| mark(it, *number)),
    }
}

/// Whether no rule can tell by how much a total has passed the goal: a turn that gets there ends the game in one way.
pub(super) fn past_goal_alike(rules: &Rules) -> bool {
    let of_totals = VariableSet::of(&[Variable::SCORE, Variable::SCORE_BEFORE, Variable::POINTS]);
    let mut hooks = rules.rules.iter().flat_map(|rule| &rule.hooks);
    hooks.all(|(hook, formula)| match hook {
        Hook::Score | Hook::OpponentScore => false,
        Hook::Swap | Hook::Again => formula.reads().is_disjoint(of_totals),
        _ => true,
    })
}
