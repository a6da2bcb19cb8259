//! Zip archives of what was handed in, unpacked into a folder of their own: within limits, and nowhere else.

use std::fmt::Display;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use zip::ZipArchive;

use super::naming::clean;
use super::paths::is_hidden;
use crate::files;

/// The largest archive that is opened, in bytes.
const LARGEST_ARCHIVE: u64 = 2 << 30;

/// The most entries, folders among them.
const MOST_ENTRIES: usize = 200_000;

/// The most that is unpacked, in bytes. An archive may announce less than it holds, so what comes out is counted.
const MOST_UNPACKED: u64 = 1 << 30;

/// The most that one entry may hold.
const LARGEST_ENTRY: u64 = 64 << 20;

/// A file's type in the upper bits of its mode in Unix, and that of a symbolic link.
const TYPE: u32 = 0o170_000;
const LINK: u32 = 0o120_000;

/// What was unpacked.
#[derive(Debug)]
pub(super) struct Unpacked {
    /// Goes away with this.
    pub folder: TempDir,
    /// Entries that could not be unpacked: where in the folder they belong, and why not.
    pub damaged: Vec<(PathBuf, String)>,
}

/// Why an entry is not unpacked.
enum UnpackFault {
    /// The archive goes no further.
    Archive(String),
    /// The others do.
    Entry(String),
}

impl UnpackFault {
    fn outside() -> Self {
        Self::Entry("would be unpacked outside of its folder".into())
    }
}

/// Unpacks plain files that are not hidden into a new folder: in this one, or in the system's for such things.
pub(super) fn unpack(path: &Path, within: Option<&Path>) -> Result<Unpacked, String> {
    let file = files::open(path, LARGEST_ARCHIVE).map_err(|error| error.to_string())?;
    let mut archive = ZipArchive::new(file).map_err(|_| "it is no sound zip archive")?;
    if archive.len() > MOST_ENTRIES {
        return Err(format!("it has {} entries; at most {MOST_ENTRIES} are unpacked", archive.len()));
    }
    let within = within.map_or_else(std::env::temp_dir, Path::to_path_buf);
    let folder = TempDir::with_prefix_in("hog-contest-", within).map_err(|error| error.to_string())?;
    let (mut left, mut damaged) = (MOST_UNPACKED, Vec::new());
    for index in 0..archive.len() {
        let name = archive.name_for_index(index).and_then(Result::ok).unwrap_or_default().into_owned();
        if parts(&name).any(|part| part != ".." && is_hidden(part)) {
            continue;
        }
        // A name that leads back may stay in the folder and still be the place of another's file.
        let leads_back = parts(&name).any(|part| part == "..");
        let unpacked = match leads_back {
            true => Err(UnpackFault::outside()),
            false => unpack_entry(&mut archive, index, folder.path(), &mut left),
        };
        match unpacked {
            Ok(()) => {}
            Err(UnpackFault::Archive(reason)) => return Err(reason),
            Err(UnpackFault::Entry(reason)) => {
                let place: PathBuf = parts(&name).take_while(|part| *part != "..").collect();
                // Whose it is shows in its folder, which need not hold anything else.
                let place_there = folder.path().join(&place);
                let of_whom = if leads_back { Some(&*place_there) } else { place_there.parent() };
                let _ = std::fs::create_dir_all(of_whom.unwrap_or(folder.path()));
                damaged.push((place, format!("its entry {} {reason}", clean(&name))));
            }
        }
    }
    Ok(Unpacked { folder, damaged })
}

/// The folders of an entry's name, and its file.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".")
}

/// Unpacks one entry; what comes out of it is taken from `left`.
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
        return Ok(());
    }
    let (mut bytes, most) = (Vec::new(), LARGEST_ENTRY.min(*left));
    let read = entry.by_ref().take(most + 1).read_to_end(&mut bytes);
    *left = left.checked_sub(bytes.len() as u64).ok_or_else(|| {
        UnpackFault::Archive(format!("it holds more than {} MiB; unpack it, and name the folder", MOST_UNPACKED >> 20))
    })?;
    read.map_err(|error| failed(&error))?;
    if bytes.len() as u64 > LARGEST_ENTRY {
        return Err(UnpackFault::Entry(format!("holds more than {} MiB", LARGEST_ENTRY >> 20)));
    }
    let target = folder.join(place);
    let written =
        std::fs::create_dir_all(target.parent().unwrap_or(folder)).and_then(|()| write_for_now(&target, &bytes));
    written.map_err(|error| failed(&error))
}

/// Writes a new file that need not outlive the machine's next start: nobody waits until it is on the disk.
fn write_for_now(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    File::options().write(true).create_new(true).open(path)?.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// The files that came out of an archive, and the entries that did not.
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
        let Unpacked { folder: unpacked, damaged } = unpack(&path, None).unwrap();
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
    fn plain_files_are_unpacked_and_hidden_ones_are_not() {
        let entries = [("a/hog.py", "x"), ("a/.git/b.py", "x"), ("__MACOSX/a/hog.py", "x"), (".x.py", "")];
        assert_eq!(unpacked(&entries, |_| {}), (vec!["a/hog.py".into()], vec![]));
    }

    #[test]
    fn nothing_leaves_the_folder_or_takes_the_place_of_another() {
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
        let places = damaged.iter().map(|told| told.split(": its entry ").next().unwrap());
        assert_eq!(places.collect::<Vec<_>>(), ["", "a", "a", "a", "b/hog.py/c.py"]);
        assert!(damaged[..4].iter().all(|told| told.contains("outside of its folder")), "{damaged:?}");
    }

    #[test]
    fn a_damaged_entry_is_told_and_the_others_go_on() {
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
    fn a_link_in_an_archive_is_not_followed_or_made() {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.add_symlink("a/link.py", "/etc/passwd", SimpleFileOptions::default()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("links.zip");
        std::fs::write(&path, writer.finish().unwrap().into_inner()).unwrap();
        assert_eq!(std::fs::read_dir(unpack(&path, None).unwrap().folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_is_no_archive_is_refused_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("no.zip");
        std::fs::write(&path, "PK nonsense").unwrap();
        assert!(unpack(&path, None).unwrap_err().contains("no sound zip archive"));
        assert!(unpack(folder.path(), None).is_err());
    }
}
