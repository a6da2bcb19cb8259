//! The text of `hog dice`: a distribution, one value per line.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{BEST, FAINT, TITLE, bar, counted, paint};
use crate::view::{DiceFormulaView, DiceView, FormulaValueView, SumView};

/// The width of the longest bar, in columns; less if the counts before it leave less of a line of
/// 80 columns.
const WIDTH: usize = 40;

impl Text for DiceView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let rolls = if self.rolls == "1" { "roll" } else { "rolls" };
        let head = format!(
            "{} of {}: {} {rolls}",
            counted(self.dice as u64, "die"),
            counted(self.die as u64, "side"),
            self.rolls
        );
        writeln!(out, "{}", paint(TITLE, head))?;
        let width = self.rolls.len().max(8);
        let titles =
            format!("{:>5}  {:>width$}  {:>width$}  {}", "sum", "rolls", "no ones", "chance");
        writeln!(out, "{}", paint(FAINT, titles))?;
        let highest = self.sums.iter().map(|s| s.chance).fold(0.0, f64::max);
        let cells = WIDTH.min(56usize.saturating_sub(2 * width));
        for SumView { sum, count, without_ones, chance } in &self.sums {
            let bar = paint(BEST, bar(chance / highest, cells));
            writeln!(
                out,
                "{sum:>5}  {count:>width$}  {without_ones:>width$}  {chance:<10.8}  {bar}"
            )?;
        }
        writeln!(out, "mean of the sum      {}", self.mean)?;
        writeln!(out, "chance of a 1        {}", self.chance_of_one)?;
        writeln!(out, "mean of the points   {} (a 1 makes them 1)", self.mean_points)
    }
}

impl Text for DiceFormulaView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = format!(
            "{} of {} of {}: {} rolls",
            self.formula,
            counted(self.dice as u64, "die"),
            counted(self.die as u64, "side"),
            self.rolls
        );
        writeln!(out, "{}", paint(TITLE, head))?;
        let width = self.rolls.len().max(8);
        writeln!(
            out,
            "{}",
            paint(FAINT, format!("{:>5}  {:>width$}  {}", "value", "rolls", "chance"))
        )?;
        let highest = self.values.iter().map(|value| value.chance).fold(0.0, f64::max);
        let cells = WIDTH.min(58usize.saturating_sub(width));
        for FormulaValueView { value, count, chance } in &self.values {
            let bar = paint(BEST, bar(chance / highest, cells));
            writeln!(out, "{value:>5}  {count:>width$}  {chance:<10.8}  {bar}")?;
        }
        writeln!(out, "mean  {}", self.mean)
    }
}
