//! The arithmetics for win rates: fractions here, scaled integers in [`super::scaled`], intervals
//! in [`super::bounds`].

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use hog_rules::dice::Weight;

use super::rounding::nearest_to;

/// One successor of a turn, with the number of rolls that lead to it.
pub(super) struct Term<'a, N> {
    pub weight: Weight,
    /// The height of its stage.
    pub height: usize,
    /// The win rate of the player who moves there.
    pub value: &'a N,
    /// True if that player is the opponent.
    pub passed: bool,
}

/// The successors of a number of dice, out of `total` rolls.
pub(super) struct Mixture<'a, N> {
    pub total: Weight,
    /// The rolls that end the game: two for each one won, one for each one tied.
    pub halves: Weight,
    /// The other rolls, by successor, lowest height first.
    pub terms: Vec<Term<'a, N>>,
}

/// An arithmetic for win rates. `height` is the number of stages from a state's stage to the end of
/// the game, at least 1.
pub(super) trait RateArithmetic: Sync {
    /// A win rate.
    type Number: Clone + PartialOrd + Send + Sync;

    /// Returns the mover's win rate with a number of dice.
    fn mean(&self, height: usize, mixture: &Mixture<Self::Number>) -> Self::Number;
    /// Returns the other player's win rate.
    fn complement(&self, height: usize, n: &Self::Number) -> Self::Number;
    /// Returns the win rate of a game that never ends.
    fn half(&self, height: usize) -> Self::Number;
    /// Returns the win rate of a game that ends with so many halves of a win, in arithmetics that
    /// verify games with a choice after the roll.
    fn halves(&self, _: u8) -> Self::Number {
        unreachable!("such games are verified by bounds")
    }
    /// Returns the larger of two win rates: what is known of a choice between them.
    fn larger(&self, one: Self::Number, other: Self::Number) -> Self::Number {
        if one >= other { one } else { other }
    }
    /// Returns the nearest double.
    fn nearest(&self, height: usize, n: &Self::Number) -> f64;
    /// Returns `most - n` in doubles.
    fn shortfall(&self, height: usize, most: &Self::Number, n: &Self::Number) -> f64;
    /// Converts a number to a fraction.
    fn fraction(&self, height: usize, n: &Self::Number) -> RBig;
    /// Converts a fraction to a number; returns `None` if it cannot be represented.
    fn number(&self, height: usize, fraction: &RBig) -> Option<Self::Number>;
}

/// Reduced fractions, for loops that depend on chance: their values have no common denominator.
pub(super) struct Fractions;

impl RateArithmetic for Fractions {
    type Number = RBig;

    fn mean(&self, height: usize, mixture: &Mixture<RBig>) -> RBig {
        let mut sum = RBig::from_parts(IBig::from(mixture.halves), UBig::from(2u8));
        for term in &mixture.terms {
            let passed = term.passed.then(|| self.complement(height, term.value));
            sum += passed.as_ref().unwrap_or(term.value) * RBig::from(term.weight);
        }
        sum / RBig::from(mixture.total)
    }

    fn complement(&self, _: usize, n: &RBig) -> RBig {
        RBig::ONE - n
    }

    fn half(&self, _: usize) -> RBig {
        RBig::from_parts(IBig::ONE, UBig::from(2u8))
    }

    fn nearest(&self, _: usize, n: &RBig) -> f64 {
        nearest_to(n)
    }

    fn shortfall(&self, _: usize, most: &RBig, n: &RBig) -> f64 {
        nearest_to(&(most - n))
    }

    fn fraction(&self, _: usize, n: &RBig) -> RBig {
        n.clone()
    }

    fn number(&self, _: usize, fraction: &RBig) -> Option<RBig> {
        Some(fraction.clone())
    }
}
