//! Writes solved games in other formats, one file for each.

mod csv;
mod drn;
mod json;
mod npy;
mod python;
mod scores;
mod txt;

pub use drn::{Drn, Mover};
pub use scores::ScoreTable;

use std::io::{self, Write};

use crate::WinRates;
use crate::game::{DiceSet, Game};

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
    pub win_rate: WinRates,
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

impl dyn Exporter + '_ {
    /// Returns the contents of a file with the solved game.
    ///
    /// # Errors
    /// Returns an error if the format cannot hold this game.
    pub fn file(&self, solved: &SolvedTable) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.export(solved, &mut bytes)?;
        Ok(bytes)
    }
}

/// All formats, in the order in which they are listed for users.
pub const EXPORTERS: &[&dyn Exporter] =
    &[&python::Python, &csv::Csv, &json::Json, &npy::Npy, &txt::Txt, &Drn { fixed: Mover::Second }];

impl SolvedTable<'_> {
    /// Returns the best choices in a state.
    fn best(&self, state: usize) -> DiceSet {
        self.game.choices_in(state, self.best[state])
    }

    /// Returns the best roll in a state, the fewest dice if several tie.
    fn dice(&self, state: usize) -> i32 {
        self.game.space().dice(self.best(state).trailing_zeros() as usize)
    }
}

/// Returns an error if the best roll in a game depends on more than the scores, which is all that
/// `form` can hold.
fn sees_only_scores(form: &str, game: &Game) -> io::Result<()> {
    if game.space().per_cell() == 1 {
        return Ok(());
    }
    let rules = game.rules();
    let names: Vec<&str> = rules.memories.iter().map(|memory| memory.name.as_str()).collect();
    Err(unsupported(format!(
        "{form} sees only the two scores, and the best roll of {} also depends on {}: export csv \
         or json",
        rules.id,
        names.join(", ")
    )))
}

/// Returns the error for a format that cannot hold a game.
fn unsupported(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, message)
}
