//! The rules on totals, tabulated: all totals of some opponents' scores at a time, and only where the points matter, by
//! points too.

use ndarray::{ArrayD, IxDyn};
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;

use crate::rules::formula::{Arrays, Cells, Lookups, OPEN, Variable, choose};
use crate::rules::{Faults, Hook, Rules};

use super::arrival::{Arrival, ArrivalTable, Context, Surprise, To};
use super::misrule;

/// Cells of one array while rules are tabulated: a few of them fit the caches.
const CELLS_AT_ONCE: usize = 1 << 15;

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

/// Somewhere a formula has no value, or makes a score negative: where it is looked for again, cell by cell.
struct Misrule;

/// Arrivals against some opponents' scores.
#[derive(Default)]
struct Part {
    surprises: Vec<Surprise>,
    /// How many of them each opponent's score has.
    counts: Vec<u32>,
    rows: Vec<Arrival>,
    excess: Option<(i64, i64)>,
}

impl Tabulation<'_> {
    /// Tabulates the arrivals of one context.
    ///
    /// # Errors
    /// If a rule on totals has no value somewhere or makes a score negative: the first of some opponents' scores that are
    /// tabulated together.
    pub fn table(&self, context: &Context) -> Result<ArrivalTable, Faults> {
        let (goal, width) = (self.rules.goal as usize, self.width());
        let together = (CELLS_AT_ONCE / width).max(1);
        let ranges = (0..goal).step_by(together).map(|first| first..goal.min(first + together));
        let part = |range: Range<usize>| (range.clone(), self.part(context, range));
        let parts: Vec<_> = if together < goal {
            ranges.collect::<Vec<_>>().into_par_iter().map(part).collect()
        } else {
            ranges.map(part).collect()
        };
        let mut table = ArrivalTable {
            goal,
            most_points: self.most_points,
            by_points: self.by_points,
            surprises: Vec::new(),
            first_surprise: vec![0],
            rows: Vec::new(),
            dense: Vec::new(),
            least_excess: i64::MAX,
            most_excess: i64::MIN,
        };
        for (range, part) in parts {
            match part {
                Ok(part) => table.append(part),
                Err(Misrule) => return Err(misrule::describe(self, context, range)),
            }
        }
        Ok(table)
    }

    /// Totals against one opponent's score.
    fn width(&self) -> usize {
        self.rules.goal as usize + self.most_points
    }

    fn part(&self, context: &Context, opponents: Range<usize>) -> Result<Part, Misrule> {
        let goal = self.rules.goal as i64;
        let mut arrays = self.arrays(context);
        let axis = |range: Range<usize>| range.map(|n| n as i64);
        for variable in [Variable::OPPONENT, Variable::OPPONENT_BEFORE] {
            arrays.bind_axis(variable, (0, 0..=goal - 1), axis(opponents.clone()));
        }
        arrays.bind_axis(Variable::SCORE, (1, 0..=self.width() as i64 - 1), axis(0..self.width()));
        arrays.leave_open(Variable::POINTS);
        arrays.leave_open(Variable::SCORE_BEFORE);
        let settled = Totals::new(self.rules, arrays).settle([opponents.len(), self.width()])?;
        let mut part = Part::default();
        let mut open = Vec::new();
        for (row, opponent) in opponents.enumerate() {
            let before = part.surprises.len();
            for total in 0..self.width() {
                let place = row * self.width() + total;
                if settled.is_open(place) {
                    open.push(part.surprises.len());
                    part.surprises.push(Surprise { total: total as u32, to: To::ByPoints(opponent as u32) });
                } else if let Some(arrival) = part.arrival(&settled, place, (total, opponent), goal) {
                    part.surprises.push(Surprise { total: total as u32, to: To::Any(arrival) });
                }
            }
            part.counts.push((part.surprises.len() - before) as u32);
        }
        self.by_points(context, &mut part, &open)?;
        Ok(part)
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

    /// Tabulates the surprises that are left open by points; those that turn out not to depend on them are kept as such.
    fn by_points(&self, context: &Context, part: &mut Part, open: &[usize]) -> Result<(), Misrule> {
        let together = (CELLS_AT_ONCE / (self.most_points + 1)).max(1);
        for places in open.chunks(together) {
            let cells: Vec<(usize, usize)> = places.iter().map(|place| part.surprises[*place].open_cell()).collect();
            let settled = self.settle_by_points(context, &cells)?;
            for (row, (place, cell)) in places.iter().zip(&cells).enumerate() {
                part.surprises[*place].to = part.row(&settled, (row, *cell), self);
            }
        }
        Ok(())
    }

    /// Settles cells (total, opponent's score) for all points.
    fn settle_by_points(&self, context: &Context, cells: &[(usize, usize)]) -> Result<Settled, Misrule> {
        let (goal, columns) = (self.rules.goal as i64, self.most_points + 1);
        let mut arrays = self.arrays(context);
        for variable in [Variable::OPPONENT, Variable::OPPONENT_BEFORE] {
            arrays.bind_axis(variable, (0, 0..=goal - 1), cells.iter().map(|(_, opponent)| *opponent as i64));
        }
        let totals = cells.iter().map(|(total, _)| *total as i64);
        arrays.bind_axis(Variable::SCORE, (0, 0..=self.width() as i64 - 1), totals);
        // Points that cannot have led to the total stand for the nearest that can.
        let points = cells.iter().flat_map(|(total, _)| {
            let possible = self.points_to(*total);
            (0..columns).map(move |points| points.clamp(possible.start, possible.end - 1) as i64)
        });
        let points = ArrayD::from_shape_vec(IxDyn(&[cells.len(), columns]), points.collect()).expect("one for each");
        arrays.bind(Variable::POINTS, Cells::new(points, 0..=self.most_points as i64));
        let before = arrays
            .difference(arrays.get(Variable::SCORE).expect("bound"), arrays.get(Variable::POINTS).expect("bound"));
        arrays.bind(Variable::SCORE_BEFORE, before);
        Totals::new(self.rules, arrays).settle([cells.len(), columns])
    }

    /// The points that may lead to a total, from a score below the goal.
    fn points_to(&self, total: usize) -> Range<usize> {
        (total + 1).saturating_sub(self.rules.goal as usize)..total.min(self.most_points) + 1
    }
}

impl Surprise {
    /// The cell (total, opponent's score) of a surprise that is left open.
    fn open_cell(&self) -> (usize, usize) {
        let To::ByPoints(opponent) = self.to else { unreachable!("open surprises remember the opponent's score") };
        (self.total as usize, opponent as usize)
    }
}

impl Part {
    /// The arrival at a place, if it is not plain.
    fn arrival(&mut self, settled: &Settled, place: usize, cell: (usize, usize), goal: i64) -> Option<Arrival> {
        let (score, opponent, again) = settled.at(place);
        let before = (cell.0 as i64, cell.1 as i64);
        if score < goal && opponent < goal {
            let excess = score + opponent - before.0 - before.1;
            let (least, most) = self.excess.unwrap_or((excess, excess));
            self.excess = Some((least.min(excess), most.max(excess)));
        }
        if (score, opponent) == before && !again {
            return None;
        }
        let arrival = Arrival::new(goal, score, opponent, again);
        (arrival != Arrival::plain(goal as usize, cell.0, cell.1)).then_some(arrival)
    }

    /// Appends the arrivals of a cell by points, or finds that the points do not matter.
    fn row(&mut self, settled: &Settled, (row, cell): (usize, (usize, usize)), tabulation: &Tabulation) -> To {
        let (goal, columns) = (tabulation.rules.goal as i64, tabulation.most_points + 1);
        let possible = tabulation.points_to(cell.0);
        let plain = Arrival::plain(goal as usize, cell.0, cell.1);
        let first = self.rows.len();
        self.rows.resize(first + columns, plain);
        for points in possible.clone() {
            let arrival = self.arrival(settled, row * columns + points, cell, goal);
            self.rows[first + points] = arrival.unwrap_or(plain);
        }
        let known = self.rows[first + possible.start];
        if self.rows[first..][possible].iter().all(|arrival| *arrival == known) {
            self.rows.truncate(first);
            return To::Any(known);
        }
        To::ByPoints(first as u32)
    }
}

impl ArrivalTable {
    fn append(&mut self, part: Part) {
        let (goal, rows) = (self.goal, self.rows.len() as u32);
        let mut surprises = part.surprises.into_iter();
        for count in part.counts {
            let opponent = self.first_surprise.len() - 1;
            for surprise in surprises.by_ref().take(count as usize) {
                let to = match surprise.to {
                    To::ByPoints(row) => To::ByPoints(rows + row),
                    any => any,
                };
                if to != To::Any(Arrival::plain(goal, surprise.total as usize, opponent)) {
                    self.surprises.push(Surprise { to, ..surprise });
                }
            }
            self.first_surprise.push(self.surprises.len() as u32);
        }
        self.rows.extend(part.rows);
        if let Some((least, most)) = part.excess {
            (self.least_excess, self.most_excess) = (self.least_excess.min(least), self.most_excess.max(most));
        }
    }
}

/// The totals of some cells, changed rule by rule.
struct Totals<'a> {
    rules: &'a Rules,
    arrays: Arrays<'a>,
    again: Cells,
}

impl<'a> Totals<'a> {
    fn new(rules: &'a Rules, arrays: Arrays<'a>) -> Self {
        let again = arrays.constant(0);
        Self { rules, arrays, again }
    }

    /// Applies all rules.
    fn settle(mut self, shape: [usize; 2]) -> Result<Settled, Misrule> {
        (0..self.rules.rules.len()).try_for_each(|index| self.apply(index))?;
        let wide = |cells: &Cells| cells.values.broadcast(shape).expect("two axes").iter().copied().collect();
        let [score, opponent] =
            [Variable::SCORE, Variable::OPPONENT].map(|variable| self.arrays.get(variable).expect("bound"));
        let mut open = Vec::new();
        for flags in [score, opponent, &self.again].into_iter().filter_map(|cells| cells.flags.as_ref()) {
            open.resize(shape[0] * shape[1], 0);
            let flags = flags.broadcast(shape).expect("two axes");
            open.iter_mut().zip(flags.iter()).for_each(|(open, flags)| *open |= flags & OPEN);
        }
        Ok(Settled { score: wide(score), opponent: wide(opponent), again: wide(&self.again), open })
    }

    /// Applies one rule; all its hooks read the totals as they were before it.
    fn apply(&mut self, index: usize) -> Result<(), Misrule> {
        let rule = &self.rules.rules[index];
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
        for (variable, cells) in [(Variable::SCORE, score), (Variable::OPPONENT, opponent)] {
            if let Some(cells) = cells {
                if cells.may_be_negative() && cells.is_negative() {
                    return Err(Misrule);
                }
                self.arrays.bind(variable, cells);
            }
        }
        if let Some(swap) = swap {
            let [score, opponent] =
                [Variable::SCORE, Variable::OPPONENT].map(|variable| self.arrays.get(variable).expect("bound"));
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

/// Totals after all rules, cell by cell.
struct Settled {
    score: Vec<i64>,
    opponent: Vec<i64>,
    again: Vec<i64>,
    /// Not 0 where it takes the points to tell; empty if it never does.
    open: Vec<u8>,
}

impl Settled {
    fn is_open(&self, place: usize) -> bool {
        self.open.get(place).is_some_and(|open| *open != 0)
    }

    fn at(&self, place: usize) -> (i64, i64, bool) {
        (self.score[place], self.opponent[place], self.again[place] != 0)
    }
}
