//! The text of `hog check`.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, counted, paint, thousands};
use crate::view::{CheckView, CheckedView};

impl Text for CheckView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        self.tables.iter().try_for_each(|table| table.text(out))
    }
}

impl Text for CheckedView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let states = thousands(self.states as u64);
        let (verdict, claims) = if self.ok {
            (paint(BEST, "proven"), ":")
        } else {
            (paint(LOSS, "WRONG"), "; should hold:")
        };
        writeln!(
            out,
            "{verdict}  {}  {}, {states} states{claims} {}",
            self.table, self.rules, self.proven
        )?;
        if !self.ok {
            let values = counted(self.wrong_values as u64, "wrong win rate");
            let worst = match self.wrong_values {
                0 => String::new(),
                _ => format!(" (the worst is off by {:e})", self.worst_difference),
            };
            writeln!(out, "  {values}{worst}, {}", counted(self.wrong_rolls as u64, "wrong roll"))?;
        }
        if let Some(against) = &self.against {
            writeln!(out, "  the best response to {against}, whose rolls are in the table")?;
        }
        if !self.differences.is_empty() {
            let id = &self.rules;
            writeln!(
                out,
                "  {} of {id}: {}",
                paint(LOSS, "NOT the published rules"),
                self.differences.join("; ")
            )?;
        } else if !self.published {
            writeln!(
                out,
                "  no game that comes with hog is called {}: the rules are those in the table",
                self.rules
            )?;
        }
        for fault in &self.faults {
            writeln!(out, "  {fault}")?;
        }
        writeln!(out, "{}", paint(FAINT, format!("  checked in {:.2} s", self.seconds)))
    }
}
