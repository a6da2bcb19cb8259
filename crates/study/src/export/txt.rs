//! Text: the best rolls as a line of numbers for each score, which is also read as a strategy.

use std::io::{self, Write};

use super::{ExportFormat, Exporter, SolvedTable, sees_only_scores};
use crate::files::escape::line;
use crate::game::Game;

/// Writes a line for each score, with a number of dice for each opponent's score.
pub(super) struct Txt;

impl Exporter for Txt {
    fn format(&self) -> ExportFormat {
        ExportFormat {
            name: "txt",
            ending: "txt",
            meaning: "A line of best rolls for each score",
            is_text: true,
        }
    }

    fn export(&self, solved: &SolvedTable, out: &mut dyn Write) -> io::Result<()> {
        sees_only_scores("a .txt table", solved.game)?;
        write_txt(solved.game, solved.command, &|cell| solved.dice(cell), out)
    }
}

/// Writes a table that rolls `roll(score * goal + opponent)` dice.
pub(super) fn write_txt(
    game: &Game,
    command: &str,
    roll: &dyn Fn(usize) -> i32,
    out: &mut dyn Write,
) -> io::Result<()> {
    let goal = game.space().goal;
    writeln!(out, "# {}: {}", line(&game.rules().id), line(command))?;
    (0..goal).try_for_each(|score| {
        let row = (0..goal).map(|opponent| roll(score * goal + opponent).to_string());
        writeln!(out, "{}", row.collect::<Vec<_>>().join(" "))
    })
}
