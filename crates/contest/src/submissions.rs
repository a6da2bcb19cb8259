//! Submissions: files, folders of files, and folders or archives with a folder or an archive for
//! each entrant, as Gradescope and GitHub Classroom make them.
//!
//! Hidden files and `__pycache__` are ignored, and so are helpers: Python files that do not define
//! `final_strategy` and that another file of the folder imports, or that come with the course's
//! project. Links are refused, since they may lead to another entrant's work.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::strategy::Strategy;
use crate::strategy::python::{Outline, PythonFile, is_notebook};

use super::archive::{DiskSpace, Holds, UnpackError, Unpacked, Unpacking};
use super::contents::{Contents, FoundFile, Listing, listing, may_have_rolls, unseen};
use super::gradescope::{Listed, METADATA, list};
use super::keys::{Collected, SharedPrefix};
use super::limits;
use super::naming::clean;
use super::paths::{
    below, folder_of, identity, is_archive, is_python, is_unread, name_of, real, stem, why_unread,
    without_links,
};

/// A submission, before its strategy is read.
#[derive(Debug)]
pub(super) struct Submission {
    /// The name to use if there is no better one: that of its folder, its file without the
    /// extension, or its strategy.
    pub label: String,
    /// The path of its file for display, relative to what the user named.
    pub file: Option<String>,
    /// The file, folder or archive that is the submission; `None` for a strategy given by its
    /// name.
    whole: Option<PathBuf>,
    /// Where its file is, unless it is in a folder or archive of its own, after which it is
    /// called.
    place: Option<FilePlace>,
    /// What the system that collected it wrote into its name.
    pub collected: Collected,
    /// What Gradescope's list says of it.
    pub listed: Listed,
    /// The outline of its file, if it is Python.
    pub outline: Outline,
    /// Whether it is refused because a part of it could not be unpacked.
    is_refused_by_archive: bool,
    /// Whether its folder may be a folder of several entrants.
    may_be_of_several: bool,
    /// Whether that matters: the user named it as one entrant's.
    pub may_hold_several: bool,
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

/// What a path holds, as far as the user says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given {
    /// The submission of one entrant, as the user says.
    Told,
    /// The submission of one entrant, since it is one of several paths.
    One,
    /// A submission in each of its files, folders and archives.
    Each,
    /// One of the two: it is the only path that is named. What looks like the folder of one entrant
    /// is that of one.
    Alone,
}

/// All submissions.
pub(super) struct Submissions<'a> {
    pub all: Vec<Submission>,
    /// Python files that do not take part: helpers, and other files of an entrant beside the
    /// chosen one.
    pub helpers: Vec<String>,
    /// Files beside the submissions that cannot be strategies.
    pub skipped: Vec<String>,
    /// Gradescope's list of the folders in a folder, without those that were added.
    lists: HashMap<PathBuf, HashMap<String, Listed>>,
    unpacking: Unpacking<'a>,
    /// The folders of unpacked archives, which are removed when this is dropped.
    unpacked: Vec<TempDir>,
    /// Where the links in unpacked archives would be.
    links: Vec<PathBuf>,
    /// A folder that the user did not name, although its path is part of the files' paths.
    sent_in: Option<PathBuf>,
}

const NO_STRATEGY: &str = "it holds no file that can be a strategy";
const LINK: &str = "it is a link to something else; hand in the file itself";

impl<'a> Submissions<'a> {
    /// Starts without submissions. Archives are unpacked in the folder `unpack_in`, or in the
    /// system's temporary folder if `None`. No submission is called after the folder `sent_in`.
    /// `going_on` returns false to cancel.
    pub fn new(
        unpack_in: Option<PathBuf>,
        sent_in: Option<PathBuf>,
        going_on: &'a dyn Fn() -> bool,
    ) -> Self {
        let within = without_links(&unpack_in.unwrap_or_else(tempfile::env::temp_dir));
        let unpacking = Unpacking { room: DiskSpace::on_disk_of(&within), within, going_on };
        Self {
            all: Vec::new(),
            helpers: Vec::new(),
            skipped: Vec::new(),
            lists: HashMap::new(),
            unpacking,
            unpacked: Vec::new(),
            links: Vec::new(),
            sent_in,
        }
    }

    /// Adds a file, a folder or an archive, except for the files of `skip` (a roster, results of an
    /// earlier run). `alike` are the named folders with the same parent, itself included: their
    /// names may share a prefix.
    pub fn add(
        &mut self,
        path: &Path,
        given: Given,
        alike: &[&Path],
        skip: &[PathBuf],
    ) -> Result<(), UnpackError> {
        // Of several paths, some may be links that were found with a pattern, to the work of
        // others.
        if given == Given::One && path.is_symlink() {
            let label = if path.is_dir() { name_of(path) } else { stem(path) };
            self.all.push(Submission {
                file: Some(name_of(path)),
                ..refused(path, label, LINK.into())
            });
            return Ok(());
        }
        let named = path;
        let path = &*without_links(path);
        match given {
            _ if path.is_dir() => {
                if given == Given::Each || (given == Given::Alone && !is_of_one_entrant(path)) {
                    return self.folder(&self.root(path), skip);
                }
                self.named_folder(path, given, alike);
                self.call_after_link(named, name_of(named));
                Ok(())
            }
            Given::Told | Given::One if is_archive(path) => self.named_archive(path),
            _ if is_archive(path) => self.archive(path, given, skip),
            Given::Each => {
                Err("it is not a folder or .zip archive of submissions".to_owned().into())
            }
            // Gradescope's list is not a strategy; it is read for the folders beside it.
            _ if name_of(path) == METADATA => Ok(()),
            _ => {
                let folder = folder_of(named).filter(|_| {
                    self.sent_in.as_deref() != Some(named.parent().unwrap_or(Path::new("")))
                });
                let parent = path.parent().unwrap_or(Path::new(""));
                let root = self.sent_in.as_deref().map_or_else(|| parent.to_owned(), without_links);
                self.file(&root, FoundFile::new(path.to_owned(), false), folder);
                self.call_after_link(named, stem(named));
                Ok(())
            }
        }
    }

    /// Calls the last submission after the link that the user named, rather than what it leads to.
    fn call_after_link(&mut self, named: &Path, label: String) {
        if named.is_symlink()
            && let Some(one) = self.all.last_mut()
        {
            one.collected = Collected::of(&label);
            one.label = label;
        }
    }

    /// Adds an archive with a submission in each of its files, folders and archives, unless it
    /// looks like that of one entrant and nothing else is known.
    fn archive(&mut self, path: &Path, given: Given, skip: &[PathBuf]) -> Result<(), UnpackError> {
        let Unpacked { folder, root, refused, links, skipped } =
            self.unpacking.unpack(path, Holds::Many)?;
        let is_export = root.join(METADATA).is_file();
        self.links.extend(links);
        if given == Given::Alone
            && !is_export
            && Contents::of(&root, &self.links).is_of_one_entrant()
        {
            // Unpacked again, since all of it is one entrant's.
            return self.named_archive(path);
        }
        self.skipped.extend(skipped.iter().map(|file| below(folder.path(), file)));
        let first = self.all.len();
        self.folder(&root, skip)?;
        for one in &mut self.all[first..] {
            one.was_unpacked();
            if let Some(place) = one.place.as_mut().filter(|_| root == folder.path()) {
                place.folder = Some(stem(path));
            }
        }
        for (place, reason) in refused {
            self.refuse(&root, &place, reason);
        }
        self.unpacked.push(folder);
        Ok(())
    }

    /// Adds an archive as the submission of a single entrant, or the reason why it cannot be read.
    fn named_archive(&mut self, path: &Path) -> Result<(), UnpackError> {
        let first = self.all.len();
        self.archive_of_one(path.parent().unwrap_or(Path::new("")), path)?;
        self.all[first..].iter_mut().for_each(Submission::named_as_one);
        Ok(())
    }

    /// Refuses those who had to make room for others on the disk. Call it when all paths are added.
    pub fn refuse_evicted(&mut self) {
        let evicted: Vec<PathBuf> = self.unpacking.room.evicted().map(Path::to_owned).collect();
        for whole in evicted {
            match self.all.iter_mut().find(|one| one.whole.as_ref() == Some(&whole)) {
                Some(found) => found.strategy = Err(DiskSpace::EVICTED.into()),
                None => self.all.push(refused(&whole, stem(&whole), DiskSpace::EVICTED.into())),
            }
        }
    }

    /// Makes sure that no entrant can read another's work, or one of the instructor's files
    /// `foreign`: a Python file may read the files of its folder only if the folder is its own
    /// submission's, and contains none of these.
    pub fn isolate(&mut self, foreign: &[PathBuf]) {
        let mut all: Vec<PathBuf> =
            self.all.iter().filter_map(|one| one.whole.as_deref().map(real)).collect();
        all.extend(foreign.iter().map(|path| real(path)));
        all.sort();
        for one in &mut self.all {
            let Ok((Strategy::Python(file), Some(path))) = &mut one.strategy else { continue };
            let path = real(path);
            let folder = path.parent().unwrap_or(&path);
            // In sorted order, the files of a folder are consecutive.
            let from = all.partition_point(|other| other.as_path() <= folder);
            if all.get(from).is_some_and(|other| other.starts_with(folder)) {
                *file = file.clone().alone();
            }
        }
    }

    /// Removes all but the first of several submissions of one file, for example of a file that was
    /// named, and whose folder was named as well.
    pub fn remove_repeated(&mut self) {
        let mut known = HashSet::new();
        self.all.retain(|one| {
            let strategy = one.strategy.as_ref().ok().and_then(|(_, path)| path.as_ref());
            let paths: Vec<PathBuf> =
                strategy.into_iter().chain(&one.whole).map(|path| identity(path)).collect();
            let is_new = !paths.iter().any(|path| known.contains(path));
            known.extend(paths);
            is_new
        });
    }

    /// Labels files with the label of another submission by their folders if these differ, as for
    /// `hog.py` in several folders that were named, otherwise by their names with the
    /// extension. Strategies given by their names, and submissions in folders or archives of
    /// their own, keep their labels.
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
                Some(folder) if folders[&one.label].len() > 1 && files[folder] == 1 => {
                    folder.clone()
                }
                Some(folder) if folders[&one.label].len() > 1 => format!("{folder}/{file}"),
                _ => file,
            };
            folder.iter().chain([&label]).for_each(|name| one.collected.add_whole(name));
            one.label = label;
        }
        self.distinguish_folders();
    }

    /// Labels folders and archives that are called alike by the folders that hold them.
    fn distinguish_folders(&mut self) {
        let mut holders: HashMap<String, HashSet<Option<String>>> = HashMap::new();
        for one in &self.all {
            holders.entry(one.label.clone()).or_default().insert(one.holder(&self.unpacked));
        }
        for one in self.all.iter_mut().filter(|one| holders[&one.label].len() > 1) {
            if let Some(folder) = one.holder(&self.unpacked) {
                one.label = format!("{folder}/{}", one.label);
            }
        }
    }

    /// Adds a folder as the submission of a single entrant, under the name that it has in the
    /// folder that contains it and `alike`, the other folders.
    fn named_folder(&mut self, path: &Path, given: Given, alike: &[&Path]) {
        let named =
            if path.file_name().is_some() { Ok(path.to_owned()) } else { path.canonicalize() };
        let path = named.unwrap_or_else(|_| path.to_owned());
        let root = path.parent().unwrap_or(Path::new("")).to_owned();
        let folders: Vec<(PathBuf, bool)> =
            alike.iter().map(|folder| ((*folder).to_owned(), false)).collect();
        self.folder_of_one(&root, path.clone(), false, &SharedPrefix::of(&folders));
        let Some(found) = self.all.last_mut() else { return };
        if given == Given::One
            && let Some(others) = Contents::of(&path, &[]).others_work()
        {
            found.strategy =
                Err(format!("its strategy could read what may be the work of others: {others}"));
            found.may_be_of_several = true;
        }
        found.named_as_one();
    }

    /// Adds a folder, or a link to one, as the submission of a single entrant. Its name may begin
    /// with `prefix`.
    fn folder_of_one(
        &mut self,
        root: &Path,
        folder: PathBuf,
        is_link: bool,
        prefix: &SharedPrefix,
    ) {
        let folder_name = name_of(&folder);
        let mut found = match is_link {
            true => refused(&folder, folder_name.clone(), LINK.into()),
            false => self.entrant(root, &folder),
        };
        if let Some(user) = prefix.user(&folder_name) {
            found.label = user.to_owned();
        }
        let listed = self.lists.entry(root.to_owned()).or_insert_with(|| list(root));
        found.listed = listed.remove(&folder_name).unwrap_or_default();
        found.collected = Collected::of_folder(&folder_name, prefix);
        self.all.push(found);
    }

    /// Adds an archive as the submission of a single entrant, or the reason why it cannot be read.
    fn archive_of_one(&mut self, root: &Path, path: &Path) -> Result<(), UnpackError> {
        let mut found = match self.unpacking.unpack(path, Holds::One(path)) {
            Ok(Unpacked { folder, refused, links, .. }) => {
                self.links.extend(links);
                let mut found = self.entrant(folder.path(), folder.path());
                if let Some((_, reason)) = refused.into_iter().next() {
                    found.strategy = Err(reason);
                }
                self.unpacked.push(folder);
                found
            }
            Err(UnpackError::Archive(reason)) => refused(path, stem(path), reason),
            Err(stopped @ UnpackError::Stopped) => return Err(stopped),
        };
        found.label = stem(path);
        found.file = Some(below(root, path));
        found.whole = Some(path.to_owned());
        found.collected = Collected::of(&stem(path));
        found.was_unpacked();
        self.all.push(found);
        Ok(())
    }

    /// Refuses the submission to which a part of an archive belongs, for the first of several
    /// reasons. The part would be at `place`.
    fn refuse(&mut self, root: &Path, place: &Path, reason: String) {
        let first = place.strip_prefix(root).ok().and_then(|below| below.iter().next());
        let whole = first.map_or_else(|| root.to_owned(), |first| root.join(first));
        match self.all.iter_mut().find(|one| one.whole.as_ref() == Some(&whole)) {
            Some(found) if found.is_refused_by_archive => {}
            Some(found) => {
                found.strategy = Err(reason);
                found.is_refused_by_archive = true;
            }
            None => {
                let label =
                    if first.is_some() { clean(&name_of(&whole)) } else { "nameless".into() };
                self.all.push(Submission {
                    is_refused_by_archive: true,
                    ..refused(&whole, label, reason)
                });
            }
        }
    }

    /// Finds the folder that contains the submissions: exports may wrap them in a single folder.
    fn root(&self, path: &Path) -> PathBuf {
        let mut root = path.to_owned();
        for _ in 0..limits::DEPTH {
            let (folders, files) = listing(&root).unwrap_or_default();
            let [(only, false)] = &folders[..] else { break };
            if !files.is_empty() {
                break;
            }
            let inner = listing(only).unwrap_or_default();
            if root.join(METADATA).is_file()
                || (inner.0.len() <= 1 && !only.join(METADATA).is_file())
            {
                break;
            }
            root.clone_from(only);
        }
        root
    }

    /// Adds the submissions in a folder: each of its files, folders and archives is that of one
    /// entrant.
    fn folder(&mut self, root: &Path, skip: &[PathBuf]) -> Result<(), UnpackError> {
        let (mut folders, mut files) = listing(root).map_err(|error| error.to_string())?;
        // A link in an archive has no kind; a folder's name has no extension.
        let links = self.links.iter().filter(|link| link.parent() == Some(root));
        files.extend(links.map(|link| (link.clone(), true)));
        folders.retain(|(path, _)| !is_skipped(path, skip));
        files.retain(|(path, _)| !is_skipped(path, skip));
        let (notes, files) =
            files.into_iter().partition::<Listing, _>(|(path, is_link)| !is_link && is_note(path));
        self.skipped.extend(notes.iter().map(|(path, _)| below(root, path)));
        let (archives, files) =
            files.into_iter().partition::<Listing, _>(|(path, _)| is_archive(path));
        for path in unseen(root) {
            if name_of(&path) != METADATA && !is_skipped(&path, skip) {
                self.skipped.push(below(root, &path));
            }
        }
        if root.join(METADATA).is_file() {
            // The list and the folders are the export; files beside them are not from there.
            self.skipped.extend(files.iter().map(|(path, _)| below(root, path)));
        } else {
            self.files(root, files);
        }
        let prefix = SharedPrefix::of(&folders);
        for (folder, is_link) in folders {
            self.check()?;
            self.folder_of_one(root, folder, is_link, &prefix);
        }
        self.refuse_missing(root);
        for (archive, is_link) in archives {
            self.check()?;
            if is_link {
                let refused = refused(&archive, stem(&archive), LINK.into());
                self.all.push(Submission { file: Some(below(root, &archive)), ..refused });
            } else {
                self.archive_of_one(root, &archive)?;
            }
        }
        Ok(())
    }

    /// Refuses the submissions of Gradescope's list of which there is no folder: all that they had
    /// may be files of other kinds, which a page does not send.
    fn refuse_missing(&mut self, root: &Path) {
        let listed = self.lists.entry(root.to_owned()).or_insert_with(|| list(root));
        let mut missing: Vec<(String, Listed)> = listed.drain().collect();
        missing.sort_by(|(one, _), (other, _)| one.cmp(other));
        for (name, listed) in missing {
            let refused = refused(&root.join(&name), name, NO_STRATEGY.to_owned());
            self.all.push(Submission { listed, ..refused });
        }
    }

    /// Adds files, each the submission of one entrant, but those of the course's project.
    fn files(&mut self, root: &Path, files: Listing) {
        let mut candidates = Vec::with_capacity(files.len());
        for (path, is_link) in files {
            candidates.push(FoundFile::new(path, is_link));
        }
        for candidate in self.without_given(root, candidates) {
            let folder = folder_of(&candidate.path);
            self.file(root, candidate, folder);
        }
    }

    fn check(&self) -> Result<(), UnpackError> {
        if (self.unpacking.going_on)() { Ok(()) } else { Err(UnpackError::Stopped) }
    }

    /// Adds a file whose folder, by a name that the user knows, is not its own.
    fn file(&mut self, root: &Path, found: FoundFile, folder: Option<String>) {
        let path = &found.path;
        let place = FilePlace { folder, file: name_of(path) };
        let label = stem(path);
        let whole = path.clone();
        let mut found = submission(root, &whole, found, label);
        if let Ok((Strategy::Python(file), _)) = &mut found.strategy {
            *file = file.clone().alone();
        }
        self.all.push(Submission { place: Some(place), ..found });
    }

    /// Finds the strategy in an entrant's folder.
    fn entrant(&mut self, root: &Path, folder: &Path) -> Submission {
        let contents = Contents::of(folder, &self.links);
        let is_export = contents.is_export();
        let may_be_of_several = contents.may_be_of_several();
        let (chosen, helpers) = match is_export {
            true => (Err(format!("it holds {METADATA}, the list of several entrants")), Vec::new()),
            false => contents.strategy(),
        };
        self.helpers.extend(helpers.iter().map(|helper| below(root, helper)));
        let found = match chosen {
            Ok(strategy) => submission(root, folder, strategy, name_of(folder)),
            Err(reason) => refused(folder, name_of(folder), reason),
        };
        Submission { may_be_of_several, ..found }
    }

    /// Removes the files that come with the course's project from those of a folder of files, and
    /// records them. Another file without a strategy may be somebody's, whoever imports it.
    fn without_given(&mut self, root: &Path, candidates: Vec<FoundFile>) -> Vec<FoundFile> {
        if !candidates.iter().any(FoundFile::is_strategy) {
            return candidates;
        }
        let (given, others) = candidates
            .into_iter()
            .partition::<Vec<FoundFile>, _>(|file| !file.is_strategy() && file.is_given());
        self.helpers.extend(given.iter().map(|file| below(root, &file.path)));
        others
    }
}

impl Submission {
    fn new(label: String, strategy: Result<(Strategy, Option<PathBuf>), String>) -> Self {
        Self {
            label,
            file: None,
            whole: None,
            place: None,
            collected: Collected::default(),
            listed: Listed::default(),
            outline: Outline::default(),
            is_refused_by_archive: false,
            may_be_of_several: false,
            may_hold_several: false,
            strategy,
        }
    }

    /// Returns its label as others see it.
    pub fn shown_label(&self) -> String {
        match clean(&self.label) {
            label if label.is_empty() => "nameless".to_owned(),
            label => label,
        }
    }

    /// Returns the folder that holds it, if it is a folder or an archive that was not `unpacked`.
    fn holder(&self, unpacked: &[TempDir]) -> Option<String> {
        let whole = self.whole.as_deref().filter(|_| self.place.is_none())?;
        let is_unpacked = unpacked.iter().any(|folder| whole.starts_with(folder.path()));
        folder_of(whole).filter(|_| !is_unpacked)
    }

    /// Marks it as named by the user as one entrant's.
    fn named_as_one(&mut self) {
        self.may_hold_several = self.may_be_of_several;
    }

    /// Records that its file is in the folder of an unpacked archive.
    fn was_unpacked(&mut self) {
        if let Ok((Strategy::Python(file), _)) = &mut self.strategy {
            *file = file.clone().temporary();
        }
    }
}

/// Whether a folder of which nothing is known is the submission of one entrant.
fn is_of_one_entrant(folder: &Path) -> bool {
    let in_export = folder.parent().is_some_and(|parent| parent.join(METADATA).is_file());
    in_export || (!folder.join(METADATA).is_file() && Contents::of(folder, &[]).is_of_one_entrant())
}

/// Whether a file is a text without rolls, such as notes. It is nobody's, unless a system says
/// whose it is.
fn is_note(path: &Path) -> bool {
    !is_python(path)
        && !Collected::of(&stem(path)).is_of_a_system()
        && !may_have_rolls(path, &mut { limits::TEXT_BYTES })
}

/// Makes the submission of a strategy given by its name.
pub(super) fn by_name(name: &str, strategy: Strategy) -> Submission {
    Submission::new(name.to_owned(), Ok((strategy, None)))
}

/// Makes the submission `whole` from the file of its strategy.
fn submission(root: &Path, whole: &Path, candidate: FoundFile, label: String) -> Submission {
    let FoundFile { path, is_link, outline } = candidate;
    let file = Some(below(root, &path));
    let strategy = if is_python(&path) || is_notebook(&path) {
        Strategy::Python(PythonFile::new(&path))
    } else {
        Strategy::Table(path.clone())
    };
    let strategy = match () {
        () if is_link => Err(LINK.to_owned()),
        () if is_unread(&path) => Err(format!("it {}", why_unread(&path))),
        () => Ok((strategy, Some(path))),
    };
    let collected = Collected::of(&label);
    Submission {
        file,
        whole: Some(whole.to_owned()),
        collected,
        outline,
        ..Submission::new(label, strategy)
    }
}

/// Makes the submission `whole`, which cannot be used.
fn refused(whole: &Path, label: String, reason: String) -> Submission {
    let collected = Collected::of(&label);
    let file = Some(label.clone());
    Submission {
        file,
        whole: Some(whole.to_owned()),
        collected,
        ..Submission::new(label, Err(reason))
    }
}

fn is_skipped(path: &Path, skip: &[PathBuf]) -> bool {
    skip.iter().any(|other| other.file_name() == path.file_name() && real(other) == real(path))
}
