//! What commands share: loading games and strategies, printing views, and saying what went wrong.

use std::cell::RefCell;
use std::io::{BufWriter, Write};

use anyhow::Context as _;
use hog::game::{Game, Position};
use hog::report::{self, View};
use hog::rules::{self, Overrides, Rules};

use super::{Format, Shared};

/// How a command that ran to its end came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As asked.
    Done,
    /// A check or a comparison failed.
    Failed,
}

/// The options every command has, and standard output.
pub(super) struct Context {
    pub format: Format,
    pub overrides: Overrides,
    out: RefCell<BufWriter<anstream::Stdout>>,
}

impl Context {
    pub fn new(shared: &Shared) -> Self {
        Self {
            format: shared.format,
            overrides: Overrides { goal: shared.goal, max_dice: shared.max_dice },
            out: RefCell::new(BufWriter::new(anstream::stdout())),
        }
    }

    /// Rules by name or path, with the overrides of the command line.
    pub fn rules(&self, name: &str) -> anyhow::Result<Rules> {
        Ok(rules::load(name, self.overrides)?)
    }

    /// The overrides as they are written on the command line, each with a space in front.
    pub fn overrides_as_options(&self) -> String {
        let options = [("goal", self.overrides.goal), ("max-dice", self.overrides.max_dice)];
        options.into_iter().filter_map(|(option, value)| Some(format!(" --{option} {}", value?))).collect()
    }

    /// A game ready to be solved.
    pub fn game(&self, name: &str) -> anyhow::Result<Game> {
        Ok(Game::new(self.rules(name)?)?)
    }

    /// Prints a view in the format asked for.
    pub fn show(&self, view: &impl View) -> anyhow::Result<Outcome> {
        self.print(|out| match self.format {
            Format::Json => report::json(view, out),
            Format::Text => view.text(out),
        })?;
        Ok(Outcome::Done)
    }

    /// Prints to standard output.
    pub fn print(&self, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> anyhow::Result<()> {
        write(&mut *self.out.borrow_mut()).context("cannot write to standard output")
    }

    /// Prints bytes that are no text to standard output, as they are.
    pub fn print_bytes(&self, bytes: &[u8]) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush()).context("cannot write to standard output")
    }

    /// Sends out what is still held back.
    pub fn finish(&self) -> anyhow::Result<()> {
        self.out.borrow_mut().flush().context("cannot write to standard output")
    }
}

/// A position from the scores and `NAME=V` memories of the command line.
pub(super) fn position(rules: &Rules, score: u32, opponent: u32, memory: &[(String, i64)]) -> anyhow::Result<Position> {
    let start = Position::new(rules, score, opponent)?;
    Ok(memory.iter().try_fold(start, |position, (name, value)| position.with_memory(rules, name, *value))?)
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

/// Says on standard error what went wrong.
pub(super) fn complain(error: &anyhow::Error) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    let mut message = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string).filter(|cause| !error.to_string().contains(cause)) {
        message += &format!(": {cause}");
    }
    // Nothing is left to do if even this cannot be written.
    let _ = writeln!(anstream::stderr(), "{style}error{style:#}: {message}");
}

/// True if the reader of standard output has gone away, which is no fault.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    };
    error.chain().any(is_pipe)
}
