//! Floating-point arithmetic with a certified bound on its error.
//!
//! **The bound.** A value is a mean of values between 0 and 1 with weights that are not negative. With u = 2^-53, a
//! term that is rounded k times on its way into the sum is off by at most k u / (1 - k u) of itself (Higham, *Accuracy and
//! Stability of Numerical Algorithms*, section 3.1), so the sum is off by at most r u, r being the mean of the k by weight
//! ([`Growth`] counts them; 1.01 covers the denominator); the quotient rounds once more, each difference from 1
//! by half of that. To this comes the mean of what the values read are off by. A lottery that gains g points of the sum of
//! scores reads a value g layers above, so the bound of a layer is the largest, over all lotteries of the game, of the mean
//! of the bounds at their gains and their own roundings.
//!
//! **Loops.** Outcomes that gain nothing may stay in the layer. A loop is solved exactly from its rounded inputs; play
//! leaves it through lotteries, and an error that enters with each visit of a lottery adds up over as many visits
//! as it takes to leave: 1 over its chance of leaving. What that does not cover is a turn without chance that passes a
//! value on within the layer: it rounds once for each link of the longest chain of such turns ([`Game::longest_chain`]).
//! Where an outcome that might stay gains something after all, it reads a value of a layer above, whose bound is no
//! larger.

use std::cmp::Ordering;

use dashu::base::Approximation;
use dashu::rational::RBig;

use crate::game::{End, Game, Growth, Lottery, Order, Run, Stretch};

use super::arithmetic::{Arithmetic, Payoff, Solved, Source, View, Weighing};
use super::layout::{LayerIndex, Layout};
use super::mirror::{self, Ends, Mirror};

/// Doubles; ties are values closer than twice the bound.
#[derive(Debug)]
pub(super) struct Float {
    payoff: Payoff,
    /// By layer.
    bounds: Vec<f64>,
}

/// Partial sums kept side by side where there is one lane: shorter chains of additions, and vectors for the compiler.
const STRIPES: usize = 4;

/// The bound on a lottery's mean, given the bounds of the layers above its own.
fn own_bound(growth: &Growth, bounds: &[f64], roundings: f64) -> f64 {
    let layer = bounds.len();
    // A turn that gains more than there are layers above ends the game.
    let above = |gain: usize| layer.checked_sub(gain).map_or(0.0, |above| bounds[above]);
    let (mut inherited, mut leaving) = (0.0, 0.0);
    for (gain, chance) in growth.gains.iter().filter(|(gain, _)| *gain > 0) {
        leaving += chance;
        inherited += above(*gain) * chance;
    }
    let own = 1.01 * (roundings + AFTER_THE_SUM) * UNIT;
    // The chances are rounded themselves, which the last factor more than covers.
    if leaving > 0.0 { (inherited + own) / leaving * (1.0 + 1e-12) } else { above(1) + own }
}

/// The quotient, and a difference from 1 for each of two players.
const AFTER_THE_SUM: f64 = 2.0;

/// The unit roundoff of doubles.
const UNIT: f64 = f64::EPSILON / 2.0;

impl Float {
    /// For a game and what is asked of it.
    pub fn new(game: &Game, payoff: Payoff) -> Self {
        let climbs = mirror::climbs(game);
        let roundings = |growth: &Growth| if climbs { growth.climbing } else { growth.roundings };
        let most = game.growths().iter().map(roundings).fold(0.0, f64::max);
        // A pass is a difference from 1, a pass loop two; a lottery that surely stays rounds as any other.
        let link = match game.order() {
            Order::Rising => 0.0,
            Order::Level { random: false } => 1.0,
            Order::Level { random: true } => most + AFTER_THE_SUM + 1.0,
        };
        let mut bounds: Vec<f64> = Vec::with_capacity(game.space().layers());
        for sum in (0..game.space().layers()).rev() {
            let chain = 1.01 * link * UNIT * game.longest_chain(sum) as f64;
            let own = game.growths().iter().map(|growth| own_bound(growth, &bounds, roundings(growth)));
            // Deeper layers are no more exact.
            let least = bounds.last().copied().unwrap_or(0.0);
            bounds.push(own.fold(least, f64::max) + chain);
        }
        Self { payoff, bounds }
    }

    /// The bound on the error of every value of a layer.
    pub fn bound(&self, layer: LayerIndex) -> f64 {
        self.bounds[layer]
    }

    /// The opponent's value at the end of the game, which is what lotteries weigh.
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
            Source::Passed { side, word, .. } => row.copy_from_slice(&solved.sides[side][word..word + row.len()]),
            Source::Again { side, word, stride, .. } => {
                for (lane, value) in row.iter_mut().enumerate() {
                    *value = self.flip(solved.sides[side][word + lane * stride]);
                }
            }
            Source::End(end) => row.fill(self.end(end)),
            Source::Open => row.fill(0.0),
        }
    }

    /// The means of the wanted lotteries of a game without memory, clean rolls by ladders.
    #[inline(always)]
    fn climb(
        &self,
        weighing: &Weighing,
        view: &View<Mirror>,
        source: impl Fn(usize) -> Source,
        solved: &Solved<f64>,
        (scratch, expected): (&mut Scratch, &mut Vec<f64>),
    ) {
        let (offer, mirrored) = (weighing.offer, view.mirror.side(view.other));
        let Scratch { starts, mended, .. } = scratch;
        starts.clear();
        mended.clear();
        for run in &offer.runs {
            let start = view.mirror.start(&view.outlook, run);
            starts.push(start);
            let surprising = if view.mirror.resolved { 0 } else { run.length };
            let level = view.level.iter().map(|landing| usize::from(*landing));
            let level = level.filter(|landing| (run.first..run.first + run.length).contains(landing));
            for landing in view.outlook.surprises(run, run.first, surprising).chain(level) {
                // A turn may both surprise and stay; it is mended once.
                if mended.iter().any(|(known, _)| *known == landing) {
                    continue;
                }
                let mut value = [0.0];
                self.land(source(landing), solved, &mut value);
                mended.push((landing, value[0] - mirrored[start + landing - run.first]));
            }
        }
        for index in weighing.wanted {
            let index = usize::from(*index);
            let lottery = &offer.lotteries[index];
            let (mut sum, parts) = match &lottery.climb {
                Some(climb) => (view.mirror.clean(view.other, &view.outlook, climb.ladder, climb.dice), &climb.rest),
                None => (0.0, &lottery.stretches),
            };
            for part in parts {
                let values = &mirrored[starts[part.run] + part.offset..][..part.weights.len()];
                sum += match &part.weights[..] {
                    [weight] => weight * values[0],
                    weights => striped_sum(weights, values),
                };
            }
            for (landing, difference) in mended.iter() {
                sum += lottery.weight_of(*landing) * difference;
            }
            expected[index] = self.flip(sum / lottery.total as f64);
        }
    }

    /// The means of a lottery in all lanes; `values_of` gives the values of a stretch's landings.
    #[inline(always)]
    fn weigh<'v>(&self, lottery: &Lottery, values_of: impl Fn(&Stretch) -> &'v [f64], means: &mut [f64]) {
        let (lanes, total) = (means.len(), lottery.total as f64);
        if lanes == 1 {
            let mut sum = 0.0;
            for stretch in &lottery.stretches {
                sum += striped_sum(&stretch.weights, values_of(stretch));
            }
            means[0] = self.flip(sum / total);
            return;
        }
        means.fill(0.0);
        for stretch in &lottery.stretches {
            for (weight, row) in stretch.weights.iter().zip(values_of(stretch).chunks_exact(lanes)) {
                means.iter_mut().zip(row).for_each(|(mean, value)| *mean += weight * value);
            }
        }
        means.iter_mut().for_each(|mean| *mean = self.flip(*mean / total));
    }
}

/// Room for the values of landings.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// By landing and lane.
    landings: Vec<f64>,
    /// By run: where the mirror holds all its landings' values as they are, or [`COPIED`].
    starts: Vec<usize>,
    /// Landings that are worth something else than the mirror says, and the difference.
    mended: Vec<(usize, f64)>,
}

/// The start of a run that is read from the landings, where it was copied and mended.
const COPIED: usize = usize::MAX;

impl Arithmetic for Float {
    type Word = f64;
    type Scratch = Scratch;

    fn words(&self, _: LayerIndex) -> usize {
        1
    }

    type Mirror = Mirror;

    fn mirror(&self, game: &Game, layout: &Layout, sides: usize) -> Mirror {
        let ends = Ends { lost: self.end(End::Lost), tied: self.end(End::Tied) };
        Mirror::new(game, layout, sides, &ends)
    }

    fn prepare(&self, mirror: &mut Mirror, layout: &Layout, layer: LayerIndex) {
        mirror.prepare(layout, layer);
    }

    fn reflect(&self, mirror: &mut Mirror, layout: &Layout, layer: LayerIndex, side: usize, all: &[f64]) {
        mirror.reflect(layout, layer, side, all);
    }

    #[inline(always)]
    fn expect(
        &self,
        weighing: &Weighing,
        source: impl Fn(usize) -> Source,
        solved: &Solved<f64>,
        (scratch, expected): (&mut Scratch, &mut Vec<f64>),
    ) {
        let (lanes, landings) = (weighing.lanes, &mut scratch.landings);
        landings.resize(weighing.offer.landings.len() * lanes, 0.0);
        weighing.each_landing(|landing| self.land(source(landing), solved, &mut landings[landing * lanes..][..lanes]));
        expected.resize(weighing.offer.lotteries.len() * lanes, 0.0);
        for index in weighing.wanted {
            let index = usize::from(*index);
            let values_of = |stretch: &Stretch| &landings[stretch.first * lanes..][..stretch.weights.len() * lanes];
            self.weigh(&weighing.offer.lotteries[index], values_of, &mut expected[index * lanes..][..lanes]);
        }
    }

    #[inline(always)]
    fn expect_at(
        &self,
        weighing: &Weighing,
        view: &View<Mirror>,
        source: impl Fn(usize) -> Source,
        solved: &Solved<f64>,
        (scratch, expected): (&mut Scratch, &mut Vec<f64>),
    ) {
        let (lanes, offer) = (weighing.lanes, weighing.offer);
        expected.resize(offer.lotteries.len() * lanes, 0.0);
        if view.mirror.has_ladders() {
            return self.climb(weighing, view, source, solved, (scratch, expected));
        }
        let Scratch { landings, starts, .. } = scratch;
        landings.resize(offer.landings.len() * lanes, 0.0);
        let mirrored = view.mirror.side(view.other);
        let odd = |run: &Run, first: usize, length: usize| {
            let level = view.level.iter().map(|landing| usize::from(*landing));
            let level = level.filter(move |landing| (first..first + length).contains(landing));
            let surprising = if view.mirror.resolved { 0 } else { length };
            view.outlook.surprises(run, first, surprising).chain(level)
        };
        let copy = |landings: &mut [f64], run: &Run, first: usize, length: usize| {
            let start = view.mirror.start(&view.outlook, run) + (first - run.first) * lanes;
            landings[first * lanes..(first + length) * lanes].copy_from_slice(&mirrored[start..start + length * lanes]);
            for landing in odd(run, first, length) {
                self.land(source(landing), solved, &mut landings[landing * lanes..][..lanes]);
            }
        };
        let all = weighing.wants_all();
        starts.clear();
        for run in &offer.runs {
            starts.push(view.mirror.start(&view.outlook, run));
            if all && odd(run, run.first, run.length).next().is_some() {
                copy(landings, run, run.first, run.length);
                *starts.last_mut().expect("just pushed") = COPIED;
            }
        }
        for index in weighing.wanted {
            let index = usize::from(*index);
            let lottery = &offer.lotteries[index];
            if !all {
                for part in &lottery.stretches {
                    let (run, length) = (&offer.runs[part.run], part.weights.len());
                    starts[part.run] = COPIED;
                    copy(landings, run, part.first, length);
                }
            }
            let values_of = |stretch: &Stretch| match starts[stretch.run] {
                COPIED => &landings[stretch.first * lanes..][..stretch.weights.len() * lanes],
                start => &mirrored[start + stretch.offset * lanes..][..stretch.weights.len() * lanes],
            };
            self.weigh(lottery, values_of, &mut expected[index * lanes..][..lanes]);
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
pub(super) fn nearest_double(value: &RBig) -> f64 {
    match value.to_f64() {
        Approximation::Exact(double) | Approximation::Inexact(double, _) => double,
    }
}

/// The weighted sum of values, in [`STRIPES`] partial sums: always the same order, so always the same bits.
#[inline(always)]
fn striped_sum(weights: &[f64], values: &[f64]) -> f64 {
    let values = &values[..weights.len()];
    let (weights, last_weights) = weights.as_chunks::<STRIPES>();
    let (values, last_values) = values.as_chunks::<STRIPES>();
    let mut sums = [0.0; STRIPES];
    for (weights, values) in weights.iter().zip(values) {
        for stripe in 0..STRIPES {
            sums[stripe] += weights[stripe] * values[stripe];
        }
    }
    for (stripe, (weight, value)) in last_weights.iter().zip(last_values).enumerate() {
        sums[stripe] += weight * value;
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}
