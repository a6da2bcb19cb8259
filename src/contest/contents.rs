//! The files of a folder that may be strategies, and the choice of the strategy in an entrant's folder.

use std::path::{Path, PathBuf};

use crate::files::{self, has_extension};
use crate::strategy::ENDINGS;
use crate::strategy::python::{cell, is_notebook};

use super::outline::Outline;
use super::paths::{below, is_archive, is_hidden, is_python, is_unread, is_wanted, name_of, stem, why_unread};

/// The function that a Python file must define.
const FUNCTION: &str = "final_strategy";

/// Preferred names if several files define the function, in this order: those of the contest, then of the project.
/// A table with such a name is also taken for the strategy of its folder.
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

/// The largest file whose outline is read, in bytes. A larger one can still take part if it is the only one.
const LARGEST_TEXT: u64 = 2 << 20;

/// The largest notebook that is read, in bytes; they hold pictures.
const LARGEST_NOTEBOOK: u64 = 16 << 20;

/// The limits on a submission: the depth of its folders, and the number of files after which no more folders are read.
pub(super) const DEEPEST: usize = 6;
const MOST_FILES: usize = 500;

/// A file that may be a strategy.
pub(super) struct FoundFile {
    pub path: PathBuf,
    pub is_link: bool,
    pub outline: Outline,
}

impl FoundFile {
    pub fn new(path: PathBuf, is_link: bool) -> Self {
        let outline = match () {
            () if is_link => Outline::default(),
            () if is_python(&path) => outline(&path),
            // What is wrong with a notebook is said when it is read.
            () if is_notebook(&path) => notebook(&path).map(|cell| Outline::of(&cell)).unwrap_or_default(),
            () => Outline::default(),
        };
        Self { path, is_link, outline }
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
    /// Python files that define the function; those with usual names first, then those in the fewest folders.
    strategies: Vec<FoundFile>,
    /// Other Python files.
    others: Vec<FoundFile>,
    tables: Vec<FoundFile>,
    /// The number of archives, which are not read.
    archives: usize,
    /// What may have been meant as a strategy and is not read: the path, and the reason.
    unread: Vec<String>,
}

impl Contents {
    pub fn of(folder: &Path) -> Self {
        let mut paths = Vec::new();
        collect(folder, 0, &mut paths);
        let archives = paths.iter().filter(|(path, is_link)| !is_link && is_archive(path)).count();
        let (mut files, mut notebooks, mut unread) = (Vec::new(), Vec::new(), Vec::new());
        for (path, is_link) in paths {
            let reason = match () {
                () if is_link => "is a link, and links are not followed; hand in the file itself".into(),
                () if is_archive(&path) => "is an archive in its folder; hand in the files in it".into(),
                () if is_unread(&path) => why_unread(&path),
                () if is_notebook(&path) => match notebook(&path) {
                    Err(reason) => format!("cannot be used: {reason}"),
                    Ok(cell) => {
                        let outline = Outline::of(&cell);
                        notebooks.push(FoundFile { path, is_link: false, outline });
                        continue;
                    }
                },
                () if !is_python(&path) && !may_have_rolls(&path) => "has no rolls".into(),
                () => {
                    files.push(FoundFile::new(path, false));
                    continue;
                }
            };
            unread.push(format!("{} {reason}", below(folder, &path)));
        }
        let (python, tables): (Vec<FoundFile>, Vec<FoundFile>) =
            files.into_iter().partition(|file| is_python(&file.path));
        let (mut strategies, others): (Vec<FoundFile>, Vec<FoundFile>) =
            python.into_iter().partition(FoundFile::is_strategy);
        // Beside the .py file that was made of it, a notebook does not count.
        if strategies.is_empty() {
            strategies = notebooks;
        }
        strategies.sort_by_key(|file| (file.usual().unwrap_or(USUAL.len()), depth(file)));
        Self { folder: folder.to_owned(), strategies, others, tables, archives, unread }
    }

    /// Whether the folder is the submission of one entrant, rather than a folder of submissions: it holds a strategy
    /// with a usual name, and nothing else that could be one. If it is `among_others`, tables and an archive beside a
    /// Python file with a usual name belong to it, and a folder with at most one strategy, whatever its name, is also
    /// the submission of one entrant.
    pub fn is_of_one_entrant(&self, among_others: bool) -> bool {
        let is_usual = |file: &FoundFile| file.usual().is_some() && file.path.parent() == Some(&*self.folder);
        let (tables, archives) = (self.tables.len(), self.archives);
        match &self.strategies[..] {
            [] if tables == 1 && archives == 0 && self.others.is_empty() && is_usual(&self.tables[0]) => true,
            [] => {
                let others = self.others.iter().filter(|file| !file.is_given()).count();
                among_others && tables + others + archives <= 1
            }
            [_] if among_others && tables + archives == 0 => true,
            strategies => {
                let is_alone = tables + archives == 0 || (among_others && archives <= 1);
                is_alone && strategies.iter().all(is_usual)
            }
        }
    }

    /// Returns the strategy of the entrant whose folder this is, or why there is none, and the helpers beside it.
    pub fn strategy(self) -> (Result<FoundFile, String>, Vec<PathBuf>) {
        let folder = self.folder;
        let shown =
            |files: &[FoundFile]| files.iter().map(|file| below(&folder, &file.path)).collect::<Vec<_>>().join(", ");
        let mut strategies = self.strategies;
        if let [first, second, ..] = &strategies[..]
            && first.usual() == second.usual()
            && depth(first) == depth(second)
        {
            let reason = format!("more than one file defines `{FUNCTION}`: {}; hand in one", shown(&strategies));
            return (Err(reason), Vec::new());
        }
        if !strategies.is_empty() {
            let chosen = strategies.remove(0);
            return (Ok(chosen), strategies.into_iter().chain(self.others).map(|file| file.path).collect());
        }
        let (given, others): (Vec<FoundFile>, Vec<FoundFile>) = self.others.into_iter().partition(FoundFile::is_given);
        let mut others = if others.is_empty() { given } else { others };
        let mut tables = self.tables;
        let reason = match (&others[..], &tables[..]) {
            ([], [_]) => return (Ok(tables.remove(0)), Vec::new()),
            ([_], []) => return (Ok(others.remove(0)), Vec::new()),
            // The project's hog.py, without a strategy in it.
            ([file], [_]) if stem(&file.path) == "hog" => return (Ok(tables.remove(0)), Vec::new()),
            ([], []) if self.unread.is_empty() => {
                format!("it holds no strategy: no file that ends in .py, .ipynb or .{}", ENDINGS.join(", ."))
            }
            ([], []) => format!("it holds no strategy: {}", self.unread.join(", ")),
            ([], _) => format!("which of its files is the strategy: {}? hand in one", shown(&tables)),
            _ => format!("no file defines `{FUNCTION}`: it holds {}", shown(&others)),
        };
        (Err(reason), Vec::new())
    }
}

fn depth(file: &FoundFile) -> usize {
    file.path.components().count()
}

/// Paths, each with whether it is a link.
pub(super) type Listing = Vec<(PathBuf, bool)>;

/// Lists the folders, and the files that may be, or may have been meant as, strategies, of a folder in ascending order,
/// without hidden entries.
pub(super) fn listing(folder: &Path) -> std::io::Result<(Listing, Listing)> {
    let (mut folders, mut found) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        if is_hidden(&entry.file_name().to_string_lossy()) {
            continue;
        }
        let is_link = kind.is_symlink();
        if kind.is_dir() || (is_link && path.is_dir()) {
            folders.push((path, is_link));
        } else if kind.is_file() || is_link {
            let is_seen = is_wanted(&path) || is_archive(&path) || is_unread(&path);
            found.extend(is_seen.then_some((path, is_link)));
        }
    }
    folders.sort();
    found.sort();
    Ok((folders, found))
}

/// Collects the archives, notebooks and files of a submission that may be strategies, and its links, each folder's
/// before its subfolders'.
fn collect(folder: &Path, depth: usize, found: &mut Listing) {
    let Ok((folders, files)) = listing(folder) else { return };
    found.extend(files);
    for (inner, is_link) in folders {
        if is_link {
            found.push((inner, true));
        } else if depth < DEEPEST && found.len() < MOST_FILES {
            collect(&inner, depth + 1, found);
        }
    }
}

/// Returns false for a text, such as a readme, that has no line of rolls. Other tables, and large files, may have some.
fn may_have_rolls(path: &Path) -> bool {
    if !has_extension(path, "txt") && !has_extension(path, "strat") {
        return true;
    }
    let is_roll = |c: char| c.is_ascii_digit() || c.is_whitespace() || "aA,;-".contains(c);
    let has_rolls = |line: &str| line.contains(|c: char| c.is_ascii_digit()) && line.chars().all(is_roll);
    files::read(path, LARGEST_TEXT).map_or(true, |bytes| String::from_utf8_lossy(&bytes).lines().any(has_rolls))
}

/// Returns the cell of a notebook that defines the function.
fn notebook(path: &Path) -> Result<String, String> {
    let bytes = files::read(path, LARGEST_NOTEBOOK).map_err(|error| error.to_string())?;
    cell(&bytes, FUNCTION)
}

fn outline(path: &Path) -> Outline {
    let bytes = files::read(path, LARGEST_TEXT).unwrap_or_default();
    Outline::of(&String::from_utf8_lossy(&bytes))
}
