//! What the names of files say.

use std::path::Path;

use crate::strategy::ENDINGS;

/// Files and folders that programs keep for themselves.
pub(super) fn is_hidden(name: &str) -> bool {
    name.starts_with('.') || ["__pycache__", "__MACOSX", "node_modules"].contains(&name)
}

/// Whether its name is that of a strategy.
pub(super) fn is_wanted(path: &Path) -> bool {
    is_python(path) || ENDINGS.iter().any(|ending| has_ending(path, ending))
}

/// Whether its name is that of a Python file.
pub(super) fn is_python(path: &Path) -> bool {
    has_ending(path, "py")
}

pub(super) fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

/// The last part of a path, as text.
pub(super) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// [`name_of`] without its ending.
pub(super) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A path from a folder on, for people.
pub(super) fn below(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}
