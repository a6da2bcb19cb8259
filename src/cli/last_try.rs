//! What was found when a file was last tried, kept in the user's cache folder; whatever is wrong with it, it is forgotten.

use std::path::{Path, PathBuf};

use hog::engine::Tried;
use hog::files;
use hog::game::Game;
use hog::view::Rate;
use serde::{Deserialize, Serialize};

use super::interrupt::undisturbed;

/// What is kept of a file at a game against an opponent.
#[derive(Serialize, Deserialize)]
pub(super) struct LastTry {
    /// What it belongs to: the names of files are hashes, and two might be the same.
    of: String,
    win_rate: Rate,
    /// Its rolls by score and opponent's score, one digit each of base 36 (from the fewest dice up); none if the game is large.
    rolls: Option<String>,
}

/// As many files are kept; the longest untouched go first.
const KEPT: usize = 100;

/// The largest file that is read, in bytes.
const LARGEST: u64 = 2 << 20;

/// The most pairs of scores whose rolls are kept.
const MOST_CELLS: usize = 1 << 20;

impl LastTry {
    /// Tells a view of what was kept, and keeps what it says now. A cache that cannot be read or written is none.
    pub fn swap(game: &Game, file: &Path, tried: &mut Tried) {
        let Some(folder) = cache_folder() else { return };
        let path = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        let view = &mut tried.view;
        let function = view.strategy.rsplit(std::path::is_separator).next().unwrap_or_default();
        let of = format!("{:016x} {} {} {function}", game.rules().fingerprint(), view.against, path.display());
        let kept = folder.join(format!("{:016x}.json", hash(&of)));
        let now = Self { of, win_rate: view.win_rate, rolls: rolls(game, tried) };
        let view = &mut tried.view;
        if let Some(last) = Self::read(&kept).filter(|last| last.of == now.of) {
            let digits = last.rolls.as_ref().zip(now.rolls.as_ref()).filter(|(a, b)| a.len() == b.len());
            let changed = digits.map(|(a, b)| a.bytes().zip(b.bytes()).filter(|(a, b)| a != b).count());
            view.since(last.win_rate, changed);
        }
        if now.write(&folder, &kept).is_ok() {
            prune(&folder);
        }
    }

    fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&files::read(path, LARGEST).ok()?).ok()
    }

    fn write(&self, folder: &Path, path: &Path) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let text = serde_json::to_vec(self)?;
        undisturbed(|| files::write(path, &text))
    }
}

/// The rolls as the players' memories are at the start.
fn rolls(game: &Game, tried: &Tried) -> Option<String> {
    let (space, start) = (game.space(), game.start());
    let cells = space.goal * space.goal;
    let digit = |cell: usize| char::from_digit(tried.plan.action(cell * space.per_cell() + start) as u32, 36);
    (cells <= MOST_CELLS).then(|| (0..cells).map(digit).collect()).flatten()
}

/// FNV-1a of 64 bits.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The folder of a user's caches as the system has it: three variables do not want a library.
fn cache_folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = variable("XDG_CACHE_HOME").or_else(|| match std::env::consts::OS {
        "windows" => variable("LOCALAPPDATA"),
        "macos" => variable("HOME").map(|home| home.join("Library/Caches")),
        _ => variable("HOME").map(|home| home.join(".cache")),
    })?;
    Some(caches.join("hog").join("tries"))
}

/// Forgets the longest untouched beyond [`KEPT`].
fn prune(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut found: Vec<_> = entries
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|ending| ending == "json"))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    found.sort();
    for (_, path) in found.iter().take(found.len().saturating_sub(KEPT)) {
        // Another run may have removed it already.
        let _ = std::fs::remove_file(path);
    }
}
