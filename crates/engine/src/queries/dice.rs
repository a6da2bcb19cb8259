//! The exact distribution of the sum of some dice, or of the value of a formula over them.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Query;
use crate::dice::{Detail, DiceError, Die, Feature, PatternCount};
use crate::engine::numbers::whole;
use crate::engine::{Call, DiceFormulaError, Error};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, TITLE, bar, counted, paint};
use crate::game::patterns_in;
use crate::rules::formula::{Formula, Scope, Type, Variable, VariableSet, Vocabulary};

/// The exact distribution of dice, or of a formula of them
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[command(after_help = "Examples:
  hog dice 10
  hog dice 3 --die 4 --format json
  hog dice 2 --die 7,2,2,2,2,4                     dice that show a 1 seven times in 19
  hog dice 15 --die 12 --of highest
  hog dice 5 --of of_a_kind                        how likely three, four and five of a kind are
  hog dice 6 --of 'pairs == 3'")]
#[non_exhaustive]
pub struct Dice {
    /// The number of dice.
    #[arg(value_name = "DICE", value_parser = crate::engine::numbers::whole::<u32>)]
    pub number: u32,
    /// The number of sides of each die, or the weights of its faces from 1 on (default: 6)
    #[serde(default)]
    #[schemars(example = &6, example = &[7, 2, 2, 2, 2, 4])]
    #[arg(long, value_name = "SIDES|WEIGHTS", hide_default_value = true, default_value_t)]
    pub die: GivenDie,
    /// The distribution of a formula: sum, count(6), highest, lowest, distinct, of_a_kind, pairs,
    /// straight, and functions
    #[arg(long, value_name = "FORMULA")]
    pub of: Option<String>,
}

/// A die in a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum GivenDie {
    /// The number of sides, which are equally likely.
    Sides(u32),
    /// The weights of the faces from 1 on.
    Weights(Vec<u32>),
}

impl GivenDie {
    fn die(&self) -> Result<Die, DiceError> {
        match self {
            Self::Sides(sides) => Die::fair((*sides).into()),
            Self::Weights(weights) => Die::weighted(weights),
        }
    }

    fn weights(&self) -> Option<Vec<u32>> {
        match self {
            Self::Sides(_) => None,
            Self::Weights(weights) => Some(weights.clone()),
        }
    }
}

impl Default for GivenDie {
    fn default() -> Self {
        Self::Sides(6)
    }
}

impl fmt::Display for GivenDie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sides(sides) => sides.fmt(f),
            Self::Weights(weights) => {
                f.write_str(&weights.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
            }
        }
    }
}

/// Reads a number of sides, or weights separated by commas.
impl FromStr for GivenDie {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        if !text.contains(',') {
            return whole::<u32>(text).map(Self::Sides);
        }
        let weights = text.split(',').map(|weight| whole::<u32>(weight.trim()));
        weights.collect::<Result<Vec<_>, _>>().map(Self::Weights)
    }
}

/// The distribution of the sum of several dice, or of a formula of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum DiceAnswer {
    /// Of the sum.
    Sums(DiceSums),
    /// Of a formula.
    Formula(DiceFormulaAnswer),
}

/// The distribution of the sum of several dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DiceSums {
    /// The number of dice.
    pub dice: u32,
    /// The number of sides of each die.
    pub die: usize,
    /// The weights of its faces, if they differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<Vec<u32>>,
    /// The number of equally likely rolls, as a decimal string: it may exceed the exact integers
    /// of a double. A face of weight 7 counts as seven faces.
    pub rolls: String,
    /// The mean of the sum.
    pub mean: f64,
    /// The probability that at least one die shows a 1.
    pub chance_of_one: f64,
    /// The mean of the points if a roll with a 1 scores 1 and any other roll its sum.
    pub mean_points: f64,
    /// Every possible sum, ascending.
    pub sums: Vec<DiceSum>,
}

/// One sum and its probability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DiceSum {
    /// The sum.
    pub sum: u32,
    /// The number of rolls with this sum, as a decimal string.
    pub count: String,
    /// The number of these rolls without a 1, as a decimal string.
    pub without_ones: String,
    /// The probability of this sum.
    pub chance: f64,
}

/// The distribution of the value of a formula over several dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DiceFormulaAnswer {
    /// The number of dice.
    pub dice: u32,
    /// The number of sides of each die.
    pub die: usize,
    /// The weights of its faces, if they differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<Vec<u32>>,
    /// The formula.
    pub formula: String,
    /// The number of equally likely rolls, as a decimal string: it may exceed the exact integers
    /// of a double.
    pub rolls: String,
    /// The mean of the formula's value.
    pub mean: f64,
    /// Every value that occurs, ascending; 1 and 0 stand for yes and no.
    pub values: Vec<FormulaValue>,
}

/// One value of a formula and its probability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FormulaValue {
    /// The value.
    pub value: i64,
    /// The number of rolls with this value, as a decimal string.
    pub count: String,
    /// The probability of this value.
    pub chance: f64,
}

impl Dice {
    /// The question about some dice with six sides.
    ///
    /// ```
    /// use hog_engine::queries::Dice;
    ///
    /// let answer = Dice::of(8).sums()?;
    /// assert_eq!(answer.rolls, "1679616");
    /// assert_eq!(answer.chance_of_one, 0.7674319606386222);
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn of(number: u32) -> Self {
        Self { number, die: GivenDie::default(), of: None }
    }

    /// Sets the number of sides of each die.
    #[must_use]
    pub fn sides(mut self, sides: u32) -> Self {
        self.die = GivenDie::Sides(sides);
        self
    }

    /// Counts all rolls of these dice by their sum.
    ///
    /// # Errors
    /// Returns an error if the die is invalid or there are too many rolls to count.
    pub fn sums(&self) -> Result<DiceSums, DiceError> {
        let dice = self.number;
        let die = self.die.die()?;
        let rolls = die.rolls(dice)?;
        let detail = Detail { sum_with_ones: true, number_of_ones: false };
        let outcomes =
            die.outcomes(dice, &[], detail)?.pop().expect("one list for each number of dice");
        let mut counts: BTreeMap<u32, (u128, u128)> = BTreeMap::new();
        for outcome in outcomes {
            let (count, without_ones) = counts.entry(outcome.sum).or_default();
            *count += outcome.count;
            *without_ones += if outcome.ones == 0 { outcome.count } else { 0 };
        }
        let mut sums = Vec::new();
        let mut clean = 0;
        let mut points = 0.0;
        let mut total = 0.0;
        for (sum, (count, without_ones)) in counts {
            clean += without_ones;
            total += f64::from(sum) * count as f64;
            points += f64::from(sum) * without_ones as f64;
            sums.push(DiceSum {
                sum,
                count: count.to_string(),
                without_ones: without_ones.to_string(),
                chance: count as f64 / rolls as f64,
            });
        }
        let with_one = (rolls - clean) as f64;
        Ok(DiceSums {
            dice,
            die: die.sides(),
            weights: self.die.weights(),
            rolls: rolls.to_string(),
            mean: match &self.die {
                GivenDie::Sides(sides) => f64::from(dice) * (f64::from(*sides) + 1.0) / 2.0,
                GivenDie::Weights(_) => total / rolls as f64,
            },
            chance_of_one: with_one / rolls as f64,
            // Divided once, so that a mean of few dice is rounded once.
            mean_points: (points + with_one) / rolls as f64,
            sums,
        })
    }

    /// Counts the rolls of these dice by the value of a formula of the rule language. The
    /// formula may use `dice`, `sum`, `ones_rolled` and the variables for patterns of the dice.
    ///
    /// # Errors
    /// Returns an error if the rolls cannot be counted, or the formula cannot be parsed or has no
    /// value for some rolls.
    pub fn formula(&self, text: &str) -> Result<DiceFormulaAnswer, DiceFormulaError> {
        let dice = self.number;
        let die = self.die.die()?;
        let formula = read(text)?;
        let rolls = die.rolls(dice)?;
        let patterns = patterns_in(formula.reads());
        let mut scope = Scope::default();
        scope.set(Variable::DICE, dice.into());
        let mut counts = BTreeMap::new();
        for PatternCount { roll, features } in counted_rolls(&die, dice, &patterns)? {
            patterns
                .iter()
                .zip(features)
                .for_each(|((variable, _), value)| scope.set(*variable, value));
            scope.set(Variable::SUM, roll.sum.into());
            scope.set(Variable::ONES_ROLLED, roll.ones.into());
            let value = formula.value(&scope).ok_or_else(|| {
                DiceFormulaError::NoValue(formula.why_no_value(&scope, &Vocabulary::new(&[])))
            })?;
            *counts.entry(value).or_insert(0u128) += roll.count;
        }
        let values = counts.iter().map(|(value, count)| FormulaValue {
            value: *value,
            count: count.to_string(),
            chance: *count as f64 / rolls as f64,
        });
        Ok(DiceFormulaAnswer {
            dice,
            die: die.sides(),
            weights: self.die.weights(),
            formula: formula.source().to_owned(),
            rolls: rolls.to_string(),
            mean: counts.iter().map(|(value, count)| *value as f64 * *count as f64).sum::<f64>()
                / rolls as f64,
            values: values.collect(),
        })
    }
}

impl Query for Dice {
    const NAME: &str = "dice";
    type Answer = DiceAnswer;

    fn answer(&self, _call: &Call) -> Result<DiceAnswer, Error> {
        Ok(match &self.of {
            None => DiceAnswer::Sums(self.sums()?),
            Some(formula) => DiceAnswer::Formula(self.formula(formula)?),
        })
    }
}

/// Parses a formula over dice, whose value is a number or a yes or no.
fn read(text: &str) -> Result<Formula, DiceFormulaError> {
    let seen = VariableSet::of(&[Variable::DICE, Variable::SUM, Variable::ONES_ROLLED])
        .union(VariableSet::patterns());
    let words = Vocabulary::new(&[]);
    Formula::parse(text, Type::Integer, &words, seen)
        .or_else(|faults| Formula::parse(text, Type::Boolean, &words, seen).map_err(|_| faults))
        .map_err(|mut faults| {
            let fault = faults.swap_remove(0);
            DiceFormulaError::Unread {
                formula: text.to_owned(),
                message: fault.message,
                fix: fault.fix,
            }
        })
}

/// Counts the rolls by sum, number of ones and the features of these patterns.
fn counted_rolls(
    die: &Die,
    dice: u32,
    patterns: &[(Variable, Feature)],
) -> Result<Vec<PatternCount>, DiceError> {
    if patterns.is_empty() {
        let rolls = die.outcomes(dice, &[], Detail::ALL)?.pop().unwrap_or_default();
        return Ok(rolls
            .into_iter()
            .map(|roll| PatternCount { roll, features: Vec::new() })
            .collect());
    }
    let features: Vec<Feature> = patterns.iter().map(|(_, feature)| *feature).collect();
    die.patterns(dice, &[], Detail::ALL, &features)
}

fn sides_in_words(sides: usize, weights: Option<&[u32]>) -> String {
    let sides = counted(sides as u64, "side");
    match weights {
        None => sides,
        Some(weights) => {
            let weights = weights.iter().map(u32::to_string).collect::<Vec<_>>();
            format!("{sides} that weigh {}", weights.join(", "))
        }
    }
}

/// The width of the longest bar, in columns; less if the counts before it leave less of a line of
/// 80 columns.
const WIDTH: usize = 40;

/// A number of rolls, which may be too large for a word of the machine.
fn rolls_in_words(rolls: &str) -> String {
    format!("{rolls} {}", if rolls == "1" { "roll" } else { "rolls" })
}

impl Text for DiceAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Sums(sums) => sums.text(out),
            Self::Formula(formula) => formula.text(out),
        }
    }
}

impl Text for DiceSums {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = format!(
            "{} of {}: {}",
            counted(self.dice as u64, "die"),
            sides_in_words(self.die, self.weights.as_deref()),
            rolls_in_words(&self.rolls)
        );
        writeln!(out, "{}", paint(TITLE, head))?;
        let width = self.rolls.len().max(8);
        let titles =
            format!("{:>5}  {:>width$}  {:>width$}  {}", "sum", "rolls", "no ones", "chance");
        writeln!(out, "{}", paint(FAINT, titles))?;
        let highest = self.sums.iter().map(|s| s.chance).fold(0.0, f64::max);
        let cells = WIDTH.min(56usize.saturating_sub(2 * width));
        for DiceSum { sum, count, without_ones, chance } in &self.sums {
            let bar = paint(BEST, bar(chance / highest, cells));
            writeln!(
                out,
                "{sum:>5}  {count:>width$}  {without_ones:>width$}  {chance:<10.8}  {bar}"
            )?;
        }
        writeln!(out, "mean of the sum      {}", self.mean)?;
        writeln!(out, "chance of a 1        {}", self.chance_of_one)?;
        writeln!(out, "mean of the points   {} (a 1 makes them 1)", self.mean_points)
    }
}

impl Text for DiceFormulaAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = format!(
            "{} of {} of {}: {}",
            self.formula,
            counted(self.dice as u64, "die"),
            sides_in_words(self.die, self.weights.as_deref()),
            rolls_in_words(&self.rolls)
        );
        writeln!(out, "{}", paint(TITLE, head))?;
        let width = self.rolls.len().max(8);
        writeln!(
            out,
            "{}",
            paint(FAINT, format!("{:>5}  {:>width$}  {}", "value", "rolls", "chance"))
        )?;
        let highest = self.values.iter().map(|value| value.chance).fold(0.0, f64::max);
        let cells = WIDTH.min(58usize.saturating_sub(width));
        for FormulaValue { value, count, chance } in &self.values {
            let bar = paint(BEST, bar(chance / highest, cells));
            writeln!(out, "{value:>5}  {count:>width$}  {chance:<10.8}  {bar}")?;
        }
        writeln!(out, "mean  {}", self.mean)
    }
}
