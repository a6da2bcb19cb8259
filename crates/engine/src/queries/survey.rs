//! The figures of games: of one, of many, and of one as a number of it varies.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GivenGame;
use super::{ArithmeticKind, BidShare, WinRates, rounded_up};
use crate::engine::{Call, Error, of_usual_kind};
use crate::files::escape::{markdown, markdown_code};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, TITLE, columns_of, either, padded, paint, thousands};
use crate::game::Game;
use crate::rules::{Rules, builtins};
use crate::solve::Arithmetic;
use crate::survey::{Figures, FoundRate, figures};

/// The figures of many games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SurveyAnswer {
    /// The command that makes this survey.
    pub command: String,
    /// One row for each game.
    pub games: Vec<SurveyRow>,
    /// The total time taken, in seconds.
    pub seconds: f64,
}

/// The figures of one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SurveyRow {
    /// The game's id.
    pub rules: String,
    /// The game's title.
    pub title: String,
    /// The heading under which it is listed.
    pub group: String,
    /// Other names by which it can be given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The publication that the rules come from.
    #[serde(default)]
    pub source: Option<String>,
    /// The game's goal.
    pub goal: u32,
    /// The win rates under optimal play by both players.
    pub win_rate: WinRates,
    /// The best numbers of dice at the start; several if they tie.
    pub first_roll: Vec<i32>,
    /// The strategy against which its course rates others.
    pub baseline: Option<String>,
    /// The win rates of the best response to the baseline.
    pub best_response: Option<WinRates>,
    /// The win rates of equilibrium play against the baseline.
    pub equilibrium: Option<WinRates>,
    /// The arithmetic in which the equilibrium was solved.
    pub arithmetic: ArithmeticKind,
    /// The number of states with more than one best number of dice.
    pub ties: usize,
    /// For each number of dice, the share of states in which it is the smallest best number.
    #[serde(default)]
    pub best_dice: Vec<DiceShare>,
    /// The number of states of the game.
    pub states: usize,
    /// The probability of each bid in the equilibrium; omitted if the game does not begin with a
    /// bidding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bids: Vec<BidShare>,
    /// The time to read, tabulate and solve the game, in seconds.
    pub seconds: f64,
}

/// The share of states in which a number of dice is the smallest best number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DiceShare {
    /// The number of dice; negative for moves that roll nothing.
    pub dice: i32,
    /// The share of all states, from 0 to 1.
    pub share: f64,
}

/// The figures of one game for several values of one of its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct VariedAnswer {
    /// The game's id.
    pub rules: String,
    /// The name of the number that varies.
    pub vary: String,
    /// One row for each value, in the order of the request.
    pub rows: Vec<VariedRow>,
}

/// The figures of a game for one value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct VariedRow {
    /// The value.
    pub value: u32,
    /// The figures.
    pub figures: SurveyRow,
}

/// The figures of one game for all pairs of values of two of its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct VariedPairAnswer {
    /// The game's id.
    pub rules: String,
    /// The names of the numbers that vary.
    pub vary: [String; 2],
    /// One row for each pair of values; the second value varies fastest.
    pub rows: Vec<VariedPairRow>,
}

/// The figures of a game for one pair of values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct VariedPairRow {
    /// The values, in the order of the names.
    pub values: [u32; 2],
    /// The figures.
    pub figures: SurveyRow,
}

impl VariedPairAnswer {
    /// Returns the values of the first or the second number, in the order of the request.
    pub fn values(&self, number: usize) -> Vec<u32> {
        let mut values = Vec::new();
        for row in &self.rows {
            if !values.contains(&row.values[number]) {
                values.push(row.values[number]);
            }
        }
        values
    }

    /// Returns the row whose first player's win rate is nearest to one half; the first of several.
    pub fn fairest(&self) -> Option<&VariedPairRow> {
        let unfair = |row: &&VariedPairRow| (row.figures.win_rate.first - 0.5).abs();
        self.rows.iter().min_by(|a, b| unfair(a).total_cmp(&unfair(b)))
    }

    /// Returns the largest error bound of the win rates.
    pub fn error_bound(&self) -> f64 {
        self.rows.iter().map(|row| row.figures.error_bound()).fold(0.0, f64::max)
    }
}

impl VariedAnswer {
    /// Makes the view of pairs of a value and its figures.
    pub fn new(vary: &str, rows: impl IntoIterator<Item = (u32, SurveyRow)>) -> Self {
        let rows: Vec<VariedRow> =
            rows.into_iter().map(|(value, figures)| VariedRow { value, figures }).collect();
        let rules = rows.first().map_or_else(String::new, |row| row.figures.rules.clone());
        Self { rules, vary: vary.to_owned(), rows }
    }
}

impl SurveyAnswer {
    /// Makes the view of the rows that a command computed in this number of seconds.
    pub fn new(command: String, games: Vec<SurveyRow>, seconds: f64) -> Self {
        Self { command, games, seconds }
    }
}

impl SurveyRow {
    /// Makes the row of a game from its figures.
    pub fn new(rules: &Rules, figures: &Figures) -> Self {
        let rate = |found: &FoundRate| WinRates::new(found.rates, found.endless, found.error_bound);
        let baseline = figures.baseline.as_ref();
        Self {
            rules: rules.id.clone(),
            title: rules.title.clone(),
            group: rules.group().to_owned(),
            aliases: rules.aliases.clone(),
            source: rules.source.clone(),
            goal: rules.goal,
            win_rate: rate(&figures.equilibrium),
            first_roll: figures.first_roll.clone(),
            baseline: rules.baseline.clone(),
            best_response: baseline.map(|baseline| rate(&baseline.best_response)),
            equilibrium: baseline.map(|baseline| rate(&baseline.equilibrium)),
            arithmetic: figures.arithmetic.into(),
            ties: figures.ties,
            best_dice: figures
                .best_dice
                .iter()
                .map(|(dice, share)| DiceShare { dice: *dice, share: *share })
                .collect(),
            states: figures.states,
            bids: BidShare::of(figures.bids.iter().copied()),
            seconds: figures.solved_in.as_secs_f64(),
        }
    }

    /// Returns the largest error bound of the win rates in this row.
    pub fn error_bound(&self) -> f64 {
        let against = self.best_response.iter().chain(&self.equilibrium);
        against.map(|rate| rate.error_bound).fold(self.win_rate.error_bound, f64::max)
    }
}

impl SurveyRow {
    /// Returns the cells of the row: game, first player, first roll, baseline, best response,
    /// equilibrium, ties, endless, states, seconds.
    pub fn columns(&self) -> [String; 10] {
        let rate = |rate: Option<WinRates>| {
            rate.map_or_else(|| "-".to_owned(), |rate| format!("{:.10}", rate.average))
        };
        let endless = if self.win_rate.endless == 0.0 {
            "0".to_owned()
        } else {
            format!("{:.10}", self.win_rate.endless)
        };
        [
            self.rules.clone(),
            format!("{:.10}", self.win_rate.first),
            either(&self.first_roll),
            self.baseline.clone().unwrap_or_else(|| "-".into()),
            rate(self.best_response),
            rate(self.equilibrium),
            thousands(self.ties as u64),
            endless,
            thousands(self.states as u64),
            format!("{:.2}", self.seconds),
        ]
    }
}

const HEADS: [&str; 10] = [
    "game",
    "first player",
    "first roll",
    "baseline",
    "best response",
    "equilibrium",
    "ties",
    "endless",
    "states",
    "seconds",
];

/// The columns of the text, short enough for a terminal of 80 columns: the first of [`HEADS`].
const SHOWN: [&str; 7] =
    ["game", "first player", "roll", "baseline", "best response", "equilibrium", "ties"];

impl SurveyAnswer {
    /// Returns the headings of groups of games, the largest group first.
    pub fn groups(&self) -> Vec<&str> {
        super::rules::groups(self.games.iter().map(|row| &*row.group))
    }

    /// Returns the rows of a group.
    pub fn of<'a>(&'a self, group: &'a str) -> impl Iterator<Item = &'a SurveyRow> {
        self.games.iter().filter(move |row| row.group == group)
    }

    /// Describes the arithmetic and the error bound of the figures.
    fn legend(&self) -> String {
        let exact = self.games.iter().filter(|row| row.arithmetic == ArithmeticKind::Exact).count();
        let bound = self.games.iter().map(SurveyRow::error_bound).fold(0.0, f64::max);
        let solved = match (exact, self.games.len()) {
            (0, _) => {
                "Equilibria are solved in floats; ties are rolls closer than the bound".to_owned()
            }
            (1, 1) => "The equilibrium and its ties are exact".to_owned(),
            (exact, all) if exact == all => "Equilibria and their ties are exact".to_owned(),
            (exact, all) => format!(
                "Equilibria and their ties are exact in {exact} of {all} games, else in floats"
            ),
        };
        format!(
            "{solved}. No win rate here is further than {} from the exact one, before rounding to ten digits.",
            rounded_up(bound)
        )
    }

    /// Writes the page: the command that makes it, the picture if there is one, and the table.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn page(&self, picture: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "[//]: # (Made by {}; do not edit.)\n",
            markdown(&self.command).replace(')', "\\)")
        )?;
        writeln!(out, "# {}\n", markdown(&self.title()))?;
        writeln!(
            out,
            "{} made this page, in {:.0} seconds.\n",
            markdown_code(&self.command),
            self.seconds
        )?;
        if let Some(picture) = picture {
            writeln!(out, "![Win rates]({picture})\n")?;
        }
        writeln!(out, "{MEANING}\n\n{}", self.legend())?;
        for group in self.groups() {
            writeln!(out, "\n## {}\n", markdown(group))?;
            writeln!(out, "| {} |\n|{}", HEADS.join(" | "), "---|".repeat(HEADS.len()))?;
            for row in self.of(group) {
                let [id, first, roll, baseline, rest @ ..] = row.columns();
                let baseline = if baseline == "-" { baseline } else { markdown_code(&baseline) };
                let columns =
                    [vec![markdown_code(&id), first, roll, baseline], rest.to_vec()].concat();
                writeln!(out, "| {} |", columns.join(" | "))?;
            }
        }
        self.bids(out)?;
        writeln!(out, "\n## Where the rules come from\n\n| game | also | source |\n|---|---|---|")?;
        for row in &self.games {
            let also =
                row.aliases.iter().map(|alias| markdown_code(alias)).collect::<Vec<_>>().join(" ");
            let source = markdown(row.source.as_deref().unwrap_or(&row.title));
            writeln!(out, "| {} | {also} | {source} |", markdown_code(&row.rules))?;
        }
        if self.has_every_game() {
            write!(out, "\n{SEMESTERS}")?;
        }
        Ok(())
    }

    fn has_every_game(&self) -> bool {
        builtins().iter().all(|game| self.games.iter().any(|row| row.rules == game.id))
    }

    /// Returns the title of the page.
    fn title(&self) -> String {
        match &self.games[..] {
            [one] => format!("{}, solved", one.title),
            _ if self.has_every_game() => "Every published Hog, solved".into(),
            some => format!("{} games of Hog, solved", some.len()),
        }
    }

    /// Writes how to bid in games that begin with bids.
    fn bids(&self, out: &mut dyn Write) -> io::Result<()> {
        let bidding: Vec<&SurveyRow> =
            self.games.iter().filter(|row| !row.bids.is_empty()).collect();
        if !bidding.is_empty() {
            writeln!(out, "\n## Bids for the start\n\n{BIDDING}")?;
        }
        for row in bidding {
            writeln!(out, "\n| bid in {} | share |\n|---|---|", markdown_code(&row.rules))?;
            row.bids
                .iter()
                .try_for_each(|BidShare { bid, share }| writeln!(out, "| {bid} | {share:.10} |"))?;
        }
        Ok(())
    }
}

/// What is known of every semester; `tests/survey.rs` compares it with the rule files.
const SEMESTERS: &str = include_str!("../survey/semesters.md");

const BIDDING: &str = "\
How often to make each bid, so that no answer wins more than half of the games: the equilibrium of the bids, given the exact
value of every start, with shares proven in fractions (`hog bid`). A bid that is not listed is never made.";

const MEANING: &str = "\
* **first player**: the win rate of the player who moves first, if both play to win.
* **first roll**: the best numbers of dice at 0 to 0.
* **baseline**: the strategy that the course rates against.
* **best response**: the most that any strategy wins against the baseline, on average of moving first and second.
* **equilibrium**: what equilibrium play wins against the baseline, on the same average.
* **ties**: states with more than one best number of dice.
* **endless**: the share of games between equilibrium players that never end; each counts half a win.
* **states**: pairs of scores, times the memories of the game; memories that behave alike are counted once.
* **seconds**: the time to read, tabulate and solve the game.

Equilibrium play and best responses see the whole state, including what a course hides from its strategies (exchanged dice,
the number of the turn). In such games they are upper bounds on what a student can reach.";

impl Text for SurveyAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows: Vec<[String; 10]> = self.games.iter().map(SurveyRow::columns).collect();
        let width = |column: usize| {
            rows.iter()
                .map(|row| columns_of(&row[column]))
                .chain([SHOWN[column].len()])
                .max()
                .unwrap_or_default()
        };
        let widths: Vec<usize> = (0..SHOWN.len()).map(width).collect();
        let line = |columns: Vec<&str>| {
            let padded = columns.iter().zip(&widths).map(|(text, width)| padded(text, *width));
            padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        writeln!(out, "{}", paint(TITLE, line(SHOWN.to_vec())))?;
        for row in &rows {
            writeln!(out, "{}", line(row[..SHOWN.len()].iter().map(String::as_str).collect()))?;
        }
        writeln!(out, "{}", paint(FAINT, format!("{} In {:.1} s.", self.legend(), self.seconds)))
    }
}

impl Text for VariedAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", paint(TITLE, format!("{} as {} varies", self.rules, self.vary)))?;
        let width = self.vary.len().max(5);
        let heads =
            format!("{:>width$}  first player  first roll   best response  equilibrium", self.vary);
        writeln!(out, "{}", paint(FAINT, heads))?;
        let rate = |rate: Option<WinRates>| {
            rate.map_or_else(|| "-".to_owned(), |rate| format!("{:.10}", rate.average))
        };
        for row in &self.rows {
            let figures = &row.figures;
            writeln!(
                out,
                "{:>width$}  {:.10}  {:<11}  {:<13}  {}",
                row.value,
                figures.win_rate.first,
                either(&figures.first_roll),
                rate(figures.best_response),
                rate(figures.equilibrium)
            )?;
        }
        let bound = self.rows.iter().map(|row| row.figures.error_bound()).fold(0.0, f64::max);
        let note = format!(
            "best response and equilibrium are rated against the baseline; all within {}",
            rounded_up(bound)
        );
        writeln!(out, "{}", paint(FAINT, note))
    }
}

/// The width of the text of a grid, in columns.
const GRID: usize = 80;

/// A table of the first player's win rates: the first number across, the second down. What is
/// wider than 80 columns follows below.
impl Text for VariedPairAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let [across, down] = &self.vary;
        let title = format!(
            "{}: the first player's win rate as {across} (across) and {down} (down) vary",
            self.rules
        );
        writeln!(out, "{}", paint(TITLE, title))?;
        let [columns, rows] = [self.values(0), self.values(1)];
        let fairest = self.fairest();
        let digits = rows.iter().map(|value| value.to_string().len()).max().unwrap_or(0);
        let left = digits.max(down.len());
        let widest = columns.iter().map(|value| value.to_string().len()).max().unwrap_or(0);
        let cell = widest.max(6);
        let shown = ((GRID - left.min(GRID / 2)) / (cell + 2)).max(1);
        let rate = |column: u32, row: u32| {
            self.rows.iter().find(|of| of.values == [column, row]).map_or_else(String::new, |of| {
                let shown = format!("{:>cell$.4}", of.figures.win_rate.first);
                if Some(of) == fairest { paint(BEST, shown) } else { shown }
            })
        };
        for (place, columns) in columns.chunks(shown).enumerate() {
            if place > 0 {
                writeln!(out)?;
            }
            let heads = columns.iter().map(|value| format!("  {value:>cell$}")).collect::<String>();
            writeln!(out, "{}", paint(FAINT, format!("{down:>left$}{heads}")))?;
            for row in &rows {
                let cells = columns
                    .iter()
                    .map(|column| format!("  {}", rate(*column, *row)))
                    .collect::<String>();
                writeln!(out, "{row:>left$}{cells}")?;
            }
        }
        let fairest = fairest.map_or_else(String::new, |row| {
            let [first, second] = row.values;
            let rate = row.figures.win_rate.first;
            format!("fairest: {across} {first} and {down} {second}, {rate:.10}; ")
        });
        let note = format!("{fairest}all within {}", rounded_up(self.error_bound()));
        writeln!(out, "{}", paint(FAINT, note))
    }
}

/// The columns that follow the values of the numbers that vary.
const FIGURES: &str = "first_player,first_roll,best_response,equilibrium,ties,states";

/// Returns the cells of [`FIGURES`].
fn figures_csv(figures: &SurveyRow) -> String {
    let rate =
        |rate: Option<WinRates>| rate.map_or_else(String::new, |rate| rate.average.to_string());
    let rolls = figures.first_roll.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
    let (best, optimal) = (rate(figures.best_response), rate(figures.equilibrium));
    let first = figures.win_rate.first;
    format!("{first},{rolls},{best},{optimal},{},{}", figures.ties, figures.states)
}

/// Writes one pair of values per line, as [`vary_csv`] does.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn vary_pair_csv(view: &VariedPairAnswer, out: &mut dyn Write) -> io::Result<()> {
    let [one, other] = &view.vary;
    writeln!(out, "{one},{other},{FIGURES}")?;
    for VariedPairRow { values: [one, other], figures } in &view.rows {
        writeln!(out, "{one},{other},{}", figures_csv(figures))?;
    }
    Ok(())
}

/// Writes one value per line: `NAME,first_player,first_roll,best_response,equilibrium,ties,states`.
/// Tied numbers of dice are separated by spaces; `best_response` and `equilibrium` are empty in a
/// game without a baseline.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn vary_csv(view: &VariedAnswer, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{},{FIGURES}", view.vary)?;
    for VariedRow { value, figures } in &view.rows {
        writeln!(out, "{value},{}", figures_csv(figures))?;
    }
    Ok(())
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

/// The most combinations of values in one question.
const MOST_COMBINATIONS: usize = 10_000;

/// Refuses too many combinations of values.
pub(super) fn admit_combinations(combinations: usize) -> Result<(), Error> {
    if combinations <= MOST_COMBINATIONS {
        return Ok(());
    }
    let message = format!(
        "{combinations} combinations of values; at most {MOST_COMBINATIONS} are tried: use steps, as in goal=20..200:5"
    );
    Err(Error::Malformed { message })
}

impl Call<'_> {
    /// Returns a game with another value of one of its numbers.
    pub(super) fn with_number(
        &self,
        game: &GivenGame,
        number: &GameNumber,
        value: u32,
    ) -> Result<GivenGame, Error> {
        let name = match number {
            GameNumber::Goal => return Ok(game.clone().goal(value)),
            GameNumber::MaxDice => return Ok(game.clone().max_dice(value)),
            GameNumber::Named(name) => name,
        };
        let rules = self.rules(game)?;
        let text = rules.with_number(name, value.into()).ok_or_else(|| {
            let own = rules.numbers.iter().map(|number| number.name.as_str());
            let known = own.chain(["goal", "max_dice"]).collect::<Vec<_>>().join(", ");
            let message = format!("{} has no number `{name}`; {known} can vary", rules.id);
            Error::Malformed { message }
        })?;
        Ok(GivenGame { rules: None, file: Some(text), tabulated: None, ..game.clone() })
    }
}

/// Goals in equal steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GoalSteps {
    /// The lowest goal.
    pub least: u32,
    /// No goal is higher.
    pub most: u32,
    /// The step from one goal to the next, at least 1.
    pub step: u32,
}

impl GoalSteps {
    /// Returns the goals.
    pub fn values(self) -> Vec<u32> {
        (self.least..=self.most).step_by(self.step as usize).collect()
    }
}

/// The largest number of steps between goals.
const MOST_STEPS: u32 = 20;
/// A number of steps that is small enough whatever the size of the games.
const FEW_STEPS: u32 = 4;
/// The largest number of states of all goals together, if there are more steps than [`FEW_STEPS`].
const MOST_STATES: usize = 3_000_000;
/// A survey is exact where that takes at most so many seconds a game.
const SECONDS_FOR_EXACT: f64 = 30.0;

impl Call<'_> {
    /// Computes the figures of games: those of the equilibrium (exact if `exact` is set and that is
    /// practical) and of the baseline. All rules are read before the first game is solved.
    ///
    /// # Errors
    /// Returns an error if a game cannot be loaded or solved, its baseline cannot be played, or the
    /// work is stopped.
    pub fn surveys(&self, games: &[GivenGame], exact: bool) -> Result<Vec<SurveyRow>, Error> {
        games.iter().try_for_each(|game| self.engine().rules(game).map(drop))?;
        let row = |(place, game): (usize, &GivenGame)| {
            let name = game.rules.as_deref().unwrap_or_default();
            let about = format!("{} of {}, {name}", place + 1, games.len());
            self.about(about).surveyed(game, exact)
        };
        games.iter().enumerate().map(row).collect()
    }

    /// Computes the figures of a game for each of these values of one of its numbers. All rules are
    /// read before the first game is solved.
    ///
    /// # Errors
    /// Returns the first error, as [`Self::surveys`], with the value that it is about.
    pub fn vary(
        &self,
        game: impl Into<GivenGame>,
        number: GameNumber,
        values: &[u32],
        exact: bool,
    ) -> Result<VariedAnswer, Error> {
        let game = game.into();
        let failed = |value: u32| {
            let number = number.clone();
            move |error| Error::Varied { number, value, error: Box::new(error) }
        };
        let with = |value: &u32| self.with_number(&game, &number, *value);
        values.iter().try_for_each(|value| {
            with(value).and_then(|game| self.rules(&game)).map(drop).map_err(failed(*value))
        })?;
        let row = |value: &u32| {
            let call = self.about(format!("{} {value}", number.name()));
            let figures = with(value).and_then(|game| call.surveyed(&game, exact));
            Ok((*value, figures.map_err(failed(*value))?))
        };
        Ok(VariedAnswer::new(
            number.name(),
            values.iter().map(row).collect::<Result<Vec<_>, Error>>()?,
        ))
    }

    /// Computes the figures of a game for each pair of values of two of its numbers. All rules are
    /// read before the first game is solved.
    ///
    /// # Errors
    /// Returns the first error, as [`Self::surveys`], with the values that it is about; also if the
    /// numbers are the same, or have too many pairs of values.
    pub fn vary_pair(
        &self,
        game: impl Into<GivenGame>,
        numbers: [(GameNumber, &[u32]); 2],
        exact: bool,
    ) -> Result<VariedPairAnswer, Error> {
        let game = game.into();
        let [(one, ones), (other, others)] = numbers;
        if one == other {
            let message = format!("{} varies twice: leave one of its ranges out", one.name());
            return Err(Error::Malformed { message });
        }
        admit_combinations(ones.len() * others.len())?;
        let pairs = || ones.iter().flat_map(|one| others.iter().map(move |other| [*one, *other]));
        let failed = |values: [u32; 2], error: Error| {
            let error =
                Error::Varied { number: other.clone(), value: values[1], error: Box::new(error) };
            Error::Varied { number: one.clone(), value: values[0], error: Box::new(error) }
        };
        let with = |values: [u32; 2]| {
            let game = self.with_number(&game, &one, values[0])?;
            self.with_number(&game, &other, values[1])
        };
        for values in pairs() {
            with(values)
                .and_then(|game| self.rules(&game))
                .map_err(|error| failed(values, error))?;
        }
        let row = |values: [u32; 2]| {
            let about = format!("{} {}, {} {}", one.name(), values[0], other.name(), values[1]);
            let figures = with(values).and_then(|game| self.about(about).surveyed(&game, exact));
            Ok(VariedPairRow { values, figures: figures.map_err(|error| failed(values, error))? })
        };
        let rows = pairs().map(row).collect::<Result<Vec<_>, Error>>()?;
        let rules = rows.first().map_or_else(String::new, |row| row.figures.rules.clone());
        Ok(VariedPairAnswer { rules, vary: [&one, &other].map(|of| of.name().to_owned()), rows })
    }

    /// Returns goals that show how a game depends on its goal: by default from 20 to 200, or to 100
    /// in a game with memories, in at most 20 steps, and fewer in a large game.
    ///
    /// # Errors
    /// Returns an error if the game cannot be loaded.
    pub fn goals(
        &self,
        game: impl Into<GivenGame>,
        span: Option<(u32, u32)>,
        step: Option<u32>,
    ) -> Result<GoalSteps, Error> {
        let per_cell = self.game(&game.into())?.space().per_cell();
        let (least, most) = span.unwrap_or(if per_cell == 1 { (20, 200) } else { (20, 100) });
        let of_step = |step: u32| GoalSteps { least, most, step };
        let is_quick = |step: u32| {
            let states =
                of_step(step).values().into_iter().map(|goal| (goal as usize).pow(2) * per_cell);
            states.sum::<usize>() <= MOST_STATES
        };
        let fits = |step: &u32| {
            let steps = most.saturating_sub(least) / step;
            steps <= FEW_STEPS || steps <= MOST_STEPS && is_quick(*step)
        };
        let chosen =
            || [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].into_iter().find(fits).unwrap_or(most);
        Ok(of_step(step.unwrap_or_else(chosen).max(1)))
    }

    fn surveyed(&self, game: &GivenGame, exact: bool) -> Result<SurveyRow, Error> {
        let began = Instant::now();
        // Not cached: the time to tabulate is one of the figures.
        let rules = self.rules(game)?;
        of_usual_kind(&rules)?;
        let game = self.tabulate(rules)?;
        let arithmetic = if exact {
            self.practical_arithmetic(&game, SECONDS_FOR_EXACT)
        } else {
            Arithmetic::Float
        };
        self.figures_of(&game, began, arithmetic)
    }

    /// Computes the figures of a loaded game, in floats.
    ///
    /// # Errors
    /// As [`Self::surveys`].
    pub fn figures(&self, game: &Arc<Game>) -> Result<SurveyRow, Error> {
        self.figures_of(game, self.began, Arithmetic::Float)
    }

    /// Computes the figures of a game, on which the work began at `began`.
    fn figures_of(
        &self,
        game: &Arc<Game>,
        began: Instant,
        arithmetic: Arithmetic,
    ) -> Result<SurveyRow, Error> {
        let failed = |error| Error::Survey { game: game.rules().id.clone(), error };
        let figures =
            self.run("solving", |watch| figures(game, began, arithmetic, watch).map_err(failed))?;
        Ok(SurveyRow::new(game.rules(), &figures))
    }
}
