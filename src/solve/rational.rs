//! Exact arithmetic in reduced fractions, for games whose loops leave every fixed denominator: slow, for small games.

use std::cmp::Ordering;

use dashu::integer::UBig;
use dashu::rational::RBig;

use crate::game::End;

use super::arithmetic::{Arithmetic, Solved, Source, Weighing};
use super::float::nearest_double;
use super::layout::LayerIndex;

/// Reduced fractions.
#[derive(Debug)]
pub(super) struct Rational;

fn half() -> RBig {
    RBig::from_parts(1.into(), 2u8.into())
}

fn opponent_value(source: Source, lane: usize, solved: &Solved<RBig>) -> RBig {
    match source {
        Source::End(End::Won) | Source::Open => RBig::ZERO,
        Source::End(End::Lost) => RBig::ONE,
        Source::End(End::Tied) => half(),
        Source::Passed { side, layer, word } => solved.sides[side][layer][word + lane].clone(),
        Source::Again { side, layer, word, stride } => RBig::ONE - &solved.sides[side][layer][word + lane * stride],
    }
}

impl Arithmetic for Rational {
    type Word = RBig;
    type Scratch = ();

    fn words(&self, _: LayerIndex) -> usize {
        1
    }

    fn expect(
        &self,
        weighing: &Weighing,
        source: impl Fn(usize) -> Source,
        solved: &Solved<RBig>,
        (_, expected): (&mut (), &mut Vec<RBig>),
    ) {
        expected.resize(weighing.offer.distributions.len() * weighing.lanes, RBig::ZERO);
        for index in weighing.wanted {
            let lottery = &weighing.offer.distributions[usize::from(*index)];
            for lane in 0..weighing.lanes {
                let weighed = lottery.outcomes.iter().map(|(landing, weight)| {
                    opponent_value(source(usize::from(*landing)), lane, solved) * RBig::from(UBig::from(*weight))
                });
                let sum = weighed.fold(RBig::ZERO, |sum, value| sum + value);
                let mean = RBig::ONE - sum / RBig::from(UBig::from(lottery.total));
                expected[usize::from(*index) * weighing.lanes + lane] = mean;
            }
        }
    }

    fn compare(&self, a: &[RBig], b: &[RBig]) -> Ordering {
        a[0].cmp(&b[0])
    }

    fn ties(&self, best: &[RBig], other: &[RBig], _: LayerIndex) -> bool {
        best[0] == other[0]
    }

    fn slack(&self, _: LayerIndex) -> f64 {
        0.0
    }

    fn turned(&self, number: &[RBig], _: LayerIndex) -> Vec<RBig> {
        vec![RBig::ONE - &number[0]]
    }

    fn to_rational(&self, number: &[RBig], _: LayerIndex) -> RBig {
        number[0].clone()
    }

    fn nearest(&self, value: &RBig, _: LayerIndex) -> Vec<RBig> {
        vec![value.clone()]
    }

    fn to_f64(&self, number: &[RBig], _: LayerIndex) -> f64 {
        nearest_double(&number[0])
    }
}
