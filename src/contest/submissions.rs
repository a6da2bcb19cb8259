//! Submissions: files, folders of files, and folders or archives with a folder or an archive for each entrant, as
//! Gradescope and GitHub Classroom make them.
//!
//! Hidden files and `__pycache__` are ignored, and so are helpers: Python files that do not define `final_strategy` and
//! that another file of the folder imports, or that come with the course's project. Links are refused, since they may
//! lead to another entrant's work.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::strategy::Strategy;
use crate::strategy::python::PythonFile;
use crate::strategy::python::is_notebook;

use super::archive::{MOST_UNPACKED, Unpacked, unpack};
use super::contents::{Contents, DEEPEST, FoundFile, Listing, listing};
use super::gradescope::{Listed, METADATA, list};
use super::keys::{Collected, SharedPrefix};
use super::naming::clean;
use super::outline::Outline;
use super::paths::{
    below, folder_of, identity, is_archive, is_python, is_unread, is_wanted, name_of, real, stem, why_unread,
};

/// A submission, before its strategy is read.
#[derive(Debug)]
pub(super) struct Submission {
    /// The name to use if there is no better one: that of its folder, its file without the extension, or its strategy.
    pub label: String,
    /// The path of its file for display, relative to what the user named.
    pub file: Option<String>,
    /// Where its file is, unless it is in a folder or archive of its own, after which it is called.
    place: Option<FilePlace>,
    /// What the system that collected it wrote into its name.
    pub collected: Collected,
    /// What Gradescope's list says of it.
    pub listed: Listed,
    /// The outline of its file, if it is Python.
    pub outline: Outline,
    /// The strategy and its file, or the reason why it cannot take part.
    pub strategy: Result<(Strategy, Option<PathBuf>), String>,
}

/// The names of a file and of its folder.
#[derive(Clone, Debug)]
struct FilePlace {
    /// The folder, or the archive, if the user named or sent one.
    folder: Option<String>,
    /// The file, with its extension.
    file: String,
}

/// All submissions.
#[derive(Debug, Default)]
pub(super) struct Submissions {
    pub all: Vec<Submission>,
    /// Python files that do not take part: helpers, and other files of an entrant beside the chosen one.
    pub helpers: Vec<String>,
    /// Gradescope's list of the folders in a folder, without those that were added.
    lists: HashMap<PathBuf, HashMap<String, Listed>>,
    /// The folders of unpacked archives, which are removed when this is dropped.
    unpacked: Vec<TempDir>,
    /// The folder to unpack archives in; `None` for the system's temporary folder.
    unpack_in: Option<PathBuf>,
    /// A folder that the user did not name, although its path is part of the files' paths.
    sent_in: Option<PathBuf>,
}

const LINK: &str = "it is a link to something else; hand in the file itself";

impl Submissions {
    /// Starts without submissions. Archives are unpacked in the folder `unpack_in`, or in the system's temporary folder
    /// if `None`. No submission is called after the folder `sent_in`.
    pub fn new(unpack_in: Option<PathBuf>, sent_in: Option<PathBuf>) -> Self {
        Self { unpack_in, sent_in, ..Self::default() }
    }

    /// Adds a file, a folder or an archive, except for the files of `skip` (a roster, results of an earlier run).
    /// `alike` are the named folders, or archives, with the same parent, itself included: several of them may each be
    /// the submission of one entrant.
    pub fn add(&mut self, path: &Path, alike: &[&Path], skip: &[PathBuf]) -> Result<(), String> {
        let is_of_one = |root: &Path| {
            let is_export = root.join(METADATA).is_file();
            !is_export && Contents::of(root).is_of_one_entrant(alike.len() > 1)
        };
        if path.is_dir() {
            let in_export = path.parent().is_some_and(|parent| parent.join(METADATA).is_file());
            if in_export || is_of_one(path) {
                self.named_folder(path, alike);
                return Ok(());
            }
            self.folder(&self.root(path, false), skip)
        } else if is_archive(path) {
            let unpacked = unpack(path, self.unpack_in.as_deref(), &mut { MOST_UNPACKED })?;
            let (root, first) = (self.root(unpacked.folder.path(), true), self.all.len());
            if is_of_one(&root) {
                self.archive_of_one(path.parent().unwrap_or(Path::new("")), path, unpacked);
                return Ok(());
            }
            let Unpacked { folder, damaged } = unpacked;
            self.folder(&root, skip)?;
            let is_wrapped = root != folder.path();
            for one in &mut self.all[first..] {
                one.was_unpacked();
                if let Some(place) = one.place.as_mut().filter(|_| !is_wrapped) {
                    place.folder = Some(stem(path));
                }
            }
            // In reverse order, so that the first of several reasons is kept.
            for (place, reason) in damaged.into_iter().rev() {
                self.refuse(first, (&root, &folder.path().join(place)), reason)?;
            }
            self.unpacked.push(folder);
            Ok(())
        } else {
            // Gradescope's list is not a strategy; it is read for the folders beside it.
            if name_of(path) != METADATA {
                let parent = path.parent().unwrap_or(Path::new("")).to_owned();
                let is_named = self.sent_in.as_ref() != Some(&parent);
                let root = self.sent_in.clone().unwrap_or(parent);
                self.file(&root, FoundFile::new(path.to_owned(), false), is_named);
            }
            Ok(())
        }
    }

    /// Makes sure that no entrant can read another's file, or one of the instructor's files `foreign`: a Python file
    /// may read the files of its folder only if the folder contains none of these.
    pub fn isolate(&mut self, foreign: &[PathBuf]) {
        let files = |one: &Submission| one.strategy.as_ref().ok().and_then(|(_, path)| path.as_deref().map(real));
        let mut all: Vec<PathBuf> = self.all.iter().filter_map(files).collect();
        all.extend(foreign.iter().map(|path| real(path)));
        all.sort();
        all.dedup();
        for one in &mut self.all {
            let Ok((Strategy::Python(file), Some(path))) = &mut one.strategy else { continue };
            let path = real(path);
            let folder = path.parent().unwrap_or(&path);
            // In sorted order, the files of a folder are consecutive.
            let from = all.partition_point(|other| other.as_path() < folder);
            if all[from..].iter().take(2).filter(|other| other.starts_with(folder)).count() > 1 {
                *file = file.clone().alone();
            }
        }
    }

    /// Removes all but the first of several submissions of one file, for example of a file that was named, and whose
    /// folder was named as well.
    pub fn remove_repeated(&mut self) {
        let mut known = HashSet::new();
        self.all.retain(|one| match &one.strategy {
            Ok((_, Some(path))) => known.insert(identity(path)),
            _ => true,
        });
    }

    /// Labels files with the label of another submission by their folders if these differ, as for `hog.py` in several
    /// folders that were named, otherwise by their names with the extension. Strategies given by their names, and
    /// submissions in folders or archives of their own, keep their labels.
    pub fn distinguish(&mut self) {
        let mut called: HashMap<String, usize> = HashMap::new();
        // The folders of the files with each label, and the number of files in each folder.
        let mut folders: HashMap<String, HashSet<Option<String>>> = HashMap::new();
        let mut files: HashMap<String, usize> = HashMap::new();
        for one in &self.all {
            *called.entry(one.label.clone()).or_default() += 1;
            let Some(FilePlace { folder, .. }) = &one.place else { continue };
            folders.entry(one.label.clone()).or_default().insert(folder.clone());
            if let Some(folder) = folder {
                *files.entry(folder.clone()).or_default() += 1;
            }
        }
        for one in self.all.iter_mut().filter(|one| called[&one.label] > 1) {
            let Some(FilePlace { folder, file }) = one.place.clone() else { continue };
            let label = match &folder {
                Some(folder) if folders[&one.label].len() > 1 && files[folder] == 1 => folder.clone(),
                Some(folder) if folders[&one.label].len() > 1 => format!("{folder}/{file}"),
                _ => file,
            };
            folder.iter().chain([&label]).for_each(|name| one.collected.add_whole(name));
            one.label = label;
        }
    }

    /// Adds a file, a folder or an archive as the submission of a single entrant, however many files it contains.
    pub fn add_one(&mut self, path: &Path) -> Result<(), String> {
        match path.is_dir() {
            true => self.named_folder(path, &[]),
            false if is_archive(path) => {
                let unpacked = unpack(path, self.unpack_in.as_deref(), &mut { MOST_UNPACKED })?;
                self.archive_of_one(path.parent().unwrap_or(Path::new("")), path, unpacked);
            }
            false => self.add(path, &[], &[])?,
        }
        Ok(())
    }

    /// Adds a folder as the submission of a single entrant, under the name that it has in the folder that contains it
    /// and `alike`, the other folders.
    fn named_folder(&mut self, path: &Path, alike: &[&Path]) {
        let named = if path.file_name().is_some() { Ok(path.to_owned()) } else { path.canonicalize() };
        let path = named.unwrap_or_else(|_| path.to_owned());
        let root = path.parent().unwrap_or(Path::new("")).to_owned();
        let folders: Vec<(PathBuf, bool)> = alike.iter().map(|folder| ((*folder).to_owned(), false)).collect();
        self.folder_of_one(&root, (path, false), &SharedPrefix::of(&folders));
    }

    /// Adds a folder, or a link to one, as the submission of a single entrant. Its name may begin with `prefix`.
    fn folder_of_one(&mut self, root: &Path, (folder, is_link): (PathBuf, bool), prefix: &SharedPrefix) {
        let folder_name = name_of(&folder);
        let mut found = if is_link { refused(folder_name.clone(), LINK.into()) } else { self.entrant(root, &folder) };
        if let Some(user) = prefix.user(&folder_name) {
            found.label = user.to_owned();
        }
        let listed = self.lists.entry(root.to_owned()).or_insert_with(|| list(root));
        found.listed = listed.remove(&folder_name).unwrap_or_default();
        found.collected = Collected::of_folder(&folder_name, prefix);
        self.all.push(found);
    }

    /// Adds an archive as the submission of a single entrant.
    fn archive_of_one(&mut self, root: &Path, path: &Path, Unpacked { folder, damaged }: Unpacked) {
        let mut found = self.entrant(folder.path(), folder.path());
        (found.label, found.file) = (stem(path), Some(below(root, path)));
        found.collected = Collected::of(&stem(path));
        found.was_unpacked();
        if let Some((_, reason)) = damaged.into_iter().next() {
            found.strategy = Err(reason);
        }
        self.all.push(found);
        self.unpacked.push(folder);
    }

    /// Refuses the submission to which an archive's damaged entry belongs by its path, among those from index `first`
    /// on. Returns the reason as an error if the entry is Gradescope's list of submitters.
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
        let (archives, files): (Listing, Listing) = files.into_iter().partition(|(path, _)| is_archive(path));
        if !root.join(METADATA).is_file() {
            let wanted = files.into_iter().filter(|(path, _)| !is_skipped(path, skip));
            let candidates = wanted.map(|(path, is_link)| FoundFile::new(path, is_link)).collect();
            for candidate in self.without_helpers(root, candidates) {
                self.file(root, candidate, true);
            }
        }
        let prefix = SharedPrefix::of(&folders);
        for folder in folders {
            self.folder_of_one(root, folder, &prefix);
        }
        // All archives of the folder share the limit on the unpacked size.
        let mut left = MOST_UNPACKED;
        for (archive, is_link) in archives {
            let unpack_in = self.unpack_in.as_deref();
            let unpacked = if is_link { Err(LINK.to_owned()) } else { unpack(&archive, unpack_in, &mut left) };
            match unpacked {
                Ok(unpacked) => self.archive_of_one(root, &archive, unpacked),
                Err(reason) => {
                    let refused = refused(stem(&archive), reason);
                    self.all.push(Submission { file: Some(below(root, &archive)), ..refused });
                }
            }
        }
        Ok(())
    }

    /// Adds a file whose folder is not its own. `is_named` is whether the user knows the folder.
    fn file(&mut self, root: &Path, found: FoundFile, is_named: bool) {
        let path = &found.path;
        let place = FilePlace { folder: folder_of(path).filter(|_| is_named), file: name_of(path) };
        let label = stem(path);
        self.all.push(Submission { place: Some(place), ..submission(root, found, label) });
    }

    /// Finds the strategy in an entrant's folder.
    fn entrant(&mut self, root: &Path, folder: &Path) -> Submission {
        let (chosen, helpers) = Contents::of(folder).strategy();
        self.helpers.extend(helpers.iter().map(|helper| below(root, helper)));
        match chosen {
            Ok(strategy) => submission(root, strategy, name_of(folder)),
            Err(reason) => refused(name_of(folder), reason),
        }
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

impl Submission {
    /// Records that its file is in the folder of an unpacked archive.
    fn was_unpacked(&mut self) {
        if let Ok((Strategy::Python(file), _)) = &mut self.strategy {
            *file = file.clone().temporary();
        }
    }
}

/// Makes the submission of a strategy given by its name.
pub(super) fn by_name(name: &str, strategy: Strategy) -> Submission {
    Submission {
        label: name.to_owned(),
        file: None,
        place: None,
        collected: Collected::default(),
        listed: Listed::default(),
        outline: Outline::default(),
        strategy: Ok((strategy, None)),
    }
}

fn submission(root: &Path, candidate: FoundFile, label: String) -> Submission {
    let FoundFile { path, is_link, outline } = candidate;
    let file = Some(below(root, &path));
    let python = || Strategy::Python(PythonFile::new(&path));
    let strategy = if is_python(&path) || is_notebook(&path) { python() } else { Strategy::Table(path.clone()) };
    let strategy = match () {
        () if is_link => Err(LINK.to_owned()),
        () if is_unread(&path) => Err(format!("it {}", why_unread(&path))),
        () => Ok((strategy, Some(path))),
    };
    let collected = Collected::of(&label);
    Submission { label, file, place: None, collected, listed: Listed::default(), outline, strategy }
}

fn refused(label: String, reason: String) -> Submission {
    let (file, outline, collected) = (Some(label.clone()), Outline::default(), Collected::of(&label));
    Submission { label, file, place: None, collected, listed: Listed::default(), outline, strategy: Err(reason) }
}

fn is_skipped(path: &Path, skip: &[PathBuf]) -> bool {
    skip.iter().any(|other| other.file_name() == path.file_name() && real(other) == real(path))
}
