//! Unpacks zip archives of submissions into a new folder: within limits, and never outside of the folder.

use std::fmt::Display;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use zip::ZipArchive;

use super::contents::DEEPEST;
use super::naming::clean;
use super::paths::is_hidden;
use crate::files;

/// The size limit of an archive, in bytes.
const LARGEST_ARCHIVE: u64 = 2 << 30;

/// The largest number of entries, folders included.
const MOST_ENTRIES: usize = 200_000;

/// The limit on the unpacked size, in bytes. An archive may announce a smaller size than it has, so the actual bytes
/// count.
pub(super) const MOST_UNPACKED: u64 = 1 << 30;

/// The limit on the unpacked size of one entry, in bytes.
const LARGEST_ENTRY: u64 = 64 << 20;

/// The most folders above an entry that is unpacked. No strategy is sought so deep, and thousands of folders would take
/// minutes to make and to remove.
const MOST_FOLDERS: usize = 2 * DEEPEST;

/// The mask of the file's type in a Unix mode, and the type of a symbolic link.
const TYPE: u32 = 0o170_000;
const LINK: u32 = 0o120_000;

/// An unpacked archive.
#[derive(Debug)]
pub(super) struct Unpacked {
    /// The folder, which is removed when this is dropped.
    pub folder: TempDir,
    /// The entries that could not be unpacked: their path below the folder, and the reason.
    pub damaged: Vec<(PathBuf, String)>,
}

/// Why an entry is not unpacked.
enum UnpackFault {
    /// The complete archive is refused.
    Archive(String),
    /// Only this entry is refused.
    Entry(String),
}

impl UnpackFault {
    fn outside() -> Self {
        Self::Entry("would be unpacked outside of its folder".into())
    }
}

/// Unpacks the regular files of an archive that are neither hidden nor too deep into a new folder, within the given
/// folder or the system's temporary one. Their size, at most `left` bytes, is subtracted from `left`.
pub(super) fn unpack(path: &Path, within: Option<&Path>, left: &mut u64) -> Result<Unpacked, String> {
    let file = files::open(path, LARGEST_ARCHIVE).map_err(|error| error.to_string())?;
    let mut archive = ZipArchive::new(file).map_err(|_| "it is not a valid zip archive")?;
    if archive.len() > MOST_ENTRIES {
        return Err(format!("it has {} entries; at most {MOST_ENTRIES} are unpacked", archive.len()));
    }
    let within = within.map_or_else(std::env::temp_dir, Path::to_path_buf);
    let folder = TempDir::with_prefix_in("hog-contest-", within).map_err(|error| error.to_string())?;
    let mut damaged = Vec::new();
    for index in 0..archive.len() {
        let name = archive.name_for_index(index).and_then(Result::ok).unwrap_or_default().into_owned();
        let is_hidden = |part: &str| part != ".." && is_hidden(part);
        if parts(&name).any(is_hidden) || parts(&name).count() > MOST_FOLDERS + 1 {
            // The folder of an entrant exists even if nothing in it is unpacked: its submission is then refused by name.
            let seen = parts(&name).take_while(|part| *part != ".." && !is_hidden(part)).take(MOST_FOLDERS);
            let _ = std::fs::create_dir_all(folder.path().join(seen.collect::<PathBuf>()));
            continue;
        }
        // Refused even if it stays within the folder: it could be the path of another entrant's file.
        let leads_back = parts(&name).any(|part| part == "..");
        let unpacked = match leads_back {
            true => Err(UnpackFault::outside()),
            false => unpack_entry(&mut archive, index, folder.path(), left),
        };
        match unpacked {
            Ok(()) => {}
            Err(UnpackFault::Archive(reason)) => return Err(reason),
            Err(UnpackFault::Entry(reason)) => {
                let place: PathBuf = parts(&name).take_while(|part| *part != "..").collect();
                // The entrant's folder identifies who is affected, so it is created even if it stays empty.
                let place_there = folder.path().join(&place);
                let owner = if leads_back { Some(&*place_there) } else { place_there.parent() };
                let _ = std::fs::create_dir_all(owner.unwrap_or(folder.path()));
                damaged.push((place, format!("its entry {} {reason}", clean(&name))));
            }
        }
    }
    Ok(Unpacked { folder, damaged })
}

/// Splits an entry's name into its folders and its file.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".")
}

/// Unpacks one entry, and subtracts its size from `left`.
fn unpack_entry(
    archive: &mut ZipArchive<File>,
    index: usize,
    folder: &Path,
    left: &mut u64,
) -> Result<(), UnpackFault> {
    let failed = |error: &dyn Display| UnpackFault::Entry(format!("cannot be unpacked: {error}"));
    let mut entry = archive.by_index(index).map_err(|error| failed(&error))?;
    let place = entry.enclosed_name().ok_or_else(UnpackFault::outside)?;
    let is_link = entry.unix_mode().is_some_and(|mode| mode & TYPE == LINK);
    if entry.is_dir() || is_link {
        let there = folder.join(&place);
        let made = std::fs::create_dir_all(if is_link { there.parent().unwrap_or(folder) } else { &there });
        return made.map_err(|error| failed(&error));
    }
    let (mut bytes, most) = (Vec::new(), LARGEST_ENTRY.min(*left));
    let read = entry.by_ref().take(most + 1).read_to_end(&mut bytes);
    *left = left.checked_sub(bytes.len() as u64).ok_or_else(|| {
        let most = MOST_UNPACKED >> 20;
        UnpackFault::Archive(format!("more than {most} MiB would be unpacked; unpack it, and name the folder"))
    })?;
    read.map_err(|error| failed(&error))?;
    if bytes.len() as u64 > LARGEST_ENTRY {
        return Err(UnpackFault::Entry(format!("holds more than {} MiB", LARGEST_ENTRY >> 20)));
    }
    let target = folder.join(place);
    let written =
        std::fs::create_dir_all(target.parent().unwrap_or(folder)).and_then(|()| write_unsynced(&target, &bytes));
    written.map_err(|error| failed(&error))
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

    /// Makes an archive, changes its bytes and unpacks it; returns the unpacked files, and the damaged entries with
    /// reasons.
    fn unpacked(entries: &[(&str, &str)], change: impl FnOnce(&mut Vec<u8>)) -> (Vec<String>, Vec<String>) {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in entries {
            let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
            writer.start_file(*name, stored).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all.zip");
        let mut bytes = writer.finish().unwrap().into_inner();
        change(&mut bytes);
        std::fs::write(&path, bytes).unwrap();
        let Unpacked { folder: unpacked, damaged } = unpack(&path, None, &mut { MOST_UNPACKED }).unwrap();
        let mut found: Vec<String> = Vec::new();
        let mut folders = vec![unpacked.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => found.push(path.strip_prefix(unpacked.path()).unwrap().display().to_string()),
                }
            }
        }
        found.sort();
        (found, damaged.into_iter().map(|(place, reason)| format!("{}: {reason}", place.display())).collect())
    }

    #[test]
    fn regular_files_are_unpacked_and_hidden_ones_are_not() {
        let entries = [("a/hog.py", "x"), ("a/.git/b.py", "x"), ("__MACOSX/a/hog.py", "x"), (".x.py", "")];
        assert_eq!(unpacked(&entries, |_| {}), (vec!["a/hog.py".into()], vec![]));
    }

    #[test]
    fn an_entry_in_too_many_folders_is_left_out() {
        let deep = |folders: usize| format!("eve/{}hog.py", "a/".repeat(folders - 1));
        let (most, more) = (deep(MOST_FOLDERS), deep(MOST_FOLDERS + 1));
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
        assert!(damaged[..4].iter().all(|text| text.contains("outside of its folder")), "{damaged:?}");
    }

    #[test]
    fn a_damaged_entry_is_reported_and_the_others_are_unpacked() {
        let long = format!("c/{}\u{1b}[31m.py", "x".repeat(5_000));
        let entries = [("a/hog.py", "return 4444"), ("b/hog.py", "return 5"), (&long[..], "return 6")];
        let change = |bytes: &mut Vec<u8>| {
            let at = bytes.windows(4).position(|four| four == b"4444").unwrap();
            bytes[at] = b'5';
        };
        let (found, damaged) = unpacked(&entries, change);
        assert_eq!(found, ["b/hog.py"]);
        assert!(damaged[0].starts_with("a/hog.py: its entry a/hog.py cannot be unpacked: "), "{damaged:?}");
        let reason = damaged[1].split(": its entry ").nth(1).unwrap();
        assert!(reason.chars().count() < 200 && !reason.contains(char::is_control), "{reason}");
        assert_eq!(damaged.len(), 2);
    }

    #[test]
    fn links_in_an_archive_are_ignored() {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.add_symlink("a/link.py", "/etc/passwd", SimpleFileOptions::default()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("links.zip");
        std::fs::write(&path, writer.finish().unwrap().into_inner()).unwrap();
        let unpacked = unpack(&path, None, &mut { MOST_UNPACKED }).unwrap();
        let entries = |folder: &Path| std::fs::read_dir(folder).unwrap().count();
        assert_eq!(entries(unpacked.folder.path()), 1, "the folder of the entrant");
        assert_eq!(entries(&unpacked.folder.path().join("a")), 0, "without the link");
    }

    #[test]
    fn a_file_that_is_not_an_archive_is_refused_with_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("no.zip");
        std::fs::write(&path, "PK nonsense").unwrap();
        assert!(unpack(&path, None, &mut { MOST_UNPACKED }).unwrap_err().contains("not a valid zip archive"));
        assert!(unpack(folder.path(), None, &mut { MOST_UNPACKED }).is_err());
    }
}
