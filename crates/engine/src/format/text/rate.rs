//! The text of `hog rate`.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{BEST, FAINT, TITLE, paint};
use crate::view::{Rate, RateView, rounded_up};

impl Text for RateView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { rules, strategy, against, win_rate } = self;
        let Rate { first, second, average, endless, error_bound } = win_rate;
        writeln!(out, "{}", paint(TITLE, format!("{rules}: {strategy} against {against}")))?;
        writeln!(out, "  average  {}", paint(BEST, average))?;
        writeln!(out, "  first    {first}\n  second   {second}")?;
        if *endless > 0.0 {
            writeln!(out, "  endless  {endless} of the games never end and count half a win each")?;
        }
        let note = format!(
            "  computed over all games, not simulated; within {} of the exact rates",
            rounded_up(*error_bound)
        );
        writeln!(out, "{}", paint(FAINT, note))
    }
}
