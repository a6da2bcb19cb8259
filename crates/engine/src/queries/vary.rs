//! A game for many values of its numbers.

use std::io::{self, Write};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    ArithmeticKind, Describe, DescribeAnswer, GivenGame, Query, SurveyRow, WinRates, Writes,
    rounded_up,
};
use crate::analysis;
use crate::engine::{Call, Error};
use crate::format::style::{BEST, FAINT, TITLE, either, paint};
use crate::format::{self, Text};
use crate::game::Game;
use crate::rules::Rules;
use crate::rules::fault::edits;
use crate::strategy::{Strategy, Varied};

/// A game for many values of its numbers, and the fairest of them
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[command(
    after_help = "A..B is a range that includes both ends, A..B:STEP a range with steps, and \
A,B,C a list of values. Several numbers are tried in all combinations. If none is named, goals up \
to 200 are tried.

--where keeps the games that have what is asked for: `turns` of both players in the mean, `edge` \
(the first player's win rate minus the second's), `skill` (what best play wins above one half \
against the baseline), `spread` (what the best roll of a choice wins more than the worst), or a \
rule by its name (in how many turns of a game it has an effect), each from A to B; one end may be \
left out.

Examples:
  hog vary my_game.toml goal=20..200                every goal from 20 to 200
  hog vary fa21 max_dice=1..10 -o dice.csv          the figures in a file
  hog vary fa21 goal=20..100:20 max_dice=2..6 -o map.svg
                                                    all pairs of values, as a picture
  hog vary fa21 goal=50..90:5 max_dice=4..8 --where turns=11..13 --where edge=..0.1
                                                    games of about 12 turns that are nearly fair"
)]
#[non_exhaustive]
pub struct Vary {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// A number of the game (goal, max_dice or a number with a name in the rules), and its values
    #[serde(default)]
    #[arg(value_name = "NAME=A..B", value_parser = varied)]
    pub vary: Vec<String>,
    /// Keep only games in which a figure is from A to B: turns, edge, skill, spread or a rule;
    /// may be repeated
    #[serde(default, rename = "where")]
    #[arg(long = "where", value_name = "FIGURE=A..B", value_parser = wanted)]
    pub wanted: Vec<String>,
}

/// Refuses what does not name a figure and a range.
fn wanted(text: &str) -> Result<String, String> {
    AskedFigure::parse(text).map(|_| text.to_owned())
}

/// Refuses what does not name a number and its values.
fn varied(text: &str) -> Result<String, String> {
    GameNumbers::parse(text).map(|_| text.to_owned())
}

/// The figures of a game for all combinations of values of its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct VaryAnswer {
    /// The game's id.
    pub rules: String,
    /// The names of the numbers that vary.
    pub vary: Vec<String>,
    /// The names of the figures that are asked for.
    #[serde(rename = "where", default, skip_serializing_if = "Vec::is_empty")]
    pub wanted: Vec<String>,
    /// The least and the largest value of each of these figures, over all games that were tried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<[f64; 2]>,
    /// How many of the games that were tried have each of these figures in its range.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub having: Vec<usize>,
    /// If no game has all that is asked for: the one whose figures are the least outside of their
    /// ranges, as shares of all values of each figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<VariedRow>,
    /// How many combinations of values were tried.
    pub tried: usize,
    /// The combinations of values with which there is no game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedValues>,
    /// One row for each combination of values that has the figures that are asked for, in the order
    /// of the request; the last value varies fastest.
    pub rows: Vec<VariedRow>,
}

/// The figures of a game for one combination of values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct VariedRow {
    /// The values, in the order of the names.
    pub values: Vec<i64>,
    /// The figures.
    pub figures: SurveyRow,
    /// The figures that are asked for, in the order of their names.
    #[serde(rename = "where", default, skip_serializing_if = "Vec::is_empty")]
    pub wanted: Vec<f64>,
}

/// Values with which the rules are none, as those with which a formula divides by 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RefusedValues {
    /// The values, in the order of the names.
    pub values: Vec<i64>,
    /// Why they are refused.
    pub reason: String,
}

/// A figure that is asked for, and its range, both ends included.
struct AskedFigure {
    figure: String,
    least: f64,
    most: f64,
}

impl AskedFigure {
    fn parse(text: &str) -> Result<Self, String> {
        let wanted = Self::read(text).filter(|wanted| wanted.least <= wanted.most);
        wanted.ok_or_else(|| {
            format!(
                "{text}: write a range for each figure, as in `--where turns=11..13 --where \
                 edge=..0.05`"
            )
        })
    }

    fn read(text: &str) -> Option<Self> {
        let (figure, range) = text.rsplit_once('=').filter(|(figure, _)| !figure.contains(".."))?;
        let (least, most) = range.split_once("..")?;
        Some(Self {
            figure: figure.to_owned(),
            least: if least.is_empty() { f64::NEG_INFINITY } else { least.parse().ok()? },
            most: if most.is_empty() { f64::INFINITY } else { most.parse().ok()? },
        })
    }

    /// Checks that games with these rules have the figure.
    fn is_known(&self, rules: &Rules) -> Result<(), Error> {
        let mut known = vec!["turns", "edge", "skill", "spread"];
        known.extend(rules.rules.iter().map(|rule| rule.name.as_str()));
        if known.contains(&self.figure.as_str()) {
            return Ok(());
        }
        let near = known.iter().filter_map(|name| Some((edits(&self.figure, name)?, name)));
        let near = near.min().filter(|(edits, _)| *edits <= 2);
        let meant = match near {
            Some((_, name)) => format!("did you mean `{name}`?"),
            None => format!("it has {}", known.join(", ")),
        };
        let fault = format!("{} has no figure `{}`; {meant}", rules.id, self.figure);
        Err(Error::malformed_by("where", fault))
    }

    /// Whether a value is in the range, but for what is rounded; a game without the figure, whose
    /// value is no number, does not have it.
    fn holds(&self, value: f64) -> bool {
        (self.least - ROUNDED..=self.most + ROUNDED).contains(&value)
    }

    /// How far a value is outside of the range, as a share of the width of all values.
    fn misses(&self, value: f64, [least, most]: [f64; 2]) -> f64 {
        if value.is_nan() {
            return f64::INFINITY;
        }
        let outside = (self.least - value).max(value - self.most).max(0.0);
        if outside > 0.0 { outside / (most - least).max(f64::MIN_POSITIVE) } else { 0.0 }
    }
}

/// A number of a game that can vary.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameNumber {
    /// The goal.
    Goal,
    /// The largest number of dice.
    MaxDice,
    /// A number of `[numbers]` in the rule file, by its name.
    Named(String),
}

impl GameNumber {
    /// Returns its name in rule files.
    pub fn name(&self) -> &str {
        match self {
            Self::Goal => "goal",
            Self::MaxDice => "max_dice",
            Self::Named(name) => name,
        }
    }

    /// Returns the number with this name in rule files or on the command line.
    pub fn named(name: &str) -> Self {
        match name {
            "goal" => Self::Goal,
            "max_dice" | "max-dice" => Self::MaxDice,
            name => Self::Named(name.to_owned()),
        }
    }
}

/// More than figures are off by rounding.
const ROUNDED: f64 = 1e-9;

/// A number of a game, and its values.
struct GameNumbers {
    number: GameNumber,
    values: Vec<i64>,
}

impl GameNumbers {
    fn parse(text: &str) -> Result<Self, String> {
        let Varied { name, values } = Varied::parse(text)?;
        let number = GameNumber::named(&name);
        if !matches!(number, GameNumber::Named(_)) {
            let unfit = values.iter().find(|value| u32::try_from(**value).is_err());
            if let Some(value) = unfit {
                return Err(format!("{text}: {} cannot be {value}", number.name()));
            }
        }
        Ok(Self { number, values })
    }
}

/// The most combinations of values in one question.
const MOST_COMBINATIONS: usize = 10_000;
/// How many goals are tried if the request names no number.
const GOALS: usize = 21;
/// The most states of all these games together.
const MOST_STATES: usize = 3_000_000;

impl Vary {
    /// The question about a game for many goals.
    pub fn goals(game: impl Into<GivenGame>) -> Self {
        Self { game: game.into(), vary: Vec::new(), wanted: Vec::new() }
    }

    /// Adds a number and its values, as in `goal=20..200`.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::Vary;
    ///
    /// let engine = Engine::builder().build();
    /// let answer = engine.ask(&Vary::goals("fa21").number("goal=20..22"))?;
    /// assert_eq!(answer.vary, ["goal"]);
    /// assert_eq!(answer.rows[2].values, [22]);
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    #[must_use]
    pub fn number(mut self, values: impl Into<String>) -> Self {
        self.vary.push(values.into());
        self
    }

    /// Returns the numbers and their values.
    fn numbers(&self, call: &Call) -> Result<Vec<GameNumbers>, Error> {
        let mut numbers: Vec<GameNumbers> = Vec::new();
        for text in &self.vary {
            let next =
                GameNumbers::parse(text).map_err(|fault| Error::malformed_by("vary", fault))?;
            let name = next.number.name();
            if numbers.iter().any(|one| one.number == next.number) {
                let fault = format!("{name} varies twice: leave one of its ranges out");
                return Err(Error::malformed_by("vary", fault));
            }
            numbers.push(next);
        }
        if numbers.is_empty() {
            numbers.push(GameNumbers { number: GameNumber::Goal, values: self.usual_goals(call)? });
        }
        for GameNumbers { number, .. } in &numbers {
            let overridden = match number {
                GameNumber::Goal => self.game.goal,
                GameNumber::MaxDice => self.game.max_dice,
                GameNumber::Named(_) => None,
            };
            let is_set = self.game.numbers.iter().any(|(set, _)| set == number.name());
            let is_fixed = is_set || overridden.is_some();
            if is_fixed {
                let name = number.name();
                return Err(Error::malformed(format!(
                    "{name} is both set and varied: leave one out"
                )));
            }
        }
        let combinations: usize = numbers.iter().map(|number| number.values.len()).product();
        if combinations > MOST_COMBINATIONS {
            let message = format!(
                "{combinations} combinations of values; at most {MOST_COMBINATIONS} are tried: use \
                 steps, as in goal=20..200:5"
            );
            return Err(Error::malformed_by("vary", message));
        }
        Ok(numbers)
    }

    /// Goals that show how a game depends on its goal: from 20 to 200, or to 100 in a game with
    /// memories, in equal steps, fewer in a large game.
    fn usual_goals(&self, call: &Call) -> Result<Vec<i64>, Error> {
        let per_cell = call.game(&self.game)?.space().per_cell();
        let most = if per_cell == 1 { 200 } else { 100 };
        let mut goals = Vec::new();
        for step in [1, 2, 5, 10, 20, 50] {
            goals = (20..=most).step_by(step).collect();
            let cells: usize = goals.iter().map(|goal: &i64| (*goal as usize).pow(2)).sum();
            if goals.len() <= GOALS && cells * per_cell <= MOST_STATES {
                break;
            }
        }
        Ok(goals)
    }
}

/// All combinations of values; the last value varies fastest.
fn combinations(numbers: &[GameNumbers]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for GameNumbers { values, .. } in numbers {
        let mut longer = Vec::new();
        for combination in &all {
            for value in values {
                longer.push([&combination[..], &[*value]].concat());
            }
        }
        all = longer;
    }
    all
}

/// A game with other values of its numbers; a goal or a number of dice is no negative one.
fn with_numbers(game: &GivenGame, numbers: &[GameNumbers], values: &[i64]) -> GivenGame {
    let mut game = game.clone();
    for (GameNumbers { number, .. }, value) in numbers.iter().zip(values) {
        game = match number {
            GameNumber::Goal => game.goal(*value as u32),
            GameNumber::MaxDice => game.max_dice(*value as u32),
            GameNumber::Named(name) => game.numbers([(name.clone(), *value)]),
        };
    }
    game
}

/// Says which values an error is about, unless it is about all.
fn with_values(error: Error, numbers: &[GameNumbers], values: &[i64]) -> Error {
    if matches!(error, Error::Malformed { .. }) {
        return error;
    }
    let mut error = error;
    for (GameNumbers { number, .. }, value) in numbers.iter().zip(values).rev() {
        error = Error::Varied {
            number: number.name().to_owned(),
            value: *value,
            error: Box::new(error),
        };
    }
    error
}

impl Query for Vary {
    const NAME: &str = "vary";
    const IS_LONG: bool = true;
    const WRITES: Option<Writes> =
        Some(Writes { contents: "the figures", endings: &["csv", "json"] });
    type Answer = VaryAnswer;

    fn answer(&self, call: &Call) -> Result<VaryAnswer, Error> {
        let numbers = self.numbers(call)?;
        let mut games = Vec::new();
        let mut known = None;
        // What cannot be asked is refused before the first game is solved; a fault of the rules is
        // one of these values alone.
        for values in combinations(&numbers) {
            let game = with_numbers(&self.game, &numbers, &values);
            match call.rules(&game) {
                Ok(rules) => known = Some(rules),
                Err(error) if error.faults().is_some() => {}
                Err(error) => return Err(with_values(error, &numbers, &values)),
            }
            games.push((game, values));
        }
        let wanted = self.wanted.iter().map(|text| {
            AskedFigure::parse(text).map_err(|fault| Error::malformed_by("where", fault))
        });
        let wanted = wanted.collect::<Result<Vec<_>, Error>>()?;
        if let Some(rules) = known {
            for one in &wanted {
                one.is_known(&rules)?;
            }
        }
        let mut id = String::new();
        let mut having = vec![0; wanted.len()];
        let mut spans = vec![[f64::INFINITY, f64::NEG_INFINITY]; wanted.len()];
        let mut rows = Vec::new();
        let mut refused = Vec::new();
        let mut first_error = None;
        for (game, values) in games {
            call.item("begun", &|| json!(values));
            let named = numbers.iter().zip(&values);
            let about = named.map(|(of, value)| format!("{} {value}", of.number.name()));
            let call = call.about(about.collect::<Vec<_>>().join(", "));
            let found = match call.varied(&game, &wanted) {
                Ok(found) => found,
                Err(error) if error.faults().is_some() => {
                    refused.push(RefusedValues { reason: error.reason(), values: values.clone() });
                    first_error.get_or_insert_with(|| with_values(error, &numbers, &values));
                    continue;
                }
                Err(error) => return Err(with_values(error, &numbers, &values)),
            };
            id.clone_from(&found.figures.rules);
            for (at, value) in found.wanted.iter().enumerate() {
                let [least, most] = spans[at];
                spans[at] = [least.min(*value), most.max(*value)];
                having[at] += usize::from(wanted[at].holds(*value));
            }
            rows.push(VariedRow { values, ..found });
        }
        if rows.is_empty()
            && let Some(error) = first_error
        {
            return Err(error);
        }
        for (at, one) in wanted.iter().enumerate() {
            if rows.iter().all(|row| row.wanted[at].is_nan()) {
                return Err(Error::malformed(format!(
                    "{id} has no `{}`: skill takes a baseline, turns a game that ends",
                    one.figure
                )));
            }
        }
        let tried = rows.len();
        let nearest = nearest(&wanted, &spans, &rows);
        rows.retain(|row| wanted.iter().zip(&row.wanted).all(|(one, value)| one.holds(*value)));
        let nearest = nearest.filter(|_| rows.is_empty());
        let vary = numbers.iter().map(|of| of.number.name().to_owned()).collect();
        let wanted = wanted.into_iter().map(|one| one.figure).collect();
        Ok(VaryAnswer { rules: id, vary, wanted, spans, having, nearest, tried, refused, rows })
    }

    fn answer_in(
        &self,
        call: &Call,
        ending: &str,
        file: &mut dyn Write,
    ) -> Result<VaryAnswer, Error> {
        let answer = self.answer(call)?;
        let written = match ending {
            "json" => format::json(&answer, file),
            _ => answer.csv(file),
        };
        written.map_err(Error::Storage)?;
        Ok(answer)
    }
}

/// Returns the game whose figures are nearest to what is asked for; the first of several.
fn nearest(wanted: &[AskedFigure], spans: &[[f64; 2]], rows: &[VariedRow]) -> Option<VariedRow> {
    let mut nearest: Option<(f64, &VariedRow)> = None;
    for row in rows {
        let mut misses = 0.0;
        for (at, one) in wanted.iter().enumerate() {
            misses += one.misses(row.wanted[at], spans[at]);
        }
        if misses.is_finite() && nearest.is_none_or(|(least, _)| misses < least) {
            nearest = Some((misses, row));
        }
    }
    nearest.map(|(_, row)| row.clone())
}

impl Call<'_> {
    /// Returns the figures of a game, which is not kept, without its values.
    fn varied(&self, game: &GivenGame, wanted: &[AskedFigure]) -> Result<VariedRow, Error> {
        let rules = self.rules(game)?;
        let game = self.tabulate(rules)?;
        let mut row =
            VariedRow { values: Vec::new(), figures: self.figures(&game)?, wanted: Vec::new() };
        let mut described = None;
        for one in wanted {
            let value = self.figure(&one.figure, &game, &row.figures, &mut described)?;
            row.wanted.push(value.unwrap_or(f64::NAN));
        }
        Ok(row)
    }

    /// Returns a figure of a game that both play to win; `None` if it has none, as skill without a
    /// baseline. The game is described only for figures that take it, which is much slower.
    fn figure(
        &self,
        name: &str,
        game: &Arc<Game>,
        figures: &SurveyRow,
        described: &mut Option<DescribeAnswer>,
    ) -> Result<Option<f64>, Error> {
        match name {
            "edge" => {
                let first = figures.win_rate.first;
                return Ok(Some(first - (1.0 - first)));
            }
            "skill" => return Ok(figures.equilibrium.map(|rate| rate.average - 0.5)),
            "turns" => {
                let plan = self.plan(game, &Strategy::Optimal)?;
                let mean = self
                    .run("describing", |watch| analysis::mean_turns(game, [&plan, &plan], watch))?;
                return Ok(Some(mean.mean).filter(|mean| mean.is_finite()));
            }
            _ => (),
        }
        if described.is_none() {
            let both = [Strategy::Optimal, Strategy::Optimal];
            *described = Some(Describe::described(self, game, &both)?);
        }
        Ok(described.as_ref().and_then(|game| match name {
            "spread" => Some(game.choices.mean_spread),
            rule => game.rule_uses.iter().find(|one| one.name == rule).map(|one| one.per_game),
        }))
    }
}

impl VaryAnswer {
    /// Returns the values of a number, by its place, in the order of the request.
    pub fn values(&self, number: usize) -> Vec<i64> {
        let mut values = Vec::new();
        for row in &self.rows {
            if !values.contains(&row.values[number]) {
                values.push(row.values[number]);
            }
        }
        values
    }

    /// Returns the row whose first player's win rate is nearest to one half, of games that end; the
    /// first of several.
    pub fn fairest(&self) -> Option<&VariedRow> {
        let fairest = self.rows.iter().min_by(|a, b| a.unfairness().total_cmp(&b.unfairness()));
        fairest.filter(|row| row.unfairness().is_finite())
    }

    /// Returns the largest error bound of the win rates.
    pub fn error_bound(&self) -> f64 {
        self.rows.iter().map(|row| row.figures.error_bound()).fold(0.0, f64::max)
    }

    /// Writes one combination of values per line: `NAME...,first_player,first_roll,best_response,
    /// equilibrium,ties,states,error_bound,arithmetic`. Tied numbers of dice are separated by
    /// spaces; `best_response` and `equilibrium` are empty in a game without a baseline. The
    /// figures that are asked for follow.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let own = "first_player,first_roll,best_response,equilibrium,ties,states,error_bound";
        let heads = self.vary.iter().map(String::as_str).chain([own, "arithmetic"]);
        let heads = heads.chain(self.wanted.iter().map(String::as_str));
        writeln!(out, "{}", heads.collect::<Vec<_>>().join(","))?;
        for VariedRow { values, figures, wanted } in &self.rows {
            let values = joined(values, ",");
            let rolls = joined(&figures.first_roll, " ");
            let first = figures.win_rate.first;
            write!(out, "{values},{first},{rolls}")?;
            for rate in [figures.best_response, figures.equilibrium] {
                write!(out, ",")?;
                if let Some(rate) = rate {
                    write!(out, "{}", rate.average)?;
                }
            }
            let wanted: String = wanted.iter().map(|value| format!(",{value}")).collect();
            let bound = figures.error_bound();
            let arithmetic = match figures.arithmetic {
                ArithmeticKind::Exact => "exact",
                ArithmeticKind::Float => "float",
            };
            let SurveyRow { ties, states, .. } = figures;
            writeln!(out, ",{ties},{states},{bound:e},{arithmetic}{wanted}")?;
        }
        Ok(())
    }
}

fn joined(values: &[impl ToString], separator: &str) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(separator)
}

impl VariedRow {
    /// How far the first player's win rate is from one half; infinite if games may never end, which
    /// are half a win each.
    fn unfairness(&self) -> f64 {
        match self.figures.win_rate.endless > ROUNDED {
            true => f64::INFINITY,
            false => (self.figures.win_rate.first - 0.5).abs(),
        }
    }
}

/// The width of the text of a grid, in columns.
const GRID: usize = 80;
/// How many rows are printed where more than two numbers vary.
const ROWS: usize = 10;

impl Text for VaryAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.vary[..] {
            _ if !self.wanted.is_empty() => self.kept(out)?,
            [name] => self.table(out, name)?,
            [across, down] => self.grid(out, across, down)?,
            _ => self.list(out)?,
        }
        for RefusedValues { values, reason } in self.refused.iter().take(ROWS) {
            writeln!(out, "no game with {}: {reason}", self.named(values))?;
        }
        match self.refused.len().saturating_sub(ROWS) {
            0 => (),
            more => writeln!(out, "and with {more} more: --format json has all")?,
        }
        if self.rows.is_empty() {
            return Ok(());
        }
        if let Some(row) = self.fairest() {
            let named = self.named(&row.values);
            let rate = paint(BEST, format!("{:.10}", row.figures.win_rate.first));
            writeln!(out, "fairest: {named}, the first player wins {rate}")?;
        }
        let has_baseline = matches!(&self.rows[..], [row, ..] if row.figures.baseline.is_some())
            && self.vary.len() == 1
            && self.wanted.is_empty();
        let rated = match has_baseline {
            true => "best response and equilibrium are rated against the baseline; ",
            false => "",
        };
        let note =
            format!("both play to win; {rated}all within {}", rounded_up(self.error_bound()));
        writeln!(out, "{}", paint(FAINT, note))
    }
}

impl VaryAnswer {
    /// Writes a row for each value.
    fn table(&self, out: &mut dyn Write, name: &str) -> io::Result<()> {
        writeln!(out, "{}", paint(TITLE, format!("{} as {name} varies", self.rules)))?;
        let width = name.len().max(5);
        let heads =
            format!("{name:>width$}  first player  first roll   best response  equilibrium");
        writeln!(out, "{}", paint(FAINT, heads))?;
        for VariedRow { values, figures, .. } in &self.rows {
            writeln!(
                out,
                "{:>width$}  {:.10}  {:<11}  {:<13}  {}",
                values[0],
                figures.win_rate.first,
                either(&figures.first_roll),
                average(figures.best_response),
                average(figures.equilibrium)
            )?;
        }
        Ok(())
    }

    /// Writes the first player's win rates: the first number across, the second down. What is wider
    /// than [`GRID`] follows below.
    fn grid(&self, out: &mut dyn Write, across: &str, down: &str) -> io::Result<()> {
        let title = format!(
            "{}: the first player's win rate as {across} (across) and {down} (down) vary",
            self.rules
        );
        writeln!(out, "{}", paint(TITLE, title))?;
        let columns = self.values(0);
        let rows = self.values(1);
        let left = widest(&rows).max(down.len());
        let cell = widest(&columns).max(6);
        let shown = ((GRID - left.min(GRID / 2)) / (cell + 2)).max(1);
        for (place, some) in columns.chunks(shown).enumerate() {
            if place > 0 {
                writeln!(out)?;
            }
            let heads = some.iter().map(|value| format!("  {value:>cell$}")).collect::<String>();
            writeln!(out, "{}", paint(FAINT, format!("{down:>left$}{heads}")))?;
            for row in &rows {
                let cells = some.iter().map(|column| self.cell(*column, *row, cell));
                writeln!(out, "{row:>left$}{}", cells.collect::<String>())?;
            }
        }
        Ok(())
    }

    fn cell(&self, column: i64, row: i64, width: usize) -> String {
        let Some(found) = self.rows.iter().find(|of| of.values == [column, row]) else {
            return String::new();
        };
        let rate = format!("{:>width$.4}", found.figures.win_rate.first);
        let is_fairest = self.fairest() == Some(found);
        format!("  {}", if is_fairest { paint(BEST, rate) } else { rate })
    }

    /// Writes the fairest of the games that have what is asked for.
    fn kept(&self, out: &mut dyn Write) -> io::Result<()> {
        let kept = self.rows.len();
        let title = format!("{}: {kept} of {} games have what is asked", self.rules, self.tried);
        writeln!(out, "{}", paint(TITLE, title))?;
        if kept == 0 {
            let spans = self.wanted.iter().zip(&self.spans);
            let spans =
                spans.map(|(name, [least, most])| format!("{name} {least:.4} to {most:.4}"));
            writeln!(out, "all have {}", spans.collect::<Vec<_>>().join(", "))?;
            for (name, having) in self.wanted.iter().zip(&self.having) {
                writeln!(out, "{name} as asked: {having} of {}", self.tried)?;
            }
            return match &self.nearest {
                Some(row) => writeln!(out, "nearest: {}", self.in_words(row)),
                None => Ok(()),
            };
        }
        let names = self.vary.join(" ");
        let heads: String = self.wanted.iter().map(|name| format!("  {name:>9}")).collect();
        writeln!(out, "{}", paint(FAINT, format!("{names:>16}  first player{heads}")))?;
        for row in self.by_fairness().into_iter().take(ROWS) {
            let figures = row.wanted.iter().zip(&self.wanted);
            let figures: String = figures
                .map(|(value, name)| format!("  {value:>0$.4}", name.len().max(9)))
                .collect();
            let rate = row.figures.win_rate.first;
            writeln!(out, "{:>16}  {rate:.10}{figures}", joined(&row.values, " "))?;
        }
        match kept.saturating_sub(ROWS) {
            0 => Ok(()),
            more => writeln!(out, "             ...  and {more} more: -o FILE.csv has all"),
        }
    }

    /// Returns a game's values and what it has of what is asked for.
    fn in_words(&self, row: &VariedRow) -> String {
        let figures = self.wanted.iter().zip(&row.wanted);
        let figures: String = figures.map(|(name, value)| format!(", {name} {value:.4}")).collect();
        self.named(&row.values) + &figures
    }

    /// Returns values with their names: "goal 50, max_dice 6".
    fn named(&self, values: &[i64]) -> String {
        let named = self.vary.iter().zip(values);
        named.map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
    }

    fn by_fairness(&self) -> Vec<&VariedRow> {
        let mut rows: Vec<&VariedRow> = self.rows.iter().collect();
        rows.sort_by(|a, b| a.unfairness().total_cmp(&b.unfairness()));
        rows
    }

    /// Writes the fairest combinations.
    fn list(&self, out: &mut dyn Write) -> io::Result<()> {
        let names = self.vary.join(" ");
        writeln!(out, "{}", paint(TITLE, format!("{} as {names} vary", self.rules)))?;
        writeln!(out, "{}", paint(FAINT, format!("{names:>16}  first player")))?;
        for row in self.by_fairness().into_iter().take(ROWS) {
            let rate = row.figures.win_rate.first;
            writeln!(out, "{:>16}  {rate:.10}", joined(&row.values, " "))?;
        }
        Ok(())
    }
}

fn average(rate: Option<WinRates>) -> String {
    rate.map_or_else(|| "-".to_owned(), |rate| format!("{:.10}", rate.average))
}

/// The number of digits of the longest of these values.
fn widest(values: &[i64]) -> usize {
    values.iter().map(|value| value.to_string().len()).max().unwrap_or(0)
}
