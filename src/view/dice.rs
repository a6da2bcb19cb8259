//! The exact distribution of n dice.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use std::collections::BTreeMap;

use crate::dice::{Detail, DiceError, Die, Feature, PatternCount};
use crate::game::patterns_in;
use crate::rules::formula::{Formula, Scope, Type, Variable, VariableSet, Vocabulary};

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

/// The distribution of what a formula makes of some dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DiceFormulaView {
    /// How many dice.
    pub dice: u32,
    /// The sides of each die.
    pub die: usize,
    /// The formula.
    pub formula: String,
    /// How many equally likely rolls there are (a decimal number: it may be past what a double holds).
    pub rolls: String,
    /// The mean of its values.
    pub mean: f64,
    /// Every value, ascending; 1 and 0 stand for yes and no.
    pub values: Vec<FormulaValueView>,
}

/// One value of a formula over dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FormulaValueView {
    /// The value.
    pub value: i64,
    /// Rolls with this value (a decimal number).
    pub count: String,
    /// The chance of this value.
    pub chance: f64,
}

/// Why a formula over dice has no distribution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiceFormulaError {
    /// The dice cannot be counted.
    #[error(transparent)]
    Dice(#[from] DiceError),
    /// It cannot be read.
    #[error("the formula `{formula}`: {message}; {fix}")]
    Unread {
        /// Its text.
        formula: String,
        /// What is wrong.
        message: String,
        /// What to change.
        fix: String,
    },
    /// It has no value for some dice.
    #[error(
        "the formula `{0}` has no value for some of these dice: it divides by zero, overflows or leaves a function's domain"
    )]
    NoValue(String),
}

impl DiceFormulaView {
    /// Counts the rolls of `dice` fair dice by what a formula of the rule language makes of them. It may use what the dice
    /// show, their `sum`, `dice` and `ones_rolled`.
    ///
    /// # Errors
    /// If the dice cannot be counted, or the formula cannot be read or has no value for some of them.
    pub fn new(dice: u32, sides: i64, text: &str) -> Result<Self, DiceFormulaError> {
        let (die, formula) = (Die::fair(sides)?, read(text)?);
        let rolls = die.rolls(dice)?;
        let patterns = patterns_in(formula.reads());
        let mut scope = Scope::default();
        scope.set(Variable::DICE, dice.into());
        let mut counts = BTreeMap::new();
        for PatternCount { roll, features } in alike(&die, dice, &patterns)? {
            patterns.iter().zip(features).for_each(|((variable, _), value)| scope.set(*variable, value));
            scope.set(Variable::SUM, roll.sum.into());
            scope.set(Variable::ONES_ROLLED, roll.ones.into());
            let value = formula.value(&scope).ok_or_else(|| DiceFormulaError::NoValue(text.to_owned()))?;
            *counts.entry(value).or_insert(0u128) += roll.count;
        }
        let share = |count: u128| count as f64 / rolls as f64;
        let told = |(value, count): (&i64, &u128)| FormulaValueView {
            value: *value,
            count: count.to_string(),
            chance: share(*count),
        };
        Ok(Self {
            dice,
            die: die.sides(),
            formula: formula.source().to_owned(),
            rolls: rolls.to_string(),
            mean: counts.iter().map(|(value, count)| *value as f64 * share(*count)).sum(),
            values: counts.iter().map(told).collect(),
        })
    }
}

/// A formula over dice: a number, or a yes or no.
fn read(text: &str) -> Result<Formula, DiceFormulaError> {
    let seen = VariableSet::of(&[Variable::DICE, Variable::SUM, Variable::ONES_ROLLED]).union(VariableSet::patterns());
    let parse = |gives| Formula::parse(text, gives, &Vocabulary::new(&[]), seen);
    parse(Type::Integer).or_else(|faults| parse(Type::Boolean).map_err(|_| faults)).map_err(|mut faults| {
        let fault = faults.swap_remove(0);
        DiceFormulaError::Unread { formula: text.to_owned(), message: fault.message, fix: fault.fix }
    })
}

/// The rolls as far as they are told apart.
fn alike(die: &Die, dice: u32, patterns: &[(Variable, Feature)]) -> Result<Vec<PatternCount>, DiceError> {
    if patterns.is_empty() {
        let rolls = die.outcomes(dice, &[], Detail::ALL)?.pop().unwrap_or_default();
        return Ok(rolls.into_iter().map(|roll| PatternCount { roll, features: Vec::new() }).collect());
    }
    let features: Vec<Feature> = patterns.iter().map(|(_, feature)| *feature).collect();
    die.patterns(dice, &[], (Detail::ALL, &features))
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
