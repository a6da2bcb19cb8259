//! `hog export`: writes a solved game in another format.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, ValueEnum};
use hog::engine::TabledGame;
use hog::files::has_extension;
use hog::format::export::{Drn, Mover, SolvedTable, exporter};
use hog::game::Game;
use hog::partial::HiddenSearch;
use hog::strategy::Strategy;
use hog::view::ExportView;

use super::Format;
use super::console::{Console, Status};
use super::output::{ending, is_standard_output, refuse_binary_in_terminal};

/// Write a solved game in another format: python, csv, json, npy, drn
#[derive(Args, Debug)]
#[command(after_help = "Examples:
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
    #[arg(long, value_enum)]
    to: Option<ExportForm>,
    /// Which player uses the table in a DRN model, while the other chooses freely (default: second)
    #[arg(long, value_enum, value_name = "PLAYER")]
    fix: Option<Fix>,
    /// Write to this file instead of standard output: .csv, .json, .npy, .py or .drn; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExportForm {
    /// A Python final_strategy to hand in
    Python,
    /// One line for each state
    Csv,
    /// One document with an object for each state
    Json,
    /// A NumPy array of the best rolls
    Npy,
    /// A model for Storm: one player uses the table, the other chooses freely
    Drn,
}

/// The formats, by the endings of their files.
const ENDINGS: [(&str, ExportForm); 5] = [
    ("csv", ExportForm::Csv),
    ("json", ExportForm::Json),
    ("npy", ExportForm::Npy),
    ("py", ExportForm::Python),
    ("drn", ExportForm::Drn),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Fix {
    /// The player who moves first
    First,
    /// The player who moves second
    Second,
}

impl ExportCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let form = self.form(console)?;
        if self.fix.is_some() && form != ExportForm::Drn {
            bail!("--fix chooses a player of a DRN model: use it with --to drn");
        }
        let name = form.to_possible_value().expect("no format is hidden").get_name().to_owned();
        let to_stdout = self.output.as_deref().is_none_or(is_standard_output);
        if to_stdout && console.format == Format::Json && form != ExportForm::Json {
            bail!(
                "standard output gets one JSON document with --format json, and {name} is not JSON: leave out --format \
                 json, use --to json, or name a file with -o"
            );
        }
        if to_stdout && form == ExportForm::Npy {
            refuse_binary_in_terminal("a NumPy array")?;
        }
        console.can_write(&self.output)?;
        let query = console.query(&self.what);
        let tabled = match &self.against {
            Some(strategy) => console.engine.response_table(query, strategy)?,
            None => console.engine.tabled(query)?,
        };
        let game = &tabled.game;
        self.write(form, &name, &tabled, console).map_err(|error| {
            // A table is exported by the name of its file, and solved by that of its game.
            let rules = if has_extension(&self.what, "hog") { &game.rules().id } else { &self.what };
            naming_search(error, game, (rules, tabled.table.against()), self.output.as_deref(), console)
        })?;
        match &self.output {
            Some(path) if !to_stdout => console.show(&ExportView {
                rules: game.rules().id.clone(),
                goal: game.rules().goal,
                against: tabled.table.against().map(str::to_owned),
                form: name,
                states: game.space().states(),
                output: path.display().to_string(),
            }),
            _ => Ok(Status::Done),
        }
    }

    fn write(&self, form: ExportForm, name: &str, tabled: &TabledGame, console: &Console) -> anyhow::Result<()> {
        let drn = Drn { fixed: if self.fix == Some(Fix::First) { Mover::First } else { Mover::Second } };
        let against = self.against.as_ref().map_or_else(String::new, |strategy| format!(" --against {strategy}"));
        let fix = if form == ExportForm::Drn { format!(" --fix {}", drn.fixed.name()) } else { String::new() };
        let command = format!("hog export {}{against} --to {name}{fix}{}", self.what, console.overrides_as_options());
        let solved = SolvedTable {
            game: &tabled.game,
            win_rates: &tabled.win_rates,
            best: tabled.table.best(),
            win_rate: tabled.win_rate,
            against: tabled.table.against(),
            command: &command,
        };
        let exporter = match form {
            ExportForm::Drn => &drn,
            _ => exporter(name).expect("every format has an exporter"),
        };
        match &self.output {
            Some(path) if !is_standard_output(path) => console.write_with(path, |out| exporter.export(&solved, out)),
            _ if form == ExportForm::Npy => {
                let mut bytes = Vec::new();
                exporter.export(&solved, &mut bytes)?;
                console.print_bytes(&bytes)
            }
            _ => console.print(|out| exporter.export(&solved, out)),
        }
    }

    /// Returns the format from `--to` or the file's ending, which must agree. Standard output and devices get text.
    fn form(&self, console: &Console) -> anyhow::Result<ExportForm> {
        let ending = self.output.as_deref().map(|path| ending(path, &ENDINGS.map(|(ending, _)| ending))).transpose()?;
        let by_ending = ENDINGS.iter().find(|(known, _)| Some(*known) == ending.flatten()).map(|(_, form)| *form);
        match (self.to, by_ending) {
            (Some(named), Some(form)) if named != form => {
                bail!("--to and the ending of -o name different formats: leave --to out, or change the ending")
            }
            (Some(form), _) | (None, Some(form)) => Ok(form),
            (None, None) if self.output.is_none() => {
                bail!("name the format: --to python, csv, json, npy or drn, or -o FILE with an ending")
            }
            (None, None) if console.format == Format::Json => Ok(ExportForm::Json),
            (None, None) => Ok(ExportForm::Csv),
        }
    }
}

/// Returns whether an export failed because its format cannot hold the game, and not because the file could not be
/// written.
pub(super) fn is_unsupported(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Error>().is_some_and(|error| error.kind() == ErrorKind::Unsupported)
}

/// Adds to the error of an export that a memory prevents the command that searches for a table of scores. `rules` and
/// `against` are those of the table.
pub(super) fn naming_search(
    error: anyhow::Error,
    game: &Game,
    (rules, against): (&str, Option<&str>),
    output: Option<&Path>,
    console: &Console,
) -> anyhow::Error {
    let has_search = game.space().per_cell() > 1 && HiddenSearch::applies(game);
    if !(has_search && is_unsupported(&error)) {
        return error;
    }
    let against = against.unwrap_or("STRATEGY");
    let output = output.filter(|path| !is_standard_output(path)).unwrap_or(Path::new("final.py")).display();
    let options = console.overrides_as_options();
    let search = format!("hog solve {rules}{options} --sees scores --against {against} -o {output}");
    let message = format!("{}, or search for a table that sees only scores: `{search}`", error.root_cause());
    Error::new(ErrorKind::Unsupported, message).into()
}
