//! Tables in a terminal that is narrower than they are: their bars are drawn shorter, and there
//! are fewer spaces between their columns.

use crate::format::style::{bar, columns_of};

/// The characters of bars, from an eighth of a column to a whole one.
const BAR: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// The shortest longest bar, in columns.
const SHORTEST: usize = 8;

/// Returns a text whose tables have at most so many columns, where that is possible without
/// breaking their rows. Lines next to each other that have two spaces in them are a table.
pub(super) fn narrowed(text: &str, columns: usize) -> String {
    let mut narrow = String::new();
    let mut table: Vec<TextRow> = Vec::new();
    for line in text.lines() {
        let row = TextRow::read(line);
        if row.is_of_table() {
            table.push(row);
            continue;
        }
        print(&mut table, columns, &mut narrow);
        narrow.push_str(line);
        narrow.push('\n');
    }
    print(&mut table, columns, &mut narrow);
    narrow
}

/// Prints the rows of a table, and forgets them.
fn print(table: &mut Vec<TextRow>, columns: usize, out: &mut String) {
    if widest(table) > columns {
        shorten_bars(table, columns);
        close_gaps(table, columns);
    }
    for row in table.drain(..) {
        for cell in row.0 {
            out.push_str(&cell.escapes);
            out.extend(cell.shown);
        }
        out.push('\n');
    }
}

/// A line, column by column.
struct TextRow(Vec<TextCell>);

/// One column of a line.
struct TextCell {
    /// The escape sequences before it.
    escapes: String,
    /// What it shows; `None` for the second column of a wide letter, and at the end of the line.
    shown: Option<char>,
}

impl TextCell {
    /// How many eighths of the column a bar fills; `None` if it is not of a bar.
    fn eighths(&self) -> Option<usize> {
        let place = BAR.iter().position(|part| self.shown == Some(*part))?;
        Some(place + 1)
    }
}

impl TextRow {
    fn read(line: &str) -> Self {
        let mut cells = Vec::new();
        let mut escapes = String::new();
        let mut letters = line.chars();
        while let Some(letter) = letters.next() {
            if letter == '\u{1b}' {
                escapes.push(letter);
                for part in letters.by_ref() {
                    escapes.push(part);
                    if part.is_ascii_alphabetic() {
                        break;
                    }
                }
                continue;
            }
            let shown = Some(letter);
            cells.push(TextCell { escapes: std::mem::take(&mut escapes), shown });
            for _ in 1..columns_of(letter.encode_utf8(&mut [0; 4])) {
                cells.push(TextCell { escapes: String::new(), shown: None });
            }
        }
        cells.push(TextCell { escapes, shown: None });
        Self(cells)
    }

    /// How many columns it takes: the last cell is the end of the line.
    fn columns(&self) -> usize {
        self.0.len() - 1
    }

    fn is_blank(&self, column: usize) -> bool {
        self.0.get(column).is_none_or(|cell| cell.shown == Some(' ') || column == self.columns())
    }

    fn is_of_table(&self) -> bool {
        let text: String = self.0.iter().filter_map(|cell| cell.shown).collect();
        text.trim().contains("  ")
    }

    /// The column at which the bar at its end begins.
    fn bar_start(&self) -> usize {
        let cells = &self.0[..self.columns()];
        let bar = cells.iter().rev().take_while(|cell| cell.eighths().is_some());
        cells.len() - bar.count()
    }

    /// The length of the bar at its end, in eighths of a column.
    fn bar_eighths(&self) -> usize {
        self.0[self.bar_start()..].iter().filter_map(TextCell::eighths).sum()
    }
}

fn widest(table: &[TextRow]) -> usize {
    table.iter().map(TextRow::columns).max().unwrap_or(0)
}

/// Draws all bars shorter by the same factor, so that the longest one fits.
fn shorten_bars(table: &mut [TextRow], columns: usize) {
    let longest = table.iter().map(TextRow::bar_eighths).max().unwrap_or(0);
    let starts = table.iter().filter(|row| row.bar_eighths() > 0).map(TextRow::bar_start);
    let room = columns.saturating_sub(starts.max().unwrap_or(columns));
    if room < SHORTEST || longest <= room * 8 {
        return;
    }
    for row in table {
        let share = row.bar_eighths() as f64 / longest as f64;
        let end = row.columns();
        let old: Vec<TextCell> = row.0.drain(row.bar_start()..end).collect();
        let mut escapes: String = old.into_iter().map(|cell| cell.escapes).collect();
        let at = row.columns();
        for (place, part) in bar(share, room).chars().enumerate() {
            let escapes = std::mem::take(&mut escapes);
            row.0.insert(at + place, TextCell { escapes, shown: Some(part) });
        }
        // A bar of no length keeps its colours.
        if let Some(end) = row.0.last_mut() {
            end.escapes.insert_str(0, &escapes);
        }
    }
}

/// Removes spaces that all rows have, from the widest gaps first, until the rows fit; none if that
/// is not enough.
fn close_gaps(table: &mut [TextRow], columns: usize) {
    let widest = widest(table);
    let mut blank: Vec<usize> = Vec::new();
    for column in 0..widest {
        if table.iter().all(|row| row.is_blank(column)) {
            blank.push(column);
        }
    }
    let mut gaps: Vec<Vec<usize>> = Vec::new();
    for column in blank {
        match gaps.last_mut().filter(|gap| gap.last() == Some(&(column - 1))) {
            Some(gap) => gap.push(column),
            None => gaps.push(vec![column]),
        }
    }
    let removable: usize = gaps.iter().map(|gap| gap.len() - 1).sum();
    let needed = widest.saturating_sub(columns);
    if removable < needed {
        return;
    }
    let mut removed = Vec::new();
    while removed.len() < needed {
        let Some(gap) = gaps.iter_mut().max_by_key(|gap| gap.len()) else { break };
        removed.extend(gap.pop());
    }
    for row in table {
        remove(row, &removed);
    }
}

/// Removes columns from a row; their escape sequences stay.
fn remove(row: &mut TextRow, removed: &[usize]) {
    let mut escapes = String::new();
    let mut kept = Vec::new();
    let end = row.columns();
    for (column, mut cell) in row.0.drain(..).enumerate() {
        if column < end && removed.contains(&column) {
            escapes.push_str(&cell.escapes);
        } else {
            cell.escapes.insert_str(0, &std::mem::take(&mut escapes));
            kept.push(cell);
        }
    }
    row.0 = kept;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_closed_from_the_widest_on() {
        let table = "score    opponent  met\n    0           0  0.5\n";
        assert_eq!(narrowed(table, 22), table);
        assert_eq!(narrowed(table, 20), "score  opponent  met\n    0         0  0.5\n");
        assert_eq!(narrowed(table, 18), "score opponent met\n    0        0 0.5\n");
        // What does not fit anyway is left to be wrapped.
        assert_eq!(narrowed(table, 17), table);
    }

    #[test]
    fn bars_keep_their_proportions() {
        let long = format!("  a  {}\n  b  {}\n  c  \n", "█".repeat(40), "█".repeat(20));
        let short = format!("  a  {}\n  b  {}\n  c  \n", "█".repeat(20), "█".repeat(10));
        assert_eq!(narrowed(&long, 25), short);
        assert_eq!(narrowed(&long, 45), long);
    }

    #[test]
    fn colours_stay_and_wide_letters_take_two_columns() {
        let table = "\u{1b}[1m猪\u{1b}[0m    1\nab    \u{1b}[31m2\u{1b}[0m\n";
        let narrow = "\u{1b}[1m猪\u{1b}[0m 1\nab \u{1b}[31m2\u{1b}[0m\n";
        assert_eq!(narrowed(table, 4), narrow);
        assert_eq!(narrowed("plain sentence\n\n", 4), "plain sentence\n\n");
    }
}
