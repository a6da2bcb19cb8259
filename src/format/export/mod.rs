//! Writes solved games in other formats, one file for each.

mod csv;
mod drn;
mod json;
mod npy;
mod python;
mod scores;

pub use drn::{Drn, Mover};
pub use scores::ScoreTable;

use std::io::{self, Write};

use crate::game::{DiceSet, Game};
use crate::view::Rate;

/// A solved game to write.
#[derive(Clone, Copy)]
pub struct SolvedTable<'a> {
    /// The game.
    pub game: &'a Game,
    /// The mover's win rate in each state.
    pub win_rates: &'a [f64],
    /// The best numbers of dice in each state.
    pub best: &'a [DiceSet],
    /// The win rates of the solved side.
    pub win_rate: Rate,
    /// The opponent's strategy if this is a best response; `None` for an equilibrium.
    pub against: Option<&'a str>,
    /// The command that makes this output, which the output names.
    pub command: &'a str,
}

/// How people name an export format.
#[derive(Clone, Copy, Debug)]
pub struct ExportFormat {
    /// Its name.
    pub name: &'static str,
    /// The ending of its files.
    pub ending: &'static str,
    /// What it is, in one line.
    pub meaning: &'static str,
    /// Whether its files are text.
    pub is_text: bool,
}

/// An export format.
pub trait Exporter: Sync {
    /// Returns the names of the format.
    fn format(&self) -> ExportFormat;

    /// Writes the solved game.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written, or the format cannot hold this game.
    fn export(&self, solved: &SolvedTable, out: &mut dyn Write) -> io::Result<()>;
}

/// All formats, in the order in which they are listed for users.
pub const EXPORTERS: [&dyn Exporter; 5] =
    [&python::Python, &csv::Csv, &json::Json, &npy::Npy, &Drn { fixed: Mover::Second }];

impl SolvedTable<'_> {
    /// Returns the best roll in a state, the fewest dice if several tie.
    fn dice(&self, state: usize) -> i32 {
        self.game.space().dice(self.best[state].trailing_zeros() as usize)
    }
}

/// Returns the error for a format that cannot hold a game.
fn unsupported(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, message)
}
