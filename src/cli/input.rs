//! Standard input: a game or a strategy that is named `-`, and lines.

use std::io::{BufRead, Read as _};
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::ArgMatches;
use clap::error::ErrorKind;
use tempfile::TempDir;

use super::interrupt::removed_on_interrupt;
use crate::files::private_folder;
use crate::queries::{GivenPlayers, GivenStrategy};
use crate::strategy::{INPUT, Strategy, kind_of_input};
use hog_study::limits;

/// What `-` on a command line names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// The rules of a game.
    Rules,
    /// A strategy.
    Strategy,
}

impl Input {
    /// Returns what `-` names among the arguments of a command; `None` if it names nothing.
    ///
    /// # Errors
    /// Returns an error if it names two things, or the command reads standard input itself or more
    /// than once.
    pub fn named(
        command: &clap::Command,
        matches: &ArgMatches,
    ) -> Result<Option<Self>, clap::Error> {
        let mut named = Vec::new();
        for argument in command.get_arguments() {
            let id = argument.get_id().as_str();
            let inputs = texts(matches, id);
            if takes(argument, "RULES") || takes(argument, "OTHER") {
                named.extend(vec![Self::Rules; inputs]);
            } else if takes(argument, "STRATEGY") {
                named.extend(vec![Self::Strategy; inputs]);
            }
            named.extend(vec![Self::Strategy; strategies(matches, id)]);
        }
        let reason = match &named[..] {
            [] => return Ok(None),
            [_] if command.get_name() == "play" => {
                "`-` is standard input, from which this command reads the moves: name a file"
            }
            [_] if matches.try_get_one("watch").is_ok_and(|watch| watch == Some(&true)) => {
                "`-` is standard input, which cannot change: --watch needs a file"
            }
            [one] => return Ok(Some(*one)),
            _ => "`-` is standard input, which is read once: name a file for all but one",
        };
        Err(clap::Error::raw(ErrorKind::ArgumentConflict, format!("{reason}\n")))
    }

    /// Reads standard input into a file in a folder of its own, which is deleted with the result.
    pub fn read(self) -> anyhow::Result<InputFile> {
        let mut bytes = Vec::new();
        let mut input = std::io::stdin().lock().take(limits::TABLE_BYTES + 1);
        input.read_to_end(&mut bytes).context(UNREADABLE)?;
        if bytes.len() as u64 > limits::TABLE_BYTES {
            bail!("standard input has more than {} bytes", limits::TABLE_BYTES);
        }
        let folder = removed_on_interrupt(|| private_folder("hog-input-"));
        let folder = folder.context("cannot make a folder for what standard input holds")?;
        let ending = match self {
            Self::Rules => "toml",
            Self::Strategy => kind_of_input(&bytes),
        };
        let path = folder.path().join(format!("input.{ending}"));
        std::fs::write(&path, bytes).context("cannot write what standard input holds")?;
        Ok(InputFile { path, _folder: folder })
    }
}

/// A file with what standard input held.
pub(super) struct InputFile {
    pub path: PathBuf,
    _folder: TempDir,
}

/// Whether a value of an argument is called so in the help.
fn takes(argument: &clap::Arg, name: &str) -> bool {
    match argument.get_value_names() {
        Some(names) => names.iter().any(|one| one.contains(name)),
        None => argument.get_id().as_str().to_uppercase() == name,
    }
}

/// Returns how many values of an argument are `-`, if they are texts.
fn texts(matches: &ArgMatches, id: &str) -> usize {
    let values = matches.try_get_many::<String>(id).ok().flatten();
    values.map_or(0, |values| values.filter(|value| *value == INPUT).count())
}

/// Returns how often the values of an argument name standard input, if they are strategies.
fn strategies(matches: &ArgMatches, id: &str) -> usize {
    if let Ok(Some(values)) = matches.try_get_many::<GivenStrategy>(id) {
        values.map(GivenStrategy::inputs).sum()
    } else if let Ok(Some(values)) = matches.try_get_many::<Strategy>(id) {
        values.map(Strategy::inputs).sum()
    } else if let Ok(Some(values)) = matches.try_get_many::<GivenPlayers>(id) {
        values.flat_map(|players| &players.0).map(GivenStrategy::inputs).sum()
    } else {
        0
    }
}

/// The longest line accepted, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// Reads a line, which gives one `what`, with its end; `None` at the end of the input.
///
/// # Errors
/// Returns an error if the input cannot be read, or the line is longer than [`LONGEST_LINE`].
pub(super) fn read_line(input: &mut impl BufRead, what: &str) -> anyhow::Result<Option<Vec<u8>>> {
    match read_bounded(input)? {
        Some(line) if is_too_long(&line) => bail!("{}", too_long(what)),
        line => Ok(line),
    }
}

/// As [`read_line`], but a line that is too long is returned without what follows its first
/// [`LONGEST_LINE`] bytes and one more.
///
/// # Errors
/// Returns an error if the input cannot be read.
pub(super) fn read_start_of_line(input: &mut impl BufRead) -> anyhow::Result<Option<Vec<u8>>> {
    let line = read_bounded(input)?;
    if line.as_ref().is_some_and(|line| is_too_long(line) && !line.ends_with(b"\n")) {
        input.skip_until(b'\n').context(UNREADABLE)?;
    }
    Ok(line)
}

const UNREADABLE: &str = "cannot read standard input";

fn read_bounded(input: &mut impl BufRead) -> anyhow::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    input.take(LONGEST_LINE + 1).read_until(b'\n', &mut line).context(UNREADABLE)?;
    Ok(if line.is_empty() { None } else { Some(line) })
}

/// Returns whether a line is longer than [`LONGEST_LINE`], with its end.
pub(super) fn is_too_long(line: &[u8]) -> bool {
    line.len() as u64 > LONGEST_LINE
}

/// The message for a line longer than [`LONGEST_LINE`].
pub(super) fn too_long(what: &str) -> String {
    format!(
        "a line of standard input is longer than {LONGEST_LINE} bytes: write one {what} per line"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_up_to_the_limit() {
        let longest = vec![b'x'; LONGEST_LINE as usize];
        let mut input = [b"a\n\nb", &longest[1..]].concat();
        let mut left = &input[..];
        let mut next = || read_line(&mut left, "turn").unwrap();
        assert_eq!([next(), next()], [Some(b"a\n".to_vec()), Some(b"\n".to_vec())]);
        assert_eq!(next().map(|line| line.len()), Some(longest.len()));
        assert_eq!(next(), None);
        input.push(b'x');
        let mut left = &input[3..];
        let error = read_line(&mut left, "turn").unwrap_err().to_string();
        let mut left = &input[3..];
        assert_eq!(
            read_start_of_line(&mut left).unwrap().map(|line| is_too_long(&line)),
            Some(true)
        );
        assert_eq!(read_start_of_line(&mut left).unwrap(), None);
        assert_eq!(
            error,
            "a line of standard input is longer than 1048576 bytes: write one turn per line"
        );
    }
}
