//! Where a turn arrives: the rules on totals, tabulated for every cell and number of points.

use ndarray::{ArrayD, IxDyn};
use rayon::prelude::*;

use crate::rules::formula::{Arrays, Cells, Variable, VariableSet};
use crate::rules::{Faults, Hook, Rules};

/// Where a turn leads, in four bytes: the end of the game, or scores and who moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arrival(u32);

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
    fn new(goal: i64, score: i64, opponent: i64, again: bool) -> Self {
        if score >= goal || opponent >= goal {
            return Self(match score.cmp(&opponent) {
                std::cmp::Ordering::Greater => WON,
                std::cmp::Ordering::Less => LOST,
                std::cmp::Ordering::Equal => TIED,
            });
        }
        if again { Self((score * goal + opponent) as u32 | AGAIN) } else { Self((opponent * goal + score) as u32) }
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

/// The arrivals of one context.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ArrivalTable {
    goal: usize,
    /// Numbers of points, or of totals, in a row.
    width: usize,
    /// Whether the rules on totals read the points: then there is a row for each cell, else for each opponent's score.
    by_points: bool,
    arrivals: Vec<Arrival>,
    /// By row, the places (points, or totals) with arrivals that are not plain: not to the opponent with the totals as
    /// they are after adding the points, or to a win where those reach the goal.
    surprises: Vec<u32>,
    /// Where each row's surprises begin, and the end of the last.
    first_surprise: Vec<u32>,
    /// The least that the sum of scores grows by beside the turn's points, over arrivals that go on.
    pub least_excess: i64,
    /// The most, likewise.
    pub most_excess: i64,
}

impl ArrivalTable {
    /// The arrivals from a cell by points of the turn.
    #[inline(always)]
    pub fn row(&self, score: usize, opponent: usize) -> &[Arrival] {
        match self.by_points {
            true => &self.arrivals[(opponent * self.goal + score) * self.width..][..self.width],
            false => &self.arrivals[opponent * self.width + score..(opponent + 1) * self.width],
        }
    }

    /// The most arrivals that are not plain among so many consecutive ones.
    pub fn most_surprises(&self, window: usize) -> usize {
        let rows = self.first_surprise.windows(2).map(|ends| &self.surprises[ends[0] as usize..ends[1] as usize]);
        rows.map(|row| {
            let (mut first, mut most) = (0, 0);
            for (last, place) in row.iter().enumerate() {
                while (row[first] as usize) + window <= *place as usize {
                    first += 1;
                }
                most = most.max(last + 1 - first);
            }
            most
        })
        .max()
        .unwrap_or(0)
    }

    /// All arrivals that are not plain: opponent's score, total, destination; `None` if they depend on the points.
    pub fn surprises(&self) -> Option<Vec<(usize, usize, Destination)>> {
        if self.by_points {
            return None;
        }
        let of_row = |opponent: usize| {
            let range = self.first_surprise[opponent] as usize..self.first_surprise[opponent + 1] as usize;
            self.surprises[range].iter().map(move |total| {
                let total = *total as usize;
                (opponent, total, self.arrivals[opponent * self.width + total].destination())
            })
        };
        Some((0..self.goal).flat_map(of_row).collect())
    }

    /// The arrivals from a cell that are not plain: points, destination.
    pub fn surprises_from(
        &self,
        score: usize,
        opponent: usize,
    ) -> impl Iterator<Item = (usize, Destination)> + use<'_> {
        let (row, first) = if self.by_points { (opponent * self.goal + score, 0) } else { (opponent, score) };
        let places = &self.surprises[self.first_surprise[row] as usize..self.first_surprise[row + 1] as usize];
        let places = &places[places.partition_point(|place| (*place as usize) < first)..];
        let arrivals = self.row(score, opponent);
        places.iter().map(move |place| (*place as usize - first, arrivals[*place as usize - first].destination()))
    }

    fn list_surprises(&mut self) {
        self.first_surprise.push(0);
        for (row, arrivals) in self.arrivals.chunks_exact(self.width).enumerate() {
            let (opponent, score) = if self.by_points { (row / self.goal, row % self.goal) } else { (row, 0) };
            for (place, arrival) in arrivals.iter().enumerate() {
                let total = score + place;
                let plain = if total < self.goal { (opponent * self.goal + total) as u32 } else { WON };
                if arrival.0 != plain {
                    self.surprises.push(place as u32);
                }
            }
            self.first_surprise.push(self.surprises.len() as u32);
        }
    }
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

/// Cells of one array while rules are tabulated: a few of them fit the caches.
const CELLS_AT_ONCE: usize = 1 << 15;

/// Tabulates the arrivals of one context for up to `most_points` points.
pub(super) fn tabulate(
    rules: &Rules,
    context: &Context,
    by_points: bool,
    most_points: usize,
) -> Result<ArrivalTable, Faults> {
    let goal = rules.goal as usize;
    let width = if by_points { most_points + 1 } else { goal + most_points };
    let row = if by_points { goal * width } else { width };
    let together = (CELLS_AT_ONCE / row).max(1);
    let mut arrivals = vec![Arrival(WON); goal * row];
    let parts = arrivals.par_chunks_mut(together * row).enumerate();
    let excesses: Result<Vec<(i64, i64)>, Faults> = parts
        .map(|(part, arrivals)| {
            let opponents = part * together..part * together + arrivals.len() / row;
            let mut totals = Totals::new(rules, context, opponents, (by_points, width));
            (0..rules.rules.len()).try_for_each(|index| totals.apply(index))?;
            Ok(totals.write(arrivals))
        })
        .collect();
    let excesses = excesses?;
    let least_excess = excesses.iter().map(|(least, _)| *least).min().unwrap_or(i64::MAX);
    let most_excess = excesses.iter().map(|(_, most)| *most).max().unwrap_or(i64::MIN);
    let mut table = ArrivalTable {
        goal,
        width,
        by_points,
        arrivals,
        surprises: Vec::new(),
        first_surprise: Vec::new(),
        least_excess,
        most_excess,
    };
    table.list_surprises();
    Ok(table)
}

/// The totals of some cells, changed rule by rule. The axes are the opponent's score, the mover's score before the
/// turn (or one, if totals are enough), and the turn's points (or the total).
struct Totals<'a> {
    rules: &'a Rules,
    arrays: Arrays,
    again: ArrayD<i64>,
    /// The totals as they stand before any rule.
    reached: ArrayD<i64>,
    first_opponent: usize,
    shape: [usize; 3],
}

impl<'a> Totals<'a> {
    fn new(
        rules: &'a Rules,
        context: &Context,
        opponents: std::ops::Range<usize>,
        (by_points, width): (bool, usize),
    ) -> Self {
        let goal = i64::from(rules.goal);
        let mut arrays = Arrays::new(3);
        let scores = if by_points { rules.goal as usize } else { 1 };
        for variable in [Variable::OPPONENT, Variable::OPPONENT_BEFORE] {
            arrays.bind_axis(variable, 0, opponents.clone().map(|opponent| opponent as i64));
        }
        arrays.bind_axis(Variable::SCORE_BEFORE, 1, 0..scores as i64);
        arrays.bind_axis(Variable::POINTS, 2, 0..width as i64);
        let reached = zip(
            arrays.get(Variable::SCORE_BEFORE).expect("bound"),
            arrays.get(Variable::POINTS).expect("bound"),
            |score, points| score + points,
        );
        arrays.bind(Variable::SCORE, reached.clone());
        arrays.bind_constant(Variable::GOAL, goal);
        arrays.bind_constant(Variable::MAX_DICE, i64::from(rules.max_dice));
        for (variable, value) in &context.values {
            arrays.bind_constant(*variable, *value);
        }
        let (first_opponent, shape) = (opponents.start, [opponents.len(), scores, width]);
        Self { rules, arrays, again: ArrayD::zeros(IxDyn(&[1, 1, 1])), reached, first_opponent, shape }
    }

    /// Applies one rule; all its hooks read the totals as they were before it.
    fn apply(&mut self, index: usize) -> Result<(), Faults> {
        let rule = &self.rules.rules[index];
        let (mut score, mut opponent, mut swap) = (None, None, None);
        for (hook, formula) in &rule.hooks {
            let slot = match hook {
                Hook::Score => &mut score,
                Hook::OpponentScore => &mut opponent,
                Hook::Swap => &mut swap,
                Hook::Again => {
                    let again = self.sound(index, formula.values(&self.arrays))?;
                    self.again = zip(&self.again, &again, |a, b| a | b);
                    continue;
                }
                _ => continue,
            };
            *slot = Some(self.sound(index, formula.values(&self.arrays))?);
        }
        for (variable, values) in [(Variable::SCORE, score), (Variable::OPPONENT, opponent)] {
            if let Some(values) = values {
                self.refuse_negative(index, &values)?;
                self.arrays.bind(variable, values);
            }
        }
        if let Some(swap) = swap {
            self.swap(&swap);
        }
        Ok(())
    }

    fn swap(&mut self, swap: &ArrayD<i64>) {
        let score = self.arrays.get(Variable::SCORE).expect("bound").clone();
        let opponent = self.arrays.get(Variable::OPPONENT).expect("bound").clone();
        let chosen = |kept: &ArrayD<i64>, other: &ArrayD<i64>| {
            let difference = zip(other, kept, |other, kept| other - kept);
            zip(kept, &zip(&difference, swap, |difference, swap| difference * swap), |kept, change| kept + change)
        };
        self.arrays.bind(Variable::SCORE, chosen(&score, &opponent));
        self.arrays.bind(Variable::OPPONENT, chosen(&opponent, &score));
    }

    fn sound(&self, rule: usize, cells: Cells) -> Result<ArrayD<i64>, Faults> {
        match cells.first_fault() {
            None => Ok(cells.values),
            Some(index) => {
                let name = &self.rules.rules[rule].name;
                let message = format!(
                    "the rule {name} has no value at {}: it divides by zero, overflows or leaves a function's domain",
                    self.place(&index)
                );
                Err(self.rules.fault(Some(rule), message, "guard it, as in `opponent == 0 ? 1 : ...`"))
            }
        }
    }

    fn refuse_negative(&self, rule: usize, values: &ArrayD<i64>) -> Result<(), Faults> {
        match values.indexed_iter().find(|(_, value)| **value < 0) {
            None => Ok(()),
            Some((index, value)) => {
                use ndarray::Dimension;
                let name = &self.rules.rules[rule].name;
                let message = format!("the rule {name} makes a score {value} at {}", self.place(index.slice()));
                Err(self.rules.fault(Some(rule), message, "keep scores at 0 or more, as in `max(0, ...)`"))
            }
        }
    }

    /// Where an index is, in words: the total just reached, against which score.
    fn place(&self, index: &[usize]) -> String {
        let shape = self.reached.shape();
        let at: Vec<usize> = index.iter().zip(shape).map(|(i, n)| if *n == 1 { 0 } else { *i }).collect();
        format!("a total of {} against {}", self.reached[IxDyn(&at)], self.first_opponent + index[0])
    }

    /// Writes the arrivals; the least and the most growth of the sum of scores beside the points.
    fn write(&self, arrivals: &mut [Arrival]) -> (i64, i64) {
        let goal = i64::from(self.rules.goal);
        let wide = |array: &ArrayD<i64>| array.broadcast(IxDyn(&self.shape)).expect("three axes").to_owned();
        let score = wide(self.arrays.get(Variable::SCORE).expect("bound"));
        let opponent = wide(self.arrays.get(Variable::OPPONENT).expect("bound"));
        let (again, reached) = (wide(&self.again), wide(&self.reached));
        let [score, opponent, again, reached] =
            [&score, &opponent, &again, &reached].map(|array| array.as_slice().expect("an array of its own, in order"));
        let row = self.shape[1] * self.shape[2];
        let (mut least, mut most) = (i64::MAX, i64::MIN);
        for (place, arrival) in arrivals.iter_mut().enumerate() {
            let (score, opponent) = (score[place], opponent[place]);
            if score < goal && opponent < goal {
                let before = (self.first_opponent + place / row) as i64;
                let excess = score + opponent - before - reached[place];
                (least, most) = (least.min(excess), most.max(excess));
            }
            *arrival = Arrival::new(goal, score, opponent, again[place] != 0);
        }
        (least, most)
    }
}

/// Applies `f` to each cell of two arrays of three axes, broadcast together.
fn zip(a: &ArrayD<i64>, b: &ArrayD<i64>, f: impl Fn(i64, i64) -> i64) -> ArrayD<i64> {
    let shape: Vec<usize> = (0..3).map(|axis| a.shape()[axis].max(b.shape()[axis])).collect();
    let mut out = ArrayD::zeros(IxDyn(&shape));
    ndarray::Zip::from(&mut out).and_broadcast(a).and_broadcast(b).for_each(|out, a, b| *out = f(*a, *b));
    out
}
