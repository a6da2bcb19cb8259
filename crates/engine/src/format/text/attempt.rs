//! The text of `hog try`.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, TITLE, paint, thousands};
use crate::view::TryView;

impl Text for TryView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{}",
            paint(TITLE, format!("{}: {} against {}", self.rules, self.strategy, self.against))
        )?;
        for sentence in self.handout.sentences() {
            writeln!(out, "  {}", paint(LOSS, sentence))?;
        }
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
            writeln!(out, "  the course asks    {target}{reached}")?;
        }
        if self.win_rate.endless > 0.0 {
            writeln!(out, "  endless games      {} (half a win each)", self.win_rate.endless)?;
        }
        self.changes(out)?;
        let gap = self.best_response.average - self.win_rate.average;
        if self.worst.is_empty()
            && gap <= self.best_response.error_bound + self.win_rate.error_bound
        {
            return writeln!(out, "\nno strategy does better against {}", self.against);
        }
        if let Some(mistake) = self.costliest() {
            let (kind, share) = (mistake.kind.in_words(), mistake.loss);
            writeln!(out, "  costs most         {}: {share:.4} of {gap:.4}", paint(LOSS, kind))?;
        }
        if !self.worst.is_empty() {
            writeln!(
                out,
                "\n{}    {}",
                paint(TITLE, "costs"),
                paint(TITLE, "where, and what to roll")
            )?;
        }
        for loss in &self.worst {
            writeln!(out, "{:.5}  {}", loss.loss, loss.words)?;
        }
        let met = thousands(self.positions_met as u64);
        let note = format!(
            "exact, over all {met} positions met; their losses add up to the gap to the best possible"
        );
        writeln!(out, "{}", paint(FAINT, note))
    }
}

impl TryView {
    /// Writes only what is new since the last run: the change, what costs most, and what the file
    /// says about the rules.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn news(&self, out: &mut dyn Write) -> io::Result<()> {
        for sentence in self.handout.sentences() {
            writeln!(out, "  {}", paint(LOSS, sentence))?;
        }
        writeln!(out, "  it wins            {}", paint(BEST, self.win_rate.average))?;
        self.changes(out)?;
        match self.worst.first() {
            Some(worst) => writeln!(out, "  costs most now     {:.5} {}", worst.loss, worst.words),
            None => Ok(()),
        }
    }

    /// Writes what changed since the last run.
    fn changes(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(previous) = &self.previous else { return Ok(()) };
        let more = self.win_rate.average - previous.average;
        let rolls = self.changed.map(|changed| {
            format!(
                "; {} {} changed",
                thousands(changed as u64),
                if changed == 1 { "roll" } else { "rolls" }
            )
        });
        let rolls = rolls.unwrap_or_default();
        if more == 0.0 {
            return writeln!(out, "  since the last run the win rate is unchanged{rolls}");
        }
        let style = if more > 0.0 { BEST } else { LOSS };
        writeln!(
            out,
            "  since the last run {} (from {}){rolls}",
            paint(style, format!("{more:+.6}")),
            previous.average
        )
    }
}
