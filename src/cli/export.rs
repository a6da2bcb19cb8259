//! `hog export`: writes a solved game in another format.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use crate::engine::GameTable;
use crate::files::has_extension;
use crate::format::export::{Drn, EXPORTERS, ExportFormat, Exporter, Mover, SolvedTable};
use crate::game::Game;
use crate::partial::HiddenSearch;
use crate::queries::ExportAnswer;
use crate::strategy::Strategy;
use anyhow::bail;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};

use super::Format;
use super::console::{Console, Status};
use super::output::{
    alternatives, ending, is_standard_output, listed_endings, refuse_binary_in_terminal,
    refuse_inputs,
};

#[derive(Args, Debug)]
#[command(about = format!("A solved game in another format: {}", names().join(", ")), after_help = "Examples:
  hog export fa21 --to python -o final.py     a final_strategy(score, opponent_score) to hand in
  hog export fa21 --to csv                    one line for each position: score,opponent,win_rate,dice,best
  hog export my.hog --to npy -o rolls.npy     a table of your own as a NumPy array
  hog export fa21 --against baseline -o b.py  the best response to the course's strategy
  hog export fa21 --to drn -o fa21.drn        for Storm: the second player uses the table")]
pub(super) struct ExportCommand {
    /// A built-in game, a rule file, or a .hog table
    #[arg(value_name = "RULES|TABLE")]
    what: String,
    /// Export the best response to this strategy instead of the equilibrium
    #[arg(long, value_name = "STRATEGY")]
    against: Option<Strategy>,
    /// The format (default: by the ending of -o; csv with -o -)
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(possible_values()))]
    to: Option<String>,
    /// Which player uses the table in a DRN model, while the other chooses freely (default:
    /// second)
    #[arg(long, value_enum, value_name = "PLAYER")]
    fix: Option<Fix>,
    #[arg(short, long, value_name = "FILE", help = format!("Write to this file instead of standard output: {}; - is \
        standard output", listed_endings(&endings())))]
    output: Option<PathBuf>,
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

impl ExportCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let exporter = self.exporter(console)?;
        let ExportFormat { name, is_text, .. } = exporter.format();
        if self.fix.is_some() && name != "drn" {
            bail!("--fix chooses a player of a DRN model: use it with --to drn");
        }
        let to_stdout = self.output.as_deref().is_none_or(is_standard_output);
        if to_stdout && console.format == Format::Json && name != "json" {
            bail!(
                "standard output gets one JSON document with --format json, and {name} is not JSON: leave out --format \
                 json, use --to json, or name a file with -o"
            );
        }
        if to_stdout && !is_text {
            refuse_binary_in_terminal(&format!("the format {name}"))?;
        }
        refuse_inputs(&self.output, [Path::new(&self.what)], &self.against)?;
        console.can_write(&self.output)?;
        let (given, call) = (console.given(&self.what), console.engine.call());
        let solved = match &self.against {
            Some(strategy) => call.response_table(&given, strategy)?,
            None => call.table(&given)?,
        };
        let game = &solved.game;
        self.write(exporter, &solved, console).map_err(|error| {
            // A table is exported by the name of its file, and solved by that of its game.
            let rules =
                if has_extension(&self.what, "hog") { &game.rules().id } else { &self.what };
            naming_search(
                error,
                game,
                rules,
                solved.table.against(),
                self.output.as_deref(),
                console,
            )
        })?;
        match &self.output {
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
        let against = self
            .against
            .as_ref()
            .map_or_else(String::new, |strategy| format!(" --against {strategy}"));
        let fix =
            if name == "drn" { format!(" --fix {}", self.fixed().name()) } else { String::new() };
        let command = format!(
            "hog export {}{against} --to {name}{fix}{}",
            self.what,
            console.overrides_as_options()
        );
        let solved = SolvedTable {
            game: &solved.game,
            win_rates: &solved.win_rates,
            best: solved.table.best(),
            win_rate: solved.win_rate,
            against: solved.table.against(),
            command: &command,
        };
        match &self.output {
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
        let ending =
            self.output.as_deref().map(|path| ending(path, &endings())).transpose()?.flatten();
        let by_ending = ending.and_then(exporter_for);
        let name = match (self.to.as_deref(), by_ending.map(|exporter| exporter.format().name)) {
            (Some(named), Some(name)) if named != name => {
                bail!(
                    "--to and the ending of -o name different formats: leave --to out, or change the ending"
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
        if self.fix == Some(Fix::First) { Mover::First } else { Mover::Second }
    }
}

/// Returns whether an export failed because its format cannot hold the game, and not because the
/// file could not be written.
fn is_unsupported(error: &anyhow::Error) -> bool {
    // Errors of the system have a code.
    let of_format =
        |error: &Error| error.kind() == ErrorKind::Unsupported && error.raw_os_error().is_none();
    error.downcast_ref().is_some_and(of_format)
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
    let has_search = game.space().per_cell() > 1 && HiddenSearch::applies(game);
    if !has_search {
        return Error::new(ErrorKind::Unsupported, reason).into();
    }
    let against = against.unwrap_or("STRATEGY");
    let output =
        output.filter(|path| !is_standard_output(path)).unwrap_or(Path::new("final.py")).display();
    let options = console.overrides_as_options();
    let search =
        format!("hog solve {rules}{options} --sees scores --against {against} -o {output}");
    let message = format!("{reason}, or search for a table that sees only scores: `{search}`");
    Error::new(ErrorKind::Unsupported, message).into()
}
