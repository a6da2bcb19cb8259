//! A file of the finished pairs of a contest, so that an interrupted run can be resumed.
//!
//! The file is JSON: `{"hog_contest": 3, "rules": FINGERPRINT, "error_bound": E, "entrants":
//! [DIGEST, ...], "pairs": [[A, B, FIRST, SECOND], ...]}`. A and B are indices of `entrants`, the
//! digests of entrants' plans and bids (not of their names): pairs remain valid when entrants are
//! added, removed or renamed, and a changed strategy is rated again. E bounds the absolute error of
//! every rate.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::files;
use crate::pairs::PairRate;
use crate::rules::Rules;

use super::digest::EntrantDigest;
use super::limits;

/// The version of the file.
const VERSION: u32 = 3;

/// The shortest time between two saves.
const PAUSE: Duration = Duration::from_millis(250);

/// The shortest time between two saves, as a multiple of the duration of the last one.
const PAUSE_PER_SAVE: u32 = 20;

/// Finished pairs.
#[derive(Clone, Debug)]
pub struct KeptPairs {
    rules: u64,
    /// A number for each entrant.
    numbers: HashMap<EntrantDigest, u32>,
    /// The rates of a pair, by the numbers of its entrants.
    pairs: HashMap<(u32, u32), PairRate>,
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
    /// The file has other contents.
    #[error(
        "{} holds no pairs of a contest of these rules: {reason}; name another file",
        .path.display()
    )]
    Strange {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The file could not be written.
    #[error("cannot write {}: {error}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

impl KeepError {
    fn strange(path: &Path, reason: &str) -> Self {
        Self::Strange { path: path.into(), reason: reason.into() }
    }
}

/// The part of the file that is the same in all versions.
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
    entrants: Vec<String>,
    pairs: Vec<(usize, usize, f64, f64)>,
}

impl KeptPairs {
    /// Creates an empty set of pairs.
    pub fn new(rules: &Rules) -> Self {
        Self {
            rules: rules.fingerprint_with_bid(),
            numbers: HashMap::new(),
            pairs: HashMap::new(),
            error_bound: 0.0,
            saved: Instant::now(),
            pause: PAUSE,
        }
    }

    /// Reads a file; a file that does not exist has no pairs.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, has other contents, or belongs to other rules.
    pub fn read(path: &Path, rules: &Rules) -> Result<Self, KeepError> {
        let text = match files::read_text(path, limits::PAIRS_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::new(rules));
            }
            Err(error) => return Err(KeepError::Unreadable { path: path.into(), error }),
        };
        Self::parse(&text, rules).map_err(|reason| KeepError::strange(path, reason))
    }

    /// Reads the text of a file.
    fn parse(text: &str, rules: &Rules) -> Result<Self, &'static str> {
        let version: Version =
            serde_json::from_str(text).map_err(|_| "it is not a file of pairs")?;
        if version.hog_contest != VERSION {
            return Err("it was written by another version of hog");
        }
        let file: File = serde_json::from_str(text).map_err(|_| "it is not a file of pairs")?;
        let mut kept = Self::new(rules);
        if digits(kept.rules) != file.rules {
            return Err("it belongs to other rules");
        }
        if !(0.0..1.0).contains(&file.error_bound) {
            return Err("its error bound is out of range");
        }
        kept.error_bound = file.error_bound;
        let mut numbers = Vec::with_capacity(file.entrants.len());
        for text in &file.entrants {
            let digest = text.parse().map_err(|()| "a digest of an entrant is damaged")?;
            numbers.push(kept.number(digest));
        }
        for (a, b, first, second) in file.pairs {
            if !(0.0..=1.0).contains(&first) || !(0.0..=1.0).contains(&second) {
                return Err("a win rate is out of range");
            }
            let a = numbers.get(a).ok_or("a pair has an unknown entrant")?;
            let b = numbers.get(b).ok_or("a pair has an unknown entrant")?;
            kept.pairs.insert((*a, *b), PairRate { first, second });
        }
        Ok(kept)
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written; an old file is then unchanged.
    pub fn write(&self, path: &Path) -> Result<(), KeepError> {
        // In the order of the digests, so that the file does not depend on the order in which pairs
        // were rated.
        let mut entrants: Vec<(EntrantDigest, u32)> =
            self.numbers.iter().map(|(digest, at)| (*digest, *at)).collect();
        entrants.sort_unstable();
        let mut places = vec![0; entrants.len()];
        for (place, (_, number)) in entrants.iter().enumerate() {
            places[*number as usize] = place;
        }
        let mut pairs = Vec::with_capacity(self.pairs.len());
        for ((a, b), rate) in &self.pairs {
            pairs.push((places[*a as usize], places[*b as usize], rate.first, rate.second));
        }
        pairs.sort_unstable_by_key(|(a, b, ..)| (*a, *b));
        let file = File {
            hog_contest: VERSION,
            rules: digits(self.rules),
            error_bound: self.error_bound,
            entrants: entrants.iter().map(|(digest, _)| digest.to_string()).collect(),
            pairs,
        };
        let bytes = serde_json::to_vec(&file).expect("numbers and digits are JSON");
        files::write(path, &bytes)
            .map_err(|error| KeepError::Unwritable { path: path.into(), error })
    }

    /// Returns the number of an entrant, by which its pairs are kept.
    pub(super) fn number(&mut self, digest: EntrantDigest) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(digest).or_insert(next)
    }

    /// Returns the rate of a pair, if it is known.
    pub(super) fn get(&self, a: u32, b: u32) -> Option<PairRate> {
        self.pairs
            .get(&(a, b))
            .copied()
            .or_else(|| self.pairs.get(&(b, a)).copied().map(PairRate::swapped))
    }

    /// Returns the average win rates, row against column, of the entrants with these digests;
    /// `None` where a pair is unknown.
    pub fn averages(&self, digests: &[EntrantDigest]) -> Vec<Vec<Option<f64>>> {
        let numbers: Vec<Option<u32>> =
            digests.iter().map(|digest| self.numbers.get(digest).copied()).collect();
        numbers.iter().map(|a| numbers.iter().map(|b| self.average(*a, *b)).collect()).collect()
    }

    fn average(&self, a: Option<u32>, b: Option<u32>) -> Option<f64> {
        Some(self.get(a?, b?)?.average())
    }

    /// The largest absolute error of any rate.
    pub(super) fn error_bound(&self) -> f64 {
        self.error_bound
    }

    /// Raises the error bound to that of the pairs that will be added.
    pub(super) fn raise_error_bound(&mut self, error_bound: f64) {
        self.error_bound = self.error_bound.max(error_bound);
    }

    pub(super) fn add(&mut self, a: u32, b: u32, rate: PairRate) {
        self.pairs.insert((a, b), rate);
    }

    /// Calls `save` if enough time has passed since the last save.
    pub(super) fn save_if_due<E>(
        &mut self,
        save: impl FnOnce(&Self) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.saved.elapsed() > self.pause {
            let began = Instant::now();
            save(self)?;
            self.saved = Instant::now();
            self.pause = PAUSE.max(began.elapsed() * PAUSE_PER_SAVE);
        }
        Ok(())
    }
}

fn digits(number: u64) -> String {
    format!("{number:016x}")
}
