//! Integers over fixed denominators: no fraction is reduced while a game is solved.
//!
//! Let D be the least common multiple of the totals of all distributions of a stage (6^10 for ten
//! six-sided dice, 4^10 for four-sided ones). A mean over values of higher stages multiplies the
//! denominator by at most D, so the value of every state of a stage of height h is N / (2 D D' D''
//! ...) for an integer N, with one factor for its stage and for each stage above. The factor 2
//! represents ties and endless games: at height 0 a value is 0, 1/2 or 1. Sums add their
//! terms in ascending order of height (Horner's rule), so each term takes one multiplication by a
//! machine word and one addition.

use std::borrow::Cow;
use std::cmp::Ordering;

use dashu_base::UnsignedAbs;
use dashu_int::IBig;
use dashu_ratio::{RBig, Relaxed};
use rayon::prelude::*;

use crate::component::Tolerance;
use crate::game::{DiceSet, Distribution, Outcome, Space, StateMemories, Successor};
use crate::linear::Number;
use crate::solve::Method;
use crate::solve::graph::{NEAREST, SolvedStates};
use crate::solve::stage_solver::{NextState, PassContext, Payoff, Side, StageSolver, StageTask};

use super::denominators::{Denominators, word};
use super::horner::{Horner, Item};
use super::limbs::{compare, of_integer, subtract, to_integer};

/// The solver in integers: lists of limbs, least significant first, as long as the denominator of
/// their stage.
#[derive(Debug)]
pub(in crate::solve) struct Scaled {
    denominators: Denominators,
    stages: usize,
}

/// The columns of a task: few, because each takes long.
const WIDTH: usize = 8;

/// The fewest numbers for which a thread is woken to round them.
const MIN_SHARED: usize = 64;

impl Scaled {
    /// Prepares a game whose totals have a common multiple below 2^63.
    pub fn new(context: &PassContext) -> Self {
        Self { denominators: Denominators::new(context), stages: context.layout.stages() }
    }

    fn height(&self, stage: usize) -> usize {
        self.stages - stage
    }

    /// The denominator of the numbers of a stage.
    fn one(&self, stage: usize) -> &[u64] {
        &self.denominators.ones[self.height(stage)]
    }

    /// The opponent's value after an outcome, `at` being (column, opponent's memory class).
    fn item<'n>(
        &self,
        task: &StageTask<'n, Vec<u64>>,
        at: (usize, usize),
        outcome: &Outcome,
    ) -> Item<'n> {
        match task.next(at.0, at.1, outcome) {
            // A state of the same stage counts as a win or a loss; the solver of cycles corrects
            // that.
            Successor::Next { to, .. } if to.stage == task.stage => {
                Item::Halves(if task.context.staying_loses() { 2 } else { 0 })
            }
            Successor::Next { to: NextState { side, stage, place, .. }, again } => {
                let height = self.height(stage);
                let limbs = &task.solved[side][stage][place];
                if again {
                    Item::Complement { height, limbs }
                } else {
                    Item::Number { height, limbs }
                }
            }
            Successor::End(end) => Item::Halves(end.halves_to_opponent().into()),
        }
    }

    /// Returns the mover's mean, `at` being (column, opponent's memory class). The successor of a
    /// distribution with one outcome may lie in the same stage, for nothing is divided; all
    /// others lead to higher stages.
    fn mean(
        &self,
        task: &StageTask<Vec<u64>>,
        at: (usize, usize),
        distribution: &Distribution,
        sum: &mut Vec<u64>,
    ) -> Vec<u64> {
        let mut items: Vec<(Item, u64)> = Vec::with_capacity(distribution.outcomes.len());
        for outcome in &distribution.outcomes {
            items.push((self.item(task, at, outcome), word(outcome.weight)));
        }
        items.sort_by_key(|(item, _)| item.height());
        let above = self.height(task.stage) - 1;
        let (scale, height) = match items.len() {
            1 => (1, above + 1),
            _ => (self.denominators.factors[above][0] / word(distribution.total), above),
        };
        let mut horner = Horner::new(&self.denominators, sum);
        for (item, weight) in &items {
            horner.add(item, if items.len() == 1 { 1 } else { weight * scale });
        }
        horner.finish(height);
        let mut mean = self.one(task.stage).to_vec();
        subtract(&mut mean, sum);
        mean
    }

    /// Returns a state's value and all actions that tie. `known` caches means by distribution at
    /// this column.
    fn decide(
        &self,
        task: &StageTask<Vec<u64>>,
        column: usize,
        memories: StateMemories,
        sum: &mut Vec<u64>,
        known: &mut Vec<(u32, Vec<u64>)>,
    ) -> (Vec<u64>, DiceSet) {
        let distributions = task.context.action_set(task.stage, column, memories);
        let state = task.context.state(task.stage, column, memories);
        let actions = task.side.decider.actions(state, distributions.len());
        let mut best = None;
        let mut set = 0;
        for action in actions {
            let place = known
                .iter()
                .position(|(number, _)| *number == distributions[action])
                .unwrap_or_else(|| {
                    let distribution =
                        &task.context.game.distributions()[distributions[action] as usize];
                    known.push((
                        distributions[action],
                        self.mean(task, (column, memories.theirs), distribution, sum),
                    ));
                    known.len() - 1
                });
            match best
                .map_or(Ordering::Greater, |best: usize| compare(&known[place].1, &known[best].1))
            {
                Ordering::Greater => (best, set) = (Some(place), 1 << action),
                Ordering::Equal => set |= 1 << action,
                Ordering::Less => {}
            }
        }
        (known[best.expect("a state has an action")].1.clone(), set)
    }
}

impl StageSolver for Scaled {
    type Number = Vec<u64>;
    type Workspace = Vec<u64>;
    const IS_EXACT: bool = true;
    const METHOD: Method = Method::Integers;

    fn error_bound(&self) -> f64 {
        NEAREST
    }

    fn words(&self, stage: usize) -> usize {
        self.one(stage).len()
    }

    fn width(&self, _: &Space) -> usize {
        WIDTH
    }

    fn workspace(&self, _: &PassContext, _: &Side, _: usize) -> Vec<u64> {
        Vec::new()
    }

    fn solve(
        &self,
        task: &StageTask<Vec<u64>>,
        sum: &mut Vec<u64>,
        numbers: &mut [Vec<u64>],
        sets: &mut [DiceSet],
    ) {
        let space = task.context.space();
        let layout = &task.context.layout;
        let first = layout.columns_of_task(task.index).start;
        for column in task.columns() {
            let mut known = Vec::new();
            for row in 0..space.shared * space.mine {
                let memories = StateMemories {
                    shared: row / space.mine,
                    mine: row % space.mine,
                    theirs: task.theirs(),
                };
                let place = row * layout.width + column - first;
                (numbers[place], sets[place]) =
                    self.decide(task, column, memories, sum, &mut known);
            }
        }
    }

    fn action_value(
        &self,
        task: &StageTask<Vec<u64>>,
        _: &Vec<u64>,
        column: usize,
        memories: StateMemories,
        action: usize,
    ) -> Vec<u64> {
        let distribution = task.context.action_set(task.stage, column, memories)[action];
        let distribution = &task.context.game.distributions()[distribution as usize];
        self.mean(task, (column, memories.theirs), distribution, &mut Vec::new())
    }

    fn payoff(&self) -> Payoff {
        Payoff::WinRate
    }

    fn tolerance(&self, _: usize, _: f64) -> Tolerance {
        Tolerance::default()
    }

    fn may_gain(&self, own: &Vec<u64>, next: &Vec<u64>, stage: usize, _: f64) -> bool {
        let mut most = self.one(stage).to_vec();
        subtract(&mut most, next);
        compare(own, &most).is_le()
    }

    fn convert<C: Number>(&self, number: &Vec<u64>, stage: usize) -> C {
        let numerator = IBig::from(to_integer(number));
        C::from_fraction(&RBig::from_parts(numerator, to_integer(self.one(stage))))
    }

    fn of_cycle(&self, solved: &SolvedStates, node: usize, stage: usize) -> Vec<u64> {
        let fractions = solved.fractions.as_ref();
        let fractions = fractions.expect("cycles of exact numbers are solved in fractions");
        let scaled = &fractions[node] * RBig::from(to_integer(self.one(stage)));
        assert!(scaled.is_int(), "values of cycles without chance have the stage's denominator");
        let mut limbs = of_integer(&scaled.numerator().unsigned_abs());
        limbs.resize(self.words(stage), 0);
        limbs
    }

    fn doubles<'n>(&self, numbers: &'n [Vec<u64>], stage: usize) -> Cow<'n, [f64]> {
        let one = to_integer(self.one(stage));
        let numbers = numbers.par_iter().with_min_len(MIN_SHARED);
        let rates = numbers.map(|number| {
            let ratio = Relaxed::from_parts(to_integer(number).into(), one.clone());
            ratio.to_f64().value()
        });
        Cow::Owned(rates.collect())
    }
}
