//! A cache of answers of earlier runs: a strategy that has not changed is not run again.
//!
//! The key is a digest of everything that the answers depend on: the file, the other files it may read, the interpreter
//! and its packages, the limits, and the version of this program. An entry is the digest of its answers, followed by
//! one byte per answer; an invalid entry is ignored. Faults are not kept.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use crate::files;

/// A folder of answers.
#[derive(Debug)]
pub(super) struct KeptAnswers {
    folder: PathBuf,
    written: AtomicUsize,
}

/// A digest of everything that a strategy's answers depend on.
#[derive(Clone)]
pub(super) struct Key(Sha256);

/// The size limit of the folder, in bytes; the least recently used entries are removed first.
const MOST_BYTES: u64 = 64 << 20;

/// The largest number of answers in an entry.
const MOST_ANSWERS: usize = 1 << 22;

/// The number of entries written between two checks of the size limit.
const WRITES_BETWEEN_CHECKS: usize = 256;

const DIGEST: usize = 32;

impl Key {
    pub fn new() -> Self {
        Self(Sha256::new())
    }

    /// Adds something that the answers depend on.
    #[must_use]
    pub fn with(mut self, part: &[u8]) -> Self {
        // Preceded by its length, so that different lists of parts never have the same bytes.
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
        self
    }

    fn name(&self) -> String {
        super::answers::encode(&self.0.clone().finalize())
    }
}

impl KeptAnswers {
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, written: AtomicUsize::new(0) }
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(key.name())
    }

    /// Returns the answers of a key, if there is a valid entry with `count` answers that are all in `range`.
    pub fn read(&self, key: &Key, count: usize, range: (i32, i32)) -> Option<Vec<i32>> {
        let path = self.path(key);
        let bytes = files::read(&path, (MOST_ANSWERS + DIGEST) as u64).ok()?;
        let (digest, answers) = bytes.split_at_checked(DIGEST)?;
        let dice: Vec<i32> = answers.iter().map(|byte| i32::from(*byte as i8)).collect();
        let fits = dice.len() == count && dice.iter().all(|dice| (range.0..=range.1).contains(dice));
        if !fits || digest != &Sha256::digest(answers)[..] {
            return None;
        }
        // Marks the entry as just used. On failure it is only removed sooner.
        let _ = std::fs::File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Some(dice)
    }

    /// Keeps answers. Errors are ignored: the strategy is then run again next time.
    pub fn write(&self, key: &Key, dice: &[i32]) {
        let answers: Option<Vec<u8>> =
            dice.iter().map(|dice| i8::try_from(*dice).ok().map(|dice| dice as u8)).collect();
        let Some(answers) = answers.filter(|answers| answers.len() <= MOST_ANSWERS) else { return };
        if self.written.fetch_add(1, Ordering::Relaxed).is_multiple_of(WRITES_BETWEEN_CHECKS) {
            let _ = std::fs::create_dir_all(&self.folder);
            remove_beyond(&self.folder, MOST_BYTES);
        }
        let bytes = [&Sha256::digest(&answers)[..], &answers].concat();
        let _ = files::write(&self.path(key), &bytes);
    }
}

/// Removes the least recently used files until the others have at most `most` bytes.
fn remove_beyond(folder: &Path, most: u64) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let aged = |entry: std::fs::DirEntry| {
        let metadata = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some((metadata.modified().ok()?, metadata.len(), entry.path()))
    };
    let mut entries: Vec<(SystemTime, u64, PathBuf)> = entries.flatten().filter_map(aged).collect();
    let mut total: u64 = entries.iter().map(|(_, length, _)| length).sum();
    entries.sort();
    for (_, length, path) in entries {
        if total <= most {
            break;
        }
        if std::fs::remove_file(path).is_ok() {
            total -= length;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn damaged_or_unfit_entries_are_not_returned() {
        let folder = tempfile::tempdir().unwrap();
        let kept = KeptAnswers::new(folder.path().join("new"));
        let key = Key::new().with(b"a").with(b"bc");
        assert_eq!(kept.read(&key, 3, (-1, 10)), None);
        kept.write(&key, &[-1, 0, 10]);
        assert_eq!(kept.read(&key, 3, (-1, 10)), Some(vec![-1, 0, 10]));
        assert_eq!(kept.read(&key, 2, (-1, 10)), None, "another game");
        assert_eq!(kept.read(&key, 3, (0, 10)), None, "another range");
        for other in [Key::new().with(b"ab").with(b"c"), Key::new().with(b"a"), Key::new().with(b"abc")] {
            assert_eq!(kept.read(&other, 3, (-1, 10)), None);
        }
        let valid = std::fs::read(kept.path(&key)).unwrap();
        let mut altered = valid.clone();
        *altered.last_mut().unwrap() = 9;
        for damaged in [&altered[..], &valid[..valid.len() - 1], &valid[..5], b""] {
            std::fs::write(kept.path(&key), damaged).unwrap();
            assert_eq!(kept.read(&key, 3, (-1, 10)), None);
        }
    }

    #[test]
    fn the_least_recently_used_files_beyond_the_limit_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        for age in 0..10u64 {
            let file = std::fs::File::create(folder.path().join(age.to_string())).unwrap();
            file.set_len(10).unwrap();
            file.set_modified(now - Duration::from_secs(age)).unwrap();
        }
        remove_beyond(folder.path(), 45);
        let mut left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["0", "1", "2", "3"], "the newest stay");
    }

    #[test]
    fn a_folder_that_cannot_be_created_is_ignored() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let kept = KeptAnswers::new(file.path().to_owned());
        kept.write(&Key::new(), &[1]);
        assert_eq!(kept.read(&Key::new(), 1, (0, 10)), None);
    }
}
