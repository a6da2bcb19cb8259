//! `hog contest`: runs an exact round robin.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::contest::queries::Contest;
use crate::contest::{Invitation, Pairs, PlayedContest, Readers};
use crate::engine::Cancel;
use crate::files;
use crate::files::private_folder;
use anyhow::{Context as _, ensure};
use clap::Args;

use super::console::{Console, Status, cannot_write};
use super::interrupt::{WorkFolder, uninterrupted};
use super::output::{refuse_equal_outputs, refuse_inputs};
use crate::engine::numbers::duration;

mod outputs;

use outputs::Outputs;

/// Run an exact round robin: every strategy against every other
#[derive(Args, Debug)]
#[command(
    after_help = "A path is the submission of one entrant, whatever is in it; with sent/* each is \
one. If only one folder or .zip file is named, or after --each-in, it may hold a file, a folder or \
a .zip file for each entrant, as Gradescope, Canvas, Moodle and GitHub Classroom make them. Hidden \
files and helper files are skipped. An entrant's name is PLAYER_NAME or TEAM_NAME in its file \
(which is read, not run), or comes from the roster. Python files run in a sandbox: see hog rate \
--help. A win is an average win rate (of moving first and second) above 0.500001. Entrants that \
cannot take part are listed with the reason, and the exit status is 1.

Examples:
  hog contest fa24 sent.zip -o ranking.html             the ranking as a page
  hog contest fa24 sent/ --reports reports/             and a page for each entrant
  hog contest fa24 sent/ --roster roster.csv -o r.csv   named by a roster, for a spreadsheet
  hog contest fa24 sent/ --reports web/ --reports-for students    to be published
  hog contest fa24 sent/ --roster r.csv --gradebook grades.csv    a line for each person
  hog contest fa24 sent/ --gradebook g.csv --points plays=1,baseline=2,mean:0.5=2
  hog contest fa24 sent.zip --deadline 2024-09-20T23:59-07:00 --refuse-late
  hog contest fa21 sent/ --keep pairs.json              continues where a stopped run ended
  hog contest fa24 mine/ optimal --results out.json     for an autograder
  hog contest fa24 --each-in sent/ --each-in bots/      two folders of entrants
  hog contest su15 mine.py optimal always_roll:5        files and strategies by name"
)]
pub(super) struct ContestCommand {
    #[command(flatten)]
    contest: Contest,
    /// Write the ranking to this file: .html, .csv, .md or .json
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,
    /// Write the win rates of all pairs to this .csv file
    #[arg(long, value_name = "FILE")]
    matrix: Option<PathBuf>,
    /// Write a page for each entrant, and the ranking as index.html, to this folder
    #[arg(long, value_name = "FOLDER")]
    reports: Option<PathBuf>,
    #[command(flatten)]
    readers: Readers,
    /// Write a gradebook to this .csv file: the lines of the roster, with the id of the
    /// submission, whether it was late, rank, wins and points
    #[arg(long, value_name = "FILE")]
    gradebook: Option<PathBuf>,
    /// Give the gradebook as the roster is, with the points in this column of it, for the system
    /// that it is from: `Grade` for Moodle, the assignment for Canvas
    #[arg(long, value_name = "HEADING", requires_all = ["gradebook", "roster", "points"])]
    grade_column: Option<String>,
    /// Write results for an autograder, in Gradescope's format: FILE.json for the entrant named
    /// first, or a folder with a file for each entrant
    #[arg(long, value_name = "FILE.json|FOLDER")]
    results: Option<PathBuf>,
    /// Read the entrants within this time, as in 90s, 10m or 1h; who was not read is listed as
    /// such. Slow ones are last
    #[arg(long, value_name = "TIME", value_parser = duration)]
    reading_time: Option<Duration>,
    /// Save finished pairs in this file, and skip the pairs that it has already
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
}

impl ContestCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        console.note_trust();
        let until = self.reading_time.and_then(|time| Instant::now().checked_add(time));
        let outputs = Outputs::of(self, console)?;
        self.check_outputs(&outputs, console)?;
        let game = console.game(self.rules())?;
        // If pairs can no longer be saved, the contest continues, and the error is reported at the
        // end.
        let save_error = RefCell::new(None);
        let pairs = match &self.keep {
            Some(path) => Pairs::in_file(path, &game, |pairs| {
                if save_error.borrow().is_none()
                    && let Err(error) = uninterrupted(|| pairs.write(path))
                {
                    *save_error.borrow_mut() = Some((path.clone(), anyhow::Error::from(error)));
                }
                Ok(())
            })?,
            None => Pairs::none(&game),
        };
        let cancel = Cancel::new();
        // Unpacked submissions are removed when they are read, even by an interrupt.
        let folder = WorkFolder::new(|| private_folder("hog-contest-"), cancel.clone())
            .context("cannot make a folder to unpack in")?;
        let written = outputs.files().chain(outputs.folders()).chain(&self.keep);
        let mut skip: Vec<PathBuf> = written.cloned().collect();
        skip.extend(self.contest.roster.as_ref().map(PathBuf::from));
        let invitation = Invitation {
            skip,
            first_is_one: outputs.is_for_first_entrant(),
            unpack_in: Some(folder.path().to_owned()),
            until,
            ..self.contest.invitation(&console.engine.call())?
        };
        let engine = console.engine.clone().cancelled_by(cancel);
        let call = engine.call();
        let scoring = &self.contest.scoring;
        let contest = PlayedContest::play(&call, &game, &invitation, scoring, pairs, |field| {
            drop(folder);
            outputs.prepare_for_entrants(console, field)
        })?;
        let contest = contest.titled(&self.contest.title);
        let all_admitted = contest.answer.rejected.is_empty();
        let written = outputs.write(console, contest, save_error.into_inner())?;
        Ok(if written { Status::of(all_admitted) } else { Status::Unwritten })
    }

    /// Checks that the outputs are different files that the contest does not read, and that they
    /// can be written.
    fn check_outputs(&self, outputs: &Outputs, console: &Console) -> anyhow::Result<()> {
        ensure!(
            !self.contest.entrants.is_empty() || !outputs.is_for_first_entrant(),
            "--results FILE.json is for the entrant named first: name its file, folder or archive"
        );
        let Contest { entrants, folders, roster, .. } = &self.contest;
        let names = entrants.iter().chain(roster).map(Path::new).chain([Path::new(self.rules())]);
        let names = names.chain(folders.iter().map(PathBuf::as_path));
        let written: Vec<&PathBuf> = outputs.files().chain(&self.keep).collect();
        refuse_equal_outputs(&written)?;
        refuse_inputs(written, names, [])?;
        outputs.prepare(console)?;
        if let Some(path) = &self.keep {
            // The file need not be hog's own here: `Pairs::in_file` refuses any file but one of
            // saved pairs.
            files::can_write(path).with_context(|| cannot_write(path))?;
        }
        Ok(())
    }

    /// The game's name.
    fn rules(&self) -> &str {
        self.contest.game.rules.as_deref().unwrap_or_default()
    }
}

/// Checks that a folder for results exists or can be made.
fn can_make_folder(path: &Path) -> anyhow::Result<()> {
    ensure!(path.is_dir() || !path.exists(), "{} is a file: name a folder", path.display());
    let mut first_new = path;
    while let Some(parent) = first_new.parent()
        && !parent.as_os_str().is_empty()
        && !parent.exists()
    {
        first_new = parent;
    }
    let probe = if path.is_dir() { &path.join("index.html") } else { first_new };
    files::can_write(probe).with_context(|| cannot_write(path))
}

/// Makes a folder for results if it does not exist.
fn make_folder(path: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(path).with_context(|| cannot_write(path))
}
