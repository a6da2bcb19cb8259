//! The numbers that win rates are recomputed in; here fractions and doubles, in [`super::scaled`] whole numbers.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::dice::{Weight, double_of};

use super::rounding::{fraction_of, nearest_to};

/// One successor of a turn: so many rolls lead to it.
pub(super) struct Term<'a, N> {
    pub weight: Weight,
    /// How many sums of scores it is from the end.
    pub height: usize,
    /// Its mover's win rate.
    pub value: &'a N,
    /// True if that mover is the other player.
    pub passed: bool,
}

/// All that a number of dice leads to, out of `total` rolls.
pub(super) struct Mix<'a, N> {
    pub total: Weight,
    /// Rolls that end the game: two halves for each won, one for each tied.
    pub halves: Weight,
    /// The others, lowest first.
    pub terms: Vec<Term<'a, N>>,
}

/// Win rates and how to count with them. `height` is how many sums of scores a state is from the end, from 1.
pub(super) trait Numbers: Sync {
    /// A win rate.
    type Number: Clone + PartialOrd + Send + Sync;

    /// Whether nothing is ever rounded.
    const EXACT: bool;

    /// The mover's win rate with a number of dice.
    fn mix(&self, height: usize, mix: &Mix<Self::Number>) -> Self::Number;
    /// The other player's win rate.
    fn passed(&self, height: usize, n: &Self::Number) -> Self::Number;
    /// The win rate of a game that never ends.
    fn half(&self, height: usize) -> Self::Number;
    /// The nearest double.
    fn nearest(&self, height: usize, n: &Self::Number) -> f64;
    /// How much less than `most` it is, in doubles.
    fn short_of(&self, height: usize, most: &Self::Number, n: &Self::Number) -> f64;
    /// The fraction that it is.
    fn fraction(&self, height: usize, n: &Self::Number) -> RBig;
    /// The number that is this fraction (in doubles, nearest to it); `None` if there is none.
    fn number(&self, height: usize, fraction: &RBig) -> Option<Self::Number>;
}

/// Fractions in lowest terms, for loops that depend on chance: their values have no common denominator.
pub(super) struct Fractions;

impl Numbers for Fractions {
    type Number = RBig;
    const EXACT: bool = true;

    fn mix(&self, height: usize, mix: &Mix<RBig>) -> RBig {
        let mut sum = RBig::from_parts(IBig::from(mix.halves), UBig::from(2u8));
        for term in &mix.terms {
            let passed = term.passed.then(|| self.passed(height, term.value));
            sum += passed.as_ref().unwrap_or(term.value) * RBig::from(term.weight);
        }
        sum / RBig::from(mix.total)
    }

    fn passed(&self, _: usize, n: &RBig) -> RBig {
        RBig::ONE - n
    }

    fn half(&self, _: usize) -> RBig {
        RBig::from_parts(IBig::ONE, UBig::from(2u8))
    }

    fn nearest(&self, _: usize, n: &RBig) -> f64 {
        nearest_to(n)
    }

    fn short_of(&self, _: usize, most: &RBig, n: &RBig) -> f64 {
        nearest_to(&(most - n))
    }

    fn fraction(&self, _: usize, n: &RBig) -> RBig {
        n.clone()
    }

    fn number(&self, _: usize, fraction: &RBig) -> Option<RBig> {
        Some(fraction.clone())
    }
}

/// Doubles, where exact numbers would not fit in memory.
pub(super) struct Doubles;

impl Numbers for Doubles {
    type Number = f64;
    const EXACT: bool = false;

    fn mix(&self, _: usize, mix: &Mix<f64>) -> f64 {
        let mut sum = double_of(mix.halves) / 2.0;
        for term in &mix.terms {
            sum += double_of(term.weight) * if term.passed { 1.0 - term.value } else { *term.value };
        }
        (sum / double_of(mix.total)).clamp(0.0, 1.0)
    }

    fn passed(&self, _: usize, n: &f64) -> f64 {
        1.0 - n
    }

    fn half(&self, _: usize) -> f64 {
        0.5
    }

    fn nearest(&self, _: usize, n: &f64) -> f64 {
        *n
    }

    fn short_of(&self, _: usize, most: &f64, n: &f64) -> f64 {
        most - n
    }

    fn fraction(&self, _: usize, n: &f64) -> RBig {
        fraction_of(*n)
    }

    fn number(&self, _: usize, fraction: &RBig) -> Option<f64> {
        Some(nearest_to(fraction))
    }
}
