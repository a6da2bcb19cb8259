//! What commands share: the engine, standard output, files written, and the format.

use std::cell::{Cell, RefCell};
use std::io::{BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use hog::Engine;
use hog::engine::{GameQuery, Limits, Query, Sources};
use hog::files;
use hog::format::{self, Text};
use hog::game::Game;
use hog::rules::{Overrides, Rules};
use hog::strategy::python::Launcher;
use serde::Serialize;

use super::interrupt::undisturbed;
use super::output::{is_standard_output, may_replace};
use super::progress::Bar;
use super::refusal::{self, AfterResult};
use super::{Format, Shared, confine, lines, machine};

/// How a command that ran to its end came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// As asked.
    Done,
    /// A check or a comparison failed.
    Failed,
}

impl Status {
    /// Done if all is well.
    pub fn of(well: bool) -> Self {
        if well { Self::Done } else { Self::Failed }
    }
}

/// The options every command has, the engine, and standard output.
pub(super) struct Console {
    pub format: Format,
    pub engine: Engine,
    launcher: Launcher,
    pub progress: Bar,
    overrides: Overrides,
    /// Files that hog did not write may be replaced.
    force: bool,
    /// A file goes to standard output: nothing else does.
    given_away: Cell<bool>,
    /// The semester that was asked for, if its rules bear another's name.
    semester: RefCell<Option<String>>,
    out: RefCell<BufWriter<anstream::Stdout>>,
}

impl Console {
    pub fn new(shared: &Shared, launcher: Launcher) -> Self {
        let mut limits = Limits::default();
        limits.memory = machine::memory_available().unwrap_or(limits.memory);
        let launcher = confine::launcher(launcher, shared);
        let sources = Sources::files().with_python(launcher.clone());
        let engine = Engine::builder().limits(limits).sources(sources).build();
        let progress = Bar::new();
        Self {
            format: shared.format,
            launcher,
            engine: engine.reporting_to(Arc::new(progress.clone())),
            progress,
            overrides: shared.overrides(),
            force: shared.force,
            given_away: Cell::new(false),
            semester: RefCell::new(None),
            out: RefCell::new(BufWriter::new(anstream::stdout())),
        }
    }

    /// How strategies in Python files are started when others send them: shut in, whatever this user trusts.
    pub fn launcher(&self) -> Launcher {
        self.launcher.clone().trusting(false)
    }

    /// A game by name, with the overrides of the command line.
    pub fn query(&self, name: &str) -> GameQuery {
        GameQuery::new(name).overrides(self.overrides)
    }

    /// The rules of a game.
    pub fn rules(&self, name: &str) -> anyhow::Result<Rules> {
        Ok(self.engine.rules(self.query(name))?)
    }

    /// A game ready to be asked about.
    pub fn game(&self, name: &str) -> anyhow::Result<Arc<Game>> {
        let game = self.engine.game(self.query(name))?;
        let rules = game.rules();
        let asked = name.to_ascii_lowercase();
        // Said before the answer, whose head names the rules.
        let line = || format!("{asked} is played by the rules of {}: {}", rules.id, rules.title);
        *self.semester.borrow_mut() = rules.aliases.contains(&asked).then(line);
        Ok(game)
    }

    /// The overrides as they are written on the command line, each with a space in front.
    pub fn overrides_as_options(&self) -> String {
        as_options(self.overrides)
    }

    /// Tells an error that is not the end.
    pub fn tell(&self, error: &anyhow::Error) {
        self.progress.stop();
        refusal::tell(error, self.format, self.overrides);
    }

    /// Tells something on the way, where somebody looks.
    pub fn note(&self, text: &str) {
        if std::io::stderr().is_terminal() {
            let faint = anstyle::Style::new().dimmed();
            // Nothing is left to do if even this cannot be written.
            let _ = writeln!(anstream::stderr(), "{faint}{text}{faint:#}\n");
        }
    }

    /// Prints a view in the format asked for.
    pub fn show(&self, view: &(impl Text + Serialize)) -> anyhow::Result<Status> {
        if self.given_away.get() {
            return Ok(Status::Done);
        }
        let semester = self.semester.take();
        self.print(|out| match self.format {
            Format::Json => format::json(view, out),
            Format::Text => {
                let mut text = Vec::new();
                semester.iter().try_for_each(|line| writeln!(text, "{line}"))?;
                format::text(view, &mut text)?;
                out.write_all(lines::fitted(&String::from_utf8_lossy(&text)).as_bytes())
            }
        })?;
        Ok(Status::Done)
    }

    /// [`Self::show`] of a result even if something went wrong beside it, such as writing it to a file; then says that.
    pub fn show_with(&self, view: &(impl Text + Serialize), beside: anyhow::Result<()>) -> anyhow::Result<Status> {
        self.show(view)?;
        beside.map_err(|error| AfterResult(refusal::message(&error, self.overrides)))?;
        Ok(Status::Done)
    }

    /// Prints to standard output.
    pub fn print(&self, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> anyhow::Result<()> {
        self.progress.stop();
        write(&mut *self.out.borrow_mut()).context("cannot write to standard output")
    }

    /// Prints bytes that are no text to standard output, as they are.
    pub fn print_bytes(&self, bytes: &[u8]) -> anyhow::Result<()> {
        self.progress.stop();
        let mut out = std::io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush()).context("cannot write to standard output")
    }

    /// Sends out what is still held back.
    pub fn flush(&self) -> anyhow::Result<()> {
        self.out.borrow_mut().flush().context("cannot write to standard output")
    }

    /// Finds out, before long work, whether its output can and may be written.
    pub fn can_write<'p>(&self, paths: impl IntoIterator<Item = &'p PathBuf>) -> anyhow::Result<()> {
        for path in paths.into_iter().filter(|path| !is_standard_output(path)) {
            files::can_write(path).with_context(|| cannot_write(path))?;
            may_replace(path, self.force)?;
        }
        Ok(())
    }

    /// Writes a file, whole or not at all, whatever is pressed meanwhile; `-` is standard output, which then gets
    /// nothing else. What hog did not write is replaced only if the user says so.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        if is_standard_output(path) {
            self.given_away.set(true);
            return self.print_bytes(bytes);
        }
        may_replace(path, self.force)?;
        self.write_inside(path, bytes)
    }

    /// Writes a file of a folder that is hog's own.
    pub fn write_inside(&self, path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        undisturbed(|| files::write(path, bytes)).with_context(|| cannot_write(path))
    }

    /// Whether the user says that what hog did not write may be replaced.
    pub fn is_forced(&self) -> bool {
        self.force
    }

    /// Writes a file by a function.
    pub fn write_with(
        &self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> anyhow::Result<()> {
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        self.write(path, &bytes)
    }
}

pub(super) fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// Overrides as they are written on the command line, each with a space in front.
pub(super) fn as_options(overrides: Overrides) -> String {
    let options = [("goal", overrides.goal), ("max-dice", overrides.max_dice)];
    options.into_iter().filter_map(|(option, value)| Some(format!(" --{option} {}", value?))).collect()
}

/// A position from the scores and `NAME=V` memories of the command line.
pub(super) fn position(score: u32, opponent: u32, memory: &[(String, i64)]) -> Query {
    memory.iter().fold(Query::scores(score, opponent), |query, (name, value)| query.memory(name, *value))
}

/// Reads `NAME=V`.
pub(super) fn memory_value(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=V, as in last_dice=4")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is no whole number"))?;
    Ok((name.trim().to_owned(), value))
}

/// Reads a score.
pub(super) fn score(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "a score is a whole number from 0 to one below the goal".to_owned())
}
