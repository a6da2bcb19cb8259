//! Denominators by height, and the factors from each to the next. The height is 1 for the highest
//! stage and grows by 1 with each stage below; ends of the game have height 0.

use dashu_base::Gcd;

use crate::dice::Weight;
use crate::game::{ActionSet, Game};
use crate::solve::stage_solver::PassContext;

use super::limbs::scale_add;

/// Why totals have a common multiple: only such games are solved in integers.
const BELOW: &str = "the common multiple of all totals is below 2^63";

/// The most factors in a precomputed product.
const MOST_FACTORS: usize = 63;

/// The least common multiple of some totals, if it is below 2^63.
pub(in crate::solve) fn common_multiple(mut totals: impl Iterator<Item = Weight>) -> Option<u64> {
    totals.try_fold(1, |base, total| multiple(base, u64::try_from(total).ok()?))
}

/// Converts a weight or total of a game whose totals have a common multiple below 2^63.
pub(super) fn word(weight: Weight) -> u64 {
    u64::try_from(weight).expect("no more than the common multiple")
}

/// The least common multiple of the totals of the distributions of one action set.
fn base_of(game: &Game, set: &ActionSet) -> u64 {
    let numbers = set.distinct().into_iter();
    common_multiple(numbers.map(|number| game.distributions()[number as usize].total)).expect(BELOW)
}

/// The least common multiple of two numbers, if it is below 2^63.
fn multiple(one: u64, other: u64) -> Option<u64> {
    (one / one.gcd(other)).checked_mul(other).filter(|multiple| *multiple < 1 << 63)
}

#[derive(Debug)]
pub(super) struct Denominators {
    /// By height: the products of the next 1, 2, ... factors above it, below 2^63 (see
    /// [`scale_add`]).
    pub factors: Vec<Vec<u64>>,
    /// By height: the denominator; `halves` has half of it.
    pub ones: Vec<Vec<u64>>,
    pub halves: Vec<Vec<u64>>,
}

impl Denominators {
    /// Computes the denominators of a game whose totals have a common multiple below 2^63.
    pub fn new(context: &PassContext) -> Self {
        let of_stages = factors(context);
        let factors = (0..=of_stages.len()).map(|height| products(&of_stages[height..])).collect();
        Self { factors, ones: multiplied(2, &of_stages), halves: multiplied(1, &of_stages) }
    }
}

/// The products of the first factors, as far as they fit in 63 bits.
fn products(factors: &[u64]) -> Vec<u64> {
    let mut products = Vec::new();
    let mut product: u64 = 1;
    for factor in factors.iter().take(MOST_FACTORS) {
        match product.checked_mul(*factor) {
            Some(next) if next < 1 << 63 => product = next,
            _ => break,
        }
        products.push(product);
    }
    products
}

/// A number, and its product with the first factors, one after the other.
fn multiplied(first: u64, factors: &[u64]) -> Vec<Vec<u64>> {
    let mut numbers = vec![vec![first]];
    for factor in factors {
        let mut next = numbers[numbers.len() - 1].clone();
        scale_add(&mut next, *factor, &[], 0);
        numbers.push(next);
    }
    numbers
}

/// The factor of each stage, from the highest down: the least common multiple of the totals in it.
fn factors(context: &PassContext) -> Vec<u64> {
    let game = context.game;
    let of_sets: Vec<u64> = game.action_sets().iter().map(|set| base_of(game, set)).collect();
    let mut factors = Vec::with_capacity(context.layout.stages());
    for stage in (0..context.layout.stages()).rev() {
        let mut factor = 1;
        let mut last = None;
        for column in context.layout.space.scores_in(stage) {
            let set = game.action_set_number_at(stage - column, column);
            if last.replace(set) != Some(set) {
                factor = multiple(factor, of_sets[set]).expect(BELOW);
            }
        }
        factors.push(factor);
    }
    factors
}
