//! Which files may be replaced: those that hog wrote and nobody has edited since.
//!
//! Most formats have no room for a mark, and a mark would survive an edit. So the digests of all
//! files that hog writes are listed in its cache folder, in lines of hexadecimal digits. Errors of
//! the list are ignored: a file that is not on it is replaced only if the user says so.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::files::{self, has_extension};
use crate::table;
use anyhow::bail;
use sha2::{Digest, Sha256};

use super::machine::{cache_place, make_private};

/// The digests of files that hog wrote.
pub(super) struct WrittenFiles {
    /// The list; `None` if there is no cache folder.
    list: Option<PathBuf>,
}

/// The largest list, in bytes: about 16,000 files. The older half of a larger one is removed.
const LARGEST: u64 = 1 << 20;

impl WrittenFiles {
    /// The list of this user.
    pub fn of_user() -> Self {
        Self { list: cache_place().map(|folder| folder.join("written.txt")) }
    }

    /// Adds the contents of a file to the list; call this before they are written.
    pub fn remember(&self, contents: &[u8]) {
        let Some(list) = &self.list else { return };
        let _ = append(list, &hexadecimal(&Sha256::digest(contents)));
    }

    /// Checks that a file may be written: it does not exist, is empty, has contents that hog wrote,
    /// or `force` is set.
    ///
    /// # Errors
    /// Returns an error if the file would be somebody's work that is lost.
    pub fn may_replace(&self, path: &Path, force: bool) -> anyhow::Result<()> {
        if force || !path.is_file() || self.lists(path).unwrap_or(false) || is_table(path) {
            return Ok(());
        }
        bail!(
            "{} already exists, and hog did not write it, or it was edited: name another file, or \
             replace it with --force",
            path.display()
        )
    }

    fn lists(&self, path: &Path) -> io::Result<bool> {
        let mut file = files::open(path, u64::MAX)?;
        let mut digest = Sha256::new();
        if io::copy(&mut file, &mut digest)? == 0 {
            return Ok(true);
        }
        let (Some(list), digits) = (&self.list, hexadecimal(&digest.finalize())) else {
            return Ok(false);
        };
        // A line may follow the beginning of one that a full disk cut off.
        Ok(files::read_text(list, 2 * LARGEST)?.lines().any(|line| line.ends_with(&digits)))
    }
}

/// Returns whether a file is a valid table, which only hog writes: its checksum shows every edit.
fn is_table(path: &Path) -> bool {
    has_extension(path, "hog") && table::read(path).is_ok()
}

fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn append(list: &Path, digits: &str) -> io::Result<()> {
    list.parent().map_or(Ok(()), make_private)?;
    if list.metadata().is_ok_and(|metadata| metadata.len() > LARGEST) {
        let text = files::read_text(list, 2 * LARGEST).unwrap_or_default();
        let newer = text
            .get(text.len() / 2..)
            .and_then(|half| half.split_once('\n'))
            .map_or("", |(_, newer)| newer);
        files::write(list, newer.as_bytes())?;
    }
    // One write to the end of the file: several processes do not mix their lines.
    File::options()
        .append(true)
        .create(true)
        .open(list)?
        .write_all(format!("{digits}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_contents_that_were_remembered_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let may = |written: &WrittenFiles, text: &str| {
            std::fs::write(&path, text).unwrap();
            assert!(written.may_replace(&path, true).is_ok());
            written.may_replace(&path, false).is_ok()
        };
        let written = WrittenFiles { list: Some(folder.path().join("new/written.txt")) };
        assert!(written.may_replace(&path, false).is_ok(), "it does not exist");
        assert!(may(&written, "") && !may(&written, "a"));
        written.remember(b"a");
        written.remember(b"b");
        assert!(may(&written, "a") && may(&written, "b"));
        assert!(!may(&written, "ab") && !may(&written, "a\n"));
        File::options()
            .append(true)
            .open(folder.path().join("new/written.txt"))
            .unwrap()
            .write_all(b"12ab")
            .unwrap();
        written.remember(b"c");
        assert!(may(&written, "c"), "after a line that was cut off");
        let nowhere = WrittenFiles { list: None };
        nowhere.remember(b"a");
        assert!(may(&nowhere, "") && !may(&nowhere, "a"));
    }

    #[test]
    fn the_older_half_of_a_long_list_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let written = WrittenFiles { list: Some(folder.path().join("written.txt")) };
        let list = written.list.as_ref().unwrap();
        let digits = |text: &str| hexadecimal(&Sha256::digest(text));
        let lines: String =
            (0..LARGEST / 65 + 2).map(|number| digits(&number.to_string()) + "\n").collect();
        std::fs::write(list, &lines).unwrap();
        written.remember(b"new");
        let left = std::fs::read_to_string(list).unwrap();
        assert!(left.len() < lines.len() / 2 + 130 && left.lines().all(|line| line.len() == 64));
        assert!(
            left.ends_with(&(digits("new") + "\n")) && left.contains(lines.lines().last().unwrap())
        );
    }

    #[test]
    fn a_damaged_table_is_not_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.hog");
        let shipped = crate::rules::load("fa21", Default::default())
            .ok()
            .and_then(|rules| table::shipped(&rules));
        let mut bytes = shipped.unwrap().to_bytes();
        std::fs::write(&path, &bytes).unwrap();
        let nowhere = WrittenFiles { list: None };
        assert!(nowhere.may_replace(&path, false).is_ok());
        bytes.push(b'x');
        std::fs::write(&path, &bytes).unwrap();
        assert!(nowhere.may_replace(&path, false).is_err());
    }
}
