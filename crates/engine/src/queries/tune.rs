//! The exact win rates of all strategies of a family, and the best of them.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GivenGame, GivenStrategy, Query, Writes, rounded_up};
use crate::analysis;
use crate::engine::{Call, Error};
use crate::format::style::{BEST, FAINT, TITLE, bar, paint, thousands};
use crate::format::{self, Text};
use crate::pairs::PairRate;
use crate::strategy::{
    Family, Strategy, StrategyError, Varied, ZeroDiceThresholds, python::PythonFile,
};

/// A strategy with every value of its numbers, and the best of them
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[command(
    after_help = "A..B is a range that includes both ends, A..B:STEP a range with steps, and \
A,B,C a list of values.

Examples:
  hog tune fa24 boar_strategy:0..20,0..10              thresholds and dice, as a heat map
  hog tune fa24 sus_strategy --vary threshold=5..15    one number, by its name
  hog tune fa24 hog.py:sus_strategy --vary threshold=5..15 --vary num_rolls=4..8
                                                       keyword arguments of your own function
  hog tune su15 swap_strategy:0..15,3..7 -o swap.csv   all rates in a file
  hog tune fa21 bacon_strategy:0..20,0..10 -o map.svg  all rates as a picture"
)]
#[non_exhaustive]
pub struct Tune {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// A strategy with ranges for its numbers, or a file
    #[schemars(example = &"always_roll:0..10")]
    pub strategy: String,
    /// A number, by its name, and its values
    #[serde(default)]
    #[arg(long, value_name = "NAME=A..B", value_parser = varied)]
    pub vary: Vec<String>,
    /// The opponent's strategy (default: the game's baseline)
    #[schemars(example = &"baseline")]
    #[arg(long, value_name = "STRATEGY")]
    pub against: Option<GivenStrategy>,
}

/// Refuses what does not name a number and its values.
fn varied(text: &str) -> Result<String, String> {
    Varied::parse(text).map(|_| text.to_owned())
}

impl Tune {
    /// The question about a family of strategies against the game's baseline.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::Tune;
    ///
    /// let engine = Engine::builder().build();
    /// let answer = engine.ask(&Tune::of("fa21", "always_roll:0..10"))?;
    /// assert_eq!(answer.best.strategy, "always_roll:6");
    /// assert_eq!(answer.rates.len(), 11);
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn of(game: impl Into<GivenGame>, strategy: impl Into<String>) -> Self {
        Self { game: game.into(), strategy: strategy.into(), vary: Vec::new(), against: None }
    }
}

/// Says which numbers of a file can vary: those of the function that was named, or else of the
/// first that has any.
fn what_to_vary(file: &PythonFile) -> String {
    let outline = file.outline().unwrap_or_default();
    let mut named = None;
    for function in outline.functions() {
        let numbers = function.parameters.iter();
        let numbers = numbers.filter_map(|(name, default)| Some((name, (*default)?)));
        let numbers: Vec<_> = numbers.collect();
        if !numbers.is_empty() && (named.is_none() || function.name == file.function) {
            named = Some((&function.name, numbers));
        }
    }
    let Some((function, numbers)) = named else {
        return "vary an argument of its function, as in threshold=0..20".to_owned();
    };
    let names = numbers.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    let (name, value) = numbers[0];
    format!(
        "say what to vary: {function} has {names}, as in {}:{function} --vary {name}={}..{}",
        file.path.display(),
        value.saturating_sub(4).max(value.min(0)),
        value.saturating_add(4)
    )
}

impl Query for Tune {
    const NAME: &str = "tune";
    const IS_LONG: bool = true;
    const WRITES: Option<Writes> =
        Some(Writes { contents: "all rates", endings: &["csv", "json"] });
    type Answer = TuneAnswer;

    fn answer(&self, call: &Call) -> Result<TuneAnswer, Error> {
        let mut vary = Vec::with_capacity(self.vary.len());
        for text in &self.vary {
            let varied = Varied::parse(text)
                .map_err(|reason| StrategyError::NoFamily { text: text.clone(), reason })?;
            vary.push(varied);
        }
        if vary.is_empty()
            && let Ok(strategy) = self.strategy.parse()
            && let Strategy::Python(file) = &strategy
        {
            call.admit_file(&strategy)?;
            let what = what_to_vary(file);
            return Err(Error::malformed_by("vary", format!("{}: {what}", self.strategy)));
        }
        let family = Family::parse(&self.strategy, &vary)?;
        if let Some((_, strategy)) = family.members.first() {
            call.admit_file(strategy)?;
        }
        let against = call.optional_strategy(self.against.as_ref())?;
        let game = call.game(&self.game)?;
        let against = call.or_baseline(&game, against.as_ref())?;
        let opponent = call.plan(&game, &against)?;
        let members = family.members.len();
        let thresholds = family
            .members
            .first()
            .and_then(|(_, strategy)| ZeroDiceThresholds::of(strategy, &game));
        let (rates, bound) = call.run("rating", |watch| {
            analysis::rates(
                &game,
                &opponent,
                members,
                |number| {
                    let (_, strategy) = &family.members[number];
                    match thresholds.as_ref().and_then(|all| all.plan(strategy, &game)) {
                        Some(plan) => Ok(plan),
                        None => strategy
                            .plan_from(call.engine().sources(), &game, watch)
                            .map_err(Error::from),
                    }
                },
                &|done| watch.step(done, members),
            )
        })?;
        Ok(TuneAnswer::new(game.rules().id.clone(), &family, against.to_string(), &rates, bound))
    }

    fn answer_in(
        &self,
        call: &Call,
        ending: &str,
        file: &mut dyn Write,
    ) -> Result<TuneAnswer, Error> {
        let answer = self.answer(call)?;
        let written = match ending {
            "json" => format::json(&answer, file),
            _ => answer.csv(file),
        };
        written.map_err(Error::Storage)?;
        Ok(answer)
    }
}

/// The win rates of all strategies of a family against one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TuneAnswer {
    /// The game's id.
    pub rules: String,
    /// The family, as it was given.
    pub strategy: String,
    /// The opponent's strategy.
    pub against: String,
    /// The names of the parameters that vary.
    pub parameters: Vec<String>,
    /// The strategy with the highest average win rate; the first of several that tie.
    pub best: TunedStrategy,
    /// All strategies of the family; the last parameter varies fastest.
    pub rates: Vec<TunedStrategy>,
    /// No win rate here differs from the exact one by more than this.
    pub error_bound: f64,
}

/// One strategy of a family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TunedStrategy {
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

impl TuneAnswer {
    /// Makes the view of a family and the win rates of its members, in the same order.
    pub fn new(
        rules: String,
        family: &Family,
        against: String,
        rates: &[PairRate],
        error_bound: f64,
    ) -> Self {
        let rated = family.members.iter().zip(rates);
        let rates: Vec<TunedStrategy> = rated
            .map(|((values, strategy), rate)| TunedStrategy {
                values: values.clone(),
                strategy: strategy.to_string(),
                first: rate.first,
                second: rate.second,
                average: rate.average(),
            })
            .collect();
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
    pub fn is_best(&self, member: &TunedStrategy) -> bool {
        self.best.average - member.average <= 2.0 * self.error_bound
    }

    /// Returns the number of strategies that are as good as [`Self::best`], without it.
    pub fn others_as_good(&self) -> usize {
        self.rates.iter().filter(|member| self.is_best(member)).count() - 1
    }
}

/// The widest line, in columns.
const WIDTH: usize = 79;

/// Shades from the lowest rate to the highest.
const SHADES: [char; 9] = ['·', '░', '░', '▒', '▒', '▓', '▓', '█', '█'];

/// How many of the best strategies are listed if more than two numbers vary.
const LISTED: usize = 20;

impl Text for TuneAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{}",
            paint(TITLE, format!("{}: {} against {}", self.rules, self.strategy, self.against))
        )?;
        match &self.parameters[..] {
            [name] => self.table(out, name)?,
            [rows, columns] => self.map(out, rows, columns)?,
            _ => self.list(out)?,
        }
        let named = self
            .parameters
            .iter()
            .zip(&self.best.values)
            .map(|(name, value)| format!("{name} {value}"));
        let named: Vec<String> = named.collect();
        let others = match self.others_as_good() {
            0 => String::new(),
            1 => ", as does 1 other".to_owned(),
            others => format!(", as do {} others", thousands(others as u64)),
        };
        writeln!(
            out,
            "best: {} wins {}{others}",
            paint(BEST, named.join(", ")),
            paint(BEST, self.best.average)
        )?;
        let members = thousands(self.rates.len() as u64);
        let note = format!(
            "{members} strategies, averages of moving first and second, within {}",
            rounded_up(self.error_bound)
        );
        writeln!(out, "{}", paint(FAINT, note))
    }
}

impl TuneAnswer {
    /// Scales a rate from 0 (the lowest) to 1 (the highest).
    fn share(&self, rate: f64) -> f64 {
        let lowest = self.rates.iter().map(|rate| rate.average).fold(f64::INFINITY, f64::min);
        if self.best.average > lowest {
            (rate - lowest) / (self.best.average - lowest)
        } else {
            1.0
        }
    }

    fn mark(&self, rate: &TunedStrategy) -> &'static str {
        if self.is_best(rate) { "*" } else { " " }
    }

    fn table(&self, out: &mut dyn Write, name: &str) -> io::Result<()> {
        let width = name.len().max(6);
        writeln!(out, "  {name:>width$}  win rate")?;
        for rate in &self.rates {
            let bar = bar(self.share(rate.average), WIDTH - width - 28);
            let row = format!(
                "{:>width$}  {:<20} {}{bar}",
                rate.values[0],
                rate.average,
                self.mark(rate)
            );
            let style = if self.mark(rate) == "*" { BEST } else { anstyle::Style::new() };
            writeln!(out, "  {}", paint(style, row.trim_end()))?;
        }
        Ok(())
    }

    /// Writes rows for the first number and columns for the second: rates to three decimals if they
    /// fit, else shades.
    fn map(&self, out: &mut dyn Write, rows: &str, columns: &str) -> io::Result<()> {
        let across: Vec<i64> = self.columns();
        let head = rows.len().max(5);
        let digits = head + 2 + 6 * across.len() <= WIDTH;
        let cell = if digits { 6 } else { ((WIDTH - head - 2) / across.len()).clamp(1, 4) };
        writeln!(out, "{:>head$}  {columns}{}", rows, if digits { "" } else { " across" })?;
        let mut labels = String::new();
        for (place, number) in across.iter().enumerate() {
            // A label may extend over columns that have no label.
            let gap = (place * cell).saturating_sub(labels.chars().count());
            labels += &" ".repeat(gap);
            if digits {
                labels += &format!("{number:>5} ");
            } else if place.is_multiple_of(5) {
                labels += &number.to_string();
            }
        }
        writeln!(out, "{:>head$}  {}", "", labels.trim_end())?;
        for row in self.rates.chunks(across.len()) {
            let cells: String = row.iter().map(|rate| self.cell(rate, digits, cell)).collect();
            writeln!(out, "{:>head$}  {}", row[0].values[0], cells.trim_end())?;
        }
        Ok(())
    }

    fn cell(&self, rate: &TunedStrategy, digits: bool, width: usize) -> String {
        let best = self.mark(rate) == "*";
        if digits {
            let text = format!("{:.3}", rate.average);
            let text = text.strip_prefix('0').unwrap_or(&text).to_owned() + self.mark(rate);
            return if best { paint(BEST, format!("{text:>6}")) } else { format!("{text:>6}") };
        }
        let shade = SHADES[(self.share(rate.average) * (SHADES.len() - 1) as f64).round() as usize];
        let text = if best { paint(BEST, "*") } else { shade.to_string() };
        text + &" ".repeat(width - 1)
    }

    /// Returns the values of the second number.
    fn columns(&self) -> Vec<i64> {
        let first = self.rates[0].values[0];
        let alike = self.rates.iter().take_while(|rate| rate.values[0] == first);
        alike.map(|rate| rate.values[1]).collect()
    }

    /// Writes one strategy per line: `PARAMETER...,first,second,average`.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{},first,second,average", self.parameters.join(","))?;
        for rate in &self.rates {
            let values: Vec<String> = rate.values.iter().map(i64::to_string).collect();
            writeln!(out, "{},{},{},{}", values.join(","), rate.first, rate.second, rate.average)?;
        }
        Ok(())
    }

    fn list(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut ranked: Vec<&TunedStrategy> = self.rates.iter().collect();
        ranked.sort_by(|a, b| b.average.total_cmp(&a.average));
        writeln!(out, "  win rate              {}", self.parameters.join(", "))?;
        for rate in ranked.iter().take(LISTED) {
            let values: Vec<String> = rate.values.iter().map(i64::to_string).collect();
            writeln!(out, "  {:<20}  {}", rate.average, values.join(", "))?;
        }
        if ranked.len() > LISTED {
            let note = format!("  the best {LISTED}; -o FILE writes all");
            writeln!(out, "{}", paint(FAINT, note))?;
        }
        Ok(())
    }
}
