//! The text of `hog turn`: a turn, one rule per line.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{BEST, FAINT, counted, paint};
use crate::view::TurnView;

impl Text for TurnView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = self.steps.iter().map(|step| step.rule.chars().count()).max().unwrap_or(0);
        for step in &self.steps {
            writeln!(out, "  {}  {}", paint(FAINT, format!("{:<width$}", step.rule)), step.text)?;
        }
        let next = match (self.over, self.again) {
            (true, _) => ", and the game is over",
            (_, true) => ", and the same player moves again",
            _ => "",
        };
        let after = paint(BEST, format!("{} to {}", self.score, self.opponent));
        writeln!(out, "{}: {after} after the turn{next}", signed_points(self.points))?;
        for (name, value) in &self.memory {
            writeln!(out, "{}", paint(FAINT, format!("  {name} is now {value}")))?;
        }
        Ok(())
    }
}

/// Formats points as `1 point` or `-3 points`.
fn signed_points(points: i64) -> String {
    let sign = if points < 0 { "-" } else { "" };
    format!("{sign}{}", counted(points.unsigned_abs(), "point"))
}
