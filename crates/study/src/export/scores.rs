//! Writes tables that see only scores, in the formats in which strategies are read and handed in.

use std::io::{self, Write};

use super::python::{PythonHead, write_python};
use super::txt::write_txt;
use super::unsupported;
use crate::WinRates;
use crate::game::{Game, Plan};

/// A table that sees only scores.
pub struct ScoreTable<'a> {
    /// The game.
    pub game: &'a Game,
    /// The table.
    pub plan: &'a Plan,
    /// Its win rates.
    pub win_rate: WinRates,
    /// The opponent's strategy.
    pub against: Option<&'a str>,
    /// The command that makes this file.
    pub command: &'a str,
}

impl ScoreTable<'_> {
    /// Writes the table in the format of files with this ending: `py`, `csv` or `txt`.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written, or the ending is not one of these.
    pub fn write(&self, ending: &str, out: &mut dyn Write) -> io::Result<()> {
        let space = self.game.space();
        let roll = |cell: usize| space.dice(self.plan.action(cell * space.per_cell()));
        match ending {
            "py" => {
                let head = PythonHead {
                    win_rate: self.win_rate,
                    against: self.against,
                    command: self.command,
                };
                write_python(self.game, &head, &roll, out)
            }
            "csv" => {
                writeln!(out, "score,opponent,dice,best")?;
                let goal = space.goal;
                (0..goal * goal).try_for_each(|cell| {
                    let dice = roll(cell);
                    writeln!(out, "{},{},{dice},{dice}", cell / goal, cell % goal)
                })
            }
            "txt" => write_txt(self.game, self.command, &roll, out),
            _ => Err(unsupported(
                "a table that sees only scores is written as .py, .csv or .txt: name a file with \
                 one of these endings"
                    .into(),
            )),
        }
    }
}
