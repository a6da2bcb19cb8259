//! `hog try`: a student's strategy, rated and looked at, once or whenever it is saved.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::bail;
use clap::Args;
use hog::strategy::Strategy;

use super::console::{Console, Status};
use super::interrupt;
use super::last_try::LastTry;
use super::numbers::whole;

/// How good your strategy is, how good it could be, and the positions to change first
#[derive(Args, Debug)]
#[command(
    after_help = "Tells the exact win rate against the course's baseline, what the course asks for, the best that
anybody can do, the positions that cost most, and what changed since the last run (kept in
the user's cache folder).

Examples:
  hog try fa24 hog.py                  final_strategy of your file
  hog try fa24 hog.py --watch          again whenever you save it, until Ctrl-C
  hog try fa24 hog.py:sus_strategy     another function
  export HOG_RULES=fa24; hog try hog.py"
)]
pub(super) struct TryCommand {
    /// A built-in game or a rule file (default: what HOG_RULES says)
    rules: String,
    /// Your file, or another strategy
    file: Strategy,
    /// What it plays against (default: the game's baseline)
    #[arg(long, value_name = "STRATEGY")]
    against: Option<Strategy>,
    /// Run again whenever the file is saved, until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// How many positions to show
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<usize>)]
    top: usize,
}

/// How often a watched file is looked at. A look costs microseconds, so nothing that the system tells is needed.
const EVERY: Duration = Duration::from_millis(100);

impl TryCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        if !self.watch {
            return self.once(console);
        }
        let Some(file) = self.file.file() else {
            bail!("--watch looks at a file, and {} is none", self.file);
        };
        let watched = [file.to_owned(), PathBuf::from(&self.rules)];
        interrupt::ends_well();
        loop {
            let before = watched.each_ref().map(|path| saved(path));
            if let Err(error) = self.once(console) {
                console.tell(&error);
            }
            console.flush()?;
            self.wait(console, &watched, before);
        }
    }

    fn once(&self, console: &Console) -> anyhow::Result<Status> {
        let game = console.game(&self.rules)?;
        let mut tried = console.engine.tried(&game, &self.file, self.against.as_ref(), self.top)?;
        if let Some(file) = self.file.file() {
            LastTry::swap(&game, file, &mut tried);
        }
        console.show(&tried.view)
    }

    /// Until one of the files is another than it was.
    fn wait(&self, console: &Console, watched: &[PathBuf; 2], before: [Option<Stamp>; 2]) {
        console.note("waiting for the file to be saved; Ctrl-C ends");
        let mut last = before;
        loop {
            std::thread::sleep(EVERY);
            let now = watched.each_ref().map(|path| saved(path));
            // A file that an editor is about to replace is gone for a moment, and one that is being written still grows.
            if now != before && now == last && now[0].is_some() {
                return;
            }
            last = now;
        }
    }
}

/// When a file was saved, and how long it is.
type Stamp = (SystemTime, u64);

fn saved(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
