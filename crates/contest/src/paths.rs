//! Classification and display of file names.

use std::path::{Path, PathBuf};

use crate::files::has_extension;
use crate::strategy::ENDINGS;
use crate::strategy::python::is_notebook;

/// Whether the name is that of a hidden file or folder, or of one that tools create for their own
/// use.
pub(super) fn is_hidden(name: &str) -> bool {
    name.starts_with('.') || ["__pycache__", "__MACOSX", "node_modules"].contains(&name)
}

/// Whether the file has an extension of strategies. JSON in a folder is more often the results of a
/// contest, or data of a tool.
pub(super) fn is_wanted(path: &Path) -> bool {
    let is_table = ENDINGS.iter().any(|ending| *ending != "json" && has_extension(path, ending));
    is_table || is_python(path) || is_notebook(path)
}

/// Whether the file has the extension of Python.
pub(super) fn is_python(path: &Path) -> bool {
    has_extension(path, "py")
}

/// Whether the file has the extension of archives.
pub(super) fn is_archive(path: &Path) -> bool {
    has_extension(path, "zip")
}

/// The endings of files that may have been meant as a submission and cannot be read: other
/// archives, texts of word processors, other names for Python.
const UNREAD: [&str; 13] =
    ["tar", "gz", "tgz", "bz2", "xz", "rar", "7z", "doc", "docx", "odt", "rtf", "py3", "pyw"];

/// Whether the file may have been meant as a submission, and is not read.
pub(super) fn is_unread(path: &Path) -> bool {
    let is_spaced = path
        .extension()
        .is_some_and(|ending| ending.to_string_lossy().trim_end().eq_ignore_ascii_case("py"));
    UNREAD.iter().any(|ending| has_extension(path, ending)) || (is_spaced && !is_python(path))
}

/// Returns why such a file is not read.
pub(super) fn why_unread(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    format!(
        "ends in `.{ending}`, which is not read; hand in a .py file, a notebook, a table or a \
         .zip archive"
    )
}

/// Returns the last component of a path, as text.
pub(super) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Returns [`name_of`] without the extension.
pub(super) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Returns a path relative to a folder, for display.
pub(super) fn below(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

/// Returns the name of the folder of a file, unless the path does not name one.
pub(super) fn folder_of(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty())?;
    let name = match folder.file_name() {
        Some(name) => name.to_owned(),
        // `.` and `..` have no names of their own.
        None => folder.canonicalize().ok()?.file_name()?.to_owned(),
    };
    Some(name.to_string_lossy().into_owned())
}

/// Returns a path with its links followed; as it is if it leads nowhere.
pub(super) fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Returns a path of which no part is a link, so that nobody who owns a part can lead it elsewhere
/// unnoticed.
pub(super) fn without_links(path: &Path) -> PathBuf {
    let path = identity(path);
    if path.is_symlink() { real(&path) } else { path }
}

/// Returns a path that is the same however the file's folder is written. Links to one file remain
/// different.
pub(super) fn identity(path: &Path) -> PathBuf {
    let Some(name) = path.file_name() else { return real(path) };
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    real(parent.unwrap_or(Path::new("."))).join(name)
}
