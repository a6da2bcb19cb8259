//! The text of `hog try`.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, TITLE, paint, thousands};
use crate::view::TryView;

/// The widest line, in columns.
const WIDTH: usize = 79;

impl Text for TryView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", paint(TITLE, format!("{}: {} against {}", self.rules, self.strategy, self.against)))?;
        let rate = self.win_rate.average;
        writeln!(out, "  it wins            {}", paint(BEST, rate))?;
        writeln!(out, "  first, second      {}, {}", self.win_rate.first, self.win_rate.second)?;
        writeln!(out, "  the best possible  {}", self.best_response.average)?;
        writeln!(out, "  equilibrium play   {}", self.optimal.average)?;
        if let Some(target) = &self.target {
            let reached = match self.target_rate() {
                Some(wanted) if rate >= wanted => paint(BEST, " (reached)"),
                Some(wanted) => paint(LOSS, format!(" ({:.4} to go)", wanted - rate)),
                None => String::new(),
            };
            wrapped(out, "  the course asks    ", &format!("{target}{reached}"))?;
        }
        if self.win_rate.endless > 0.0 {
            writeln!(out, "  endless games      {} (half a win each)", self.win_rate.endless)?;
        }
        self.changes(out)?;
        let gap = self.best_response.average - self.win_rate.average;
        if self.worst.is_empty() && gap <= self.best_response.error_bound + self.win_rate.error_bound {
            return writeln!(out, "\nno strategy does better against {}", self.against);
        }
        if !self.worst.is_empty() {
            writeln!(out, "\n{}    {}", paint(TITLE, "costs"), paint(TITLE, "where, and what to roll"))?;
        }
        for loss in &self.worst {
            wrapped(out, &format!("{:.5}  ", loss.loss), &loss.words)?;
        }
        let met = thousands(self.positions_met as u64);
        let note = format!("exact, over all {met} positions met; their losses add up to the gap to the best possible");
        writeln!(out, "{}", paint(FAINT, note))
    }
}

impl TryView {
    /// Writes what changed since the last run.
    fn changes(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(previous) = &self.previous else { return Ok(()) };
        let more = self.win_rate.average - previous.average;
        let rolls = self.changed.map(|changed| {
            format!("; {} {} changed", thousands(changed as u64), if changed == 1 { "roll" } else { "rolls" })
        });
        let rolls = rolls.unwrap_or_default();
        if more == 0.0 {
            return writeln!(out, "  since the last run the win rate is unchanged{rolls}");
        }
        let style = if more > 0.0 { BEST } else { LOSS };
        writeln!(out, "  since the last run {} (from {}){rolls}", paint(style, format!("{more:+.6}")), previous.average)
    }
}

/// Writes a text after a heading, wrapped at [`WIDTH`] and indented to the end of the heading.
fn wrapped(out: &mut dyn Write, head: &str, text: &str) -> io::Result<()> {
    let (mut line, mut length) = (head.to_owned(), head.len());
    for (place, word) in text.split(' ').enumerate() {
        if place > 0 && length + 1 + word.len() > WIDTH {
            writeln!(out, "{line}")?;
            (line, length) = (" ".repeat(head.len()), head.len());
        } else if place > 0 {
            (line, length) = (line + " ", length + 1);
        }
        line += word;
        length += word.len();
    }
    writeln!(out, "{line}")
}
