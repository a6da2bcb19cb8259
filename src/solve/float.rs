//! Floating-point arithmetic with a certified bound on its error.
//!
//! **The bound.** A value is a mean of values between 0 and 1 with weights that are not negative. With u = 2^-53, a
//! term that is rounded k times on its way into the sum is off by at most k u / (1 - k u) of itself (Higham, *Accuracy and
//! Stability of Numerical Algorithms*, section 3.1), so the sum is off by at most r u, r being the mean of the k by weight
//! ([`Increments`] counts them; 1.01 covers the denominator); the quotient rounds once more, each difference from 1
//! by half of that. To this comes the mean of what the values read are off by. A lottery that gains g points of the sum of
//! scores reads a value g layers above, so the bound of a layer is the largest, over all distributions of the game, of the mean
//! of the bounds at their gains and their own roundings.
//!
//! **Loops.** Outcomes that gain nothing may stay in the layer. A loop is solved exactly from its rounded inputs; play
//! leaves it through distributions, and an error that enters with each visit of a lottery adds up over as many visits
//! as it takes to leave: 1 over its chance of leaving. What that does not cover is a turn without chance that passes a
//! value on within the layer: it rounds once for each link of the longest chain of such turns ([`Game::longest_path`]).
//! Where an outcome that might stay gains something after all, it reads a value of a layer above, whose bound is no
//! larger.

use std::cmp::Ordering;

use dashu::base::Approximation;
use dashu::rational::RBig;

use crate::game::{End, Game, Increments, Order};

use super::arithmetic::{Arithmetic, Payoff, Solved, Source, Weighing};
use super::layout::LayerIndex;

/// Doubles; ties are values closer than twice the bound.
#[derive(Debug)]
pub(super) struct Float {
    payoff: Payoff,
    /// By layer.
    bounds: Vec<f64>,
}

/// Lotteries whose bounds are found side by side.
const LANES: usize = 8;

/// One number for each of some distributions.
type Lanes = [f64; LANES];

/// What the bounds on the means of some distributions are made of; lanes to spare repeat the last lottery.
struct Shares {
    /// By gain less 1: the chances. What gains more than there are layers ends the game.
    chances: Vec<Lanes>,
    /// One over the chance to gain anything, and a little more; 1 where nothing gains.
    over_leaving: Lanes,
    /// What the layer itself counts for: 1 where nothing gains.
    staying: Lanes,
    /// The bounds on the means' own roundings.
    own: Lanes,
}

impl Shares {
    /// Of distributions, each with its roundings.
    fn new(distributions: &[(&Increments, f64)], layers: usize) -> Self {
        let mut shares =
            Self { chances: Vec::new(), over_leaving: [1.0; LANES], staying: [0.0; LANES], own: [0.0; LANES] };
        for lane in 0..LANES {
            let (growth, roundings) = distributions[lane.min(distributions.len() - 1)];
            shares.own[lane] = 1.01 * (roundings + AFTER_THE_SUM) * UNIT;
            let mut leaving = 0.0;
            for (gain, chance) in growth.increments.iter().filter(|(gain, _)| *gain > 0) {
                leaving += chance;
                if *gain < layers {
                    shares.chances.resize(shares.chances.len().max(*gain), [0.0; LANES]);
                    shares.chances[gain - 1][lane] += chance;
                }
            }
            if leaving == 0.0 {
                shares.staying[lane] = 1.0;
            } else {
                // The chances are rounded themselves, which the last factor more than covers.
                shares.over_leaving[lane] = (1.0 + 1e-12) / leaving;
            }
        }
        shares
    }

    /// Raises some bounds to those on the means; `above` are the bounds of the layers above, from the next on, and zeros past
    /// the end.
    #[inline(always)]
    fn raise(&self, above: &[f64], bounds: &mut Lanes) {
        let inherited = self.inherited(above);
        for lane in 0..LANES {
            let staying = self.staying[lane] * above[0];
            let bound = (inherited[lane] + self.own[lane]) * self.over_leaving[lane] + staying;
            bounds[lane] = if bound > bounds[lane] { bound } else { bounds[lane] };
        }
    }

    /// The sums of all chances times their bounds.
    #[inline(always)]
    fn inherited(&self, above: &[f64]) -> Lanes {
        // Two sums of each lottery, for an addition takes longer than the next one waits.
        let mut sums = [[0.0; LANES]; 2];
        let (pairs, last) = self.chances.as_chunks::<2>();
        let (bounds, last_bounds) = above[..self.chances.len()].as_chunks::<2>();
        for (chances, bounds) in pairs.iter().zip(bounds) {
            for half in 0..2 {
                for lane in 0..LANES {
                    sums[half][lane] += chances[half][lane] * bounds[half];
                }
            }
        }
        let [mut inherited, more] = sums;
        for (chances, bound) in last.iter().zip(last_bounds) {
            for lane in 0..LANES {
                inherited[lane] += chances[lane] * bound;
            }
        }
        for lane in 0..LANES {
            inherited[lane] += more[lane];
        }
        inherited
    }
}

/// The largest bound on the mean of a lottery of a layer; `above` as in [`Shares::raise`].
#[cfg_attr(
    not(feature = "portable"),
    multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+avx"))
)]
fn largest_bound(shares: &[Shares], above: &[f64]) -> f64 {
    // Deeper layers are no more exact.
    let mut bounds = [above[0]; LANES];
    for shares in shares {
        shares.raise(above, &mut bounds);
    }
    bounds.into_iter().fold(0.0, f64::max)
}

/// The quotient (a product with a rounded reciprocal), and a difference from 1 for each of two players.
const AFTER_THE_SUM: f64 = 3.0;

/// The unit roundoff of doubles.
const UNIT: f64 = f64::EPSILON / 2.0;

impl Float {
    /// For a game and what is asked of it.
    pub fn new(game: &Game, payoff: Payoff) -> Self {
        // States of loops are solved by sums of single terms, all others on chains.
        let level = game.order() != Order::Acyclic;
        let roundings = |growth: &Increments| {
            if level { growth.convolved_roundings.max(growth.roundings) } else { growth.convolved_roundings }
        };
        let most = game.increments().iter().map(roundings).fold(0.0, f64::max);
        // A pass is a difference from 1, a pass loop two; a lottery that surely stays rounds as any other.
        let link = match game.order() {
            Order::Acyclic => 0.0,
            Order::Cyclic { random: false } => 1.0,
            Order::Cyclic { random: true } => most + AFTER_THE_SUM + 1.0,
        };
        let layers = game.space().stages();
        let distributions: Vec<(&Increments, f64)> =
            game.increments().iter().map(|growth| (growth, roundings(growth))).collect();
        let shares: Vec<Shares> =
            distributions.chunks(LANES).map(|distributions| Shares::new(distributions, layers)).collect();
        let longest = shares.iter().map(|share| share.chances.len()).max().unwrap_or(0);
        // By sum of scores, as many zeros as turns may look past the highest.
        let mut bounds = vec![0.0; layers + longest.max(1)];
        for sum in (0..layers).rev() {
            let chain = 1.01 * link * UNIT * game.longest_path(sum) as f64;
            let (own, above) = bounds[sum..].split_first_mut().expect("a layer");
            *own = largest_bound(&shares, above) + chain;
        }
        bounds.truncate(layers);
        bounds.reverse();
        Self { payoff, bounds }
    }

    /// The bound on the error of every value of a layer.
    pub fn bound(&self, layer: LayerIndex) -> f64 {
        self.bounds[layer]
    }

    /// How close two values of each layer may be and still count as tied.
    pub fn slacks(&self) -> Vec<f64> {
        (0..self.bounds.len()).map(|layer| self.slack(layer)).collect()
    }

    /// The opponent's value at the end of the game, which is what distributions weigh.
    fn end(&self, end: End) -> f64 {
        match (self.payoff, end) {
            (Payoff::Endless, _) | (_, End::Won) => 0.0,
            (_, End::Lost) => 1.0,
            (_, End::Tied) => 0.5,
        }
    }

    fn flip(&self, value: f64) -> f64 {
        if self.payoff == Payoff::WinRate { 1.0 - value } else { value }
    }

    /// Writes what the opponent gets at a landing in each lane.
    #[inline(always)]
    fn land(&self, source: Source, solved: &Solved<f64>, row: &mut [f64]) {
        match source {
            Source::Passed { side, layer, word } => {
                row.copy_from_slice(&solved.sides[side][layer][word..word + row.len()]);
            }
            Source::Again { side, layer, word, stride } => {
                for (lane, value) in row.iter_mut().enumerate() {
                    *value = self.flip(solved.sides[side][layer][word + lane * stride]);
                }
            }
            Source::End(end) => row.fill(self.end(end)),
            Source::Open => row.fill(0.0),
        }
    }
}

impl Arithmetic for Float {
    type Word = f64;
    /// By landing and lane.
    type Scratch = Vec<f64>;

    fn words(&self, _: LayerIndex) -> usize {
        1
    }

    fn expect(
        &self,
        weighing: &Weighing,
        source: impl Fn(usize) -> Source,
        solved: &Solved<f64>,
        (outcomes, expected): (&mut Vec<f64>, &mut Vec<f64>),
    ) {
        let lanes = weighing.lanes;
        outcomes.resize(weighing.offer.outcomes.len() * lanes, 0.0);
        weighing.each_landing(|landing| self.land(source(landing), solved, &mut outcomes[landing * lanes..][..lanes]));
        expected.resize(weighing.offer.distributions.len() * lanes, 0.0);
        for index in weighing.wanted {
            let index = usize::from(*index);
            let lottery = &weighing.offer.distributions[index];
            let means = &mut expected[index * lanes..][..lanes];
            means.fill(0.0);
            for (landing, weight) in &lottery.outcomes {
                let row = &outcomes[usize::from(*landing) * lanes..][..lanes];
                means.iter_mut().zip(row).for_each(|(mean, value)| *mean += *weight as f64 * value);
            }
            means.iter_mut().for_each(|mean| *mean = self.flip(*mean / lottery.total as f64));
        }
    }

    fn compare(&self, a: &[f64], b: &[f64]) -> Ordering {
        // Win rates are numbers, never NaN; equal ones count as equal.
        a[0].partial_cmp(&b[0]).unwrap_or(Ordering::Equal)
    }

    fn ties(&self, best: &[f64], other: &[f64], layer: LayerIndex) -> bool {
        best[0] - other[0] <= self.slack(layer)
    }

    fn slack(&self, layer: LayerIndex) -> f64 {
        2.0 * self.bound(layer)
    }

    fn turned(&self, number: &[f64], _: LayerIndex) -> Vec<f64> {
        vec![self.flip(number[0])]
    }

    fn to_rational(&self, number: &[f64], _: LayerIndex) -> RBig {
        RBig::try_from(number[0]).expect("win rates are finite")
    }

    fn nearest(&self, value: &RBig, _: LayerIndex) -> Vec<f64> {
        vec![nearest_double(value)]
    }

    fn to_f64(&self, number: &[f64], _: LayerIndex) -> f64 {
        number[0]
    }
}

/// The double nearest to a rational.
pub fn nearest_double(value: &RBig) -> f64 {
    match value.to_f64() {
        Approximation::Exact(double) | Approximation::Inexact(double, _) => double,
    }
}
