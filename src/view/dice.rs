//! The exact distribution of n dice.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dice::{Detail, DiceError, Die};

/// The distribution of the sum of some dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DiceView {
    /// How many dice.
    pub dice: u32,
    /// The sides of each die.
    pub die: usize,
    /// How many equally likely rolls there are (a decimal number: it may be past what a double holds).
    pub rolls: String,
    /// The mean of the sum.
    pub mean: f64,
    /// The chance that at least one die shows a 1.
    pub chance_of_one: f64,
    /// The mean of the points if a 1 makes them 1.
    pub mean_points: f64,
    /// Every sum, ascending.
    pub sums: Vec<SumView>,
}

/// One sum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SumView {
    /// The sum.
    pub sum: u32,
    /// Rolls with this sum (a decimal number).
    pub count: String,
    /// Those among them without a 1, which score this sum (a decimal number).
    pub without_ones: String,
    /// The chance of this sum.
    pub chance: f64,
}

impl DiceView {
    /// Counts all rolls of `dice` fair dice.
    ///
    /// # Errors
    /// If there are more rolls than can be counted.
    pub fn new(dice: u32, sides: i64) -> Result<Self, DiceError> {
        let die = Die::fair(sides)?;
        let rolls = die.rolls(dice)?;
        let detail = Detail { sum_with_ones: true, number_of_ones: false };
        let outcomes = die.outcomes(dice, &[], detail)?.pop().expect("one list for each number of dice");
        let (least, most) = (dice, dice * die.sides() as u32);
        let count = |sum: u32, ones: Option<u32>| -> u128 {
            let fits = outcomes.iter().filter(|o| o.sum == sum && ones.is_none_or(|ones| ones == o.ones));
            fits.map(|o| o.count).sum()
        };
        let share = |count: u128| count as f64 / rolls as f64;
        let clean = (least..=most).map(|sum| (sum, count(sum, Some(0))));
        let without: u128 = clean.clone().map(|(_, count)| count).sum();
        let points = clean.map(|(sum, count)| f64::from(sum) * share(count)).sum::<f64>();
        let sums = (least..=most).map(|sum| SumView {
            sum,
            count: count(sum, None).to_string(),
            without_ones: count(sum, Some(0)).to_string(),
            chance: share(count(sum, None)),
        });
        Ok(Self {
            dice,
            die: die.sides(),
            rolls: rolls.to_string(),
            mean: f64::from(dice) * (die.sides() as f64 + 1.0) / 2.0,
            chance_of_one: share(rolls - without),
            mean_points: points + share(rolls - without),
            sums: sums.collect(),
        })
    }
}
