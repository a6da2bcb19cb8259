//! Tables proven afresh from their rules.

use std::path::Path;
use std::time::Instant;

use crate::check::{Claim, Report, check};
use crate::game::{Game, Position, memory_names};
use crate::rules::{Overrides, Rules, builtin, builtins, rules_from_text};
use crate::solve::Arithmetic;
use crate::strategy::Strategy;
use crate::table::{Table, shipped};
use crate::view::{CheckView, CheckedView};

use super::solving::is_table;
use super::{Engine, EngineError, GameQuery};

impl Engine {
    /// Proves tables: each name is the file of one, or a game whose shipped table is meant.
    ///
    /// # Errors
    /// If one may not or cannot be read, there is none, or the work is stopped. A table that is wrong is no error.
    pub fn check(&self, names: &[impl AsRef<str>]) -> Result<CheckView, EngineError> {
        let checked = names.iter().map(|name| self.check_one(name.as_ref()));
        Ok(CheckView::new(checked.collect::<Result<_, _>>()?))
    }

    /// The games for which tables are shipped.
    pub fn shipped_games(&self) -> Vec<&'static str> {
        let rules = |text: &str, id: &str| rules_from_text(text, id, Overrides::default()).ok();
        let has_table = |id: &str, text: &str| rules(text, id).is_some_and(|rules| shipped(&rules).is_some());
        builtins().iter().filter(|game| has_table(game.id, game.text)).map(|game| game.id).collect()
    }

    fn check_one(&self, name: &str) -> Result<CheckedView, EngineError> {
        let path = Path::new(name);
        let is_file = is_table(name) || (self.sources().opens_tables() && builtin(name).is_none() && path.is_file());
        let (game, table) = if is_file {
            self.read_table(path)?
        } else {
            let game = self.game(GameQuery::new(name))?;
            let table = shipped(game.rules()).ok_or_else(|| EngineError::NoTable { game: game.rules().id.clone() })?;
            (game, table)
        };
        self.check_table(name, &table, &game)
    }

    fn check_table(&self, name: &str, table: &Table, game: &std::sync::Arc<Game>) -> Result<CheckedView, EngineError> {
        let (began, job) = (Instant::now(), self.job());
        let against: Option<Strategy> = table.against().map(str::parse).transpose()?;
        let against = against.map(|strategy| self.plan_in(&job, game, &strategy)).transpose()?;
        let claim = Claim {
            game,
            best: table.best(),
            win_rates: table.stored_win_rates(),
            exact: table.arithmetic() == Arithmetic::Exact,
            error_bound: table.error_bound(),
            against: against.as_deref(),
            rates: table.rates(),
        };
        let failed = |error| EngineError::Check { table: name.to_owned(), error };
        let report = job.run("checking", |watch| check(&claim, &|done, of| watch.step(done, of)).map_err(failed))?;
        Ok(CheckedView {
            table: name.to_owned(),
            rules: game.rules().id.clone(),
            published: is_published(game.rules()),
            ok: report.ok(),
            states: report.states,
            worst_difference: report.worst_difference,
            wrong_values: report.wrong_values,
            wrong_rolls: report.wrong_rolls,
            faults: faults(game, &report),
            proven: proven(table),
            seconds: began.elapsed().as_secs_f64(),
        })
    }
}

/// Whether rules play as those that are built in under their id.
fn is_published(rules: &Rules) -> bool {
    let known = builtin(&rules.id).and_then(|game| rules_from_text(game.text, game.id, Overrides::default()).ok());
    known.is_some_and(|known| known.id == rules.id && known.fingerprint() == rules.fingerprint())
}

fn faults(game: &Game, report: &Report) -> Vec<String> {
    let place = |position: &Position| {
        let names = memory_names(game.rules());
        let memory: String =
            names.iter().zip(&position.memory).map(|(name, value)| format!(", {name} {value}")).collect();
        format!("at {}-{}{memory}", position.score, position.opponent)
    };
    let first = [&report.first_wrong_value, &report.first_wrong_roll];
    let mut faults: Vec<String> =
        first.into_iter().flatten().map(|(position, fault)| format!("{}: {fault}", place(position))).collect();
    if report.wrong_rates > 0 {
        let [first, second, average] = report.rates;
        faults.push(format!("the win rates at its head should be {first}, {second}, {average}"));
    }
    faults
}

fn proven(table: &Table) -> String {
    let values = match (table.stored_win_rates().is_empty(), table.arithmetic()) {
        (true, _) => "no win rates stored",
        (false, Arithmetic::Exact) => "every win rate the double nearest to the exact value",
        (false, Arithmetic::Float) => "every win rate within its bound",
    };
    let rolls = match table.arithmetic() {
        Arithmetic::Exact => "every best roll and every tie exact",
        Arithmetic::Float => "every best roll within the bound of the best",
    };
    format!("{rolls}, {values}")
}
