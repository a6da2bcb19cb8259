//! `hog try`: rates a student's strategy, once or whenever its file is saved.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::bail;
use clap::Args;
use hog::engine::Tried;
use hog::files;
use hog::strategy::Strategy;

use super::console::{Console, Status};
use super::interrupt;
use super::last_try::LastTry;
use hog::queries::numbers::whole;

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

/// The time between two checks of a watched file. A check costs microseconds, so notifications of
/// the system are not needed.
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
        let mut shown = false;
        loop {
            let before = watched.each_ref().map(|path| stamp(path));
            let ran = if shown { self.again(console) } else { self.once(console) };
            match ran {
                Ok(_) => shown = true,
                Err(error) => console.report(&error),
            }
            console.flush()?;
            self.wait(console, &watched, before);
        }
    }

    fn once(&self, console: &Console) -> anyhow::Result<Status> {
        let tried = self.tried(console)?;
        let status = console.show(&tried.view)?;
        if console.prints_text() && !self.watch {
            console.print_lines(&self.next_steps(console, &tried))?;
        }
        Ok(status)
    }

    /// Runs again after the file was saved: text shows only what is new.
    fn again(&self, console: &Console) -> anyhow::Result<Status> {
        let tried = self.tried(console)?;
        if !console.prints_text() {
            return console.show(&tried.view);
        }
        let mut text = Vec::new();
        tried.view.news(&mut text)?;
        console.print_lines(&String::from_utf8_lossy(&text))?;
        Ok(Status::Done)
    }

    fn tried(&self, console: &Console) -> anyhow::Result<Tried> {
        let game = console.game(&self.rules)?;
        let mut tried = console.engine.tried(&game, &self.file, self.against.as_ref(), self.top)?;
        if let Some(file) = self.file.file() {
            LastTry::compare_and_save(&game, file, &mut tried);
        }
        Ok(tried)
    }

    /// Returns the command lines that show more, and that help to mend what costs most.
    fn next_steps(&self, console: &Console, tried: &Tried) -> String {
        if tried.view.costliest().is_none() {
            return String::new();
        }
        let path = |file: &Path| file.display().to_string();
        let shown = self.file.to_string();
        let bare = ["python:", "table:"].iter().find_map(|kind| shown.strip_prefix(kind));
        let is_same =
            |bare: &&str| bare.parse::<Strategy>().is_ok_and(|parsed| parsed == self.file);
        let named = bare.filter(is_same).unwrap_or(&shown);
        let options = console.overrides_as_options();
        let against = self
            .against
            .as_ref()
            .map_or_else(String::new, |against| format!(" --against {against}"));
        let game = format!("{}{options}", self.rules);
        let mut steps = vec![
            (format!("hog explain {game} {named}{against}"), "every kind of mistake"),
            (format!("hog plot loss {game} {named}{against} -o loss.svg"), "a map of them"),
        ];
        let python = matches!(self.file, Strategy::Python(_)).then(|| self.file.file()).flatten();
        let tune = match python {
            Some(file) => tunable(file).map(|(function, number, value)| {
                let values = format!("{}..{}", value - 4, value + 4);
                format!("{}:{function} --vary {number}={values}", path(file))
            }),
            None => None,
        };
        steps.extend(tune.map(|family| {
            (format!("hog tune {game} {family}{against}"), "the best of its numbers")
        }));
        let line = |(command, meaning): &(String, &str)| format!("  {command}\n      {meaning}\n");
        format!("next:\n{}", steps.iter().map(line).collect::<String>())
    }

    /// Waits until one of the files has changed since `before`.
    fn wait(&self, console: &Console, watched: &[PathBuf; 2], before: [Option<Stamp>; 2]) {
        console.note("waiting for the file to be saved; Ctrl-C stops");
        let mut last = before;
        loop {
            std::thread::sleep(POLL_INTERVAL);
            let now = watched.each_ref().map(|path| stamp(path));
            // A file is missing for a moment while an editor replaces it, and its length changes
            // while it is being written.
            if now != before && now == last && now[0].is_some() {
                return;
            }
            last = now;
        }
    }
}

/// Returns a function of a Python file that takes a number after the two scores, the number's name
/// and its default.
fn tunable(file: &Path) -> Option<(String, String, i64)> {
    let text = files::read_text(file, LARGEST_READ).ok()?;
    text.lines().find_map(|line| {
        let (function, rest) = line.strip_prefix("def ")?.split_once('(')?;
        let (parameters, _) = rest.split_once(')')?;
        let mut parameters = parameters.split(',').map(str::trim);
        let scores = [parameters.next()?, parameters.next()?];
        let (number, value) = parameters.next()?.split_once('=')?;
        let value = value
            .trim()
            .parse()
            .ok()
            .filter(|_| scores.iter().all(|score| !score.contains('=')))?;
        Some((function.trim().to_owned(), number.trim().to_owned(), value))
    })
}

/// The largest file that is searched for functions, in bytes.
const LARGEST_READ: u64 = 1 << 20;

/// The time when a file was saved, and its length in bytes.
type Stamp = (SystemTime, u64);

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
