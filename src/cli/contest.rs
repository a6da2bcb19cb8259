//! `hog contest`: an exact round robin.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::bail;
use clap::Args;
use hog::contest::{self, KeepError, Kept};
use hog::report::{self, ContestView};
use hog::table;

use super::context::{Context, Outcome};
use super::interrupt::undisturbed;
use super::progress::with_progress;

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
pub(super) struct Contest {
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
enum Form {
    Csv,
    Markdown,
    Json,
}

impl Contest {
    pub fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let began = Instant::now();
        let forms = self.output.iter().map(|path| form(path)).collect::<anyhow::Result<Vec<Form>>>()?;
        let game = context.game(&self.rules)?;
        let mut kept = match &self.keep {
            Some(path) => Kept::read(path, game.rules())?,
            None => Kept::new(game.rules()),
        };
        let (entrants, rejected) = contest::entrants(&game, &self.entrants)?;
        if entrants.is_empty() && rejected.is_empty() {
            bail!("there is nobody to play: no .py, .csv, .npy, .txt or .hog file in {}", self.entrants.join(", "));
        }
        let save = |kept: &Kept| -> Result<(), KeepError> {
            self.keep.as_ref().map_or(Ok(()), |path| undisturbed(|| kept.write(path)))
        };
        let robin = with_progress("playing", |watch| contest::round_robin(&game, &entrants, &mut kept, watch, save))?;
        let seconds = began.elapsed().as_secs_f64();
        let view = ContestView::new(&game.rules().id, &entrants, &rejected, &robin, seconds);
        for (path, form) in self.output.iter().zip(forms) {
            let mut bytes = Vec::new();
            match form {
                Form::Csv => view.csv(&mut bytes)?,
                Form::Markdown => view.markdown(&mut bytes)?,
                Form::Json => report::json(&view, &mut bytes)?,
            }
            undisturbed(|| table::write(path, &bytes))?;
        }
        context.show(&view)?;
        Ok(if rejected.is_empty() { Outcome::Done } else { Outcome::Failed })
    }
}

fn form(path: &Path) -> anyhow::Result<Form> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("csv") => Ok(Form::Csv),
        Some("md") => Ok(Form::Markdown),
        Some("json") => Ok(Form::Json),
        _ => bail!("-o {}: the ending says the form: .csv, .md or .json", path.display()),
    }
}
