//! CSV: one line per state, `score,opponent[,MEMORY...,opponent_MEMORY...],win_rate,dice,best`,
//! where `dice` is the best roll (the fewest dice of tied rolls) and `best` lists all best rolls,
//! separated by spaces.

use std::io::{self, Write};

use super::SolvedTable;
use crate::game::memory_names;

/// Writes CSV.
pub(super) fn write(solved: &SolvedTable, out: &mut dyn Write) -> io::Result<()> {
    let game = solved.about.game;
    let names = memory_names(game.rules());
    let order = own_first(&names);
    write!(out, "score,opponent")?;
    order.iter().try_for_each(|slot| write!(out, ",{}", names[*slot]))?;
    writeln!(out, ",win_rate,dice,best")?;
    for (state, win_rate) in solved.win_rates.iter().enumerate() {
        let position = game.position(state);
        write!(out, "{},{}", position.score, position.opponent)?;
        order.iter().try_for_each(|slot| write!(out, ",{}", position.memory[*slot]))?;
        // The shortest digits that read back as the same double.
        let best = game.space().dice_in(solved.best(state));
        let best = best.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
        writeln!(out, ",{win_rate},{},{best}", solved.dice(state))?;
    }
    Ok(())
}

/// Returns the indices of the memories, the mover's and the shared before the opponent's.
fn own_first(names: &[String]) -> Vec<usize> {
    let mut slots: Vec<usize> = (0..names.len()).collect();
    slots.sort_by_key(|slot| names[*slot].starts_with("opponent_"));
    slots
}
