//! `-o`: the form of a result by the ending of its file, and which files it may replace.

use std::path::{Path, PathBuf};

use anyhow::bail;
use hog::format::is_made_by_hog;

use super::Format;
use super::console::Console;

/// Whether a path stands for standard output.
pub(super) fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The file that a result is written to, if any; where JSON is asked for on standard output, that is the result itself.
pub(super) fn beside<'p>(output: &'p Option<PathBuf>, console: &Console) -> Option<&'p Path> {
    output.as_deref().filter(|path| !(console.format == Format::Json && is_standard_output(path)))
}

/// The ending of a file that is to be written, which says the form; `None` for standard output and for devices, which
/// have no ending.
///
/// # Errors
/// If it is none of those known.
pub(super) fn ending<'k>(path: &Path, known: &[&'k str]) -> anyhow::Result<Option<&'k str>> {
    ending_of("-o", path, known)
}

/// The ending of the file of another option than `-o`.
///
/// # Errors
/// As [`ending`].
pub(super) fn ending_of<'k>(option: &str, path: &Path, known: &[&'k str]) -> anyhow::Result<Option<&'k str>> {
    // That a folder cannot be written is said when it is tried.
    let is_special = std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    if is_standard_output(path) || is_special {
        return Ok(None);
    }
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    match known.iter().find(|known| **known == ending) {
        Some(known) => Ok(Some(known)),
        None => bail!("{option} {}: the ending says the form: {}", path.display(), listed(known)),
    }
}

/// `.csv`, `.csv or .md`, `.csv, .json or .md`.
fn listed(endings: &[&str]) -> String {
    let endings: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
    match endings.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
        None => String::new(),
    }
}

/// Finds out whether a file may be replaced: one that hog wrote, or any if the user says so.
///
/// # Errors
/// If it is somebody's work.
pub(super) fn may_replace(path: &Path, force: bool) -> anyhow::Result<()> {
    if force || !path.is_file() || is_made_by_hog(path).unwrap_or(false) {
        return Ok(());
    }
    bail!(
        "{} is there already, and hog did not write it: name another file, or replace it with --force",
        path.display()
    )
}
