//! Cycles without chance in whole numbers of a stage.

use std::cmp::Ordering;

use crate::dice::Weight;
use crate::solve::cycles::{CycleValues, Members};
use crate::solve::numbers::Payoff;

use super::limbs::subtract;

/// The whole numbers of a stage, over its denominator.
#[derive(Debug)]
pub(in crate::solve) struct Integers<'n> {
    pub one: &'n [u64],
    pub half: &'n [u64],
}

/// Which of two numbers of equally many limbs is larger.
pub(super) fn compare(one: &[u64], other: &[u64]) -> Ordering {
    one.iter().rev().cmp(other.iter().rev())
}

impl CycleValues for Integers<'_> {
    type Value = Vec<u64>;

    fn payoff(&self) -> Payoff {
        Payoff::WinRate
    }

    fn compare(&self, one: &Vec<u64>, other: &Vec<u64>) -> Ordering {
        compare(one, other)
    }

    fn ties(&self, best: &Vec<u64>, other: &Vec<u64>) -> bool {
        best == other
    }

    fn equal(&self, best: &Vec<u64>, other: &Vec<u64>) -> bool {
        best == other
    }

    fn complement(&self, value: &Vec<u64>) -> Vec<u64> {
        let mut complement = self.one.to_vec();
        subtract(&mut complement, value);
        complement
    }

    fn zero(&self) -> Vec<u64> {
        vec![0; self.one.len()]
    }

    fn half(&self) -> Vec<u64> {
        let mut half = self.half.to_vec();
        half.resize(self.one.len(), 0);
        half
    }

    fn settle(&self, _: Vec<u64>, known: &Vec<u64>, (again, weight, total): (bool, Weight, Weight)) -> Vec<u64> {
        assert!(weight == total, "cycles without chance keep to the stage's denominator");
        if again { known.clone() } else { self.complement(known) }
    }

    fn solve_chance(&self, _: &Members, _: &[(Vec<u64>, Weight)], _: &dyn Fn() -> bool) -> Option<Vec<Vec<u64>>> {
        unreachable!("games whose cycles depend on chance are solved in fractions")
    }
}
