//! Win rates as integers over powers of one base, whose sums need no search for a common
//! denominator.

use dashu_int::{IBig, UBig, Word};
use dashu_ratio::RBig;

use hog_rules::dice::Weight;

use super::numbers::{Mixture, RateArithmetic, Term};
use super::rounding::nearest;

/// Returns a weight as a word if it is at most half of the largest word.
fn small(weight: Weight) -> Option<Word> {
    Word::try_from(weight).ok().filter(|weight| *weight <= Word::MAX / 2)
}

/// Integers over `2 * base^height`.
pub(super) struct Scaled {
    powers: Vec<UBig>,
    base: UBig,
    /// The base, if it is at most half of the largest word.
    word: Option<Word>,
}

impl Scaled {
    /// Creates the arithmetic for distributions whose totals all divide `base`.
    pub fn new(base: UBig, heights: usize) -> Self {
        let powers = std::iter::successors(Some(UBig::ONE), |power| Some(power * &base))
            .take(heights + 1)
            .collect();
        let word = Word::try_from(&base).ok().filter(|base| *base <= Word::MAX / 2);
        Self { powers, base, word }
    }

    fn one(&self, height: usize) -> UBig {
        &self.powers[height] << 1
    }

    /// Returns the sum of weight times value over `2 * base^height`, by Horner's rule from the
    /// lowest height up.
    fn sum<'a>(&self, height: usize, terms: impl Iterator<Item = &'a Term<'a, UBig>>) -> UBig {
        let mut sum = Sum::default();
        let mut at = 0;
        for term in terms {
            self.raise(&mut sum, term.height - at, Some((term.value, term.weight)));
            at = term.height;
        }
        self.raise(&mut sum, height - at, None);
        UBig::from_words(&sum.words)
    }

    /// Multiplies `sum` by `base^heights`, then adds a term.
    fn raise(&self, sum: &mut Sum, heights: usize, term: Option<(&UBig, Weight)>) {
        let (value, weight) =
            term.map_or((&[][..], Some(0)), |(value, weight)| (value.as_words(), small(weight)));
        let Some((base, weight)) = self.word.zip(weight) else {
            let raised = UBig::from_words(&sum.words) * &self.powers[heights];
            let term = term.map_or(UBig::ZERO, |(value, weight)| value * weight);
            sum.words = (raised + term).as_words().to_vec();
            return;
        };
        if heights == 0 {
            return sum.multiply_add(1, value, weight);
        }
        (1..heights).for_each(|_| sum.multiply_add(base, &[], 0));
        sum.multiply_add(base, value, weight);
    }
}

/// A non-negative integer that grows in place, lowest word first.
#[derive(Default)]
struct Sum {
    words: Vec<Word>,
}

impl Sum {
    /// Sets it to `self * base + value * weight`; base and weight are at most half of the largest
    /// word.
    fn multiply_add(&mut self, base: Word, value: &[Word], weight: Word) {
        let base = u128::from(base);
        let weight = u128::from(weight);
        if self.words.len() < value.len() {
            self.words.resize(value.len(), 0);
        }
        let (low, high) = self.words.split_at_mut(value.len());
        let mut carry = 0;
        for (word, value) in low.iter_mut().zip(value) {
            carry += u128::from(*word) * base + u128::from(*value) * weight;
            *word = carry as Word;
            carry >>= Word::BITS;
        }
        for word in high {
            carry += u128::from(*word) * base;
            *word = carry as Word;
            carry >>= Word::BITS;
        }
        while carry > 0 {
            self.words.push(carry as Word);
            carry >>= Word::BITS;
        }
    }
}

impl RateArithmetic for Scaled {
    type Number = UBig;

    fn mean(&self, height: usize, mixture: &Mixture<UBig>) -> UBig {
        if let [only] = mixture.terms.as_slice()
            && only.height == height
        {
            // A turn that is certain to leave the sum of scores unchanged. Where this arithmetic is
            // used, none does so by chance.
            return if only.passed {
                self.complement(height, only.value)
            } else {
                only.value.clone()
            };
        }
        let below = height - 1;
        let passed: Weight =
            mixture.terms.iter().filter(|term| term.passed).map(|term| term.weight).sum();
        let constant = &self.powers[below] * (mixture.halves + 2 * passed);
        let [own, others] = [false, true]
            .map(|side| self.sum(below, mixture.terms.iter().filter(|term| term.passed == side)));
        (constant + own - others) * (&self.base / mixture.total)
    }

    fn complement(&self, height: usize, n: &UBig) -> UBig {
        self.one(height) - n
    }

    fn half(&self, height: usize) -> UBig {
        self.powers[height].clone()
    }

    fn nearest(&self, height: usize, n: &UBig) -> f64 {
        nearest(n, &self.one(height))
    }

    fn shortfall(&self, height: usize, most: &UBig, n: &UBig) -> f64 {
        if n <= most { nearest(&(most - n), &self.one(height)) } else { f64::NAN }
    }

    fn fraction(&self, height: usize, n: &UBig) -> RBig {
        RBig::from_parts(IBig::from(n.clone()), self.one(height))
    }

    fn number(&self, height: usize, fraction: &RBig) -> Option<UBig> {
        let numerator = UBig::try_from(fraction.numerator().clone()).ok()? * self.one(height);
        let number = &numerator / fraction.denominator();
        let remainder = &numerator % fraction.denominator();
        remainder.is_zero().then_some(number)
    }
}
