//! The numbers that cycles are solved in: floats with error bounds, and exact fractions or
//! integers.

use std::cell::RefCell;
use std::cmp::Ordering;

use dashu_ratio::RBig;

use crate::dice::Weight;
use crate::linear::{Float, Scalar, UNIT, exact_double, fraction, nearest_double};
use crate::solve::numbers::Payoff;

use super::chance::{ChanceGame, MARGIN, NodeOrder};
use super::topology::{Members, Owner};
use super::{GoOn, certificate};

/// The arithmetic of cycles. Values are those of the mover.
pub(in crate::solve) trait CycleValues: Sync {
    type Value: Clone + Send + Sync;

    fn payoff(&self) -> Payoff;
    fn compare(&self, one: &Self::Value, other: &Self::Value) -> Ordering;
    /// Whether `other`, which is at most `best`, may tie with it.
    fn ties(&self, best: &Self::Value, other: &Self::Value) -> bool;
    /// Whether `other`, which is at most `best`, is as good for choosing an action.
    fn equal(&self, best: &Self::Value, other: &Self::Value) -> bool;
    /// Returns `best`, the largest of the values `all`, with the largest of their errors.
    fn best_of(&self, best: &Self::Value, all: &[Self::Value]) -> Self::Value;
    /// The other player's value.
    fn complement(&self, value: &Self::Value) -> Self::Value;
    /// The value of endless play: one half, or 1 if its probability is computed.
    fn endless(&self) -> Self::Value;
    /// Converts a fraction, if a certain win is 1.
    fn value_of(&self, fraction: &RBig) -> Self::Value;
    /// Returns `weight / total`, if a certain win is 1.
    fn ratio(&self, weight: Weight, total: Weight) -> Self::Value;
    /// Replaces the win of an outcome, given as (again, weight, total), by its successor's value
    /// `known`. A certain outcome has that value, whatever the base.
    fn substitute(
        &self,
        base: Self::Value,
        known: &Self::Value,
        edge: (bool, Weight, Weight),
    ) -> Self::Value {
        match edge {
            (true, weight, total) if weight == total => known.clone(),
            (false, weight, total) if weight == total => self.complement(known),
            (again, weight, total) => self.substitute_by_chance(base, known, again, weight, total),
        }
    }
    /// As [`Self::substitute`], for an outcome that is not certain.
    fn substitute_by_chance(
        &self,
        base: Self::Value,
        known: &Self::Value,
        again: bool,
        weight: Weight,
        total: Weight,
    ) -> Self::Value;
    /// Solves a component with chance; returns the first player's values. `bases` has for each
    /// action the value to its player if every edge wins, and the total weight; `near` are the
    /// first player's values to start from, by node. `None` if `go_on` returns false or the
    /// values cannot be proven.
    fn solve_chance(
        &self,
        members: &Members,
        order: &NodeOrder,
        bases: &[(Self::Value, Weight)],
        near: Option<&[Self::Value]>,
        go_on: GoOn,
    ) -> Option<Vec<Self::Value>>;
    /// Returns the value of leaving times its probability, given the value if staying wins.
    fn leaving(&self, base: &Self::Value, staying: Weight, total: Weight) -> Self::Value;
    /// The value, if values are doubles.
    fn as_double(&self, value: &Self::Value) -> Option<Approximate<f64>>;
    /// The value of a double; only called if values are doubles.
    fn of_double(&self, value: Approximate<f64>) -> Self::Value;
}

/// A float and a bound on its error, in units of [`Float::in_units`].
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Approximate<F> {
    pub value: F,
    pub error: f64,
}

/// Arithmetic in floats with error bounds.
#[derive(Debug)]
pub(in crate::solve) struct Intervals<F: Scalar> {
    precision: F::Precision,
    payoff: Payoff,
    tolerance: f64,
    equal: f64,
}

/// Arithmetic in fractions, or in integers over a stage's denominator. The tolerances are 0 if
/// nothing else is rounded.
#[derive(Debug)]
pub(in crate::solve) struct ExactNumbers {
    pub payoff: Payoff,
    /// The value of a certain win: 1, or the denominator of integers, whose cycles must be without
    /// chance.
    pub one: RBig,
    pub tolerance: RBig,
    pub equal: RBig,
}

impl<F: Float> Intervals<F> {
    /// Creates the arithmetic; values tie within `tolerance` and are equally good within `equal`,
    /// both in units.
    pub fn new(precision: F::Precision, payoff: Payoff, [tolerance, equal]: [f64; 2]) -> Self {
        Self { precision, payoff, tolerance, equal }
    }

    /// A bound on the error of rounding a value to a double: more than that of the nearest one, which
    /// is only claimed of exact numbers.
    pub fn error_in_doubles(&self) -> f64 {
        if F::units(self.precision, 1.0).to_double() < UNIT { UNIT } else { 0.0 }
    }

    /// Converts a value to doubles, with the absolute error.
    pub fn to_double(&self, value: &Approximate<F>) -> Approximate<f64> {
        Approximate {
            value: value.value.to_double(),
            error: F::units(self.precision, value.error).to_double(),
        }
    }
}

impl ExactNumbers {
    pub fn in_floats<F: Float>(&self, precision: F::Precision) -> Intervals<F> {
        let units = |of: &RBig| F::from_fraction(precision, of).in_units(precision);
        Intervals::new(precision, self.payoff, [units(&self.tolerance), units(&self.equal)])
    }
}

impl<F: Float> CycleValues for Intervals<F> {
    type Value = Approximate<F>;

    fn payoff(&self) -> Payoff {
        self.payoff
    }

    fn compare(&self, one: &Approximate<F>, other: &Approximate<F>) -> Ordering {
        one.value.partial_cmp(&other.value).expect("values are numbers")
    }

    fn ties(&self, best: &Approximate<F>, other: &Approximate<F>) -> bool {
        best.value.minus(&other.value).in_units(self.precision)
            <= self.tolerance + best.error + other.error
    }

    fn equal(&self, best: &Approximate<F>, other: &Approximate<F>) -> bool {
        best.value.minus(&other.value).in_units(self.precision) <= self.equal
    }

    fn best_of(&self, best: &Approximate<F>, all: &[Approximate<F>]) -> Approximate<F> {
        let error = all.iter().map(|value| value.error).fold(best.error, f64::max);
        Approximate { value: best.value.clone(), error }
    }

    fn complement(&self, value: &Approximate<F>) -> Approximate<F> {
        match self.payoff {
            Payoff::WinRate => {
                Approximate { value: F::ONE.minus(&value.value), error: value.error + 1.0 }
            }
            Payoff::Endless => value.clone(),
        }
    }

    fn endless(&self) -> Approximate<F> {
        let value =
            if self.payoff == Payoff::Endless { F::ONE } else { F::ratio(self.precision, 1, 2) };
        Approximate { value, error: 0.0 }
    }

    fn value_of(&self, fraction: &RBig) -> Approximate<F> {
        Approximate { value: F::from_fraction(self.precision, fraction), error: 1.0 }
    }

    fn ratio(&self, weight: Weight, total: Weight) -> Approximate<F> {
        Approximate { value: F::ratio(self.precision, weight, total), error: 1.0 }
    }

    fn substitute_by_chance(
        &self,
        base: Approximate<F>,
        known: &Approximate<F>,
        again: bool,
        weight: Weight,
        total: Weight,
    ) -> Approximate<F> {
        let chance = F::ratio(self.precision, weight, total);
        let value = match (self.payoff, again) {
            (Payoff::Endless, _) => base.value.plus(&chance.times(&known.value)),
            (Payoff::WinRate, false) => base.value.minus(&chance.times(&known.value)),
            (Payoff::WinRate, true) => base.value.minus(&chance.times(&F::ONE.minus(&known.value))),
        };
        // Roundings of the probability, a difference, a product, and the last sum, all of numbers
        // up to 1.
        Approximate { value, error: base.error + chance.to_double() * (known.error + 3.0) + 1.0 }
    }

    fn solve_chance(
        &self,
        members: &Members,
        order: &NodeOrder,
        bases: &[(Approximate<F>, Weight)],
        near: Option<&[Approximate<F>]>,
        go_on: GoOn,
    ) -> Option<Vec<Approximate<F>>> {
        let values: Vec<(F, Weight)> =
            bases.iter().map(|(base, total)| (base.value.clone(), *total)).collect();
        let mut game = game(members, self.payoff, self.precision, &values);
        let near: Option<Vec<F>> =
            near.map(|near| near.iter().map(|value| value.value.clone()).collect());
        let mut first = game.first_policy(near.as_deref());
        let unit = F::units(self.precision, 1.0).to_double();
        if unit < UNIT {
            let doubles = game.in_doubles();
            first = doubles.solve(order, first, go_on)?.policy;
            let grain = if order.eliminates_all() { COARSE } else { FINE };
            game.margin = F::units(self.precision, grain);
            game.grain = Some(game.margin.clone());
            game.doubles = Some(Box::new(doubles)).filter(|_| unit > LEAST_UNIT);
        }
        let found = game.solve(order, first, go_on)?;
        // The base, and the value of leaving computed from it, are rounded differences from 1, at
        // each visit.
        let leave_errors: Vec<f64> = bases.iter().map(|(base, _)| base.error + 2.0).collect();
        let errors = certificate::errors(&game, order, &found, &leave_errors, go_on)?;
        let both = found.values.into_iter().zip(errors);
        Some(both.map(|(value, error)| Approximate { value, error }).collect())
    }

    fn leaving(&self, base: &Approximate<F>, staying: Weight, total: Weight) -> Approximate<F> {
        if staying == total {
            // Nothing leaves, however the base was rounded.
            return Approximate { value: F::ZERO, error: 0.0 };
        }
        let value = match self.payoff {
            Payoff::Endless => base.value.clone(),
            Payoff::WinRate => base.value.minus(&F::ratio(self.precision, staying, total)),
        };
        // Two roundings: of the probability and the difference.
        Approximate { value, error: base.error + 2.0 }
    }

    fn as_double(&self, value: &Approximate<F>) -> Option<Approximate<f64>> {
        Some(Approximate { value: value.value.as_double()?, error: value.error })
    }

    fn of_double(&self, value: Approximate<f64>) -> Approximate<F> {
        Approximate { value: F::from_double(self.precision, value.value), error: value.error }
    }
}

impl CycleValues for ExactNumbers {
    type Value = RBig;

    fn payoff(&self) -> Payoff {
        self.payoff
    }

    fn compare(&self, one: &RBig, other: &RBig) -> Ordering {
        one.cmp(other)
    }

    fn ties(&self, best: &RBig, other: &RBig) -> bool {
        best == other || best - other <= self.tolerance
    }

    fn equal(&self, best: &RBig, other: &RBig) -> bool {
        best == other || best - other <= self.equal
    }

    fn best_of(&self, best: &RBig, _: &[RBig]) -> RBig {
        best.clone()
    }

    fn complement(&self, value: &RBig) -> RBig {
        match self.payoff {
            Payoff::WinRate => &self.one - value,
            Payoff::Endless => value.clone(),
        }
    }

    fn endless(&self) -> RBig {
        if self.payoff == Payoff::Endless { RBig::ONE } else { &self.one * fraction(1, 2) }
    }

    fn value_of(&self, fraction: &RBig) -> RBig {
        fraction.clone()
    }

    fn ratio(&self, weight: Weight, total: Weight) -> RBig {
        fraction(weight, total)
    }

    fn substitute_by_chance(
        &self,
        base: RBig,
        known: &RBig,
        again: bool,
        weight: Weight,
        total: Weight,
    ) -> RBig {
        let chance = fraction(weight, total);
        match (self.payoff, again) {
            (Payoff::Endless, _) => base + chance * known,
            (Payoff::WinRate, false) => base - chance * known,
            (Payoff::WinRate, true) => base - chance * (&self.one - known),
        }
    }

    fn solve_chance(
        &self,
        members: &Members,
        order: &NodeOrder,
        bases: &[(RBig, Weight)],
        near: Option<&[RBig]>,
        go_on: GoOn,
    ) -> Option<Vec<RBig>> {
        debug_assert!(self.one == RBig::ONE, "chance divides integers of a stage");
        let game = game(members, self.payoff, (), bases);
        // The policies found in doubles are usually optimal already.
        let doubles: Vec<(f64, Weight)> =
            bases.iter().map(|(base, total)| (nearest_double(base), *total)).collect();
        let first = game.first_policy(near);
        let doubles = self::game(members, self.payoff, (), &doubles).solve(order, first, go_on)?;
        Some(game.solve(order, doubles.policy, go_on)?.values)
    }

    fn leaving(&self, base: &RBig, staying: Weight, total: Weight) -> RBig {
        match self.payoff {
            Payoff::Endless => base.clone(),
            Payoff::WinRate => base - fraction(staying, total),
        }
    }

    fn as_double(&self, _: &RBig) -> Option<Approximate<f64>> {
        None
    }

    fn of_double(&self, value: Approximate<f64>) -> RBig {
        exact_double(value.value)
    }
}

/// The most rounds of policy iteration in floats: rounding may prevent it from ending.
const MOST_ROUNDS: usize = 10_000;
/// Numbers of more digits than doubles are rounded to multiples of so many units, if they have been
/// refined or not.
const COARSE: f64 = (1u64 << 32) as f64;
const FINE: f64 = (1u64 << 12) as f64;
/// The least unit of numbers that are refined in doubles: what equations are off must be a double.
const LEAST_UNIT: f64 = 1e-200;

/// A component from the first player's point of view.
fn game<'t, F: Scalar>(
    members: &'t Members,
    payoff: Payoff,
    precision: F::Precision,
    bases: &[(F, Weight)],
) -> ChanceGame<'t, F> {
    let (topology, ratio) = (&members.topology, |weight, total| F::ratio(precision, weight, total));
    let mut game = ChanceGame {
        topology,
        precision,
        leave: Vec::with_capacity(bases.len()),
        exit: Vec::with_capacity(bases.len()),
        chance: Vec::with_capacity(topology.to.len()),
        endless: ratio(1, if payoff == Payoff::Endless { 1 } else { 2 }),
        margin: F::units(precision, MARGIN),
        most_rounds: if F::units(precision, 1.0) > F::ZERO { MOST_ROUNDS } else { usize::MAX },
        grain: None,
        doubles: None,
        last: RefCell::default(),
    };
    for node in topology.nodes() {
        for action in topology.actions[node].clone() {
            let ((base, total), edges) = (&bases[action], topology.edges[action].clone());
            let staying: Weight = members.weights[edges.clone()].iter().sum();
            game.leave.push(match (payoff, topology.owner[node]) {
                // Nothing leaves if every outcome stays, however the base was rounded.
                _ if staying == *total => F::ZERO,
                (Payoff::Endless, _) => base.clone(),
                (_, Owner::First) => base.minus(&ratio(staying, *total)),
                (_, Owner::Second) => F::ONE.minus(base),
            });
            game.exit.push(ratio(total - staying, *total));
            game.chance.extend(members.weights[edges].iter().map(|weight| ratio(*weight, *total)));
        }
    }
    game
}
