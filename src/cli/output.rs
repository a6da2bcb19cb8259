//! `-o`: how the ending of a file selects the format of a result, and which files cannot be
//! outputs.

use std::collections::HashSet;
use std::io::{IsTerminal, stdout};
use std::path::{Path, PathBuf};

use crate::files;
use crate::strategy::Strategy;
use anyhow::bail;

use super::shared::Format;

/// Returns whether a path means standard output.
pub(super) fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Returns the file to write a result to, if any. With `--format json`, `-o -` is ignored: the JSON
/// document goes to standard output already.
pub(super) fn output_file(output: &Option<PathBuf>, format: Format) -> Option<&Path> {
    output.as_deref().filter(|path| !(format == Format::Json && is_standard_output(path)))
}

/// Refuses `-o -` with `--format json` where the document says something else than `what` is
/// written.
///
/// # Errors
/// Returns an error if standard output would get both.
pub(super) fn refuse_second_result(path: &Path, what: &str, format: Format) -> anyhow::Result<()> {
    if format == Format::Json && is_standard_output(path) {
        bail!(
            "-o - writes {what} to standard output, which gets one document with --format json: \
             name a file with -o"
        );
    }
    Ok(())
}

/// Refuses to write a binary format to a terminal.
///
/// # Errors
/// Returns an error if standard output is a terminal.
pub(super) fn refuse_binary_in_terminal(what: &str) -> anyhow::Result<()> {
    if stdout().is_terminal() {
        bail!(
            "{what} is not text, and standard output is a terminal: name a file with -o, or pipe \
             the output"
        );
    }
    Ok(())
}

/// Returns the ending of the file of `-o`, which selects the format; `None` for standard output and
/// devices, which have no ending.
///
/// # Errors
/// Returns an error if the ending is not one of `known`.
pub(super) fn ending<'k>(path: &Path, known: &[&'k str]) -> anyhow::Result<Option<&'k str>> {
    ending_of("-o", path, known)
}

/// Returns the ending of the file of any option, as [`ending`] does for `-o`.
///
/// # Errors
/// Returns an error if the ending is not one of `known`.
pub(super) fn ending_of<'k>(
    option: &str,
    path: &Path,
    known: &[&'k str],
) -> anyhow::Result<Option<&'k str>> {
    // Folders are let through: the attempt to write to one reports the error.
    if is_standard_output(path) || files::is_special(path) || path.is_dir() {
        return Ok(None);
    }
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default();
    match known.iter().find(|known| **known == ending) {
        Some(known) => Ok(Some(known)),
        None => bail!(
            "{option} {}: the ending selects the format: use {}",
            path.display(),
            listed_endings(known)
        ),
    }
}

/// Lists endings as `.csv`, `.csv or .md`, or `.csv, .json or .md`.
pub(super) fn listed_endings(endings: &[&str]) -> String {
    alternatives(&endings.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>())
}

/// Lists items as `a`, `a or b`, or `a, b or c`.
pub(super) fn alternatives(items: &[impl AsRef<str>]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
        None => String::new(),
    }
}

/// Refuses outputs that are written to one file, also if it is spelled differently or a link.
///
/// # Errors
/// Returns an error that names the file.
pub(super) fn refuse_equal_outputs(outputs: &[&PathBuf]) -> anyhow::Result<()> {
    let mut places = HashSet::new();
    for path in outputs {
        if place(path).is_some_and(|place| !places.insert(place)) {
            bail!("two results would be written to {}: name a file for each", path.display());
        }
    }
    Ok(())
}

/// Refuses outputs that would replace a file that the command reads. `names` are those of games,
/// tables, strategies and other files.
///
/// # Errors
/// Returns an error that names the file.
pub(super) fn refuse_inputs<'p, 'n>(
    outputs: impl IntoIterator<Item = &'p PathBuf>,
    names: impl IntoIterator<Item = &'n Path>,
    strategies: impl IntoIterator<Item = &'n Strategy>,
) -> anyhow::Result<()> {
    let mut read: HashSet<PathBuf> =
        strategies.into_iter().flat_map(Strategy::files).filter_map(existing).collect();
    for name in names {
        let strategy = name.to_str().and_then(|name| name.parse::<Strategy>().ok());
        read.extend(existing(name));
        read.extend(strategy.iter().flat_map(Strategy::files).filter_map(existing));
    }
    match outputs
        .into_iter()
        .find(|path| !is_standard_output(path) && place(path).is_some_and(|at| read.contains(&at)))
    {
        Some(path) => bail!(
            "{} is read by this command, so it cannot be replaced: name another file",
            path.display()
        ),
        None => Ok(()),
    }
}

fn existing(file: &Path) -> Option<PathBuf> {
    place(file).filter(|place| place.is_file())
}

/// Returns where a path leads, so that different spellings compare equal; `None` for folders,
/// devices and pipes.
fn place(path: &Path) -> Option<PathBuf> {
    if is_standard_output(path) {
        return Some(path.to_owned());
    }
    if let Ok(full) = path.canonicalize() {
        return full.is_file().then_some(full);
    }
    let folder =
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(folder.canonicalize().ok()?.join(path.file_name()?))
}
