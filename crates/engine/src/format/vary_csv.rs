//! Writes the figures of one game for many values of its goal or number of dice as CSV.

use std::io::{self, Write};

use crate::queries::WinRates;
use crate::view::{VariedRow, VariedView};

/// Writes one value per line: `NAME,first_player,first_roll,best_response,equilibrium,ties,states`.
/// Tied numbers of dice are separated by spaces; `best_response` and `equilibrium` are empty in a
/// game without a baseline.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn vary_csv(view: &VariedView, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{},first_player,first_roll,best_response,equilibrium,ties,states", view.vary)?;
    let rate =
        |rate: Option<WinRates>| rate.map_or_else(String::new, |rate| rate.average.to_string());
    for VariedRow { value, figures } in &view.rows {
        let rolls = figures.first_roll.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
        let (best, optimal) = (rate(figures.best_response), rate(figures.equilibrium));
        writeln!(
            out,
            "{value},{},{rolls},{best},{optimal},{},{}",
            figures.win_rate.first, figures.ties, figures.states
        )?;
    }
    Ok(())
}
