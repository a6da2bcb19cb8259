//! Text: the best rolls as a line of numbers for each score, which is also read as a strategy.

use std::io::{self, Write};

use super::AboutTable;
use crate::files::escape::line;

/// Writes a line for each score, with a number of dice for each opponent's score:
/// `roll(score * goal + opponent)`.
pub(super) fn write(
    about: &AboutTable,
    roll: &dyn Fn(usize) -> i32,
    out: &mut dyn Write,
) -> io::Result<()> {
    let goal = about.game.space().goal;
    writeln!(out, "# {}: {}", line(&about.game.rules().id), line(about.command))?;
    (0..goal).try_for_each(|score| {
        let row = (0..goal).map(|opponent| roll(score * goal + opponent).to_string());
        writeln!(out, "{}", row.collect::<Vec<_>>().join(" "))
    })
}
