//! A cache of the results of earlier runs: a file that has not changed is not run again, nor an
//! interpreter asked for its description.
//!
//! The key is a digest of everything that the result depends on: the file, the other files it may
//! read, the interpreter and its packages, the limits, and the version of this program. An entry is
//! the digest of the others of its bytes, then [`ANSWERS`] and one byte per answer, [`FAULT`] and a
//! fault that every run has, or [`DESCRIPTION`] and a text; an invalid entry is ignored.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use hog_files as files;

use crate::fault::Fault;
use crate::hex::encode;
use crate::limits;
use crate::question::QuestionGrid;

/// A folder of results.
#[derive(Debug)]
pub(super) struct KeptAnswers {
    folder: PathBuf,
    written: AtomicUsize,
}

/// A digest of everything that a result depends on.
#[derive(Clone)]
pub(super) struct AnswerKey(Sha256);

impl PartialEq for AnswerKey {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

/// The number of entries written between two checks of the size limit.
const WRITES_BETWEEN_CHECKS: usize = 256;

const DIGEST: usize = 32;

/// The kinds of results.
const ANSWERS: u8 = b'a';
const FAULT: u8 = b'f';
const DESCRIPTION: u8 = b'd';

/// Answers, or why there are none.
pub(super) type Kept = Result<Vec<i32>, Fault>;

impl AnswerKey {
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
        encode(&self.0.clone().finalize())
    }
}

impl KeptAnswers {
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, written: AtomicUsize::new(0) }
    }

    fn path(&self, key: &AnswerKey) -> PathBuf {
        self.folder.join(key.name())
    }

    /// Returns the result of a key, if there is a valid entry: a fault, or answers to all
    /// questions, each of which is allowed.
    pub fn read(&self, key: &AnswerKey, questions: &QuestionGrid) -> Option<Kept> {
        let result = match self.entry(key)?.split_first()? {
            (&ANSWERS, answers) => {
                let answers: Vec<i32> = answers.iter().map(|byte| i32::from(*byte as i8)).collect();
                let fits = answers.len() == questions.count()
                    && answers.iter().all(|answer| questions.answers.contains(answer));
                Ok(fits.then_some(answers)?)
            }
            (&FAULT, fault) => Err(serde_json::from_slice(fault).ok()?),
            _ => return None,
        };
        self.mark_used(key);
        Some(result)
    }

    /// Returns the description of a key, if there is a valid entry.
    pub fn read_description(&self, key: &AnswerKey) -> Option<String> {
        let entry = self.entry(key)?;
        let text = entry.strip_prefix(&[DESCRIPTION])?.to_owned();
        self.mark_used(key);
        String::from_utf8(text).ok()
    }

    /// Returns an entry without its digest, which must be right.
    fn entry(&self, key: &AnswerKey) -> Option<Vec<u8>> {
        let mut bytes =
            files::read(&self.path(key), (limits::KEPT_ANSWERS + DIGEST + 1) as u64).ok()?;
        let (digest, entry) = bytes.split_at_checked(DIGEST)?;
        (digest == &Sha256::digest(entry)[..]).then(|| bytes.split_off(DIGEST))
    }

    /// Marks an entry as just used. On failure it is only removed sooner.
    fn mark_used(&self, key: &AnswerKey) {
        let _ = std::fs::File::options()
            .append(true)
            .open(self.path(key))
            .and_then(|file| file.set_modified(SystemTime::now()));
    }

    /// Keeps a result, unless another run may have another. Errors are ignored: the file is then
    /// run again next time.
    pub fn write(&self, key: &AnswerKey, result: Result<&[i32], &Fault>) {
        if let Some(entry) = written(result) {
            self.write_entry(key, &entry);
        }
    }

    /// Keeps a description. Errors are ignored: it is then asked for again next time.
    pub fn write_description(&self, key: &AnswerKey, text: &str) {
        self.write_entry(key, &[&[DESCRIPTION], text.as_bytes()].concat());
    }

    fn write_entry(&self, key: &AnswerKey, entry: &[u8]) {
        if self.written.fetch_add(1, Ordering::Relaxed).is_multiple_of(WRITES_BETWEEN_CHECKS) {
            let _ = std::fs::create_dir_all(&self.folder);
            remove_beyond(&self.folder, limits::KEPT_BYTES);
        }
        let bytes = [&Sha256::digest(entry)[..], entry].concat();
        let _ = files::write(&self.path(key), &bytes);
    }
}

fn written(result: Result<&[i32], &Fault>) -> Option<Vec<u8>> {
    match result {
        Ok(answers) if answers.len() <= limits::KEPT_ANSWERS => {
            let mut bytes = vec![ANSWERS];
            for answer in answers {
                bytes.push(i8::try_from(*answer).ok()? as u8);
            }
            Some(bytes)
        }
        Err(fault) if fault.is_repeatable() => {
            let text = serde_json::to_vec(fault)
                .ok()
                .filter(|text| text.len() <= limits::KEPT_FAULT_BYTES)?;
            Some([&[FAULT], &text[..]].concat())
        }
        _ => None,
    }
}

/// Whether a file has the name of an entry: the digits of a digest.
fn is_entry(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.len() == 64 && name.iter().all(u8::is_ascii_hexdigit)
}

/// Removes the least recently used files until the others have at most `most` bytes.
fn remove_beyond(folder: &Path, most: u64) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
    for entry in entries.flatten() {
        if let Ok(metadata) = entry.metadata()
            && metadata.is_file()
            && is_entry(&entry.file_name())
            && let Ok(modified) = metadata.modified()
        {
            files.push((modified, metadata.len(), entry.path()));
        }
    }
    let mut total: u64 = files.iter().map(|(_, length, _)| length).sum();
    files.sort();
    for (_, length, path) in files {
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
    use crate::fault::At;

    #[test]
    fn damaged_or_unfit_entries_are_not_returned() {
        let folder = tempfile::tempdir().unwrap();
        let kept = KeptAnswers::new(folder.path().join("new"));
        let key = AnswerKey::new().with(b"a").with(b"bc");
        let questions = QuestionGrid { below: 2, answers: -1..=10 };
        assert_eq!(kept.read(&key, &questions), None);
        kept.write(&key, Ok(&[-1, 0, 10, 4]));
        assert_eq!(kept.read(&key, &questions), Some(Ok(vec![-1, 0, 10, 4])));
        let fewer = QuestionGrid { below: 1, answers: -1..=10 };
        assert_eq!(kept.read(&key, &fewer), None, "another number of questions");
        let narrower = QuestionGrid { below: 2, answers: 0..=10 };
        assert_eq!(kept.read(&key, &narrower), None, "other answers are allowed");
        for other in [
            AnswerKey::new().with(b"ab").with(b"c"),
            AnswerKey::new().with(b"a"),
            AnswerKey::new().with(b"abc"),
        ] {
            assert_eq!(kept.read(&other, &questions), None);
        }
        let valid = std::fs::read(kept.path(&key)).unwrap();
        let mut altered = valid.clone();
        *altered.last_mut().unwrap() = 9;
        for damaged in [&altered[..], &valid[..valid.len() - 1], &valid[..5], b""] {
            std::fs::write(kept.path(&key), damaged).unwrap();
            assert_eq!(kept.read(&key, &questions), None);
        }
    }

    #[test]
    fn only_faults_that_every_run_has_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let kept = KeptAnswers::new(folder.path().to_owned());
        let at = At::Call(3, 4);
        let questions = QuestionGrid { below: 5, answers: 0..=10 };
        let raised = Fault::Raised { at, error: "ValueError: é".into(), line: 7 };
        let too_long =
            Fault::TooLong { at: At::AfterCall(1, 2), line: 0, inner: None, seconds: 10 };
        for (number, fault) in [raised, too_long].iter().enumerate() {
            let key = AnswerKey::new().with(&[number as u8]);
            kept.write(&key, Err(fault));
            assert_eq!(kept.read(&key, &questions), Some(Err(fault.clone())));
        }
        let waits = Fault::Waits { at, line: 1, inner: None, seconds: 10 };
        let memory = Fault::Memory { at, mebibytes: 1024 };
        let ended = Fault::Ended { at, how: "signal 9".into() };
        for fault in [waits, memory, ended] {
            let key = AnswerKey::new().with(b"load");
            kept.write(&key, Err(&fault));
            assert_eq!(kept.read(&key, &questions), None, "{fault:?}");
        }
    }

    #[test]
    fn the_least_recently_used_files_beyond_the_limit_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        std::fs::write(folder.path().join("notes"), [0; 100]).unwrap();
        for age in 0..10u64 {
            let file = std::fs::File::create(folder.path().join(format!("{age:064}"))).unwrap();
            file.set_len(10).unwrap();
            file.set_modified(now - Duration::from_secs(age)).unwrap();
        }
        remove_beyond(folder.path(), 45);
        let mut left: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        let newest = (0..4).map(|age| format!("{age:064}").into());
        let expected: Vec<std::ffi::OsString> = newest.chain(["notes".into()]).collect();
        assert_eq!(left, expected, "the newest stay, and what is no answer");
    }

    #[test]
    fn a_folder_that_cannot_be_created_is_ignored() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let kept = KeptAnswers::new(file.path().to_owned());
        kept.write(&AnswerKey::new(), Ok(&[1]));
        let questions = QuestionGrid { below: 1, answers: 0..=10 };
        assert_eq!(kept.read(&AnswerKey::new(), &questions), None);
    }
}
