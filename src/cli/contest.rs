//! `hog contest`: an exact round robin.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use hog::engine::Pairs;
use hog::format;

use super::console::{Console, Status};
use super::interrupt::undisturbed;

/// An exact round robin: every strategy against every other
#[derive(Args, Debug)]
#[command(after_help = "A win is an average win rate (of moving first and second) above 0.500001. A folder stands for
its .py, .csv, .npy, .txt and .hog files. Python files are shut in: see hog rate --help. What cannot take part is
named with its fault, and the exit status is 1.

Examples:
  hog contest fa21 submissions/                            a folder of final_strategy files
  hog contest fa21 submissions/ -o ranking.md -o all.csv   also as Markdown and as a matrix
  hog contest fa21 submissions/ --keep pairs.json          goes on where a killed run stopped
  hog contest su15 mine.py optimal always_roll:5           files and strategies by name")]
pub(super) struct ContestCommand {
    /// A built-in game or a rule file
    rules: String,
    /// Files, folders, or strategies by name
    #[arg(required = true, value_name = "FILE|FOLDER|STRATEGY")]
    entrants: Vec<String>,
    /// Write the outcome to this file: .csv (the matrix), .md or .json
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,
    /// Keep finished pairs in this file, and do not rate again those it has
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
}

#[derive(Clone, Copy)]
enum ContestForm {
    Csv,
    Markdown,
    Json,
}

impl ContestCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let forms = self.output.iter().map(|path| form(path)).collect::<anyhow::Result<Vec<ContestForm>>>()?;
        console.can_write(&self.output)?;
        let game = console.game(&self.rules)?;
        let pairs = match &self.keep {
            Some(path) => Pairs::in_file(path, &game, |pairs| undisturbed(|| pairs.write(path)))?,
            None => Pairs::none(&game),
        };
        let view = console.engine.contest(&game, &self.entrants, pairs)?;
        for (path, form) in self.output.iter().zip(forms) {
            console.write_with(path, |out| match form {
                ContestForm::Csv => view.csv(out),
                ContestForm::Markdown => view.markdown(out),
                ContestForm::Json => format::json(&view, out),
            })?;
        }
        console.show(&view)?;
        Ok(Status::of(view.rejected.is_empty()))
    }
}

fn form(path: &Path) -> anyhow::Result<ContestForm> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("csv") => Ok(ContestForm::Csv),
        Some("md") => Ok(ContestForm::Markdown),
        Some("json") => Ok(ContestForm::Json),
        _ => bail!("-o {}: the ending says the form: .csv, .md or .json", path.display()),
    }
}
