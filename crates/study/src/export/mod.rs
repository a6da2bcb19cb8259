//! Writes solved games in other formats, one file for each.

mod csv;
mod drn;
mod json;
mod npy;
mod python;
mod scores;
mod txt;

pub use drn::Mover;
pub use scores::ScoreTable;

use std::io::{self, Write};

use crate::WinRates;
use crate::game::{DiceSet, Game};

/// What a file says about the table in it.
#[derive(Clone, Copy)]
pub struct AboutTable<'a> {
    /// The game.
    pub game: &'a Game,
    /// The win rates of the solved side.
    pub win_rate: WinRates,
    /// The opponent's strategy if this is a best response; `None` for an equilibrium.
    pub against: Option<&'a str>,
    /// The command that makes this file.
    pub command: &'a str,
}

/// A solved game to write.
#[derive(Clone, Copy)]
pub struct SolvedTable<'a> {
    /// What its file says about it.
    pub about: AboutTable<'a>,
    /// The mover's win rate in each state.
    pub win_rates: &'a [f64],
    /// The best numbers of dice in each state.
    pub best: &'a [DiceSet],
    /// The player who uses the table in a DRN model.
    pub fixed: Mover,
}

impl SolvedTable<'_> {
    /// The endings of its files.
    pub const ENDINGS: &'static [&'static str] = &["py", "csv", "json", "npy", "txt", "drn"];

    /// Writes the solved game in the form of files with this ending, one of [`Self::ENDINGS`].
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written, or the form cannot hold this game.
    pub fn write(&self, ending: &str, out: &mut dyn Write) -> io::Result<()> {
        match ending {
            "csv" => csv::write(self, out),
            "json" => json::write(self, out),
            "npy" => npy::write(self, out),
            "txt" => {
                sees_only_scores("a .txt table", self.about.game)?;
                txt::write(&self.about, &|cell| self.dice(cell), out)
            }
            "drn" => drn::write(self, out),
            _ => {
                sees_only_scores("a Python final_strategy", self.about.game)?;
                python::write(&self.about, &|cell| self.dice(cell), out)
            }
        }
    }

    /// Returns the best choices in a state.
    fn best(&self, state: usize) -> DiceSet {
        self.about.game.choices_in(state, self.best[state])
    }

    /// Returns the best roll in a state, the fewest dice if several tie.
    fn dice(&self, state: usize) -> i32 {
        self.about.game.space().dice(self.best(state).trailing_zeros() as usize)
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
