//! `hog solve`: what was solved, how, and how good the numbers are.

use std::io::{self, Write};

use serde::Serialize;

use super::View;
use super::style::{BEST, FAINT, TITLE, either, paint, thousands};

/// A solved game in one page.
#[derive(Clone, Debug, Serialize)]
pub struct SolveView {
    pub rules: String,
    pub goal: u32,
    pub max_dice: i32,
    /// `equilibrium` or `best_response`.
    pub objective: &'static str,
    /// The strategy answered, if it is a best response.
    pub against: Option<String>,
    /// `state` or `scores`.
    pub sees: &'static str,
    /// `exact` or `float`.
    pub arithmetic: &'static str,
    pub states: usize,
    /// Win rates of the solved side.
    pub win_rate: WinRates,
    /// The best numbers of dice at 0-0.
    pub first_roll: Vec<i32>,
    /// No win rate is further than this from the exact one.
    pub error_bound: f64,
    /// States with more than one best number of dice.
    pub ties: u64,
    /// Loops of states that were solved as loops.
    pub loops: u64,
    pub seconds: f64,
    /// The file written.
    pub table: Option<String>,
    /// The exact win rate of the solved side moving first, reduced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fraction: Option<String>,
}

/// Win rates moving first, moving second, and the average of both.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct WinRates {
    pub first: f64,
    pub second: f64,
    pub average: f64,
}

/// The best table found for someone who does not see everything.
#[derive(Clone, Debug, Serialize)]
pub struct HiddenView {
    pub rules: String,
    pub goal: u32,
    pub max_dice: i32,
    pub objective: &'static str,
    pub against: String,
    /// `scores`.
    pub sees: &'static str,
    pub arithmetic: &'static str,
    pub states: usize,
    /// Entries of the table.
    pub decisions: usize,
    pub win_rate: WinRates,
    /// What nobody exceeds on average, even seeing the whole state.
    pub at_most: f64,
    pub first_roll: Vec<i32>,
    pub error_bound: f64,
    pub tries: usize,
    pub seed: u64,
    pub seconds: f64,
    /// The file written.
    pub table: Option<String>,
}

impl View for HiddenView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let what = format!("the best table found against {} that sees only scores", self.against);
        writeln!(out, "{}  {what}", paint(TITLE, format!("{}, goal {}", self.rules, self.goal)))?;
        let WinRates { first, second, average } = self.win_rate;
        writeln!(out, "  win rate    {} on average, {first} moving first, {second} second", paint(BEST, average))?;
        writeln!(out, "  at most     {} for anyone who sees everything", self.at_most)?;
        writeln!(out, "  first roll  {} dice", either(&self.first_roll))?;
        writeln!(out, "  numbers     floating point, every win rate within {:.1e} of the exact one", self.error_bound)?;
        let (decisions, states) = (thousands(self.decisions as u64), thousands(self.states as u64));
        writeln!(out, "  entries     {decisions} for {states} states, {} tries from seed {}", self.tries, self.seed)?;
        writeln!(out, "{}", paint(FAINT, format!("  solved in   {:.3} s", self.seconds)))?;
        match &self.table {
            Some(path) => writeln!(out, "  table       {path}"),
            None => Ok(()),
        }
    }
}

impl View for SolveView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let what = match &self.against {
            None => "equilibrium: both sides play to win".to_owned(),
            Some(opponent) => format!("best response to {opponent}"),
        };
        writeln!(out, "{}  {what}", paint(TITLE, format!("{}, goal {}", self.rules, self.goal)))?;
        let WinRates { first, second, average } = self.win_rate;
        writeln!(out, "  win rate    {} moving first, {second} second, {average} on average", paint(BEST, first))?;
        if let Some(fraction) = &self.fraction {
            writeln!(out, "  exactly     {fraction}")?;
        }
        writeln!(out, "  first roll  {} dice", either(&self.first_roll))?;
        let numbers = match self.arithmetic {
            "exact" => "exact: integers to the last division, each win rate the nearest double".to_owned(),
            _ => format!("floating point, every win rate within {:.1e} of the exact one", self.error_bound),
        };
        writeln!(out, "  numbers     {numbers}")?;
        let states = thousands(self.states as u64);
        let ties = if self.arithmetic == "exact" { "with a tie" } else { "with rolls closer than the bound" };
        writeln!(out, "  states      {states}, {} {ties}, {} loops", thousands(self.ties), thousands(self.loops))?;
        writeln!(out, "{}", paint(FAINT, format!("  solved in   {:.3} s", self.seconds)))?;
        match &self.table {
            Some(path) => writeln!(out, "  table       {path}"),
            None => Ok(()),
        }
    }
}
