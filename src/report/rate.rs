//! `hog rate`: exact win rates of one strategy against another.

use std::io::{self, Write};

use serde::Serialize;

use super::View;
use super::style::{BEST, FAINT, TITLE, paint};

/// One strategy against another.
#[derive(Clone, Debug, Serialize)]
pub struct RateView {
    pub rules: String,
    pub strategy: String,
    pub opponent: String,
    /// The strategy's win rate when it moves first.
    pub first: f64,
    /// Its win rate when it moves second.
    pub second: f64,
    /// The average of both: what the course calls the win rate.
    pub average: f64,
    /// The share of games that never end (each counts half a win), on average.
    pub endless: f64,
    /// That share moving first and moving second.
    pub endless_first: f64,
    pub endless_second: f64,
    pub error_bound: f64,
}

impl View for RateView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { rules, strategy, opponent, first, second, average, .. } = self;
        writeln!(out, "{}", paint(TITLE, format!("{rules}: {strategy} against {opponent}")))?;
        writeln!(out, "  average  {}", paint(BEST, average))?;
        writeln!(out, "  first    {first}\n  second   {second}")?;
        if self.endless > 0.0 {
            writeln!(out, "  endless  {} of the games never end and count half a win each", self.endless)?;
        }
        let note =
            format!("  computed over all games, not simulated; within {:.1e} of the exact rates", self.error_bound);
        writeln!(out, "{}", paint(FAINT, note))
    }
}
