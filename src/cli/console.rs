//! What commands share: the engine, the format, standard output, and the files they write.

use std::cell::{Cell, RefCell};
use std::io::{BufWriter, IsTerminal as _, Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Engine;
use crate::engine::{Limits, Sources};
use crate::files;
use crate::format::{self, Verdict};
use crate::game::Game;
use crate::plot::Look;
use crate::queries::{Answer, GivenGame};
use crate::rules::{Rules, builtin};
use crate::strategy::python::{Launcher, without_sandbox};
use anyhow::Context as _;

use super::input::InputFile;
use super::interrupt::{self, uninterrupted};
use super::output::{is_standard_output, refuse_equal_outputs};
use super::progress::Bar;
use super::refusal::{self, InResult};
use super::shared::{Format, Shared};
use super::written::WrittenFiles;
use super::{confine, lines};

/// The outcome of a command that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The command did what was asked.
    Done,
    /// A check or a comparison failed.
    Failed,
    /// A result could not be written, which was reported.
    Unwritten,
}

impl Status {
    /// Returns `Done` if `ok`, else `Failed`.
    pub fn of(ok: bool) -> Self {
        if ok { Self::Done } else { Self::Failed }
    }
}

/// The shared options, the engine, and standard output.
pub(super) struct Console {
    pub format: Format,
    /// The appearance of pictures.
    pub look: Look,
    pub engine: Engine,
    /// The words of the command line, the program's name first.
    pub words: Vec<String>,
    launcher: Launcher,
    /// Whether Python files run without the sandbox.
    trusts: bool,
    pub progress: Bar,
    /// The changes to the rules that the command line asks for.
    pub changes: GivenGame,
    /// Whether no notes are printed.
    quiet: bool,
    /// What standard input held, if a game or a strategy is named `-`.
    _input: Option<InputFile>,
    /// Whether files that hog did not write may be replaced.
    force: bool,
    /// The files that may be replaced in any case.
    written: WrittenFiles,
    /// Whether a file was written to standard output, which then gets nothing else.
    stdout_taken: Cell<bool>,
    /// A line that says which game's rules the named semester uses, if it has no id of its own;
    /// printed before the answer.
    semester_note: RefCell<Option<String>>,
    out: RefCell<BufWriter<anstream::Stdout>>,
}

impl Console {
    pub fn new(
        shared: &Shared,
        words: Vec<String>,
        launcher: Launcher,
        progress: Bar,
        input: Option<InputFile>,
    ) -> Self {
        let mut limits = Limits::of_machine();
        limits.memory = shared.max_memory.unwrap_or(limits.memory);
        let launcher = confine::launcher(launcher, shared);
        let mut sources = Sources::files().with_python(launcher.clone());
        if let Some(input) = &input {
            sources = sources.with_input(&input.path);
        }
        let engine = Engine::builder().limits(limits).sources(sources).build();
        let engine = engine.cancelled_by(interrupt::work());
        Self {
            format: shared.format,
            look: shared.look,
            words,
            launcher,
            trusts: shared.trust,
            engine: engine.reporting_to(Arc::new(progress.clone())),
            progress,
            changes: shared.changes(),
            quiet: shared.quiet,
            _input: input,
            force: shared.force,
            written: WrittenFiles::of_user(),
            stdout_taken: Cell::new(false),
            semester_note: RefCell::new(None),
            out: RefCell::new(BufWriter::new(anstream::stdout())),
        }
    }

    /// Returns the launcher for Python files that others send: always in the sandbox, even with
    /// `--trust`, and without the answers that are kept for the user.
    pub fn launcher(&self) -> Launcher {
        self.launcher.clone().trusting(false).keeping_no_answers()
    }

    /// Says, before strangers' files run, what they may do without the sandbox.
    pub fn note_trust(&self) {
        if self.trusts {
            self.note(&format!("--trust: {}", without_sandbox(std::env::consts::OS)));
        }
    }

    /// Returns a game by name, with the changes to its rules that the command line asks for.
    pub fn given(&self, name: &str) -> GivenGame {
        let mut given = self.changes.clone();
        given.rules = Some(name.to_owned());
        given
    }

    /// Reads the rules of a game.
    pub fn rules(&self, name: &str) -> anyhow::Result<Rules> {
        Ok(self.engine.rules(self.given(name))?)
    }

    /// Reads and tabulates a game.
    pub fn game(&self, name: &str) -> anyhow::Result<Arc<Game>> {
        let game = self.engine.game(self.given(name))?;
        self.note_semester_of(name, game.rules());
        Ok(game)
    }

    /// Notes, to be printed before the answer, which game's rules the semester `name` uses, if it
    /// has no id of its own.
    pub fn note_semester(&self, name: &str) -> anyhow::Result<()> {
        if builtin(name).is_some_and(|game| !game.id.eq_ignore_ascii_case(name)) {
            self.note_semester_of(name, &self.rules(name)?);
        }
        Ok(())
    }

    fn note_semester_of(&self, name: &str, rules: &Rules) {
        let asked = name.to_ascii_lowercase();
        *self.semester_note.borrow_mut() = rules
            .aliases
            .contains(&asked)
            .then(|| format!("{asked} is played by the rules of {}: {}", rules.id, rules.title));
    }

    /// Reports an error without ending the program.
    pub fn report(&self, error: &anyhow::Error) {
        self.progress.stop();
        refusal::report(error, self.format);
    }

    /// Prints a note to standard error if it is a terminal, unless nobody wants notes.
    pub fn note(&self, text: &str) {
        if stderr().is_terminal() && !self.quiet {
            let faint = anstyle::Style::new().dimmed();
            let text = lines::fit_terminal(&format!("{faint}{text}{faint:#}\n\n"), &stderr());
            // There is nowhere left to report that this cannot be written.
            let _ = anstream::stderr().write_all(text.as_bytes());
        }
    }

    /// Prints a view in the selected format.
    pub fn show(&self, view: &dyn Answer) -> anyhow::Result<Status> {
        if self.stdout_taken.get() {
            return Ok(Status::Done);
        }
        let semester_note = self.semester_note.take();
        match self.format {
            Format::Json => self.print(|out| {
                view.json(out)?;
                writeln!(out)
            })?,
            Format::Text => {
                let mut text = Vec::new();
                semester_note.iter().try_for_each(|line| writeln!(text, "{line}"))?;
                format::text(view, &mut text)?;
                self.print_lines(&String::from_utf8_lossy(&text))?;
            }
        }
        Ok(Status::Done)
    }

    /// Whether results are printed as text.
    pub fn prints_text(&self) -> bool {
        self.format == Format::Text
    }

    /// Prints lines, wrapped to the width of the terminal.
    pub fn print_lines(&self, text: &str) -> anyhow::Result<()> {
        self.print(|out| out.write_all(lines::fit_terminal(text, &stdout()).as_bytes()))
    }

    /// Prints an answer with [`Self::show`], and returns whether it is what was asked for.
    ///
    /// # Errors
    /// As [`Self::show`], and if some of it could not be had; its JSON includes that error.
    pub fn show_judged(&self, answer: &dyn Answer) -> anyhow::Result<Status> {
        self.show(answer)?;
        match answer.verdict() {
            Verdict::Yes => Ok(Status::Done),
            Verdict::No => Ok(Status::Failed),
            Verdict::Partly(reason) => Err(InResult(reason.to_owned()).into()),
        }
    }

    /// Prints to standard output.
    pub fn print(
        &self,
        write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> anyhow::Result<()> {
        self.progress.stop();
        write(&mut *self.out.borrow_mut()).context("cannot write to standard output")
    }

    /// Prints bytes, which need not be text, to standard output unchanged.
    pub fn print_bytes(&self, bytes: &[u8]) -> anyhow::Result<()> {
        self.progress.stop();
        let mut out = stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush()).context("cannot write to standard output")
    }

    /// Flushes standard output.
    pub fn flush(&self) -> anyhow::Result<()> {
        self.out.borrow_mut().flush().context("cannot write to standard output")
    }

    /// Checks, before long work, that its output files differ, and can and may be written.
    pub fn can_write<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p PathBuf>,
    ) -> anyhow::Result<()> {
        let paths: Vec<&PathBuf> = paths.into_iter().collect();
        refuse_equal_outputs(&paths)?;
        for path in paths.into_iter().filter(|path| !is_standard_output(path)) {
            files::can_write(path).with_context(|| cannot_write(path))?;
            self.written.may_replace(path, self.force)?;
        }
        Ok(())
    }

    /// Returns whether a file has contents that hog wrote.
    pub fn wrote(&self, path: &Path) -> bool {
        self.written.may_replace(path, false).is_ok()
    }

    /// Writes a file atomically, with interrupts held back; `-` is standard output, which then gets
    /// nothing else.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or exists, does not have contents that hog
    /// wrote, and `--force` is not set.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        if is_standard_output(path) {
            self.stdout_taken.set(true);
            return self.print_bytes(bytes);
        }
        self.written.may_replace(path, self.force)?;
        self.written.remember(bytes);
        self.write_inside(path, bytes)
    }

    /// Writes a file in a folder that belongs to hog, without asking whether it may be replaced.
    pub fn write_inside(&self, path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        // Nobody may read a pipe, and nothing of it would be half written on the disk.
        let written = if files::is_special(path) {
            files::write(path, bytes)
        } else {
            uninterrupted(|| files::write(path, bytes))
        };
        written.with_context(|| cannot_write(path))
    }

    /// Writes the output of a function to a file, as [`Self::write`] does.
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
