//! `hog export`: writes a solved game in another format.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use hog::format::export::{Drn, Mover, SolvedTable, exporter};

use super::console::{Console, Status};
use super::output::ending;

/// Write a solved game in another format: python, csv, json, npy, drn
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog export fa21 --to python -o final.py     a final_strategy(score, opponent_score) to hand in
  hog export fa21 --to csv                    one line for each position: score,opponent,win_rate,dice,best
  hog export my.hog --to npy -o rolls.npy     a table of your own as a NumPy array
  hog export fa21 --to drn -o fa21.drn        for Storm: the second player uses the table")]
pub(super) struct ExportCommand {
    /// A built-in game, a rule file, or a .hog table
    #[arg(value_name = "RULES|TABLE")]
    what: String,
    /// The format (default: by the ending of -o)
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
        let to = self.form()?;
        if self.fix.is_some() && to != ExportForm::Drn {
            bail!("--fix chooses a player of a DRN model: use it with --to drn");
        }
        console.can_write(&self.output)?;
        let tabled = console.engine.tabled(console.query(&self.what))?;
        let name = to.to_possible_value().expect("no format is hidden").get_name().to_owned();
        let drn = Drn { fixed: if self.fix == Some(Fix::First) { Mover::First } else { Mover::Second } };
        let fix = if to == ExportForm::Drn { format!(" --fix {}", drn.fixed.name()) } else { String::new() };
        let command = format!("hog export {} --to {name}{fix}{}", self.what, console.overrides_as_options());
        let solved = SolvedTable {
            game: &tabled.game,
            win_rates: &tabled.win_rates,
            best: tabled.table.best(),
            win_rate: tabled.win_rate,
            against: tabled.table.against(),
            command: &command,
        };
        let exporter = match to {
            ExportForm::Drn => &drn,
            _ => exporter(&name).expect("every format has an exporter"),
        };
        match &self.output {
            None if to == ExportForm::Npy => {
                let mut bytes = Vec::new();
                exporter.export(&solved, &mut bytes)?;
                console.print_bytes(&bytes)?;
            }
            None => console.print(|out| exporter.export(&solved, out))?,
            Some(path) => console.write_with(path, |out| exporter.export(&solved, out))?,
        }
        Ok(Status::Done)
    }

    /// Returns the format from `--to` or the file's ending, which must agree.
    fn form(&self) -> anyhow::Result<ExportForm> {
        let ending = self.output.as_deref().map(|path| ending(path, &ENDINGS.map(|(ending, _)| ending))).transpose()?;
        let by_ending = ENDINGS.iter().find(|(known, _)| Some(*known) == ending.flatten()).map(|(_, form)| *form);
        match (self.to, by_ending) {
            (Some(named), Some(form)) if named != form => {
                bail!("--to and the ending of -o name different formats: leave --to out, or change the ending")
            }
            (Some(form), _) | (None, Some(form)) => Ok(form),
            (None, None) => bail!("name the format: --to python, csv, json, npy or drn, or -o FILE with an ending"),
        }
    }
}
