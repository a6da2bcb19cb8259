//! Zip archives of what was handed in, unpacked into a folder of their own: within limits, and nowhere else.

use std::io::Read;
use std::path::Path;

use tempfile::TempDir;
use zip::ZipArchive;

use crate::files;

/// The largest archive that is opened, in bytes.
const LARGEST_ARCHIVE: u64 = 2 << 30;

/// The most entries, folders among them.
const MOST_ENTRIES: usize = 200_000;

/// The most that is unpacked, in bytes. An archive may announce less than it holds, so what comes out is counted.
const MOST_UNPACKED: u64 = 1 << 30;

/// A file's type in the upper bits of its mode in Unix, and that of a symbolic link.
const TYPE: u32 = 0o170_000;
const LINK: u32 = 0o120_000;

/// Unpacks plain files that are not hidden into a new folder, which goes away with what is returned.
pub(super) fn unpack(path: &Path) -> Result<TempDir, String> {
    let file = files::open(path, LARGEST_ARCHIVE).map_err(|error| error.to_string())?;
    let mut archive = ZipArchive::new(file).map_err(|error| format!("it is no sound zip archive: {error}"))?;
    if archive.len() > MOST_ENTRIES {
        return Err(format!("it has {} entries; at most {MOST_ENTRIES} are unpacked", archive.len()));
    }
    let folder = TempDir::with_prefix("hog-contest-").map_err(|error| error.to_string())?;
    let mut left = MOST_UNPACKED;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| format!("entry {}: {error}", index + 1))?;
        let shown = String::from_utf8_lossy(entry.name_raw()).escape_debug().to_string();
        let Some(place) = entry.enclosed_name() else {
            return Err(format!("its entry {shown} would be unpacked outside of its folder"));
        };
        let is_link = entry.unix_mode().is_some_and(|mode| mode & TYPE == LINK);
        if entry.is_dir() || is_link || place.components().any(|part| is_hidden(&part.as_os_str().to_string_lossy())) {
            continue;
        }
        let mut bytes = Vec::new();
        let unpacked = entry.by_ref().take(left + 1).read_to_end(&mut bytes);
        unpacked.map_err(|error| format!("its entry {shown} cannot be unpacked: {error}"))?;
        left = left
            .checked_sub(bytes.len() as u64)
            .ok_or_else(|| format!("it holds more than {} MiB; unpack it, and name the folder", MOST_UNPACKED >> 20))?;
        let target = folder.path().join(place);
        let written = std::fs::create_dir_all(target.parent().unwrap_or(folder.path()))
            .and_then(|()| std::fs::write(&target, &bytes));
        written.map_err(|error| format!("its entry {shown} cannot be unpacked: {error}"))?;
    }
    Ok(folder)
}

/// Files and folders that programs keep for themselves.
pub(super) fn is_hidden(name: &str) -> bool {
    name.starts_with('.') || ["__pycache__", "__MACOSX", "node_modules"].contains(&name)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn unpacked(entries: &[(&str, &str)]) -> Result<Vec<String>, String> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in entries {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all.zip");
        std::fs::write(&path, writer.finish().unwrap().into_inner()).unwrap();
        let unpacked = unpack(&path)?;
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
        Ok(found)
    }

    #[test]
    fn plain_files_are_unpacked_and_hidden_ones_are_not() {
        let found = unpacked(&[("a/hog.py", "x"), ("a/.git/b.py", "x"), ("__MACOSX/a/hog.py", "x"), (".x.py", "")]);
        assert_eq!(found.unwrap(), ["a/hog.py"]);
    }

    #[test]
    fn nothing_leaves_the_folder() {
        for name in ["../out.py", "a/../../out.py", "/etc/out.py"] {
            match unpacked(&[(name, "x")]) {
                Ok(found) => assert!(found.iter().all(|path| path == "etc/out.py"), "{name}: {found:?}"),
                Err(error) => assert!(error.contains("outside of its folder"), "{name}: {error}"),
            }
        }
    }

    #[test]
    fn a_link_in_an_archive_is_not_followed_or_made() {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.add_symlink("a/link.py", "/etc/passwd", SimpleFileOptions::default()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("links.zip");
        std::fs::write(&path, writer.finish().unwrap().into_inner()).unwrap();
        assert_eq!(std::fs::read_dir(unpack(&path).unwrap().path()).unwrap().count(), 0);
    }

    #[test]
    fn what_is_no_archive_is_refused_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("no.zip");
        std::fs::write(&path, "PK nonsense").unwrap();
        assert!(unpack(&path).unwrap_err().contains("no sound zip archive"));
        assert!(unpack(folder.path()).is_err());
    }
}
