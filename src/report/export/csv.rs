//! CSV: one line a state, `score,opponent[,MEMORY...,opponent_MEMORY...],win_rate,dice`.

use std::io::{self, Write};

use super::{Exporter, Solved};
use crate::game::memory_names;

/// Writes CSV.
pub(super) struct Csv;

impl Exporter for Csv {
    fn export(&self, solved: &Solved, out: &mut dyn Write) -> io::Result<()> {
        let names = memory_names(solved.game.rules());
        let order = own_first(&names);
        write!(out, "score,opponent")?;
        order.iter().try_for_each(|slot| write!(out, ",{}", names[*slot]))?;
        writeln!(out, ",win_rate,dice")?;
        for (state, win_rate) in solved.win_rates.iter().enumerate() {
            let position = solved.game.position(state);
            write!(out, "{},{}", position.score, position.opponent)?;
            order.iter().try_for_each(|slot| write!(out, ",{}", position.memory[*slot]))?;
            // The shortest digits that read back as the same double.
            writeln!(out, ",{win_rate},{}", solved.dice(state))?;
        }
        Ok(())
    }
}

/// The mover's and the shared memories before the opponent's.
fn own_first(names: &[String]) -> Vec<usize> {
    let theirs = |slot: &usize| names[*slot].starts_with("opponent_");
    let slots = 0..names.len();
    slots.clone().filter(|slot| !theirs(slot)).chain(slots.filter(theirs)).collect()
}
