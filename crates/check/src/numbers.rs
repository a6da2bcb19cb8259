//! The arithmetics for win rates: fractions and doubles here, scaled integers in [`super::scaled`].

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use hog_rules::dice::{Weight, double_of};

use super::bounds::Bounds;
use super::rounding::{fraction_of, nearest_to};

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
/// the game, at least 1; `side` is the side that moves there.
pub(super) trait Numbers: Sync {
    /// A win rate.
    type Number: Clone + PartialOrd + Send + Sync;

    /// Whether all operations are exact.
    const EXACT: bool;

    /// Returns the mover's win rate with a number of dice.
    fn mean(&self, height: usize, side: usize, mixture: &Mixture<Self::Number>) -> Self::Number;
    /// Returns the other player's win rate.
    fn complement(&self, height: usize, n: &Self::Number) -> Self::Number;
    /// Returns the win rate of a game that never ends.
    fn half(&self, height: usize) -> Self::Number;
    /// Returns the nearest double.
    fn nearest(&self, height: usize, n: &Self::Number) -> f64;
    /// Returns `most - n` in doubles.
    fn shortfall(&self, height: usize, most: &Self::Number, n: &Self::Number) -> f64;
    /// Converts a number to a fraction.
    fn fraction(&self, height: usize, n: &Self::Number) -> RBig;
    /// Converts a fraction to a number (in doubles, the nearest); returns `None` if it cannot be
    /// represented.
    fn number(&self, height: usize, side: usize, fraction: &RBig) -> Option<Self::Number>;
    /// Returns the double that stands for a value with an error of at most `error`.
    fn within(&self, _side: usize, value: f64, _error: f64) -> f64 {
        value.clamp(0.0, 1.0)
    }
}

/// Reduced fractions, for loops that depend on chance: their values have no common denominator.
pub(super) struct Fractions;

impl Numbers for Fractions {
    type Number = RBig;
    const EXACT: bool = true;

    fn mean(&self, height: usize, _: usize, mixture: &Mixture<RBig>) -> RBig {
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

    fn number(&self, _: usize, _: usize, fraction: &RBig) -> Option<RBig> {
        Some(fraction.clone())
    }
}

/// Doubles, where exact numbers would not fit in memory.
pub(super) struct Doubles {
    /// If these are given, all values are bounds; else they are rounded to the nearest double.
    pub bounds: Option<Bounds>,
}

impl Numbers for Doubles {
    type Number = f64;
    const EXACT: bool = false;

    fn mean(&self, _: usize, side: usize, mixture: &Mixture<f64>) -> f64 {
        let mut sum = double_of(mixture.halves) / 2.0;
        for term in &mixture.terms {
            sum +=
                double_of(term.weight) * if term.passed { 1.0 - term.value } else { *term.value };
        }
        let mean = (sum / double_of(mixture.total)).clamp(0.0, 1.0);
        self.bounds.map_or(mean, |bounds| bounds.round_mean(side, mean, mixture))
    }

    fn complement(&self, _: usize, n: &f64) -> f64 {
        1.0 - n
    }

    fn half(&self, _: usize) -> f64 {
        0.5
    }

    fn nearest(&self, _: usize, n: &f64) -> f64 {
        *n
    }

    fn shortfall(&self, _: usize, most: &f64, n: &f64) -> f64 {
        most - n
    }

    fn fraction(&self, _: usize, n: &f64) -> RBig {
        fraction_of(*n)
    }

    fn number(&self, _: usize, side: usize, fraction: &RBig) -> Option<f64> {
        match self.bounds {
            Some(bounds) => bounds.round_fraction(side, fraction),
            None => Some(nearest_to(fraction)),
        }
    }

    fn within(&self, side: usize, value: f64, error: f64) -> f64 {
        let near = value.clamp(0.0, 1.0);
        self.bounds.map_or(near, |bounds| bounds.round(side, value, error))
    }
}
