//! Proves tables from their rules, independently of the solver.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::check::{Claim, Method, Report, check};
use crate::files::has_extension;
use crate::game::{Game, Plan, Position, memory_names};
use crate::queries::GivenGame;
use crate::queries::rounded_up;
use crate::rules::{Overrides, Rules, builtin, builtins, rules_from_text};
use crate::solve::{Arithmetic, LARGEST_BOUND};
use crate::strategy::Strategy;
use crate::table::{Table, shipped};
use crate::view::{CheckView, CheckedView, ErrorDetail};

use super::call::Call;
use super::{Engine, EngineError};

impl Engine {
    /// Proves tables. Each name is the path of a table file, or a game, which stands for its
    /// shipped table.
    ///
    /// # Errors
    /// Returns an error if the work is stopped, or if there is one name and its table may not or
    /// cannot be read. With several names, the view lists the tables that cannot be read. A
    /// wrong table is not an error: the view reports its faults.
    pub fn check(&self, names: &[impl AsRef<str>]) -> Result<CheckView, EngineError> {
        let (call, mut checked, mut failed) = (self.call(), Vec::new(), Vec::new());
        for name in names {
            match self.check_one(&call, name.as_ref()) {
                Ok(view) => checked.push(view),
                Err(error) if error.is_stop() || names.len() == 1 => return Err(error),
                Err(error) => failed.push(error),
            }
        }
        let failed: Vec<_> =
            failed.iter().map(|error| (error.to_string(), error.faults())).collect();
        Ok(CheckView::new(checked, ErrorDetail::of_some("checked", names.len(), &failed)))
    }

    /// Returns the ids of the games for which a table is shipped.
    pub fn shipped_games(&self) -> Vec<&'static str> {
        let rules = |text: &str, id: &str| rules_from_text(text, id, Overrides::default()).ok();
        let has_table =
            |id: &str, text: &str| rules(text, id).is_some_and(|rules| shipped(&rules).is_some());
        builtins().iter().filter(|game| has_table(game.id, game.text)).map(|game| game.id).collect()
    }

    fn check_one(&self, call: &Call, name: &str) -> Result<CheckedView, EngineError> {
        let path = Path::new(name);
        let is_other_file =
            || builtin(name).is_none() && !has_extension(name, "toml") && path.is_file();
        let is_file = has_extension(name, "hog")
            || (self.sources().opens_strategy_files() && is_other_file());
        let (game, table) = if is_file {
            call.read_table(path)?
        } else {
            let game = call.game(&GivenGame::named(name))?;
            let table = shipped(game.rules())
                .ok_or_else(|| EngineError::NoTable { name: name.to_owned() })?;
            (game, table)
        };
        check_table(call, name, (&table, &game))
    }

    /// Proves one table of a game; the view and errors call it `name`.
    ///
    /// # Errors
    /// Returns an error if the table cannot be checked or the work is stopped. A wrong table is not
    /// an error: the view reports its faults.
    pub fn check_table(
        &self,
        name: &str,
        table: &Table,
        game: &Arc<Game>,
    ) -> Result<CheckedView, EngineError> {
        check_table(&self.call(), name, (table, game))
    }
}

fn check_table(
    call: &Call,
    name: &str,
    (table, game): (&Table, &Arc<Game>),
) -> Result<CheckedView, EngineError> {
    let began = Instant::now();
    let answered = table.answered();
    if table.against().is_some() && answered.is_none() {
        return Err(EngineError::RollsMissing { name: name.to_owned() });
    }
    let claim = Claim {
        rules: game.rules(),
        states: game.states(),
        best: table.best(),
        win_rates: table.stored_win_rates(),
        exact: table.arithmetic() == Arithmetic::Exact,
        error_bound: table.error_bound(),
        against: answered.as_ref(),
        rates: table.rates(),
    };
    let failed = |error| EngineError::Check { table: name.to_owned(), error };
    let report = call
        .run("checking", |watch| check(&claim, &|done, of| watch.step(done, of)).map_err(failed))?;
    let mut faults = faults(game, &report);
    faults.extend(wrong_figures(table, &report));
    faults.extend(wrong_opponent(call, game, table)?);
    let differences = published(game.rules()).map(|known| game.rules().differences(&known));
    Ok(CheckedView {
        table: name.to_owned(),
        rules: game.rules().id.clone(),
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

/// Compares the opponent's rolls in a table with those of the strategy that it names, if that is a
/// built-in one. Returns the fault if they differ.
fn wrong_opponent(
    call: &Call,
    game: &Arc<Game>,
    table: &Table,
) -> Result<Option<String>, EngineError> {
    let named: Option<Strategy> = table.against().and_then(|name| name.parse().ok());
    let Some(strategy) = named.filter(Strategy::is_builtin) else { return Ok(None) };
    // Plans are compared by action: one may be stored per state and the other per pair of scores.
    let states = game.space().states();
    let plays = |held: &Plan, named: &Plan| {
        (0..states).all(|state| held.action(state) == named.action(state))
    };
    let fault = match call.run("checking", |watch| strategy.plan(game, watch)) {
        Ok(plan) if table.answered().is_some_and(|held| plays(&held, &plan)) => None,
        Ok(_) => Some(format!("the rolls it answers are not those of {strategy}")),
        Err(error) if error.is_stop() => return Err(error),
        Err(error) => Some(format!("the strategy it answers cannot be used: {error}")),
    };
    Ok(fault)
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
    let (bound, exact) = (table.error_bound(), table.arithmetic() == Arithmetic::Exact);
    let mut faults = Vec::new();
    if table.ties() != ties {
        faults.push(format!("its header says {} ties, but it has {ties}", table.ties()));
    }
    if let Some(loops) = report.loops.filter(|loops| *loops as u64 != table.loops()) {
        faults.push(format!("its header says {} loops, but its game has {loops}", table.loops()));
    }
    if exact && bound != OF_ROUNDING {
        faults.push(format!(
            "its header gives exact win rates an error bound of {bound:e}; that of rounding is {OF_ROUNDING:e}"
        ));
    }
    let is_of_floats = bound > OF_ROUNDING && bound <= LARGEST_BOUND;
    if !(exact || is_of_floats) {
        faults.push(format!(
            "its error bound is {bound:e}, which is not possible for win rates in floats"
        ));
    }
    faults
}

fn faults(game: &Game, report: &Report) -> Vec<String> {
    let place = |position: &Position| {
        let names = memory_names(game.rules());
        let memory: String = names
            .iter()
            .zip(&position.memory)
            .map(|(name, value)| format!(", {name} {value}"))
            .collect();
        format!("at {}-{}{memory}", position.score, position.opponent)
    };
    let first = [&report.first_wrong_value, &report.first_wrong_roll];
    let mut faults: Vec<String> = first
        .into_iter()
        .flatten()
        .map(|(position, fault)| format!("{}: {fault}", place(position)))
        .collect();
    if report.wrong_rates > 0 {
        let [first, second, average] = report.rates;
        faults.push(format!("the win rates in its header should be {first}, {second}, {average}"));
    }
    faults
}

fn proven(table: &Table, report: &Report) -> String {
    if table.arithmetic() == Arithmetic::Exact && report.method == Method::Doubles {
        let bound = report.own_bound + OF_ROUNDING;
        let values = match table.stored_win_rates().is_empty() {
            true => "no win rates stored".to_owned(),
            false => format!("every win rate within {}", rounded_up(bound)),
        };
        let reason = match report.loops {
            Some(_) => "its loops are too large to recompute exact values",
            None => "where turns lower the sum of the scores, exact values are not recomputed",
        };
        return format!(
            "every best roll within {} of the best, {values}; {reason}",
            rounded_up(2.0 * bound)
        );
    }
    let values = match (table.stored_win_rates().is_empty(), table.arithmetic()) {
        (true, _) => "no win rates stored".to_owned(),
        (false, Arithmetic::Exact) => {
            "every win rate the double nearest to the exact value".to_owned()
        }
        (false, Arithmetic::Float) => {
            format!("every win rate within {}", rounded_up(table.error_bound()))
        }
    };
    let rolls = match table.arithmetic() {
        Arithmetic::Exact => "every best roll and every tie exact",
        Arithmetic::Float => "every best roll within the bound of the best",
    };
    format!("{rolls}, {values}")
}
