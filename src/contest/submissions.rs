//! Submissions: files, folders of files, and folders or archives with a folder for each entrant, as Gradescope and
//! GitHub Classroom make them.
//!
//! Hidden files and `__pycache__` are ignored, and so are helpers: Python files that do not define `final_strategy` and
//! that another file of the folder imports, or that come with the course's project. Links are refused, since they may
//! lead to another entrant's work.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::files;
use crate::strategy::python::PythonFile;
use crate::strategy::{ENDINGS, Strategy};

use super::archive::{Unpacked, unpack};
use super::gradescope::{METADATA, Submitter, submitters};
use super::naming::clean;
use super::outline::Outline;
use super::paths::{below, has_ending, is_hidden, is_python, is_wanted, name_of, stem};

/// A submission, before its strategy is read.
#[derive(Debug)]
pub(super) struct Submission {
    /// The name to use if there is no better one: that of its folder, its file without the extension, or its strategy.
    pub label: String,
    /// The path of its file for display, relative to what the user named.
    pub file: Option<String>,
    /// Texts by which a roster may identify it, in lower case.
    pub keys: Vec<String>,
    pub submitters: Vec<Submitter>,
    /// The outline of its file, if it is Python.
    pub outline: Outline,
    /// The strategy and its file, or the reason why it cannot take part.
    pub strategy: Result<(Strategy, Option<PathBuf>), String>,
}

/// All submissions.
#[derive(Debug, Default)]
pub(super) struct Submissions {
    pub all: Vec<Submission>,
    /// Python files that were ignored as helpers.
    pub helpers: Vec<String>,
    /// The folders of unpacked archives, which are removed when this is dropped.
    unpacked: Vec<TempDir>,
    /// The folder to unpack archives in; `None` for the system's temporary folder.
    unpack_in: Option<PathBuf>,
}

/// The function that a Python file must define.
const FUNCTION: &str = "final_strategy";

/// Preferred names if several files define the function, in this order: those of the contest, then of the project.
const USUAL: [&str; 5] = ["hog_contest.py", "contest.py", "final_strategy.py", "final.py", "hog.py"];

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

/// The limits on a submission: the depth of its folders, and the number of files after which no more folders are read.
const DEEPEST: usize = 6;
const MOST_FILES: usize = 500;

const LINK: &str = "it is a link to something else; hand in the file itself";

/// A file that may be a strategy.
struct FoundFile {
    path: PathBuf,
    is_link: bool,
    outline: Outline,
}

impl FoundFile {
    fn new(path: PathBuf, is_link: bool) -> Self {
        let outline = if is_python(&path) && !is_link { outline(&path) } else { Outline::default() };
        Self { path, is_link, outline }
    }

    fn is_strategy(&self) -> bool {
        self.outline.defines(FUNCTION)
    }

    /// Whether the file comes with the course's project.
    fn is_given(&self) -> bool {
        OF_THE_PROJECT.contains(&name_of(&self.path).as_str())
    }
}

impl Submissions {
    /// Starts without submissions; archives are unpacked in the folder, or in the system's temporary folder if `None`.
    pub fn unpacking_in(folder: Option<PathBuf>) -> Self {
        Self { unpack_in: folder, ..Self::default() }
    }

    /// Adds a file, a folder or an archive, except for the files of `skip` (a roster, results of an earlier run).
    pub fn add(&mut self, path: &Path, skip: &[PathBuf]) -> Result<(), String> {
        if path.is_dir() {
            self.folder(&self.root(path, false), skip)
        } else if has_ending(path, "zip") {
            let Unpacked { folder, damaged } = unpack(path, self.unpack_in.as_deref())?;
            let (root, first) = (self.root(folder.path(), true), self.all.len());
            self.folder(&root, skip)?;
            // In reverse order, so that the first of several reasons is kept.
            for (place, reason) in damaged.into_iter().rev() {
                self.refuse(first, (&root, &folder.path().join(place)), reason)?;
            }
            self.unpacked.push(folder);
            Ok(())
        } else {
            let parent = path.parent().unwrap_or(Path::new("")).to_owned();
            self.all.push(submission(&parent, FoundFile::new(path.to_owned(), false), stem(path)));
            Ok(())
        }
    }

    /// Makes sure that no entrant can read another's file, or one of the instructor's files `foreign`: a Python file may
    /// read the files of its folder only if the folder contains none of these.
    pub fn isolate(&mut self, foreign: &[PathBuf]) {
        let full = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let files = |one: &Submission| one.strategy.as_ref().ok().and_then(|(_, path)| path.as_deref().map(full));
        let mut all: Vec<PathBuf> = self.all.iter().filter_map(files).collect();
        all.extend(foreign.iter().map(|path| full(path)));
        all.sort();
        all.dedup();
        for one in &mut self.all {
            let Ok((Strategy::Python(file), Some(path))) = &mut one.strategy else { continue };
            let path = full(path);
            let folder = path.parent().unwrap_or(&path);
            // In sorted order, the files of a folder are consecutive.
            let from = all.partition_point(|other| other.as_path() < folder);
            if all[from..].iter().take(2).filter(|other| other.starts_with(folder)).count() > 1 {
                *file = file.clone().alone();
            }
        }
    }

    /// Labels files with the same name by their folders, for example `hog.py` in several folders that were named.
    pub fn distinguish(&mut self) {
        let mut called: HashMap<String, usize> = HashMap::new();
        for one in &self.all {
            *called.entry(one.label.clone()).or_default() += 1;
        }
        for one in self.all.iter_mut().filter(|one| called[&one.label] > 1) {
            let Ok((_, Some(path))) = &one.strategy else { continue };
            let path = path.canonicalize().unwrap_or_else(|_| path.clone());
            let Some(folder) = path.parent().filter(|folder| self.unpacked.iter().all(|own| own.path() != *folder))
            else {
                continue;
            };
            if let Some(name) = folder.file_name().map(|name| name.to_string_lossy().into_owned()) {
                one.keys.push(name.to_lowercase());
                one.label = name;
            }
        }
    }

    /// Adds a folder as the submission of a single entrant.
    pub fn add_one(&mut self, path: &Path) {
        let root = path.parent().unwrap_or(Path::new("")).to_owned();
        let found = self.entrant(&root, path);
        self.all.push(found);
    }

    /// Refuses the submission to which an archive's damaged entry belongs by its path, among those from index `first` on.
    /// Returns the reason as an error if the entry is Gradescope's list of submitters.
    fn refuse(&mut self, first: usize, (root, full): (&Path, &Path), reason: String) -> Result<(), String> {
        let place = full.strip_prefix(root).unwrap_or(Path::new(""));
        let Some(name) = place.components().next().map(|part| part.as_os_str().to_string_lossy()) else {
            self.all.push(refused("nameless".into(), reason));
            return Ok(());
        };
        if place == Path::new(METADATA) {
            return Err(reason);
        }
        if place.components().count() == 1 && !is_wanted(place) && !full.is_dir() {
            return Ok(());
        }
        let is_of = |one: &&mut Submission| {
            one.file.as_ref().is_some_and(|file| file.split(std::path::is_separator).next() == Some(&*name))
        };
        match self.all[first..].iter_mut().find(is_of) {
            Some(found) => found.strategy = Err(reason),
            None => self.all.push(refused(clean(&name), reason)),
        }
        Ok(())
    }

    /// Finds the folder that contains the submissions: exports may wrap them in a single folder.
    fn root(&self, path: &Path, is_archive: bool) -> PathBuf {
        let mut root = path.to_owned();
        for _ in 0..DEEPEST {
            let (folders, files) = listing(&root).unwrap_or_default();
            let ([(only, false)], []) = (&folders[..], &files[..]) else { break };
            let inner = listing(only).unwrap_or_default();
            let is_wrapper = is_archive || inner.0.len() > 1 || only.join(METADATA).is_file();
            if !is_wrapper {
                break;
            }
            root.clone_from(only);
        }
        root
    }

    fn folder(&mut self, root: &Path, skip: &[PathBuf]) -> Result<(), String> {
        let (mut folders, files) = listing(root).map_err(|error| error.to_string())?;
        folders.retain(|(path, _)| !is_skipped(path, skip));
        let mut people = submitters(root);
        if !root.join(METADATA).is_file() {
            let wanted = files.into_iter().filter(|(path, _)| !is_skipped(path, skip));
            let candidates = wanted.map(|(path, is_link)| FoundFile::new(path, is_link)).collect();
            for candidate in self.without_helpers(root, candidates) {
                let label = stem(&candidate.path);
                self.all.push(submission(root, candidate, label));
            }
        }
        let assignment = assignment(&folders);
        for (folder, is_link) in folders {
            let label = name_of(&folder);
            let mut found = if is_link { refused(label.clone(), LINK.into()) } else { self.entrant(root, &folder) };
            if let Some(user) = label.strip_prefix(&assignment).filter(|user| !user.is_empty()) {
                found.label = user.to_owned();
            }
            found.submitters = people.remove(&label).unwrap_or_default();
            found.keys = keys(&label, &found);
            self.all.push(found);
        }
        Ok(())
    }

    /// Finds the strategy in an entrant's folder.
    fn entrant(&mut self, root: &Path, folder: &Path) -> Submission {
        let label = name_of(folder);
        let mut paths = Vec::new();
        collect(folder, 0, &mut paths);
        let candidates: Vec<FoundFile> = paths.into_iter().map(|(path, link)| FoundFile::new(path, link)).collect();
        let (python, tables): (Vec<FoundFile>, Vec<FoundFile>) =
            candidates.into_iter().partition(|candidate| is_python(&candidate.path));
        let (mut strategies, others): (Vec<FoundFile>, Vec<FoundFile>) =
            python.into_iter().partition(FoundFile::is_strategy);
        let shown = |candidates: &[FoundFile]| {
            candidates.iter().map(|candidate| below(folder, &candidate.path)).collect::<Vec<_>>().join(", ")
        };
        let depth = |candidate: &FoundFile| candidate.path.components().count();
        let usual = |candidate: &FoundFile| USUAL.iter().position(|name| *name == name_of(&candidate.path));
        strategies.sort_by_key(|candidate| (usual(candidate).unwrap_or(USUAL.len()), depth(candidate)));
        if let [first, second, ..] = &strategies[..]
            && usual(first).is_none()
            && depth(first) == depth(second)
        {
            let reason = format!("more than one file defines `{FUNCTION}`: {}; hand in one", shown(&strategies));
            return refused(label, reason);
        }
        let chosen = if strategies.is_empty() { None } else { Some(strategies.remove(0)) };
        self.helpers.extend(others.iter().filter(|_| chosen.is_some()).map(|helper| below(root, &helper.path)));
        let (given, others): (Vec<FoundFile>, Vec<FoundFile>) = others.into_iter().partition(FoundFile::is_given);
        let others = if others.is_empty() { given } else { others };
        let reason = match (chosen, &others[..], &tables[..]) {
            (Some(strategy), ..) => return submission(root, strategy, label),
            (None, [], [_]) => return submission(root, tables.into_iter().next().expect("there is one"), label),
            (None, [_], []) => return submission(root, others.into_iter().next().expect("there is one"), label),
            (None, [], []) => format!("it holds no strategy: no file that ends in .py or .{}", ENDINGS.join(", .")),
            (None, [], _) => format!("which of its files is the strategy: {}? hand in one", shown(&tables)),
            (None, _, _) => format!("no file defines `{FUNCTION}`: it holds {}", shown(&others)),
        };
        refused(label, reason)
    }

    /// Removes the helpers among the files of a folder, and records them.
    fn without_helpers(&mut self, root: &Path, candidates: Vec<FoundFile>) -> Vec<FoundFile> {
        let any = candidates.iter().any(FoundFile::is_strategy);
        let imported = |helper: &FoundFile| {
            let module = stem(&helper.path);
            candidates.iter().any(|other| other.path != helper.path && other.outline.imports(&module))
        };
        let is_helper = |candidate: &FoundFile| {
            let helps = candidate.is_given() || imported(candidate);
            is_python(&candidate.path) && any && !candidate.is_strategy() && helps
        };
        let helping: Vec<bool> = candidates.iter().map(is_helper).collect();
        let mut strategies = Vec::new();
        for (candidate, helps) in candidates.into_iter().zip(helping) {
            match helps {
                true => self.helpers.push(below(root, &candidate.path)),
                false => strategies.push(candidate),
            }
        }
        strategies
    }
}

/// Makes the submission of a strategy given by its name.
pub(super) fn by_name(name: &str, strategy: Strategy) -> Submission {
    Submission {
        label: name.to_owned(),
        file: None,
        keys: Vec::new(),
        submitters: Vec::new(),
        outline: Outline::default(),
        strategy: Ok((strategy, None)),
    }
}

fn submission(root: &Path, candidate: FoundFile, label: String) -> Submission {
    let FoundFile { path, is_link, outline } = candidate;
    let file = Some(below(root, &path));
    let python = || Strategy::Python(PythonFile::new(&path));
    let strategy = if is_python(&path) { python() } else { Strategy::Table(path.clone()) };
    let strategy = if is_link { Err(LINK.to_owned()) } else { Ok((strategy, Some(path))) };
    let keys = vec![label.to_lowercase()];
    Submission { label, file, keys, submitters: Vec::new(), outline, strategy }
}

fn refused(label: String, reason: String) -> Submission {
    let keys = vec![label.to_lowercase()];
    let (file, outline) = (Some(label.clone()), Outline::default());
    Submission { label, file, keys, submitters: Vec::new(), outline, strategy: Err(reason) }
}

/// Returns the texts by which a roster may identify a folder: its name, the part of it after each hyphen (GitHub
/// Classroom puts the assignment in front), its number at Gradescope, and its submitters.
fn keys(folder: &str, found: &Submission) -> Vec<String> {
    let folder = folder.to_lowercase();
    let people = found.submitters.iter();
    let mut keys: Vec<String> = people.flat_map(|person| person.keys.iter().cloned()).collect();
    keys.extend(found.submitters.iter().map(|person| person.name.to_lowercase()));
    keys.extend([found.label.to_lowercase(), folder.trim_start_matches("submission_").to_owned()]);
    keys.extend(folder.match_indices('-').map(|(at, _)| folder[at + 1..].to_owned()));
    keys.push(folder);
    keys.retain(|key| !key.is_empty());
    keys
}

/// Returns the common prefix `ASSIGNMENT-` of folders that are clones made by GitHub Classroom, otherwise an empty text.
fn assignment(folders: &[(PathBuf, bool)]) -> String {
    let clones = folders.iter().all(|(folder, _)| folder.join(".git").exists());
    let names: Vec<String> = folders.iter().map(|(folder, _)| name_of(folder)).collect();
    let [first, _, ..] = &names[..] else { return String::new() };
    let prefixes = first.match_indices('-').rev().map(|(at, _)| &first[..=at]);
    let shared = prefixes.filter(|_| clones).find(|prefix| names.iter().all(|name| name.starts_with(prefix)));
    shared.unwrap_or_default().to_owned()
}

/// The folders, and the files that may be strategies, each with whether it is a link.
type Listing = (Vec<(PathBuf, bool)>, Vec<(PathBuf, bool)>);

/// Lists a folder in ascending order, without hidden entries.
fn listing(folder: &Path) -> std::io::Result<Listing> {
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
        } else if (kind.is_file() || is_link) && is_wanted(&path) {
            found.push((path, is_link));
        }
    }
    folders.sort();
    found.sort();
    Ok((folders, found))
}

/// Collects the files of a submission that may be strategies, each folder's before its subfolders'. Links are ignored.
fn collect(folder: &Path, depth: usize, found: &mut Vec<(PathBuf, bool)>) {
    let Ok((folders, files)) = listing(folder) else { return };
    found.extend(files.into_iter().filter(|(_, is_link)| !is_link));
    for (inner, _) in folders.into_iter().filter(|(_, is_link)| !is_link) {
        if depth < DEEPEST && found.len() < MOST_FILES {
            collect(&inner, depth + 1, found);
        }
    }
}

fn is_skipped(path: &Path, skip: &[PathBuf]) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    skip.iter().any(|other| other.file_name() == path.file_name() && real(other) == real(path))
}

fn outline(path: &Path) -> Outline {
    let bytes = files::read(path, LARGEST_TEXT).unwrap_or_default();
    Outline::of(&String::from_utf8_lossy(&bytes))
}
