//! The comparison of a claim with the recomputed values, state by state.

use hog_rules::states::{DiceSet, Space, States};
use hog_rules::turn::Position;

use super::cell::Stage;
use super::{Claim, Report};

/// Compares states as they are solved.
pub(super) struct Comparison<'a> {
    claim: &'a Claim<'a>,
    report: Report,
}

impl<'a> Comparison<'a> {
    /// Creates a comparison that adds its findings to `report`.
    pub fn new(claim: &'a Claim<'a>, report: Report) -> Self {
        Self { claim, report }
    }

    /// Returns the actions that the claim lists in a state.
    pub fn claimed(&self, state: usize) -> DiceSet {
        self.claim.best.get(state).copied().unwrap_or(0)
    }

    /// Returns the claimed win rate of a state, if it is a number from 0 to 1.
    pub fn win_rate(&self, state: usize) -> Option<f64> {
        self.claim.win_rates.get(state).copied().filter(|rate| (0.0..=1.0).contains(rate))
    }

    /// Adds `error` to the bound on the error of the values compared from now on.
    pub fn add_error(&mut self, error: f64) {
        self.report.own_bound += error;
    }

    /// Compares the states of one sum of scores.
    pub fn stage<N>(&mut self, space: Space, sum: usize, stage: &Stage<N>) {
        for (rank, cell) in space.stage(sum).enumerate() {
            for place in 0..space.per_cell() {
                let (state, index) =
                    (cell * space.per_cell() + place, rank * space.per_cell() + place);
                self.value(state, stage.near[index]);
                self.rolls(state, stage.best[index], stage.shortfall[index]);
            }
        }
    }

    /// Compares the solved side's win rates (moving first, moving second, on average), and returns
    /// the report.
    pub fn rates(mut self, rates: [f64; 3]) -> Report {
        self.report.rates = rates;
        let pairs = rates.into_iter().zip(self.claim.rates);
        self.report.wrong_rates =
            pairs.filter(|(own, claimed)| !self.agree(*claimed, *own)).count();
        self.report
    }

    fn agree(&self, claimed: f64, own: f64) -> bool {
        claimed == own
            || (!self.claim.exact
                && (claimed - own).abs() <= self.claim.error_bound + self.report.own_bound)
    }

    fn value(&mut self, state: usize, own: f64) {
        let Some(claimed) = self.claim.win_rates.get(state).copied() else { return };
        let difference = if claimed.is_nan() { f64::INFINITY } else { (claimed - own).abs() };
        let agrees = self.agree(claimed, own);
        let report = &mut self.report;
        if difference > report.worst_difference {
            report.worst_difference = difference;
            report.worst_at = Some(self.claim.states.position(state));
        }
        if !agrees {
            report.wrong_values += 1;
            if report.first_wrong_value.is_none() {
                let message =
                    format!("the claimed win rate is {claimed:?}, the recomputed one {own:?}");
                report.first_wrong_value = Some((self.claim.states.position(state), message));
            }
        }
    }

    fn rolls(&mut self, state: usize, best: DiceSet, shortfall: f64) {
        let claimed = self.claimed(state);
        let known = u64::from(claimed) >> self.claim.states.space().actions == 0;
        let near_enough = || shortfall <= 2.0 * (self.claim.error_bound + self.report.own_bound);
        let right =
            claimed == best || (!self.claim.exact && claimed != 0 && known && near_enough());
        if right {
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
    let list = |set: DiceSet| match states.space().dice_in(set).as_slice() {
        [] => "nothing".to_owned(),
        dice => dice.iter().map(i32::to_string).collect::<Vec<_>>().join(", "),
    };
    let costs = if shortfall > 0.0 {
        format!("; the worst of those listed costs {shortfall:e}")
    } else {
        String::new()
    };
    format!("listed as best: {}; best: {}{costs}", list(claimed), list(best))
}

/// Returns a position as text, for messages.
pub(super) fn place(position: &Position) -> String {
    let memory = if position.memory.is_empty() {
        String::new()
    } else {
        format!(" with memories {:?}", position.memory)
    };
    format!("{}-{}{memory}", position.score, position.opponent)
}
