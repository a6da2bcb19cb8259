//! `hog try`: rates a student's strategy, once or whenever its file is saved.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::queries::{
    GivenStrategy, Query as _, Tried, Try, TryAnswer, Tune, WatchedTry, WinRates,
};
use crate::strategy::Strategy;
use crate::strategy::python::ReachedFunction;
use anyhow::bail;
use clap::{Args, ValueHint};

use super::console::{Console, Status};
use super::interrupt;
use super::last_try::LastTry;
use super::output::{ending, output_file, refuse_inputs};
use super::refusal;

#[derive(Args, Debug)]
pub(super) struct TryCommand {
    #[command(flatten)]
    query: Try,
    /// Run again whenever the file is saved, until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// Write all positions met to this file: .csv
    #[arg(short, long, value_name = "FILE", conflicts_with = "watch")]
    #[arg(value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
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
        let path = output_file(&self.output, console.format);
        if let Some(path) = path {
            ending(path, &["csv"])?;
            let strategies = [Some(&self.query.strategy), self.query.against.as_ref()];
            let strategies = strategies.into_iter().flatten().filter_map(GivenStrategy::known);
            refuse_inputs(&self.output, [Path::new(self.rules())], strategies)?;
            console.can_write(&self.output)?;
        }
        let tried = self.tried(console)?;
        if let Some(path) = path {
            console.write_with(path, |out| tried.losses.csv(out))?;
        }
        let status = console.show(&tried.answer)?;
        if console.prints_text() && !self.watch && path.is_none() {
            console.print_lines(&self.next_steps(console, &tried.answer))?;
        }
        Ok(status)
    }

    /// Runs again after the file was saved: text shows only what is new.
    fn again(&self, console: &Console) -> anyhow::Result<Status> {
        let tried = self.tried(console)?;
        if !console.prints_text() {
            return console.show(&WatchedTry::Try(tried.answer.into()));
        }
        let mut text = Vec::new();
        tried.answer.news(&mut text)?;
        console.print_lines(&String::from_utf8_lossy(&text))?;
        Ok(Status::Done)
    }

    fn tried(&self, console: &Console) -> anyhow::Result<Tried> {
        let mut tried = self.query.tried(&console.engine.call())?;
        console.note_semester(self.rules())?;
        if let Some(file) = self.file() {
            LastTry::compare_and_save(file, &mut tried);
        }
        Ok(tried)
    }

    /// Returns the command lines that show more, and that help to mend what costs most.
    fn next_steps(&self, console: &Console, answer: &TryAnswer) -> String {
        let Some(strategy) =
            self.query.strategy.known().filter(|_| !answer.costly_mistakes().is_empty())
        else {
            return String::new();
        };
        let shown = strategy.to_string();
        let bare = ["python:", "table:"].iter().find_map(|kind| shown.strip_prefix(kind));
        let named = bare
            .filter(|bare| bare.parse::<Strategy>().is_ok_and(|parsed| parsed == *strategy))
            .unwrap_or(&shown);
        let options = console.changes.as_options();
        let against = self
            .query
            .against
            .as_ref()
            .map_or_else(String::new, |against| format!(" --against {against}"));
        let game = format!("{}{options}", self.rules());
        let mut steps = format!(
            "next:\n  hog plot loss {game} {named}{against} -o loss.svg\n      a map of what the \
             positions cost\n"
        );
        if !answer.unseen.is_empty() {
            let against = &answer.against;
            steps += &format!(
                "  hog solve {game} --sees scores --against {against}\n      the best that looks \
                 at the scores alone\n"
            );
        }
        if let Some((family, gain)) = self.best_number(console, &answer.win_rate) {
            steps += &format!(
                "  hog tune {game} {family}{against}\n      the best of its numbers: {gain:+.4}\n"
            );
        }
        steps
    }

    /// Returns the number of the rated function, or of those that it calls, whose change gains
    /// most over what was rated: the family to tune, and the gain. Only what was tried is proposed.
    fn best_number(&self, console: &Console, rated: &WinRates) -> Option<(String, f64)> {
        let Some(Strategy::Python(file)) = self.query.strategy.known() else { return None };
        let outline = file.outline()?;
        let mut best: Option<(String, f64)> = None;
        let mut tried = 0;
        for reached in outline.reached_from(&file.function) {
            let strategy = format!("{}:{}", file.path.display(), reached.function.name);
            for (place, (_, value)) in reached.numbers.iter().enumerate() {
                if tried == MOST_TUNED {
                    return best;
                }
                tried += 1;
                let around = value.saturating_sub(4).max(if *value < 0 { i64::MIN } else { 0 });
                // A number of dice may not leave the game's.
                for values in [around..=value.saturating_add(4), 1.min(*value)..=6.max(*value)] {
                    let mut question = Tune::of(self.query.game.clone(), &strategy);
                    question.vary = varied(&reached, place, &values);
                    question.against = self.query.against.clone();
                    let Ok(answer) = question.answer(&console.engine.call()) else { continue };
                    let gain = answer.best.average - rated.average;
                    let least = answer.error_bound + rated.error_bound;
                    if gain > best.as_ref().map_or(least, |(_, most)| *most) {
                        let vary = question.vary.join(" --vary ");
                        best = Some((format!("{strategy} --vary {vary}"), gain));
                    }
                    break;
                }
            }
        }
        best
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

/// Returns what to vary of a function's numbers: one of them, and those that are called with others
/// than their defaults at what they are.
fn varied(
    reached: &ReachedFunction<'_>,
    place: usize,
    values: &RangeInclusive<i64>,
) -> Vec<String> {
    let mut vary = Vec::new();
    for (at, (name, value)) in reached.numbers.iter().enumerate() {
        let is_default = reached
            .function
            .parameters
            .iter()
            .any(|(of, default)| of == name && *default == Some(*value));
        if at == place {
            vary.push(format!("{name}={}..{}", values.start(), values.end()));
        } else if !is_default {
            vary.push(format!("{name}={value}"));
        }
    }
    vary
}

/// The most numbers that are tried: a fraction of a second each.
const MOST_TUNED: usize = 6;

/// The time when a file was saved, and its length in bytes.
type Stamp = (SystemTime, u64);

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
