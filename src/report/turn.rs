//! `hog turn`: one turn, with what each rule did.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::View;
use super::style::{BEST, FAINT, counted, paint};

/// A turn and its effects.
#[derive(Clone, Debug, Serialize)]
pub struct TurnView {
    pub points: i64,
    /// The mover's score after every effect.
    pub score: i64,
    /// The opponent's.
    pub opponent: i64,
    /// True if the same player moves once more.
    pub again: bool,
    /// The memories after the turn, seen by the mover.
    pub memory: BTreeMap<String, i64>,
    pub steps: Vec<StepView>,
}

/// What one rule did.
#[derive(Clone, Debug, Serialize)]
pub struct StepView {
    pub rule: String,
    pub text: String,
}

impl View for TurnView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = self.steps.iter().map(|step| step.rule.chars().count()).max().unwrap_or(0);
        for step in &self.steps {
            writeln!(out, "  {}  {}", paint(FAINT, format!("{:<width$}", step.rule)), step.text)?;
        }
        let again = if self.again { ", and the same player moves again" } else { "" };
        let after = paint(BEST, format!("{} to {}", self.score, self.opponent));
        writeln!(out, "{}: {after} after the turn{again}", counted(self.points, "point"))?;
        for (name, value) in &self.memory {
            writeln!(out, "{}", paint(FAINT, format!("  {name} is now {value}")))?;
        }
        Ok(())
    }
}
