//! `hog try`: rates a student's strategy, once or whenever its file is saved.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::bail;
use clap::Args;
use hog::strategy::Strategy;

use super::console::{Console, Status};
use super::interrupt;
use super::last_try::LastTry;
use super::numbers::whole;

/// Rate your strategy: how good it is, how good it could be, and which positions to change first
#[derive(Args, Debug)]
#[command(
    after_help = "Shows the exact win rate against the course's baseline, the win rate that the course asks for, the \
best possible win rate, the positions that cost most, and what changed since the last run (which \
is kept in your cache folder).

Examples:
  hog try fa24 hog.py                  the final_strategy of your file
  hog try fa24 hog.py --watch          again whenever you save it, until Ctrl-C
  hog try fa24 hog.py:sus_strategy     another function of your file
  export HOG_RULES=fa24; hog try hog.py"
)]
pub(super) struct TryCommand {
    /// A built-in game or a rule file (default: what HOG_RULES says)
    rules: String,
    /// Your file, or another strategy
    file: Strategy,
    /// The opponent's strategy (default: the game's baseline)
    #[arg(long, value_name = "STRATEGY")]
    against: Option<Strategy>,
    /// Run again whenever the file is saved, until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// How many positions to show
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<usize>)]
    top: usize,
}

/// The time between two checks of a watched file. A check costs microseconds, so notifications of the system are not
/// needed.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

impl TryCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        if !self.watch {
            return self.once(console);
        }
        let Some(file) = self.file.file() else {
            bail!("--watch needs a file, and {} is not one", self.file);
        };
        let watched = [file.to_owned(), PathBuf::from(&self.rules)];
        interrupt::succeed_on_interrupt();
        loop {
            let before = watched.each_ref().map(|path| stamp(path));
            if let Err(error) = self.once(console) {
                console.report(&error);
            }
            console.flush()?;
            self.wait(console, &watched, before);
        }
    }

    fn once(&self, console: &Console) -> anyhow::Result<Status> {
        let game = console.game(&self.rules)?;
        let mut tried = console.engine.tried(&game, &self.file, self.against.as_ref(), self.top)?;
        if let Some(file) = self.file.file() {
            LastTry::compare_and_save(&game, file, &mut tried);
        }
        console.show(&tried.view)
    }

    /// Waits until one of the files has changed since `before`.
    fn wait(&self, console: &Console, watched: &[PathBuf; 2], before: [Option<Stamp>; 2]) {
        console.note("waiting for the file to be saved; Ctrl-C stops");
        let mut last = before;
        loop {
            std::thread::sleep(POLL_INTERVAL);
            let now = watched.each_ref().map(|path| stamp(path));
            // A file is missing for a moment while an editor replaces it, and its length changes while it is being
            // written.
            if now != before && now == last && now[0].is_some() {
                return;
            }
            last = now;
        }
    }
}

/// The time when a file was saved, and its length in bytes.
type Stamp = (SystemTime, u64);

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
