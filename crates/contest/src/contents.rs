//! The files of a folder that may be strategies, and the choice of the strategy in an entrant's
//! folder.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use encoding_rs::Encoding;

use crate::files::{self, has_extension};
use crate::strategy::ENDINGS;
use crate::strategy::python::{Outline, code, is_notebook};

use super::gradescope::METADATA;
use super::limits;
use super::paths::{
    below, is_archive, is_hidden, is_python, is_unread, is_wanted, name_of, stem, why_unread,
};

/// The function that a Python file must define.
const FUNCTION: &str = "final_strategy";

/// Preferred names if several files define the function, in this order: those of the contest, then
/// of the project. A table with such a name is also taken for the strategy of its folder.
const USUAL: [&str; 5] = ["hog_contest", "contest", "final_strategy", "final", "hog"];

/// Files that come with the course's project.
const OF_THE_PROJECT: [&str; 9] = [
    "dice.py",
    "ucb.py",
    "hog_gui.py",
    "hog_eval.py",
    "hog_ui.py",
    "gui.py",
    "construct_check.py",
    "setup.py",
    "__init__.py",
];

/// How many files a reason names.
const LISTED: usize = 3;
/// A file that may be a strategy.
pub(super) struct FoundFile {
    pub path: PathBuf,
    pub is_link: bool,
    pub outline: Outline,
}

impl FoundFile {
    pub fn new(path: PathBuf, is_link: bool) -> Self {
        match is_link {
            true => Self { path, is_link, outline: Outline::default() },
            false => Self::within(path, &mut { limits::NOTEBOOK_BYTES }),
        }
    }

    /// A regular file, of which at most `left` bytes are read.
    fn within(path: PathBuf, left: &mut u64) -> Self {
        let source = match () {
            () if is_python(&path) => text(&path, left),
            // What is wrong with a notebook is said when it is read.
            () if is_notebook(&path) => notebook(&path, left).ok(),
            () => None,
        };
        Self { path, is_link: false, outline: Outline::of(&source.unwrap_or_default()) }
    }

    pub fn is_strategy(&self) -> bool {
        self.outline.defines(FUNCTION)
    }

    /// Whether the file comes with the course's project.
    pub fn is_given(&self) -> bool {
        OF_THE_PROJECT.contains(&name_of(&self.path).as_str())
    }

    /// Returns the place of its name among the usual ones.
    fn usual(&self) -> Option<usize> {
        USUAL.iter().position(|name| *name == stem(&self.path))
    }
}

/// The files of a folder and its subfolders.
pub(super) struct Contents {
    folder: PathBuf,
    /// Python files that define the function; those with usual names first, then those in the
    /// fewest folders.
    strategies: Vec<FoundFile>,
    /// Other Python files.
    others: Vec<FoundFile>,
    tables: Vec<FoundFile>,
    /// Archives, notebooks and other files that may have been meant as submissions.
    unreadable: Vec<PathBuf>,
    /// What may have been meant as a strategy and is not read: the path, and the reason.
    unread: Vec<String>,
}

impl Contents {
    /// Lists a folder. `links` are the links of an archive, which are not in the folder that it was
    /// unpacked in.
    pub fn of(folder: &Path, links: &[PathBuf]) -> Self {
        let mut paths = Vec::new();
        collect(folder, 0, &mut paths);
        paths.extend(
            links.iter().filter(|link| link.starts_with(folder)).map(|link| (link.clone(), true)),
        );
        let mut files = Vec::new();
        let mut notebooks = Vec::new();
        let mut unread = Vec::new();
        let mut unreadable = Vec::new();
        let unlisted = std::fs::read_dir(folder).err();
        unread.extend(unlisted.map(|error| format!("its folder cannot be read: {error}")));
        let mut left = limits::ALL_TEXT_BYTES;
        for (path, is_link) in paths {
            if !is_link && !is_wanted(&path) {
                unreadable.push(path.clone());
            }
            if let Some(reason) = why_left_out(&path, is_link, &mut left) {
                unread.push(format!("{} {reason}", below(folder, &path)));
            } else if !is_notebook(&path) {
                files.push(FoundFile::within(path, &mut left));
            } else {
                match notebook(&path, &mut left) {
                    Ok(cell) => {
                        let outline = Outline::of(&cell);
                        notebooks.push(FoundFile { path, is_link: false, outline });
                    }
                    Err(reason) => {
                        unread.push(format!("{} cannot be used: {reason}", below(folder, &path)));
                        unreadable.push(path);
                    }
                }
            }
        }
        let (python, tables) =
            files.into_iter().partition::<Vec<FoundFile>, _>(|file| is_python(&file.path));
        let (mut strategies, others) =
            python.into_iter().partition::<Vec<FoundFile>, _>(FoundFile::is_strategy);
        // Beside the .py file that was made of it, a notebook does not count.
        if strategies.is_empty() {
            strategies = notebooks;
        } else {
            unreadable.extend(notebooks.into_iter().map(|notebook| notebook.path));
        }
        strategies.sort_by_key(|file| (file.usual().unwrap_or(USUAL.len()), depth(file)));
        Self { folder: folder.to_owned(), strategies, others, tables, unreadable, unread }
    }

    /// Whether a folder or archive of which nothing is known is the submission of one entrant,
    /// rather than a folder of submissions: it holds a strategy with a usual name, and nothing
    /// else that could be another's work.
    pub fn is_of_one_entrant(&self) -> bool {
        let all_usual = match (&self.strategies[..], &self.tables[..]) {
            ([], [table]) => self.others.is_empty() && self.is_usual(table),
            ([], _) => false,
            (strategies, tables) => {
                tables.is_empty() && strategies.iter().all(|file| self.is_usual(file))
            }
        };
        all_usual && self.unreadable.is_empty()
    }

    /// Whether a file has a usual name, and is in no folder of the folder.
    fn is_usual(&self, file: &FoundFile) -> bool {
        file.usual().is_some() && file.path.parent() == Some(&*self.folder)
    }

    /// Returns the files beside the Python file that would be the strategy if they look like the
    /// work of others, which it could then read: several, or one beside a file without a usual
    /// name.
    pub fn others_work(&self) -> Option<String> {
        let strategy = self.strategies.first()?;
        let tables =
            self.tables.iter().map(|table| &table.path).filter(|_| strategy.usual().is_none());
        let others: Vec<String> = self
            .unreadable
            .iter()
            .chain(tables)
            .filter(|path| path.parent() == strategy.path.parent())
            .map(|path| below(&self.folder, path))
            .collect();
        let most = usize::from(strategy.usual().is_some());
        (others.len() > most).then(|| listed(&others))
    }

    /// Whether it holds several files, folders or archives that could each be the submission of an
    /// entrant.
    pub fn may_be_of_several(&self) -> bool {
        let common = self.common_folder();
        let mut firsts = HashSet::new();
        for path in self.candidates() {
            firsts.extend(path.strip_prefix(&common).ok().and_then(|path| path.iter().next()));
        }
        self.is_export() || firsts.len() > 1
    }

    /// Whether it holds Gradescope's list of submissions, in a folder above all that could be
    /// submissions.
    pub fn is_export(&self) -> bool {
        let common = self.common_folder();
        common
            .ancestors()
            .take_while(|above| above.starts_with(&self.folder))
            .any(|above| above.join(METADATA).is_file())
    }

    /// Returns the deepest folder that holds all that could be submissions.
    fn common_folder(&self) -> PathBuf {
        let folders = self.candidates().filter_map(Path::parent);
        let common = folders.reduce(|one, other| {
            one.ancestors().find(|above| other.starts_with(above)).unwrap_or(one)
        });
        common.unwrap_or(&self.folder).to_owned()
    }

    fn candidates(&self) -> impl Iterator<Item = &Path> {
        let files = self.strategies.iter().chain(&self.tables).map(|file| &*file.path);
        files.chain(self.unreadable.iter().map(PathBuf::as_path))
    }

    /// Returns the strategy of the entrant whose folder this is, or why there is none, and the
    /// helpers beside it.
    pub fn strategy(self) -> (Result<FoundFile, String>, Vec<PathBuf>) {
        let folder = self.folder;
        let mut strategies = self.strategies;
        if let [first, second, ..] = &strategies[..]
            && first.usual() == second.usual()
            && depth(first) == depth(second)
        {
            let reason = format!(
                "more than one file defines `{FUNCTION}`: {}; hand in one",
                shown(&folder, &strategies)
            );
            return (Err(reason), Vec::new());
        }
        if !strategies.is_empty() {
            let chosen = strategies.remove(0);
            return (
                Ok(chosen),
                strategies.into_iter().chain(self.others).map(|file| file.path).collect(),
            );
        }
        let (given, others) =
            self.others.into_iter().partition::<Vec<FoundFile>, _>(FoundFile::is_given);
        let mut others = if others.is_empty() { given } else { others };
        let mut tables = self.tables;
        let reason = match (&others[..], &tables[..]) {
            ([], [_]) => return (Ok(tables.remove(0)), Vec::new()),
            ([_], []) => return (Ok(others.remove(0)), Vec::new()),
            // The project's hog.py, without a strategy in it.
            ([file], [_]) if stem(&file.path) == "hog" => {
                return (Ok(tables.remove(0)), Vec::new());
            }
            ([], []) if self.unread.is_empty() => {
                format!(
                    "it holds no strategy: no file that ends in .py, .ipynb or .{}",
                    ENDINGS.join(", .")
                )
            }
            ([], []) => format!("it holds no strategy: {}", listed(&self.unread)),
            ([], _) => {
                let tables = shown(&folder, &tables);
                format!("which of its files is the strategy: {tables}? hand in one")
            }
            _ => format!("no file defines `{FUNCTION}`: it holds {}", shown(&folder, &others)),
        };
        (Err(reason), Vec::new())
    }
}

/// Returns why a file is not read as a strategy, if its kind tells. What is read of it is
/// subtracted from what is `left`.
fn why_left_out(path: &Path, is_link: bool, left: &mut u64) -> Option<String> {
    if is_link {
        Some("is a link, and links are not followed; hand in the file itself".into())
    } else if is_archive(path) {
        Some("is an archive in its folder; hand in the files in it".into())
    } else if is_unread(path) {
        Some(why_unread(path))
    } else if !is_notebook(path) && !is_python(path) && !may_have_rolls(path, left) {
        Some("has no rolls".into())
    } else {
        None
    }
}

fn shown(folder: &Path, files: &[FoundFile]) -> String {
    let names: Vec<String> = files.iter().map(|file| below(folder, &file.path)).collect();
    listed(&names)
}

/// Joins names; of many only the first.
fn listed(names: &[String]) -> String {
    match names.get(LISTED..) {
        Some([_, ..]) => {
            format!("{} and {} more", names[..LISTED].join(", "), names.len() - LISTED)
        }
        _ => names.join(", "),
    }
}

fn depth(file: &FoundFile) -> usize {
    file.path.components().count()
}

/// Paths, each with whether it is a link.
pub(super) type Listing = Vec<(PathBuf, bool)>;

/// Lists the folders, and the files that may be, or may have been meant as, strategies, of a folder
/// in ascending order, without hidden entries.
pub(super) fn listing(folder: &Path) -> std::io::Result<(Listing, Listing)> {
    let mut folders = Vec::new();
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let kind = entry.file_type()?;
        if is_hidden(&entry.file_name().to_string_lossy()) {
            continue;
        }
        let is_link = kind.is_symlink();
        if kind.is_dir() || (is_link && path.is_dir()) {
            folders.push((path, is_link));
        } else if kind.is_file() || is_link {
            found.extend(is_seen(&path).then_some((path, is_link)));
        }
    }
    folders.sort();
    found.sort();
    Ok((folders, found))
}

/// Lists the regular files of a folder that [`listing`] leaves out because of their names, in
/// ascending order, without hidden ones.
pub(super) fn unseen(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && !is_seen(&path) && !is_hidden(&entry.file_name().to_string_lossy()) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Whether the name is that of a file that may be, or may have been meant as, a strategy or a
/// submission.
pub(super) fn is_seen(path: &Path) -> bool {
    is_wanted(path) || is_archive(path) || is_unread(path)
}

/// Collects the archives, notebooks and files of a submission that may be strategies, and its
/// links, each folder's before its subfolders'.
fn collect(folder: &Path, depth: usize, found: &mut Listing) {
    let Ok((folders, files)) = listing(folder) else { return };
    found.extend(files);
    for (inner, is_link) in folders {
        if is_link {
            found.push((inner, true));
        } else if depth < limits::DEPTH && found.len() < limits::LISTED_FILES {
            collect(&inner, depth + 1, found);
        }
    }
}

/// Returns false for a text, such as a readme, that has no line of rolls. Other tables, and large
/// files, may have some.
pub(super) fn may_have_rolls(path: &Path, left: &mut u64) -> bool {
    if !has_extension(path, "txt") && !has_extension(path, "strat") {
        return true;
    }
    text(path, left).is_none_or(|text| text.lines().any(has_rolls))
}

fn has_rolls(line: &str) -> bool {
    line.contains(|c: char| c.is_ascii_digit())
        && line.chars().all(|c| c.is_ascii_digit() || c.is_whitespace() || "aA,;-".contains(c))
}

/// Reads a text, and subtracts its length from what is `left` to be read. Returns `None` for one
/// that is too large.
fn text(path: &Path, left: &mut u64) -> Option<String> {
    let bytes = files::read_without_links(path, limits::TEXT_BYTES.min(*left)).ok()?;
    *left -= bytes.len() as u64;
    Some(decoded(&bytes))
}

/// Decodes a text as Python reads it: in the encoding that a comment in its first two lines
/// declares (PEP 263), otherwise as UTF-8.
fn decoded(bytes: &[u8]) -> String {
    let mut first_lines = bytes.splitn(3, |byte| *byte == b'\n').take(2);
    let declared = first_lines.find_map(|line| declared_encoding(&String::from_utf8_lossy(line)));
    declared.unwrap_or(encoding_rs::UTF_8).decode(bytes).0.into_owned()
}

/// Returns the encoding that a comment declares.
fn declared_encoding(line: &str) -> Option<&'static Encoding> {
    let rest = line.trim_start().strip_prefix('#')?.split_once("coding")?.1;
    let name = rest.strip_prefix([':', '='])?.trim_start();
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c));
    let name = name[..end.unwrap_or(name.len())].to_lowercase();
    // Names that only Python has.
    let label = match name.replace('_', "-").as_str() {
        "latin-1" | "iso-latin-1" => "latin1",
        "cp936" => "gbk",
        _ => &name,
    };
    Encoding::for_label(label.as_bytes())
}

/// Returns the code of a notebook that the function needs, and subtracts the notebook's length
/// from what is `left`.
fn notebook(path: &Path, left: &mut u64) -> Result<String, String> {
    let bytes = files::read_without_links(path, limits::NOTEBOOK_BYTES.min(*left))
        .map_err(|error| error.to_string())?;
    *left -= bytes.len() as u64;
    Ok(code(&bytes, FUNCTION)?.text)
}
