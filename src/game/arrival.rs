//! Where a turn arrives: the rules on totals, tabulated over (total, opponent).

use ndarray::{ArrayD, IxDyn};

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

/// What the rules on totals read beside the totals, for one kind of outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct Context {
    /// Values of the variables they read, in ascending order of the variables.
    pub values: Vec<(Variable, i64)>,
}

/// The arrivals of one context.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ArrivalTable {
    /// The smallest total tabulated.
    from: usize,
    /// How many totals.
    width: usize,
    /// `arrivals[opponent * width + total - from]`.
    arrivals: Vec<Arrival>,
    /// The least that the sum of scores grows by beside the turn's points, over arrivals that go on.
    pub least_excess: i64,
}

impl ArrivalTable {
    /// The arrival at a total, with the opponent's score before the turn.
    #[inline(always)]
    pub fn at(&self, total: usize, opponent: usize) -> Arrival {
        self.arrivals[opponent * self.width + total - self.from]
    }
}

/// The variables that the rules on totals read beside the two totals.
pub(super) fn context_variables(rules: &Rules) -> VariableSet {
    let hooks = [Hook::Score, Hook::OpponentScore, Hook::Swap, Hook::Again];
    let reads =
        hooks.iter().flat_map(|hook| rules.hooked(*hook)).fold(VariableSet::NONE, |set, (_, f)| set.union(f.reads()));
    let mut wanted = VariableSet::of(&[Variable::DICE, Variable::ROLLED, Variable::BUSTED, Variable::POINTS]);
    wanted = wanted.union(rules.vocabulary().memories());
    let mut context = reads.and(wanted);
    // The score before the turn is the total less the points.
    if reads.holds(Variable::SCORE_BEFORE) {
        context = context.union(VariableSet::of(&[Variable::POINTS]));
    }
    context
}

/// Tabulates the arrivals of one context for totals up to `goal - 1 + most_points`.
pub(super) fn tabulate(rules: &Rules, context: &Context, most_points: i64) -> Result<ArrivalTable, Faults> {
    let goal = i64::from(rules.goal);
    let points = context.values.iter().find(|(v, _)| *v == Variable::POINTS).map(|(_, points)| *points);
    // A context that knows the points is met only at totals that those points can lead to.
    let (from, to) = points.map_or((0, goal + most_points), |points| (points, points + goal));
    let mut totals = Totals::new(rules, context, from, to);
    for index in 0..rules.rules.len() {
        totals.apply(index)?;
    }
    Ok(totals.table(from as usize, (to - from) as usize))
}

/// The totals of all cells, changed rule by rule. The first axis is the opponent's score, the second the total.
struct Totals<'a> {
    rules: &'a Rules,
    arrays: Arrays,
    again: ArrayD<i64>,
    from: i64,
}

impl<'a> Totals<'a> {
    fn new(rules: &'a Rules, context: &Context, from: i64, to: i64) -> Self {
        let goal = i64::from(rules.goal);
        let mut arrays = Arrays::new(2);
        arrays.bind_axis(Variable::OPPONENT, 0, 0..goal);
        arrays.bind_axis(Variable::OPPONENT_BEFORE, 0, 0..goal);
        arrays.bind_axis(Variable::SCORE, 1, from..to);
        arrays.bind_axis(Variable::SCORE_BEFORE, 1, 0..to - from);
        arrays.bind_constant(Variable::GOAL, goal);
        arrays.bind_constant(Variable::MAX_DICE, i64::from(rules.max_dice));
        for (variable, value) in &context.values {
            arrays.bind_constant(*variable, *value);
        }
        Self { rules, arrays, again: ArrayD::zeros(IxDyn(&[1, 1])), from }
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
                let (total, opponent) = (self.from + index[1] as i64, index[0]);
                let message = format!(
                    "the rule {} has no value at a total of {total} against {opponent}: it divides by zero, overflows or \
                     leaves a function's domain",
                    self.rules.rules[rule].name
                );
                Err(self.rules.fault(Some(rule), message, "guard it, as in `opponent == 0 ? 1 : ...`"))
            }
        }
    }

    fn refuse_negative(&self, rule: usize, values: &ArrayD<i64>) -> Result<(), Faults> {
        match values.indexed_iter().find(|(_, value)| **value < 0) {
            None => Ok(()),
            Some((index, value)) => {
                let (total, opponent) = (self.from + index[1] as i64, index[0]);
                let name = &self.rules.rules[rule].name;
                let message = format!("the rule {name} makes a score {value} at a total of {total} against {opponent}");
                Err(self.rules.fault(Some(rule), message, "keep scores at 0 or more, as in `max(0, ...)`"))
            }
        }
    }

    fn table(&self, from: usize, width: usize) -> ArrivalTable {
        let goal = i64::from(self.rules.goal);
        let shape = IxDyn(&[goal as usize, width]);
        let wide = |array: &ArrayD<i64>| array.broadcast(shape.clone()).expect("two axes").to_owned();
        let score = wide(self.arrays.get(Variable::SCORE).expect("bound"));
        let opponent = wide(self.arrays.get(Variable::OPPONENT).expect("bound"));
        let again = wide(&self.again);
        let mut least_excess = i64::MAX;
        let cells = score.iter().zip(&opponent).zip(&again).enumerate();
        let arrivals = cells
            .map(|(index, ((score, opponent), again))| {
                if *score < goal && *opponent < goal {
                    let sum_before = (index / width) as i64 + self.from + (index % width) as i64;
                    least_excess = least_excess.min(score + opponent - sum_before);
                }
                Arrival::new(goal, *score, *opponent, *again != 0)
            })
            .collect();
        ArrivalTable { from, width, arrivals, least_excess }
    }
}

/// Applies `f` to each cell of two arrays of two axes, broadcast together.
fn zip(a: &ArrayD<i64>, b: &ArrayD<i64>, f: impl Fn(i64, i64) -> i64) -> ArrayD<i64> {
    let shape: Vec<usize> = (0..2).map(|axis| a.shape()[axis].max(b.shape()[axis])).collect();
    let mut out = ArrayD::zeros(IxDyn(&shape));
    ndarray::Zip::from(&mut out).and_broadcast(a).and_broadcast(b).for_each(|out, a, b| *out = f(*a, *b));
    out
}
