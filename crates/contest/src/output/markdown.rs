//! Writes a contest as Markdown: the ranking, cycles, rejected entrants, and those who handed in
//! nothing.

use std::io::{self, Write};

use crate::files::escape::markdown;
use crate::queries::{ContestAnswer, RankedEntrant};

impl ContestAnswer {
    /// Writes the ranking as Markdown.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "<!-- Made by hog contest; do not edit. -->\n# {}\n",
            markdown(&self.heading())
        )?;
        writeln!(out, "| rank | name | wins | losses | ties | mean win rate | worst opponent |")?;
        writeln!(out, "|--:|---|--:|--:|--:|--:|---|")?;
        for row in &self.ranking {
            let worst = row.worst_against.as_deref().zip(row.worst_win_rate);
            let worst = worst
                .map(|(name, rate)| format!("{} ({rate:.6})", markdown(name)))
                .unwrap_or_default();
            let RankedEntrant { rank, name, wins, losses, ties, mean, .. } = row;
            writeln!(
                out,
                "| {rank} | {} | {wins} | {losses} | {ties} | {mean:.6} | {worst} |",
                markdown(name)
            )?;
        }
        writeln!(out, "\n{}", self.how_it_is_scored())?;
        for [a, b, c] in &self.cycles {
            let [a, b, c] = [a, b, c].map(|name| markdown(name));
            writeln!(out, "\n{a} beats {b} beats {c} beats {a}")?;
        }
        for one in &self.rejected {
            writeln!(
                out,
                "\nDid not take part: {}: {}",
                markdown(&one.name),
                markdown(&one.reason)
            )?;
        }
        for one in &self.unclear {
            writeln!(out, "\nUnclear: {}: {}", markdown(&one.name), markdown(&one.reason))?;
        }
        for name in self.late() {
            writeln!(out, "\nHanded in late: {}", markdown(name))?;
        }
        for name in &self.absent {
            writeln!(out, "\nNothing handed in: {}", markdown(name))?;
        }
        Ok(())
    }
}
