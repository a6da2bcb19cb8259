//! Integers over fixed denominators: no fraction is ever reduced while a game is solved.
//!
//! Let D be the least common multiple of the totals of all distributions of a stage (6^10 for ten six-sided dice, 4^10 for
//! four-sided ones). A mean over values of higher stages multiplies the denominator by at most D, so every state of a stage of
//! height h is worth N / (2 D D' D'' ...) for an integer N, one factor for its stage and each of those above. The 2 is there for
//! ties and endless games: at height 0 a value is 0, 1/2 or 1. Sums run over numbers from the lowest height up (Horner's
//! rule), so that each step is one multiplication by a machine word and one addition; and numbers of dice share most of their
//! sums ([`CleanSums`]).

use std::borrow::Cow;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rayon::prelude::*;

use crate::dice::Weight;
use crate::game::{DiceSet, Space};
use crate::solve::cycles::Fractions;
use crate::solve::kernel::{CleanSum, Convolution, Distribution, Outcome, Target};
use crate::solve::layout::Memories;
use crate::solve::numbers::{Decider, Job, Next, Numbers, PassContext, Payoff, Side};

use super::cells::solve_cells;
use super::clean::{CleanSums, Kept, KeptSum, halves};
use super::denominators::{Denominators, word};
use super::horner::{Horner, Item};
use super::integers::Integers;
use super::limbs::{nearest_ratio, subtract};

/// Integers over a denominator for each height, least significant limb first.
#[derive(Debug)]
pub(in crate::solve) struct Scaled {
    denominators: Denominators,
    stages: usize,
    clean: Option<CleanSums>,
}

/// Columns of a task: few, for each takes long.
const WIDTH: usize = 8;

/// Fewer numbers than these are not worth waking a thread to round them.
const MIN_SHARED: usize = 64;

/// What a task keeps.
#[derive(Debug)]
pub(in crate::solve) struct ScaledWork {
    pub(super) sum: Vec<u64>,
    pub(super) kept: Option<Kept>,
}

impl Scaled {
    /// For a game whose totals have a common multiple that fits.
    pub fn new(context: &PassContext) -> Option<Self> {
        let denominators = Denominators::new(context)?;
        let clean = CleanSums::new(context).filter(|_| denominators.fit_halves());
        Some(Self { denominators, stages: context.layout.stages(), clean })
    }

    fn height(&self, stage: usize) -> usize {
        self.stages - stage
    }

    /// The denominator of a stage's numbers.
    fn one(&self, stage: usize) -> &[u64] {
        &self.denominators.ones[self.height(stage)]
    }

    /// The value of a state, as the opponent sees it.
    fn number<'n>(
        &self,
        job: &Job<'n, u64>,
        side: usize,
        (stage, place): (usize, usize),
        complement: bool,
    ) -> Item<'n> {
        let (height, words) = (self.height(stage), self.words(stage));
        let limbs = &job.solved[side][stage][place * words..][..words];
        if complement { Item::Complement { height, limbs } } else { Item::Number { height, limbs } }
    }

    /// Where an outcome leads from a column.
    fn item<'n>(&self, job: &Job<'n, u64>, (column, theirs): (usize, usize), outcome: &Outcome) -> Item<'n> {
        match job.next((column, theirs), outcome) {
            // A state that is not solved yet counts as won, and whoever asks accounts for it.
            Next::State { stage, .. } if stage == job.stage => Item::Halves(0),
            Next::State { side, stage, place, again, .. } => self.number(job, side, (stage, place), again),
            Next::End(end) => Item::Halves(halves(Some(Target::End(end)))),
        }
    }

    /// The items of a distribution at a column, lowest heights first.
    fn items<'n>(
        &self,
        job: &Job<'n, u64>,
        (column, theirs): (usize, usize),
        distribution: &Distribution,
        kept: Option<&'n Kept>,
    ) -> Vec<(Item<'n>, u64)> {
        let weighted = |outcome: &Outcome| (self.item(job, (column, theirs), outcome), word(outcome.weight));
        let sums = self.clean.as_ref().zip(kept).zip(distribution.clean);
        let mut items: Vec<(Item, u64)> = match sums {
            Some(((sums, kept), clean)) => {
                let left_out = |outcome: &&Outcome| {
                    let successors = &job.context.kernel.classes[outcome.class].successors;
                    successors.at((job.stage + outcome.points, column), job.context.space().goal).is_none()
                };
                let remainder = distribution.remainder.iter().filter(|outcome| !left_out(outcome)).map(weighted);
                let deferred = distribution.deferred.iter().filter(left_out).map(weighted);
                let at = job.stage + clean.offset;
                let sum = match kept.get(sums.row(&clean), (at, column)) {
                    KeptSum::Halves(count) => Item::Halves(count),
                    KeptSum::Limbs(limbs) => Item::Number { height: self.height(at) - 1, limbs },
                };
                remainder.chain(deferred).chain([(sum, 1)]).collect()
            }
            None => distribution.outcomes.iter().map(weighted).collect(),
        };
        items.sort_by_key(|(item, _)| item.height());
        items
    }

    /// Finds the clean sums from a column of a stage.
    fn convolve(&self, job: &Job<u64>, sums: &CleanSums, kept: &mut Kept, column: usize, sum: &mut Vec<u64>) {
        let total = job.stage - column;
        for (number, convolution) in job.context.kernel.convolutions.iter().enumerate() {
            for dice in 1..=convolution.most_dice {
                let clean = |dice| CleanSum { convolution: number, dice, offset: 0 };
                let row = sums.row(&clean(dice));
                if !sums.is_read((total, column), row) {
                    continue;
                }
                let fewer = (dice > 1).then(|| sums.row(&clean(dice - 1)));
                if total >= job.context.space().goal {
                    let count = self.halves_past_the_goal(job, (convolution, fewer), kept, column);
                    kept.set(row, (job.stage, column), &[count]);
                    continue;
                }
                let mut items = self.items_of_one_die(job, (convolution, fewer), kept, column);
                items.sort_by_key(|(item, _)| item.height());
                let mut horner = Horner::new(&self.denominators, sum);
                items.iter().for_each(|(item, weight)| horner.add(item, *weight));
                horner.finish(self.height(job.stage) - 1);
                kept.set(row, (job.stage, column), sum);
            }
        }
    }

    fn halves_past_the_goal(
        &self,
        job: &Job<u64>,
        (convolution, fewer): (&Convolution, Option<usize>),
        kept: &Kept,
        column: usize,
    ) -> u64 {
        let (successors, goal) = (&job.context.kernel.classes[convolution.class].successors, job.context.space().goal);
        let from = |(points, weight): &(usize, Weight)| {
            let at = (job.stage + points, column);
            let count = match fewer.map(|fewer| kept.get(fewer, at)) {
                Some(KeptSum::Halves(count)) => count,
                _ => halves(successors.at(at, goal)),
            };
            count * word(*weight)
        };
        convolution.die.iter().map(from).sum()
    }

    fn items_of_one_die<'n>(
        &self,
        job: &Job<'n, u64>,
        (convolution, fewer): (&Convolution, Option<usize>),
        kept: &'n Kept,
        column: usize,
    ) -> Vec<(Item<'n>, u64)> {
        let (context, goal) = (&job.context, job.context.space().goal);
        let successors = &context.kernel.classes[convolution.class].successors;
        let item = |points: usize| {
            let at = (job.stage + points, column);
            match fewer.map(|fewer| kept.get(fewer, at)) {
                Some(KeptSum::Halves(count)) => Item::Halves(count),
                Some(KeptSum::Limbs(limbs)) => Item::Number { height: self.height(at.0) - 1, limbs },
                None => match successors.at(at, goal) {
                    Some(Target::Cell { again, stage, column }) => {
                        let side = if again { job.side.own } else { job.side.other };
                        let place = context.layout.at(column as usize, (0, 0, 0));
                        self.number(job, side, (stage as usize, place), again)
                    }
                    end => Item::Halves(halves(end)),
                },
            }
        };
        convolution.die.iter().map(|(points, weight)| (item(*points), word(*weight))).collect()
    }

    /// What the mover gets on average from a distribution, at a column with a class of the opponent's memory. A distribution of one
    /// outcome divides nothing, so it may lead to this very stage (a pass); any other leads above.
    pub(super) fn mean(
        &self,
        job: &Job<u64>,
        at: (usize, usize),
        distribution: &Distribution,
        (kept, sum): (Option<&Kept>, &mut Vec<u64>),
    ) -> Vec<u64> {
        let certain = distribution.outcomes.len() == 1;
        let kept = kept.filter(|_| !certain);
        let items = self.items(job, at, distribution, kept);
        let above = self.height(job.stage) - 1;
        let (scale, height) = match certain {
            true => (1, above + 1),
            false => (self.denominators.factors[above][0] / word(distribution.total), above),
        };
        let mut horner = Horner::new(&self.denominators, sum);
        for (item, weight) in &items {
            horner.add(item, if certain { 1 } else { weight * scale });
        }
        horner.finish(height);
        let mut mean = self.one(job.stage).to_vec();
        subtract(&mut mean, sum);
        mean
    }
}

impl Numbers for Scaled {
    type Word = u64;
    type Work = ScaledWork;
    type Cycles<'n> = Integers<'n>;

    fn words(&self, stage: usize) -> usize {
        self.one(stage).len()
    }

    fn width(&self, _: &Space) -> usize {
        WIDTH
    }

    fn work(&self, context: &PassContext, side: &Side, task: usize) -> ScaledWork {
        // Where only some are played, to find all takes longer.
        let sums = self.clean.as_ref().filter(|_| matches!(side.decider, Decider::Best));
        let kept = sums.map(|sums| Kept::new(context.kernel, sums, context.layout.columns_of_task(task)));
        ScaledWork { sum: Vec::new(), kept }
    }

    fn solve(&self, job: &Job<u64>, work: &mut ScaledWork, (numbers, sets): (&mut [u64], &mut [DiceSet])) {
        if let Some((sums, mut kept)) = self.clean.as_ref().zip(work.kept.take()) {
            let limbs =
                if job.stage < self.stages { self.denominators.ones[self.height(job.stage) - 1].len() + 1 } else { 1 };
            kept.begin(job.stage, limbs);
            for column in job.context.layout.columns_of_task(job.task).filter(|column| *column <= job.stage) {
                self.convolve(job, sums, &mut kept, column, &mut work.sum);
            }
            work.kept = Some(kept);
        }
        solve_cells(self, job, work, (numbers, sets));
    }

    fn choices<'w>(&self, _: &'w ScaledWork) -> Option<&'w [u8]> {
        None
    }

    fn base(
        &self,
        job: &Job<u64>,
        work: &ScaledWork,
        (column, memories): (usize, Memories),
        action: usize,
        value: &mut Vec<u64>,
    ) {
        let distribution = job.context.action_set(job.stage, column, memories)[action];
        let distribution = &job.context.kernel.distributions[distribution as usize];
        let work = (work.kept.as_ref(), &mut Vec::new());
        value.extend(self.mean(job, (column, memories.2), distribution, work));
    }

    fn arrive(&self, _: &Job<u64>, _: &mut ScaledWork) {}

    fn cycle_values(&self, stage: usize, _: f64) -> Integers<'_> {
        Integers { one: self.one(stage), half: &self.denominators.halves[self.height(stage)] }
    }

    fn cycle_value(&self, number: &[u64]) -> Vec<u64> {
        number.to_vec()
    }

    fn cycle_words(&self, value: &Vec<u64>, words: &mut Vec<u64>) {
        words.extend_from_slice(value);
    }

    fn exact_cycle_values(&self, _: usize, _: f64) -> Fractions {
        Fractions { payoff: Payoff::WinRate, tolerance: RBig::ZERO, equal: RBig::ZERO }
    }

    fn to_rational(&self, number: &[u64], stage: usize) -> RBig {
        RBig::from_parts(IBig::from(UBig::from_words(number)), UBig::from_words(self.one(stage)))
    }

    fn nearest(&self, value: &RBig, stage: usize) -> Vec<u64> {
        let scaled = value.clone() * RBig::from(UBig::from_words(self.one(stage)));
        let (numerator, denominator) = scaled.into_parts();
        assert!(denominator.is_one(), "cycles without chance keep to the stage's denominator");
        let mut words = UBig::try_from(numerator).expect("values are not negative").as_words().to_vec();
        words.resize(self.words(stage), 0);
        words
    }

    fn doubles<'n>(&self, numbers: &'n [u64], stage: usize) -> Cow<'n, [f64]> {
        let one = UBig::from_words(self.one(stage));
        let numbers = numbers.par_chunks_exact(self.words(stage)).with_min_len(MIN_SHARED);
        Cow::Owned(numbers.map(|number| nearest_ratio(&UBig::from_words(number), &one)).collect())
    }
}
