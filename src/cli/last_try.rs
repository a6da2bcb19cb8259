//! Remembers the last result of `hog try` for a file, in the user's cache folder. Entries that
//! cannot be read are ignored.

use std::path::Path;

use crate::files::{self, hash::fnv_64};
use crate::queries::{Losses, Tried, WinRates};
use serde::{Deserialize, Serialize};

use super::interrupt::uninterrupted;
use super::machine::cache_folder;

/// The last result of a file, for one game and opponent.
#[derive(Serialize, Deserialize)]
pub(super) struct LastTry {
    /// The rules, opponent, path and function that it belongs to. The names of entries are hashes
    /// of this, which could collide.
    of: String,
    win_rate: WinRates,
    /// The roll at each pair of scores, `[score][opponent]`, as an action index in base 36; `None`
    /// if the game is large.
    rolls: Option<String>,
}

/// The largest number of entries; those unchanged for longest are removed first.
const MOST_ENTRIES: usize = 100;

/// The largest entry that is read, in bytes.
const LARGEST: u64 = 2 << 20;

/// The largest number of pairs of scores whose rolls are saved.
const MOST_CELLS: usize = 1 << 20;

impl LastTry {
    /// Adds what changed since the last result to the answer, and saves the new result. Errors of
    /// the cache are ignored.
    pub fn compare_and_save(file: &Path, tried: &mut Tried) {
        let Some(folder) = cache_folder().map(|folder| folder.join("tries")) else { return };
        let path = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        let answer = &tried.answer;
        let function = answer.strategy.rsplit(std::path::is_separator).next().unwrap_or_default();
        let of = format!(
            "{:016x} {} {} {function}",
            tried.losses.game.rules().fingerprint(),
            answer.against,
            path.display()
        );
        let entry = folder.join(format!("{:016x}.json", fnv_64(of.as_bytes())));
        let now = Self { of, win_rate: answer.win_rate, rolls: rolls(&tried.losses) };
        if let Some(last) = Self::read(&entry).filter(|last| last.of == now.of) {
            let digits =
                last.rolls.as_ref().zip(now.rolls.as_ref()).filter(|(a, b)| a.len() == b.len());
            let changed =
                digits.map(|(a, b)| a.bytes().zip(b.bytes()).filter(|(a, b)| a != b).count());
            tried.answer.since(last.win_rate, changed);
        }
        if now.write(&folder, &entry).is_ok() {
            prune(&folder);
        }
    }

    fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&files::read(path, LARGEST).ok()?).ok()
    }

    fn write(&self, folder: &Path, path: &Path) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let text = serde_json::to_vec(self)?;
        uninterrupted(|| files::write(path, &text))
    }
}

/// Returns the rolls at all pairs of scores, with the memories that the players have at the start.
fn rolls(losses: &Losses) -> Option<String> {
    let space = losses.game.space();
    let start = losses.game.start();
    let cells = space.goal * space.goal;
    if cells > MOST_CELLS {
        return None;
    }
    let mut digits = String::with_capacity(cells);
    for cell in 0..cells {
        let action = losses.plan.action(cell * space.per_cell() + start);
        digits.push(char::from_digit(action as u32, 36)?);
    }
    Some(digits)
}

/// Removes the entries that have been unchanged for longest, down to [`MOST_ENTRIES`].
fn prune(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut found: Vec<_> = entries
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|ending| ending == "json"))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    found.sort();
    for (_, path) in found.iter().take(found.len().saturating_sub(MOST_ENTRIES)) {
        // Another run may have removed it already.
        let _ = std::fs::remove_file(path);
    }
}
