//! `hog export`: a solved game in another form.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use hog::format::export::{Drn, Mover, SolvedTable, exporter};

use super::console::{Console, Status};

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
    /// The form
    #[arg(long, value_enum)]
    to: ExportForm,
    /// Who plays the table in a DRN model; the other player chooses freely (default: second)
    #[arg(long, value_enum, value_name = "PLAYER")]
    fix: Option<Fix>,
    /// Write to this file instead of standard output
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Fix {
    /// The player who moves first
    First,
    /// The player who moves second
    Second,
}

impl ExportCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        if self.fix.is_some() && self.to != ExportForm::Drn {
            bail!("--fix says who plays the table in a DRN model: use it with --to drn");
        }
        console.can_write(&self.output)?;
        let tabled = console.engine.tabled(console.query(&self.what))?;
        let name = self.to.to_possible_value().expect("no form is hidden").get_name().to_owned();
        let drn = Drn { fixed: if self.fix == Some(Fix::First) { Mover::First } else { Mover::Second } };
        let command = self.command(&name, console, drn.fixed);
        let solved = SolvedTable {
            game: &tabled.game,
            win_rates: &tabled.win_rates,
            best: tabled.table.best(),
            win_rate: tabled.win_rate,
            against: tabled.table.against(),
            command: &command,
        };
        let exporter = match self.to {
            ExportForm::Drn => &drn,
            _ => exporter(&name).expect("every form has its exporter"),
        };
        match &self.output {
            None if self.to == ExportForm::Npy => {
                let mut bytes = Vec::new();
                exporter.export(&solved, &mut bytes)?;
                console.print_bytes(&bytes)?;
            }
            None => console.print(|out| exporter.export(&solved, out))?,
            Some(path) => console.write_with(path, |out| exporter.export(&solved, out))?,
        }
        Ok(Status::Done)
    }

    /// The command that makes this output.
    fn command(&self, form: &str, console: &Console, fixed: Mover) -> String {
        let mut command = format!("hog export {} --to {form}", self.what);
        if self.to == ExportForm::Drn {
            command += &format!(" --fix {}", fixed.name());
        }
        command + &console.overrides_as_options()
    }
}
