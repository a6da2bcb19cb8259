//! `hog try`: rates a student's strategy, once or whenever its file is saved.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::files;
use crate::queries::{Try, TryAnswer, TryResult, WatchedTry};
use crate::strategy::Strategy;
use anyhow::bail;
use clap::Args;

use super::console::{Console, Status};
use super::interrupt;
use super::last_try::LastTry;
use super::refusal;

#[derive(Args, Debug)]
pub(super) struct TryCommand {
    #[command(flatten)]
    query: Try,
    /// Run again whenever the file is saved, until Ctrl-C
    #[arg(long)]
    watch: bool,
}

/// The time between two checks of a watched file. A check costs microseconds, so notifications of
/// the system are not needed.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

impl TryCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        if !self.watch {
            return self.once(console);
        }
        let Some(file) = self.file() else {
            bail!("--watch needs a file, and {} is not one", self.query.strategy);
        };
        let watched = [file.to_owned(), PathBuf::from(self.rules())];
        interrupt::succeed_on_interrupt();
        let mut shown = false;
        loop {
            let before = watched.each_ref().map(|path| stamp(path));
            let is_first = !shown && console.prints_text();
            let ran = if is_first { self.once(console) } else { self.again(console) };
            match ran {
                Ok(_) => shown = true,
                Err(error) if console.prints_text() => console.report(&error),
                Err(error) => drop(console.show(&WatchedTry::Error(refusal::answer(&error)))?),
            }
            console.flush()?;
            self.wait(console, &watched, before);
        }
    }

    /// The name of the game.
    fn rules(&self) -> &str {
        self.query.game.rules.as_deref().unwrap_or_default()
    }

    /// The file of the strategy, if it is in one.
    fn file(&self) -> Option<&Path> {
        self.query.strategy.known().and_then(Strategy::file)
    }

    fn once(&self, console: &Console) -> anyhow::Result<Status> {
        let rated = self.rated(console)?;
        let status = console.show(&rated.answer)?;
        if console.prints_text() && !self.watch {
            console.print_lines(&self.next_steps(console, &rated.answer))?;
        }
        Ok(status)
    }

    /// Runs again after the file was saved: text shows only what is new.
    fn again(&self, console: &Console) -> anyhow::Result<Status> {
        let rated = self.rated(console)?;
        if !console.prints_text() {
            return console.show(&WatchedTry::Try(rated.answer.into()));
        }
        let mut text = Vec::new();
        rated.answer.news(&mut text)?;
        console.print_lines(&String::from_utf8_lossy(&text))?;
        Ok(Status::Done)
    }

    fn rated(&self, console: &Console) -> anyhow::Result<TryResult> {
        let mut rated = self.query.rated(&console.engine.call())?;
        console.note_semester(self.rules())?;
        if let Some(file) = self.file() {
            LastTry::compare_and_save(file, &mut rated);
        }
        Ok(rated)
    }

    /// Returns the command lines that show more, and that help to mend what costs most.
    fn next_steps(&self, console: &Console, answer: &TryAnswer) -> String {
        let Some(strategy) = self.query.strategy.known().filter(|_| answer.costliest().is_some())
        else {
            return String::new();
        };
        let path = |file: &Path| file.display().to_string();
        let shown = strategy.to_string();
        let bare = ["python:", "table:"].iter().find_map(|kind| shown.strip_prefix(kind));
        let is_same =
            |bare: &&str| bare.parse::<Strategy>().is_ok_and(|parsed| parsed == *strategy);
        let named = bare.filter(is_same).unwrap_or(&shown);
        let options = console.overrides_as_options();
        let against = self
            .query
            .against
            .as_ref()
            .map_or_else(String::new, |against| format!(" --against {against}"));
        let game = format!("{}{options}", self.rules());
        let mut steps = vec![
            (format!("hog explain {game} {named}{against}"), "every kind of mistake"),
            (format!("hog plot loss {game} {named}{against} -o loss.svg"), "a map of them"),
        ];
        let python = matches!(strategy, Strategy::Python(_)).then(|| strategy.file()).flatten();
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
