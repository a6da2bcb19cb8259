//! `hog export`: a solved game in another form.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use hog::format::export::{Drn, Mover, SolvedTable, exporter};

use super::console::{Console, Status};
use super::output::ending;

/// A solved game in another form: python, csv, json, npy, drn
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog export fa21 --to python -o final.py     a final_strategy(score, opponent_score) to hand in
  hog export fa21 --to csv                    score,opponent,win_rate,dice,best: one line a position
  hog export my.hog --to npy -o rolls.npy     a table of your own as a NumPy array
  hog export fa21 --to drn -o fa21.drn        for Storm: the table as second player, the first chooses")]
pub(super) struct ExportCommand {
    /// A built-in game, a rule file, or a .hog table
    #[arg(value_name = "RULES|TABLE")]
    what: String,
    /// The form (default: as the ending of -o says)
    #[arg(long, value_enum)]
    to: Option<ExportForm>,
    /// Who plays the table in a DRN model; the other player chooses freely (default: second)
    #[arg(long, value_enum, value_name = "PLAYER")]
    fix: Option<Fix>,
    /// Write to this file instead of standard output: .csv, .json, .npy, .py or .drn; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExportForm {
    /// A Python function to hand in
    Python,
    /// One line a state
    Csv,
    /// One document with one object a state
    Json,
    /// A NumPy array of the best rolls
    Npy,
    /// A model for Storm: one player plays the table, the other chooses
    Drn,
}

/// The forms by the endings of their files.
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
            bail!("--fix says who plays the table in a DRN model: use it with --to drn");
        }
        console.can_write(&self.output)?;
        let tabled = console.engine.tabled(console.query(&self.what))?;
        let name = to.to_possible_value().expect("no form is hidden").get_name().to_owned();
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
            _ => exporter(&name).expect("every form has its exporter"),
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

    /// The form that is named, or that the file's ending names; both must agree.
    fn form(&self) -> anyhow::Result<ExportForm> {
        let ending = self.output.as_deref().map(|path| ending(path, &ENDINGS.map(|(ending, _)| ending))).transpose()?;
        let by_ending = ENDINGS.iter().find(|(known, _)| Some(*known) == ending.flatten()).map(|(_, form)| *form);
        match (self.to, by_ending) {
            (Some(named), Some(form)) if named != form => {
                bail!("--to and the ending of -o name different forms: leave --to out, or change the ending")
            }
            (Some(form), _) | (None, Some(form)) => Ok(form),
            (None, None) => bail!("say the form: --to python, csv, json, npy or drn, or -o FILE with an ending"),
        }
    }
}
