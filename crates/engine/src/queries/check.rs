//! Whether tables are correct, proven from their rules independently of the solver.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GivenGame, GivenStrategy, Query, rounded_up};
use crate::check::{Claim, Method, Report, check};
use crate::engine::{Call, Error};
use crate::files::has_extension;
use crate::format::style::{BEST, FAINT, LOSS, counted, paint, thousands};
use crate::format::{Text, Verdict};
use crate::game::{Game, Plan, memory_names};
use crate::queries::ErrorDetail;
use crate::rules::{Overrides, Rules, builtin, rules_from_text};
use crate::solve::Arithmetic;
use crate::strategy::Strategy;
use crate::table::{self, Table, shipped, shipped_games};

/// Prove tables from their rules: every win rate, roll and tie
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, clap::Args)]
#[command(
    after_help = "A second solver, which shares no code with the first, reads the rules inside \
each table and recomputes it. Exact tables must agree to the last bit, others within their error \
bound.

Examples:
  hog check tables/fa21.hog
  hog check fa21                              the table that comes with hog
  hog check mine.hog --format json            exit status 1 if anything is wrong"
)]
#[non_exhaustive]
pub struct Check {
    /// Tables to check: files, or games whose tables come with hog
    #[serde(default)]
    #[schemars(with = "Vec<GivenStrategy>")]
    #[arg(required_unless_present = "all", value_name = "TABLE|RULES")]
    pub tables: Vec<String>,
    /// Check all tables that come with hog
    #[serde(default)]
    #[arg(long, conflicts_with = "tables")]
    pub all: bool,
}

/// The verdict on some tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct CheckAnswer {
    /// True if every table is correct.
    pub ok: bool,
    /// The verdict on each table that could be read, in the order of the request.
    pub tables: Vec<TableCheck>,
    /// The errors of the tables that could not be read; omitted if all could.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorDetail>,
}

impl CheckAnswer {
    /// Combines the verdicts on tables and the errors of those that could not be read.
    pub fn new(tables: Vec<TableCheck>, error: Option<ErrorDetail>) -> Self {
        Self { ok: error.is_none() && tables.iter().all(|table| table.ok), tables, error }
    }
}

/// The verdict on one table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TableCheck {
    /// The table's file, or the game whose shipped table it is.
    pub table: String,
    /// The id of its rules.
    pub rules: String,
    /// True if its rules are the built-in ones with this id.
    pub published: bool,
    /// The differences between its rules and the built-in ones with this id, in words; empty if no
    /// built-in game has it.
    pub differences: Vec<String>,
    /// The name of the strategy that the table is a best response to; null for an equilibrium.
    /// That strategy's rolls are stored in the table: no file is opened for them.
    pub against: Option<String>,
    /// True if all claims of the table hold.
    pub ok: bool,
    /// The number of states compared.
    pub states: usize,
    /// The largest difference between a win rate in the table and the recomputed one.
    pub worst_difference: f64,
    /// The number of wrong win rates.
    pub wrong_values: usize,
    /// The number of wrong sets of best rolls.
    pub wrong_rolls: usize,
    /// The faults found, with their positions.
    pub faults: Vec<String>,
    /// What was proven; if `ok` is false, what should hold.
    pub proven: String,
    /// The time taken, in seconds.
    pub seconds: f64,
}

impl Check {
    /// The question about tables. Each name is the path of a table file, or a game, which stands
    /// for the table that comes with hog.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::Check;
    ///
    /// let engine = Engine::builder().build();
    /// let answer = engine.ask(&Check::tables(["fa16"]))?;
    /// assert!(answer.ok);
    /// assert_eq!((answer.tables[0].wrong_values, answer.tables[0].wrong_rolls), (0, 0));
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn tables(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { tables: names.into_iter().map(Into::into).collect(), all: false }
    }

    /// The question about all tables that come with hog.
    pub fn all() -> Self {
        Self { tables: Vec::new(), all: true }
    }
}

/// A table that cannot be read is an error if it is the only one; of several, the answer lists
/// those. A wrong table is not an error: the answer has its faults.
impl Query for Check {
    const NAME: &str = "check";
    const IS_LONG: bool = true;
    type Answer = CheckAnswer;

    fn answer(&self, call: &Call) -> Result<CheckAnswer, Error> {
        let names: Vec<&str> = match (self.all, &self.tables[..]) {
            (true, _) => shipped_games(),
            (false, []) => {
                return Err(Error::malformed_by(
                    "tables",
                    "no table is named: name one, or ask for all",
                ));
            }
            (false, tables) => tables.iter().map(String::as_str).collect(),
        };
        let mut checked = Vec::new();
        let mut failed = Vec::new();
        for name in &names {
            match call.check_named(name) {
                Ok(verdict) => checked.push(verdict),
                Err(error) if error.is_stop() || names.len() == 1 => return Err(error),
                Err(error) => failed.push(error),
            }
        }
        Ok(CheckAnswer::new(checked, ErrorDetail::of_some("checked", names.len(), &failed)))
    }
}

impl Call<'_> {
    /// Proves the table in a file, or the one that comes with hog for a game.
    fn check_named(&self, name: &str) -> Result<TableCheck, Error> {
        let sent = self.sent_files().and_then(|sent| sent.path(name));
        let (game, table) = match sent {
            Some(path) => {
                let bytes = table::read_bytes(path, self.engine.limits().table_file)?;
                self.table_from(&bytes, Path::new(name))?
            }
            None if self.names_table(name) => self.read_table(Path::new(name))?,
            None => {
                let game = self.game(&GivenGame::named(name))?;
                let table = shipped(game.rules())
                    .ok_or_else(|| Error::NoTable { name: name.to_owned() })?;
                (game, table)
            }
        };
        self.check_table(name, &table, &game)
    }

    /// Whether a name is that of a table's file, and not that of a game.
    fn names_table(&self, name: &str) -> bool {
        if has_extension(name, "hog") {
            return true;
        }
        let may_be_file = builtin(name).is_none() && !has_extension(name, "toml");
        may_be_file && self.engine.sources().opens_strategy_files() && Path::new(name).is_file()
    }

    /// Proves one table of a game; the verdict and errors call it `name`.
    ///
    /// # Errors
    /// Returns an error if the table cannot be checked or the work is stopped. A wrong table is not
    /// an error: the verdict has its faults.
    pub fn check_table(
        &self,
        name: &str,
        table: &Table,
        game: &Arc<Game>,
    ) -> Result<TableCheck, Error> {
        let began = Instant::now();
        let named = self.named_opponent(game, table)?;
        let worth = named.as_ref().and_then(|plan| plan.as_ref().ok()?.worth());
        let mut answered = table.answered();
        if let Some(worth) = worth {
            // The table does not hold which dice the strategy keeps.
            answered = answered.map(|held| held.keeping(worth));
        }
        if table.against().is_some() && answered.is_none() {
            return Err(Error::RollsMissing { name: name.to_owned() });
        }
        let claim = claim(game, table, answered.as_ref());
        let report = self.run("checking", |watch| {
            check(&claim, &|done, of| watch.step(done, of))
                .map_err(|error| Error::Check { table: name.to_owned(), error })
        })?;
        let opponent = named.iter();
        let opponent =
            opponent.flat_map(|named| wrong_opponent(game, table, answered.as_ref(), named));
        let faults = faults(game, &report).into_iter().chain(wrong_figures(table, &report));
        let faults: Vec<String> = faults.chain(opponent).collect();
        let rules = game.rules();
        let differences = published(rules).map(|known| rules.differences(&known));
        Ok(TableCheck {
            table: name.to_owned(),
            rules: rules.id.clone(),
            published: differences.as_ref().is_some_and(Vec::is_empty),
            differences: differences.unwrap_or_default(),
            against: table.against().map(str::to_owned),
            ok: report.ok() && faults.is_empty(),
            states: report.states,
            worst_difference: report.worst_difference,
            wrong_values: report.wrong_values,
            wrong_rolls: report.wrong_rolls,
            faults,
            proven: proven(table, &report),
            seconds: began.elapsed().as_secs_f64(),
        })
    }

    /// The plan of the strategy that a best response names, if that is a built-in one; or why that
    /// cannot be used.
    fn named_opponent(
        &self,
        game: &Arc<Game>,
        table: &Table,
    ) -> Result<Option<Result<Plan, String>>, Error> {
        let named: Option<Strategy> = table.against().and_then(|name| name.parse().ok());
        let Some(strategy) = named.filter(Strategy::is_builtin) else { return Ok(None) };
        match self.run("checking", |watch| strategy.plan(game, watch)) {
            Ok(plan) => Ok(Some(Ok(plan))),
            Err(error) if error.is_stop() => Err(error),
            Err(error) => Ok(Some(Err(error.to_string()))),
        }
    }
}

/// Compares the opponent's rolls in a table with those of the strategy that it names. Returns the
/// fault if they differ, or that strategy cannot be used.
fn wrong_opponent(
    game: &Game,
    table: &Table,
    answered: Option<&Plan>,
    named: &Result<Plan, String>,
) -> Option<String> {
    let strategy = table.against().unwrap_or_default();
    match named {
        Ok(plan) => {
            // Plans are compared by action: one may be stored per state and the other per pair of
            // scores.
            let mut states = 0..game.space().states();
            let are_equal = answered
                .is_some_and(|held| states.all(|state| held.action(state) == plan.action(state)));
            (!are_equal).then(|| format!("the rolls it answers are not those of {strategy}"))
        }
        Err(error) => Some(format!("the strategy it answers cannot be used: {error}")),
    }
}

/// Returns what a table claims; `against` are the rolls that it answers.
fn claim<'a>(game: &'a Game, table: &'a Table, against: Option<&'a Plan>) -> Claim<'a> {
    Claim {
        rules: game.rules(),
        states: game.states(),
        best: table.best(),
        win_rates: table.stored_win_rates(),
        exact: table.arithmetic() == Arithmetic::Exact,
        error_bound: table.error_bound(),
        bounds: table.bounds(),
        against,
        rates: table.rates(),
    }
}

/// Returns the built-in rules with the id of `rules`, if there are any.
fn published(rules: &Rules) -> Option<Rules> {
    let known = builtin(&rules.id)
        .and_then(|game| rules_from_text(game.text, game.id, Overrides::default()).ok());
    known.filter(|known| known.id == rules.id)
}

/// The error bound that exact tables state: half a unit in the last place of a double just below 1.
const OF_ROUNDING: f64 = f64::EPSILON / 4.0;

/// Returns the faults of the figures in a table's header: ties, loops and error bound.
fn wrong_figures(table: &Table, report: &Report) -> Vec<String> {
    let ties = table.best().iter().filter(|set| set.count_ones() > 1).count() as u64;
    let bound = table.error_bound();
    let exact = table.arithmetic() == Arithmetic::Exact;
    let mut faults = Vec::new();
    if table.ties() != ties {
        faults.push(format!("its header says {} ties, but it has {ties}", table.ties()));
    }
    if report.loops as u64 != table.loops() {
        let of_game = report.loops;
        faults.push(format!("its header says {} loops, but its game has {of_game}", table.loops()));
    }
    if exact && bound != OF_ROUNDING {
        faults.push(format!(
            "its header gives exact win rates an error bound of {bound:e}; that of rounding is \
             {OF_ROUNDING:e}"
        ));
    }
    let is_of_floats = bound > OF_ROUNDING && bound <= hog_solve::limits::ERROR_BOUND;
    if !(exact || is_of_floats) {
        faults.push(format!(
            "its error bound is {bound:e}, which is not possible for win rates in floats"
        ));
    }
    faults
}

fn faults(game: &Game, report: &Report) -> Vec<String> {
    let mut faults = Vec::new();
    let first = [&report.first_wrong_value, &report.first_wrong_roll];
    for (position, fault) in first.into_iter().flatten() {
        let mut place = format!("at {}-{}", position.score, position.opponent);
        for (name, value) in memory_names(game.rules()).iter().zip(&position.memory) {
            place += &format!(", {name} {value}");
        }
        faults.push(format!("{place}: {fault}"));
    }
    if report.wrong_rates > 0 {
        let [first, second, average] = report.rates;
        faults.push(format!("the win rates in its header should be {first}, {second}, {average}"));
    }
    faults
}

fn proven(table: &Table, report: &Report) -> String {
    let exact = table.arithmetic() == Arithmetic::Exact;
    let recomputed = exact && report.method != Method::Bounds;
    let values = match (table.stored_win_rates().is_empty(), recomputed) {
        (true, _) => "no win rates stored".to_owned(),
        (false, true) => "every win rate the double nearest to the exact value".to_owned(),
        (false, false) if report.bound == 0.0 => "every win rate exact".to_owned(),
        (false, false) => format!("every win rate within {}", rounded_up(report.bound)),
    };
    let rolls = match recomputed {
        true => "every best roll and every tie exact".to_owned(),
        false if report.shortfall == 0.0 => "every roll listed a best one".to_owned(),
        false => format!("every best roll within {} of the best", rounded_up(report.shortfall)),
    };
    let reason = match exact && !recomputed {
        true => "; its loops are too large to recompute exact values",
        false => "",
    };
    format!("{rolls}, {values}{reason}")
}

impl Text for CheckAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        self.tables.iter().try_for_each(|table| table.text(out))
    }

    fn verdict(&self) -> Verdict<'_> {
        match &self.error {
            Some(error) => Verdict::Partly(&error.message),
            None if self.ok => Verdict::Yes,
            None => Verdict::No,
        }
    }
}

impl Text for TableCheck {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let states = thousands(self.states as u64);
        let (verdict, claims) = if self.ok {
            (paint(BEST, "proven"), ":")
        } else {
            (paint(LOSS, "WRONG"), "; should hold:")
        };
        writeln!(
            out,
            "{verdict}  {}  {}, {states} states{claims} {}",
            self.table, self.rules, self.proven
        )?;
        if !self.ok {
            let values = counted(self.wrong_values as u64, "wrong win rate");
            let worst = match self.wrong_values {
                0 => String::new(),
                _ => format!(" (the worst is off by {:e})", self.worst_difference),
            };
            writeln!(out, "  {values}{worst}, {}", counted(self.wrong_rolls as u64, "wrong roll"))?;
        }
        if let Some(against) = &self.against {
            let named: Option<Strategy> = against.parse().ok();
            match named.filter(Strategy::is_builtin) {
                Some(strategy) => {
                    writeln!(
                        out,
                        "  the best response to {strategy}, whose rolls are in the table"
                    )?;
                }
                // Of those the rolls are not known here.
                None => writeln!(
                    out,
                    "  the best response to the rolls in the table, said to be those of {against}"
                )?,
            }
        }
        if !self.differences.is_empty() {
            let id = &self.rules;
            writeln!(
                out,
                "  {} of {id}: {}",
                paint(LOSS, "NOT the published rules"),
                self.differences.join("; ")
            )?;
        } else if !self.published {
            writeln!(
                out,
                "  no game that comes with hog is called {}: the rules are those in the table",
                self.rules
            )?;
        }
        for fault in &self.faults {
            writeln!(out, "  {fault}")?;
        }
        writeln!(out, "{}", paint(FAINT, format!("  checked in {:.2} s", self.seconds)))
    }
}
