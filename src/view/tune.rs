//! A family of strategies, each rated.

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
    /// The family as it is written.
    pub strategy: String,
    /// What they play against.
    pub against: String,
    /// What the numbers that vary are called.
    pub parameters: Vec<String>,
    /// The best of all; of equals the first.
    pub best: TunedView,
    /// All of them; the last number varies fastest.
    pub rates: Vec<TunedView>,
    /// No win rate here is further than this from the exact one.
    pub error_bound: f64,
}

/// One strategy of a family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TunedView {
    /// The values of its numbers.
    pub values: Vec<i64>,
    /// The strategy with these numbers, as it is written.
    pub strategy: String,
    /// Its win rate when it moves first.
    pub first: f64,
    /// Its win rate when it moves second.
    pub second: f64,
    /// The average of both.
    pub average: f64,
}

impl TuneView {
    /// Of a family and the rates of its members, in order.
    pub fn new(rules: String, family: &Family, against: String, (rates, error_bound): (&[PairRate], f64)) -> Self {
        let tuned = |((values, strategy), rate): (&(Vec<i64>, crate::strategy::Strategy), &PairRate)| TunedView {
            values: values.clone(),
            strategy: strategy.to_string(),
            first: rate.first,
            second: rate.second,
            average: rate.average(),
        };
        let rates: Vec<TunedView> = family.members.iter().zip(rates).map(tuned).collect();
        let best = rates.iter().rev().max_by(|a, b| a.average.total_cmp(&b.average)).expect("a family has members");
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
}
