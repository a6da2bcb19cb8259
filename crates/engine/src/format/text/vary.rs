//! The text of `hog survey --vary`.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{FAINT, TITLE, either, paint};
use crate::queries::{WinRates, rounded_up};
use crate::view::VariedView;

impl Text for VariedView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", paint(TITLE, format!("{} as {} varies", self.rules, self.vary)))?;
        let width = self.vary.len().max(5);
        let heads =
            format!("{:>width$}  first player  first roll   best response  equilibrium", self.vary);
        writeln!(out, "{}", paint(FAINT, heads))?;
        let rate = |rate: Option<WinRates>| {
            rate.map_or_else(|| "-".to_owned(), |rate| format!("{:.10}", rate.average))
        };
        for row in &self.rows {
            let figures = &row.figures;
            writeln!(
                out,
                "{:>width$}  {:.10}  {:<11}  {:<13}  {}",
                row.value,
                figures.win_rate.first,
                either(&figures.first_roll),
                rate(figures.best_response),
                rate(figures.equilibrium)
            )?;
        }
        let bound = self.rows.iter().map(|row| row.figures.error_bound()).fold(0.0, f64::max);
        let note = format!(
            "best response and equilibrium are rated against the baseline; all within {}",
            rounded_up(bound)
        );
        writeln!(out, "{}", paint(FAINT, note))
    }
}
