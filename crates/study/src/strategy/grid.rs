//! Rows of rolls as text, as used in contests and written by `np.savetxt`, spreadsheets and
//! `DataFrame.to_csv`.
//!
//! One line for each of the mover's scores, from 0, with one roll for each of the opponent's
//! scores: whole numbers separated by spaces, tabs, commas or semicolons, or single digits without
//! separators (A is 10). All rolls in one line, or one per line, are also accepted. Empty lines and
//! lines that begin with # are skipped, and so is a row (with a column) of headings that count 0,
//! 1, 2, ...
//!
//! A first line `strategy NAME` is that of the CS 61A contest server bacon2
//! (github.com/sxyu/bacon2, `bacon/io.py`).

use super::FileFault;
use super::numbers::{NumberArray, whole};
use crate::files::escape::shortened;
use crate::game::Game;

/// The largest number of a line of its own that is a roll, and not a row of digits.
const LARGEST_ALONE: i64 = 99;

/// The last words of the message for rows that look like columns.
const IN_COLUMNS: &str =
    "; if its columns are scores and dice, begin with the line `score,opponent,dice`";

/// The lines that are not comments, with their numbers in the file.
fn lines_of_rolls(text: &str) -> Vec<(usize, &str)> {
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line));
    let mut lines: Vec<(usize, &str)> = lines
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
        .collect();
    if lines.first().is_some_and(|(_, line)| line.split_whitespace().next() == Some("strategy")) {
        lines.remove(0);
    }
    lines
}

/// Reads rows of numbers, which all have the same length.
///
/// # Errors
/// Returns a message, with the number of the line where possible, if there are too few, or they are
/// not whole numbers.
pub(super) fn read(text: &str, game: &Game) -> Result<NumberArray, FileFault> {
    let goal = game.space().goal;
    let mut lines = lines_of_rolls(text);
    if goal > 1
        && lines.len() >= goal * goal
        && let Some(values) =
            lines.iter().map(|(_, line)| alone(line)).collect::<Option<Vec<i64>>>()
    {
        return Ok(NumberArray { shape: vec![values.len()], values });
    }
    let first = lines.first().map_or("", |(_, line)| line);
    let labelled = first.starts_with(SEPARATORS) && counts(first);
    if labelled || is_heading(first, game) {
        lines.remove(0);
    }
    let mut rows = Vec::with_capacity(lines.len());
    for (number, line) in lines {
        let mut row = row(line.trim(), goal).map_err(|reason| FileFault::at(number, reason))?;
        if labelled {
            row.remove(0);
        }
        rows.push((number, row));
    }
    let length = rows.first().map_or(0, |(_, row)| row.len());
    if let [(_, row)] = &mut rows[..]
        && goal > 1
        && length >= goal * goal
    {
        return Ok(NumberArray { shape: vec![length], values: std::mem::take(row) });
    }
    let columns = if length == 3 && goal > 3 { IN_COLUMNS } else { "" };
    if rows.len() < goal {
        let lines = if rows.len() == 1 { "1 line".into() } else { format!("{} lines", rows.len()) };
        let reason = format!(
            "it has {lines}; {goal} are needed, one for each score, of {goal} rolls each{columns}"
        );
        return Err(reason.into());
    }
    let needed = length.max(goal);
    if let Some((number, row)) = rows.iter().find(|(_, row)| row.len() != needed) {
        let rolls = if row.len() == 1 { "1 roll".into() } else { format!("{} rolls", row.len()) };
        let reason = format!("it has {rolls}; {needed} are needed{columns}");
        return Err(FileFault::at(*number, reason));
    }
    Ok(NumberArray {
        shape: vec![rows.len(), length],
        values: rows.into_iter().flat_map(|(_, row)| row).collect(),
    })
}

const SEPARATORS: [char; 4] = [',', ';', ' ', '\t'];

/// Returns the texts between separators.
pub(super) fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| SEPARATORS.contains(&c) || c.is_whitespace())
        .filter(|cell| !cell.is_empty())
}

/// Returns the roll of a line that has one.
fn alone(line: &str) -> Option<i64> {
    whole(line.trim()).filter(|number| number.abs() <= LARGEST_ALONE)
}

/// Whether the numbers of a line are 0, 1, 2, ...
fn counts(line: &str) -> bool {
    cells(line).enumerate().all(|(place, cell)| cell.trim_matches('"').parse() == Ok(place))
}

/// Whether a line counts past the game's most dice, below the goal: then it cannot be a row of
/// rolls.
fn is_heading(line: &str, game: &Game) -> bool {
    let space = game.space();
    let rolls = usize::try_from(space.dice(space.actions - 1)).unwrap_or(0) + 1;
    counts(line) && cells(line).count().min(space.goal) > rolls
}

fn row(line: &str, goal: usize) -> Result<Vec<i64>, String> {
    if goal > 1 && line.len() >= goal && cells(line).nth(1).is_none() {
        let digits = line
            .chars()
            .map(|c| c.to_digit(36).map(i64::from).ok_or_else(|| format!("`{c}` is not a digit")));
        return digits.collect();
    }
    cells(line)
        .map(|cell| {
            whole(cell).ok_or_else(|| format!("`{}` is not a whole number", shortened(cell)))
        })
        .collect()
}
