//! `hog check`: proves tables afresh from their rules.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use hog::check::{self, Claim, Report};
use hog::game::{Game, Plan, Position, memory_names};
use hog::report::CheckView;
use hog::solve::Arithmetic;
use hog::strategy::Strategy;
use hog::table::{self, Table, TableError};

use super::Format;
use super::context::{Context, Outcome};
use super::progress::with_progress;

/// Prove tables afresh from their rules: every win rate, every best roll, every tie
#[derive(Args, Debug)]
#[command(after_help = "A second program, which shares no code with the solver, reads the rules inside each table and
recomputes it. Exact tables must agree to the last bit, others within their bound.

Examples:
  hog check tables/fa21.hog
  hog check mine.hog --format json            exit status 1 if anything is wrong")]
pub(super) struct Check {
    /// Tables to check
    #[arg(required = true, value_name = "TABLE")]
    tables: Vec<PathBuf>,
}

impl Check {
    pub fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let mut views = Vec::with_capacity(self.tables.len());
        for path in &self.tables {
            views.push(check_table(path)?);
        }
        let ok = views.iter().all(|view| view.ok);
        match (context.format, &views[..]) {
            (Format::Json, [_, _, ..]) => context.print(|out| hog::report::json(&views, out))?,
            _ => views.iter().try_for_each(|view| context.show(view).map(|_| ()))?,
        }
        Ok(if ok { Outcome::Done } else { Outcome::Failed })
    }
}

fn check_table(path: &Path) -> anyhow::Result<CheckView> {
    let began = Instant::now();
    let table = table::read(path)?;
    let game = table.game().map_err(|fault| TableError::Faulty { path: path.to_owned(), fault })?;
    let against = opponent(&table, &game)?;
    let claim = Claim {
        game: &game,
        best: table.best(),
        win_rates: table.stored_win_rates(),
        exact: table.arithmetic() == Arithmetic::Exact,
        error_bound: table.error_bound(),
        against: against.as_ref(),
        rates: table.rates(),
    };
    let report = with_progress("checking", |watch| check::check(&claim, &|done, of| watch.step(done, of)))
        .with_context(|| format!("cannot check {}", path.display()))?;
    Ok(CheckView {
        table: path.display().to_string(),
        rules: game.rules().id.clone(),
        ok: report.ok(),
        states: report.states,
        worst_difference: report.worst_difference,
        wrong_values: report.wrong_values,
        wrong_rolls: report.wrong_rolls,
        faults: faults(&game, &report),
        proven: proven(&table),
        seconds: began.elapsed().as_secs_f64(),
    })
}

/// What the other side of a best response plays.
fn opponent(table: &Table, game: &Game) -> anyhow::Result<Option<Plan>> {
    let Some(text) = table.against() else { return Ok(None) };
    let strategy: Strategy = text.parse()?;
    let plan = with_progress("solving", |watch| strategy.plan(game, watch))?;
    Ok(Some(plan))
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
