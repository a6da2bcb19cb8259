//! What is claimed of a game, and what a check finds.

use hog_rules::policy::Plan;
use hog_rules::rules::Rules;
use hog_rules::states::{DiceSet, States};
use hog_rules::turn::Position;

/// A claim about a solved game: its values, its best rolls and their error bound.
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// The rules, which are evaluated from scratch.
    pub rules: &'a Rules,
    /// The numbering of states, which indexes the claim. That it joins only memories which behave
    /// alike is proven.
    pub states: &'a States,
    /// The best numbers of dice of each state, as a set of actions.
    pub best: &'a [DiceSet],
    /// The mover's win rate in each state; empty if the claim has no win rates (a packed table).
    pub win_rates: &'a [f64],
    /// Whether the win rates are claimed to be the doubles nearest to the exact values, and the
    /// sets to be complete.
    pub exact: bool,
    /// Unless `exact`, the claimed bound on the error of each win rate.
    pub error_bound: f64,
    /// The bounds of the states on loops, if the claim has any.
    pub bounds: Option<LoopBounds<'a>>,
    /// The opponent's fixed plan, for all states of `game`, if the claim is a best response;
    /// `None` for an equilibrium.
    pub against: Option<&'a Plan>,
    /// The claimed win rates of the solved side: moving first, moving second, on average.
    pub rates: [f64; 3],
}

/// Bounds on the win rates of the states on loops, which prove themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoopBounds<'a> {
    /// The mover's win rate in each state of the other side; empty if both sides are alike.
    pub other: &'a [f64],
    /// The states on loops, ascending; those of the other side follow, each plus the number of
    /// states. The win rates of states that are missing have no error.
    pub states: &'a [u32],
    /// For each of them, how far the true value may be below the win rate, if those of higher sums
    /// of scores are exact.
    pub below: &'a [f64],
    /// How far it may be above.
    pub above: &'a [f64],
}

impl LoopBounds<'_> {
    /// The value of a state, and its bounds; `None` if it has none that make sense. `own` are the
    /// win rates of the solved side.
    pub(super) fn of(&self, own: &[f64], side: usize, state: usize) -> Option<(f64, [f64; 2])> {
        let values = if side == 0 { own } else { self.other };
        let value = *values.get(state)?;
        let mut bounds = [0.0; 2];
        if let Ok(at) = self.states.binary_search(&((side * own.len() + state) as u32)) {
            bounds = [*self.below.get(at)?, *self.above.get(at)?];
        }
        let is_sound =
            (0.0..=1.0).contains(&value) && bounds.iter().all(|bound| (-1.0..=1.0).contains(bound));
        is_sound.then_some((value, bounds))
    }
}

/// How a claim was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Recomputed in integers over a common denominator: exact.
    Scaled,
    /// Recomputed in reduced fractions, for loops that depend on chance: exact.
    Fractions,
    /// By bounds in directed rounding, which the claim brings for the states of loops. The last
    /// digits of an exact claim are not proven then, nor that its sets of rolls are complete.
    Bounds,
}

/// The result of a check. The first of several faults is the one with the highest sum of scores
/// and, among equal sums, the mover's lowest score.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The number of states that were compared.
    pub states: usize,
    /// How they were checked.
    pub method: Method,
    /// The proven bound on the error of every win rate of a claim in floats.
    pub bound: f64,
    /// The most by which a listed roll falls short of the best; 0 of an exact claim.
    pub shortfall: f64,
    /// The number of loops: strongly connected components of states that lead back to themselves.
    pub loops: usize,
    /// The largest difference between a claimed and a recomputed win rate, in doubles; infinite if
    /// a claimed one is NaN.
    pub worst_difference: f64,
    /// The position of that difference; `None` if there is no difference.
    pub worst_at: Option<Position>,
    /// The number of wrong win rates: those of an exact claim that differ in any bit, others that
    /// are not proven to be within the claim's bound.
    pub wrong_values: usize,
    /// The position of the first wrong win rate, and a description of the fault.
    pub first_wrong_value: Option<(Position, String)>,
    /// The number of wrong sets of best rolls: those of an exact claim that differ in any roll,
    /// others that are empty or list a roll that falls short of the best by more than four times
    /// the bound.
    pub wrong_rolls: usize,
    /// The position of the first wrong set, and a description of the fault.
    pub first_wrong_roll: Option<(Position, String)>,
    /// The recomputed win rates of the solved side: moving first, moving second, on average.
    pub rates: [f64; 3],
    /// How many of the claim's three rates are wrong.
    pub wrong_rates: usize,
}

impl Report {
    /// A report on so many states, of which nothing is wrong yet.
    pub(super) fn new(states: usize, method: Method) -> Self {
        Self {
            states,
            method,
            bound: 0.0,
            shortfall: 0.0,
            loops: 0,
            worst_difference: 0.0,
            worst_at: None,
            wrong_values: 0,
            first_wrong_value: None,
            wrong_rolls: 0,
            first_wrong_roll: None,
            rates: [0.0; 3],
            wrong_rates: 0,
        }
    }

    /// The report with its positions in points, where `rules` count steps.
    pub(super) fn in_points(mut self, rules: &Rules) -> Self {
        let wrong = [&mut self.first_wrong_value, &mut self.first_wrong_roll];
        let wrong = wrong.into_iter().flatten().map(|(position, _)| position);
        for position in wrong.chain(&mut self.worst_at) {
            *position = position.in_points(rules);
        }
        self
    }

    /// Returns true if the claim has no fault.
    pub fn ok(&self) -> bool {
        self.wrong_values == 0 && self.wrong_rolls == 0 && self.wrong_rates == 0
    }
}
