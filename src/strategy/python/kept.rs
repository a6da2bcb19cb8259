//! Answers of earlier runs, kept by what they depend on: a strategy that has not changed is not asked again.
//!
//! The key is a digest of the file, of all that lies beside it, of the interpreter and its packages, of the limits and of
//! this program, so whatever changes asks anew. An entry is the digest of its answers, then one byte for each answer; one
//! that does not fit is passed over. Faults are not kept.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use crate::files;

/// Answers in a folder.
#[derive(Debug)]
pub(super) struct KeptAnswers {
    folder: PathBuf,
    written: AtomicUsize,
}

/// What a strategy's answers depend on, digested.
#[derive(Clone)]
pub(super) struct Key(Sha256);

/// How much is kept, in bytes; the entries used least recently go first.
const MOST_BYTES: u64 = 64 << 20;

/// The largest number of answers that is kept, one byte each.
const MOST_ANSWERS: usize = 1 << 22;

/// How many entries are written between two looks at how much there is.
const BETWEEN_LOOKS: usize = 256;

const DIGEST: usize = 32;

impl Key {
    pub fn new() -> Self {
        Self(Sha256::new())
    }

    /// Adds something that the answers depend on.
    #[must_use]
    pub fn with(mut self, part: &[u8]) -> Self {
        // Its length first: no two lists of parts are alike.
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

    /// So many answers in a range, if they are there and whole.
    pub fn read(&self, key: &Key, count: usize, range: (i32, i32)) -> Option<Vec<i32>> {
        let path = self.path(key);
        let bytes = files::read(&path, (MOST_ANSWERS + DIGEST) as u64).ok()?;
        let (digest, answers) = bytes.split_at_checked(DIGEST)?;
        let dice: Vec<i32> = answers.iter().map(|byte| i32::from(*byte as i8)).collect();
        let fits = dice.len() == count && dice.iter().all(|dice| (range.0..=range.1).contains(dice));
        if !fits || digest != &Sha256::digest(answers)[..] {
            return None;
        }
        // Used just now; if this cannot be noted it only goes sooner.
        let _ = std::fs::File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Some(dice)
    }

    /// Keeps answers. If they cannot be kept, the strategy is asked again next time, which is no fault.
    pub fn write(&self, key: &Key, dice: &[i32]) {
        let answers: Option<Vec<u8>> =
            dice.iter().map(|dice| i8::try_from(*dice).ok().map(|dice| dice as u8)).collect();
        let Some(answers) = answers.filter(|answers| answers.len() <= MOST_ANSWERS) else { return };
        if self.written.fetch_add(1, Ordering::Relaxed).is_multiple_of(BETWEEN_LOOKS) {
            let _ = std::fs::create_dir_all(&self.folder);
            remove_beyond(&self.folder, MOST_BYTES);
        }
        let bytes = [&Sha256::digest(&answers)[..], &answers].concat();
        let _ = files::write(&self.path(key), &bytes);
    }
}

/// Removes the files used least recently until the others have at most so many bytes.
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
    fn answers_come_back_whole_or_not_at_all() {
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
        let whole = std::fs::read(kept.path(&key)).unwrap();
        let mut altered = whole.clone();
        *altered.last_mut().unwrap() = 9;
        for damaged in [&altered[..], &whole[..whole.len() - 1], &whole[..5], b""] {
            std::fs::write(kept.path(&key), damaged).unwrap();
            assert_eq!(kept.read(&key, 3, (-1, 10)), None);
        }
    }

    #[test]
    fn no_more_is_kept_than_the_bound() {
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
    fn a_folder_that_cannot_be_made_is_no_fault() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let kept = KeptAnswers::new(file.path().to_owned());
        kept.write(&Key::new(), &[1]);
        assert_eq!(kept.read(&Key::new(), 1, (0, 10)), None);
    }
}
