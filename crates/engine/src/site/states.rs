//! The data of all states in columns: one file for each class of combinations of memories.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use rayon::prelude::*;

use super::turns::Turns;
use crate::game::{Game, Plan};
use crate::sim::{Hint, Judge};

/// The files of states, and the sets of best numbers of dice to which they refer.
pub(super) struct StateFiles {
    /// One for each combination of memories, in the order of the states of a cell.
    pub files: Vec<Vec<u8>>,
    pub sets: Vec<Vec<i32>>,
}

/// Win rates are stored as multiples of 1 / `PARTS`, the precision that the page shows.
const PARTS: f64 = 1e4;

/// The most sets of best numbers of dice: their places are 16-bit numbers.
pub(super) const MOST_SETS: usize = 1 << 16;

/// Makes one file for each combination of memories. It holds columns of 16-bit numbers, each over
/// all pairs of scores:
///
/// * the win rate in units of 1 / [`PARTS`],
/// * the index of the set of best numbers of dice,
/// * the action of the baseline, if there is one,
/// * if there are tables of turns: the class of the state and, for each move that rolls nothing,
///   its points and the indices of its steps and memories,
/// * for each number of dice its win rate minus that of the previous number (for the first, minus
///   the state's win rate).
///
/// The high bytes of all numbers come first, then the low bytes; the file is compressed with gzip.
/// Returns `None` if there are more than [`MOST_SETS`] sets of best numbers of dice.
pub(super) fn state_files(
    game: &Arc<Game>,
    judge: &Judge,
    baseline: Option<&Plan>,
    turns: Option<&Turns>,
) -> Option<StateFiles> {
    let (space, cells) = (game.space(), game.space().goal * game.space().goal);
    let mut sets = Sets::default();
    let file = |memories: usize| {
        let states: Vec<usize> =
            (0..cells).map(|cell| cell * space.per_cell() + memories).collect();
        let hints: Vec<Vec<Hint>> =
            states.par_iter().map(|state| judge.hints(&game.position(*state))).collect();
        let mut last: Vec<u16> = hints.iter().map(|hints| parts(top(hints))).collect();
        let mut numbers = last.clone();
        for hints in &hints {
            numbers.push(
                sets.place(hints.iter().filter(|hint| hint.best).map(|hint| hint.dice).collect())?,
            );
        }
        if let Some(plan) = baseline {
            numbers.extend(states.iter().map(|state| plan.action(*state) as u16));
        }
        for column in turns.iter().flat_map(|turns| turns.columns()) {
            numbers.extend(states.iter().map(|state| column[*state]));
        }
        for action in 0..space.actions {
            numbers.extend(last.iter_mut().zip(&hints).map(|(last, hints)| {
                let before = std::mem::replace(last, parts(hints[action].win_rate));
                last.wrapping_sub(before)
            }));
        }
        Some(packed(&numbers))
    };
    let files: Option<_> = (0..space.per_cell()).map(file).collect();
    Some(StateFiles { files: files?, sets: sets.all })
}

/// The distinct sets of best numbers of dice, and the place of each.
#[derive(Default)]
struct Sets {
    all: Vec<Vec<i32>>,
    places: HashMap<Vec<i32>, u16>,
}

impl Sets {
    /// Returns the place of a set; `None` if there are more than [`MOST_SETS`].
    fn place(&mut self, set: Vec<i32>) -> Option<u16> {
        if let Some(place) = self.places.get(&set) {
            return Some(*place);
        }
        let place = u16::try_from(self.all.len()).ok()?;
        self.all.push(set.clone());
        self.places.insert(set, place);
        Some(place)
    }
}

/// Returns the win rate of the best numbers of dice.
fn top(hints: &[Hint]) -> f64 {
    hints.iter().filter(|hint| hint.best).map(|hint| hint.win_rate).fold(0.0, f64::max)
}

fn parts(win_rate: f64) -> u16 {
    (win_rate * PARTS).round() as u16
}

fn packed(numbers: &[u16]) -> Vec<u8> {
    let halves = [1, 0]
        .into_iter()
        .flat_map(|half| numbers.iter().map(move |number| number.to_le_bytes()[half]));
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let packed = packer.write_all(&halves.collect::<Vec<u8>>()).and_then(|()| packer.finish());
    packed.expect("writing to memory does not fail")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_one_place_and_there_are_no_more_sets_than_places() {
        let mut sets = Sets::default();
        for set in 0..MOST_SETS as i32 {
            assert_eq!(sets.place(vec![set]), u16::try_from(set).ok());
        }
        assert_eq!((sets.place(vec![7]), sets.place(vec![7, 8])), (Some(7), None));
    }
}
