//! The comparison of a claim with the recomputed values, state by state.

use hog_rules::states::{DiceSet, Space, States};

use super::bounds::{Interval, double_above};
use super::cell::Stage;
use super::claim::{Claim, Report};
use super::rounding::OF_ROUNDING;

/// Compares states as they are solved or verified.
pub(super) struct ClaimComparison<'a> {
    claim: &'a Claim<'a>,
    report: Report,
}

/// A listed action falls short of the best by at most so many times the error bound: two values
/// with that error that tie within twice the bound.
const SHORT: f64 = 4.0;
/// More than the rounding of a bound, as a part of it.
const ROUNDED: f64 = 1e-12;

impl<'a> ClaimComparison<'a> {
    /// Creates a comparison that adds its findings to `report`.
    pub fn new(claim: &'a Claim<'a>, report: Report) -> Self {
        Self { claim, report }
    }

    /// Returns the actions that the claim lists in a state.
    pub fn claimed(&self, state: usize) -> DiceSet {
        self.claim.best.get(state).copied().unwrap_or(0)
    }

    /// Compares the states of one sum of scores with exact values.
    pub fn stage<N>(&mut self, space: Space, sum: usize, stage: &Stage<N>) {
        for (rank, cell) in space.stage(sum).enumerate() {
            for place in 0..space.per_cell() {
                let state = cell * space.per_cell() + place;
                let index = rank * space.per_cell() + place;
                self.value(state, stage.near[index], None);
                self.rolls(state, stage.best[index], stage.shortfall[index]);
            }
        }
    }

    /// Compares a state with the interval that contains its value; a bound of it is `missed` by so
    /// much.
    pub fn bounds(&mut self, side: usize, state: usize, interval: Interval, missed: u128) {
        if missed > 0 {
            let by = double_above(missed);
            let message = format!("a turn leads beyond the bounds on the win rate, by {by:e}");
            self.wrong_value(state, message);
        }
        if side > 0 {
            return;
        }
        let claimed = self.claim.win_rates.get(state).filter(|rate| (0.0..=1.0).contains(*rate));
        let reach = claimed.map_or(f64::INFINITY, |rate| double_above(interval.reach(*rate)));
        self.value(state, interval.middle(), Some(reach));
    }

    /// Compares the solved side's win rates (moving first, moving second, on average), and returns
    /// the report; `reach` is how far the true rates may be from those claimed, if the recomputed
    /// ones are not the doubles nearest to them.
    pub fn rates(mut self, rates: [f64; 3], reach: Option<[f64; 3]>) -> Report {
        self.report.rates = rates;
        // Complements and means of values are rounded.
        let most = self.claim.error_bound + f64::EPSILON;
        for (at, own) in rates.into_iter().enumerate() {
            let claimed = self.claim.rates[at];
            let off = (claimed - own).abs();
            let reach = reach.map_or(off + OF_ROUNDING, |reach| reach[at]);
            let holds = if self.claim.exact { claimed == own } else { reach <= most };
            if !self.claim.exact {
                self.report.bound = self.report.bound.max(reach);
            }
            self.report.wrong_rates += usize::from(!holds);
        }
        self.report
    }

    /// Compares a claimed win rate with a recomputed one; `reach` is how far the true value may be
    /// from the claimed one, if the recomputed one is not the double nearest to it.
    fn value(&mut self, state: usize, own: f64, reach: Option<f64>) {
        let Some(claimed) = self.claim.win_rates.get(state).copied() else { return };
        let difference = if claimed.is_nan() { f64::INFINITY } else { (claimed - own).abs() };
        let report = &mut self.report;
        if difference > report.worst_difference {
            report.worst_difference = difference;
            report.worst_at = Some(self.claim.states.position(state));
        }
        let reach = reach.unwrap_or(difference + OF_ROUNDING);
        let agrees = match self.claim.exact {
            true => claimed == own,
            false => reach <= self.claim.error_bound * (1.0 + ROUNDED),
        };
        if !self.claim.exact {
            report.bound = report.bound.max(reach);
        }
        if !agrees {
            let message =
                format!("the claimed win rate is {claimed:?}, the recomputed one {own:?}");
            self.wrong_value(state, message);
        }
    }

    fn wrong_value(&mut self, state: usize, message: String) {
        self.report.wrong_values += 1;
        if self.report.first_wrong_value.is_none() {
            self.report.first_wrong_value = Some((self.claim.states.position(state), message));
        }
    }

    /// Compares the listed actions of a state with the best ones; `shortfall` is the most by which
    /// one that is listed falls short.
    pub fn rolls(&mut self, state: usize, best: DiceSet, shortfall: f64) {
        let claimed = self.claimed(state);
        let known = u64::from(claimed) >> self.claim.states.space().actions == 0;
        let right = match self.claim.exact {
            true => claimed == best,
            false => claimed != 0 && known && shortfall <= SHORT * self.claim.error_bound,
        };
        if right {
            self.report.shortfall = self.report.shortfall.max(shortfall);
            return;
        }
        self.report.wrong_rolls += 1;
        if self.report.first_wrong_roll.is_none() {
            let position = self.claim.states.position(state);
            self.report.first_wrong_roll =
                Some((position, describe(self.claim.states, claimed, best, shortfall)));
        }
    }
}

fn describe(states: &States, claimed: DiceSet, best: DiceSet, shortfall: f64) -> String {
    let claimed = listed(states, claimed);
    let best = listed(states, best);
    let costs = if shortfall > 0.0 {
        format!("; the worst of those listed costs {shortfall:e}")
    } else {
        String::new()
    };
    format!("listed as best: {claimed}; best: {best}{costs}")
}

fn listed(states: &States, set: DiceSet) -> String {
    match states.space().dice_in(set).as_slice() {
        [] => "nothing".to_owned(),
        dice => dice.iter().map(i32::to_string).collect::<Vec<_>>().join(", "),
    }
}
