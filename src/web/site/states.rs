//! What is known of every state, in columns: a file for each combination of memories that behaves in its own way.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use rayon::prelude::*;

use super::turns::Turns;
use crate::game::{Game, Plan};
use crate::sim::{Hint, Judge};

/// Files of states, and the sets of best numbers of dice that they name.
pub(super) struct StateFiles {
    /// One for each combination of memories, in their order.
    pub files: Vec<Vec<u8>>,
    pub sets: Vec<Vec<i32>>,
}

/// Win rates are written as whole numbers of this many parts: as many as a page shows.
const PARTS: f64 = 1e4;

/// For each combination of memories columns over all pairs of scores, in numbers of two bytes: the win rate in parts of
/// 10,000, the place of the best set, what the baseline rolls, the class of turns, points, steps and memories of each move
/// that rolls nothing, and what each number of dice is worth, less what the one before it is (the first: less the win
/// rate). First come the high bytes of all numbers, then the low ones; all of it is packed as by gzip.
pub(super) fn state_files(
    game: &Arc<Game>,
    judge: &Judge,
    baseline: Option<&Plan>,
    turns: Option<&Turns>,
) -> StateFiles {
    let (space, cells) = (game.space(), game.space().goal * game.space().goal);
    let mut sets: Vec<Vec<i32>> = Vec::new();
    let mut places: HashMap<Vec<i32>, u16> = HashMap::new();
    let file = |memories: usize| {
        let states: Vec<usize> = (0..cells).map(|cell| cell * space.per_cell() + memories).collect();
        let hints: Vec<Vec<Hint>> = states.par_iter().map(|state| judge.hints(&game.position(*state))).collect();
        let mut last: Vec<u16> = hints.iter().map(|hints| parts(top(hints))).collect();
        let mut numbers = last.clone();
        numbers.extend(hints.iter().map(|hints| {
            let set: Vec<i32> = hints.iter().filter(|hint| hint.best).map(|hint| hint.dice).collect();
            *places.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                (sets.len() - 1) as u16
            })
        }));
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
        packed(&numbers)
    };
    let files = (0..space.per_cell()).map(file).collect();
    StateFiles { files, sets }
}

/// What the best numbers of dice are worth.
fn top(hints: &[Hint]) -> f64 {
    hints.iter().filter(|hint| hint.best).map(|hint| hint.win_rate).fold(0.0, f64::max)
}

fn parts(win_rate: f64) -> u16 {
    (win_rate * PARTS).round() as u16
}

fn packed(numbers: &[u16]) -> Vec<u8> {
    let halves = [1, 0].into_iter().flat_map(|half| numbers.iter().map(move |number| number.to_le_bytes()[half]));
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let packed = packer.write_all(&halves.collect::<Vec<u8>>()).and_then(|()| packer.finish());
    packed.expect("memory takes it")
}
