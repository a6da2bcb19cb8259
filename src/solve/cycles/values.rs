//! The numbers that cycles are solved in: floats with a bound on the error of each, and fractions, or integers over the
//! denominator of a stage.

use std::cmp::Ordering;
use std::marker::PhantomData;

use dashu_ratio::RBig;

use crate::dice::Weight;
use crate::linear::{Float, Scalar, nearest_double};
use crate::solve::numbers::Payoff;

use super::certificate;
use super::chance::{ChanceGame, Sweep};
use super::topology::{Members, Owner};

/// Values of states, each as its mover sees it, and how to count with them.
pub(in crate::solve) trait CycleValues: Sync {
    /// A value.
    type Value: Clone + Send + Sync;

    fn payoff(&self) -> Payoff;
    fn compare(&self, one: &Self::Value, other: &Self::Value) -> Ordering;
    /// Whether `other`, no larger than `best`, counts as a tie with it.
    fn ties(&self, best: &Self::Value, other: &Self::Value) -> bool;
    /// Whether `other`, no larger than `best`, is as good an action to take.
    fn equal(&self, best: &Self::Value, other: &Self::Value) -> bool;
    /// The best of some values, which may be as far off as any of them.
    fn best_of(&self, best: &Self::Value, all: &[Self::Value]) -> Self::Value;
    /// What a value is worth to the other player.
    fn complement(&self, value: &Self::Value) -> Self::Value;
    /// What play that never ends is worth: one half of a win, or where its chance is asked for, 1.
    fn endless(&self) -> Self::Value;
    /// A fraction, where a sure win is worth 1.
    fn of_fraction(&self, fraction: &RBig) -> Self::Value;
    /// A quotient of whole numbers, where a sure win is worth 1.
    fn ratio(&self, weight: Weight, total: Weight) -> Self::Value;
    /// What an action is worth if a turn that counted as won, of this weight in `total`, leads to a state of this value.
    fn settle(&self, base: Self::Value, known: &Self::Value, stay: (bool, Weight, Weight)) -> Self::Value;
    /// The first player's values of a component in which chance decides, from what each action is worth to its player if every
    /// turn that stays wins; `None` if `go_on` says no, or if floats cannot prove them.
    fn solve_chance(
        &self,
        members: &Members,
        bases: &[(Self::Value, Weight)],
        go_on: &dyn Fn() -> bool,
    ) -> Option<Vec<Self::Value>>;
}

/// A float, and a bound on its error in units of its rounding.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Approximate<F> {
    pub value: F,
    pub error: f64,
}

/// Floats: doubles or multiprecision ones.
#[derive(Debug)]
pub(in crate::solve) struct Intervals<F> {
    payoff: Payoff,
    tolerance: f64,
    equal: f64,
    of: PhantomData<F>,
}

/// Reduced fractions, or integers; the tolerance is 0 where nothing is rounded before or after.
#[derive(Debug)]
pub(in crate::solve) struct ExactNumbers {
    pub payoff: Payoff,
    /// What a sure win is worth: 1, or the denominator of integers, whose cycles must be without chance.
    pub one: RBig,
    pub tolerance: RBig,
    pub equal: RBig,
}

impl<F: Float> Intervals<F> {
    /// Two values are ties if they are closer than the first of these, and equally good if closer than the second: in units.
    pub fn new(payoff: Payoff, [tolerance, equal]: [f64; 2]) -> Self {
        Self { payoff, tolerance, equal, of: PhantomData }
    }
}

impl ExactNumbers {
    /// The same in floats.
    pub fn in_floats<F: Float>(&self) -> Intervals<F> {
        let units = |of: &RBig| F::of_fraction(of).in_units();
        Intervals::new(self.payoff, [units(&self.tolerance), units(&self.equal)])
    }
}

impl<F: Float> Approximate<F> {
    /// In doubles, with the error in units of 1.
    pub fn to_double(&self) -> Approximate<f64> {
        Approximate { value: self.value.to_double(), error: F::units(self.error).to_double() }
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
        best.value.minus(&other.value).in_units() <= self.tolerance + best.error + other.error
    }

    fn equal(&self, best: &Approximate<F>, other: &Approximate<F>) -> bool {
        best.value.minus(&other.value).in_units() <= self.equal
    }

    fn best_of(&self, best: &Approximate<F>, all: &[Approximate<F>]) -> Approximate<F> {
        let error = all.iter().map(|value| value.error).fold(best.error, f64::max);
        Approximate { value: best.value.clone(), error }
    }

    fn complement(&self, value: &Approximate<F>) -> Approximate<F> {
        match self.payoff {
            Payoff::WinRate => Approximate { value: F::ONE.minus(&value.value), error: value.error + 1.0 },
            Payoff::Endless => value.clone(),
        }
    }

    fn endless(&self) -> Approximate<F> {
        Approximate { value: if self.payoff == Payoff::Endless { F::ONE } else { F::ratio(1, 2) }, error: 0.0 }
    }

    fn of_fraction(&self, fraction: &RBig) -> Approximate<F> {
        Approximate { value: F::of_fraction(fraction), error: 1.0 }
    }

    fn ratio(&self, weight: Weight, total: Weight) -> Approximate<F> {
        Approximate { value: F::ratio(weight, total), error: 1.0 }
    }

    fn settle(
        &self,
        base: Approximate<F>,
        known: &Approximate<F>,
        (again, weight, total): (bool, Weight, Weight),
    ) -> Approximate<F> {
        if weight == total {
            // What surely happens is worth what it leads to.
            return if again { known.clone() } else { self.complement(known) };
        }
        let chance = F::ratio(weight, total);
        let value = match (self.payoff, again) {
            (Payoff::Endless, _) => base.value.plus(&chance.times(&known.value)),
            (Payoff::WinRate, false) => base.value.minus(&chance.times(&known.value)),
            (Payoff::WinRate, true) => base.value.minus(&chance.times(&F::ONE.minus(&known.value))),
        };
        // The chance, a difference, a product, and the last sum, of parts no larger than 1.
        Approximate { value, error: base.error + chance.to_double() * (known.error + 3.0) + 1.0 }
    }

    fn solve_chance(
        &self,
        members: &Members,
        bases: &[(Approximate<F>, Weight)],
        go_on: &dyn Fn() -> bool,
    ) -> Option<Vec<Approximate<F>>> {
        let values: Vec<(F, Weight)> = bases.iter().map(|(base, total)| (base.value.clone(), *total)).collect();
        let game = game(members, self.payoff, &values);
        let sweep = Sweep::new(&members.topology);
        let found = game.solve(&sweep, None, go_on)?;
        // The base is a rounded difference from 1, and leaving one of it: both with every visit.
        let of_leaving: Vec<f64> = bases.iter().map(|(base, _)| base.error + 2.0).collect();
        let errors = certificate::errors(&game, &sweep, &found, &of_leaving)?;
        let both = found.values.into_iter().zip(errors);
        Some(both.map(|(value, error)| Approximate { value, error }).collect())
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
        if self.payoff == Payoff::Endless { RBig::ONE } else { &self.one * RBig::ratio(1, 2) }
    }

    fn of_fraction(&self, fraction: &RBig) -> RBig {
        fraction.clone()
    }

    fn ratio(&self, weight: Weight, total: Weight) -> RBig {
        RBig::ratio(weight, total)
    }

    fn settle(&self, base: RBig, known: &RBig, (again, weight, total): (bool, Weight, Weight)) -> RBig {
        let chance = RBig::ratio(weight, total);
        match (self.payoff, again) {
            (Payoff::Endless, _) => base + chance * known,
            (Payoff::WinRate, false) => base - chance * known,
            (Payoff::WinRate, true) => base - chance * (&self.one - known),
        }
    }

    fn solve_chance(&self, members: &Members, bases: &[(RBig, Weight)], go_on: &dyn Fn() -> bool) -> Option<Vec<RBig>> {
        debug_assert!(self.one == RBig::ONE, "chance divides integers of a stage");
        let game = game(members, self.payoff, bases);
        let sweep = Sweep::new(&members.topology);
        // What doubles find is mostly the end already.
        let doubles: Vec<(f64, Weight)> = bases.iter().map(|(base, total)| (nearest_double(base), *total)).collect();
        let first = self::game(members, self.payoff, &doubles).solve(&sweep, None, go_on)?;
        Some(game.solve(&sweep, Some(first.policy), go_on)?.values)
    }
}

/// Rounds of policy iteration after which floats are given up: roundings may keep it from its end.
const MOST_ROUNDS: usize = 10_000;

/// A component as the first player sees it.
fn game<'t, F: Scalar>(members: &'t Members, payoff: Payoff, bases: &[(F, Weight)]) -> ChanceGame<'t, F> {
    let topology = &members.topology;
    let mut game = ChanceGame {
        topology,
        leave: Vec::with_capacity(bases.len()),
        exit: Vec::with_capacity(bases.len()),
        chance: Vec::with_capacity(topology.to.len()),
        endless: if payoff == Payoff::Endless { F::ONE } else { F::ratio(1, 2) },
        margin: F::units(4.0),
        most_rounds: if F::units(1.0) > F::ZERO { MOST_ROUNDS } else { usize::MAX },
    };
    for node in topology.nodes() {
        for action in topology.actions[node].clone() {
            let ((base, total), edges) = (&bases[action], topology.edges[action].clone());
            let staying: Weight = members.weights[edges.clone()].iter().sum();
            game.leave.push(match (payoff, topology.owner[node]) {
                // Nothing is left of what surely stays, however its base was rounded.
                _ if staying == *total => F::ZERO,
                (Payoff::Endless, _) => base.clone(),
                (_, Owner::First) => base.minus(&F::ratio(staying, *total)),
                (_, Owner::Second) => F::ONE.minus(base),
            });
            game.exit.push(F::ratio(total - staying, *total));
            game.chance.extend(members.weights[edges].iter().map(|weight| F::ratio(*weight, *total)));
        }
    }
    game
}
