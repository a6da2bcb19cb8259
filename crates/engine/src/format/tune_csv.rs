//! Writes the win rates of a family of strategies as CSV.

use std::io::{self, Write};

use crate::view::TuneView;

/// Writes one strategy per line: `PARAMETER...,first,second,average`.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn tune_csv(view: &TuneView, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{},first,second,average", view.parameters.join(","))?;
    for rate in &view.rates {
        let values: Vec<String> = rate.values.iter().map(i64::to_string).collect();
        writeln!(out, "{},{},{},{}", values.join(","), rate.first, rate.second, rate.average)?;
    }
    Ok(())
}
