//! The numbers that cycles are solved in: doubles with a bound on the error of each, and fractions, or integers over the
//! denominator of a stage.

use std::cmp::Ordering;

use dashu_ratio::RBig;

use crate::dice::Weight;
use crate::solve::elimination::Scalar;
use crate::solve::exact::nearest_double;
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
    /// What an action is worth if a turn that counted as won, of this weight in `total`, leads to a state of this value.
    fn settle(&self, base: Self::Value, known: &Self::Value, stay: (bool, Weight, Weight)) -> Self::Value;
    /// The first player's values of a component in which chance decides, from what each action is worth to its player if every
    /// turn that stays wins; `None` if `go_on` says no, or if doubles cannot prove them.
    fn solve_chance(
        &self,
        members: &Members,
        bases: &[(Self::Value, Weight)],
        go_on: &dyn Fn() -> bool,
    ) -> Option<Vec<Self::Value>>;
}

/// A double, and a bound on its error.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Approximate {
    pub value: f64,
    pub error: f64,
}

/// Doubles.
#[derive(Debug)]
pub(in crate::solve) struct Doubles {
    pub payoff: Payoff,
    /// Values closer than this, and their errors, are ties.
    pub tolerance: f64,
    /// Values closer than this are equally good to take.
    pub equal: f64,
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

const UNIT: f64 = f64::EPSILON / 2.0;

impl CycleValues for Doubles {
    type Value = Approximate;

    fn payoff(&self) -> Payoff {
        self.payoff
    }

    fn compare(&self, one: &Approximate, other: &Approximate) -> Ordering {
        one.value.total_cmp(&other.value)
    }

    fn ties(&self, best: &Approximate, other: &Approximate) -> bool {
        best.value - other.value <= self.tolerance + best.error + other.error
    }

    fn equal(&self, best: &Approximate, other: &Approximate) -> bool {
        best.value - other.value <= self.equal
    }

    fn best_of(&self, best: &Approximate, all: &[Approximate]) -> Approximate {
        Approximate { value: best.value, error: all.iter().map(|value| value.error).fold(best.error, f64::max) }
    }

    fn complement(&self, value: &Approximate) -> Approximate {
        match self.payoff {
            Payoff::WinRate => Approximate { value: 1.0 - value.value, error: value.error + UNIT },
            Payoff::Endless => *value,
        }
    }

    fn endless(&self) -> Approximate {
        Approximate { value: if self.payoff == Payoff::Endless { 1.0 } else { 0.5 }, error: 0.0 }
    }

    fn settle(
        &self,
        base: Approximate,
        known: &Approximate,
        (again, weight, total): (bool, Weight, Weight),
    ) -> Approximate {
        if weight == total {
            // What surely happens is worth what it leads to.
            return if again { *known } else { self.complement(known) };
        }
        let chance = f64::ratio(weight, total);
        let value = match (self.payoff, again) {
            (Payoff::Endless, _) => base.value + chance * known.value,
            (Payoff::WinRate, false) => base.value - chance * known.value,
            (Payoff::WinRate, true) => base.value - chance * (1.0 - known.value),
        };
        // The chance, a difference, a product, and the last sum, of parts no larger than 1.
        Approximate { value, error: base.error + chance * (known.error + 3.0 * UNIT) + UNIT }
    }

    fn solve_chance(
        &self,
        members: &Members,
        bases: &[(Approximate, Weight)],
        go_on: &dyn Fn() -> bool,
    ) -> Option<Vec<Approximate>> {
        let values: Vec<(f64, Weight)> = bases.iter().map(|(base, total)| (base.value, *total)).collect();
        let game = game(members, self.payoff, &values, IN_DOUBLES);
        let sweep = Sweep::new(&members.topology);
        let found = game.solve(&sweep, None, go_on)?;
        // The base is a rounded difference from 1, and leaving one of it: both with every visit.
        let of_leaving: Vec<f64> = bases.iter().map(|(base, _)| base.error + 2.0 * UNIT).collect();
        let errors = certificate::errors(&game, &sweep, &found, &of_leaving)?;
        let both = found.values.into_iter().zip(errors);
        Some(both.map(|(value, error)| Approximate { value: value.clamp(0.0, 1.0), error }).collect())
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
        let game = game(members, self.payoff, bases, (RBig::ZERO, usize::MAX));
        let sweep = Sweep::new(&members.topology);
        // What doubles find is mostly the end already.
        let doubles: Vec<(f64, Weight)> = bases.iter().map(|(base, total)| (nearest_double(base), *total)).collect();
        let guess = self::game(members, self.payoff, &doubles, IN_DOUBLES).solve(&sweep, None, go_on)?;
        Some(game.solve(&sweep, Some(guess.policy), go_on)?.values)
    }
}

/// The margin and the most rounds of policy iteration in doubles.
const IN_DOUBLES: (f64, usize) = (f64::EPSILON * 2.0, 10_000);

/// A component as the first player sees it.
fn game<'t, F: Scalar>(
    members: &'t Members,
    payoff: Payoff,
    bases: &[(F, Weight)],
    (margin, most_rounds): (F, usize),
) -> ChanceGame<'t, F> {
    let topology = &members.topology;
    let mut game = ChanceGame {
        topology,
        leave: Vec::with_capacity(bases.len()),
        exit: Vec::with_capacity(bases.len()),
        chance: Vec::with_capacity(topology.to.len()),
        endless: if payoff == Payoff::Endless { F::ONE } else { F::ratio(1, 2) },
        margin,
        most_rounds,
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
