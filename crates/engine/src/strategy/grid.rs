//! Strategies as plain grids of rolls: NumPy arrays, and text tables as used in contests.
//!
//! **`.npy`**: an array of integers (of 1, 2, 4 or 8 bytes) with axes `[score][opponent]`. In a game with
//! memories also exactly what `hog export --to npy` writes: one more axis for all shared memories, and one for each
//! player's own.
//!
//! **`.txt`**: one line for each of the mover's scores, from 0, with one roll for each of the opponent's scores: whole
//! numbers separated by spaces, tabs, commas or semicolons, or single digits without separators (A is 10). All rolls in
//! one column, one per line, are also accepted. Empty lines and lines that begin with # are skipped.
//!
//! **`.strat`**: the same after a first line `strategy NAME`, as the CS 61A contest server bacon2 stores them
//! (github.com/sxyu/bacon2, `bacon/io.py`). That line is optional with both extensions.

use super::npy::NpyLayout;
use crate::files::escape::shortened;
use crate::game::{Game, Plan};

/// Reads a NumPy array.
///
/// # Errors
/// Returns a message if the file is not a NumPy array of numbers of dice that the game allows, of the right shape.
pub fn read_npy(bytes: &[u8], game: &Game) -> Result<Plan, String> {
    let (layout, numbers) = NpyLayout::read(bytes)?;
    let space = game.space();
    let mut with_memory = vec![space.goal, space.goal];
    with_memory.extend((space.shared > 1).then_some(space.shared));
    with_memory.extend((space.mine > 1).then_some([space.mine, space.mine]).into_iter().flatten());
    // Checked before anything is allocated.
    if layout.shape != with_memory && layout.shape != [space.goal, space.goal] {
        let (goal, full) = (space.goal, with_memory);
        let or_full = if full.len() > 2 { format!(" or {full:?}") } else { String::new() };
        let found = shortened(&format!("{:?}", layout.shape));
        return Err(format!("its shape is {found}; [{goal}, {goal}]{or_full} is needed"));
    }
    plan(layout.numbers(numbers)?.into_iter(), layout.shape.len() == 2, game)
}

/// Reads a text table.
///
/// # Errors
/// Returns a message, with the number of the line where possible, if the file is not a table of rolls of the game.
pub fn read_text(bytes: &[u8], game: &Game) -> Result<Plan, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let goal = game.space().goal;
    let lines: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .map(|(number, line)| (number + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .collect();
    let header = lines.first().is_some_and(|(_, line)| line.split_whitespace().next() == Some("strategy"));
    let lines = &lines[usize::from(header)..];
    let in_one_column = goal > 1 && lines.len() == goal * goal;
    if lines.len() != goal && !in_one_column {
        let found = lines.len();
        let lines = if found == 1 { "line" } else { "lines" };
        return Err(format!("it has {found} {lines}; {goal} are needed, one for each score, of {goal} rolls each"));
    }
    let row_length = if in_one_column { 1 } else { goal };
    let mut rolls = Vec::with_capacity(goal * goal);
    for (number, line) in lines.iter().copied() {
        let row = row(line, row_length).map_err(|reason| format!("line {number}: {reason}"))?;
        if row.len() != row_length {
            return Err(format!("line {number}: it has {} rolls; {row_length} are needed", row.len()));
        }
        rolls.extend(row);
    }
    plan(rolls.into_iter(), true, game)
}

fn row(line: &str, rolls: usize) -> Result<Vec<i64>, String> {
    let separator = |c: char| c == ',' || c == ';' || c.is_whitespace();
    if rolls > 1 && line.chars().count() == rolls && !line.contains(separator) {
        let digit = |c: char| c.to_digit(36).map(i64::from).ok_or_else(|| format!("`{c}` is not a digit"));
        return line.chars().map(digit).collect();
    }
    let number = |text: &str| text.parse().map_err(|_| format!("`{}` is not a whole number", shortened(text)));
    line.split(separator).filter(|text| !text.is_empty()).map(number).collect()
}

fn plan(rolls: impl Iterator<Item = i64>, by_scores: bool, game: &Game) -> Result<Plan, String> {
    let space = game.space();
    let per_cell = if by_scores { 1 } else { space.per_cell() };
    let action = |(place, dice): (usize, i64)| {
        i32::try_from(dice).ok().and_then(|dice| space.action(dice)).map(|action| action as u8).ok_or_else(|| {
            let (cell, min, max) = (place / per_cell, space.min_dice, space.dice(space.actions - 1));
            let (score, opponent) = (cell / space.goal, cell % space.goal);
            format!("at {score}-{opponent}: {dice} dice; the game allows {min} to {max}")
        })
    };
    let actions = rolls.enumerate().map(action).collect::<Result<Vec<u8>, String>>()?;
    Ok(if by_scores { Plan::of_scores(game.states(), actions) } else { Plan::from_actions(actions) })
}
