//! `hog check`: what the second reading of a table found.

use std::io::{self, Write};

use serde::Serialize;

use super::View;
use super::style::{BEST, FAINT, LOSS, paint, thousands};

/// The verdict on one table.
#[derive(Clone, Debug, Serialize)]
pub struct CheckView {
    pub table: String,
    pub rules: String,
    pub ok: bool,
    pub states: usize,
    /// The largest difference between a win rate in the table and the one found afresh.
    pub worst_difference: f64,
    pub wrong_values: usize,
    pub wrong_rolls: usize,
    /// What is wrong, and where.
    pub faults: Vec<String>,
    /// What was proven, in words.
    pub proven: String,
    pub seconds: f64,
}

impl View for CheckView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let states = thousands(self.states as u64);
        let verdict = if self.ok { paint(BEST, "proven") } else { paint(LOSS, "WRONG") };
        writeln!(out, "{verdict}  {}  {}, {states} states: {}", self.table, self.rules, self.proven)?;
        if !self.ok {
            writeln!(
                out,
                "  {} wrong win rates (the worst is off by {:e}), {} wrong rolls",
                self.wrong_values, self.worst_difference, self.wrong_rolls
            )?;
        }
        for fault in &self.faults {
            writeln!(out, "  {fault}")?;
        }
        writeln!(out, "{}", paint(FAINT, format!("  checked in {:.2} s", self.seconds)))
    }
}
