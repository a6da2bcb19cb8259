//! The win rates of all strategies of a family.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pairs::PairRate;
use crate::strategy::Family;

/// The win rates of all strategies of a family against one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TuneView {
    /// The game's id.
    pub rules: String,
    /// The family, as it was given.
    pub strategy: String,
    /// The opponent's strategy.
    pub against: String,
    /// The names of the parameters that vary.
    pub parameters: Vec<String>,
    /// The strategy with the highest average win rate; the first of several that tie.
    pub best: TunedView,
    /// All strategies of the family; the last parameter varies fastest.
    pub rates: Vec<TunedView>,
    /// No win rate here differs from the exact one by more than this.
    pub error_bound: f64,
}

/// One strategy of a family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TunedView {
    /// The values of the parameters.
    pub values: Vec<i64>,
    /// The name of the strategy with these parameters.
    pub strategy: String,
    /// The win rate when it moves first.
    pub first: f64,
    /// The win rate when it moves second.
    pub second: f64,
    /// The average of both.
    pub average: f64,
}

impl TuneView {
    /// Makes the view of a family and the win rates of its members, in the same order.
    pub fn new(
        rules: String,
        family: &Family,
        against: String,
        (rates, error_bound): (&[PairRate], f64),
    ) -> Self {
        let tuned =
            |((values, strategy), rate): (&(Vec<i64>, crate::strategy::Strategy), &PairRate)| {
                TunedView {
                    values: values.clone(),
                    strategy: strategy.to_string(),
                    first: rate.first,
                    second: rate.second,
                    average: rate.average(),
                }
            };
        let rates: Vec<TunedView> = family.members.iter().zip(rates).map(tuned).collect();
        let best = rates
            .iter()
            .rev()
            .max_by(|a, b| a.average.total_cmp(&b.average))
            .expect("a family has members");
        Self {
            rules,
            strategy: family.text.clone(),
            against,
            parameters: family.parameters.clone(),
            best: best.clone(),
            rates,
            error_bound,
        }
    }

    /// Whether no strategy of the family is better than this one by more than the error bounds of
    /// both win rates.
    pub fn is_best(&self, member: &TunedView) -> bool {
        self.best.average - member.average <= 2.0 * self.error_bound
    }

    /// Returns the number of strategies that are as good as [`Self::best`], without it.
    pub fn others_as_good(&self) -> usize {
        self.rates.iter().filter(|member| self.is_best(member)).count() - 1
    }
}
