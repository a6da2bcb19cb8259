//! A solved game in other formats: one file each.

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

/// A solved game to be written out.
#[derive(Clone, Copy)]
pub struct SolvedTable<'a> {
    /// The game.
    pub game: &'a Game,
    /// The mover's win rate of each state.
    pub win_rates: &'a [f64],
    /// The best numbers of dice of each state.
    pub best: &'a [DiceSet],
    /// The win rates of the solved side.
    pub win_rate: Rate,
    /// The strategy answered, if it is a best response.
    pub against: Option<&'a str>,
    /// The command that makes this output, for its head.
    pub command: &'a str,
}

/// A format.
pub trait Exporter {
    /// Writes the whole.
    ///
    /// # Errors
    /// If `out` cannot be written, or the format cannot hold this game.
    fn export(&self, solved: &SolvedTable, out: &mut dyn Write) -> io::Result<()>;
}

/// The formats by name.
pub fn exporter(name: &str) -> Option<&'static dyn Exporter> {
    Some(match name {
        "csv" => &csv::Csv,
        "drn" => &Drn { fixed: Mover::Second },
        "json" => &json::Json,
        "npy" => &npy::Npy,
        "python" => &python::Python,
        _ => return None,
    })
}

impl SolvedTable<'_> {
    /// The best roll of a state: the fewest dice of the tied.
    fn dice(&self, state: usize) -> i32 {
        self.game.space().dice(self.best[state].trailing_zeros() as usize)
    }
}

/// A format that cannot hold a game.
fn unfit(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, message)
}
