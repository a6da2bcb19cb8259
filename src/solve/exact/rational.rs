//! Reduced fractions, for games whose cycles leave every fixed denominator: slow, for small games.

use std::borrow::Cow;
use std::cmp::Ordering;

use dashu_int::UBig;
use dashu_ratio::RBig;

use crate::game::{DiceSet, End, Space};
use crate::solve::kernel::Distribution;
use crate::solve::layout::Memories;
use crate::solve::numbers::{Job, Next, Numbers, PassContext, Side};

use super::cells::{Means, solve_cells};
use super::nearest_double;

/// Reduced fractions.
#[derive(Debug)]
pub(in crate::solve) struct Rational;

/// What an outcome is worth to the opponent; a state that is not solved yet counts as won.
fn opponent_value(job: &Job<RBig>, next: Next) -> RBig {
    match next {
        Next::End(End::Won) => RBig::ZERO,
        Next::End(End::Lost) => RBig::ONE,
        Next::End(End::Tied) => RBig::from_parts(1.into(), 2u8.into()),
        Next::State { stage, .. } if stage == job.stage => RBig::ZERO,
        Next::State { side, stage, place, again: false, .. } => job.solved[side][stage][place].clone(),
        Next::State { side, stage, place, again: true, .. } => RBig::ONE - &job.solved[side][stage][place],
    }
}

impl Means for Rational {
    fn mean(&self, job: &Job<RBig>, at: (usize, usize), distribution: &Distribution, _: &mut ()) -> Vec<RBig> {
        let weighted = distribution
            .outcomes
            .iter()
            .map(|outcome| opponent_value(job, job.next(at, outcome)) * RBig::from(UBig::from(outcome.weight)));
        let sum = weighted.fold(RBig::ZERO, |sum, value| sum + value);
        vec![RBig::ONE - sum / RBig::from(UBig::from(distribution.total))]
    }
}

impl Numbers for Rational {
    type Word = RBig;
    type Work = ();

    fn words(&self, _: usize) -> usize {
        1
    }

    fn width(&self, space: &Space) -> usize {
        space.goal
    }

    fn work(&self, _: &PassContext, _: &Side, _: usize) {}

    fn solve(&self, job: &Job<RBig>, work: &mut (), out: (&mut [RBig], &mut [DiceSet])) {
        solve_cells(self, job, work, out);
    }

    fn choices<'w>(&self, _: &'w ()) -> Option<&'w [u8]> {
        None
    }

    fn base(
        &self,
        job: &Job<RBig>,
        work: &mut (),
        (column, memories): (usize, Memories),
        action: usize,
        value: &mut Vec<RBig>,
    ) {
        let distribution = job.context.action_set(job.stage, column, memories)[action];
        *value = self.mean(job, (column, memories.2), &job.context.kernel.distributions[distribution as usize], work);
    }

    fn arrive(&self, _: &Job<RBig>, _: &mut ()) {}

    fn compare(&self, a: &[RBig], b: &[RBig]) -> Ordering {
        a[0].cmp(&b[0])
    }

    fn ties(&self, best: &[RBig], other: &[RBig], _: usize) -> bool {
        best[0] == other[0]
    }

    fn tolerance(&self, _: usize) -> f64 {
        0.0
    }

    fn complement(&self, number: &[RBig], _: usize) -> Vec<RBig> {
        vec![RBig::ONE - &number[0]]
    }

    fn to_rational(&self, number: &[RBig], _: usize) -> RBig {
        number[0].clone()
    }

    fn nearest(&self, value: &RBig, _: usize) -> Vec<RBig> {
        vec![value.clone()]
    }

    fn doubles<'n>(&self, numbers: &'n [RBig], _: usize) -> Cow<'n, [f64]> {
        Cow::Owned(numbers.iter().map(nearest_double).collect())
    }
}
