//! The memories of a game as a page reads them: which class their values belong to, and so which file tells of them.

use serde::Serialize;

use crate::game::{Game, Position};

/// The memories that each player has one of, or those that both share.
#[derive(Debug, Serialize)]
pub(super) struct SiteMemories {
    names: Vec<String>,
    starts: Vec<i64>,
    /// How many values each has.
    sizes: Vec<usize>,
    /// The class of each combination of values, the last memory counting fastest; values of a class behave alike.
    classes: Vec<usize>,
    /// How many classes there are.
    count: usize,
}

impl SiteMemories {
    /// Those of each player, or the shared ones.
    pub fn of(game: &Game, of_player: bool) -> Self {
        let kept = || game.rules().memories.iter().filter(|memory| memory.of_player == of_player);
        let sizes: Vec<usize> = kept().map(|memory| memory.max as usize + 1).collect();
        let class = |mut combination: usize| {
            let mut values = vec![0; sizes.len()];
            for (value, size) in values.iter_mut().zip(&sizes).rev() {
                (*value, combination) = ((combination % size) as i64, combination / size);
            }
            let (_, (shared, mine, _)) = game.space().parts(game.state(&set(game, of_player, &values)));
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

/// The start of the game with values of the mover's memories, or of the shared ones.
fn set(game: &Game, of_player: bool, values: &[i64]) -> Position {
    let mut position = game.position(game.start());
    let slots = slots(game, of_player);
    slots.into_iter().zip(values).for_each(|(slot, value)| position.memory[slot] = *value);
    position
}

/// Where the mover's memories, or the shared ones, stand among those of a position.
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

/// The values of the mover's memories, then those of the shared ones.
pub(super) fn own_values(game: &Game, memory: &[i64]) -> Vec<i64> {
    [true, false].iter().flat_map(|of_player| slots(game, *of_player)).map(|slot| memory[slot]).collect()
}

/// A position's memories with these values of the mover's and the shared ones.
pub(super) fn with_own(game: &Game, position: &Position, values: &[i64]) -> Position {
    let mut position = position.clone();
    let slots = [true, false].iter().flat_map(|of_player| slots(game, *of_player));
    slots.zip(values).for_each(|(slot, value)| position.memory[slot] = *value);
    position
}
