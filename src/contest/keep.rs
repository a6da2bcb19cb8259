//! Finished pairs of a contest in a file, so that a run that was killed can go on.
//!
//! The file is JSON: `{"hog_contest": 2, "rules": FINGERPRINT, "error_bound": E, "pairs": [[A, B, FIRST, SECOND], ...]}`.
//! A and B are fingerprints of what the two play (not of their names), in hexadecimal digits, so pairs stay known when
//! entrants come, go or are renamed, and a changed strategy is rated afresh. No rate is further than E from the exact one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::files;
use crate::pairs::PairRate;
use crate::rules::Rules;

/// The version of the file.
const VERSION: u32 = 2;

/// The largest file that is read, in bytes: pairs of ten thousand entrants.
const LARGEST_FILE: u64 = 8 << 30;

/// The least time between two savings.
const PAUSE: Duration = Duration::from_millis(250);

/// Work between two savings takes so many times as long as the last one did.
const WORTH_SAVING: u32 = 20;

/// Finished pairs.
#[derive(Clone, Debug)]
pub struct KeptPairs {
    rules: u64,
    pairs: HashMap<(u64, u64), PairRate>,
    error_bound: f64,
    saved: Instant,
    pause: Duration,
}

/// Why finished pairs cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// The file could not be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It is something else.
    #[error("{} holds no pairs of a contest of these rules: {reason}; name another file", .path.display())]
    Strange {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// It could not be written.
    #[error("cannot write {}: {error}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

/// What a file of any version has.
#[derive(Deserialize)]
struct Version {
    hog_contest: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    hog_contest: u32,
    rules: String,
    error_bound: f64,
    pairs: Vec<(String, String, f64, f64)>,
}

impl KeptPairs {
    /// Nothing yet.
    pub fn new(rules: &Rules) -> Self {
        Self {
            rules: rules.fingerprint(),
            pairs: HashMap::new(),
            error_bound: 0.0,
            saved: Instant::now(),
            pause: PAUSE,
        }
    }

    /// Reads a file; one that is not there holds nothing.
    ///
    /// # Errors
    /// If it cannot be read, is something else, or belongs to other rules.
    pub fn read(path: &Path, rules: &Rules) -> Result<Self, KeepError> {
        let text = match files::read_text(path, LARGEST_FILE) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::new(rules)),
            Err(error) => return Err(KeepError::Unreadable { path: path.into(), error }),
        };
        let strange = |reason: &str| KeepError::Strange { path: path.into(), reason: reason.into() };
        let version: Version = serde_json::from_str(&text).map_err(|_| strange("it is of another kind"))?;
        if version.hog_contest != VERSION {
            return Err(strange("it was written by another version of hog"));
        }
        let file: File = serde_json::from_str(&text).map_err(|_| strange("it is of another kind"))?;
        let mut kept = Self::new(rules);
        if digits(kept.rules) != file.rules {
            return Err(strange("it belongs to other rules"));
        }
        if !(0.0..1.0).contains(&file.error_bound) {
            return Err(strange("its error bound is none"));
        }
        kept.error_bound = file.error_bound;
        let number = |text: &str| u64::from_str_radix(text, 16).map_err(|_| strange("a fingerprint is damaged"));
        for (a, b, first, second) in &file.pairs {
            if !(0.0..=1.0).contains(first) || !(0.0..=1.0).contains(second) {
                return Err(strange("a win rate is none"));
            }
            kept.pairs.insert((number(a)?, number(b)?), PairRate { first: *first, second: *second });
        }
        Ok(kept)
    }

    /// Writes the file, atomically.
    ///
    /// # Errors
    /// If it cannot be written; the old one is then still there.
    pub fn write(&self, path: &Path) -> Result<(), KeepError> {
        let pair = |((a, b), rate): (&(u64, u64), &PairRate)| (digits(*a), digits(*b), rate.first, rate.second);
        let mut pairs: Vec<_> = self.pairs.iter().map(pair).collect();
        pairs.sort_by(|x, y| (&x.0, &x.1).cmp(&(&y.0, &y.1)));
        let file = File { hog_contest: VERSION, rules: digits(self.rules), error_bound: self.error_bound, pairs };
        let bytes = serde_json::to_vec(&file).expect("numbers and digits are JSON");
        files::write(path, &bytes).map_err(|error| KeepError::Unwritable { path: path.into(), error })
    }

    /// The rate of a pair, if it is known.
    pub(super) fn get(&self, a: u64, b: u64) -> Option<PairRate> {
        self.pairs.get(&(a, b)).copied().or_else(|| self.pairs.get(&(b, a)).copied().map(PairRate::swapped))
    }

    /// The average win rates, row against column, of those who play what these digests tell; none where it is not known.
    pub fn averages(&self, digests: &[u64]) -> Vec<Vec<Option<f64>>> {
        let average = |a: &u64, b: &u64| self.get(*a, *b).map(|rate| rate.average());
        digests.iter().map(|a| digests.iter().map(|b| average(a, b)).collect()).collect()
    }

    /// No rate is further than this from the exact one.
    pub(super) fn error_bound(&self) -> f64 {
        self.error_bound
    }

    /// More pairs will be added, rated with this bound on their error.
    pub(super) fn expect(&mut self, error_bound: f64) {
        self.error_bound = self.error_bound.max(error_bound);
    }

    pub(super) fn add(&mut self, a: u64, b: u64, rate: PairRate) {
        self.pairs.insert((a, b), rate);
    }

    /// Calls `save` if enough time has passed since it last did.
    pub(super) fn save_if_due<E>(&mut self, save: impl FnOnce(&Self) -> Result<(), E>) -> Result<(), E> {
        if self.saved.elapsed() > self.pause {
            let began = Instant::now();
            save(self)?;
            self.saved = Instant::now();
            self.pause = PAUSE.max(began.elapsed() * WORTH_SAVING);
        }
        Ok(())
    }
}

fn digits(number: u64) -> String {
    format!("{number:016x}")
}
