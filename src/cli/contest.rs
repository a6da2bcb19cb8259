//! `hog contest`: an exact round robin.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::{Args, ValueEnum};
use hog::contest::{Field, Invitation, Naming, RankBy, Scoring, TieBreak, WINNING};
use hog::engine::{ContestQuery, Pairs};
use hog::files;

use super::console::{Console, Status, cannot_write};
use super::interrupt::{remove_at_the_end, undisturbed};
use super::output::ending;

mod outputs;

use outputs::Outputs;

/// An exact round robin: every strategy against every other
#[derive(Args, Debug)]
#[command(after_help = "A folder or .zip file may hold a file for each entrant, or a folder for each as Gradescope and
GitHub Classroom make them; hidden files and helpers are passed over. Entrants go by PLAYER_NAME or TEAM_NAME in
their file (read, not run), or by the roster. Python files are shut in: see hog rate --help. A win is an average
win rate (of moving first and second) above 0.500001. What cannot take part is named with its fault, and the exit
status is 1.

Examples:
  hog contest fa24 submissions.zip --html ranking.html           a page with the ranking
  hog contest fa24 submissions/ --reports reports/               and a page for each entrant
  hog contest fa24 submissions/ --roster roster.csv -o all.csv   under the names of a roster, as a spreadsheet
  hog contest fa21 submissions/ --keep pairs.json                goes on where a killed run stopped
  hog contest fa24 mine/ optimal always_roll:6 --results results.json    for an autograder
  hog contest su15 mine.py optimal always_roll:5                 files and strategies by name")]
pub(super) struct ContestCommand {
    /// A built-in game or a rule file
    rules: String,
    /// Files, folders, .zip files, or strategies by name
    #[arg(required = true, value_name = "FILE|FOLDER|STRATEGY")]
    entrants: Vec<String>,
    /// Write the ranking to this file: .html, .csv, .md or .json
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,
    /// Write the ranking as a page to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the win rates of all pairs to this CSV file
    #[arg(long, value_name = "FILE")]
    matrix: Option<PathBuf>,
    /// Write a page for each entrant, and the ranking as index.html, to this folder
    #[arg(long, value_name = "FOLDER")]
    reports: Option<PathBuf>,
    /// Write results for an autograder, as Gradescope reads them: FILE.json for what is named first, or a folder with a
    /// file for each entrant
    #[arg(long, value_name = "FILE.json|FOLDER")]
    results: Option<PathBuf>,
    /// Name entrants by this CSV file: a column `name`, and others with folders, user names, ids or addresses
    #[arg(long, value_name = "FILE")]
    roster: Option<PathBuf>,
    /// Which names to show
    #[arg(long, value_enum, default_value_t = Names::Chosen)]
    names: Names,
    /// What an average win rate must exceed to be a win
    #[arg(long, value_name = "RATE", default_value_t = WINNING, value_parser = winning)]
    win_above: f64,
    /// What the ranking counts
    #[arg(long, value_enum, default_value_t = Counted::Wins)]
    rank_by: Counted,
    /// What decides between equals
    #[arg(long, value_enum, default_value_t = Decider::Share)]
    break_ties: Decider,
    /// Keep finished pairs in this file, and do not rate again those it has
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Names {
    /// The roster's, else PLAYER_NAME or TEAM_NAME, else the submitters', else the folder's or file's
    Chosen,
    /// The roster's or the submitters', else the folder's or file's
    People,
    /// The folder's or file's
    Files,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Counted {
    /// Wins; a tie counts as a loss
    Wins,
    /// Wins, and half of one for a tie
    Points,
    /// The mean win rate against all others
    Mean,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Decider {
    /// Nothing: they share a rank
    Share,
    /// The mean win rate against all others
    Mean,
    /// The win rate against the game's baseline
    Baseline,
}

impl ContestCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let outputs = Outputs::of(self, console)?;
        outputs.prepare(console)?;
        if let Some(path) = &self.keep {
            // It is read first, and refused if it is anything but kept pairs.
            files::can_write(path).with_context(|| cannot_write(path))?;
        }
        let game = console.game(&self.rules)?;
        // Pairs that cannot be kept any more are told at the end: they are no reason to lose the others.
        let lost = RefCell::new(None);
        let pairs = match &self.keep {
            Some(path) => Pairs::in_file(path, &game, |pairs| {
                if lost.borrow().is_none()
                    && let Err(error) = undisturbed(|| pairs.write(path))
                {
                    *lost.borrow_mut() = Some((path.clone(), anyhow::Error::from(error)));
                }
                Ok(())
            })?,
            None => Pairs::none(&game),
        };
        let may = |field: &Field| outputs.admit(console, field);
        // What strangers handed in does not stay, however this ends.
        let folder =
            tempfile::Builder::new().prefix("hog-contest-").tempdir().context("cannot make a folder to unpack in")?;
        remove_at_the_end(folder.path());
        let contest = console.engine.contest_if(&game, &self.query(&outputs, folder.path()), pairs, may)?;
        let sound = contest.view.rejected.is_empty();
        let written = outputs.write(console, &game, contest, lost.into_inner())?;
        Ok(Status::of(sound && written))
    }

    fn query(&self, outputs: &Outputs, folder: &Path) -> ContestQuery {
        let naming = match self.names {
            Names::Chosen => Naming::Chosen,
            Names::People => Naming::People,
            Names::Files => Naming::Files,
        };
        let rank_by = match self.rank_by {
            Counted::Wins => RankBy::Wins,
            Counted::Points => RankBy::Points,
            Counted::Mean => RankBy::Mean,
        };
        let break_ties = match self.break_ties {
            Decider::Share => TieBreak::Share,
            Decider::Mean => TieBreak::Mean,
            Decider::Baseline => TieBreak::Baseline,
        };
        let written = outputs.files().chain(outputs.folders());
        let skip = written.chain(&self.roster).chain(&self.keep).cloned().collect();
        let invitation = Invitation {
            entrants: self.entrants.clone(),
            naming,
            roster: self.roster.clone(),
            skip,
            first_is_one: outputs.is_for_the_first(),
            unpack_in: Some(folder.to_owned()),
        };
        ContestQuery { invitation, scoring: Scoring { win_above: self.win_above, rank_by, break_ties } }
    }
}

fn winning(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    if (0.5..1.0).contains(&rate) { Ok(rate) } else { Err("it is at least 0.5 and below 1".to_owned()) }
}

#[derive(Clone, Copy, Debug)]
enum ContestForm {
    Csv,
    Markdown,
    Json,
    Html,
}

/// Standard output gets CSV.
fn form(path: &Path) -> anyhow::Result<ContestForm> {
    Ok(match ending(path, &["html", "csv", "md", "json"])? {
        Some("html") => ContestForm::Html,
        Some("md") => ContestForm::Markdown,
        Some("json") => ContestForm::Json,
        _ => ContestForm::Csv,
    })
}

/// Finds out whether a folder for results is there or can be made.
fn can_make_folder(path: &Path) -> anyhow::Result<()> {
    ensure!(path.is_dir() || !path.exists(), "{}: it is a file; name a folder", path.display());
    let is_there = |path: &Path| path.as_os_str().is_empty() || path.exists();
    let first_made = path.ancestors().find(|path| path.parent().is_none_or(is_there)).unwrap_or(path);
    let probe = if path.is_dir() { &path.join("index.html") } else { first_made };
    files::can_write(probe).with_context(|| cannot_write(path))
}

/// Makes a folder for results, unless it is there.
fn make_folder(path: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(path).with_context(|| cannot_write(path))
}
