//! `hog solve --to`: writes a solved game, or a table, in another format.

use std::io::{Error, ErrorKind};
use std::path::Path;

use crate::engine::of_usual_kind;
use crate::export::{Drn, EXPORTERS, ExportFormat, Exporter, Mover, SolvedTable};
use crate::files::has_extension;
use crate::game::{Game, Order};
use crate::partial::HiddenSearch;
use crate::queries::ExportAnswer;
use crate::queries::GameTable;
use crate::strategy::Strategy;
use anyhow::bail;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};

use super::console::{Console, Status};
use super::output::{
    alternatives, ending, is_standard_output, refuse_binary_in_terminal, refuse_inputs,
};
use super::shared::Format;

/// How a solved game is written in another format.
#[derive(Args, Debug)]
pub(super) struct ExportArguments {
    /// Write it in this format: to standard output, or to the file of -o (default: by its ending).
    /// A .hog table may take the place of RULES
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(possible_values()),
        conflicts_with_all = ["sees", "arithmetic", "fraction", "packed"])]
    pub to: Option<String>,
    /// Which player uses the table in a DRN model, while the other chooses freely (default:
    /// second)
    #[arg(long, value_enum, value_name = "PLAYER", requires = "to")]
    fix: Option<Fix>,
}

/// A table that is written in another format: of a game as `hog` solves it, or of a file.
pub(super) struct Export<'a> {
    /// A built-in game, a rule file, or a .hog table.
    pub what: &'a str,
    pub against: Option<Strategy>,
    pub arguments: &'a ExportArguments,
    pub output: Option<&'a Path>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Fix {
    /// The player who moves first
    First,
    /// The player who moves second
    Second,
}

fn names() -> Vec<&'static str> {
    EXPORTERS.iter().map(|exporter| exporter.format().name).collect()
}

fn possible_values() -> impl Iterator<Item = PossibleValue> {
    EXPORTERS
        .iter()
        .map(|exporter| PossibleValue::new(exporter.format().name).help(exporter.format().meaning))
}

/// The endings of all formats.
pub(super) fn endings() -> Vec<&'static str> {
    EXPORTERS.iter().map(|exporter| exporter.format().ending).collect()
}

/// Returns the exporter for the ending of a file, if there is one.
pub(super) fn exporter_for(ending: &str) -> Option<&'static dyn Exporter> {
    EXPORTERS.iter().copied().find(|exporter| exporter.format().ending == ending)
}

impl Export<'_> {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let exporter = self.exporter(console)?;
        let ExportFormat { name, is_text, .. } = exporter.format();
        if self.arguments.fix.is_some() && name != "drn" {
            bail!("--fix chooses a player of a DRN model: use it with --to drn");
        }
        let output = self.output.map(Path::to_owned);
        let to_stdout = self.output.is_none_or(is_standard_output);
        if to_stdout && console.format == Format::Json && name != "json" {
            bail!(
                "standard output gets one JSON document with --format json, and {name} is not \
                 JSON: leave out --format json, use --to json, or name a file with -o"
            );
        }
        if to_stdout && !is_text {
            refuse_binary_in_terminal(&format!("the format {name}"))?;
        }
        refuse_inputs(&output, [Path::new(self.what)], &self.against)?;
        console.can_write(&output)?;
        let given = console.given(self.what);
        let call = console.engine.call();
        let solved = match &self.against {
            Some(strategy) => call.response_table(&given, strategy)?,
            None => call.table(&given)?,
        };
        let game = &solved.game;
        self.write(exporter, &solved, console).map_err(|error| {
            // A table is exported by the name of its file, and solved by that of its game.
            let rules = if has_extension(self.what, "hog") { &game.rules().id } else { self.what };
            naming_search(error, game, rules, solved.table.against(), self.output, console)
        })?;
        match self.output {
            Some(path) if !to_stdout => {
                console.show(&ExportAnswer::new(game, &solved.table, name, path))
            }
            _ => Ok(Status::Done),
        }
    }

    fn write(
        &self,
        exporter: &dyn Exporter,
        solved: &GameTable,
        console: &Console,
    ) -> anyhow::Result<()> {
        let ExportFormat { name, is_text, .. } = exporter.format();
        if name == "drn" {
            of_usual_kind(solved.game.rules())?;
        }
        let against = self
            .against
            .as_ref()
            .map_or_else(String::new, |strategy| format!(" --against {strategy}"));
        let fix =
            if name == "drn" { format!(" --fix {}", self.fixed().name()) } else { String::new() };
        let command = format!(
            "hog solve {}{against} --to {name}{fix}{}",
            self.what,
            console.changes.as_options()
        );
        let solved = SolvedTable {
            game: &solved.game,
            win_rates: &solved.win_rates,
            best: solved.table.best(),
            win_rate: solved.win_rate,
            against: solved.table.against(),
            command: &command,
        };
        match self.output {
            Some(path) if !is_standard_output(path) => {
                console.write(path, &exporter.file(&solved)?)
            }
            _ if !is_text => console.print_bytes(&exporter.file(&solved)?),
            _ => console.print(|out| exporter.export(&solved, out)),
        }
    }

    /// Returns the exporter for `--to` or the file's ending, which must agree. Standard output and
    /// devices get text.
    fn exporter(&self, console: &Console) -> anyhow::Result<&'static dyn Exporter> {
        let ending = self.output.map(|path| ending(path, &endings())).transpose()?.flatten();
        let by_ending = ending.and_then(exporter_for);
        let name = match (
            self.arguments.to.as_deref(),
            by_ending.map(|exporter| exporter.format().name),
        ) {
            (Some(named), Some(name)) if named != name => {
                bail!(
                    "--to and the ending of -o name different formats: leave --to out, or change \
                     the ending"
                )
            }
            (Some(name), _) | (None, Some(name)) => name,
            (None, None) if self.output.is_none() => {
                bail!("name the format: --to {}, or -o FILE with an ending", alternatives(&names()))
            }
            (None, None) if console.format == Format::Json => "json",
            (None, None) => "csv",
        };
        if name == "drn" && self.fixed() == Mover::First {
            return Ok(&Drn { fixed: Mover::First });
        }
        Ok(EXPORTERS
            .iter()
            .copied()
            .find(|exporter| exporter.format().name == name)
            .expect("a possible value of --to"))
    }

    fn fixed(&self) -> Mover {
        if self.arguments.fix == Some(Fix::First) { Mover::First } else { Mover::Second }
    }
}

/// Returns whether an export failed because its format cannot hold the game, and not because the
/// file could not be written.
fn is_unsupported(error: &anyhow::Error) -> bool {
    // Errors of the system have a code.
    error.downcast_ref::<Error>().is_some_and(|error| {
        error.kind() == ErrorKind::Unsupported && error.raw_os_error().is_none()
    })
}

/// Shortens the error for a format that cannot hold a game to its reason, and adds the command that
/// searches for a table of scores if a memory is the reason. `rules` and `against` are those of the
/// table.
pub(super) fn naming_search(
    error: anyhow::Error,
    game: &Game,
    rules: &str,
    against: Option<&str>,
    output: Option<&Path>,
    console: &Console,
) -> anyhow::Error {
    if !is_unsupported(&error) {
        return error;
    }
    let reason = error.root_cause().to_string();
    // Where a turn goes on, its sum is what matters, and a table of scores is no strategy.
    let has_search = game.space().per_cell() > 1
        && game.order() == Order::Acyclic
        && HiddenSearch::applies(game);
    if !has_search {
        return Error::new(ErrorKind::Unsupported, reason).into();
    }
    let against = against.unwrap_or("STRATEGY");
    let output =
        output.filter(|path| !is_standard_output(path)).unwrap_or(Path::new("final.py")).display();
    let options = console.changes.as_options();
    let search =
        format!("hog solve {rules}{options} --sees scores --against {against} -o {output}");
    let message = format!("{reason}, or search for a table that sees only scores: `{search}`");
    Error::new(ErrorKind::Unsupported, message).into()
}
