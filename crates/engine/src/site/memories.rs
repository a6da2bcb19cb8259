//! The memories of a game in the form that the page reads: the class of each combination of values
//! selects the file of states.

use serde::Serialize;

use crate::game::{Game, Position};

/// The memories of a game that belong to each player, or those that both share.
#[derive(Debug, Serialize)]
pub(super) struct SiteMemories {
    names: Vec<String>,
    starts: Vec<i64>,
    /// The number of values of each memory.
    sizes: Vec<usize>,
    /// The class of each combination of values, the last memory varying fastest. Combinations of
    /// one class are equivalent.
    classes: Vec<usize>,
    /// The number of classes.
    count: usize,
}

impl SiteMemories {
    /// Describes the memories of each player if `of_player`, and the shared ones otherwise.
    pub fn of(game: &Game, of_player: bool) -> Self {
        let kept = || game.rules().memories.iter().filter(|memory| memory.of_player == of_player);
        let sizes: Vec<usize> = kept().map(|memory| memory.max as usize + 1).collect();
        let class = |mut combination: usize| {
            let mut values = vec![0; sizes.len()];
            for (value, size) in values.iter_mut().zip(&sizes).rev() {
                (*value, combination) = ((combination % size) as i64, combination / size);
            }
            let (_, (shared, mine, _)) =
                game.space().parts(game.state(&set(game, of_player, &values)));
            if of_player { mine } else { shared }
        };
        Self {
            names: kept().map(|memory| memory.name.clone()).collect(),
            starts: kept().map(|memory| memory.start).collect(),
            classes: (0..sizes.iter().product()).map(class).collect(),
            count: if of_player { game.space().mine } else { game.space().shared },
            sizes,
        }
    }
}

/// Returns the start of the game with these values of the mover's memories, or of the shared ones.
fn set(game: &Game, of_player: bool, values: &[i64]) -> Position {
    let mut position = game.position(game.start());
    let slots = slots(game, of_player);
    slots.into_iter().zip(values).for_each(|(slot, value)| position.memory[slot] = *value);
    position
}

/// Returns the indices of the mover's memories, or of the shared ones, among those of a position.
fn slots(game: &Game, of_player: bool) -> Vec<usize> {
    let mut next = 0;
    let mut slots = Vec::new();
    for memory in &game.rules().memories {
        if memory.of_player == of_player {
            slots.push(next);
        }
        next += if memory.of_player { 2 } else { 1 };
    }
    slots
}

/// Returns the values of the mover's memories, then those of the shared ones.
pub(super) fn own_values(game: &Game, memory: &[i64]) -> Vec<i64> {
    [true, false]
        .iter()
        .flat_map(|of_player| slots(game, *of_player))
        .map(|slot| memory[slot])
        .collect()
}

/// Returns the position with these values of the mover's memories, then of the shared ones.
pub(super) fn with_own(game: &Game, position: &Position, values: &[i64]) -> Position {
    let mut position = position.clone();
    let slots = [true, false].iter().flat_map(|of_player| slots(game, *of_player));
    slots.zip(values).for_each(|(slot, value)| position.memory[slot] = *value);
    position
}
