//! Unpacks zip archives of submissions into a new folder: within limits for each entrant, and never
//! outside of the folder.
//!
//! An entrant is refused by name if it announces more than its share, or has more than it
//! announces. What all entrants together unpack is limited by the disk ([`DiskSpace`]): if it is
//! not enough, those that take most of it are refused, so that nobody can use the room of others.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Display;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use zip::ZipArchive;

use super::contents::is_seen;
use super::gradescope::METADATA;
use super::limits;
use super::naming::clean;
use super::paths::is_hidden;
use crate::files;

/// The mask of the file's type in a Unix mode, and the type of a symbolic link.
const TYPE: u32 = 0o170_000;
const LINK: u32 = 0o120_000;

/// An unpacked archive.
#[derive(Debug)]
pub(super) struct Unpacked {
    /// The folder, which is removed when this is dropped.
    pub folder: TempDir,
    /// The folder in it that holds the submissions: exports may wrap them in a single folder.
    pub root: PathBuf,
    /// What could not be unpacked: where it would be, and the reason.
    pub refused: Vec<(PathBuf, String)>,
    /// Where the links would be; none of them is made.
    pub links: Vec<PathBuf>,
    /// The files beside the entrants that are not submissions; they are not unpacked.
    pub skipped: Vec<PathBuf>,
}

/// Why an archive is not unpacked.
pub(super) enum UnpackError {
    /// The work was cancelled.
    Stopped,
    /// The archive cannot be used.
    Archive(String),
}

impl From<String> for UnpackError {
    fn from(reason: String) -> Self {
        Self::Archive(reason)
    }
}

/// The room on the disk for all unpacked submissions.
#[derive(Debug)]
pub(super) struct DiskSpace {
    bytes: u64,
    taken: Vec<OccupiedSpace>,
    evicted: BTreeSet<PathBuf>,
}

/// What an entrant takes of the room.
#[derive(Debug)]
struct OccupiedSpace {
    /// The path by which the entrant is known.
    entrant: PathBuf,
    /// The file or folder that holds the bytes.
    place: PathBuf,
    bytes: u64,
}

impl DiskSpace {
    /// The reason of an entrant that has to make room for others.
    pub const EVICTED: &str =
        "the disk has no room for all submissions, and it takes more than the others";

    /// The room in a folder: at most half of what is free.
    pub fn on_disk_of(folder: &Path) -> Self {
        Self::of_bytes(
            free_bytes(folder).map_or(limits::ALL_UNPACKED_BYTES, |free| {
                (free / 2).min(limits::ALL_UNPACKED_BYTES)
            }),
        )
    }

    fn of_bytes(bytes: u64) -> Self {
        Self { bytes, taken: Vec::new(), evicted: BTreeSet::new() }
    }

    /// Takes room for an entrant. While there is too little, the entrant that takes most is
    /// evicted: its files are removed. Returns false if it is this one.
    pub fn take(&mut self, entrant: &Path, place: &Path, bytes: u64) -> bool {
        if self.evicted.contains(entrant) {
            return false;
        }
        self.taken.push(OccupiedSpace {
            entrant: entrant.to_owned(),
            place: place.to_owned(),
            bytes,
        });
        while self.taken.iter().map(|one| one.bytes).sum::<u64>() > self.bytes {
            let mut totals: BTreeMap<&Path, u64> = BTreeMap::new();
            for one in &self.taken {
                *totals.entry(&one.entrant).or_default() += one.bytes;
            }
            let greediest = totals
                .into_iter()
                .max_by_key(|(_, bytes)| *bytes)
                .map(|(entrant, _)| entrant.to_owned());
            let Some(greediest) = greediest else { break };
            self.evict(&greediest);
        }
        !self.evicted.contains(entrant)
    }

    fn evict(&mut self, entrant: &Path) {
        for one in self.taken.extract_if(.., |one| one.entrant == entrant) {
            // What cannot be removed now is removed with the folder of its archive.
            let _ = if one.place.is_dir() {
                empty(&one.place)
            } else {
                std::fs::remove_file(&one.place)
            };
        }
        self.evicted.insert(entrant.to_owned());
    }

    /// Returns those who had to make room.
    pub fn evicted(&self) -> impl Iterator<Item = &Path> {
        self.evicted.iter().map(PathBuf::as_path)
    }
}

fn empty(folder: &Path) -> std::io::Result<()> {
    std::fs::remove_dir_all(folder)?;
    std::fs::create_dir(folder)
}

#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// Whose files an archive holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Holds<'a> {
    /// Those of one entrant, who is known by this path.
    One(&'a Path),
    /// A file, a folder or an archive for each entrant.
    Many,
}

/// Unpacks archives.
pub(super) struct Unpacking<'a> {
    /// The folder in which folders for archives are made.
    pub within: PathBuf,
    pub room: DiskSpace,
    /// Called for each entry; returns false to cancel.
    pub going_on: &'a dyn Fn() -> bool,
}

/// An entry of an archive.
struct ArchiveEntry {
    index: usize,
    /// Its path below the folder, or as much of it as is unpacked.
    path: PathBuf,
    kind: Kind,
}

impl ArchiveEntry {
    /// Returns the size that it announces.
    fn bytes(&self) -> u64 {
        if let Kind::File(size) = self.kind { size } else { 0 }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A folder, or the folder of an entry that is left out: the submission of its owner is then
    /// refused by name.
    Folder,
    /// A file with its announced size.
    File(u64),
    Link,
    /// Its path leads outside of the folder, or out and back in: it could be the path of another
    /// entrant's file.
    Outside,
}

impl Unpacking<'_> {
    /// Unpacks the regular files of an archive that are neither hidden nor too deep into a new
    /// folder.
    pub fn unpack(&mut self, path: &Path, holds: Holds) -> Result<Unpacked, UnpackError> {
        let mut archive = opened(path, holds)?;
        let entries: Vec<ArchiveEntry> =
            (0..archive.len()).filter_map(|index| entry(&archive, index)).collect();
        let folder = TempDir::with_prefix_in("hog-contest-", &self.within)
            .map_err(|error| error.to_string())?;
        let inner = match holds {
            Holds::One(_) => PathBuf::new(),
            Holds::Many => wrapper(&entries),
        };
        let root = folder.path().join(&inner);
        std::fs::create_dir_all(&root).map_err(|error| error.to_string())?;
        let mut unpacked =
            Unpacked { folder, root, refused: Vec::new(), links: Vec::new(), skipped: Vec::new() };
        for (first, share) in shares(&archive, &entries, holds, &inner, &mut unpacked) {
            let place = unpacked.root.join(&first);
            let is_file = matches!(
                &share[..],
                [ArchiveEntry { path, kind: Kind::File(_), .. }] if *path == inner.join(&first)
            );
            let is_list = is_file && matches!(holds, Holds::Many) && first == METADATA;
            if is_file && matches!(holds, Holds::Many) && !is_list && !is_seen(Path::new(&first)) {
                unpacked.skipped.push(place);
                continue;
            }
            let entrant = if let Holds::One(known) = holds { known } else { &*place };
            self.unpack_share(&mut archive, &share, entrant, &place, is_list, &mut unpacked)?;
        }
        Ok(unpacked)
    }

    /// Unpacks the entries of one entrant, below the folder or as the file `place`.
    fn unpack_share(
        &mut self,
        archive: &mut ZipArchive<File>,
        share: &[&ArchiveEntry],
        entrant: &Path,
        place: &Path,
        is_list: bool,
        unpacked: &mut Unpacked,
    ) -> Result<(), UnpackError> {
        let bytes = share.iter().map(|entry| entry.bytes()).fold(0, u64::saturating_add);
        let most = if is_list { limits::LIST_BYTES } else { limits::UNPACKED_BYTES };
        let paths: BTreeSet<&Path> = share.iter().map(|entry| &*entry.path).collect();
        let reason = if bytes > most {
            Some(format!("it would take more than {} MiB unpacked", most >> 20))
        } else if paths.len() > limits::UNPACKED_FILES {
            Some(format!("it holds more than {} files", limits::UNPACKED_FILES))
        } else {
            None
        };
        let folder = unpacked.folder.path().to_owned();
        if let Some(reason) = reason {
            if paths.iter().any(|path| folder.join(path) != place) {
                let _ = std::fs::create_dir_all(place);
            }
            unpacked.refused.push((place.to_owned(), reason));
            return Ok(());
        }
        if !is_list && !self.room.take(entrant, place, bytes) {
            return Ok(());
        }
        for entry in share {
            if !(self.going_on)() {
                return Err(UnpackError::Stopped);
            }
            let full = folder.join(&entry.path);
            if entry.kind == Kind::Link {
                unpacked.links.push(full.clone());
            }
            if let Err(reason) = unpack_entry(archive, entry, &full) {
                let name = name(archive, entry.index);
                let _ = std::fs::create_dir_all(full.parent().unwrap_or(&folder));
                unpacked.refused.push((full, format!("its entry {} {reason}", clean(&name))));
            }
        }
        Ok(())
    }
}

/// Opens an archive. That of one entrant has limits, since all its entries are listed in memory;
/// one of many is the user's own.
fn opened(path: &Path, holds: Holds) -> Result<ZipArchive<File>, String> {
    let (largest, most) = match holds {
        Holds::One(_) => (limits::UNPACKED_BYTES, limits::ENTRIES),
        Holds::Many => (u64::MAX, usize::MAX),
    };
    let file = match holds {
        Holds::One(_) => files::open_without_links(path, largest),
        Holds::Many => files::open(path, largest),
    };
    let file = file.map_err(|error| error.to_string())?;
    let archive = ZipArchive::new(file).map_err(|_| "it is not a valid zip archive")?;
    match archive.len() {
        entries if entries > most => {
            Err(format!("it has {entries} entries; at most {most} are read"))
        }
        _ => Ok(archive),
    }
}

/// Returns an entry's name. One that is not text is not unpacked, but tells whose it is.
fn name(archive: &ZipArchive<File>, index: usize) -> String {
    let Ok(data) = archive.by_index_data(index) else { return String::new() };
    data.name().map_or_else(
        |_| String::from_utf8_lossy(data.name_raw()).into_owned(),
        |name| name.into_owned(),
    )
}

/// Splits an entry's name into its folders and its file.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".")
}

/// Returns the entries of each entrant, by the first part of their paths below `inner`. Those that
/// are nobody's are recorded.
fn shares<'e>(
    archive: &ZipArchive<File>,
    entries: &'e [ArchiveEntry],
    holds: Holds,
    inner: &Path,
    unpacked: &mut Unpacked,
) -> BTreeMap<OsString, Vec<&'e ArchiveEntry>> {
    let mut shares: BTreeMap<OsString, Vec<&ArchiveEntry>> = BTreeMap::new();
    for entry in entries {
        // Those outside of the root are no entrant's.
        let below = entry.path.strip_prefix(inner).ok();
        let first = below.and_then(|path| path.iter().next()).unwrap_or_default();
        if let Holds::One(_) = holds {
            shares.entry(OsString::new()).or_default().push(entry);
        } else if !first.is_empty() {
            shares.entry(first.to_owned()).or_default().push(entry);
        } else if entry.kind == Kind::Outside {
            let name = name(archive, entry.index);
            unpacked.refused.push((PathBuf::new(), outside(&name)));
        } else if let Kind::File(_) = entry.kind {
            unpacked.skipped.push(unpacked.folder.path().join(&entry.path));
        }
    }
    shares
}

/// Makes what an entry is at a path; of a link only its folder.
fn unpack_entry(
    archive: &mut ZipArchive<File>,
    entry: &ArchiveEntry,
    full: &Path,
) -> Result<(), String> {
    match entry.kind {
        Kind::Folder => std::fs::create_dir_all(full).map_err(|error| failed(&error)),
        Kind::File(size) => unpack_file(archive, entry.index, size, full),
        Kind::Link => {
            let folder = full.parent().unwrap_or(full);
            std::fs::create_dir_all(folder).map_err(|error| failed(&error))
        }
        Kind::Outside => {
            // The entrant's folder identifies who is affected, so it is created even if it stays
            // empty.
            let _ = std::fs::create_dir_all(full);
            Err("would be unpacked outside of its folder".to_owned())
        }
    }
}

fn is_left_out(part: &str) -> bool {
    part != ".." && is_hidden(part)
}

/// Reads an entry's place in the list of an archive.
fn entry(archive: &ZipArchive<File>, index: usize) -> Option<ArchiveEntry> {
    let name = name(archive, index);
    let data = archive.by_index_data(index).ok()?;
    if parts(&name).any(is_left_out) || parts(&name).count() > limits::UNPACKED_DEPTH + 1 {
        let seen = parts(&name)
            .take_while(|part| *part != ".." && !is_left_out(part))
            .take(limits::UNPACKED_DEPTH);
        return Some(ArchiveEntry { index, path: seen.collect(), kind: Kind::Folder });
    }
    let leads_back = parts(&name).any(|part| part == "..");
    let enclosed = data.enclosed_name().filter(|_| !leads_back);
    let Some(path) = enclosed else {
        let folders = if leads_back { usize::MAX } else { parts(&name).count().saturating_sub(1) };
        let path = parts(&name).take_while(|part| *part != "..").take(folders).collect();
        return Some(ArchiveEntry { index, path, kind: Kind::Outside });
    };
    let kind = match () {
        () if data.unix_mode().is_some_and(|mode| mode & TYPE == LINK) => Kind::Link,
        () if data.is_dir() => Kind::Folder,
        () => Kind::File(data.size()),
    };
    Some(ArchiveEntry { index, path, kind })
}

/// Finds the folder that holds all entries that may be submissions: exports may wrap them in one
/// folder, or several.
fn wrapper(entries: &[ArchiveEntry]) -> PathBuf {
    let mut root = PathBuf::new();
    for _ in 0..limits::DEPTH {
        let mut folders = BTreeSet::new();
        let mut has_files = false;
        for entry in entries {
            let Ok(below) = entry.path.strip_prefix(&root) else { continue };
            let mut names = below.iter();
            let Some(first) = names.next() else { continue };
            if names.next().is_some() || matches!(entry.kind, Kind::Folder | Kind::Outside) {
                folders.insert(first);
            } else {
                has_files |= is_seen(Path::new(first)) || first == METADATA;
            }
        }
        let [only] = folders.into_iter().collect::<Vec<_>>()[..] else { break };
        if has_files {
            break;
        }
        root.push(only);
    }
    root
}

fn outside(name: &str) -> String {
    format!("its entry {} would be unpacked outside of its folder", clean(name))
}

fn failed(error: &dyn Display) -> String {
    format!("cannot be unpacked: {error}")
}

/// Unpacks a file, which may have no more bytes than it announces.
fn unpack_file(
    archive: &mut ZipArchive<File>,
    index: usize,
    size: u64,
    target: &Path,
) -> Result<(), String> {
    let mut entry = archive.by_index(index).map_err(|error| failed(&error))?;
    let mut bytes = Vec::new();
    entry
        .by_ref()
        .take(size.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| failed(&error))?;
    if bytes.len() as u64 > size {
        return Err("holds more than it announces".to_owned());
    }
    let folder = target.parent().unwrap_or(target);
    std::fs::create_dir_all(folder)
        .and_then(|()| write_unsynced(target, &bytes))
        .map_err(|error| failed(&error))
}

/// Writes a new file without syncing it to disk: it need not survive a crash of the machine.
fn write_unsynced(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    File::options().write(true).create_new(true).open(path)?.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// Unpacks the archive of a class on a disk with much room.
    fn unpack(path: &Path) -> Result<Unpacked, String> {
        unpack_into(path, Holds::Many, &mut on_disk(limits::ALL_UNPACKED_BYTES))
    }

    fn on_disk(bytes: u64) -> Unpacking<'static> {
        Unpacking {
            within: std::env::temp_dir(),
            room: DiskSpace::of_bytes(bytes),
            going_on: &|| true,
        }
    }

    fn unpack_into(
        path: &Path,
        holds: Holds,
        unpacking: &mut Unpacking,
    ) -> Result<Unpacked, String> {
        unpacking.unpack(path, holds).map_err(|error| match error {
            UnpackError::Archive(reason) => reason,
            UnpackError::Stopped => "stopped".into(),
        })
    }

    /// Writes an archive with these sizes of files, all zeros.
    fn archive_of_zeros(path: &Path, files: &[(&str, usize)]) {
        let mut writer = ZipWriter::new(File::create(path).unwrap());
        for (name, size) in files {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(&vec![0; *size]).unwrap();
        }
        writer.finish().unwrap();
    }

    /// Returns the names of those refused, with reasons.
    fn refused(unpacked: &Unpacked) -> Vec<(String, &str)> {
        let name = |place: &Path| place.strip_prefix(&unpacked.root).unwrap().display().to_string();
        unpacked.refused.iter().map(|(place, reason)| (name(place), &**reason)).collect()
    }

    /// Makes an archive, changes its bytes and unpacks it; returns the unpacked files, and the
    /// damaged entries with reasons.
    fn unpacked(
        entries: &[(&str, &str)],
        change: impl FnOnce(&mut Vec<u8>),
    ) -> (Vec<String>, Vec<String>) {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in entries {
            let stored =
                SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
            writer.start_file(*name, stored).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all.zip");
        let mut bytes = writer.finish().unwrap().into_inner();
        change(&mut bytes);
        std::fs::write(&path, bytes).unwrap();
        let all = unpack(&path).unwrap();
        let (unpacked, root) = (all.folder, all.root);
        let mut found: Vec<String> = Vec::new();
        let mut folders = vec![unpacked.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => found
                        .push(path.strip_prefix(unpacked.path()).unwrap().display().to_string()),
                }
            }
        }
        found.sort();
        let shown = |(place, reason): (PathBuf, String)| {
            format!("{}: {reason}", place.strip_prefix(&root).unwrap_or(&place).display())
        };
        (found, all.refused.into_iter().map(shown).collect())
    }

    #[test]
    fn regular_files_are_unpacked_and_hidden_ones_are_not() {
        let entries =
            [("a/hog.py", "x"), ("a/.git/b.py", "x"), ("__MACOSX/a/hog.py", "x"), (".x.py", "")];
        assert_eq!(unpacked(&entries, |_| {}), (vec!["a/hog.py".into()], vec![]));
    }

    #[test]
    fn an_entry_in_too_many_folders_is_left_out() {
        let deep = |folders: usize| format!("eve/{}hog.py", "a/".repeat(folders - 1));
        let (most, more) = (deep(limits::UNPACKED_DEPTH), deep(limits::UNPACKED_DEPTH + 1));
        let (found, damaged) = unpacked(&[(&most, "x"), (&more, "x"), ("ada/hog.py", "x")], |_| {});
        assert_eq!((found, damaged), (vec!["ada/hog.py".to_owned(), most], vec![]));
    }

    #[test]
    fn entries_cannot_leave_the_folder_or_replace_other_files() {
        let names = [
            "../out.py",
            "a/../../out.py",
            "a/../b/hog.py",
            "a\\..\\b\\hog.py",
            "/etc/out.py",
            "b/hog.py",
            "b/hog.py/c.py",
        ];
        let (found, damaged) = unpacked(&names.map(|name| (name, "x")), |_| {});
        assert_eq!(found, ["b/hog.py", "etc/out.py"]);
        let places = damaged.iter().map(|text| text.split(": its entry ").next().unwrap());
        assert_eq!(places.collect::<Vec<_>>(), ["", "a", "a", "a", "b/hog.py/c.py"]);
        assert!(
            damaged[..4].iter().all(|text| text.contains("outside of its folder")),
            "{damaged:?}"
        );
    }

    #[test]
    fn a_damaged_entry_is_reported_and_the_others_are_unpacked() {
        let long = format!("c/{}\u{1b}[31m.py", "x".repeat(5_000));
        let entries =
            [("a/hog.py", "return 4444"), ("b/hog.py", "return 5"), (&long[..], "return 6")];
        let change = |bytes: &mut Vec<u8>| {
            let at = bytes.windows(4).position(|four| four == b"4444").unwrap();
            bytes[at] = b'5';
        };
        let (found, damaged) = unpacked(&entries, change);
        assert_eq!(found, ["b/hog.py"]);
        assert!(
            damaged[0].starts_with("a/hog.py: its entry a/hog.py cannot be unpacked: "),
            "{damaged:?}"
        );
        let reason = damaged[1].split(": its entry ").nth(1).unwrap();
        assert!(reason.chars().count() < 200 && !reason.contains(char::is_control), "{reason}");
        assert_eq!(damaged.len(), 2);
    }

    #[test]
    fn links_in_an_archive_are_told_and_not_made() {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.add_symlink("a/link.py", "/etc/passwd", SimpleFileOptions::default()).unwrap();
        writer.start_file("b.py", SimpleFileOptions::default()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("links.zip");
        std::fs::write(&path, writer.finish().unwrap().into_inner()).unwrap();
        let unpacked = unpack(&path).unwrap();
        let entries = |folder: &Path| std::fs::read_dir(folder).unwrap().count();
        assert_eq!(entries(&unpacked.root), 2, "the folder of the entrant, and another's file");
        assert_eq!(entries(&unpacked.root.join("a")), 0, "without the link");
        assert_eq!(unpacked.links, [unpacked.root.join("a/link.py")]);
    }

    #[test]
    fn those_who_take_more_than_their_share_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all.zip");
        let share = limits::UNPACKED_BYTES as usize;
        let many: Vec<String> =
            (0..=limits::UNPACKED_FILES).map(|number| format!("eve/{number}.txt")).collect();
        let many = many.iter().map(|name| (&**name, 0));
        let sizes = [
            ("ada/hog.py", 5),
            ("bob/a.txt", share / 2),
            ("bob/b.txt", share / 2 + 1),
            ("cem.txt", share),
        ];
        archive_of_zeros(&path, &sizes.into_iter().chain(many).collect::<Vec<_>>());
        let unpacked = unpack(&path).unwrap();
        let names: Vec<String> = refused(&unpacked).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["bob", "eve"]);
        assert!(
            unpacked.root.join("ada/hog.py").is_file() && unpacked.root.join("cem.txt").is_file()
        );
        assert_eq!(std::fs::read_dir(unpacked.root.join("eve")).unwrap().count(), 0);
        let of_one =
            unpack_into(&path, Holds::One(&path), &mut on_disk(limits::ALL_UNPACKED_BYTES))
                .unwrap();
        assert_eq!(refused(&of_one).len(), 1, "all of it is the share of one");
    }

    #[test]
    fn an_entry_with_more_than_it_announces_is_refused() {
        let change = |bytes: &mut Vec<u8>| {
            // The uncompressed size in the list of entries, 24 bytes after its signature.
            let at = bytes.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
            bytes[at + 24] = 1;
        };
        let (found, refused) =
            unpacked(&[("eve/hog.py", "return 5"), ("ada/hog.py", "return 4")], change);
        assert_eq!(found, ["ada/hog.py"]);
        assert_eq!(refused.len(), 1);
        assert!(refused[0].starts_with("eve/hog.py: "), "{refused:?}");
    }

    #[test]
    fn on_a_full_disk_those_who_take_most_make_room() {
        let folder = tempfile::tempdir().unwrap();
        let mut unpacking = on_disk(1000);
        let mut kept = Vec::new();
        for (name, files) in [
            ("ada", &[("hog.py", 300)][..]),
            ("eve", &[("hog.py", 300), ("data.bin", 301)]),
            ("bob", &[("hog.py", 300)]),
            ("max", &[("hog.py", 601)]),
            ("zoe", &[("hog.py", 300)]),
        ] {
            let path = folder.path().join(name);
            archive_of_zeros(&path, files);
            kept.push(unpack_into(&path, Holds::One(&path), &mut unpacking).unwrap());
        }
        let evicted: Vec<_> =
            unpacking.room.evicted().map(|path| path.file_name().unwrap().to_owned()).collect();
        assert_eq!(evicted, ["eve", "max"]);
        let has_files = kept.iter().map(|one| one.root.join("hog.py").is_file());
        assert_eq!(has_files.collect::<Vec<_>>(), [true, false, true, false, true]);
    }

    #[test]
    fn unpacking_stops_when_it_is_cancelled() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all.zip");
        archive_of_zeros(&path, &[("ada/hog.py", 3)]);
        let mut unpacking =
            Unpacking { going_on: &|| false, ..on_disk(limits::ALL_UNPACKED_BYTES) };
        assert_eq!(unpack_into(&path, Holds::Many, &mut unpacking).unwrap_err(), "stopped");
    }

    #[test]
    fn the_folder_that_wraps_an_export_is_not_a_submission() {
        for (names, root) in [
            (&["export/submission_1/hog.py", "export/submission_metadata.yml"][..], "export"),
            (&["export/ada/hog.py", "export/bob/hog.py", "notes.md"], "export"),
            (&["a/b/ada/hog.py", "a/b/bob/hog.py"], "a/b"),
            (&["ada.py", "bob/hog.py"], ""),
        ] {
            let entries: Vec<ArchiveEntry> = names
                .iter()
                .map(|name| ArchiveEntry { index: 0, path: name.into(), kind: Kind::File(0) })
                .collect();
            assert_eq!(wrapper(&entries), Path::new(root), "{names:?}");
        }
    }

    #[test]
    fn a_file_that_is_not_an_archive_is_refused_with_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("no.zip");
        std::fs::write(&path, "PK nonsense").unwrap();
        assert!(unpack(&path).unwrap_err().contains("not a valid zip archive"));
        assert!(unpack(folder.path()).is_err());
    }
}
