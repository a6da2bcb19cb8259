//! Writes tables that see only scores, in the forms in which strategies are read and handed in.

use std::io::{self, Write};

use super::{AboutTable, python, txt};
use crate::game::Plan;

/// A table that sees only scores, in a game that also has memories.
pub struct ScoreTable<'a> {
    /// What its file says about it.
    pub about: AboutTable<'a>,
    /// The table.
    pub plan: &'a Plan,
}

impl ScoreTable<'_> {
    /// The endings of its files.
    pub const ENDINGS: &'static [&'static str] = &["py", "csv", "txt"];

    /// Writes the table in the form of files with this ending, one of [`Self::ENDINGS`].
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written, or the form cannot hold this game.
    pub fn write(&self, ending: &str, out: &mut dyn Write) -> io::Result<()> {
        let space = self.about.game.space();
        let roll = |cell: usize| space.dice(self.plan.action(cell * space.per_cell()));
        match ending {
            "csv" => {
                writeln!(out, "score,opponent,dice,best")?;
                let goal = space.goal;
                (0..goal * goal).try_for_each(|cell| {
                    let dice = roll(cell);
                    writeln!(out, "{},{},{dice},{dice}", cell / goal, cell % goal)
                })
            }
            "txt" => txt::write(&self.about, &roll, out),
            _ => python::write(&self.about, &roll, out),
        }
    }
}
